"""Districts in, the bus networks of cities outside Seoul out, as the TAGO services number them."""

import random
from typing import cast

from edge.sandbox.world.buildings import stem
from edge.sandbox.world.regions import nearest, number
from edge.sandbox.world.store import Row, World, part, table

_PREFIXES = {
    "26": "BSB", "27": "DGB", "28": "ICB", "29": "GJB", "30": "DJB", "31": "USB", "36": "SJB", "41": "GGB",
    "51": "GWB",
    "43": "CBB", "44": "CNB", "52": "JBB", "46": "JNB", "47": "GBB", "48": "GNB", "50": "JEB",
}  # fmt: skip
_PLACES = (
    "시장",
    "초등학교",
    "우체국",
    "주민센터",
    "사거리",
    "아파트",
    "병원앞",
    "공원",
    "도서관",
    "입구",
    "종점",
    "역",
)
_TYPES = ("간선버스", "지선버스", "마을버스", "급행버스", "외곽버스")
STOPS_A_DONG = 3
# Seconds a bus needs from one stop to the next, on average.
HOP_S = 105


@table("tago_cities")
def build_tago_cities(world: World) -> list[Row]:
    """One row a TAGO city code (Seoul has none here): code and name of the city, and its id prefix."""
    rows: dict[str, Row] = {}
    for district in world.table("districts"):
        code = str(district["tago_bus"])
        if code and code not in rows:
            metro = len(code) == 2
            name = district["sido"] if metro else str(district["name"]).split(" ")[0]
            name = "대전광역시/계룡시" if code == "25" else "제주도" if code == "39" else name
            prefix = _PREFIXES[str(district["code2"])]
            rows[code] = {"city": code, "name": name, "prefix": prefix, "code2": district["code2"]}
    return sorted(rows.values(), key=lambda row: int(str(row["city"])))


@table("tago_stops")
def build_bus_stops(world: World) -> list[Row]:
    """node_id (system id), node_no (printed number), name, city and degrees."""
    prefixes = {row["city"]: row["prefix"] for row in world.table("tago_cities")}
    rows: list[Row] = []
    for dong in world.table("dongs"):
        city = dong["tago_bus"]
        if not city:
            continue
        rng = world.rng("tago_stops", dong["code10"])
        for place in rng.sample(_PLACES, STOPS_A_DONG):
            rows.append(
                {
                    "node_id": f"{prefixes[city]}{str(city)[:2]}{2_000_001 + len(rows) * 7}",
                    "node_no": str(10_010 + len(rows) * 3) if rng.random() < 0.95 else "",
                    "name": f"{stem(str(dong['dong']))}{place}",
                    "city": city,
                    "code5": dong["code5"],
                    "lon": round(number(dong, "lon") + rng.uniform(-0.006, 0.006), 6),
                    "lat": round(number(dong, "lat") + rng.uniform(-0.005, 0.005), 6),
                }
            )
    return rows


@table("tago_routes")
def build_bus_routes(world: World) -> list[Row]:
    """route_id, the number people know (5, 102-1, B1), type, terminals, first and last bus, headways in minutes."""
    rows: list[Row] = []
    for city in world.table("tago_cities"):
        rng = world.rng("tago_routes", city["city"])
        stops = world.find("tago_stops", "city", city["city"])
        used: set[str] = set()
        for _ in range(max(4, min(16, len(stops) // 7))):
            label = _label(rng)
            while label in used:
                label = _label(rng)
            used.add(label)
            path = _path(rng, stops)
            rows.append(
                {
                    "route_id": f"{city['prefix']}{str(city['city'])[:2]}300{1001 + len(rows):05d}",
                    "label": label,
                    "type": "급행버스" if label.startswith("B") else rng.choice(_TYPES),
                    "city": city["city"],
                    "start": path[0]["name"],
                    "end": path[-1]["name"],
                    "first": rng.choice(("0500", "0530", "0550", "0600", "0620")),
                    "last": rng.choice(("2100", "2200", "2230", "2240", "2300")),
                    "headway": rng.randrange(7, 40),
                    "path": tuple(str(stop["node_id"]) for stop in path),
                }
            )
    return rows


def _label(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.1:
        return f"B{rng.randrange(1, 9)}"
    if kind < 0.3:
        return f"{rng.randrange(1, 130)}-{rng.randrange(1, 4)}"
    return str(rng.randrange(1, 990))


def _path(rng: random.Random, stops: list[Row]) -> list[Row]:
    """Always on to the nearest of a few unused stops, so that a route looks like one on the map."""
    left = rng.sample(stops, min(len(stops), rng.randrange(24, 60)))
    path = [left.pop()]
    length = rng.randrange(10, 22)
    while left and len(path) < length:
        here = path[-1]
        following = nearest(left, number(here, "lon"), number(here, "lat"))
        left.remove(following)
        path.append(following)
    return path


@table("tago_route_stops")
def build_bus_route_stops(world: World) -> list[Row]:
    """Stops of every route in order, route and stop columns joined."""
    stops = world.index("tago_stops", "node_id")
    rows: list[Row] = []
    for route in world.table("tago_routes"):
        nodes = cast("tuple[str, ...]", route["path"])
        for order, node in enumerate(nodes, start=1):
            rows.append(route | stops[node][0] | {"order": order, "up_down": 0 if order <= len(nodes) // 2 else 1})
    return rows


@part("tago_positions")
def build_bus_positions(world: World, route_id: str) -> list[Row]:
    """Buses on one route at the standing hour: the stop each has just left, and its registration."""
    stops = world.find("tago_route_stops", "route_id", route_id)
    if not stops:
        return []
    rng = world.rng("tago_positions", route_id)
    count = max(1, min(len(stops) // 4, 60 // int(number(stops[0], "headway")) + 1))
    orders = sorted(rng.sample(range(len(stops)), count))
    return [
        stops[order] | {"vehicle": f"{rng.randrange(70, 79)}자{rng.randrange(1000, 9999)}", "low": rng.random() < 0.4}
        for order in orders
    ]


@part("tago_arrivals")
def build_bus_arrivals(world: World, city: str, node_id: str) -> list[Row]:
    """Buses on their way to one stop: stops left and seconds, from the positions above."""
    rows: list[Row] = []
    for stop in world.find("tago_route_stops", "node_id", node_id):
        if stop["city"] != city:
            continue
        for bus in world.part("tago_positions", str(stop["route_id"])):
            left = int(number(stop, "order")) - int(number(bus, "order"))
            if left > 0:
                jitter = world.rng("arrival", bus["vehicle"], node_id).randrange(-20, 21)
                rows.append(stop | {"left": left, "seconds": left * HOP_S + jitter, "low": bus["low"]})
    return sorted(rows, key=lambda row: number(row, "seconds"))
