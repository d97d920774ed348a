"""Legal dongs in, schools with a kind, majors and classes out, and private academies beside them."""

import random
from datetime import date

from edge.sandbox.world.reading import mapping, read_yaml, texts
from edge.sandbox.world.seoul_transit import romanise
from edge.sandbox.world.store import Row, World, part, table

# (kind, share of dongs that have one, grades, digit inside the school code)
_KINDS = (("초등학교", 0.57, 6, 1), ("중학교", 0.3, 3, 2), ("고등학교", 0.27, 3, 3), ("특수학교", 0.03, 6, 4))
_COMMON_SHARE = 0.22
ACADEMIES_PER_DISTRICT = 16


def school_year(day: date) -> int:
    """The Korean school year starts in March."""
    return day.year if day.month >= 3 else day.year - 1


@table("schools")
def build_schools(world: World) -> list[Row]:
    """About 1,500 schools: office_code (B10), code (7), name, kind, founder, road address, high-school type, majors."""
    rng = world.rng("schools")
    offices = mapping(read_yaml("schools.yaml")["offices"])
    common = texts(read_yaml("schools.yaml")["common_names"])
    rows: list[Row] = []
    taken: set[tuple[str, str]] = set()
    for dong in world.table("dongs"):
        for kind, share, grades, digit in _KINDS:
            if rng.random() > share:
                continue
            stem = str(dong["dong"]).rstrip("0123456789동가읍면")
            stem = stem if len(stem) > 1 else str(dong["dong"])
            if rng.random() < _COMMON_SHARE:
                stem = rng.choice(common)
            girls = "여자" if digit in (2, 3) and rng.random() < 0.06 else ""
            name = f"{stem}학교" if kind == "특수학교" else f"{stem}{girls}{kind}"
            if (str(dong["sido"]), name) in taken:
                continue
            taken.add((str(dong["sido"]), name))
            office = str(offices[str(dong["sido"])])
            rows.append(_school(rng, len(rows), dong, office, name, kind, grades, digit))
    # The code that documents and clients take as their example is one of a high school of Seoul.
    next(row for row in rows if row["office_code"] == "B10" and row["vocational"])["code"] = "7010911"
    return sorted(rows, key=lambda row: (str(row["office_code"]), str(row["name"])))


_AREA = {"서울특별시": "02", "경기도": "031", "인천광역시": "032", "대전광역시": "042", "부산광역시": "051"}


def _school(
    rng: random.Random, order: int, dong: Row, office: str, name: str, kind: str, grades: int, digit: int
) -> Row:
    private = rng.random() < (0.02 if kind == "초등학교" else 0.3)
    vocational = kind == "고등학교" and rng.random() < 0.22
    special_purpose = kind == "고등학교" and not vocational and rng.random() < 0.06
    high = "특성화고" if vocational else "특목고" if special_purpose else "일반고" if kind == "고등학교" else " "
    road = f"{dong['sido']} {dong['sigungu']} {str(dong['dong']).rstrip('동')}로{rng.randrange(1, 40)}길"
    founded = date(rng.randrange(1935, 2020), 3, rng.randrange(1, 29))
    return {
        "office_code": office,
        "office": f"{dong['sido']}교육청",
        "code": f"{7 + order // 1000}{ord(office[0]) - 65:02d}{digit}{order % 1000:03d}",
        "name": name,
        "english": f"{romanise(name[:2])} School",
        "kind": kind,
        "sido": dong["sido"],
        "sigungu": dong["sigungu"],
        "authority": f"{dong['sido']}교육청" if kind == "고등학교" else f"{dong['sigungu']}교육지원청",
        "founder": "사립" if private else "공립",
        "zip": f"{rng.randrange(1000, 63999):05d} ",
        "address": f"{road} {rng.randrange(2, 120)}",
        "address_detail": f"/ {name} ({dong['dong']})",
        "coed": "여" if "여자" in name else "남" if digit > 1 and rng.random() < 0.2 else "남여공학",
        "high_kind": high,
        "high_business": "전문계" if vocational else "일반계" if kind == "고등학교" else " ",
        "purpose": rng.choice(("과학계열", "외국어계열", "예술계열", "체육계열")) if special_purpose else None,
        "when": "후기" if high == "일반고" else "전기",
        "day_night": "주간",
        "founded": f"{founded:%Y%m%d}",
        "anniversary": f"{founded:%Y}{rng.randrange(4, 11):02d}{rng.randrange(1, 29):02d}",
        "loaded": "20260601",
        "grades": grades,
        "classes": rng.randrange(2, 7) if digit < 4 else 1,
        "vocational": vocational,
        "lon": dong["lon"],
        "lat": dong["lat"],
        # 000 exchanges are not assigned to anyone.
        "phone": f"{_AREA.get(str(dong['sido']), '063')}-000-{order % 9000 + 1000}",
        "fax": f"{_AREA.get(str(dong['sido']), '063')}-000-{order % 8000 + 1500}",
    }  # fmt: skip


