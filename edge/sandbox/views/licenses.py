"""A day in, the register of cleaning firms as it stood then out."""

from edge.sandbox.model import Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World

_OPEN: Row = {"state": "01", "state_name": "영업/정상", "detail": "01", "detail_name": "영업", "closed": ""}


@view("cleaning_history")
def cleaning_history(world: World, request: Request) -> list[Row]:
    """Firms licensed before the day asked for; one that closed on or after it was still open."""
    day = request.get("cond[BASE_DATE::EQ]")
    return [
        row | _OPEN if str(row["closed"]) >= day else row
        for row in world.table("cleaning_firms")
        if str(row["licensed"]) < day
    ]
