"""ITS boxes in, links, detectors, events and cameras inside them out; no page cuts an answer."""

from edge.sandbox.model import Refusal, Request, Row
from edge.sandbox.registry import view
from edge.sandbox.world import World

_EDGES = ("minX", "maxX", "minY", "maxY")
_WAYS = {"up": "start", "down": "end", "start": "start", "end": "end"}


def _box(request: Request) -> tuple[float, float, float, float]:
    edges: list[float] = []
    for name in _EDGES:
        try:
            edges.append(float(request.get(name)))
        except ValueError:
            raise Refusal("bad_parameter", name) from None
    return edges[0], edges[1], edges[2], edges[3]


def _inside(rows: list[Row], request: Request) -> list[Row]:
    west, east, south, north = _box(request)
    wanted = request.get("type", "all")
    return [
        row
        for row in rows
        if west <= float(str(row["lon"])) <= east
        and south <= float(str(row["lat"])) <= north
        and wanted in ("all", row.get("type", wanted))
    ]


@view("road_traffic")
def traffic(world: World, request: Request) -> list[Row]:
    """Links in a box by road type, route and direction."""
    rows = _inside(world.table("road_links"), request)
    route, way = request.get("routeNo"), request.get("drcType", "all")
    if route:
        rows = [row for row in rows if row["route"] == route]
    return rows if way == "all" else [row for row in rows if row["way_code"] == _WAYS.get(way)]


@view("road_events")
def events(world: World, request: Request) -> list[Row]:
    """Events in a box by kind."""
    kind = request.get("eventType", "all")
    return [row for row in _inside(world.table("road_events"), request) if kind in ("all", row["kind_code"])]


@view("road_detectors")
def detectors(world: World, request: Request) -> list[Row]:
    """Detectors in a box, or one by its ID."""
    wanted = request.get("vdsId")
    return [row for row in _inside(world.table("road_detectors"), request) if wanted in ("", row["vds"])]


@view("road_cameras")
def cameras(world: World, request: Request) -> list[Row]:
    """Cameras in a box."""
    return _inside(world.table("road_cameras"), request)
