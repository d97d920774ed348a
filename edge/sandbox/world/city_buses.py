"""TAGO's stops and routes in, the same buses under the ids of the city systems of Gyeonggi and Gwangju out."""

from edge.sandbox.world.regions import number
from edge.sandbox.world.seoul_transit import romanise
from edge.sandbox.world.store import Row, World, part, table
from edge.sandbox.world.tago_bus import HOP_S

# TAGO puts letters before the id a city gave a stop; routes are renumbered to nine digits.
_GYEONGGI, _GWANGJU = "GGB", "GJB"
_KINDS = {"급행버스": 1, "간선버스": 2, "지선버스": 3, "마을버스": 4, "외곽버스": 3}
_TYPE_NAMES = {"급행버스": "직행좌석형시내버스", "마을버스": "마을버스"}


def _stop_id(node: object) -> int:
    digits = "".join(c for c in str(node) if c.isdigit())
    # Gwangju numbers its stops with few digits.
    return int(digits) if str(node).startswith(_GYEONGGI) else int(digits) % 100_000


def _route_id(route: object) -> int:
    tail = int(str(route)[-5:])
    return 200_000_000 + tail if str(route).startswith(_GYEONGGI) else tail


def _of(rows: list[Row], prefix: str, column: str) -> list[Row]:
    return [row for row in rows if str(row[column]).startswith(prefix)]


def _stops(world: World, prefix: str) -> list[Row]:
    cities = {row["city"]: row["name"] for row in world.table("tago_cities")}
    return [
        row
        | {
            "stop": _stop_id(row["node_id"]),
            "region": str(cities[row["city"]]).removesuffix("시"),
            "mobile": f"{int(str(row['node_no'] or 0)) % 100_000:05d}" if row["node_no"] else "",
            "english": romanise(str(row["name"])),
        }
        for row in _of(world.table("tago_stops"), prefix, "node_id")
    ]


@table("gyeonggi_stops")
def build_gyeonggi_stops(world: World) -> list[Row]:
    """stop (9 digits, a number), name, printed number, region and degrees."""
    return _stops(world, _GYEONGGI)


@table("gwangju_stops")
def build_gwangju_stops(world: World) -> list[Row]:
    """stop (up to 5 digits), name, English name, printed number, degrees and the stop that follows on some route."""
    following = {row["stop"]: row["next"] for row in world.table("gwangju_route_stops")}
    rows = _stops(world, _GWANGJU)
    return [row | {"number": n, "next": following.get(row["stop"], "")} for n, row in enumerate(rows, start=1)]


def _route_stops(world: World, prefix: str) -> list[Row]:
    rows = _of(world.table("tago_route_stops"), prefix, "route_id")
    last = {row["route_id"]: int(number(row, "order")) for row in rows}
    names = {(row["route_id"], row["order"]): row["name"] for row in rows}
    result: list[Row] = []
    for row in rows:
        order, end = int(number(row, "order")), last[row["route_id"]]
        flag = 2 if order == 1 else 4 if order == end else 3 if order == end // 2 else 1
        result.append(
            row
            | {
                "stop": _stop_id(row["node_id"]),
                "route": _route_id(row["route_id"]),
                "type_name": _TYPE_NAMES.get(str(row["type"]), "일반형시내버스"),
                "line_kind": _KINDS[str(row["type"])],
                "turn": "Y" if order == end // 2 else "N",
                "flag": flag,
                "next": names.get((row["route_id"], order + 1), ""),
                "mobile": row["node_no"],
            }
        )
    return result


@table("gyeonggi_route_stops")
def build_gyeonggi_route_stops(world: World) -> list[Row]:
    """Stops of every route in order, with both nine-digit ids and the turning point."""
    return _route_stops(world, _GYEONGGI)


@table("gwangju_route_stops")
def build_gwangju_route_stops(world: World) -> list[Row]:
    """Stops of every route in order, with the short ids and a flag for start (2), far end (3) and last (4)."""
    return _route_stops(world, _GWANGJU)


def _routes(world: World, prefix: str, table_name: str) -> list[Row]:
    firsts = {row["route_id"]: row for row in world.table(table_name) if row["order"] == 1}
    cities = {row["city"]: row["name"] for row in world.table("tago_cities")}
    return [
        firsts[row["route_id"]] | row | {"region": str(cities[row["city"]]).removesuffix("시")}
        for row in _of(world.table("tago_routes"), prefix, "route_id")
    ]


@table("gyeonggi_routes")
def build_gyeonggi_routes(world: World) -> list[Row]:
    """One row a route: nine-digit id, the number on the bus and the region it runs in; numbers repeat over regions."""
    return _routes(world, _GYEONGGI, "gyeonggi_route_stops")


@table("gwangju_routes")
def build_gwangju_routes(world: World) -> list[Row]:
    """One row a route with its ends, first and last bus and headway."""
    rows = _routes(world, _GWANGJU, "gwangju_route_stops")
    return [row | {"number": number_} for number_, row in enumerate(rows, start=1)]


@part("city_positions")
def build_positions(world: World, system: str, route: str) -> list[Row]:
    """Buses on a route of `gyeonggi` or `gwangju` now: the stop each has just left."""
    stops = world.find(f"{system}_route_stops", "route", route)
    if not stops:
        return []
    by_order = {row["order"]: row for row in stops}
    rows: list[Row] = []
    for count, bus in enumerate(world.part("tago_positions", str(stops[0]["route_id"])), start=1):
        rng = world.rng("seats", bus["vehicle"])
        rows.append(
            by_order[bus["order"]]
            | {
                "vehicle": bus["vehicle"],
                "bus": 200_000_000 + rng.randrange(99_999),
                "seats": rng.randrange(0, 46) if rng.random() < 0.4 else -1,
                "low_bus": int(bool(bus["low"])),
                "count": count,
            }
        )
    return rows


@part("city_arrivals")
def build_city_arrivals(world: World, system: str, stop: str) -> list[Row]:
    """Every route through a stop with its nearest bus; the columns of a bus are blank where none is on the way."""
    rows: list[Row] = []
    for here in world.find(f"{system}_route_stops", "stop", stop):
        coming = [
            (int(number(here, "order")) - int(number(bus, "order")), bus)
            for bus in world.part("city_positions", system, str(here["route"]))
            if int(number(bus, "order")) < int(number(here, "order"))
        ]
        bus_columns = ("vehicle", "bus", "seats", "low_bus")
        if not coming:
            rows.append(here | dict.fromkeys((*bus_columns, "left", "minutes", "at_stop", "at_name"), ""))
            continue
        left, bus = min(coming, key=lambda pair: pair[0])
        at = {"left": left, "minutes": max(1, left * HOP_S // 60), "at_stop": bus["stop"], "at_name": bus["name"]}
        rows.append(here | at | {name: bus[name] for name in bus_columns})
    return rows
