"""Filed reports in, the rest of their tables out: accounts, ratios, officers, stock, holdings, originals."""

from xml.sax.saxutils import escape

from edge.sandbox.world.finance import report_filing
from edge.sandbox.world.finance_reports import closing_day
from edge.sandbox.world.people import people
from edge.sandbox.world.store import Row, World, part

# statement, its name, account id, account, base column, share of that column
_LINES = (
    *(("BS", "재무상태표", f"ifrs-full_{i}", n, c, s) for i, n, c, s in (
        ("CurrentAssets", "유동자산", "assets", 0.46), ("CashAndCashEquivalents", "현금및현금성자산", "assets", 0.11),
        ("TradeAndOtherCurrentReceivables", "매출채권 및 기타채권", "assets", 0.17),
        ("Inventories", "재고자산", "assets", 0.12), ("NoncurrentAssets", "비유동자산", "assets", 0.54),
        ("PropertyPlantAndEquipment", "유형자산", "assets", 0.33), ("Assets", "자산총계", "assets", 1),
        ("CurrentLiabilities", "유동부채", "debt", 0.64), ("ShorttermBorrowings", "단기차입금", "debt", 0.21),
        ("NoncurrentLiabilities", "비유동부채", "debt", 0.36), ("Liabilities", "부채총계", "debt", 1),
        ("IssuedCapital", "자본금", "capital", 1), ("RetainedEarnings", "이익잉여금", "equity", 0.6),
        ("Equity", "자본총계", "equity", 1),
    )),
    *(("IS", "손익계산서", f"ifrs-full_{i}", n, c, s) for i, n, c, s in (
        ("Revenue", "매출액", "sales", 1), ("CostOfSales", "매출원가", "sales", 0.71),
        ("GrossProfit", "매출총이익", "sales", 0.29), ("SellingGeneralAdministrative", "판매비와관리비", "sales", 0.2),
        ("OperatingIncomeLoss", "영업이익", "operating_profit", 1), ("FinanceCosts", "금융비용", "debt", 0.03),
        ("ProfitLossBeforeTax", "법인세비용차감전순이익", "pretax", 1), ("ProfitLoss", "당기순이익", "net_income", 1),
    )),
    *(("CF", "현금흐름표", f"ifrs-full_{i}", n, c, s) for i, n, c, s in (
        ("CashFlowsFromOperatingActivities", "영업활동현금흐름", "net_income", 1.3),
        ("CashFlowsFromInvestingActivities", "투자활동현금흐름", "net_income", -0.8),
        ("CashFlowsFromFinancingActivities", "재무활동현금흐름", "net_income", -0.3),
    )),
)  # fmt: skip
# class -> (its name, ratios as code, name, upper column, lower column)
_INCOME, _EQUITY, _ASSETS = "net_income", "equity", "assets"
RATIOS = {
    "M210000": (
        "수익성지표",
        (
            ("M211250", "순이익률", _INCOME, "sales"),
            ("M211550", "자기자본이익률", _INCOME, _EQUITY),
            ("M211800", "총자산영업이익률", "operating_profit", _ASSETS),
        ),
    ),
    "M220000": (
        "안정성지표",
        (("M221100", "자기자본비율", _EQUITY, _ASSETS), ("M221200", "부채비율", "debt", _EQUITY)),
    ),
    "M230000": (
        "성장성지표",
        (("M231000", "매출액증가율", "sales", ""), ("M232000", "총자산증가율", _ASSETS, "")),
    ),
    "M240000": (
        "활동성지표",
        (("M241000", "총자산회전율", "sales", _ASSETS), ("M242000", "자기자본회전율", "sales", _EQUITY)),
    ),
}
_OFFICES = ("전무", "상무", "상무", "이사", "사외이사", "감사")
_CAREERS = ("한강대학교 경영학과", "백두대학교 공학 석사", "(전)은행 부행장", "(전)법무법인 변호사")
_FIRMS = ("한울정밀", "새한소재", "우영물류", "가온소프트", "동해에너지", "미래바이오", "성원개발", "서진테크")


def _years(world: World, corp_code: str, basis: str) -> dict[str, Row]:
    return {str(r["year"]): r for r in world.find("company_finance", "corp_code", corp_code) if r["basis"] == basis}


