"""Local finance requests for programmes in, their rows out: some hundred thousand a day, made as they are reached."""

from collections.abc import Sequence

from edge.sandbox.model import Request, Row
from edge.sandbox.registry import view
from edge.sandbox.world import World
from edge.sandbox.world.localgov_detail import programmes


@view("local_programmes")
def local_programmes(world: World, request: Request) -> Sequence[Row]:
    """Programmes of one government, of a province's, or of all, by part of the name."""
    own, wide, word = request.get("laf_cd"), request.get("wa_laf_cd"), request.get("dbiz_nm")
    governments = world.find("local_governments", "laf_cd", own) if own else world.table("local_governments")
    governments = [gov for gov in governments if wide in ("", gov["wide"])]
    rows = programmes(world, request.get("fyr"), request.get("exe_ymd"), governments)
    return [row for row in rows if word in str(row["programme"])] if word else rows
