"""law.go.kr requests in, search hits out: names by part, ranges with a tilde, kinds by code."""

from edge.sandbox.model import Refusal, Request, Row
from edge.sandbox.registry import view
from edge.sandbox.world import World

# Statute kinds as the `knd` parameter numbers them.
_KINDS = {"A0002": "법률", "A0001": "대통령령"}


def hit(text: object, query: str) -> bool:
    """Names match by part, blanks ignored, as in the real search box."""
    return query.replace(" ", "") in str(text).replace(" ", "")


def _in_range(value: object, wanted: str) -> bool:
    """`a~b`, either end open, or a single value."""
    low, tilde, high = wanted.partition("~")
    if not tilde:
        return str(value).lstrip("0") == wanted.lstrip("0")
    return (not low or str(value) >= low) and (not high or str(value) <= high)


def narrow(rows: list[Row], request: Request, rules: dict[str, str]) -> list[Row]:
    """Keep the rows that pass every named range or equality parameter."""
    for name, column in rules.items():
        wanted = request.get(name)
        if wanted:
            rows = [row for row in rows if _in_range(row.get(column, ""), wanted)]
    return rows


def in_order(rows: list[Row], request: Request, day: str, name: str) -> list[Row]:
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
        rows = [row for row in rows if hit(row["name"], query) or (row["short"] and hit(row["short"], query))]
        rows = sorted(rows, key=lambda row: (str(row["name"]) != query, str(row["name"])))
    knd = request.get("knd")
    if knd:
        rows = [row for row in rows if row["kind"] == _KINDS.get(knd, "부령")]
    rules = {"date": "promulgated", "ancYd": "promulgated", "efYd": "effective", "ancNo": "number"}
    rows = narrow(rows, request, rules | {"org": "ministry_code", "nb": "number"})
    return in_order(rows, request, "promulgated", "name")


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
    return narrow(rows, request, {"regDt": "changed", "JO": "jo", "org": "ministry_code"})


@view("law_precedents")
def search_precedents(world: World, request: Request) -> list[Row]:
    """Decisions by case name or (search=2) text, statute referred to (JO), court and day."""
    rows = world.table("precedents")
    query, statute, court = request.get("query"), request.get("JO"), request.get("curt")
    if query:
        columns = ("title", "law", "holding", "gist") if request.get("search") == "2" else ("title", "law")
        rows = [row for row in rows if any(hit(row[column], query) for column in columns)]
    if statute:
        rows = [row for row in rows if hit(row["law"], statute)]
    if court:
        rows = [row for row in rows if hit(row["court"], court)]
    rows = narrow(rows, request, {"date": "ymd", "prncYd": "ymd", "org": "court_kind", "nb": "case_no"})
    return in_order(rows, request, "ymd", "title")


@view("law_interpretations")
def search_interpretations(world: World, request: Request) -> list[Row]:
    """Interpretations by title or (search=2) text, asker, day and docket number."""
    rows = world.table("interpretations")
    query = request.get("query")
    if query:
        columns = ("title", "question", "reason") if request.get("search") == "2" else ("title",)
        rows = [row for row in rows if any(hit(row[column], query) for column in columns)]
    rows = narrow(rows, request, {"explYd": "ymd", "regYd": "ymd", "itmno": "docket"})
    return in_order(rows, request, "ymd", "title")


@view("law_rules")
def search_rules(world: World, request: Request) -> list[Row]:
    """Administrative rules by name, ministry, kind (1 훈령, 2 예규, 3 고시) and day."""
    rows = world.table("admin_rules")
    query, kind = request.get("query"), {"1": "훈령", "2": "예규", "3": "고시"}.get(request.get("knd"))
    if query:
        rows = [row for row in rows if hit(row["name"], query)]
    if kind:
        rows = [row for row in rows if row["kind"] == kind]
    rows = narrow(rows, request, {"date": "ymd", "prmlYd": "ymd", "org": "ministry_code", "nb": "number"})
    return in_order(rows, request, "ymd", "name")


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
