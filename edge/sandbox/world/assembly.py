"""Real committees and party names in, 300 invented members of the 22nd assembly, their seats and careers out."""

import random
from datetime import date, timedelta
from functools import cache
from typing import cast

from edge.sandbox.world.people import people
from edge.sandbox.world.reading import read_yaml, split, texts
from edge.sandbox.world.store import Row, World, table

TERM_START = date(2024, 5, 30)
DISTRICT_SEATS = 254
_SEATS = "갑을병정무"
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@table("constituencies")
def build_constituencies(world: World) -> list[Row]:
    """254 single-seat districts: province, election name (강남구갑), assembly name (서울 강남구갑)."""
    cities: dict[tuple[str, str, str], list[Row]] = {}
    for row in world.table("districts"):
        name = str(row["name"]) or str(row["sido"])
        cities.setdefault((str(row["sido"]), str(row["sido_short"]), name.split(" ")[0]), []).append(row)
    order = sorted(cities, key=lambda key: (-len(cities[key]), not key[2].endswith(("구", "시")), key))
    seats = {key: len(cities[key]) for key in cities}
    rest = DISTRICT_SEATS - sum(seats.values())
    while rest > 0:
        for key in order:
            if rest > 0 and seats[key] < len(_SEATS):
                seats[key] += 1
                rest -= 1
    rows: list[Row] = []
    for (sido, short, city), count in seats.items():
        first = cities[(sido, short, city)][0]
        for seat in range(count):
            name = f"{city}{_SEATS[seat]}" if count > 1 else city
            rows.append({"sido": sido, "sgg": name, "city": city, "orig": f"{short} {name}", "code5": first["code5"]})
    return rows


@table("members")
def build_members(world: World) -> list[Row]:
    """300 members by name: mona_cd (8), names, birth, party, constituency, terms won and committee names."""
    rng = world.rng("members")
    parties = [split(line) for line in texts(read_yaml("assembly.yaml")["parties"])]
    local = [party for party in parties for _ in range(int(party[2]))]
    listed = [party for party in parties for _ in range(int(party[3]))]
    rng.shuffle(local)
    seats: list[Row] = [*world.table("constituencies")[: len(local)]]
    at_large: Row = {"orig": "비례대표", "sgg": "비례대표", "sido": "전국", "city": ""}
    seats += [at_large for _ in listed]
    rows: list[Row] = []
    codes: set[str] = set()
    for order, (someone, party, seat) in enumerate(zip(people(rng, 300), [*local, *listed], seats, strict=True)):
        rows.append(
            seat
            | _profile(rng, seat["orig"] == "비례대표")
            | {
                "mona_cd": _mona(rng, codes),
                "member_no": str(4000 + order),
                "name": someone.name,
                "hanja": someone.hanja,
                "english": someone.english,
                "party": party[0],
                "group": party[1],
            }
        )
    _assign_committees(rng, rows)
    for row in rows:
        row["committees_text"] = ",".join(_names(row))
        role = _roles(row)[str(row["committee"])]
        row["history"] = f"{row['units']} 국회의원 {row['committee']} {role}"
        row["room"] = f"의원회관 {int(str(row['member_no'])) - 3600}호"
        row["job"] = max(_roles(row).values(), key=lambda role: ("위원", "간사", "위원장").index(role))
    return sorted(rows, key=lambda row: str(row["name"]))


def _profile(rng: random.Random, proportional: bool) -> Row:
    terms = 1 if proportional else rng.choice((1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5))
    return {
        "born": str(date(rng.randrange(1950, 1990), rng.randrange(1, 13), rng.randrange(1, 29))),
        "calendar": rng.choice(("양", "양", "양", "음")),
        "sex": rng.choice(("남", "남", "남", "남", "여")),
        "seat_kind": "비례대표" if proportional else "지역구",
        "terms": terms,
        "reelected": ("초선", "재선", "3선", "4선", "5선")[terms - 1],
        "units": ", ".join(f"제{23 - back}대" for back in range(terms, 0, -1)),
    }


def _mona(rng: random.Random, used: set[str]) -> str:
    while True:
        code = rng.choice(_ALPHABET) + rng.choice(_ALPHABET + "0123456789") + rng.choice(_ALPHABET + "0123456789")
        code += f"{rng.randrange(10000):04d}{rng.choice(_ALPHABET)}"
        if code not in used:
            used.add(code)
            return code


def _committees() -> list[tuple[str, str, int, str]]:
    data = read_yaml("assembly.yaml")
    rows: list[tuple[str, str, int, str]] = []
    for key, kind in (("committees", "상임위원회"), ("special_committees", "특별위원회")):
        for line in texts(data[key]):
            code, name, limit = split(line)
            rows.append((code, name, int(limit), kind))
    return rows


@cache
def committee_names() -> list[tuple[str, str]]:
    """Name and code of each standing committee."""
    return [(name, code) for code, name, _, kind in _committees() if kind == "상임위원회"]


