"""Legal dongs of Seoul in, bus stops, routes, running vehicles, arrivals and daily riders out, all agreeing."""

import math

from edge.sandbox.world.coordinates import distance_m, tm_middle
from edge.sandbox.world.regions import number
from edge.sandbox.world.seoul_transit import published_day
from edge.sandbox.world.store import Row, World, part, table

_PLACES = ("주민센터", "우체국", "사거리", "시장", "초등학교", "중학교", "아파트", "공원", "도서관", "삼거리", "보건소", "교회")
_CORRIDOR_KM = 0.85
# Real numbers with the two that are the documented trap: a search for 472 also finds 472A.
_FIXED = (("472", "100100073", "3"), ("472A", "100100973", "3"))
_TRUNK = (100, 101, 103, 104, 105, 106, 107, 108, 110, 120, 130, 140, 141, 142, 143, 144, 145, 146, 147, 148, 150, 151,
          152, 153, 160, 162, 163, 171, 172, 173, 201, 202, 241, 242, 260, 261, 262, 270, 271, 272, 273, 301, 302, 303,
          320, 333, 340, 341, 342, 343, 350, 360, 370, 401, 402, 405, 406, 407, 420, 421, 440, 441, 452, 461, 462, 463,
          470, 500, 501, 502, 503, 504, 505, 506, 507, 540, 541, 542, 600, 601, 602, 603, 604, 605, 606, 640, 641, 642,
          643, 650, 651, 652, 654, 660, 661, 662, 670, 700, 701, 702, 703, 704, 705, 706, 707, 710, 720, 721, 740, 741)  # fmt: skip
_BRANCH = (1017, 1111, 1119, 1128, 1131, 1144, 2012, 2013, 2211, 2311, 3012, 3214, 3412, 4211, 4312, 4419, 5511, 5515,
           5522, 5618, 6211, 6514, 6629, 7011, 7016, 7211, 7612, 7727)  # fmt: skip
_SPEED_MPS = 5.2
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
        rows.append(_stop(world, counts, numbers, gu | {"code10": station["code"]}, name))
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
    named = [*_FIXED]
    named += [(str(n), f"100100{8 + i + (i >= 65):03d}", "3") for i, n in enumerate(_TRUNK)]
    named += [(str(n), f"100100{200 + i:03d}", "4") for i, n in enumerate(_BRANCH)]
    rows: list[Row] = []
    day = f"{world.today:%Y%m%d}"
    for name, route_id, kind in named:
        path = _path(world, route_id)
        if len(path) < 15:
            continue
        rng = world.rng("route", route_id)
        km = sum(_gap(a, b) for a, b in zip(path, path[1:], strict=False)) / 1000
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


def _path(world: World, route_id: str) -> list[Row]:
    """Stops within a corridor between two distant points, in order; most routes share stops with others."""
    stops = world.table("bus_stops")
    rng = world.rng("path", route_id)
    while True:
        a, b = rng.sample(stops, 2)
        if 7000 < distance_m(number(a, "lon"), number(a, "lat"), number(b, "lon"), number(b, "lat")) < 17000:
            break
    bx, by = _plane(b)
    ax, ay = _plane(a)
    length = math.hypot(bx - ax, by - ay)
    found: list[tuple[float, Row]] = []
    for stop in stops:
        x, y = _plane(stop)
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


def _plane(row: Row) -> tuple[float, float]:
    return number(row, "x"), number(row, "y")


def _gap(a: Row, b: Row) -> float:
    return distance_m(number(a, "lon"), number(a, "lat"), number(b, "lon"), number(b, "lat")) * 1.25


@table("bus_route_stops")
def build_route_stops(world: World) -> list[Row]:
    """Every stop of every route: seq from 1, stop columns, section (9 digits) and the metres run so far."""
    rows: list[Row] = []
    for route in world.table("bus_routes"):
        path = route["path"]
        assert isinstance(path, list)
        metres = 0.0
        rng = world.rng("sections", route["route_id"])
        stops: list[Row] = path
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
