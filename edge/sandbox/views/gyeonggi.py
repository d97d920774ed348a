"""Gyeonggi requests for local-money shops in, rows out: thousands, made as they are reached."""

from collections.abc import Sequence

from edge.sandbox.model import Request, Row
from edge.sandbox.registry import view
from edge.sandbox.world import World
from edge.sandbox.world.gyeonggi import local_money_shops


@view("local_money_shops")
def shops(world: World, request: Request) -> Sequence[Row]:
    """Shops of one city by name or code, or of the whole province."""
    name, code = request.get("SIGUN_NM"), request.get("SIGUN_CD")
    cities = world.table("gyeonggi_cities")
    chosen = [city for city in cities if name in ("", city["sigun"]) and code in ("", city["sigun_code"])]
    return local_money_shops(world, chosen)
