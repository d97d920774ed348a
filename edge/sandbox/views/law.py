"""law.go.kr requests in, search hits and nested bodies out: ranges with a tilde, two kinds of identifiers, JO codes."""

from edge.sandbox.model import Refusal, Request, Row
from edge.sandbox.registry import View, view
from edge.sandbox.world import World

# Statute kinds as the `knd` parameter numbers them.
_KINDS = {"A0002": "법률", "A0001": "대통령령"}


def _hit(text: object, query: str) -> bool:
    """Names match by part, blanks ignored, as in the real search box."""
    return query.replace(" ", "") in str(text).replace(" ", "")


def _in_range(value: object, wanted: str) -> bool:
    """`a~b`, either end open, or a single value."""
    low, tilde, high = wanted.partition("~")
    if not tilde:
        return str(value).lstrip("0") == wanted.lstrip("0")
    return (not low or str(value) >= low) and (not high or str(value) <= high)


def _narrow(rows: list[Row], request: Request, rules: dict[str, str]) -> list[Row]:
    """Keep the rows that pass every named range or equality parameter."""
    for name, column in rules.items():
        wanted = request.get(name)
        if wanted:
            rows = [row for row in rows if _in_range(row.get(column, ""), wanted)]
    return rows


def _sorted(rows: list[Row], request: Request, day: str, name: str) -> list[Row]:
    """lasc/ldes by name, dasc/ddes by day; the natural order otherwise."""
    order = request.get("sort")
    if order[:1] not in ("l", "d"):
        return rows
    column = name if order.startswith("l") else day
    return sorted(rows, key=lambda row: str(row[column]), reverse=order.endswith("des"))


@view("law_search")
def search_laws(world: World, request: Request) -> list[Row]:
    """Statutes by name, number, days and ministry; exact names come first, as people expect them."""
    rows = world.table("laws")
    query = request.get("query")
    if query:
        rows = [row for row in rows if _hit(row["name"], query) or (row["short"] and _hit(row["short"], query))]
        rows = sorted(rows, key=lambda row: (str(row["name"]) != query, str(row["name"])))
    knd = request.get("knd")
    if knd:
        rows = [row for row in rows if row["kind"] == _KINDS.get(knd, "부령")]
    rules = {"date": "promulgated", "ancYd": "promulgated", "efYd": "effective", "ancNo": "number"}
    rows = _narrow(rows, request, rules | {"org": "ministry_code", "nb": "number"})
    return _sorted(rows, request, "promulgated", "name")


def _law(world: World, request: Request) -> Row | None:
    """The statute named by ID (stable), MST (version) or LM (exact name); one of them is required."""
    for name, column in (("ID", "law_id"), ("MST", "mst"), ("LM", "name")):
        value = request.get(name)
        if value:
            found = world.find("laws", column, value)
            return found[0] if found else None
    raise Refusal("missing_parameter", "ID")


def _head(law: Row) -> Row:
    return {
        "법령ID": law["law_id"], "공포일자": law["promulgated"], "공포번호": law["number"], "언어": "한글",
        "법종구분": law["kind"], "법령명_한글": law["name"], "법령명약칭": law["short"], "시행일자": law["effective"],
        "제개정구분": law["revision"], "소관부처": {"소관부처코드": law["ministry_code"], "content": law["ministry"]},
    }  # fmt: skip


def _article(article: Row, law: Row) -> Row:
    lines = article["paragraphs"]
    assert isinstance(lines, list)
    texts: list[str] = lines
    paragraphs: list[Row] = [{"항번호": text[0], "항내용": text} for text in texts]
    unit: Row = {"조문키": f"{article['jo']}1", "조문여부": "조문", "조문번호": article["number"]}
    if article["branch"]:
        unit["조문가지번호"] = article["branch"]
    unit |= {"조문제목": article["title"], "조문시행일자": law["effective"], "조문내용": article["text"]}
    if paragraphs:
        unit["항"] = paragraphs
    return unit


