"""law.go.kr requests for ordinances, decisions, rulings and links in, hits and bodies out."""

from collections.abc import Sequence

from edge.sandbox.model import Refusal, Request, Row
from edge.sandbox.registry import view
from edge.sandbox.views.law import hit, in_order, narrow
from edge.sandbox.world import World
from edge.sandbox.world.lazy import kept
from edge.sandbox.world.ordinances import road_rulings, tax_rulings


def _queried(rows: Sequence[Row], request: Request, *columns: str) -> Sequence[Row]:
    query = request.get("query")
    return kept(rows, lambda row: any(hit(row[column], query) for column in columns)) if query else rows


@view("law_ordinances")
def search_ordinances(world: World, request: Request) -> list[Row]:
    """Ordinances by name, government (sborg) and days."""
    rows = list(_queried(world.table("ordinances"), request, "name"))
    rules = {"date": "promulgated", "ancYd": "promulgated", "efYd": "effective", "ancNo": "number", "sborg": "code5"}
    return in_order(narrow(rows, request, rules), request, "promulgated", "name")


@view("law_ordinances_of_act")
def ordinances_of_act(world: World, request: Request) -> list[Row]:
    """Ordinances that rest on acts with a name."""
    return in_order(list(_queried(world.table("ordinances"), request, "act")), request, "promulgated", "name")


@view("law_ordinance_body")
def ordinance_body(world: World, request: Request) -> list[Row]:
    """One ordinance by its stable ID or by version."""
    for name, column in (("ID", "ord_id"), ("MST", "mst")):
        value = request.get(name)
        if value:
            return [_ordinance(row) for row in world.find("ordinances", column, value)]
    raise Refusal("missing_parameter", "ID")


def _ordinance(row: Row) -> Row:
    head: Row = {
        "자치법규ID": row["ord_id"], "자치법규일련번호": row["mst"], "공포일자": row["promulgated"],
        "공포번호": row["number"], "자치법규명": row["name"], "시행일자": row["effective"],
        "자치법규종류": row["kind"], "지자체기관명": row["place"], "제개정정보": row["revision"],
    }  # fmt: skip
    lines = (
        ("목적", f"이 {row['kind']}는 「{row['act']}」에서 위임한 사항과 그 시행에 필요한 사항을 규정한다."),
        ("책무", f"{row['place']}의 장은 {row['subject']}에 관한 시책을 마련하여야 한다."),
        ("지원", f"{row['place']}의 장은 예산의 범위에서 필요한 비용을 지원할 수 있다."),
        ("시행규칙", f"이 {row['kind']}의 시행에 필요한 사항은 규칙으로 정한다."),
    )
    articles: list[Row] = [
        {"조문번호": f"{n:04d}00", "조문여부": "Y", "조제목": title, "조내용": f"제{n}조({title}) {text}"}
        for n, (title, text) in enumerate(lines, start=1)
    ]
    return {"자치법규기본정보": head, "조문": {"조": articles}}


@view("law_delegated")
def delegated(world: World, request: Request) -> list[Row]:
    """What the articles of an act leave to its decree and its rules."""
    for name, column in (("ID", "law_id"), ("MST", "mst")):
        value = request.get(name)
        if value:
            return [_delegation(world, law) for law in world.find("laws", column, value)]
    raise Refusal("missing_parameter", "ID")


def _delegation(world: World, law: Row) -> Row:
    below = [row for row in world.find("laws", "act", law["act"]) if row["name"] != law["name"]]
    units: list[Row] = []
    for article in world.part("law_articles", str(law["law_id"]))[:8] if below else []:
        target = below[int(str(article["number"])) % len(below)]
        info: Row = {"위임구분": target["kind"], "위임법령제목": target["name"], "위임법령일련번호": target["mst"]}
        info["위임법령조문번호"] = article["number"]
        head: Row = {"조문번호": article["number"], "조문제목": article["title"]}
        units.append({"조정보": head, "위임정보": info})
    head = {"법령일련번호": law["mst"], "법령ID": law["law_id"], "법령명": law["name"]}
    return {"법령": {"법령정보": head} | ({"위임조문정보": units} if units else {})}


@view("law_appeals")
def search_appeals(world: World, request: Request) -> list[Row]:
    """Appeal decisions by case name or (search=2) text, decision and days."""
    columns = ("title", "reason") if request.get("search") == "2" else ("title",)
    rows = list(_queried(world.table("appeals"), request, *columns))
    kind = request.get("cls")
    rows = [row for row in rows if kind in ("", row["result"])]
    rows = narrow(rows, request, {"date": "ymd", "dpaYd": "acted", "rslYd": "ymd"})
    return in_order(rows, request, "ymd", "title")


@view("law_constitutional")
def search_constitutional(world: World, request: Request) -> list[Row]:
    """Constitutional decisions by case name or (search=2) text, day and number."""
    columns = ("title", "text") if request.get("search") == "2" else ("title",)
    rows = list(_queried(world.table("constitutional_decisions"), request, *columns))
    rows = narrow(rows, request, {"date": "ymd", "edYd": "ymd", "nb": "case_no"})
    return in_order(rows, request, "ymd", "title")


@view("law_fair_trade")
def search_fair_trade(world: World, request: Request) -> list[Row]:
    """Decisions of the fair trade commission by case name."""
    return in_order(list(_queried(world.table("fair_trade_decisions"), request, "title")), request, "ymd", "title")


@view("law_annexes")
def search_annexes(world: World, request: Request) -> list[Row]:
    """Annexes by their own title, or (search=2) by the statute's."""
    column = "law" if request.get("search") == "2" else "title"
    rows = list(_queried(world.table("annexes"), request, column))
    return narrow(rows, request, {"org": "ministry_code"})


@view("law_tax_rulings")
def search_tax_rulings(world: World, request: Request) -> Sequence[Row]:
    """Rulings of the tax office by title; all of them without a word."""
    return _rulings(tax_rulings(world), request)


@view("law_road_rulings")
def search_road_rulings(world: World, request: Request) -> Sequence[Row]:
    """Rulings of the transport ministry by title."""
    return _rulings(road_rulings(world), request)


def _rulings(rows: Sequence[Row], request: Request) -> Sequence[Row]:
    rows = _queried(rows, request, "title")
    wanted = {"inq": "asker", "itmno": "docket", "explYd": "ymd"}
    return narrow(list(rows), request, wanted) if any(request.get(name) for name in wanted) else rows
