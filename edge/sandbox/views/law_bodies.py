"""law.go.kr identifiers in, nested bodies out: statutes, single articles, rules, decisions, comparisons."""

from edge.sandbox.model import Refusal, Request, Row
from edge.sandbox.registry import View, view
from edge.sandbox.world import World
from edge.sandbox.world.reading import texts


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
    paragraphs: list[Row] = [{"항번호": text[0], "항내용": text} for text in texts(article["paragraphs"])]
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
            "부칙": {
                "부칙단위": [{"부칙공포일자": law["promulgated"], "부칙공포번호": law["number"], "부칙내용": addendum}]
            },
            "별표": {
                "별표단위": [{"별표번호": "0001", "별표구분": "별표", "별표제목": f"{law['name']} 과태료의 부과기준"}]
            },
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
        "행정규칙일련번호": row["serial"], "행정규칙명": row["name"], "행정규칙종류": row["kind"],
        "행정규칙ID": row["rule_id"],
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
        {
            "판례정보일련번호": "serial",
            "사건명": "title",
            "사건번호": "case_no",
            "선고일자": "ymd",
            "법원명": "court",
            "사건종류명": "area",
            "판결유형": "verdict",
            "판시사항": "holding",
            "판결요지": "gist",
            "참조조문": "refers",
            "참조판례": "precedent",
            "판례내용": "gist",
        },
    )
)
view("law_interpretation_detail")(
    _by_serial(
        "interpretations",
        {
            "법령해석례일련번호": "serial",
            "안건명": "title",
            "안건번호": "docket",
            "해석일자": "ymd",
            "해석기관명": "answerer",
            "질의기관명": "asker",
            "질의요지": "question",
            "회답": "answer",
            "이유": "reason",
        },
    )
)


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
    head: Row = {
        "법령ID": law["law_id"],
        "법령일련번호": law["mst"],
        "법령명": law["name"],
        "공포일자": law["promulgated"],
    }
    return [
        {"구조문_기본정보": head, "신조문_기본정보": head, "구조문목록": {"조문": old}, "신조문목록": {"조문": new}}
    ]


view("law_appeal_detail")(
    _by_serial(
        "appeals",
        {
            "행정심판례일련번호": "serial",
            "사건명": "title",
            "사건번호": "case_no",
            "처분일자": "acted",
            "의결일자": "ymd",
            "처분청": "authority",
            "재결청": "tribunal",
            "재결례유형명": "result",
            "주문": "order",
            "청구취지": "claim",
            "이유": "reason",
        },
    )
)
view("law_constitutional_detail")(
    _by_serial(
        "constitutional_decisions",
        {
            "헌재결정례일련번호": "serial",
            "사건명": "title",
            "사건번호": "case_no",
            "종국일자": "ymd",
            "결정요지": "gist",
            "심판대상조문": "law",
            "전문": "text",
        },
    )
)
