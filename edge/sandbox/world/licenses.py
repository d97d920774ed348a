"""Districts and buildings in, licensed cleaning firms of buildings with the register's own metres out."""

import random
from datetime import timedelta

from edge.sandbox.world.buildings import site, stem
from edge.sandbox.world.coordinates import tm_middle
from edge.sandbox.world.regions import number, read_csv
from edge.sandbox.world.store import Row, World, table

# Register states: code, name, detail code, detail name.
_STATES = (
    ("01", "영업/정상", "01", "영업"),
    ("02", "휴업", "02", "휴업"),
    ("03", "폐업", "03", "폐업"),
)
_WORDS = ("크린", "환경", "그린", "종합관리", "클린업", "위생")
# The register keeps EPSG:5174 (Bessel); against the new datum its points lie about this far off, in metres.
_SHIFT = (-71.0, -307.0)
_OLDEST_DAYS = 11_000


def old_metres(lon: float, lat: float) -> tuple[float, float]:
    """Degrees as the register's metres, to within some ten metres."""
    x, y = tm_middle(lon, lat)
    return x + _SHIFT[0], y + _SHIFT[1]


@table("cleaning_firms")
def build_cleaning_firms(world: World) -> list[Row]:
    """Firms with office (7 digits), management number, state, licence and closing days, and metres as padded text."""
    offices = {row["code5"]: row["office"] for row in read_csv("license_offices.csv")}
    rows: list[Row] = []
    for district in world.table("districts"):
        rng = world.rng("cleaning_firms", district["code5"])
        dongs = world.find("dongs", "code5", district["code5"])
        for _ in range(rng.randrange(6, 26)):
            place = site(world, rng.choice(dongs)["code10"], rng)
            rows.append(_firm(world, rng, place, str(offices[district["code5"]]), len(rows)))
    return rows


def _firm(world: World, rng: random.Random, place: Row, office: str, count: int) -> Row:
    code, state, detail, detail_name = rng.choices(_STATES, (58, 3, 39))[0]
    licensed = world.today - timedelta(days=rng.randrange(60, _OLDEST_DAYS))
    closed = licensed + timedelta(days=rng.randrange(1, (world.today - licensed).days))
    changed = closed if code == "03" else world.today - timedelta(days=rng.randrange(1, 900))
    x, y = old_metres(number(place, "lon"), number(place, "lat"))
    known = rng.random() < 0.93
    men, women = rng.randrange(0, 9), rng.randrange(0, 12)
    return {
        "office": office,
        "number": f"{office}-206-{licensed.year}-{count:05d}",
        "name": f"{stem(str(place['dong']))}{rng.choice(_WORDS)}",
        "state": code,
        "state_name": state,
        "detail": detail,
        "detail_name": detail_name,
        "licensed": f"{licensed:%Y%m%d}",
        "closed": f"{closed:%Y%m%d}" if code == "03" else "",
        "updated": f"{changed:%Y%m%d}021503",
        "modified": f"{changed:%Y%m%d}{rng.randrange(9, 18):02d}{rng.randrange(60):02d}00",
        "change": "U" if rng.random() < 0.6 else "I",
        # Text of a fixed width, blank where the place is not known.
        "x": f"{x:.9f}".ljust(20) if known else "",
        "y": f"{y:.9f}".ljust(20) if known else "",
        "zip": place["zip"],
        "road_address": place["full_address"],
        "lot_address": place["lot_address"],
        "area": f"{rng.uniform(12, 240):.2f}",
        "floors": str(rng.randrange(1, 13)),
        "cellars": str(rng.randrange(0, 3)),
        "men": str(men),
        "women": str(women),
        "owned": rng.choice(("임대", "자가", "")),
    }
