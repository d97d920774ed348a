"""Real provinces, districts and legal dongs in, region tables with every look-alike code system out."""

import csv
from pathlib import Path

from edge.sandbox.world.coordinates import kma_grid, tm_middle
from edge.sandbox.world.store import Row, World, table

_DATA = Path(__file__).parent / "data"
# Columns that are numbers on every platform; all others keep their leading zeros as text.
_FLOATS = {"lon", "lat"}
_FIRST_ADMIN = 510
_ADMIN_STEP = 10


def read_csv(name: str) -> list[Row]:
    """Rows of a data file of this package, coordinates as floats and everything else as text."""
    with (_DATA / name).open(encoding="utf-8", newline="") as file:
        return [{k: float(v) if k in _FLOATS else v for k, v in row.items()} for row in csv.DictReader(file)]


def number(row: Row, column: str) -> float:
    """A numeric column as float; raises TypeError for text."""
    value = row[column]
    if not isinstance(value, int | float):
        raise TypeError(f"{column} is {value!r}, not a number")
    return float(value)


@table("provinces")
def build_provinces(_world: World) -> list[Row]:
    """17 rows: code2, code10, name, short and the province codes of HIRA, TAGO rail, KTO and KMA."""
    return [row | {"code10": f"{row['code2']}00000000"} for row in read_csv("provinces.csv")]


@table("districts")
def build_districts(world: World) -> list[Row]:
    """One row a 시군구: code5, code10, name, full_name, sido columns, coordinates, grid and other systems' codes."""
    provinces = {row["code2"]: row for row in world.table("provinces")}
    stations = world.table("weather_stations")
    rows: list[Row] = []
    for source in read_csv("districts.csv"):
        code = str(source["code5"])
        sido = provinces[code[:2]]
        nx, ny = kma_grid(number(source, "lon"), number(source, "lat"))
        station = nearest(stations, number(source, "lon"), number(source, "lat"))
        rows.append(
            source
            | {
                "code2": code[:2],
                "code3": code[2:],
                "code10": f"{code}00000",
                "full_name": f"{sido['name']} {source['name']}".strip(),
                "sido": sido["name"],
                "sido_short": sido["short"],
                "hira_sido": sido["hira"],
                "kto_area": sido["kto_area"],
                "tago_train": sido["tago_train"],
                "kma_land": sido["kma_land"],
                "kma_office": sido["kma_office"],
                "nx": nx,
                "ny": ny,
                "stn_id": station["stn_id"],
                "fct_id": station["fct_id"],
            }
        )
    return rows


@table("dongs")
def build_dongs(world: World) -> list[Row]:
    """One row a legal dong: code10 (법정동), admin_code, admin_name (행정동), district columns, degrees, grid, TM."""
    districts = {str(row["code5"]): row for row in world.table("districts")}
    rows: list[Row] = []
    order: dict[str, int] = {}
    for source in read_csv("regions.csv"):
        code = str(source["code10"])
        district = districts[code[:5]]
        order[code[:5]] = order.get(code[:5], 0) + 1
        lon, lat = number(source, "lon"), number(source, "lat")
        nx, ny = kma_grid(lon, lat)
        tm_x, tm_y = tm_middle(lon, lat)
        rows.append(
            district
            | source
            | {
                "code10": code,
                "umd3": code[5:8],
                "sigungu": district["name"],
                "full_name": f"{district['full_name']} {source['dong']}",
                "address": f"{district['full_name']} {source['dong']}",
                "short_address": f"{district['sido_short']} {district['name']} {source['dong']}".replace("  ", " "),
                "admin_code": _admin_code(code, str(source["dong"]), order[code[:5]]),
                "admin_name": _admin_name(str(source["dong"])),
                "nx": nx,
                "ny": ny,
                "tm_x": tm_x,
                "tm_y": tm_y,
            }
        )
    return rows


@table("legal_codes")
def build_legal_codes(world: World) -> list[Row]:
    """Provinces, districts and dongs in one list by code10, as the administrative code service keeps them."""
    rows: list[Row] = []
    for row in world.table("provinces"):
        rows.append({"code10": row["code10"], "full_name": row["name"], "lowest": row["name"], "parent": "0000000000"})
    for row in world.table("districts"):
        parent = f"{row['code2']}00000000"
        rows.append({"code10": row["code10"], "full_name": row["full_name"], "lowest": row["name"], "parent": parent})
    for row in world.table("dongs"):
        parent = f"{row['code5']}00000"
        rows.append({"code10": row["code10"], "full_name": row["full_name"], "lowest": row["dong"], "parent": parent})
    return sorted(rows, key=lambda row: str(row["code10"]))


@table("weather_stations")
def build_weather_stations(_world: World) -> list[Row]:
    """Synoptic stations: stn_id, name, degrees, fct_id (mid-term city zone) and province."""
    return read_csv("stations.csv")


def nearest(rows: list[Row], lon: float, lat: float) -> Row:
    """The row closest in degrees; good enough inside one country."""
    return min(rows, key=lambda row: (number(row, "lon") - lon) ** 2 + (number(row, "lat") - lat) ** 2)


def _admin_code(code: str, dong: str, order: int) -> str:
    """Administrative codes: towns keep their legal code, dongs are numbered from 510 as in the real table."""
    if dong.endswith(("읍", "면")):
        return code
    return f"{code[:5]}{_FIRST_ADMIN + _ADMIN_STEP * (order - 1):03d}00"


def _admin_name(dong: str) -> str:
    return dong if dong.endswith(("읍", "면")) else f"{dong[:-1]}1동" if dong.endswith("동") else f"{dong}동"
