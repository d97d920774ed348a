"""Companies and kinds of medicine in, products with their leaflets out."""

import random
from datetime import date, timedelta

from edge.sandbox.world.reading import mapping, read_yaml, texts
from edge.sandbox.world.store import Row, World, table

_MAKERS = ("제약", "바이오", "화학", "식품")
_OPENED = date(2020, 9, 1)
_LEAFLET = ("effect", "usage", "warning", "caution", "mixing", "side")
_STORAGE = "습기와 빛을 피해 실온에 두고 어린이 손이 닿지 않게 하십시오."


@table("medicines")
def build_medicines(world: World) -> list[Row]:
    """item (9 digits), name, maker, six texts of the leaflet (null where there is nothing to say) and days."""
    kinds = mapping(read_yaml("medicines.yaml")["kinds"])
    rows: list[Row] = []
    for company in world.table("companies"):
        if company["industry_name"] not in _MAKERS:
            continue
        rng = world.rng("medicines", company["corp_code"])
        for _ in range(rng.randrange(1, 5)):
            rows.append(_product(world, rng, company, mapping(kinds[rng.choice(list(kinds))]), len(rows)))
    return rows


def _product(world: World, rng: random.Random, company: Row, kind: dict[str, object], count: int) -> Row:
    name = f"{str(company['name'])[:2]}{rng.choice(texts(kind['names']))}{rng.choice(texts(kind['forms']))}"
    strength = rng.choice(("", "", "100밀리그램", "200밀리그램", "500밀리그램"))
    opened = _OPENED + timedelta(days=rng.randrange((world.today - _OPENED).days - 30))
    updated = opened + timedelta(days=rng.randrange((world.today - opened).days))
    item = f"{rng.randrange(1985, 2025)}{count:05d}"
    picture = f"https://nedrug.mfds.go.kr/pbp/cmn/itemImageDownload/{rng.randrange(10**11):011d}"
    return {column: str(kind[column]) or None for column in _LEAFLET} | {
        "item": item,
        "name": f"{name}{strength}",
        "maker": company["formal_name"],
        "bizr_no": company["bizr_no"],
        "storage": _STORAGE,
        "opened": f"{opened} 00:00:00",
        "opened_day": f"{opened:%Y%m%d}",
        "updated": f"{updated}",
        "updated_day": f"{updated:%Y%m%d}",
        "image": picture if rng.random() < 0.5 else None,
    }
