"""Buildings and a table of trades in, shops with their trade codes and the commercial zones they lie in out."""

import random
from functools import cache

from edge.sandbox.world.buildings import stem
from edge.sandbox.world.reading import mapping, read_yaml, texts
from edge.sandbox.world.regions import number
from edge.sandbox.world.store import Row, World, table

ZONE_METRES = 600.0
_FIRST_ZONE = 9001
# Shops a building has, by province: streets of the large cities are fuller.
_MOST = {"11": 5, "26": 4, "41": 4, "27": 3, "28": 3, "30": 3}
_DEGREE = 111_000.0


@cache
def trades() -> tuple[tuple[Row, int], ...]:
    """Each small class with the names and codes above it, and its weight."""
    found: list[tuple[Row, int]] = []
    for large, middles in mapping(read_yaml("shops.yaml")["trades"]).items():
        large_code, large_name = large.split(" ", 1)
        for middle, smalls in mapping(middles).items():
            middle_code, middle_name = middle.split(" ", 1)
            for small in texts(smalls):
                code, rest = small.split(" ", 1)
                name, weight = rest.rsplit(" ", 1)
                row: Row = {"large": large_code, "large_name": large_name, "small": code, "small_name": name}
                found.append((row | {"middle": middle_code, "middle_name": middle_name}, int(weight)))
    return tuple(found)


def _distinct(column: str) -> list[Row]:
    return list({str(row[column]): row | {"standard": "2026-03-31"} for row, _ in trades()}.values())


@table("trade_large")
def build_large(_world: World) -> list[Row]:
    """Ten classes of two characters."""
    return _distinct("large")


@table("trade_middle")
def build_middle(_world: World) -> list[Row]:
    """Middle classes of four characters with the class above."""
    return _distinct("middle")


@table("trade_small")
def build_small(_world: World) -> list[Row]:
    """Small classes of six characters, which shops carry."""
    return _distinct("small")


@table("shop_zones")
def build_zones(world: World) -> list[Row]:
    """A commercial zone in most town dongs: a number, a name, an area and a square around its middle."""
    names = texts(read_yaml("shops.yaml")["zones"])
    rows: list[Row] = []
    for dong in world.table("dongs"):
        rng = world.rng("shop_zones", dong["code10"])
        if str(dong["dong"]).endswith("면") or rng.random() > 0.6:
            continue
        lon, lat = number(dong, "lon"), number(dong, "lat")
        half = ZONE_METRES / 2 / _DEGREE
        corners = [
            (lon - half, lat - half),
            (lon + half, lat - half),
            (lon + half, lat + half),
            (lon - half, lat + half),
        ]
        ring = ", ".join(f"{x:.6f} {y:.6f}" for x, y in (*corners, corners[0]))
        rows.append(
            {
                "zone": _FIRST_ZONE + len(rows),
                "name": f"{stem(str(dong['dong']))} {rng.choice(names)}",
                "code10": dong["code10"],
                "code5": dong["code5"],
                "district": dong["sigungu"] or dong["sido"],
                "code2": dong["code2"],
                "sido": dong["sido"],
                "area": str(rng.randrange(40_000, 420_000)),
                "coords": f"POLYGON (({ring}))",
                "points": str(len(corners) + 1),
                "lon": lon,
                "lat": lat,
                "standard": "2026-03-31",
            }
        )
    return rows


@table("shops")
def build_shops(world: World) -> list[Row]:
    """Number, name, trade codes, region codes of every level, building, degrees and zone ("" outside of them)."""
    zones = {zone["code10"]: zone["zone"] for zone in world.table("shop_zones")}
    stock, weights = zip(*trades(), strict=True)
    rows: list[Row] = []
    for building in world.table("buildings"):
        rng = world.rng("shops", building["bd_code"])
        code10 = str(building["code10"])
        count = rng.randrange(0, _MOST.get(code10[:2], 2) + 1)
        for trade in rng.choices(stock, weights, k=count):
            rows.append(_shop(rng, building, trade, zones.get(code10, ""), len(rows)))
    return rows


def _shop(rng: random.Random, building: Row, trade: Row, zone: object, count: int) -> Row:
    code10 = str(building["code10"])
    first = rng.choice(str(read_yaml("shops.yaml")["first"]).split())
    last = rng.choice(texts(mapping(read_yaml("shops.yaml")["last"])[str(trade["large"])]))
    return trade | {
        "shop": f"MA0101{code10[:4]}{2_208_000_000 + count:010d}",
        "name": f"{first}{last}",
        "branch": f"{building['dong']}점" if rng.random() < 0.12 else "",
        "code2": code10[:2],
        "code5": code10[:5],
        "code10": code10,
        "admin8": str(building["admin_code"])[:8],
        "admin_name": building["admin_name"],
        "sido": building["sido"],
        "sigungu": building["sigungu"],
        "dong": building["dong"],
        "pnu": f"{code10}1{building['lot_main']:04d}{building['lot_sub']:04d}",
        "lot_address": building["lot_address"],
        "road_address": building["road_address"],
        "bd_code": building["bd_code"],
        "bd_name": building["bd_name"],
        "zip": building["zip"],
        "floor": str(rng.choice((1, 1, 1, 2, 3))),
        "lon": building["lon"],
        "lat": building["lat"],
        "zone": zone,
    }
