"""School disclosure requests in, rows out: one address for every item, a district at a time, zeros left out."""

from edge.sandbox.model import Refusal, Request, Row
from edge.sandbox.registry import view
from edge.sandbox.world import World

_ITEMS = ("0", "62", "09", "22", "24", "94", "55")
_SUBJECTS = ("국어", "수학", "영어", "사회", "과학", "체육")
_YEARS_BACK = 3


@view("school_disclosure")
def disclosure(world: World, request: Request) -> list[Row]:
    """One disclosed item for the schools of a kind in a district."""
    item, year = request.get("apiType"), request.get("pbanYr")
    if item not in _ITEMS:
        raise Refusal("bad_parameter", "apiType")
    if item != "0" and not year:
        raise Refusal("missing_parameter", "pbanYr")
    if item != "0" and (not year.isdecimal() or not world.today.year - _YEARS_BACK <= int(year) < world.today.year + 1):
        return []
    kind = request.get("schulKndCode")
    schools = world.find("disclosed_schools", "code5", request.get("sggCode"))
    chosen = [row for row in schools if row["kind_code"] == kind]
    return [row for school in chosen for row in _rows(school, item)]


def _rows(school: Row, item: str) -> list[Row]:
    head: Row = {
        "SCHUL_CODE": school["open_code"],
        "SHL_IDF_CD": school["unique"],
        "SCHUL_NM": school["name"],
        "SCHUL_KND_SC_CODE": school["kind_code"],
        "ATPT_OFCDC_ORG_NM": school["office"],
    }
    if item == "0":
        place: Row = {"SCHUL_RDNMA": school["address"], "LTTUD": school["lat"], "LGTUD": school["lon"]}
        return [head | place | {"ABSCH_YN": "N"}]
    if school["hidden"]:
        return [head | {"PBAN_EXCP_YN": "Y", "PBAN_EXCP_RSN": "학교 통폐합"}]
    head["PBAN_EXCP_YN"] = "N"
    pupils, classes, boys = (int(str(school[name])) for name in ("pupils", "classes", "boys"))
    if item == "24":
        # Teachers by subject take a row each.
        return [head | {"SBJT_NM": name, "COL_SUM": f"{(pupils + n) % 9 + 1}(0)"} for n, name in enumerate(_SUBJECTS)]
    values: Row = {"COL_SUM": f"{pupils}({boys})"} if item in ("62", "09") else {"COL_SUM": f" {school['teachers']}"}
    if item in ("62", "09"):
        values |= {"COL_C_SUM": classes, "AVG_FGR_SUM": round(pupils / classes, 1)}
    if item in ("94", "55"):
        values = {"COL_SUM": pupils % 7}
    # A count of zero is not sent at all.
    return [head | {name: value for name, value in values.items() if value != 0}]
