"""Stops, routes and stations in, arrivals and train runs out."""

from datetime import datetime, timedelta

from edge.sandbox.model import Refusal, Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World
from edge.sandbox.world.regions import number

# Timetables are answered from yesterday to this many days ahead.
_AHEAD_DAYS = 31


@view("tago_arrivals")
def arrivals(world: World, request: Request) -> list[Row]:
    """Buses approaching a stop; a stop of another city has none."""
    return [
        {
            "arrprevstationcnt": row["left"],
            "arrtime": row["seconds"],
            "nodeid": row["node_id"],
            "nodenm": row["name"],
            "routeid": row["route_id"],
            "routeno": row["label"],
            "routetp": row["type"],
            "vehicletp": "저상버스" if row["low"] else "일반차량",
        }
        for row in world.part("tago_arrivals", request.get("cityCode"), request.get("nodeId"))
    ]


@view("tago_positions")
def positions(world: World, request: Request) -> list[Row]:
    """Buses on a route of the given city."""
    rows = world.part("tago_positions", request.get("routeId"))
    return [
        {
            "gpslati": row["lat"],
            "gpslong": row["lon"],
            "nodeid": row["node_id"],
            "nodenm": row["name"],
            "nodeord": row["order"],
            "routenm": row["label"],
            "routetp": row["type"],
            "vehicleno": row["vehicle"],
        }
        for row in rows
        if row["city"] == request.get("cityCode")
    ]


@view("tago_trains")
def trains(world: World, request: Request) -> list[Row]:
    """Trains from one station to another on a day (8 digits; a 14-digit stamp finds nothing)."""
    text = request.get("depPlandTime")
    if len(text) != 8 or not text.isdigit():
        return []
    try:
        day = datetime.strptime(text, "%Y%m%d")
    except ValueError:
        raise Refusal("bad_parameter", "99") from None
    if not timedelta(days=-1) <= day.date() - world.today <= timedelta(days=_AHEAD_DAYS):
        return []
    grade = request.get("trainGradeCode")
    rows: list[Row] = []
    for trip in world.find("train_trips", "from_id", request.get("depPlaceId")):
        if trip["to_id"] != request.get("arrPlaceId") or (grade and trip["grade_code"] != grade):
            continue
        depart = day + timedelta(minutes=number(trip, "depart"))
        arrive = day + timedelta(minutes=number(trip, "arrive"))
        rows.append(
            {
                "adultcharge": trip["fare"],
                "arrplacename": trip["to_name"],
                "arrplandtime": int(f"{arrive:%Y%m%d%H%M%S}"),
                "depplacename": trip["from_name"],
                "depplandtime": int(f"{depart:%Y%m%d%H%M%S}"),
                "traingradename": trip["grade"],
                "trainno": trip["number"],
            }
        )
    return rows
