"""Companies in, OpenDART's filings out, periodic reports among them, all under one set of receipt numbers."""

from datetime import date, timedelta

from edge.sandbox.world.store import Row, World, table

FIRST_YEAR, LAST_YEAR = 2023, 2025
# report code -> (title, month of the period, months until filed, day filed, share of the year's flow)
REPORTS = {
    "11011": ("사업보고서", 12, 15, 20, 1.0),
    "11012": ("반기보고서", 6, 8, 13, 0.49),
    "11013": ("분기보고서", 3, 5, 14, 0.24),
    "11014": ("분기보고서", 9, 11, 13, 0.74),
}
_DETAILS = {"11011": "A001", "11012": "A002", "11013": "A003", "11014": "A003"}
_EVENTS = (
    ("B", "B001", "주요사항보고서(유상증자결정)", 0.03),
    ("B", "B001", "주요사항보고서(전환사채권발행결정)", 0.04),
    ("D", "D001", "주식등의대량보유상황보고서(일반)", 0.3),
    ("D", "D002", "임원ㆍ주요주주특정증권등소유상황보고서", 0.35),
    ("I", "I001", "단일판매ㆍ공급계약체결", 0.16),
    ("I", "I001", "현금ㆍ현물배당결정", 0.12),
)


@table("dart_filings")
def build_filings(world: World) -> list[Row]:
    """Filings, newest first: receipt number (14), day, report name, type, filer, and the period it reports on."""
    drafts: list[Row] = []
    finance = world.index("company_finance", "corp_code")
    for company in world.table("companies"):
        if company["stock_code"]:
            drafts += _listed_filings(world, company)
        elif str(company["corp_code"]) in finance:
            for year in range(FIRST_YEAR, LAST_YEAR + 1):
                day = date(year + 1, 4, 1) + timedelta(days=world.rng("audit", company["corp_code"]).randrange(14))
                drafts.append(_filing(company, day, f"감사보고서 ({year}.12)", "F", "F001", year, ""))
        elif int(str(company["corp_code"])) % 40 == 0:
            drafts.append(_filing(company, world.today, "주식회사등의감사보고서제출", "F", "F001", 0, ""))
    drafts = [draft for draft in drafts if str(draft["day"]) <= f"{world.today:%Y%m%d}"]
    drafts.sort(key=lambda draft: (str(draft["day"]), str(draft["corp_code"]), str(draft["report"])))
    previous, serial = "", 0
    for draft in drafts:
        serial = serial + 1 if draft["day"] == previous else 1
        previous = str(draft["day"])
        draft["rcept_no"] = f"{previous}{serial + 100:06d}"
    return drafts[::-1]


def _listed_filings(world: World, company: Row) -> list[Row]:
    rng = world.rng("filings", company["corp_code"])
    drafts: list[Row] = []
    for year in range(FIRST_YEAR, LAST_YEAR + 2):
        for code, (title, month, due, day, _) in REPORTS.items():
            filed = date(year + (due - 1) // 12, (due - 1) % 12 + 1, day) - timedelta(days=rng.randrange(9))
            drafts.append(_filing(company, filed, f"{title} ({year}.{month:02d})", "A", _DETAILS[code], year, code))
            if rng.random() < 0.04:
                late = filed + timedelta(days=rng.randrange(12, 50))
                draft = _filing(company, late, f"[기재정정]{title} ({year}.{month:02d})", "A", "A001", year, "")
                drafts[-1]["superseded"] = str(late).replace("-", "")
                drafts.append(draft)
    day = date(FIRST_YEAR, 1, 3)
    while True:
        day += timedelta(days=rng.randrange(4, 75))
        if day > world.today:
            break
        if day.weekday() < 5:
            kind, detail, title, _ = rng.choices(_EVENTS, [event[3] for event in _EVENTS])[0]
            drafts.append(_filing(company, day, title, kind, detail, 0, ""))
    # Something is filed on every working day; this keeps today's page from being empty for any market.
    if int(str(company["stock_code"])) % 3 == 0 and world.today.weekday() < 5:
        drafts.append(_filing(company, world.today, "기업설명회(IR)개최(안내공시)", "I", "I001", 0, ""))
    return drafts


def _filing(company: Row, day: date, report: str, kind: str, detail: str, year: int, code: str) -> Row:
    listed = bool(company["stock_code"])
    by_owner = kind == "D"
    return {
        "corp_code": company["corp_code"],
        "corp_cls": company["corp_cls"],
        "corp_name": company["stock_name"] or company["name"],
        "stock_code": company["stock_code"],
        "report": report,
        "day": f"{day:%Y%m%d}",
        "kind": kind,
        "detail": detail,
        "filer": company["ceo"] if by_owner else company["name"],
        "rm": {"Y": "유", "K": "코"}.get(str(company["corp_cls"]), "") if listed and kind == "I" else "",
        "year": str(year) if year else "",
        "report_code": code,
        "superseded": "",
    }


def report_filing(world: World, corp_code: str, year: str, report_code: str) -> Row | None:
    """The filing of one periodic report, if that company has filed it."""
    for row in world.find("dart_filings", "corp_code", corp_code):
        if row["year"] == year and row["report_code"] == report_code:
            return row
    return None
