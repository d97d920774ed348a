"""Legal dongs of Seoul in, bus stops and routes that share them out."""

import math
from itertools import pairwise

from edge.sandbox.world.coordinates import distance_m, tm_middle
from edge.sandbox.world.reading import mappings, read_yaml
from edge.sandbox.world.regions import number
from edge.sandbox.world.store import Row, World, table

_PLACES = (
    "주민센터",
    "우체국",
    "사거리",
    "시장",
    "초등학교",
    "중학교",
    "아파트",
    "공원",
    "도서관",
    "삼거리",
    "보건소",
    "교회",
)
_CORRIDOR_KM = 0.85
# Real numbers with the two that are the documented trap: a search for 472 also finds 472A.
_FIXED = (("472", "100100073", "3"), ("472A", "100100973", "3"))
_CORPS = ("한강운수", "백악교통", "남산여객", "청계버스", "아리수운수", "북한산교통", "송파상운", "대치여객")


@table("bus_stops")
def build_stops(world: World) -> list[Row]:
    """Stops of Seoul: st_id (9), ars_id (5, leading zero kept), name, district, degrees and GRS80 metres."""
    codes = sorted(str(row["code5"]) for row in world.find("districts", "sido", "서울특별시"))
    numbers = {code: order + 1 for order, code in enumerate(codes)}
    counts = dict.fromkeys(codes, 0)
    rows: list[Row] = []
    for dong in world.find("dongs", "sido", "서울특별시"):
        rng = world.rng("stops", dong["code10"])
        for place in rng.sample(_PLACES, 7):
            stem = str(dong["dong"])
            rows.append(_stop(world, counts, numbers, dong, f"{stem}{place}"))
    by_name = {str(row["name"]): row for row in world.find("districts", "sido", "서울특별시")}
    for station in world.table("subway_stations"):
        gu = by_name[str(station["gu"])]
        base = str(station["base_name"])
        name = base if base.endswith("역") else f"{base}역"
        # A station has a pole on either side of the road; the second is named after an exit.
        for pole in (name, f"{name}{int(str(station['code'])) % 8 + 1}번출구"):
            rows.append(_stop(world, counts, numbers, gu | {"code10": station["code"]}, pole))
    return rows


def _stop(world: World, counts: dict[str, int], numbers: dict[str, int], near: Row, name: str) -> Row:
    code = str(near["code5"])
    counts[code] += 1
    rng = world.rng("stop", code, name, near["code10"])
    lon = round(number(near, "lon") + rng.uniform(-0.011, 0.011), 7)
    lat = round(number(near, "lat") + rng.uniform(-0.008, 0.008), 7)
    x, y = tm_middle(lon, lat)
    return {
        "st_id": f"{99 + numbers[code]}{counts[code]:06d}",
        "ars_id": f"{numbers[code]:02d}{100 + counts[code]:03d}",
        "name": name,
        "gu": near.get("sigungu", near["name"]),
        "lon": lon,
        "lat": lat,
        "x": round(x, 3),
        "y": round(y, 3),
    }


@table("bus_routes")
def build_routes(world: World) -> list[Row]:
    """Routes: route_id (9), name, type, ends, headway in minutes, first and last departure, length in km."""
    named = [*_FIXED, *_numbered()]
    points = [(number(stop, "x"), number(stop, "y"), stop) for stop in world.table("bus_stops")]
    rows: list[Row] = []
    day = f"{world.today:%Y%m%d}"
    for name, route_id, kind in named:
        path = _path(world, route_id, points)
        if len(path) < 15:
            continue
        rng = world.rng("route", route_id)
        km = sum(_gap(a, b) for a, b in pairwise(path)) / 1000
        first = 240 + 5 * rng.randrange(12)
        rows.append(
            {
                "route_id": route_id,
                "name": name,
                "kind": kind,
                "start": path[0]["name"],
                "end": path[-1]["name"],
                "term": str(rng.randrange(5, 19)),
                "first": f"{day}{first // 60:02d}{first % 60:02d}00",
                "last": f"{day}{22 + rng.randrange(2)}{5 * rng.randrange(12):02d}00",
                "km": f"{km:.1f}",
                "corp": rng.choice(_CORPS),
                "path": path,
            }
        )
    return rows


def _numbered() -> list[tuple[str, str, str]]:
    """(number, route id, type) of the routes with a real number; ids run inside one block a kind."""
    data = read_yaml("bus_routes.yaml")
    routes: list[tuple[str, str, str]] = []
    for key, first, kind in (("trunk", 1, "3"), ("branch", 200, "4"), ("village", 300, "2"), ("night", 400, "3")):
        for order, label in enumerate(str(data[key]).split()):
            # 73 belongs to the route of the provider's own example.
            route = first + order + (key == "trunk" and first + order >= 73)
            routes.append((label, f"100100{route:03d}", kind))
    return routes


def _path(world: World, route_id: str, points: list[tuple[float, float, Row]]) -> list[Row]:
    """Stops within a corridor between two distant points, in order; most routes share stops with others."""
    rng = world.rng("path", route_id)
    length = 0.0
    a = b = points[0]
    while not 7000 < length < 17000:
        a, b = rng.sample(points, 2)
        length = math.hypot(b[0] - a[0], b[1] - a[1])
    (ax, ay, _), (bx, by, _) = a, b
    found: list[tuple[float, Row]] = []
    for x, y, stop in points:
        along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length
        aside = abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length
        if 0 <= along <= length and aside < _CORRIDOR_KM * 1000:
            found.append((along, stop))
    found.sort(key=lambda item: item[0])
    kept: list[Row] = []
    last = -400.0
    for along, stop in found:
        if along - last >= 260:
            kept.append(stop)
            last = along
    return kept


def _gap(a: Row, b: Row) -> float:
    return distance_m(number(a, "lon"), number(a, "lat"), number(b, "lon"), number(b, "lat")) * 1.25


@table("bus_route_stops")
def build_route_stops(world: World) -> list[Row]:
    """Every stop of every route: seq from 1, stop columns, section (9 digits) and the metres run so far."""
    rows: list[Row] = []
    for route in world.table("bus_routes"):
        metres = 0.0
        rng = world.rng("sections", route["route_id"])
        stops = mappings(route["path"])
        for order, stop in enumerate(stops):
            metres += _gap(stops[order - 1], stop) if order else 0.0
            # A turning point without a pole is kept in the list as a virtual stop, with 0 as its number.
            virtual = order == len(stops) // 2 and rng.random() < 0.25
            rows.append(
                stop
                | {
                    "route_id": route["route_id"],
                    "route_name": route["name"],
                    "kind": route["kind"],
                    "seq": str(order + 1),
                    "ars_id": "0" if virtual else stop["ars_id"],
                    "name": f"{stop['name']}(가상)" if virtual else stop["name"],
                    "section": str(100600000 + rng.randrange(99999) if order else 0),
                    "speed": str(rng.randrange(9, 34)) if order else "0",
                    "direction": route["end"],
                    "begin": f"{route['first']}"[8:10] + ":" + f"{route['first']}"[10:12],
                    "last": f"{route['last']}"[8:10] + ":" + f"{route['last']}"[10:12],
                    "turn": "Y" if order == len(stops) - 1 else "N",
                    "metres": metres,
                    "next_name": stops[min(order + 1, len(stops) - 1)]["name"],
                }
            )
    return rows
