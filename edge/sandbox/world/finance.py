"""Companies in, OpenDART's registry, filings and periodic reports out, all under one set of receipt numbers."""

import random
from datetime import date, timedelta

from edge.sandbox.world.people import people
from edge.sandbox.world.seoul_transit import romanise
from edge.sandbox.world.store import Row, World, part, table

REGISTERED = 8000
FIRST_YEAR, LAST_YEAR = 2023, 2025
# report code -> (title, month of the period, months until filed, day filed, share of the year's flow)
REPORTS = {
    "11011": ("사업보고서", 12, 15, 20, 1.0),
    "11012": ("반기보고서", 6, 8, 13, 0.49),
    "11013": ("분기보고서", 3, 5, 14, 0.24),
    "11014": ("분기보고서", 9, 11, 13, 0.74),
}
_EVENTS = (("B", "B001", "주요사항보고서(유상증자결정)", 0.03), ("B", "B001", "주요사항보고서(전환사채권발행결정)", 0.04),
           ("D", "D001", "주식등의대량보유상황보고서(일반)", 0.3), ("D", "D002", "임원ㆍ주요주주특정증권등소유상황보고서", 0.35),
           ("I", "I001", "단일판매ㆍ공급계약체결", 0.16), ("I", "I001", "현금ㆍ현물배당결정", 0.12))  # fmt: skip


# Names of the thousands that nobody asks about; two stems and a trade, so that near namesakes are common.
_STEMS = tuple("가람 경인 광진 금강 나라 대림원 대한빛 동방 로고스 리더 명진 백산 보성 삼우 새한 서진 성우 세종 송원 신성 아진 영진 우성 "
               "유진 은성 이화 일신 정우 제일 진성 창원 천우 청솔 태양 평화 하나로 한울 현진 형제 화성".split())  # fmt: skip
_STEMS_2 = ("", "", "메디", "그린", "하이", "코어", "에코", "월드", "케이", "블루", "테크")
_TRADES = ("산업", "개발", "상사", "테크", "건설", "엔지니어링", "물산", "시스템", "글로벌", "파트너스", "이엔씨", "푸드", "로지스", "인베스트먼트")


@table("dart_corps")
def build_corps(world: World) -> list[Row]:
    """The whole registry by corp_code: the known companies and thousands of unlisted ones that file nothing."""
    rows: list[Row] = list(world.table("companies"))
    rng = world.rng("dart_corps")
    used = {str(row["corp_code"]) for row in rows}
    while len(rows) < REGISTERED:
        code = f"{rng.randrange(101_000, 1_999_999):08d}"
        if code in used:
            continue
        used.add(code)
        name = f"{rng.choice(_STEMS)}{rng.choice(_STEMS_2)}{rng.choice(_TRADES)}"
        modified = date(2017, 6, 30) + timedelta(days=rng.randrange(3200))
        rows.append(
            {
                "corp_code": code,
                "name": name,
                "name_eng": f"{romanise(name)} Co., Ltd.",
                "stock_code": "",
                "modify_date": f"{modified:%Y%m%d}",
                "corp_cls": "E",
            }
        )
    return sorted(rows, key=lambda row: str(row["corp_code"]))


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
            drafts.append(_filing(company, filed, f"{title} ({year}.{month:02d})", "A", f"A00{1 + '1234'.index(code[-1]) % 3}", year, code))
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


def _closing(year: str, report_code: str) -> str:
    month = REPORTS[report_code][1]
    return f"{year}-{month:02d}-{31 if month in (3, 12) else 30}"


_ACCOUNTS = (("BS", "재무상태표", "자산총계", "assets"), ("BS", "재무상태표", "부채총계", "debt"), ("BS", "재무상태표", "자본금", "capital"),
             ("BS", "재무상태표", "자본총계", "equity"), ("IS", "손익계산서", "매출액", "sales"),
             ("IS", "손익계산서", "영업이익", "operating_profit"), ("IS", "손익계산서", "법인세차감전 순이익", "pretax"),
             ("IS", "손익계산서", "당기순이익", "net_income"))  # fmt: skip


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
        for order, (kind, kind_name, account, column) in enumerate(_ACCOUNTS):
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


@part("dart_dividends")
def build_dividends(world: World, corp_code: str, year: str, report_code: str) -> list[Row]:
    """Dividend lines of one report: per-share amounts, payout in percent, yield in percent, '-' where none."""
    filing = report_filing(world, corp_code, year, report_code)
    own = [r for r in world.find("company_finance", "corp_code", corp_code) if r["year"] == year and r["basis"] == "CFS"]
    if filing is None or not own:
        return []
    company = world.find("companies", "corp_code", corp_code)[0]
    rng = world.rng("dividends", corp_code)
    pays = rng.random() < 0.65
    per_share = rng.randrange(5, 260) * 10
    shares = int(str(company["shares"]))
    rows: list[Row] = []
    for name, kind, value in (
        ("주당액면가액(원)", None, lambda y: "500"),
        ("(연결)당기순이익(백만원)", None, lambda y: f"{int(str(own[0]['net_income'])) // 10**6 + y * 137:,}"),
        ("현금배당금총액(백만원)", None, lambda y: f"{shares * (per_share - 10 * y) // 10**6:,}" if pays else "-"),
        ("(연결)현금배당성향(%)", None, lambda y: f"{18 + per_share % 23 + y:.1f}" if pays else "-"),
        ("현금배당수익률(%)", "보통주", lambda y: f"{1 + per_share % 47 / 10 + y / 10:.2f}" if pays else "-"),
        ("주당 현금배당금(원)", "보통주", lambda y: f"{max(10, per_share - 10 * y):,}" if pays else "-"),
    ):
        label, stock, compute = name, kind, value
        rows.append(
            filing
            | {
                "se": label,
                "stock_kind": stock,
                "this": compute(0),
                "prev": compute(1),
                "before": compute(2),
                "closing": _closing(year, report_code),
            }
        )
    return rows


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
                    "closing": _closing(year, report_code),
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
            rows.append(
                {
                    "corp_code": company["corp_code"],
                    "owner": someone.name,
                    "relation": "최대주주 본인" if order == 0 else rng.choice(("배우자", "친인척", "계열회사 임원", "발행회사 임원")),
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
    closing: Row = {"closing": _closing(year, report_code)}
    return [filing | row | closing for row in world.find("company_owners", "corp_code", corp_code)]


@part("dart_audits")
def build_audits(world: World, corp_code: str, year: str, report_code: str) -> list[Row]:
    """Auditor and opinion for the reported year and the two before."""
    filing = report_filing(world, corp_code, year, report_code)
    if filing is None:
        return []
    firms = ("한울회계법인", "서현회계법인", "대주회계법인", "이촌회계법인", "신한회계법인", "우리회계법인", "동아송강회계법인")
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
                "closing": _closing(year, report_code),
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
        rows.append(
            filing
            | {
                "round": str(order + 1), "bond": "무기명식 이권부 무보증 사모 전환사채", "total": f"{total:,}",
                "working": f"{total:,}", "coupon": f"{rng.choice((0, 0, 1, 2, 3)):.1f}",
                "maturity_rate": f"{rng.randrange(0, 9) / 2:.1f}", "matures": f"{int(day[:4]) + 3}년 {day[4:6]}월 {day[6:]}일",
                "method": "사모", "ratio": "100", "price": f"{price:,}", "new": f"{total // price:,}",
                "from": f"{int(day[:4]) + 1}년 {day[4:6]}월 {day[6:]}일", "decided": f"{day[:4]}년 {day[4:6]}월 {day[6:]}일",
            }
        )  # fmt: skip
    return rows
