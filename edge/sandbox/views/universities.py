"""Schools, years and kinds of school in, disclosed finance figures by school and by region out."""

from edge.sandbox.model import Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World
from edge.sandbox.world.universities import finance_kind, finance_value, in_area, weighted, years

_AREAS = ("전체", "비수도권", "수도권")
_RATIO = "EducationExpensesLoanUseStudentRatioTuition"
# These two also repeat the year of the figure beside that of the disclosure.
_WITH_YEAR = (_RATIO, "EducationalExpensesReductionCrntSt")


def _kind(request: Request, head: str) -> str:
    return request.path.rsplit("/", 1)[-1].removeprefix(head)


@view("university_figure")
def university_figure(world: World, request: Request) -> list[Row]:
    """The figure of one school in one disclosure year; another indicator than that of the operation has none."""
    kind = _kind(request, "getComparison")
    indicator, _label = finance_kind(kind)
    year = request.get("svyYr")
    if year not in years(world) or request.get("indctId", indicator) != indicator:
        return []
    rows: list[Row] = []
    for school in world.find("universities", "school", request.get("schlId")):
        row: Row = {"indctId": indicator, "indctVal1": str(finance_value(world, kind, school, year))}
        if kind in _WITH_YEAR:
            row["indctYr"] = year
        row |= {"schlDivNm": school["kind"], "schlEstbNm": school["founder"], "schlId": school["school"]}
        rows.append(row | {"schlKrnNm": school["name"], "svyYr": year})
    return rows


@view("regional_figures")
def regional_figures(world: World, request: Request) -> list[Row]:
    """Schools and means by area over the last years; the columns are numbered and say in the row what they mean."""
    kind = _kind(request, "getRegional")
    indicator, _label = finance_kind(kind)
    division = request.get("schlDivCd", "02")
    schools = world.find("universities", "kind_code", division)
    span = sorted(years(world)[: 3 if kind == _RATIO else 2])
    if not schools or request.get("indctId", indicator) != indicator:
        return []
    rows: list[Row] = []
    for area in (*_AREAS, *dict.fromkeys(str(school["area"]) for school in schools)):
        inside = [school for school in schools if in_area(school, area)]
        means = [weighted([(finance_value(world, kind, s, year), s) for s in inside]) for year in span]
        texts = [f"{mean:.2f}" for mean in means]
        row = _ratio_row(area, span, texts, len(inside)) if kind == _RATIO else _row(area, span, texts, len(inside))
        rows.append(row | {"indctId": indicator, "schlDivCd": division})
    return rows


def _row(area: str, span: list[str], means: list[str], count: int) -> Row:
    kinds: Row = {f"fieldType{n}": "학교수" for n in (1, 2, 3)}
    kinds |= {"fieldType4": span[0], "fieldType5": span[1], "fieldType7": "지역"}
    values: Row = {"fieldVal1": str(count), "fieldVal2": str(count), "fieldVal4": means[0], "fieldVal5": means[1]}
    return kinds | values | {"fieldVal7": area}


def _ratio_row(area: str, span: list[str], means: list[str], count: int) -> Row:
    row: Row = {}
    for order, year, mean in zip(("First", "Second", "Third"), span, means, strict=True):
        row |= {f"indct{order}SchlCntRmk": f"{year}년 학교 수", f"indct{order}SvyYr": year}
        row |= {f"indct{order}SchlCnt": str(count), f"indct{order}Val": mean}
    return row | {"znNmRmk": "지역", "znNm": area}