def _whole(row: Row | None, column: str) -> int:
    return int(str(row[column])) if row else 0


@part("dart_all_accounts")
def build_all_accounts(world: World, corp_code: str, year: str, report_code: str, basis: str) -> list[Row]:
    """Every account of one report on one basis, three periods as plain digits; cash flows come last."""
    filing = report_filing(world, corp_code, year, report_code)
    years = _years(world, corp_code, basis)
    if filing is None or year not in years:
        return []
    rows: list[Row] = []
    for order, (kind, kind_name, account_id, account, column, share) in enumerate(_LINES):
        row: Row = filing | {
            "sj": kind, "sj_name": kind_name, "account_id": account_id, "account": account, "detail": "-",
            "ord": str(order + 1), "currency": "KRW", "none": "",
        }  # fmt: skip
        for back, prefix in ((0, "this"), (1, "prev"), (2, "before")):
            own = years.get(str(int(year) - back))
            row[f"{prefix}_name"] = f"제 {int(year) - back - 1975} 기"
            row[f"{prefix}_amount"] = str(int(_whole(own, column) * share)) if own else ""
        rows.append(row)
    return rows


@part("dart_ratios")
def build_ratios(world: World, corp_code: str, year: str, report_code: str, kind: str) -> list[Row]:
    """Ratios of one class in percent (turnover in times), on the consolidated basis."""
    filing = report_filing(world, corp_code, year, report_code)
    years = _years(world, corp_code, "CFS")
    if filing is None or year not in years or kind not in RATIOS:
        return []
    name, lines = RATIOS[kind]
    own, last = years[year], years.get(str(int(year) - 1))
    rows: list[Row] = []
    for code, label, upper, lower in lines:
        base = _whole(own, lower) if lower else _whole(last, upper)
        change = _whole(own, upper) - (0 if lower else base)
        rows.append(
            filing
            | {"kind": kind, "kind_name": name, "code": code, "name": label, "closing": closing_day(year, report_code)}
            | {"value": f"{100 * change / base:.3f}" if base else None}
        )
    return rows


@part("dart_officers")
def build_officers(world: World, corp_code: str, year: str, report_code: str) -> list[Row]:
    """Officers of a listed company, the chief executive first, with half a dozen to thirty others."""
    filing = report_filing(world, corp_code, year, report_code)
    if filing is None:
        return []
    company = world.find("companies", "corp_code", corp_code)[0]
    rng = world.rng("officers", corp_code)
    names = [str(company["ceo"]), *(p.name for p in people(rng, rng.randrange(6, 31)) if p.name != company["ceo"])]
    rows: list[Row] = []
    for order, name in enumerate(names):
        registered = order < 3 or rng.random() < 0.3
        rows.append(
            filing
            | {
                "name": name,
                "sex": rng.choice(("남", "남", "남", "여")),
                "born": f"{rng.randrange(1955, 1982)}년 {rng.randrange(1, 13):02d}월",
                "office": "대표이사" if order == 0 else rng.choice(_OFFICES),
                "registered": "사내이사" if registered else "미등기",
                "full_time": "상근" if rng.random() < 0.85 else "비상근",
                "job": rng.choice(("경영총괄", "재무", "영업", "생산", "연구개발", "법무", "감사위원")),
                "career": rng.choice(_CAREERS),
                "relation": "본인" if order == 0 else "-",
                "served": f"{rng.randrange(1, 12)}년",
                "until": f"{int(year) + rng.randrange(1, 4)}년 03월 {rng.randrange(20, 31)}일" if registered else "-",
                "pay": rng.randrange(500, 3200),
                "closing": closing_day(year, report_code),
            }
        )  # fmt: skip
    return rows


@part("dart_paid_officers")
def build_paid_officers(world: World, corp_code: str, year: str, report_code: str) -> list[Row]:
    """The registered officers who were paid at least 500 million won: in a third of the companies, a few."""
    if world.rng("paid", corp_code).random() > 0.34:
        return []
    rows = [r for r in world.part("dart_officers", corp_code, year, report_code) if r["registered"] == "사내이사"]
    return [row | {"total": f"{int(str(row['pay'])) * 1_000_000:,}"} for row in rows[:4]]


