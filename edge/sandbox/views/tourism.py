"""A content id and its type in, the introduction fields of that type out."""

from edge.sandbox.model import Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World

# Content type -> field names for (hours, closed, parking, fee).
_FIELDS = {
    "12": ("usetime", "restdate", "parking", "expguide"),
    "14": ("usetimeculture", "restdateculture", "parkingculture", "usefee"),
    "28": ("usetimeleports", "restdateleports", "parkingleports", "usefeeleports"),
    "32": ("checkintime", "refundregulation", "parkinglodging", "roomtype"),
    "38": ("opentime", "restdateshopping", "parkingshopping", "saleitem"),
    "39": ("opentimefood", "restdatefood", "parkingfood", "firstmenu"),
}


@view("kto_intro")
def intro(world: World, request: Request) -> list[Row]:
    """One row; none when the type is not that of the content, since the two must come from one record."""
    rows: list[Row] = []
    for row in world.find("attractions", "content_id", request.get("contentId")):
        kind = str(row["type"])
        if kind != request.get("contentTypeId"):
            continue
        out: Row = {"contentid": row["content_id"], "contenttypeid": kind}
        if kind == "15":
            out |= {"eventstartdate": row["start"], "eventenddate": row["end"], "eventplace": row["venue"]}
            out |= {"playtime": row["hours"], "usetimefestival": row["fee"], "sponsor1": "지역문화재단", "program": ""}
        else:
            columns = ("hours", "closed", "parking", "fee")
            out |= {name: row[column] for name, column in zip(_FIELDS[kind], columns, strict=True)}
            out["infocenter"] = row["phone"]
        rows.append(out)
    return rows
