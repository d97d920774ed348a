"""Regions and invented names in, one list of companies out, with every number system that identifies one."""

import random
from datetime import date, timedelta

from edge.sandbox.world.people import person
from edge.sandbox.world.reading import read_yaml
from edge.sandbox.world.store import Row, World, table

LISTED = 300
UNLISTED = 1200
FINANCE_YEARS = range(2021, 2026)

_FIRST = str(read_yaml("companies.yaml")["first"]).split()
_FIRST_EN = str(read_yaml("companies.yaml")["first_en"]).split()
# Field of business: name, English, industry code (KSIC), weight of size.
_FIELDS = (
    ("전자", "Electronics", "26410"),
    ("반도체", "Semiconductor", "26110"),
    ("제약", "Pharm", "21210"),
    ("바이오", "Bio", "21102"),
    ("화학", "Chemical", "20119"),
    ("소재", "Materials", "24290"),
    ("건설", "Construction", "41221"),
    ("중공업", "Heavy Industries", "31111"),
    ("정밀", "Precision", "27211"),
    ("모빌리티", "Mobility", "30399"),
    ("에너지", "Energy", "35114"),
    ("식품", "Foods", "10741"),
    ("유통", "Retail", "47111"),
    ("물류", "Logistics", "52109"),
    ("해운", "Shipping", "50112"),
    ("통신", "Telecom", "61220"),
    ("소프트", "Soft", "58222"),
    ("엔터", "Entertainment", "59114"),
    ("증권", "Securities", "66121"),
    ("홀딩스", "Holdings", "64992"),
)
_OLDEST = date(1962, 3, 2)
# Numbers that documents and clients use as their examples belong to invented companies here.
_KNOWN: tuple[dict[str, str], ...] = (
    {"corp_code": "00126380", "stock_code": "005930", "crno": "1301110006246", "bizr_no": "1248100998"},
    {"corp_code": "00164779", "stock_code": "000660"},
    {"corp_code": "00164742", "stock_code": "005380"},
    {"corp_code": "00258801", "stock_code": "035720"},
    {"corp_code": "00266961", "stock_code": "035420"},
)


def isin(stock_code: str) -> str:
    """ISIN of a common share: KR7 + six digits + 00 and the ISO 6166 check digit."""
    body = f"KR7{stock_code}00"
    digits = "".join(str(int(char, 36)) for char in body)
    total = 0
    for position, char in enumerate(reversed(digits)):
        value = int(char) * (2 if position % 2 == 0 else 1)
        total += value // 10 + value % 10
    return f"{body}{-total % 10}"


@table("companies")
def build_companies(world: World) -> list[Row]:
    """corp_code, stock_code ("" if unlisted), isin, crno (13), bizr_no (10), names, market, address, size in 원."""
    rng = world.rng("companies")
    dongs = [row for row in world.table("dongs") if str(row["dong"]).endswith(("동", "가"))]
    capital = [row for row in dongs if row["code2"] in ("11", "41")]
    pairs = [(first, field) for first in range(len(_FIRST)) for field in range(len(_FIELDS))]
    rng.shuffle(pairs)
    stock_codes = rng.sample(range(1_000, 48_000), LISTED)
    corp_codes = rng.sample(range(101_000, 1_900_000), LISTED + UNLISTED)
    rows: list[Row] = []
    for number in range(LISTED + UNLISTED):
        first, field = pairs[number % len(pairs)]
        # The second round of the same pair gets a region in front, as namesakes do.
        place = rng.choice(capital if rng.random() < 0.7 else dongs)
        prefix = "" if number < len(pairs) else str(place["sido_short"])
        stock = f"{stock_codes[number] * 10:06d}" if number < LISTED else ""
        rows.append(_company(rng, f"{corp_codes[number]:08d}", stock, (first, field, prefix), place))
    for numbers, row in zip(_KNOWN, (row for row in rows if row["market"] == "KOSPI"), strict=False):
        row |= numbers | {"isin": isin(numbers["stock_code"])}
    return rows


