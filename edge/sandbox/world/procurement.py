"""Local governments, schools offices and foundations in, tender notices of the last three months out."""

import random
from datetime import datetime, timedelta

from edge.sandbox.world.calendar import trading_days
from edge.sandbox.world.reading import read_yaml, split, texts
from edge.sandbox.world.store import Row, World, table

_KEPT_DAYS = 92
_PER_DAY = 80
_DIVISIONS = ("물품", "공사", "용역", "외자", "기타")
_WEIGHTS = (30, 27, 38, 2, 3)
_STOCK = read_yaml("procurement.yaml")
# Whoever does not tender alone lets the procurement service do it.
_CENTRAL: Row = {"code": "1230000", "name": "조달청", "sido": "대전광역시", "code2": "30"}
_MINUTE, _SECOND = "%Y%m%d%H%M", "%Y-%m-%d %H:%M:%S"


@table("bid_agencies")
def build_agencies(world: World) -> list[Row]:
    """code (7 characters: 6/3/7 + digits, or Z and digits), name, sido, code2 of everyone who tenders."""
    rows: list[Row] = [dict(_CENTRAL)]
    for order, province in enumerate(world.table("provinces")):
        place: Row = {"sido": province["name"], "code2": province["code2"]}
        rows.append(place | {"code": f"6{province['code2']}0000", "name": province["name"]})
        rows.append(place | {"code": f"{7_010_000 + order * 10_000}", "name": f"{province['name']}교육청"})
        rows.append(place | {"code": f"Z{1_340 + order * 7:06d}", "name": f"재단법인{province['short']}테크노파크"})
    for order, district in enumerate(world.table("districts")):
        place = {"sido": district["sido"], "code2": district["code2"]}
        rows.append(place | {"code": f"{3_000_000 + order * 10_000}", "name": district["full_name"]})
    return rows


@table("bid_notices")
def build_notices(world: World) -> list[Row]:
    """One row a notice, oldest first: number and order, division, names, agencies, stamps, amounts, linked numbers."""
    rng = world.rng("bid_notices")
    agencies = world.table("bid_agencies")
    now = world.now.replace(tzinfo=None)
    rows: list[Row] = []
    serial = 700_000 + rng.randrange(1000)
    for day in trading_days(world, world.today - timedelta(days=_KEPT_DAYS), world.today):
        stamps = sorted(
            datetime(day.year, day.month, day.day, 8) + timedelta(seconds=rng.randrange(36_000))
            for _ in range(_PER_DAY)
        )
        for stamp in stamps:
            serial += rng.randrange(1, 9)
            if stamp <= now:
                rows.append(_notice(rng, serial, stamp, agencies, now))
    return rows


def _notice(rng: random.Random, serial: int, stamp: datetime, agencies: list[Row], now: datetime) -> Row:
    division = rng.choices(_DIVISIONS, _WEIGHTS)[0]
    demand = rng.choice(agencies)
    agency = demand if rng.random() < 0.8 else _CENTRAL
    item, product, product_name = (*split(rng.choice(texts(_STOCK[division]))), "", "")[:3]
    # 단위 원, without value added tax.
    estimate = int(rng.lognormvariate(19.6 if division == "공사" else 18.3, 1.0)) // 1000 * 1000
    code = f"{serial:08d}"
    year = f"{stamp:%y}"
    limited = division not in ("외자", "기타") and rng.random() < 0.75
    local = rng.random() < 0.4
    licence = rng.choice(_licences(division)) if limited else ""
    return _stamps(rng, stamp, now) | {
        "no": f"R{year}BK{code}",
        "ord": rng.choices(("000", "001"), (92, 8))[0],
        "division": division,
        "name": f"{stamp.year}년 {demand['name']} {item}" + (" 구매" if division == "물품" else ""),
        "agency_code": agency["code"],
        "agency": agency["name"],
        "demand_code": demand["code"],
        "demand": demand["name"],
        "estimate": str(estimate),
        "estimate_order": f"{estimate:015d}",
        "vat": str(estimate // 10),
        "budget": str(estimate + estimate // 10),
        "contract_method": rng.choices(texts(_STOCK["methods"]), (45, 22, 30, 3))[0],
        "award_method": rng.choice(texts(_STOCK["awards"])),
        "ref_no": f"{agency['code']}-{stamp.year}-{serial % 997}",
        "spec_no": f"R{year}BD{int(code) - 631_000:08d}",
        "plan_no": f"R{year}DD{int(code) + 19_400_000:08d}",
        "request_no": f"R{year}DC{int(code) // 7:08d}" if agency["code"] != demand["code"] else "",
        "unty_no": f"R{year}BM{int(code) - 402_000:08d}",
        "region_code": demand["code2"] if local else "00",
        "region": demand["sido"] if local else "전국",
        "limited": "Y" if limited else "N",
        "licence": licence,
        "industry": licence.partition("/")[0],
        "industry_code": licence.partition("/")[2],
        "product": product,
        "product_name": product_name,
        "international": "2" if division == "외자" else "1",
        "mas": "Y" if division == "물품" and rng.random() < 0.08 else "N",
        "ordered_online": division == "용역" and rng.random() < 0.6,
        "amended": rng.random() < 0.35,
        "published": division in ("물품", "공사", "용역") and rng.random() < 0.85,
    }


def _licences(division: str) -> list[str]:
    groups = _STOCK["licences"]
    return texts(groups[division]) if isinstance(groups, dict) else []  # pyright: ignore[reportUnknownArgumentType]


def _stamps(rng: random.Random, stamp: datetime, now: datetime) -> Row:
    begin = (stamp + timedelta(days=rng.randrange(1, 4))).replace(hour=10, minute=0, second=0)
    close = (begin + timedelta(days=rng.randrange(2, 15))).replace(hour=rng.randrange(10, 17))
    opening = close + timedelta(hours=1)
    changed = min(stamp + timedelta(hours=rng.randrange(2, 90)), now)
    return {
        "noticed": f"{stamp:{_SECOND}}",
        "begins": f"{begin:{_SECOND}}",
        "closes": f"{close:{_SECOND}}",
        "opens": f"{opening:{_SECOND}}",
        "changed": f"{changed:{_SECOND}}",
        "qualified": f"{close - timedelta(days=1):%Y-%m-%d} 18:00",
        "noticed_at": f"{stamp:{_MINUTE}}",
        "opens_at": f"{opening:{_MINUTE}}",
        "changed_at": f"{changed:{_MINUTE}}",
        # What `leave closed ones out` (Y or N) may say of this row.
        "open_flags": "Y,N" if close > now else "N",
        "over": opening <= now,
    }