@part("dart_owner_changes")
def build_owner_changes(world: World, corp_code: str, year: str, report_code: str) -> list[Row]:
    """Changes of the largest shareholder; most companies had none."""
    filing = report_filing(world, corp_code, year, report_code)
    owners = world.find("company_owners", "corp_code", corp_code)
    rng = world.rng("owner_changes", corp_code)
    if filing is None or not owners or rng.random() > 0.25:
        return []
    day = f"{int(year) - rng.randrange(0, 3)}년 {rng.randrange(1, 13):02d}월 {rng.randrange(1, 29):02d}일"
    cause = rng.choice(("장내매수", "증여", "상속", "주식양수도 계약"))
    return [filing | owners[0] | {"day": day, "cause": cause, "closing": closing_day(year, report_code)}]


@part("dart_stakes")
def build_stakes(world: World, corp_code: str, year: str, report_code: str) -> list[Row]:
    """Shares held in other companies, from one to two dozen, and their sum in a last row."""
    filing = report_filing(world, corp_code, year, report_code)
    if filing is None:
        return []
    rng = world.rng("stakes", corp_code)
    rows: list[Row] = []
    for order in range(rng.randrange(1, 25)):
        count, value = rng.randrange(1000, 900000), rng.randrange(50, 90000)
        rows.append(
            filing
            | {
                "target": f"{rng.choice(_FIRMS)}{order + 1}(주)",
                "first": f"{rng.randrange(2005, 2024)}.{rng.randrange(1, 13):02d}.15",
                "purpose": rng.choice(("단순투자", "경영참여", "일반투자")), "first_amount": f"{value:,}",
                "count": f"{count:,}", "share": f"{rng.uniform(0.3, 100):.2f}", "value": f"{value:,}",
                "assets": f"{value * rng.randrange(3, 20):,}", "income": f"{rng.randrange(-9000, 20000):,}",
                "closing": closing_day(year, report_code),
            }
        )  # fmt: skip
    return rows


@part("dart_stock_totals")
def build_stock_totals(world: World, corp_code: str, year: str, report_code: str) -> list[Row]:
    """Issued, own and circulating shares: common, preferred (none here) and their sum."""
    filing = report_filing(world, corp_code, year, report_code)
    if filing is None:
        return []
    shares = int(str(world.find("companies", "corp_code", corp_code)[0]["shares"]))
    own = int(shares * world.rng("own shares", corp_code).choice((0, 0, 0.01, 0.02, 0.05)))
    rows: list[Row] = []
    for label, issued, kept in (("보통주", shares, own), ("우선주", 0, 0), ("합계", shares, own)):
        counts = {"limit": shares * 4, "issued": issued, "own": kept, "floating": issued - kept}
        texts: Row = {name: f"{count:,}" if issued else "-" for name, count in counts.items()}
        rows.append(filing | {"se": label, "closing": closing_day(year, report_code)} | texts)
    return rows


@part("dart_own_shares")
def build_own_shares(world: World, corp_code: str, year: str, report_code: str) -> list[Row]:
    """Own shares at both ends of the period by the way they were bought."""
    rows: list[Row] = []
    for total in world.part("dart_stock_totals", corp_code, year, report_code)[:1]:
        for way, mine in (("장내 직접 취득", True), ("공개매수", False), ("총계", True)):
            count = total["own"] if mine and total["own"] != "-" else "-"
            rows.append(total | {"way": way, "count": count, "stock_kind": "보통주"})
    return rows


