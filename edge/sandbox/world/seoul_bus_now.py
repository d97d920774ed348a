"""Routes and their stops in, vehicles, arrivals and daily riders out, so that the three never contradict."""

from edge.sandbox.world.regions import number
from edge.sandbox.world.seoul_transit import published_day
from edge.sandbox.world.store import Row, World, part

_SPEED_MPS = 5.2


@part("bus_positions")
def build_positions(world: World, route_id: str) -> list[Row]:
    """Vehicles on a route now, in running order; no rows for an unknown route."""
    stops = world.find("bus_route_stops", "route_id", route_id)
    routes = world.find("bus_routes", "route_id", route_id)
    if not stops or not routes:
        return []
    rng = world.rng("vehicles", route_id)
    count = max(3, min(24, round(len(stops) * 2.4 / float(str(routes[0]["term"])))))
    total = number(stops[-1], "metres")
    rows: list[Row] = []
    for order in range(count):
        metres = total * (order + rng.uniform(0.1, 0.9)) / count
        at = max(i for i, stop in enumerate(stops) if number(stop, "metres") <= metres)
        here, ahead = stops[at], stops[min(at + 1, len(stops) - 1)]
        rows.append(
            {
                "vehicle": f"{int(route_id) % 1000 + 100}{order + 11:06d}",
                "plate": f"서울74사{int(route_id) % 9000 + order * 7 + 1000:04d}",
                "sect_ord": here["seq"],
                "section": ahead["section"],
                "stop_flag": str(int(rng.random() < 0.2)),
                "crowd": str(rng.choice((0, 3, 3, 4, 4, 5, 6))),
                "next_st": ahead["st_id"],
                "next_seconds": str(int((number(ahead, "metres") - metres) / _SPEED_MPS)),
                "last_st": stops[-1]["st_id"],
                "time": f"{world.now:%Y%m%d%H%M%S}",
                "lon": here["lon"],
                "lat": here["lat"],
                "low": str(int(rng.random() < 0.6)),
                "is_last": "0",
                "metres": metres,
                "at": at,
            }
        )
    return rows


@part("bus_arrivals")
def build_arrivals(world: World, route_id: str) -> list[Row]:
    """The next two vehicles for every stop of a route, from the same positions as the vehicle list."""
    vehicles = world.part("bus_positions", route_id)
    rows: list[Row] = []
    for stop in world.find("bus_route_stops", "route_id", route_id):
        coming = [v for v in vehicles if number(v, "metres") < number(stop, "metres")]
        coming.sort(key=lambda v: -number(v, "metres"))
        row = dict(stop)
        for order in (1, 2):
            row |= _arrival(stop, coming[order - 1] if len(coming) >= order else None, order)
        rows.append(row)
    return rows


def _arrival(stop: Row, vehicle: Row | None, order: int) -> Row:
    if vehicle is None:
        return {
            f"msg{order}": "출발대기", f"sec{order}": "0", f"vehicle{order}": "0", f"plate{order}": "",
            f"low{order}": "0", f"crowd{order}": "0", f"last{order}": "0",
        }  # fmt: skip
    seconds = int((number(stop, "metres") - number(vehicle, "metres")) / _SPEED_MPS)
    away = int(str(stop["seq"])) - int(str(vehicle["sect_ord"]))
    return {
        f"msg{order}": f"{seconds // 60}분{seconds % 60}초후[{away}번째 전]" if seconds > 60 else "곧 도착",
        f"sec{order}": str(seconds),
        f"vehicle{order}": vehicle["vehicle"],
        f"plate{order}": vehicle["plate"],
        f"low{order}": vehicle["low"],
        f"crowd{order}": vehicle["crowd"],
        f"last{order}": vehicle["is_last"],
    }


@part("bus_ridership")
def build_ridership(world: World, ymd: str) -> list[Row]:
    """Boardings and exits of every route stop on a published day; virtual stops have none."""
    day = published_day(world, ymd)
    if day is None:
        return []
    rng = world.rng("bus riders", ymd)
    weekend = 0.6 if day.weekday() >= 5 else 1.0
    rows: list[Row] = []
    for stop in world.table("bus_route_stops"):
        if stop["ars_id"] == "0":
            continue
        boarded = int(rng.lognormvariate(4.3, 0.9) * weekend)
        rows.append(stop | {"use_ymd": ymd, "boarded": boarded, "left": int(boarded * rng.uniform(0.8, 1.2))})
    return rows
