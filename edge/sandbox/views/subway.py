"""Stations, day kinds and directions in, TAGO's timetable of a subway station and buses before a stop out."""

from edge.sandbox.model import Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World
from edge.sandbox.world.regions import number
from edge.sandbox.world.subway_tago import subway_id

_DAYS = {"01": "1", "02": "2", "03": "3"}
_WAYS = {"U": "1", "D": "2"}


@view("tago_subway_timetable")
def timetable(world: World, request: Request) -> list[Row]:
    """Trains of a day kind (01 weekday, 02 Saturday, 03 Sunday) and direction (U, D); another code has none."""
    asked = request.get("subwayStationId")
    day, way = request.get("dailyTypeCode"), request.get("upDownTypeCode")
    rows: list[Row] = []
    for station in world.find("tago_subway_stations", "station", asked):
        ends = {row["base_name"]: row["code"] for row in world.find("subway_stations", "line_no", station["line_no"])}
        for train in world.part("subway_timetable", str(station["code"]), _DAYS.get(day, ""), _WAYS.get(way, "")):
            rows.append(
                {
                    "arrTime": str(train["arrive"]).replace(":", ""),
                    "dailyTypeCode": day,
                    "depTime": str(train["leave"]).replace(":", ""),
                    "endSubwayStationId": subway_id(ends[train["terminal"]]),
                    "endSubwayStationNm": train["terminal"],
                    "subwayRouteId": f"MTRS1{station['line_no']}",
                    "subwayStationId": asked,
                    "subwayStationNm": station["base_name"],
                    "upDownTypeCode": way,
                }
            )
    return rows


@view("tago_approaching")
def approaching(world: World, request: Request) -> list[Row]:
    """Buses of a route that have yet to reach a stop of it, in a city that has both."""
    route = world.find("tago_route_stops", "route_id", request.get("routeId"))
    stops = [s for s in route if s["node_id"] == request.get("nodeId") and s["city"] == request.get("cityCode")]
    if not stops:
        return []
    here = number(stops[0], "order")
    return [
        {
            "gpslati": bus["lat"],
            "gpslong": bus["lon"],
            "nodenm": bus["name"],
            "routenm": bus["label"],
            "routetp": bus["type"],
        }
        for bus in world.part("tago_positions", request.get("routeId"))
        if number(bus, "order") < here
    ]