def _articles(world: World, law: Row, jo: str) -> list[Row]:
    found = world.part("law_articles", str(law["law_id"]))
    return [_article(row, law) for row in found if not jo or row["jo"] == jo]


@view("law_detail")
def law_body(world: World, request: Request) -> list[Row]:
    """A whole statute, or with JO one article of it."""
    law = _law(world, request)
    if law is None:
        return []
    articles = _articles(world, law, request.get("JO"))
    addendum = f"부칙 <제{law['number']}호, {law['promulgated']}> 이 {law['kind']}은 공포 후 시행한다."
    return [
        {
            "법령키": f"{law['law_id']}{law['promulgated']}",
            "기본정보": _head(law),
            "조문": {"조문단위": articles} if articles else {},
            "부칙": {"부칙단위": [{"부칙공포일자": law["promulgated"], "부칙공포번호": law["number"], "부칙내용": addendum}]},
            "별표": {"별표단위": [{"별표번호": "0001", "별표구분": "별표", "별표제목": f"{law['name']} 과태료의 부과기준"}]},
        }
    ]


@view("law_article")
def law_article(world: World, request: Request) -> list[Row]:
    """One article by its six-digit code; an article that does not exist leaves an empty 조문."""
    law = _law(world, request)
    if law is None:
        return []
    articles = _articles(world, law, request.get("JO"))
    return [{"기본정보": _head(law), "조문": {"조문단위": articles} if articles else {}}]


@view("law_history")
def article_history(world: World, request: Request) -> list[Row]:
    """Changes of articles of one statute (by its stable ID), or of all statutes on a day."""
    law_id, day = request.get("ID"), request.get("regDt")
    if not law_id and not day and not request.get("fromRegDt"):
        raise Refusal("missing_parameter", "ID")
    ids = [law_id] if law_id else [str(row["law_id"]) for row in world.table("laws")]
    rows = [row for one in ids for row in world.part("law_history", one)]
    first, last = request.get("fromRegDt", "0"), request.get("toRegDt", "9")
    rows = [row for row in rows if first <= str(row["changed"]) <= last]
    return _narrow(rows, request, {"regDt": "changed", "JO": "jo", "org": "ministry_code"})


@view("law_precedents")
def search_precedents(world: World, request: Request) -> list[Row]:
    """Decisions by case name or (search=2) text, statute referred to (JO), court and day."""
    rows = world.table("precedents")
    query, statute, court = request.get("query"), request.get("JO"), request.get("curt")
    if query:
        columns = ("title", "law", "holding", "gist") if request.get("search") == "2" else ("title", "law")
        rows = [row for row in rows if any(_hit(row[column], query) for column in columns)]
    if statute:
        rows = [row for row in rows if _hit(row["law"], statute)]
    if court:
        rows = [row for row in rows if _hit(row["court"], court)]
    rows = _narrow(rows, request, {"date": "ymd", "prncYd": "ymd", "org": "court_kind", "nb": "case_no"})
    return _sorted(rows, request, "ymd", "title")


@view("law_interpretations")
def search_interpretations(world: World, request: Request) -> list[Row]:
    """Interpretations by title or (search=2) text, asker, day and docket number."""
    rows = world.table("interpretations")
    query = request.get("query")
    if query:
        columns = ("title", "question", "reason") if request.get("search") == "2" else ("title",)
        rows = [row for row in rows if any(_hit(row[column], query) for column in columns)]
    rows = _narrow(rows, request, {"explYd": "ymd", "regYd": "ymd", "itmno": "docket"})
    return _sorted(rows, request, "ymd", "title")


