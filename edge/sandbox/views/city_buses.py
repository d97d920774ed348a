"""Stop and route ids of Gyeonggi and Gwangju in, buses on the way out."""

from edge.sandbox.model import Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World
from edge.sandbox.world.seoul_transit import romanise

_SOON_MINUTES = 2


@view("gyeonggi_positions")
def gyeonggi_positions(world: World, request: Request) -> list[Row]:
    """Buses on a route, with free seats where the bus counts them."""
    return world.part("city_positions", "gyeonggi", request.get("routeId"))


@view("gyeonggi_arrivals")
def gyeonggi_arrivals(world: World, request: Request) -> list[Row]:
    """Every route through a stop, with blanks where no bus is on the way."""
    return world.part("city_arrivals", "gyeonggi", request.get("stationId"))


@view("gyeonggi_arrival")
def gyeonggi_arrival(world: World, request: Request) -> list[Row]:
    """The bus of one route: stop, route and order must be those of one row of the stop's routes."""
    wanted = (request.get("routeId"), request.get("staOrder"))
    rows = world.part("city_arrivals", "gyeonggi", request.get("stationId"))
    return [row for row in rows if (str(row["route"]), str(row["order"])) == wanted and row["left"] != ""]


@view("gwangju_positions")
def gwangju_positions(world: World, request: Request) -> list[Row]:
    """Buses on a line."""
    return world.part("city_positions", "gwangju", request.get("LINE_ID"))


@view("gwangju_arrivals")
def gwangju_arrivals(world: World, request: Request) -> list[Row]:
    """Buses coming to a stop, soonest first."""
    rows = [row for row in world.part("city_arrivals", "gwangju", request.get("BUSSTOP_ID")) if row["left"] != ""]
    return [
        {
            "ARRIVE": count,
            "LINE_ID": row["route"],
            "LINE_NAME": row["label"],
            "SHORT_LINE_NAME": row["label"],
            "BUS_ID": str(row["bus"]),
            "METRO_FLAG": 0,
            "CURR_STOP_ID": row["at_stop"],
            "BUSSTOP_NAME": row["at_name"],
            "REMAIN_MIN": row["minutes"],
            "REMAIN_STOP": row["left"],
            "DIR_START": row["start"],
            "DIR_END": row["end"],
            "LOW_BUS": str(row["low_bus"]),
            "ENG_BUSSTOP_NAME": romanise(str(row["at_name"])),
            "ARRIVE_FLAG": int(int(str(row["minutes"])) <= _SOON_MINUTES),
            "LINE_KIND": row["line_kind"],
        }
        for count, row in enumerate(sorted(rows, key=lambda row: int(str(row["minutes"]))), start=1)
    ]


@view("gyeonggi_stops")
def gyeonggi_stops(world: World, request: Request) -> list[Row]:
    """Stops by a piece of the name, or by the whole printed number."""
    keyword = request.get("keyword")
    return [row for row in world.table("gyeonggi_stops") if keyword in str(row["name"]) or keyword == row["mobile"]]
