"""Expressway requests with defaults of their own in, rows out."""

from edge.sandbox.model import Request, Row
from edge.sandbox.registry import view
from edge.sandbox.world import World


@view("gate_volumes")
def gate_volumes(world: World, request: Request) -> list[Row]:
    """Volumes by way in or out and step; the remaining parameters narrow them."""
    return world.part("gate_volumes", request.get("inoutType"), request.get("tmType"))


@view("gate_times")
def gate_times(world: World, request: Request) -> list[Row]:
    """Travel times between two gates, every quarter of an hour unless told otherwise."""
    start, end = request.get("iStartUnitCode"), request.get("iEndUnitCode")
    return world.part("gate_times", start, end, request.get("sumTmUnitTypeCode", "2"))


@view("rest_weather")
def rest_weather(world: World, request: Request) -> list[Row]:
    """Weather of one hour; the hour may come without its zero."""
    return world.part("rest_weather", request.get("sdate"), request.get("stdHour").zfill(2))
