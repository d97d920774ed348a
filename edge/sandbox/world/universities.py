"""Regions and invented names in, universities with their majors, series codes and finance figures out."""

import random
from typing import cast

from edge.sandbox.world.buildings import site
from edge.sandbox.world.reading import mapping, read_yaml, texts
from edge.sandbox.world.regions import number
from edge.sandbox.world.seoul_transit import romanise
from edge.sandbox.world.store import Row, World, part, table

YEARS = 5
_DATA = read_yaml("universities.yaml")
# Seoul, Incheon and Gyeonggi.
_CAPITAL = ("11", "28", "41")


def years(world: World) -> list[str]:
    """Survey years with data, newest first: this year's comes out in August."""
    last = world.today.year if world.today.month >= 8 else world.today.year - 1
    return [str(year) for year in range(last, last - YEARS, -1)]


@table("universities")
def build_universities(world: World) -> list[Row]:
    """One row a school: seven-digit id, names, kind (02 university, 01 college), founder, address and size."""
    rows: list[Row] = []
    towns = [row for row in world.table("districts") if row["name"]]
    for order, (first, kind) in enumerate(
        (first, kind) for kind in cast("list[object]", _DATA["kinds"]) for first in str(_DATA["names"]).split()
    ):
        ending, kind_name, code, degree, term = texts(kind)
        rng = world.rng("universities", first, ending)
        district = rng.choice(towns)
        dong = rng.choice(world.find("dongs", "code5", district["code5"]))
        place = site(world, dong["code10"], rng)
        name = f"{first}{ending}"
        public = rng.random() < 0.18
        rows.append(
            {
                "school": f"{order * 7 + 12:07d}",
                "name": name,
                "english": f"{romanise(first)} {'College' if code == '01' else 'University'}",
                "kind": kind_name,
                "kind_code": code,
                "degree": degree,
                "degree_code": "1" if code == "01" else "2",
                "term": term,
                "founder": "국립" if public else "사립",
                "founder_code": "1" if public else "7",
                "branch": "본교",
                "area_code": str(district["code2"]),
                "area": district["sido_short"],
                "sigungu": district["name"],
                "address": place["full_address"],
                "zip": place["zip"],
                "founded": f"{rng.randrange(1946, 1998)}{rng.randrange(1, 13):02d}{rng.randrange(1, 29):02d}",
                "phone": "",
                "url": f"www.{romanise(first).lower()}{order}.example",
                "students": rng.randrange(1_200, 21_000),
            }
        )
    return rows


@table("university_years")
def build_university_years(world: World) -> list[Row]:
    """Every school once for each survey year, newest year first."""
    stamps: dict[str, Row] = {year: {"year": year, "updated": f"{year}-08-29 10:00:00"} for year in years(world)}
    return [row | stamps[year] for year in stamps for row in world.table("universities")]


def series() -> list[Row]:
    """Small classes with the classes above them and an example major."""
    rows: list[Row] = []
    for large, middles in mapping(_DATA["series"]).items():
        large_code, large_name = large.split(" ", 1)
        for middle, smalls in mapping(middles).items():
            middle_code, middle_name = middle.split(" ", 1)
            for small in texts(smalls):
                code, rest = small.split(" ", 1)
                name, major = rest.rsplit(" ", 1)
                row: Row = {"large": large_code, "large_name": large_name, "small": code, "small_name": name}
                rows.append(row | {"middle": middle_code, "middle_name": middle_name, "major": major})
    return rows


@table("series_codes")
def build_series_codes(world: World) -> list[Row]:
    """One row a survey year, level (large, middle, small) and class: its code and name."""
    rows: list[Row] = []
    for year in years(world):
        for level in ("large", "middle", "small"):
            named = {str(row[level]): str(row[f"{level}_name"]) for row in series()}
            scope: Row = {"year": year, "level": level}
            rows += [scope | {"code": code, "name": name} for code, name in named.items()]
    return rows


@table("series_system")
def build_series_system(world: World) -> list[Row]:
    """How the three levels hang together in each survey year."""
    return [row | {"year": year} for year in years(world) for row in series()]


@table("major_codes")
def build_major_codes(_world: World) -> list[Row]:
    """The small code lists of majors: list, code and name."""
    rows: list[Row] = []
    for name, codes in mapping(_DATA["codes"]).items():
        rows += [{"list": name, "code": str(code), "name": word} for code, word in mapping(codes).items()]
    return rows


@part("university_majors")
def build_university_majors(world: World, year: str, school: str) -> list[Row]:
    """Majors of a school in a survey year; ids stay the same from year to year, numbers do not."""
    found = world.find("universities", "school", school)
    if not found or year not in years(world):
        return []
    rng = world.rng("majors", school)
    classes = rng.sample(series(), rng.randrange(9, 20))
    rows: list[Row] = []
    for order, chosen in enumerate(sorted(classes, key=lambda row: str(row["small"])), start=1):
        rows.append(found[0] | chosen | _major(world.rng("majors", school, year, order), found[0], chosen, year, order))
    return rows


def _major(rng: random.Random, school: Row, chosen: Row, year: str, order: int) -> Row:
    large = str(chosen["large"])
    codes = mapping(_DATA["codes"])
    seats = rng.randrange(3, 13) * 10
    return {
        "year": year,
        "major_id": f"{school['school']}{order:04d}",
        "major_number": f"{int(str(chosen['small'])) * 10 + 1}",
        "kedi": f"U{chosen['small']}{order:03d}",
        "college": mapping(codes["college"])[f"A{large}"],
        "college_code": f"A{large}",
        "own": mapping(codes["own"])[f"N{large}"],
        "own_code": f"N{large}",
        "seats": str(seats),
        "graduates": str(int(seats * rng.uniform(0.6, 1.0))),
        "status": rng.choices(("기존", "신설", "변경"), (90, 4, 6))[0],
        "changed": f"{year}-{rng.randrange(4, 8):02d}-{rng.randrange(1, 29):02d} 10:00:00",
        "goal": f"{chosen['small_name']} 분야의 지식과 실무 능력을 갖춘 인재를 기른다.",
    }


def finance_value(world: World, kind: str, school: Row, year: str) -> float:
    """One figure of a school in a disclosure year."""
    _number, _label, least, most, decimals = cast("list[object]", mapping(_DATA["finances"])[kind])
    low, high = float(str(least)), float(str(most))
    base = world.rng("university_finance", kind, school["school"]).uniform(low, high)
    drift = world.rng("university_finance", kind, school["school"], year).uniform(0.96, 1.05)
    return round(base * drift, int(str(decimals)))


def finance_kind(kind: str) -> tuple[str, str]:
    """(indicator number, label) of a kind of figure; raises KeyError for another."""
    found = texts(mapping(_DATA["finances"])[kind])
    return found[0], found[1]


def in_area(school: Row, area: str) -> bool:
    """Whether a school counts for an area of the regional tables: all, the capital area, the rest or one region."""
    capital = school["area_code"] in _CAPITAL
    return (
        area == "전체"
        or (area == "수도권" and capital)
        or (area == "비수도권" and not capital)
        or area == school["area"]
    )


def weighted(values: list[tuple[float, Row]]) -> float:
    """Mean of figures by the number of students."""
    total = sum(number(school, "students") for _, school in values)
    return sum(value * number(school, "students") for value, school in values) / total
