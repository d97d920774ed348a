"""Buildings in, apartment complexes and their monthly deals out."""

import calendar
import random
from datetime import date
from typing import cast

from edge.sandbox.world.buildings import site, stem
from edge.sandbox.world.regions import number
from edge.sandbox.world.store import Row, World, part, table

_BRANDS = (
    "한솔마을", "늘푸른", "그린빌", "파크뷰", "센트럴", "리버사이드", "미래타운", "해오름", "청구마을", "우성빌",
    "아름마을", "햇살마을", "더샘", "포레스트", "스카이뷰", "에코시티",
)  # fmt: skip
_OFFICETELS = ("오피스텔", "시티빌", "메트로타워", "스퀘어", "트윈타워", "더하우스")
_AREAS = (39.84, 49.77, 59.92, 59.97, 74.53, 84.82, 84.97, 101.87, 114.93, 134.88)
# 만원 a square metre by province; Seoul districts south of the river are far above it.
_PRICE = {"11": 1250, "41": 700, "28": 560, "26": 520, "36": 560, "30": 440, "27": 430, "31": 420, "29": 390, "50": 480}
_DEAR = {"11680": 2.1, "11650": 2.0, "11710": 1.6, "11170": 1.7, "11440": 1.25, "11200": 1.4, "41135": 1.8}
_FIRST_YEAR = 2020


@table("apartments")
def build_apartments(world: World) -> list[Row]:
    """kapt_code (A + 8 digits), name, addresses, size, year, prices and the trade sequence code apt_seq."""
    rows: list[Row] = []
    for dong in world.table("dongs"):
        rng = world.rng("apartments", dong["code10"])
        rural = str(dong["dong"]).endswith(("읍", "면"))
        names: set[str] = set()
        for _ in range(rng.choice((0, 1, 1)) if rural else rng.choice((0, 1, 2, 2, 3, 4))):
            name = f"{stem(str(dong['dong']))}{rng.choice(_BRANDS)}"
            if rng.random() < 0.3:
                name += f"{rng.randrange(1, 4)}단지"
            if name not in names:
                names.add(name)
                rows.append(_complex(rng, name, dong, site(world, dong["code10"], rng), len(rows)))
    return rows


def _complex(rng: random.Random, name: str, dong: Row, place: Row, count: int) -> Row:
    code5 = str(dong["code5"])
    year = rng.randrange(1985, 2025)
    price = _PRICE.get(code5[:2], 330) * _DEAR.get(code5, 1.0) * rng.uniform(0.75, 1.3) * (0.8 + (year - 1985) / 100)
    blocks = rng.randrange(1, 18)
    used = date(year, rng.randrange(1, 13), rng.randrange(1, 28))
    keep = ("code10", "code5", "sido", "sigungu", "dong", "road", "road_code", "main_no", "jibun")
    keep += ("road_address", "lot_address")

    return {column: place[column] for column in keep} | {
        "code2": code5[:2],
        "kapt_code": f"A{10_000_000 + count * 2711 + rng.randrange(2000)}",
        "name": name,
        "households": blocks * rng.randrange(40, 110),
        "blocks": blocks,
        "year": year,
        "used": f"{used:%Y%m%d}",
        "parking_ground": blocks * rng.randrange(4, 30),
        "parking_under": blocks * rng.randrange(0, 90),
        "subway": rng.choice(("", "5분이내", "5~10분이내", "10~15분이내")),
        "school": f"초등학교({stem(str(dong['dong']))}초등학교)",
        "heating": rng.choice(("지역난방", "개별난방", "중앙난방")),
        "hall": rng.choice(("계단식", "복도식", "혼합식")),
        "top": rng.randrange(5, 40),
        "apt_seq": f"{code5}-{count % 4000 + 1}",
        "lon": place["lon"],
        "lat": place["lat"],
        "areas": tuple(sorted(rng.sample(_AREAS, 3))),
        "price": price,
    }


def closed_month(world: World, month: str) -> date | None:
    """First day of a 6-digit month whose deals are out (up to last month); None otherwise."""
    if len(month) != 6 or not month.isdigit() or not 1 <= int(month[4:]) <= 12:
        return None
    first = date(int(month[:4]), int(month[4:]), 1)
    return first if first.year >= _FIRST_YEAR and first < world.today.replace(day=1) else None


def _deals(world: World, kind: str, code5: str, month: str, mean: float) -> list[tuple[random.Random, Row, date]]:
    """(generator, complex, day) of each deal of a district and month, by day."""
    first = closed_month(world, month)
    if first is None:
        return []
    length = calendar.monthrange(first.year, first.month)[1]
    deals: list[tuple[random.Random, Row, date]] = []
    for home in world.find("apartments", "code5", code5):
        rng = world.rng(kind, home["kapt_code"], month)
        for _ in range(int(mean * rng.random() * (1 + number(home, "households") / 130))):
            deals.append((rng, home, first.replace(day=rng.randrange(1, length + 1))))
    return sorted(deals, key=lambda deal: deal[2])


