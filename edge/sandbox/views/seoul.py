"""Seoul and central bank requests in, rows out for positional paths and for arrivals at one stop."""

import re

from edge.sandbox.model import Refusal, Request, Row
from edge.sandbox.registry import view
from edge.sandbox.world import World
from edge.sandbox.world.seoul_transit import ALIASES

_PERIODS = {"A": r"\d{4}", "Q": r"\d{4}Q[1-4]", "M": r"\d{6}", "D": r"\d{8}", "S": r"\d{4}S[12]", "SM": r"\d{6}S[12]"}


@view("subway_search")
def search_stations(world: World, request: Request) -> list[Row]:
    """Stations by code, line and name; the name may be given with or without its bracketed part."""
    rows = world.table("subway_stations")
    code, name, line = request.get("STATION_CD"), request.get("STATION_NM"), request.get("LINE_NUM")
    if code:
        rows = [row for row in rows if row["code"] == code]
    if name:
        rows = [row for row in rows if ALIASES.get(name, name) in (row["name"], row["base_name"])]
    return [row for row in rows if row["line"] == line] if line else rows


@view("culture_search")
def search_events(world: World, request: Request) -> list[Row]:
    """Programmes by kind, part of the title and a day that lies inside their period."""
    rows = world.table("cultural_events")
    kind, title, day = request.get("CODENAME"), request.get("TITLE"), request.get("DATE")
    if kind:
        rows = [row for row in rows if row["kind"] == kind]
    if title:
        rows = [row for row in rows if title in str(row["title"])]
    return [row for row in rows if str(row["from_day"]) <= day <= str(row["to_day"])] if day else rows


def _arrivals(world: World, stop: Row) -> list[Row]:
    """Arrivals of every route at one stop, by route."""
    rows: list[Row] = []
    for own in world.find("bus_route_stops", "st_id", stop["st_id"]):
        for row in world.part("bus_arrivals", str(own["route_id"])):
            if row["seq"] == own["seq"]:
                rows.append(row)
    return rows


@view("bus_stop_arrivals")
def arrivals_by_number(world: World, request: Request) -> list[Row]:
    """What arrives at the stop with a five-digit number; 0 marks virtual stops and is no number."""
    number = request.get("arsId")
    stops = world.find("bus_stops", "ars_id", number)
    return _arrivals(world, stops[0]) if stops and re.fullmatch(r"\d{5}", number) else []


@view("bus_low_floor")
def low_floor_arrivals(world: World, request: Request) -> list[Row]:
    """Routes at a stop whose next vehicle has a low floor."""
    stops = world.find("bus_stops", "st_id", request.get("stId"))
    return [row for row in _arrivals(world, stops[0]) if row["low1"] == "1"] if stops else []


@view("ecos_search")
def statistic_search(world: World, request: Request) -> list[Row]:
    """One table in one cycle between two periods; a date in another cycle's format finds nothing."""
    cycle = request.get("CYCLE")
    if cycle not in _PERIODS:
        return []
    first, last = request.get("FROM"), request.get("TO")
    if not all(re.fullmatch(_PERIODS[cycle], text) for text in (first, last)):
        return []
    rows = world.part("ecos_series", request.get("STAT_CODE"), cycle)
    item = request.get("ITEM1")
    if request.get("ITEM2"):
        return []  # No table of the replica has a second axis.
    return [row for row in rows if first <= str(row["time"]) <= last and item in ("", "?", row["item_code"])]


@view("bus_search")
def search_routes(world: World, request: Request) -> list[Row]:
    """Routes whose number contains the text: 472 also finds 472A; all routes without a text."""
    text = request.get("strSrch")
    return [row for row in world.table("bus_routes") if text in str(row["name"])]


@view("bus_stops_near")
def stops_near(world: World, request: Request) -> list[Row]:
    """All stops that can be near a point given in degrees; the engine measures."""
    for name in ("tmX", "tmY", "radius"):
        try:
            float(request.get(name))
        except ValueError:
            raise Refusal("bad_parameter", name) from None
    return world.table("bus_stops")
