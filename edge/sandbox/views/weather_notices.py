"""Days, zones and sectors in, impact levels and advice of the weather service out."""

from datetime import datetime, timedelta

from edge.sandbox.model import Refusal, Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World
from edge.sandbox.world.store import KST
from edge.sandbox.world.weather_notices import impact_level, sectors

_KEPT_DAYS = 10
_OUT_AT = timedelta(hours=11, minutes=30)


def _levels(world: World, request: Request, season: str) -> list[Row]:
    """Zones and sectors with a level on the two days after `tm`; forecasts come out at 11:30 and are kept ten days."""
    text = request.get("tm")
    if len(text) != 8 or not text.isdigit():
        raise Refusal("bad_parameter", "10")
    try:
        issued = datetime.strptime(text, "%Y%m%d").replace(tzinfo=KST)
    except ValueError:
        raise Refusal("bad_parameter", "10") from None
    if not _OUT_AT <= world.now - issued <= timedelta(days=_KEPT_DAYS):
        raise Refusal("empty")
    wanted = {"1": (1,), "2": (2,)}.get(request.get("efSn"), (1, 2))
    zones = [zone for zone in world.table("warning_zones") if not zone["sea"]]
    rows: list[Row] = []
    for ahead in wanted:
        day = (issued + timedelta(days=ahead)).date()
        for zone in zones:
            for sector, (name, _advice) in enumerate(sectors(season)):
                level = impact_level(world, season, zone, day, sector)
                if level:
                    place: Row = {"regId": zone["zone"], "regName": zone["name"], "tmEf": text}
                    rows.append(place | {"clsfc": name, "value": level, "efSn": str(ahead)})
    regions = request.get("regId")
    return [row for row in rows if not regions or row["regId"] == regions]


@view("heat_levels")
def heat_levels(world: World, request: Request) -> list[Row]:
    """Heat: nothing on cool days."""
    return _levels(world, request, "heat")


@view("cold_levels")
def cold_levels(world: World, request: Request) -> list[Row]:
    """Cold waves: nothing outside winter."""
    return _levels(world, request, "cold")


def _advice(world: World, request: Request, season: str) -> list[Row]:
    """The sector by its code, or by the name that the level services give."""
    asked = request.get("clsfc")
    rows = world.find("impact_advice", "season", season)
    return [row for row in rows if asked in (row["code"], row["name"])]


@view("heat_advice")
def heat_advice(world: World, request: Request) -> list[Row]:
    """What to do in heat, by level."""
    return _advice(world, request, "heat")


@view("cold_advice")
def cold_advice(world: World, request: Request) -> list[Row]:
    """What to do in a cold wave, by level."""
    return _advice(world, request, "cold")
