"""Named functions for columns of the platforms beyond the gateway: links, station names, registered names."""

from edge.sandbox.model import Row
from edge.sandbox.registry import column
from edge.sandbox.world.seoul_transit import ALIASES


@column("formal")
def formal(value: object, row: Row) -> object:
    """The registered name with its legal form, where it is known."""
    return row.get("formal_name") or value


@column("base_name")
def base_name(value: object, _row: Row) -> object:
    """A station name without its bracketed part: 천호(풍납토성) -> 천호."""
    base = str(value).split("(")[0]
    return ALIASES.get(base, base)


@column("whole_text")
def whole_text(value: object, _row: Row) -> object:
    """Metres without decimals, as text."""
    return str(round(float(str(value))))


@column("law_link")
def law_link(value: object, row: Row) -> object:
    """The relative link of a statute's body; the caller's OC is not repeated."""
    return f"/DRF/lawService.do?OC=&target=law&MST={value}&type=HTML&efYd={row['effective']}"


@column("prec_link")
def prec_link(value: object, _row: Row) -> object:
    """The relative link of a decision's body."""
    return f"/DRF/lawService.do?OC=&target=prec&ID={value}&type=HTML"


@column("ordin_link")
def ordin_link(value: object, _row: Row) -> object:
    """The relative link of an ordinance's body."""
    return f"/DRF/lawService.do?OC=&target=ordin&MST={value}&type=HTML"
