"""Housing index tables of the real estate board in, regions by its own codes and monthly figures out."""

from datetime import date

from edge.sandbox.world.lazy import mix
from edge.sandbox.world.store import Row, World, part, table

# id|name|cycle|unit|value: the ids are real, every figure is invented. One table comes in two cycles at once.
_TABLES = (
    "A_2024_00045|(월) 매매가격지수_아파트|MM|지수|100",
    "A_2024_00050|(월) 전세가격지수_아파트|MM|지수|98",
    "A_2024_00178|(월) 매매가격지수_종합|MM|지수|99",
    "A_2024_00182|(월) 전세가격지수_종합|MM|지수|98",
    "A_2024_00188|(월) 월세통합가격지수_종합|MM|지수|104",
    "A_2024_00188_1|(월) 평균매매가격_종합|MM|천원|395000",
    "A_2024_00202|(월) 아파트 매매 거래현황|MM|호|41000",
    "A_2024_00300|(분기) 오피스텔 매매가격지수|QY|지수|97",
    "A_2024_00310|(분기) 상업용부동산 공실률_오피스|QY|%|8.9",
    "A_2024_00320|(분기) 상업용부동산 임대료_오피스|QY|천원/㎡|18.4",
    "A_2024_00900|(연) 지역별 지가지수|YY|지수|100",
    "A_2024_00901|(월) 지역별 지가지수|QY,MM|지수|100",
    "T253233138851223|(연) 용도지역별 지가지수|YY|지수|100",
    "A_2024_00850|(주) 매매가격지수_아파트|WK|지수|100",
)
_CYCLE_NAMES = {"MM": "매월", "QY": "분기", "YY": "매년", "WK": "매주", "QY,MM": "분기, 매월"}
_FIRST_YEAR = 2021
_FIRST_CODE = 500_001


@table("index_tables")
def build_index_tables(world: World) -> list[Row]:
    """Tables by their place in the catalogue: id, name, cycle code and name, first and last year, unit."""
    rows: list[Row] = []
    for order, line in enumerate(_TABLES):
        code, name, cycle, unit, value = line.split("|")
        rows.append(
            {
                "id": code,
                "name": name,
                "cycle": cycle,
                "cycle_name": _CYCLE_NAMES[cycle],
                "unit": unit,
                "value": float(value),
                "survey": f"S{227720243 + order // 3}",
                "first": str(_FIRST_YEAR),
                "last": str(world.today.year - (cycle == "YY")),
                "order": 304_001 + order,
            }
        )
    return rows


@table("index_regions")
def build_index_regions(world: World) -> list[Row]:
    """The whole country, provinces and districts under codes that no other office uses."""
    names = ["전국", *(str(row["name"]) for row in world.table("provinces"))]
    names += [str(row["full_name"]) for row in world.table("districts")]
    return [{"cls": str(_FIRST_CODE + order), "cls_name": name} for order, name in enumerate(dict.fromkeys(names))]


def _times(world: World, cycle: str) -> list[str]:
    last = world.today
    months = [
        date(year, month, 1)
        for year in range(_FIRST_YEAR, last.year + 1)
        for month in range(1, 13)
        if date(year, month, 1) < last.replace(day=1)
    ]
    if cycle == "YY":
        return [str(year) for year in range(_FIRST_YEAR, last.year)]
    if cycle == "QY":
        return [f"{day.year}{day.month // 3:02d}" for day in months if day.month % 3 == 0]
    return [f"{day:%Y%m}" for day in months]


@part("index_figures")
def build_figures(world: World, table_id: str, cycle: str) -> list[Row]:
    """Figures of one table in one of its cycles, oldest first; two dozen weeks where it is weekly."""
    found = world.find("index_tables", "id", table_id)
    if not found or cycle not in str(found[0]["cycle"]).split(","):
        return []
    own = found[0]
    weekly = cycle == "WK"
    times = [f"{world.today.year}{week:02d}" for week in range(1, 25)] if weekly else _times(world, cycle)
    key = sum(ord(char) * (n + 3) for n, char in enumerate(table_id))
    rows: list[Row] = []
    for step, time in enumerate(times):
        for region in world.table("index_regions"):
            level = mix(world.seed + key, int(str(region["cls"]))) % 2000 / 10_000 + 0.9
            wave = mix(world.seed + key + step, int(str(region["cls"]))) % 1000 / 50_000
            value = float(str(own["value"])) * (level + 0.0012 * step + wave)
            rows.append(region | {"table": table_id, "cycle": cycle, "time": time, "value": round(value, 4)})
            rows[-1] |= {"item": "100001", "item_name": own["unit"], "unit": own["unit"]}
    return rows