def _assign_committees(rng: random.Random, members: list[Row]) -> None:
    """Everybody sits on one ordinary committee; the joint and special ones draw from all members."""
    concurrent = ("국회운영위원회", "정보위원회", "성평등가족위원회")
    ordinary = [c for c in _committees() if c[3] == "상임위원회" and c[1] not in concurrent]
    chairs = [name for _, name, limit, _ in ordinary for _ in range(limit)]
    while len(chairs) < len(members):
        chairs.append(ordinary[len(chairs) % len(ordinary)][1])
    rng.shuffle(chairs)
    for member, name in zip(members, chairs[: len(members)], strict=True):
        member["committee"] = name
        member["committees"] = [name]
        member["roles"] = {name: "위원"}
    for _, name, limit, kind in _committees():
        if name in concurrent or kind == "특별위원회":
            for member in rng.sample(members, limit - 1):
                _seat(member, name)
    for _, name, _, _ in _committees():
        sitting = [m for m in members if name in _names(m) and "위원장" not in _roles(m).values()]
        for member, role in zip(rng.sample(sitting, 3), ("위원장", "간사", "간사"), strict=True):
            _roles(member)[name] = role


def _seat(member: Row, name: str) -> None:
    _names(member).append(name)
    _roles(member)[name] = "위원"


def _names(member: Row) -> list[str]:
    return cast("list[str]", member["committees"])


def _roles(member: Row) -> dict[str, str]:
    return cast("dict[str, str]", member["roles"])


@table("committee_seats")
def build_committee_seats(world: World) -> list[Row]:
    """One row a seat: committee code and name, role and the member's columns; chairs and secretaries first."""
    rows: list[Row] = []
    rank = {"위원장": 0, "간사": 1, "위원": 2}
    for code, name, _, _ in _committees():
        sitting = [m for m in world.table("members") if name in _names(m)]
        sitting.sort(key=lambda member: rank[_roles(member)[name]])
        rows += [m | {"dept_cd": code, "dept_nm": name, "role": _roles(m)[name]} for m in sitting]
    return rows


@table("committees")
def build_committees(world: World) -> list[Row]:
    """Committees with code (HR_DEPT_CD), limit, members now, chair and secretaries with their parties."""
    rows: list[Row] = []
    for code, name, limit, kind in _committees():
        seats = world.find("committee_seats", "dept_cd", code)
        chair = [f"{s['name']} ({s['party']})" for s in seats if s["role"] == "위원장"]
        aides = [f"{s['name']} ({s['party']})" for s in seats if s["role"] == "간사"]
        outside = sum(s["group"] == "비교섭단체" for s in seats)
        rows.append(
            {
                "code": code,
                "name": name,
                "kind": kind,
                "kind_code": "001" if kind == "상임위원회" else "002",
                "limit": max(limit, len(seats)),
                "current": len(seats),
                "chair": chair[0],
                "aides": ",".join(aides),
                "outside": outside,
                "inside": len(seats) - outside,
            }
        )
    return rows


@table("parties")
def build_parties(world: World) -> list[Row]:
    """Seats by party, counted from the members, with shares in percent."""
    rows: list[Row] = []
    for line in texts(read_yaml("assembly.yaml")["parties"]):
        name, group, _, _ = split(line)
        own = world.find("members", "party", name)
        local = sum(m["seat_kind"] == "지역구" for m in own)
        share = round(len(own) / 3, 1)
        rows.append({"group": group, "party": name, "n1": local, "n2": len(own) - local, "n3": len(own), "n4": share})
    return rows


@table("careers")
def build_careers(world: World) -> list[Row]:
    """Committee careers of every member, this term's and those of earlier terms: dates, subject, unit code 1000NN."""
    rows: list[Row] = []
    names = [name for _, name, _, kind in _committees() if kind == "상임위원회"]
    for member in world.table("members"):
        rng = world.rng("career", member["mona_cd"])
        for name in _names(member):
            role = _roles(member)[name]
            title = f"제22대 {name}" + ("" if role == "위원" else f" {role}")
            begin = TERM_START + timedelta(days=rng.choice((11, 11, 11, 26, 60, 380)))
            rows.append(member | {"subject": title, "dates": f"{begin:%Y.%m.%d} ~ ", "unit": 22})
        for back in range(1, int(str(member["terms"]))):
            begin = date(2024 - 4 * back, 6, rng.randrange(5, 28))
            end = begin + timedelta(days=rng.randrange(500, 1400))
            title = f"제{22 - back}대 {rng.choice(names)}"
            rows.append(member | {"subject": title, "dates": f"{begin:%Y.%m.%d} ~ {end:%Y.%m.%d}", "unit": 22 - back})
    for row in rows:
        row["unit_cd"] = f"1000{row['unit']}"
        row["unit_nm"] = f"제{row['unit']}대"
    return rows
