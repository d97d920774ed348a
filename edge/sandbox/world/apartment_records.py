"""Apartment complexes and deals in, their yearly audits, tenders and the detailed list of sales out."""

import random
from datetime import date, timedelta

from edge.sandbox.world.regions import number
from edge.sandbox.world.store import Row, World, part, table

# Complexes of this size have to be audited every year.
_AUDITED_HOUSEHOLDS = 300
_AUDIT_YEARS = 3
_AUDITORS = ("한빛회계법인", "정동회계법인", "가람회계법인", "대성회계법인", "새빛감사반", "우진회계법인")
_BID_DAYS = 800
# Kind of work by code of types 1 to 3, and what the title says.
_WORKS = (
    ("01", "01", "", "위탁관리업체 선정"),
    ("02", "02", "02", "외벽 재도장 공사"),
    ("02", "02", "03", "단지 내 아스콘 포장 공사"),
    ("02", "03", "04", "경비용역업체 선정"),
    ("02", "03", "05", "청소용역업체 선정"),
    ("02", "03", "06", "승강기 유지관리업체 선정"),
    ("02", "03", "10", "저수조 청소업체 선정"),
    ("02", "03", "15", "외부회계감사인 선정"),
    ("02", "04", "13", "CCTV 구입 및 설치"),
    ("02", "05", "16", "단지 보험계약 체결"),
)
_REASONS = ("", "", "최저가 낙찰", "참가업체 부족으로 유찰")
_DAY = "%Y%m%d"
_KEPT = ("kapt_code", "name", "road_address", "lot_address", "code5", "code2")


def _head(home: Row) -> Row:
    return {name: home[name] for name in _KEPT}


@table("apartment_audits")
def build_apartment_audits(world: World) -> list[Row]:
    """One row a large complex and fiscal year, newest first: days, opinion and sums in 원."""
    rows: list[Row] = []
    for home in world.table("apartments"):
        if number(home, "households") < _AUDITED_HOUSEHOLDS:
            continue
        for year in range(world.today.year - 1, world.today.year - 1 - _AUDIT_YEARS, -1):
            rows.append(_head(home) | _audit(world.rng("audit", home["kapt_code"], year), home, year))
    return rows


def _audit(rng: random.Random, home: Row, year: int) -> Row:
    signed = date(year + 1, rng.randrange(1, 3), rng.randrange(1, 28))
    income = int(number(home, "households")) * rng.randrange(1_900_000, 3_400_000)
    cost = int(income * rng.uniform(0.93, 1.02))
    return {
        "fiscal_year": str(year),
        "signed": f"{signed:{_DAY}}",
        "visit_start": f"{signed + timedelta(days=9):{_DAY}}",
        "visit_end": f"{signed + timedelta(days=9 + rng.randrange(1, 4)):{_DAY}}",
        "registered": f"{signed + timedelta(days=rng.randrange(30, 70)):{_DAY}}",
        "from_day": f"{year}0101",
        "to_day": f"{year}1231",
        "opinion": rng.choices(("적정", "한정", "의견거절"), (94, 5, 1))[0],
        "auditor": rng.choice(_AUDITORS),
        "fee": str(rng.randrange(12, 60) * 100_000),
        "income": str(income),
        "cost": str(cost),
        "other_income": str(income // rng.randrange(18, 60)),
        "profit": str(income - cost),
        "counted": str(home["households"]),
    }


@table("apartment_bids")
def build_apartment_bids(world: World) -> list[Row]:
    """Tenders of the last two years, newest first: bid number (17 digits), codes of work and manner, days."""
    rows: list[Row] = []
    for home in world.table("apartments"):
        rng = world.rng("bids", home["kapt_code"])
        for _ in range(rng.choice((0, 1, 2, 3, 4))):
            day = world.today - timedelta(days=rng.randrange(_BID_DAYS))
            rows.append(_head(home) | _bid(world, rng, home, day))
    return sorted(rows, key=lambda row: str(row["bid"]), reverse=True)


def _bid(world: World, rng: random.Random, home: Row, day: date) -> Row:
    first, second, third, work = rng.choice(_WORKS)
    closes = day + timedelta(days=rng.randrange(7, 15))
    over = closes < world.today
    way = rng.choice(("00", "01", "01"))
    return {
        "bid": f"{day:{_DAY}}{rng.randrange(10**9):09d}",
        "title": f"{home['name']} {work} 입찰공고",
        "content": f"{home['road_address']} {home['name']} {work} 건을 아래와 같이 공고합니다.",
        "posted": f"{day:{_DAY}}",
        "closes": f"{closes:{_DAY}}",
        "deadline": f"{closes:{_DAY}} 1800",
        "docs_deadline": f"{closes - timedelta(days=1):{_DAY}} 1800",
        "visit_day": f"{day + timedelta(days=3):{_DAY}} 1400",
        "state": rng.choice(("4", "5", "5", "6", "8")) if over else rng.choice(("1", "1", "1", "2", "3")),
        "year": str(day.year),
        "source": "01" if way == "01" else rng.choice(("01", "02", "03", "99")),
        "kind": rng.choice(("01", "02", "02")),
        "type1": first,
        "type2": second,
        "type3": third,
        "way": way,
        "award": rng.choice(("02", "02", "03")) if way == "00" else rng.choice(("03", "05", "05")),
        "urgent": "Y" if rng.random() < 0.06 else "N",
        "reason": rng.choice(_REASONS) if over else "",
        "file": str(rng.randrange(1_000_000, 9_999_999)),
    }


@part("apt_trade_details")
def build_apt_trade_details(world: World, code5: str, month: str) -> list[Row]:
    """Sales of a district and month with the codes of their building; land is 1 on ordinary ground."""
    rows: list[Row] = []
    for deal in world.part("apt_trades", code5, month):
        home = world.find("apartments", "kapt_code", deal["kapt_code"])[0]
        main, _, sub = str(home["jibun"]).partition("-")
        rows.append(
            deal
            | {
                "umd5": str(home["code10"])[5:],
                "land": "1",
                "bonbun": main.zfill(4),
                "bubun": (sub or "0").zfill(4),
                "road_code": str(home["road_code"])[5:],
                "road_main": f"{int(number(home, 'main_no')):05d}",
            }
        )
    return rows