@view("law_rules")
def search_rules(world: World, request: Request) -> list[Row]:
    """Administrative rules by name, ministry, kind (1 훈령, 2 예규, 3 고시) and day."""
    rows = world.table("admin_rules")
    query, kind = request.get("query"), {"1": "훈령", "2": "예규", "3": "고시"}.get(request.get("knd"))
    if query:
        rows = [row for row in rows if _hit(row["name"], query)]
    if kind:
        rows = [row for row in rows if row["kind"] == kind]
    rows = _narrow(rows, request, {"date": "ymd", "prmlYd": "ymd", "org": "ministry_code", "nb": "number"})
    return _sorted(rows, request, "ymd", "name")


@view("law_rule_detail")
def rule_body(world: World, request: Request) -> list[Row]:
    """One rule by serial (ID), stable id (LID) or exact name (LM)."""
    for name, column in (("ID", "serial"), ("LID", "rule_id"), ("LM", "name")):
        value = request.get(name)
        if value:
            return [_rule(row) for row in world.find("admin_rules", column, value)]
    raise Refusal("missing_parameter", "ID")


def _rule(row: Row) -> Row:
    head: Row = {
        "행정규칙일련번호": row["serial"], "행정규칙명": row["name"], "행정규칙종류": row["kind"], "행정규칙ID": row["rule_id"],
        "발령일자": row["ymd"], "발령번호": row["number"], "시행일자": row["effective"], "소관부처명": row["ministry"],
        "조문형식여부": "Y",
    }  # fmt: skip
    return {"행정규칙기본정보": head, "조문내용": row["articles"]}


def _by_serial(table: str, names: dict[str, str]) -> View:
    def rows(world: World, request: Request) -> list[Row]:
        found = world.find(table, "serial", request.get("ID"))
        return [{name: row[column] for name, column in names.items()} for row in found]

    return rows


view("law_precedent_detail")(
    _by_serial(
        "precedents",
        {"판례정보일련번호": "serial", "사건명": "title", "사건번호": "case_no", "선고일자": "ymd", "법원명": "court", "사건종류명": "area",
         "판결유형": "verdict", "판시사항": "holding", "판결요지": "gist", "참조조문": "refers", "판례내용": "gist"},
    )  # fmt: skip
)
view("law_interpretation_detail")(
    _by_serial(
        "interpretations",
        {"법령해석례일련번호": "serial", "안건명": "title", "안건번호": "docket", "해석일자": "ymd", "해석기관명": "answerer",
         "질의기관명": "asker", "질의요지": "question", "회답": "answer", "이유": "reason"},
    )  # fmt: skip
)


@view("law_abbreviations")
def abbreviations(world: World, request: Request) -> list[Row]:
    """Statutes that have an official short name, in name order."""
    rows = [row for row in world.table("laws") if row["short"]]
    first, last = request.get("stdDt", "0"), request.get("endDt", "9")
    return [row for row in rows if first <= str(row["promulgated"]) <= last]


@view("law_oldnew")
def search_comparisons(world: World, request: Request) -> list[Row]:
    """Old-and-new comparisons exist for amended statutes, not for wholly rewritten ones."""
    return [row for row in search_laws(world, request) if row["revision"] != "전부개정"]


@view("law_oldnew_detail")
def comparison(world: World, request: Request) -> list[Row]:
    """Articles before and after the last amendment, side by side."""
    law = _law(world, request)
    if law is None or law["revision"] == "전부개정":
        return []
    found = world.part("law_articles", str(law["law_id"]))
    changed = [row for row in found if row["changed"] == law["promulgated"]] or found[-1:]
    old: list[Row] = [
        {"no": str(n), "content": f"{row['text']} <개정 전 문언>"} for n, row in enumerate(changed, start=1)
    ]
    new: list[Row] = [{"no": str(n), "content": str(row["text"])} for n, row in enumerate(changed, start=1)]
    head: Row = {"법령ID": law["law_id"], "법령일련번호": law["mst"], "법령명": law["name"], "공포일자": law["promulgated"]}
    return [{"구조문_기본정보": head, "신조문_기본정보": head, "구조문목록": {"조문": old}, "신조문목록": {"조문": new}}]