@table("school_majors")
def build_majors(world: World) -> list[Row]:
    """Departments of high schools: several in vocational ones, else the single 일반학과; other schools have none."""
    fields = mapping(read_yaml("schools.yaml")["majors"])
    rows: list[Row] = []
    for school in world.table("schools"):
        if school["kind"] != "고등학교":
            continue
        rng = world.rng("majors", school["code"])
        if school["vocational"]:
            for field in rng.sample(sorted(fields), 2):
                for major in rng.sample(texts(fields[field]), 2):
                    rows.append(school | {"field": field, "major": major})
        else:
            rows.append(school | {"field": str(school["purpose"] or "일반계"), "major": "일반학과"})
    return rows


@part("school_classes")
def build_classes(world: World, code: str) -> list[Row]:
    """Classes of one school in this school year and the last: year, grade, field, major, class name."""
    found = world.find("schools", "code", code)
    if not found:
        return []
    school = found[0]
    majors = world.find("school_majors", "code", code)
    grades, classes = int(str(school["grades"])), int(str(school["classes"]))
    rows: list[Row] = []
    for year in (school_year(world.today) - 1, school_year(world.today)):
        for grade in range(1, grades + 1):
            for number in range(1, classes + 1 + (year + grade) % 2):
                major: Row = majors[(number - 1) % len(majors)] if majors else {"field": None, "major": None}
                rows.append(
                    school
                    | {
                        "year": str(year),
                        "grade": str(grade),
                        "field": major["field"],
                        "major": major["major"],
                        "class": str(number),
                    }
                )
    return rows


@table("academies")
def build_academies(world: World) -> list[Row]:
    """Private academies by district: number (10), name, field, course, capacity, fee text, address."""
    offices = mapping(read_yaml("schools.yaml")["offices"])
    fields = mapping(read_yaml("schools.yaml")["academies"])
    names = texts(read_yaml("schools.yaml")["academy_names"])
    orders = mapping(read_yaml("schools.yaml")["academy_orders"])
    rows: list[Row] = []
    for district in world.table("districts"):
        rng = world.rng("academies", district["code5"])
        dongs = world.find("dongs", "code5", district["code5"])
        for order in range(ACADEMIES_PER_DISTRICT):
            field = rng.choice(sorted(fields))
            course = rng.choice(texts(fields[field]))
            dong = rng.choice(dongs)
            fee = rng.randrange(8, 45) * 10000
            tail = "독서실" if field == "독서실" else f"{course.split('·')[0]}학원"
            rows.append(
                {
                    "office_code": offices[str(district["sido"])],
                    "office": f"{district['sido']}교육청",
                    "zone": str(district["name"]).split(" ")[0] or district["sido"],
                    "type": "학원" if rng.random() < 0.8 else "교습소",
                    "number": f"10{district['code5']}{order:03d}",
                    "name": f"{rng.choice(names)}{tail}",
                    "state": "개원" if rng.random() < 0.94 else "휴원",
                    "capacity": str(rng.randrange(9, 320)),
                    "field": field,
                    "order": orders[field],
                    "course": course,
                    "fee_text": f"{course}:{fee}",
                    "address": f"{dong['full_name']} {rng.randrange(1, 400)}",
                    "zip": f"{rng.randrange(1000, 63999):05d}",
                    "opened": f"{rng.randrange(1995, 2026)}{rng.randrange(1, 13):02d}{rng.randrange(1, 29):02d}",
                    "at_once": str(rng.randrange(9, 320)),
                }
            )
    return rows
