"""Expressways and Seoul districts in, standard road links with detectors and events, and Seoul's own links out."""

import random
from datetime import timedelta
from itertools import pairwise

from edge.sandbox.world.coordinates import tm_middle
from edge.sandbox.world.reading import mappings, read_yaml, texts
from edge.sandbox.world.store import Row, World, table

_PIECES = 12
_EVENTS = (
    ("교통사고", "추돌사고"),
    ("공사", "도로보수"),
    ("공사", "시설물보수"),
    ("기상", "안개"),
    ("기타돌발", "낙하물"),
)
_EVENT_CODES = {"교통사고": "acc", "공사": "cor", "기상": "wea", "기타돌발": "ete"}
# National roads: number, name and ends in degrees.
_NATIONAL = (
    *("1|1번국도|126.39|34.79|126.85|37.88", "3|3번국도|128.05|34.93|127.07|37.90"),
    *("5|5번국도|128.60|35.15|127.73|37.87", "6|6번국도|126.63|37.48|128.60|37.88"),
    *("7|7번국도|129.08|35.16|128.47|38.38", "17|17번국도|127.60|34.75|127.20|37.23"),
    *("34|34번국도|127.15|36.82|129.35|36.43", "42|42번국도|126.70|37.45|129.10|37.52"),
    *("46|46번국도|126.80|37.50|128.45|38.05", "48|48번국도|126.40|37.75|126.97|37.57"),
)
_SEOUL_LINKS = 4200


