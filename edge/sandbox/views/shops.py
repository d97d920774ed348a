"""A region level with a code, or a circle, in; the shops of that region, or the zones that reach into it, out."""

from edge.sandbox.model import Refusal, Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World
from edge.sandbox.world.coordinates import distance_m
from edge.sandbox.world.regions import number
from edge.sandbox.world.shops import ZONE_METRES

_LEVELS = {"ctprvnCd": "code2", "signguCd": "code5", "adongCd": "admin8"}


@view("shops_in_region")
def shops_in_region(world: World, request: Request) -> list[Row]:
    """`divId` says what `key` is: province (2), district (5) or administrative dong (8); other levels are refused."""
    column = _LEVELS.get(request.get("divId"))
    if column is None:
        raise Refusal("bad_parameter", "10")
    return world.find("shops", column, request.get("key"))


@view("zones_in_radius")
def zones_in_radius(world: World, request: Request) -> list[Row]:
    """Zones that overlap the circle, nearest first; a zone counts from its edge, not from its middle."""
    try:
        lon, lat, radius = (float(request.get(name)) for name in ("cx", "cy", "radius"))
    except ValueError:
        raise Refusal("bad_parameter", "10") from None
    found: list[tuple[float, Row]] = []
    for zone in world.table("shop_zones"):
        metres = distance_m(lon, lat, number(zone, "lon"), number(zone, "lat"))
        if metres <= radius + ZONE_METRES / 2:
            found.append((metres, zone))
    return [zone for _, zone in sorted(found, key=lambda pair: pair[0])]
