"""A year and a district in, the spots where accidents were frequent out, under the code generation of that year."""

import json
import math

from edge.sandbox.world.regions import number
from edge.sandbox.world.store import Row, World, part

_FIRST_YEAR = 2012
# Up to this year the two provinces keep the codes that they had before they became special self-governing ones.
_LAST_OLD_YEAR = 2022
_OLD_CODES = {"42": "51", "45": "52"}


def _present_code(year: str, sido: str) -> str:
    """The code2 of today for a province code as the year spells it; blank for the wrong generation."""
    if int(year) <= _LAST_OLD_YEAR:
        return _OLD_CODES.get(sido, "" if sido in _OLD_CODES.values() else sido)
    return "" if sido in _OLD_CODES else sido


def _polygon(lon: float, lat: float) -> str:
    corners = [(lon + 0.001 * math.cos(step), lat + 0.0008 * math.sin(step)) for step in (0, 1.57, 3.14, 4.71, 0)]
    return json.dumps({"type": "Polygon", "coordinates": [[[round(x, 8), round(y, 8)] for x, y in corners]]})


@part("accident_zones")
def build_zones(world: World, year: str, sido: str, gugun: str) -> list[Row]:
    """Spots of a year, province (2 digits) and district (3 digits): counts of accidents and victims, place, polygon."""
    if not year.isdigit() or not _FIRST_YEAR <= int(year) < world.today.year:
        return []
    code5 = f"{_present_code(year, sido)}{gugun}"
    dongs = world.find("dongs", "code5", code5)
    rng = world.rng("accident_zones", year, code5)
    rows: list[Row] = []
    for order in range(rng.randint(1, 7) if dongs else 0):
        dong = rng.choice(dongs)
        lon, lat = number(dong, "lon") + rng.uniform(-0.005, 0.005), number(dong, "lat") + rng.uniform(-0.004, 0.004)
        accidents = rng.randint(4, 22)
        dead, hurt, light = int(rng.random() < 0.08), rng.randint(0, 5), accidents + rng.randint(0, 9)
        rows.append(
            {
                "fid": str(6_400_000 + int(world.rng("zone", year, code5, order).random() * 99_999)),
                "id": f"{year}{int(code5) % 1000:03d}",
                "dong8": f"{sido}{str(dong['code10'])[2:8]}",
                "spot": f"{sido}{gugun}{order + 1:03d}",
                "district": f"{dong['full_name']}".rsplit(" ", 1)[0] + str(order + 1),
                "name": f"{dong['full_name']}({rng.choice(('교차로', '역앞', '시장앞', '초등학교앞', '나들목'))}인근)",
                "accidents": accidents,
                "victims": dead + hurt + light,
                "dead": dead,
                "serious": hurt,
                "light": light,
                "reported": rng.randint(0, 3),
                "lon_text": f"{lon:.12f}",
                "lat_text": f"{lat:.12f}",
                "polygon": _polygon(lon, lat),
            }
        )
    return rows
