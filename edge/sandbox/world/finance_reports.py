"""Filed reports in, the tables inside them out: accounts, dividends, staff, owners, audits, holdings, new issues."""

import random

from edge.sandbox.world.finance import FIRST_YEAR, LAST_YEAR, REPORTS, report_filing
from edge.sandbox.world.people import people
from edge.sandbox.world.store import Row, World, part, table


def closing_day(year: str, report_code: str) -> str:
    """Last day of the period that a report covers, with dashes."""
    month = REPORTS[report_code][1]
    return f"{year}-{month:02d}-{31 if month in (3, 12) else 30}"


ACCOUNTS = (
    ("BS", "재무상태표", "자산총계", "assets"),
    ("BS", "재무상태표", "부채총계", "debt"),
    ("BS", "재무상태표", "자본금", "capital"),
    ("BS", "재무상태표", "자본총계", "equity"),
    ("IS", "손익계산서", "매출액", "sales"),
    ("IS", "손익계산서", "영업이익", "operating_profit"),
    ("IS", "손익계산서", "법인세차감전 순이익", "pretax"),
    ("IS", "손익계산서", "당기순이익", "net_income"),
)


@part("dart_accounts")
def build_accounts(world: World, corp_code: str, year: str, report_code: str) -> list[Row]:
    """Main accounts of one report, consolidated first: three periods as texts with commas."""
    filing = report_filing(world, corp_code, year, report_code)
    if filing is None or not year.isdigit() or not FIRST_YEAR <= int(year) <= LAST_YEAR:
        return []
    _, month, _, _, share = REPORTS[report_code]
    by_year = {(str(r["year"]), str(r["basis"])): r for r in world.find("company_finance", "corp_code", corp_code)}
    rows: list[Row] = []
    for basis, label in (("CFS", "연결재무제표"), ("OFS", "재무제표")):
        for order, (kind, kind_name, account, column) in enumerate(ACCOUNTS):
            row: Row = filing | {
                "basis": basis, "basis_name": label, "sj": kind, "sj_name": kind_name, "account": account,
                "ord": str(order * 2 + 1), "currency": "KRW", "add_amount": "", "prev_add_amount": "",
            }  # fmt: skip
            flow = share if kind == "IS" else 1.0
            for back, prefix in ((0, "this"), (1, "prev"), (2, "before")):
                own = by_year.get((str(int(year) - back), basis))
                row[f"{prefix}_name"] = f"제 {int(year) - back - 1975} 기"
                row[f"{prefix}_date"] = f"{int(year) - back}.{month:02d}.{31 if month in (3, 12) else 30} 현재"
                row[f"{prefix}_amount"] = f"{int(int(str(own[column])) * flow):,}" if own else "-"
            rows.append(row)
    return rows


_DIVIDEND_LINES = (
    ("주당액면가액(원)", None),
    ("(연결)당기순이익(백만원)", None),
    ("현금배당금총액(백만원)", None),
    ("(연결)현금배당성향(%)", None),
    ("현금배당수익률(%)", "보통주"),
    ("주당 현금배당금(원)", "보통주"),
)


