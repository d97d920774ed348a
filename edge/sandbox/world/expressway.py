"""Real expressways, toll gates and rest areas in, their codes, places, menus and current traffic out."""

from itertools import pairwise

from edge.sandbox.world.reading import mappings, read_yaml, texts
from edge.sandbox.world.store import Row, World, table


def _routes() -> list[dict[str, object]]:
    return mappings(read_yaml("expressway.yaml")["routes"])


def _point(route: dict[str, object], share: float) -> tuple[float, float]:
    """Degrees at a share of the straight line between the ends; true to the region, not to the road."""
    ends = [float(text) for text in texts(route["ends"])]
    return round(ends[0] + (ends[2] - ends[0]) * share, 6), round(ends[1] + (ends[3] - ends[1]) * share, 6)


@table("toll_gates")
def build_gates(_world: World) -> list[Row]:
    """Toll gates: code (3) and the same with its trailing blank, name, route number (4) and name, degrees as texts."""
    rows: list[Row] = []
    for route in _routes():
        names = texts(route["gates"])
        for order, name in enumerate(names):
            lon, lat = _point(route, order / max(1, len(names) - 1))
            code = f"{len(rows) + 2:03d}"
            rows.append(
                {
                    "code": code,
                    "code_out": f"{code} ",
                    "name": name,
                    "route_no": route["number"],
                    "route": route["name"],
                    "lon": str(lon),
                    "lat": str(lat),
                }
            )
    return rows


@table("rest_areas")
def build_rest_areas(world: World) -> list[Row]:
    """Rest areas, one a direction: standard code (6), service area code (A + 5), name, route, degrees as texts."""
    rows: list[Row] = []
    for route in _routes():
        names = texts(route["rest"])
        gates = texts(route["gates"])
        for order, name in enumerate(names):
            for end in (gates[-1], gates[0]):
                lon, lat = _point(route, (order + 0.5) / len(names))
                number = len(rows) + 1
                near = gates[order * len(gates) // len(names)]
                rng = world.rng("rest", number)
                rows.append(
                    {
                        "std_code": f"{number:06d}",
                        "area_code": f"A{number:05d}",
                        "unit_code": f"{600 + number:03d} ",
                        "name": f"{name}({end})휴게소",
                        "route_no": route["number"],
                        "route": route["name"],
                        "lon": str(round(lon + rng.uniform(-0.01, 0.01), 6)),
                        "lat": str(round(lat + rng.uniform(-0.01, 0.01), 6)),
                        "address": f"{route['name']} {near}IC 부근 {rng.randrange(10, 400)}km 지점",
                    }
                )
    return rows


@table("rest_foods")
def build_foods(world: World) -> list[Row]:
    """Menus: rest area columns, food, price in won as text, and whether it is the house's best."""
    foods = texts(read_yaml("expressway.yaml")["foods"])
    rows: list[Row] = []
    for area in world.table("rest_areas"):
        rng = world.rng("foods", area["std_code"])
        chosen = rng.sample(foods, rng.randrange(10, 22))
        for order, food in enumerate(chosen):
            price = rng.randrange(8, 31) * 500
            rows.append(area | {"food": food, "price": str(price), "best": "Y" if order < 2 else "N"})
    return rows


@table("traffic_zones")
def build_zones(world: World) -> list[Row]:
    """Traffic now on each stretch between toll gates, both ways: speed in km/h, vehicles, seconds, grade 1 to 3."""
    rows: list[Row] = []
    for route in _routes():
        names = texts(route["gates"])
        for order, (here, ahead) in enumerate(pairwise(names)):
            for way in ("E", "S"):
                rng = world.rng("zone", route["number"], order, way)
                speed = rng.choices((rng.randrange(80, 108), rng.randrange(45, 80), rng.randrange(8, 40)), (80, 13, 7))[
                    0
                ]
                metres = rng.randrange(2200, 14000)
                pair = f"{here}IC-{ahead}IC" if way == "E" else f"{ahead}IC-{here}IC"
                rows.append(
                    {
                        "route_no": route["number"],
                        "route": route["name"],
                        "zone_id": f"{route['number']}CZ{way}{10 + order * 10:03d}",
                        "zone": pair,
                        "way": way,
                        "speed": str(speed),
                        "volume": str(rng.randrange(120, 5200)),
                        "seconds": str(int(metres / (speed / 3.6))),
                        "grade": "1" if speed >= 80 else "2" if speed >= 40 else "3",
                        "day": f"{world.now:%Y%m%d}",
                        "hour": f"{world.now:%H}{world.now.minute // 5 * 5:02d}",
                    }
                )
    return rows
