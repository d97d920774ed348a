"""Words or degrees in, documents of the Kakao Local services out."""

from edge.sandbox.model import Refusal, Request
from edge.sandbox.registry import view
from edge.sandbox.views.addresses import search_buildings, tokens
from edge.sandbox.world import Row, World
from edge.sandbox.world.coordinates import degrees_of_tm_middle, distance_m, tm_middle
from edge.sandbox.world.regions import nearest, number

_FARTHEST_M = 25_000.0
_AT_M = 150.0
# Metres per unit of the systems that Kakao converts between; degrees are none of them.
_METRES = {"WTM": 1.0, "TM": 1.0, "WCONGNAMUL": 0.4, "CONGNAMUL": 0.4}
_KOREA = (124.0, 132.0, 33.0, 39.0)


def _degrees(request: Request, name: str) -> float:
    try:
        return float(request.get(name))
    except ValueError:
        raise Refusal("bad_parameter", name) from None


def _region_document(dong: Row) -> Row:
    lon, lat = str(dong["lon"]), str(dong["lat"])
    address: Row = {
        "address_name": dong["short_address"],
        "region_1depth_name": dong["sido_short"],
        "region_2depth_name": dong["sigungu"],
        "region_3depth_name": dong["dong"],
        "region_3depth_h_name": "",
        "h_code": "",
        "b_code": dong["code10"],
        "mountain_yn": "N",
        "main_address_no": "",
        "sub_address_no": "",
        "x": lon,
        "y": lat,
    }
    return {
        "address_name": address["address_name"],
        "address_type": "REGION",
        "x": lon,
        "y": lat,
        "address": address,
        "road_address": None,
    }


def _building_document(row: Row) -> Row:
    lon, lat = str(row["lon"]), str(row["lat"])
    address: Row = {
        "address_name": row["short_lot_address"],
        "region_1depth_name": row["sido_short"],
        "region_2depth_name": row["sigungu"],
        "region_3depth_name": row["dong"],
        "region_3depth_h_name": row["admin_name"],
        "h_code": row["admin_code"],
        "b_code": row["code10"],
        "mountain_yn": "N",
        "main_address_no": str(row["lot_main"]),
        "sub_address_no": str(row["lot_sub"] or ""),
        "x": lon,
        "y": lat,
    }
    road_name = str(row["road_address"]).replace(str(row["sido"]), str(row["sido_short"]), 1)
    road: Row = {
        "address_name": road_name,
        "region_1depth_name": row["sido_short"],
        "region_2depth_name": row["sigungu"],
        "region_3depth_name": row["dong"],
        "road_name": row["road"],
        "underground_yn": "N",
        "main_building_no": str(row["main_no"]),
        "sub_building_no": str(row["sub_no"] or ""),
        "building_name": row["bd_name"],
        "zone_no": row["zip"],
        "x": lon,
        "y": lat,
    }
    head: Row = {"address_name": road_name, "address_type": "ROAD_ADDR", "x": lon, "y": lat}
    return head | {"address": address, "road_address": road}


@view("kakao_address")
def search_address(world: World, request: Request) -> list[Row]:
    """A bare region name gives the region itself, anything with a road or a number gives buildings."""
    words = tokens(request.get("query"))
    if not any(char.isdigit() for word in words for char in word):
        regions = [
            row
            for row in world.table("dongs")
            if words and all(word in f"{row['full_name']} {row['short_address']}" for word in words)
        ]
        exact = [row for row in regions if row["dong"] == words[-1]]
        if exact:
            return [_region_document(row) for row in exact]
    return [_building_document(row) for row in search_buildings(world, request.get("query"))]


@view("kakao_keyword")
def search_keyword(world: World, request: Request) -> list[Row]:
    """Places whose name or address has every word, names that begin with it first; or by distance from x and y."""
    words = request.get("query").split()
    group = request.get("category_group_code")
    found = [
        row
        for row in world.table("places")
        if (not group or row["group"] == group) and all(word in str(row["search"]) for word in words)
    ]
    head = "".join(words[-1:])
    found.sort(key=lambda row: not str(row["name"]).startswith(head))
    if request.get("sort") == "distance" and not request.get("x"):
        raise Refusal("bad_parameter", "x, y")
    return _around(found, request)


