"""Provinces and districts in, local governments with their settled accounts by fiscal year out."""

import random

from edge.sandbox.world.store import Row, World, table

FIRST_YEAR = 2021
_RICH = ("경기", "인천", "세종", "울산", "부산", "대전")
_FIELDS = (
    *("010 일반공공행정", "020 공공질서및안전", "050 교육", "060 문화및관광", "070 환경", "080 사회복지", "090 보건"),
    *("100 농림해양수산", "110 산업ㆍ중소기업및에너지", "120 교통및물류", "140 국토및지역개발", "150 과학기술"),
    *("160 예비비", "900 기타"),
)
_WEIGHTS = (7, 2, 4, 5, 9, 33, 2, 8, 4, 8, 7, 1, 1, 9)
_SOURCES = (
    *("00000 총괄 1", "11000 지방세 2", "12000 세외수입 2", "21000 지방교부세 2", "22000 조정교부금 2"),
    *("31000 국고보조금 2", "32000 시도비보조금 2", "41000 지방채 2", "42000 보전수입등및내부거래 2"),
)
_SHARES = (100, 24, 6, 21, 6, 26, 7, 1, 9)


@table("local_governments")
def build_governments(world: World) -> list[Row]:
    """Provincial offices and their autonomous cities, counties and districts: laf_cd (7), name, parent, size in 원."""
    rows: list[Row] = []
    for province in world.table("provinces"):
        code, short = str(province["code2"]), province["short"]
        parent = f"{code}00000"
        rows.append({"wide": parent, "wide_name": short, "laf_cd": parent, "name": f"{short}본청", "upper": True})
        seen: set[str] = set()
        for district in world.find("districts", "code2", code):
            # Districts of an ordinary city have no budget of their own: 수원시 장안구 counts as 수원시.
            own = str(district["name"])
            number = str(district["code5"])
            if " " in own:
                own, number = own.split(" ")[0], f"{number[:4]}0"
            if own and number not in seen and own != province["name"]:
                seen.add(number)
                place: Row = {"wide": parent, "wide_name": short, "upper": False}
                rows.append(place | {"laf_cd": f"{number}00", "name": f"{short}{own}"})
    for row in rows:
        rng = world.rng("budget", row["laf_cd"])
        row["budget"] = rng.lognormvariate(30.0 if row["upper"] else 27.35, 0.45)
        row["independence"] = _independence(row, rng)
    return rows


def _independence(row: Row, rng: random.Random) -> float:
    """Percent: the capital region pays for itself, counties hardly at all."""
    name, wide = str(row["name"]), str(row["wide_name"])
    if row["upper"]:
        low, high = (74.0, 80.0) if wide == "서울" else (42.0, 62.0) if wide in _RICH else (24.0, 40.0)
    elif name in ("서울강남구", "서울서초구", "서울중구", "서울종로구"):
        low, high = 42.0, 61.0
    else:
        low, high = (6.5, 20.0) if name.endswith("군") else (13.0, 36.0) if name.endswith("구") else (14.0, 52.0)
    return rng.uniform(low, high)


def _years(world: World) -> range:
    return range(FIRST_YEAR, world.today.year)


@table("fiscal_independence")
def build_independence(world: World) -> list[Row]:
    """Fiscal independence by government and year: own revenue, general account, rate and own-income rate in percent."""
    rows: list[Row] = []
    for year in _years(world):
        for gov in world.table("local_governments"):
            rng = world.rng("independence", year, gov["laf_cd"])
            total = int(float(str(gov["budget"])) * 1.045 ** (year - FIRST_YEAR) * rng.uniform(0.97, 1.03))
            rate = round(float(str(gov["independence"])) * rng.uniform(0.94, 1.05), 2)
            rows.append(
                gov
                | {
                    "fyr": str(year),
                    "own": int(total * rate / 100),
                    "total": total,
                    "rate": rate,
                    "own_rate": round(rate * rng.uniform(1.02, 1.18), 2),
                }
            )
    return rows


@table("functional_spending")
def build_spending(world: World) -> list[Row]:
    """Spending by government, year and field; the fields of a government add up to nearly its general account."""
    rows: list[Row] = []
    for base in world.table("fiscal_independence"):
        rng = world.rng("spending", base["fyr"], base["laf_cd"])
        weights = [weight * rng.uniform(0.6, 1.5) for weight in _WEIGHTS]
        for field, weight in zip(_FIELDS, weights, strict=True):
            code, name = field.split(" ")
            amount = int(int(str(base["total"])) * 0.97 * weight / sum(weights))
            spent: Row = {"programmes": rng.randrange(3, 42), "amount": amount}
            rows.append(base | {"field_code": code, "field": name} | spent)
    return rows


@table("revenue_by_source")
def build_revenue(world: World) -> list[Row]:
    """Settled revenue by government, year and source; level 1 is the sum of the level 2 rows."""
    rows: list[Row] = []
    for base in world.table("fiscal_independence"):
        rng = world.rng("revenue", base["fyr"], base["laf_cd"])
        weights = [share * rng.uniform(0.7, 1.35) for share in _SHARES[1:]]
        total = int(str(base["total"]))
        amounts = [int(total * 1.12 * weight / sum(weights)) for weight in weights]
        for source, amount in zip(_SOURCES, [sum(amounts), *amounts], strict=True):
            code, name, level = source.split(" ")
            rows.append(base | {"source_code": code, "source": name, "level": level} | _accounts(amount))
    return rows


def _accounts(amount: int) -> Row:
    """What came in over all, and less what passed between accounts; both by general, enterprise and other account."""
    enterprise, other = amount // 25, amount // 5
    parts = {"general": amount - enterprise - other, "enterprise": enterprise, "other": other}
    net = {f"net_{name}": part * (94 if name == "general" else 61) // 100 for name, part in parts.items()}
    return {"amount": amount, "net": sum(net.values()), **parts, **net}
