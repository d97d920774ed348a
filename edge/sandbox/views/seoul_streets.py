"""Seoul requests for deals of a year in, rows out: one district, or all of them in turn."""

from edge.sandbox.model import Request, Row
from edge.sandbox.registry import view
from edge.sandbox.world import World


@view("seoul_deals")
def seoul_deals(world: World, request: Request) -> list[Row]:
    """Deals received in a year by district (code or name) and dong, whose code is the last five digits."""
    code, name, dong = request.get("CGG_CD"), request.get("CGG_NM"), request.get("STDG_CD")
    districts = [
        row
        for row in world.find("districts", "code2", "11")
        if code in ("", row["code5"]) and name in ("", row["name"])
    ]  # fmt: skip
    rows = [row for own in districts for row in world.part("seoul_deals", request.get("RCPT_YR"), str(own["code5"]))]
    return [row for row in rows if dong == row["dong_code"]] if dong else rows