@view("kakao_category")
def search_category(world: World, request: Request) -> list[Row]:
    """Places of one group within a radius of x and y, all three of which it needs."""
    for name in ("x", "y", "radius"):
        if not request.get(name):
            raise Refusal("missing_parameter", name)
    return _around(world.find("places", "group", request.get("category_group_code")), request)


def _around(rows: list[Row], request: Request) -> list[Row]:
    if not request.get("x") or not request.get("y"):
        return [_place(row, "") for row in rows]
    lon, lat = _degrees(request, "x"), _degrees(request, "y")
    radius = _degrees(request, "radius") if request.get("radius") else 20_000.0
    pairs = [(distance_m(lon, lat, number(row, "lon"), number(row, "lat")), row) for row in rows]
    near = [(metres, row) for metres, row in pairs if metres <= min(radius, 20_000.0)]
    if request.get("sort") == "distance":
        near.sort(key=lambda pair: pair[0])
    return [_place(row, f"{metres:.0f}") for metres, row in near]


def _place(row: Row, metres: str) -> Row:
    return {
        "address_name": row["address"],
        "category_group_code": row["group"],
        "category_group_name": row["group_name"],
        "category_name": row["category"],
        "distance": metres,
        "id": row["id"],
        "phone": row["phone"],
        "place_name": row["name"],
        "place_url": row["url"],
        "road_address_name": row["road_address"],
        "x": row["x"],
        "y": row["y"],
    }


@view("kakao_region")
def coord2regioncode(world: World, request: Request) -> list[Row]:
    """Two documents, the legal dong (B) and the administrative one (H); none at sea, an error outside the country."""
    lon, lat = _degrees(request, "x"), _degrees(request, "y")
    west, east, south, north = _KOREA
    if not (west <= lon <= east and south <= lat <= north):
        raise Refusal("bad_parameter", "x, y")
    dong = nearest(world.table("dongs"), lon, lat)
    if distance_m(lon, lat, number(dong, "lon"), number(dong, "lat")) > _FARTHEST_M:
        return []
    return [_region_row(dong, "B", "code10", "dong"), _region_row(dong, "H", "admin_code", "admin_name")]


def _region_row(dong: Row, kind: str, code: str, name: str) -> Row:
    district = str(dong["full_name"]).removesuffix(f" {dong['dong']}")
    return {
        "region_type": kind,
        "address_name": f"{district} {dong[name]}",
        "region_1depth_name": dong["sido"],
        "region_2depth_name": dong["sigungu"],
        "region_3depth_name": dong[name],
        "region_4depth_name": "",
        "code": dong[code],
        "x": dong["lon"],
        "y": dong["lat"],
    }


@view("kakao_address_at")
def coord2address(world: World, request: Request) -> list[Row]:
    """The building nearest to a point: its lot address, and its road address where it is close by."""
    regions = coord2regioncode(world, request)
    if not regions:
        return []
    lon, lat = _degrees(request, "x"), _degrees(request, "y")
    building = nearest(world.find("buildings", "code10", regions[0]["code"]), lon, lat)
    document = _building_document(building)
    near = distance_m(lon, lat, number(building, "lon"), number(building, "lat")) <= _AT_M
    parts = {name: document[name] for name in ("road_address", "address")}
    return [parts if near else parts | {"road_address": None}]


@view("kakao_transcoord")
def transcoord(_world: World, request: Request) -> list[Row]:
    """A point in another coordinate system; UTM-K, which road addresses come in, is not among them."""
    x, y = _degrees(request, "x"), _degrees(request, "y")
    given, wanted = (request.get(name, "WGS84") for name in ("input_coord", "output_coord"))
    for name, system in (("input_coord", given), ("output_coord", wanted)):
        if system not in ("WGS84", *_METRES):
            raise Refusal("bad_parameter", name)
    if given != "WGS84":
        x, y = degrees_of_tm_middle(x * _METRES[given], y * _METRES[given])
    if wanted != "WGS84":
        x, y = (metres / _METRES[wanted] for metres in tm_middle(x, y))
    return [{"x": x, "y": y}]
