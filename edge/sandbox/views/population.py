"""A legal-dong code, a level and months in, resident counts summed to that level out."""

from edge.sandbox.model import Refusal, Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World
from edge.sandbox.world.population import month_counts

_MAX_MONTHS = 3
# Level -> digits of the code that name one region of it.
_WIDTHS = {"1": 2, "2": 5, "3": 8}


def _months(world: World, request: Request) -> list[str]:
    first, last = request.get("srchFrYm"), request.get("srchToYm")
    if not all(len(text) == 6 and text.isdigit() and 1 <= int(text[4:]) <= 12 for text in (first, last)):
        raise Refusal("bad_parameter")
    start, end = (int(text[:4]) * 12 + int(text[4:]) - 1 for text in (first, last))
    if not 0 <= end - start < _MAX_MONTHS:
        raise Refusal("bad_parameter")
    months = (f"{n // 12}{n % 12 + 1:02d}" for n in range(start, end + 1))
    return [month for month in months if "202210" <= month < f"{world.today:%Y%m}"]


def _scope(code: str) -> str:
    """The digits that count: 11 for a province, 11680 for a district, ten digits for a dong."""
    return code[:2] if code.endswith("00000000") else code[:5] if code.endswith("00000") else code


@view("residents")
def residents(world: World, request: Request) -> list[Row]:
    """lv 1 province, 2 district, 3 dong; rows are the regions of that level inside (or equal to) stdgCd."""
    width = _WIDTHS.get(request.get("lv"))
    code = request.get("stdgCd")
    if width is None or len(code) != 10 or not code.isdigit():
        raise Refusal("bad_parameter")
    scope = _scope(code)
    groups: dict[str, list[Row]] = {}
    for row in world.table("residents"):
        if str(row["code10"]).startswith(scope):
            groups.setdefault(str(row["code10"])[:width], []).append(row)
    if len(scope) > width + 2:
        return []
    return [_row(world, group, width, month) for month in _months(world, request) for group in groups.values()]


def _row(world: World, group: list[Row], width: int, month: str) -> Row:
    first = group[0]
    counts = [month_counts(world, row, month) for row in group]
    people, households, men, women = (sum(column) for column in zip(*counts, strict=True))
    code = str(first["code10"])
    return {
        "statsYm": month,
        "stdgCd": code[:width].ljust(10, "0") if width < 8 else code,
        "admmCd": first["admin_code"] if width == 8 else code[:width].ljust(10, "0"),
        "ctpvNm": first["sido"],
        "sggNm": first["sigungu"] if width > 2 else None,
        "stdgNm": first["dong"] if width == 8 else None,
        "totNmprCnt": str(people),
        "hhCnt": str(households),
        "hhNmpr": f"{people / max(1, households):.2f}",
        "maleNmprCnt": str(men),
        "femlNmprCnt": str(women),
        "maleFemlRate": f"{men / max(1, women):.2f}",
    }
