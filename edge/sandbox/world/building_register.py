"""Buildings and apartments in, title entries of the building register out, by the parts of a lot number."""

from datetime import date, timedelta

from edge.sandbox.world.regions import number
from edge.sandbox.world.store import Row, World, table
from edge.sandbox.world.weather import noise

_PURPOSES = ("제2종근린생활시설", "업무시설", "단독주택", "제1종근린생활시설", "숙박시설", "교육연구시설")
_OLDEST = date(1972, 1, 1)


def _lot(jibun: str) -> Row:
    main, _, sub = jibun.partition("-")
    # 0 plain lot, 1 mountain, 2 block; only plain ones are here. Sales call a plain lot 1 instead.
    return {"ground": "0", "bun": main.zfill(4), "ji": (sub or "0").zfill(4)}


def _entry(place: Row, name: object, purpose: str, floors: int, area: float, approved: str) -> Row:
    code = str(place["code10"])
    return _lot(str(place["jibun"])) | {
        "code5": code[:5],
        "dong5": code[5:],
        "name": name,
        "lot_address": f"{place['lot_address']}번지",
        "road_address": f" {place['road_address']} ({place['dong']})",
        "purpose": purpose,
        "floors": str(floors),
        "basements": str(max(0, floors // 6)),
        "area": f"{area:.2f}",
        "approved": approved,
    }


@table("building_register")
def build_register(world: World) -> list[Row]:
    """code5 and dong5 (the two halves of a legal-dong code), lot parts with zeros, names, use, floors, area in m2."""
    rows: list[Row] = []
    for place in world.table("buildings"):
        draw, size = noise(world.seed, "register", place["bd_code"]), noise(world.seed, "floors", place["bd_code"])
        day = _OLDEST + timedelta(days=int(draw * 18_500))
        floors = 1 + int(size**3 * 24)
        purpose = _PURPOSES[int(draw * 1000) % len(_PURPOSES)]
        rows.append(_entry(place, place["bd_name"], purpose, floors, floors * (80 + 700 * draw), f"{day:%Y%m%d}"))
    for home in world.table("apartments"):
        area = number(home, "households") * 108.0
        rows.append(
            _entry(home, f"{home['name']}아파트", "공동주택", int(number(home, "top")), area, str(home["used"]))
        )
    for order, row in enumerate(rows):
        row["key"] = f"{row['code5']}-{100_000_000 + order * 7}"
    return rows