def _roads() -> list[tuple[str, str, str, list[float], int]]:
    """(type, number, name, ends, segments): expressway numbers lose their padding here, 0010 is 1."""
    roads: list[tuple[str, str, str, list[float], int]] = []
    for route in mappings(read_yaml("expressway.yaml")["routes"]):
        ends = [float(text) for text in texts(route["ends"])]
        number = str(int(str(route["number"])) // 10)
        roads.append(("ex", number, str(route["name"]), ends, max(4, len(texts(route["gates"])) - 1)))
    for line in _NATIONAL:
        number, name, *ends = line.split("|")
        roads.append(("its", number, name, [float(text) for text in ends], 30))
    return roads


@table("road_links")
def build_links(world: World) -> list[Row]:
    """Standard links both ways: link (10), nodes, road type, number and name, middle in degrees, speed, seconds."""
    rng = world.rng("road_links")
    rows: list[Row] = []
    for kind, number, name, ends, segments in _roads():
        steps = segments * _PIECES
        points = [tuple(ends[n] + (ends[n + 2] - ends[n]) * step / steps for n in (0, 1)) for step in range(steps + 1)]
        for way, code in (("종점방향", "end"), ("기점방향", "start")):
            for (x1, y1), (x2, y2) in pairwise(points):
                order = len(rows)
                speed = rng.choices((rng.randrange(70, 108), rng.randrange(35, 70), rng.randrange(6, 35)), (78, 15, 7))[
                    0
                ]
                metres = max(200.0, 100_000 * ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5)
                rows.append(
                    {
                        "link": f"{3 + order % 3}{10 + order // 900:02d}{order:05d}{order % 7:02d}",
                        "number": str(order + 1),
                        "node_from": f"{3 + order % 3}{order:06d}100",
                        "node_to": f"{3 + order % 3}{order:06d}200",
                        "type": kind,
                        "type_name": "고속도로" if kind == "ex" else "국도",
                        "route": number,
                        "road": name,
                        "way": way,
                        "way_code": code,
                        "lon": round((x1 + x2) / 2, 7),
                        "lat": round((y1 + y2) / 2, 7),
                        "speed": str(speed),
                        "seconds": str(int(metres / (speed / 3.6))),
                        "moment": f"{world.now:%Y%m%d%H%M%S}",
                    }
                )  # fmt: skip
    return rows


@table("road_detectors")
def build_detectors(world: World) -> list[Row]:
    """A detector on every ninth link, one row a lane: id, the links it covers, volume, speed, occupancy."""
    rows: list[Row] = []
    links = world.table("road_links")
    for order in range(0, len(links) - 1, 9):
        link = links[order]
        rng = world.rng("detector", order)
        for lane in range(1, rng.randrange(2, 5) + 1):
            speed = max(4.0, float(str(link["speed"])) + rng.uniform(-9, 9))
            rows.append(
                {
                    "vds": f"0010VDE{order:05d}",
                    "links": f"{link['link']},{links[order + 1]['link']}",
                    "moment": link["moment"],
                    "lane": str(lane),
                    "volume": str(rng.randrange(3, 60)),
                    "speed": f"{speed:.1f}",
                    "occupancy": f"{rng.uniform(1, 35):.2f}",
                    "lon": link["lon"],
                    "lat": link["lat"],
                }
            )
    return rows


@table("road_events")
def build_events(world: World) -> list[Row]:
    """What is going on along the roads now: kind, detail, road, link, degrees, from when, until when, text."""
    rows: list[Row] = []
    rng = world.rng("road_events")
    for link in rng.sample(world.table("road_links"), 420):
        kind, detail = rng.choice(_EVENTS)
        began = world.now - timedelta(minutes=rng.randrange(4, 3000))
        lanes = rng.choice(("", "1차로", "2차로", "갓길"))
        rows.append(
            link
            | {
                "kind": kind,
                "kind_code": _EVENT_CODES[kind],
                "detail": detail,
                "began": f"{began:%Y%m%d%H%M%S}",
                "ends": f"{began + timedelta(hours=6):%Y%m%d%H%M%S}" if kind == "공사" else "",
                "text": f"[{kind}] {link['road']} {link['way']} {detail}" + (f" {lanes} 차단" if lanes else ""),
                "lanes": lanes,
                "x": str(link["lon"]),
                "y": str(link["lat"]),
            }
        )
    return sorted(rows, key=lambda row: str(row["began"]), reverse=True)


@table("road_cameras")
def build_cameras(world: World) -> list[Row]:
    """A camera on every 36th link: name, expiring stream address, degrees."""
    rows: list[Row] = []
    for order, link in enumerate(world.table("road_links")[::36]):
        rows.append(
            {
                "type": link["type"],
                "name": f"[{link['road']}] 제{order + 1}카메라",
                "url": f"http://cctvsec.ktict.co.kr/{order + 1}/{world.rng('camera', order).getrandbits(64):016x}",
                "lon": link["lon"],
                "lat": link["lat"],
            }
        )
    return rows


@table("seoul_links")
def build_seoul_links(world: World) -> list[Row]:
    """Seoul's own service links (10 digits, none of them a standard link) with speed and seconds."""
    rng = world.rng("seoul_links")
    districts = world.find("districts", "code2", "11")
    rows: list[Row] = []
    for order in range(_SEOUL_LINKS):
        district = districts[order % len(districts)]
        speed = rng.uniform(8, 62)
        rows.append(
            {
                "link": f"12{order % len(districts):02d}{order // len(districts) + 100:04d}00",
                "speed": f"{speed:.2f}",
                "seconds": str(int(rng.uniform(150, 1900) / (speed / 3.6))),
                "lon": float(str(district["lon"])) + rng.uniform(-0.02, 0.02),
                "lat": float(str(district["lat"])) + rng.uniform(-0.02, 0.02),
                "gu": district["name"],
            }
        )
    return rows


@table("seoul_incidents")
def build_incidents(world: World) -> list[Row]:
    """Incidents on Seoul's roads now, with the service link and metres on the middle belt."""
    rng = world.rng("seoul_incidents")
    return [_incident(world, rng, order, link) for order, link in enumerate(rng.sample(world.table("seoul_links"), 46))]


def _incident(world: World, rng: random.Random, order: int, link: Row) -> Row:
    began = world.now - timedelta(minutes=rng.randrange(3, 900))
    kind, detail, text = rng.choice(
        (("A01", "01B01", "사고"), ("A04", "04B01", "공사"), ("A10", "10B03", "집회 및 행사"))
    )
    x, y = tm_middle(float(str(link["lon"])), float(str(link["lat"])))
    until = began + timedelta(hours=rng.randrange(1, 9))
    return {
        "id": str(1_300_101 + 7 * order),
        "day": f"{began:%Y%m%d}",
        "time": f"{began:%H%M%S}",
        "until_day": f"{until:%Y%m%d}",
        "until_time": f"{until:%H%M%S}",
        "kind": kind,
        "detail": detail,
        "link": link["link"],
        "x": f"{x:.4f}",
        "y": f"{y:.4f}",
        "text": f"{link['gu']} 도로 {text}로 부분 통제",
    }
