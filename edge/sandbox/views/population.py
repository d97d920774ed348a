"""A legal-dong code, a level and months in, resident counts summed to that level out, in all or by age."""

from edge.sandbox.model import Refusal, Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World
from edge.sandbox.world.population import month_counts

_MAX_MONTHS = 3
# Level -> digits of the code that name one region of it.
_WIDTHS = {"1": 2, "2": 5, "3": 8}
# Share of each decade of life, the last one of hundred and more.
_AGE_SHARES = (0.06, 0.09, 0.115, 0.13, 0.15, 0.168, 0.15, 0.085, 0.044, 0.007, 0.0002)


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


def _regions(world: World, request: Request) -> tuple[int, list[list[Row]]]:
    """Digits that name a region of the level, and the dongs of each region inside (or equal to) stdgCd."""
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
        return width, []
    return width, list(groups.values())


@view("residents")
def residents(world: World, request: Request) -> list[Row]:
    """lv 1 province, 2 district, 3 dong; one row a region and month."""
    width, groups = _regions(world, request)
    return [_row(world, group, width, month) for month in _months(world, request) for group in groups]


@view("resident_ages")
def resident_ages(world: World, request: Request) -> list[Row]:
    """The same regions and months with men and women of each decade of life, the eleventh open."""
    width, groups = _regions(world, request)
    return [_by_age(world, group, width, month) for month in _months(world, request) for group in groups]


def _by_age(world: World, group: list[Row], width: int, month: str) -> Row:
    whole = _row(world, group, width, month)
    names = ("statsYm", "stdgCd", "admmCd", "ctpvNm", "sggNm", "stdgNm", "totNmprCnt", "maleNmprCnt", "femlNmprCnt")
    row: Row = {name: whole[name] for name in names}
    for sex in ("male", "feml"):
        left = int(str(whole[f"{sex}NmprCnt"]))
        for decade, share in enumerate(_AGE_SHARES):
            count = min(left, int(int(str(whole[f"{sex}NmprCnt"])) * share))
            # The decades add up to the total: whatever rounding leaves goes to the forties.
            row[f"{sex}{decade * 10}AgeNmprCnt"] = count
            left -= count
        row[f"{sex}40AgeNmprCnt"] = int(str(row[f"{sex}40AgeNmprCnt"])) + left
        row |= {name: str(row[name]) for name in row if name.startswith(sex)}
    return row


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