@part("dart_dividends")
def build_dividends(world: World, corp_code: str, year: str, report_code: str) -> list[Row]:
    """Dividend lines of one report: per-share amounts, payout in percent, yield in percent, '-' where none."""
    filing = report_filing(world, corp_code, year, report_code)
    if filing is None or not _consolidated(world, corp_code):
        return []
    company = world.find("companies", "corp_code", corp_code)[0]
    rng = world.rng("dividends", corp_code)
    pays = rng.random() < 0.65
    per_share = rng.randrange(5, 260) * 10
    shares = int(str(company["shares"]))
    incomes = {str(r["year"]): int(str(r["net_income"])) // 10**6 for r in _consolidated(world, corp_code)}
    columns: list[list[str]] = []
    for back in range(3):
        cash = max(10, per_share - 10 * back)
        income = incomes.get(str(int(year) - back))
        paid = shares * cash // 10**6
        ratio = f"{100 * paid / income:.1f}" if income and income > 0 else "-"
        lines = [f"{paid:,}", ratio, f"{1 + per_share % 47 / 10 + back / 10:.2f}", f"{cash:,}"] if pays else ["-"] * 4
        columns.append(["500", f"{income:,}" if income is not None else "-", *lines])
    return [
        filing
        | {"se": label, "stock_kind": stock, "this": this, "prev": prev, "before": before}
        | {"closing": closing_day(year, report_code)}
        for (label, stock), this, prev, before in zip(_DIVIDEND_LINES, *columns, strict=True)
    ]


def _consolidated(world: World, corp_code: str) -> list[Row]:
    return [row for row in world.find("company_finance", "corp_code", corp_code) if row["basis"] == "CFS"]


@part("dart_employees")
def build_employees(world: World, corp_code: str, year: str, report_code: str) -> list[Row]:
    """Employees of one report by business and sex: regular, contract, total, years of service, pay in won."""
    filing = report_filing(world, corp_code, year, report_code)
    if filing is None:
        return []
    company = world.find("companies", "corp_code", corp_code)[0]
    rng = world.rng("employees", corp_code, year)
    total = max(20, int(int(str(company["employees"])) * rng.uniform(0.9, 1.1)))
    rows: list[Row] = []
    for field, share in ((str(company["industry_name"]), 0.7), ("관리", 0.3)):
        for sex, part_share in (("남", 0.72), ("여", 0.28)):
            count = max(1, int(total * share * part_share))
            contract = int(count * rng.uniform(0.01, 0.12))
            pay = int(rng.uniform(48, 118) * 10**6 * REPORTS[report_code][4])
            rows.append(
                filing
                | {
                    "field": field,
                    "sex": sex,
                    "regular": f"{count - contract:,}",
                    "contract": f"{contract:,}",
                    "total": f"{count:,}",
                    "years": f"{rng.uniform(2.5, 16):.1f}",
                    "pay_total": f"{pay * count:,}",
                    "pay": f"{pay:,}",
                    "closing": closing_day(year, report_code),
                }
            )
    return rows


@table("company_owners")
def build_owners(world: World) -> list[Row]:
    """Largest shareholder and relatives of every listed company, with shares in percent at two dates."""
    rows: list[Row] = []
    for company in world.table("companies"):
        if not company["stock_code"]:
            continue
        rng = world.rng("owners", company["corp_code"])
        rest = rng.uniform(18, 58)
        for order, someone in enumerate(people(rng, rng.randrange(2, 7))):
            held = rest * (0.62 if order == 0 else 0.35)
            rest -= held
            before = held * rng.uniform(0.94, 1.03)
            shares = int(str(company["shares"]))
            related = rng.choice(("배우자", "친인척", "계열회사 임원", "발행회사 임원"))
            rows.append(
                {
                    "corp_code": company["corp_code"],
                    "owner": someone.name,
                    "relation": related if order else "최대주주 본인",
                    "stock_kind": "보통주",
                    "before_count": f"{int(shares * before / 100):,}",
                    "before_share": f"{before:.2f}",
                    "count": f"{int(shares * held / 100):,}",
                    "share": f"{held:.2f}",
                }
            )
    return rows


@part("dart_owners")
def build_owner_report(world: World, corp_code: str, year: str, report_code: str) -> list[Row]:
    """The largest-shareholder table of one report."""
    filing = report_filing(world, corp_code, year, report_code)
    if filing is None:
        return []
    closing: Row = {"closing": closing_day(year, report_code)}
    return [filing | row | closing for row in world.find("company_owners", "corp_code", corp_code)]


@part("dart_audits")
def build_audits(world: World, corp_code: str, year: str, report_code: str) -> list[Row]:
    """Auditor and opinion for the reported year and the two before."""
    filing = report_filing(world, corp_code, year, report_code)
    if filing is None:
        return []
    firms = (
        "한울회계법인",
        "서현회계법인",
        "대주회계법인",
        "이촌회계법인",
        "신한회계법인",
        "우리회계법인",
        "동아송강회계법인",
    )
    rng = world.rng("audits", corp_code)
    rows: list[Row] = []
    for back, label in enumerate(("당기", "전기", "전전기")):
        rows.append(
            filing
            | {
                "period": f"제{int(year) - 1975 - back}기({label})",
                "auditor": firms[(int(corp_code) + (int(year) - back) // 3) % len(firms)],
                "opinion": "적정" if rng.random() < 0.97 else "한정",
                "special": "해당사항 없음",
                "emphasis": "해당사항 없음" if rng.random() < 0.8 else "계속기업 관련 불확실성",
                "core": rng.choice(("수익인식의 적정성", "재고자산 평가", "영업권 손상검사", "투입법에 따른 수익인식")),
                "closing": closing_day(year, report_code),
            }
        )
    return rows


@part("dart_holdings")
def build_holdings(world: World, corp_code: str) -> list[Row]:
    """Large-holding reports on one company, newest first, each with the receipt number of its filing."""
    rows: list[Row] = []
    owners = world.find("company_owners", "corp_code", corp_code)
    for filing in world.find("dart_filings", "corp_code", corp_code):
        if filing["detail"] == "D001" and owners:
            rng = world.rng("holding", filing["rcept_no"])
            owner = rng.choice(owners)
            change = rng.uniform(-1.8, 1.8)
            held = max(5.0, float(str(owner["share"])) + rng.uniform(0, 6))
            shares = int(str(world.find("companies", "corp_code", corp_code)[0]["shares"]))
            rows.append(
                filing
                | {
                    "report_kind": rng.choice(("일반", "약식")),
                    "reporter": owner["owner"],
                    "count": f"{int(shares * held / 100):,}",
                    "count_change": f"{int(shares * change / 100):,}",
                    "share": f"{held:.2f}",
                    "share_change": f"{change:.2f}",
                    "contract_count": f"{int(shares * held / 250):,}",
                    "contract_share": f"{held / 2.5:.2f}",
                    "reason": rng.choice(("장내매수", "장내매도", "담보계약 체결", "특별관계자 변동")),
                }
            )
    return rows


def _decisions(world: World, corp_code: str, word: str) -> list[tuple[Row, random.Random]]:
    found = world.find("dart_filings", "corp_code", corp_code)
    return [(filing, world.rng("decision", filing["rcept_no"])) for filing in found if word in str(filing["report"])]


@part("dart_capital_increases")
def build_increases(world: World, corp_code: str) -> list[Row]:
    """Decisions to issue new shares, newest first; most companies have none."""
    rows: list[Row] = []
    for filing, rng in _decisions(world, corp_code, "유상증자결정"):
        shares = int(str(world.find("companies", "corp_code", corp_code)[0]["shares"]))
        new = rng.randrange(10, 300) * 10000
        raised = new * rng.randrange(12, 400) * 100
        rows.append(
            filing
            | {"new": f"{new:,}", "par": "500", "before": f"{shares:,}", "facility": f"{raised // 4:,}",
               "working": f"{raised - raised // 4:,}",
               "method": rng.choice(("제3자배정증자", "주주배정후 실권주 일반공모", "일반공모증자"))}
        )  # fmt: skip
    return rows


@part("dart_convertibles")
def build_convertibles(world: World, corp_code: str) -> list[Row]:
    """Decisions to issue convertible bonds, newest first; most companies have none."""
    rows: list[Row] = []
    for order, (filing, rng) in enumerate(_decisions(world, corp_code, "전환사채권발행결정")):
        total = rng.randrange(10, 500) * 10**8
        price = rng.randrange(12, 600) * 100
        day = str(filing["day"])
        tail = f"년 {day[4:6]}월 {day[6:]}일"
        rows.append(
            filing
            | {
                "round": str(order + 1), "bond": "무기명식 이권부 무보증 사모 전환사채", "total": f"{total:,}",
                "working": f"{total:,}", "coupon": f"{rng.choice((0, 0, 1, 2, 3)):.1f}",
                "maturity_rate": f"{rng.randrange(0, 9) / 2:.1f}", "matures": f"{int(day[:4]) + 3}{tail}",
                "method": "사모", "ratio": "100", "price": f"{price:,}", "new": f"{total // price:,}",
                "from": f"{int(day[:4]) + 1}{tail}",
                "until": f"{int(day[:4]) + 3}{tail}",
                "paid": f"{day[:4]}{tail}",
                "floor": f"{price * 7 // 10:,}",
                "share": f"{rng.uniform(1.5, 19):.2f}", "decided": f"{day[:4]}{tail}",
            }
        )  # fmt: skip
    return rows