@part("dart_issues")
def build_issues(world: World, corp_code: str, year: str, report_code: str) -> list[Row]:
    """Issues of new shares in the past; a single row of dashes where there never were any, as the platform has it."""
    filing = report_filing(world, corp_code, year, report_code)
    if filing is None:
        return []
    rng = world.rng("issues", corp_code)
    base = filing | {"closing": closing_day(year, report_code)}
    names = ("day", "way", "stock_kind", "count", "par", "price")
    rows: list[Row] = []
    if rng.random() < 0.5:
        for back in range(rng.randrange(1, 4)):
            day = f"{int(year) - back - 1}.{rng.randrange(1, 13):02d}.{rng.randrange(1, 29):02d}"
            way = rng.choice(("유상증자(제3자배정)", "유상증자(주주배정)", "무상증자", "전환권행사"))
            values = (
                day,
                way,
                "보통주",
                f"{rng.randrange(1, 200) * 10000:,}",
                "500",
                f"{rng.randrange(9, 300) * 100:,}",
            )
            rows.append(base | dict(zip(names, values, strict=True)))
    return rows or [base | dict.fromkeys(names, "-")]


@part("dart_officer_holdings")
def build_officer_holdings(world: World, corp_code: str) -> list[Row]:
    """Holdings that officers and main owners reported on one company, newest first."""
    owners = world.find("company_owners", "corp_code", corp_code)
    rows: list[Row] = []
    for filing in world.find("dart_filings", "corp_code", corp_code):
        if filing["detail"] == "D002" and owners:
            rng = world.rng("officer holding", filing["rcept_no"])
            count, change = rng.randrange(500, 90000), rng.randrange(-9000, 9000)
            rows.append(
                filing
                | {
                    "reporter": rng.choice(owners)["owner"],
                    "registered": rng.choice(("등기임원", "비등기임원", "-")),
                    "office": rng.choice(("대표이사", "사내이사", "상무", "-")),
                    "main": rng.choice(("-", "10%이상주주")),
                    "count": f"{count:,}", "change": f"{change:,}", "share": f"{count / 1e5:.2f}",
                    "share_change": f"{change / 1e5:.2f}",
                }
            )  # fmt: skip
    return rows


def original(world: World, rcept_no: str) -> tuple[Row, bytes] | None:
    """The filing with a receipt number and its original document; None where nobody filed under it."""
    found = world.find("dart_filings", "rcept_no", rcept_no)
    if not found:
        return None
    filing = found[0]
    code = str(filing["report_code"])
    # Only periodic reports have accounts, and corrections of them point back without a code.
    accounts = world.part("dart_accounts", str(filing["corp_code"]), str(filing["year"]), code) if code else []
    lines = [f"<TR><TD>{row['account']}</TD><TD>{row['this_amount']}</TD></TR>" for row in accounts]
    body = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f"<DOCUMENT><DOCUMENT-NAME>{escape(str(filing['report']))}</DOCUMENT-NAME>"
        f'<COMPANY-NAME AREGCIK="{filing["corp_code"]}">{escape(str(filing["corp_name"]))}</COMPANY-NAME><BODY>'
        f"<P>제출인 {escape(str(filing['filer']))}은 {filing['day']}에 이 보고서를 제출합니다.</P>"
        f"<TABLE>{''.join(lines)}</TABLE></BODY></DOCUMENT>"
    )
    return filing, body.encode()


def instance(world: World, rcept_no: str) -> tuple[Row, bytes] | None:
    """The XBRL instance of a periodic report; other filings have none."""
    found = world.find("dart_filings", "rcept_no", rcept_no)
    if not found or found[0]["kind"] != "A":
        return None
    filing = found[0]
    code, year = str(filing["corp_code"]), str(filing["year"])
    rows = world.part("dart_all_accounts", code, year, str(filing["report_code"]), "CFS")
    facts = "".join(
        f'<{str(row["account_id"]).replace("_", ":", 1)} contextRef="CFY{year}" unitRef="KRW" decimals="0">'
        f"{row['this_amount']}</{str(row['account_id']).replace('_', ':', 1)}>"
        for row in rows
    )
    spaces = 'xmlns="http://www.xbrl.org/2003/instance" xmlns:ifrs-full="http://xbrl.ifrs.org/taxonomy/ifrs-full"'
    entity = f'<entity><identifier scheme="http://dart.fss.or.kr">{code}</identifier></entity>'
    period = f"<period><instant>{year}-12-31</instant></period>"
    context = f'<context id="CFY{year}">{entity}{period}</context>'
    text = f'<?xml version="1.0" encoding="utf-8"?>\n<xbrl {spaces}>{context}{facts}</xbrl>'
    return filing, text.encode()
