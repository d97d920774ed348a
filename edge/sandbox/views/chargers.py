"""A region and a few minutes in, chargers whose state changed since then out."""

from datetime import timedelta

from edge.sandbox.model import Refusal, Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World

_DEFAULT_MIN, _MOST_MIN = 5, 10


@view("charger_status")
def charger_status(world: World, request: Request) -> list[Row]:
    """Changes of the last `period` minutes (1 to 10); a station asked by id is answered whatever its age."""
    try:
        minutes = min(_MOST_MIN, max(1, int(request.get("period", str(_DEFAULT_MIN)))))
    except ValueError:
        raise Refusal("bad_parameter", "10") from None
    station = request.get("statId")
    if station:
        return world.find("chargers", "stat_id", station)
    since = f"{world.now - timedelta(minutes=minutes):%Y%m%d%H%M%S}"
    return [row for row in world.table("chargers") if str(row["changed"]) >= since]