def _area(rng: random.Random, home: Row) -> float:
    return rng.choice(cast("tuple[float, ...]", home["areas"]))


def _trend(first: date) -> float:
    return 1 + (first.year - 2023) * 0.03 + first.month * 0.002


@part("apt_trades")
def build_apt_trades(world: World, code5: str, month: str) -> list[Row]:
    """Sales of a district (5 digits) and month: amount in 만원 as text with commas; cancelled ones stay."""
    rows: list[Row] = []
    for rng, home, day in _deals(world, "apt_trades", code5, month, 0.8):
        area = _area(rng, home)
        amount = round(number(home, "price") * area * _trend(day) * rng.uniform(0.92, 1.08) / 50) * 50
        cancelled = rng.random() < 0.03
        block = rng.randrange(1, int(number(home, "blocks")) + 1)
        rows.append(
            _deal(home, day, area, rng)
            | {
                "amount": f"{amount:,}",
                "cancelled": "O" if cancelled else "",
                "cancel_day": f"{day:%y.%m}.28" if cancelled else "",
                "how": "직거래" if rng.random() < 0.07 else "중개거래",
                "block": f"{100 + block}" if rng.random() < 0.4 else "",
                "broker": f"{home['sido']} {home['sigungu']}".replace("특별시", "").replace("광역시", ""),
                "registered": "",
                "buyer": "개인",
            }
        )
    return rows


def _deal(home: Row, day: date, area: float, rng: random.Random) -> Row:
    return {
        "code5": home["code5"],
        "dong": home["dong"],
        "jibun": home["jibun"],
        "name": home["name"],
        "kapt_code": home["kapt_code"],
        "apt_seq": home["apt_seq"],
        "road": home["road"],
        "deal_year": str(day.year),
        "deal_month": str(day.month),
        "deal_day": str(day.day),
        "area": f"{area:.2f}",
        "floor": str(rng.randrange(1, int(number(home, "top")) + 1)),
        "built": str(home["year"]),
    }


@part("apt_rents")
def build_apt_rents(world: World, code5: str, month: str) -> list[Row]:
    """Leases of a district and month: deposit with commas, monthly rent as a plain number, both in 만원."""
    rows: list[Row] = []
    for rng, home, day in _deals(world, "apt_rents", code5, month, 1.0):
        area = _area(rng, home)
        deposit = number(home, "price") * area * 0.55 * rng.uniform(0.85, 1.1)
        monthly = 0
        if rng.random() < 0.42:
            share = rng.uniform(0.05, 0.5)
            monthly = round(deposit * (1 - share) * 0.05 / 12)
            deposit *= share
        end = day.replace(year=day.year + 2, day=1)
        kind = rng.choice(("신규", "갱신", ""))
        renewed = kind == "갱신"
        rows.append(
            _deal(home, day, area, rng)
            | {
                "deposit": f"{max(500, round(deposit / 100) * 100):,}",
                "monthly": str(monthly),
                "term": f"{day:%y.%m}~{end:%y.%m}",
                "type": kind,
                "right": "사용" if renewed and rng.random() < 0.6 else "",
                # What was paid before is told of renewals only.
                "deposit_before": f"{max(500, round(deposit / 104) * 100):,}" if renewed else "",
                "monthly_before": str(round(monthly / 1.04)) if renewed else "",
            }
        )
    return rows


@part("officetel_trades")
def build_officetel_trades(world: World, code5: str, month: str) -> list[Row]:
    """Officetel sales, fewer and smaller than apartment ones."""
    rows: list[Row] = []
    for rng, home, day in _deals(world, "officetel_trades", code5, month, 0.25):
        area = round(rng.uniform(18, 62), 2)
        amount = round(number(home, "price") * area * 0.7 * _trend(day) * rng.uniform(0.9, 1.1) / 50) * 50
        rows.append(
            _deal(home, day, area, rng)
            | {
                "name": f"{stem(str(home['dong']))}{_OFFICETELS[int(number(home, 'blocks')) % len(_OFFICETELS)]}",
                "amount": f"{amount:,}",
                "cancelled": "",
                "cancel_day": "",
                "how": "중개거래",
                "sgg_name": home["sigungu"],
                "broker": f"{home['sido']} {home['sigungu']}".replace("특별시", "").replace("광역시", ""),
                "seller": rng.choice(("개인", "개인", "법인")),
                "buyer": rng.choice(("개인", "개인", "법인")),
            }
        )
    return rows