def _company(rng: random.Random, corp_code: str, stock: str, naming: tuple[int, int, str], place: Row) -> Row:
    first, field, prefix = naming
    word, word_en, industry = _FIELDS[field]
    name = f"{prefix}{_FIRST[first]}{word}"
    founded = _OLDEST + timedelta(days=rng.randrange(20_000))
    market = rng.choices(("KOSPI", "KOSDAQ", "KONEX"), (40, 55, 5))[0] if stock else ""
    # 단위 원; a lognormal gives a few giants and many small ones.
    sales = int(rng.lognormvariate(26.5 if market == "KOSPI" else 24.8 if stock else 23.2, 1.1)) // 1000 * 1000
    return {
        "corp_code": corp_code,
        "stock_code": stock,
        "isin": isin(stock) if stock else "",
        "crno": f"{rng.choice(('1101', '1311', '1801', '1201', '1501'))}11{rng.randrange(10**7):07d}",
        "bizr_no": f"{rng.randrange(101, 620)}{rng.choice(('81', '86', '87', '88'))}{rng.randrange(10**5):05d}",
        "name": name,
        "formal_name": f"{name}(주)" if rng.random() < 0.6 else f"(주){name}",
        "name_eng": f"{_FIRST_EN[first]} {word_en} Co., Ltd.",
        "stock_name": name if stock else "",
        "ceo": person(rng).name,
        "market": market,
        "corp_cls": {"KOSPI": "Y", "KOSDAQ": "K", "KONEX": "N"}.get(market, "E"),
        "industry_code": industry,
        "industry_name": word,
        "est_date": founded.strftime("%Y%m%d"),
        "acc_month": "12" if rng.random() < 0.93 else rng.choice(("03", "06", "09")),
        "address": f"{place['full_name']} {rng.randrange(1, 900)}",
        "sido": place["sido"],
        "code5": place["code5"],
        "employees": max(5, int(sales / rng.uniform(3e8, 9e8))),
        "sales": sales,
        "capital": max(50_000_000, sales // rng.randrange(12, 60) // 500 * 500),
        "shares": max(100_000, sales // rng.randrange(9_000, 60_000)) if stock else 0,
        "modify_date": (date(2024, 1, 2) + timedelta(days=rng.randrange(700))).strftime("%Y%m%d"),
    }


@table("company_finance")
def build_company_finance(world: World) -> list[Row]:
    """One row a company, business year and basis (CFS consolidated, OFS separate), amounts as ints in 원."""
    rows: list[Row] = []
    for company in world.table("companies"):
        code = str(company["corp_code"])
        rng = world.rng("company_finance", code)
        if not company["stock_code"] and rng.random() < 0.55:
            continue  # Small companies file nothing.
        rows.extend(_statements(rng, company))
    return rows


def _statements(rng: random.Random, company: Row) -> list[Row]:
    sales = float(str(company["sales"]))
    debt_share, margin = rng.uniform(0.2, 0.75), rng.uniform(-0.06, 0.18)
    bases = ("CFS", "OFS") if company["stock_code"] else ("OFS",)
    rows: list[Row] = []
    for year in FINANCE_YEARS:
        sales *= rng.uniform(0.88, 1.2)
        profit = sales * (margin + rng.uniform(-0.03, 0.03))
        assets = sales * rng.uniform(0.9, 1.5)
        for basis in bases:
            share = 1.0 if basis == "CFS" else rng.uniform(0.72, 0.97)
            total, debt = int(assets * share), int(assets * share * debt_share)
            rows.append(
                {
                    "corp_code": company["corp_code"],
                    "stock_code": company["stock_code"],
                    "crno": company["crno"],
                    "year": str(year),
                    "basis": basis,
                    "base_date": f"{year}1231",
                    "sales": int(sales * share),
                    "operating_profit": int(profit * share),
                    "pretax": int(profit * share * 0.97),
                    "net_income": int(profit * share * 0.76),
                    "assets": total,
                    "debt": debt,
                    "equity": total - debt,
                    "capital": company["capital"],
                    "debt_ratio": round(100 * debt / max(1, total - debt), 6),
                }
            )
    return rows
