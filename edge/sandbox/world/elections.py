"""Members and districts in, two elections with invented candidates, winners and pledges out."""

import random

from edge.sandbox.world.people import Person, people
from edge.sandbox.world.reading import mapping, mappings, read_yaml, split, texts
from edge.sandbox.world.store import Row, World, table

_FIRST_ID = 100130017
# Pledges are published for executive offices only.
PLEDGE_TYPES = ("3", "4", "11")
_ROLES = ("정책자문위원", "체육회 이사", "주민자치위원장", "시민연대 공동대표")


@table("election_codes")
def build_codes(_world: World) -> list[Row]:
    """Elections by date and type; type 0 is the name of the whole polling day."""
    rows: list[Row] = []
    for spec in mappings(read_yaml("nec.yaml")["elections"]):
        kinds = {"0": str(spec["name"])} | {str(k): str(v) for k, v in mapping(spec["types"]).items()}
        rows += [{"sg_id": spec["id"], "name": name, "type": kind, "day": spec["id"]} for kind, name in kinds.items()]
    return rows


@table("candidates")
def build_candidates(world: World) -> list[Row]:
    """Everybody who stood: huboid (9), election, type, constituency, party, number, career, votes and share."""
    rng = world.rng("candidates")
    pool = people(rng, 3200)
    rows: list[Row] = []
    for base, seated in _seats(world):
        count = 1 if base["type"] == "7" else rng.choice((2, 2, 3, 3, 4, 5))
        runners = [pool.pop() for _ in range(count - (seated is not None))]
        rows += _race(rng, base, seated, runners, len(rows))
    return rows


def _seats(world: World) -> list[tuple[Row, Row | None]]:
    """(seat, the sitting member if the seat is one of the assembly's) in the order of the ballot lists."""
    seats: list[tuple[Row, Row | None]] = []
    old = {str(k): str(v) for k, v in mapping(read_yaml("nec.yaml")["old_provinces"]).items()}
    cities: dict[tuple[str, str], None] = {}
    for place in world.table("constituencies"):
        cities.setdefault((str(place["sido"]), str(place["city"])), None)
    local: Row = {"sg_id": "20220601"}
    for province in world.table("provinces"):
        name = old.get(str(province["name"]), str(province["name"]))
        for kind in ("3", "11"):
            seats.append((local | {"type": kind, "sido": name, "sgg": name, "wiw": ""}, None))
    for sido, city in cities:
        name = old.get(sido, sido)
        # A province with a single level of government (and Jeju) elects no district heads.
        if sido in ("세종특별자치시", "제주특별자치도"):
            continue
        seats.append((local | {"type": "4", "sido": name, "sgg": city, "wiw": city}, None))
        council = local | {"type": "5", "sido": name, "sgg": f"{city}제1선거구", "wiw": city}
        seats.append((council, None))
    members = {str(m["orig"]): m for m in world.table("members") if m["seat_kind"] == "지역구"}
    for place in world.table("constituencies"):
        base: Row = {"sg_id": "20240410", "type": "2", "sido": place["sido"], "sgg": place["sgg"], "wiw": place["city"]}
        seats.append((base, members.get(str(place["orig"]))))
    listed: Row = {"sg_id": "20240410", "type": "7", "sido": "전국", "sgg": "비례대표", "wiw": ""}
    seats += [(listed, m) for m in world.table("members") if m["seat_kind"] == "비례대표"]
    return seats


def _race(rng: random.Random, base: Row, seated: Row | None, runners: list[Person], first: int) -> list[Row]:
    """Candidates of one seat; the first of the draw wins, and a sitting member always does."""
    names = _names(rng, seated, runners)
    parties = [split(line)[0] for line in texts(read_yaml("assembly.yaml")["parties"])]
    order = [str(seated["party"])] if seated else []
    order += [party for party in rng.sample(parties[:2], 2) + parties[2:] if party not in order]
    weights = sorted((rng.uniform(0.5, 1.6) * (1.7 if n < 2 else 0.4) for n in range(len(names))), reverse=True)
    total = rng.randrange(24000, 190000) * (9 if base["type"] in ("3", "11") else 1)
    day = str(base["sg_id"])
    rows: list[Row] = []
    for place, (name, hanja, born, sex) in enumerate(names):
        share = weights[place] / sum(weights)
        party = "" if base["type"] == "11" else order[place]
        age = int(day[:4]) - int(born[:4]) - (day[4:] < born[4:])
        rows.append(
            base
            | _career(rng, base)
            | {
                "huboid": str(_FIRST_ID + 13 * (first + place)),
                "giho": "" if base["type"] == "11" else str(parties.index(party) + 1),
                "party": party,
                "name": name,
                "hanja": hanja,
                "gender": sex,
                "birthday": born,
                "age": str(age),
                "votes": str(int(total * share)),
                "share": f"{100 * share:.2f}",
                "won": place == 0,
                "status": "등록" if place < 3 or rng.random() < 0.9 else "사퇴",
            }
        )
    return rows


def _names(rng: random.Random, seated: Row | None, runners: list[Person]) -> list[tuple[str, str, str, str]]:
    """Name, Hanja, birthday and sex of each candidate, the sitting member first."""
    names: list[tuple[str, str, str, str]] = []
    if seated:
        born = str(seated["born"]).replace("-", "")
        names.append((str(seated["name"]), str(seated["hanja"]), born, str(seated["sex"])))
    for runner in runners:
        born = f"{rng.randrange(1948, 1992)}{rng.randrange(1, 13):02d}{rng.randrange(1, 29):02d}"
        names.append((runner.name, runner.hanja, born, rng.choice(("남", "남", "여"))))
    return names


def _career(rng: random.Random, base: Row) -> Row:
    data = read_yaml("nec.yaml")
    return {
        "address": f"{base['sido']} {base['wiw']}".strip(),
        "job": rng.choice(texts(data["jobs"])),
        "edu": rng.choice(texts(data["schools"])),
        "career1": f"(전){base['wiw'] or base['sido']} {rng.choice(_ROLES)}",
        "career2": rng.choice(("(전)지방의회 의원", "(현)연구소 소장", "(전)대학 겸임교수", "(현)봉사단체 고문")),
    }


@table("winners")
def build_winners(world: World) -> list[Row]:
    """One winner a seat."""
    return [row for row in world.table("candidates") if row["won"]]


@table("pledges")
def build_pledges(world: World) -> list[Row]:
    """Pledges of candidates for executive offices, spread over numbered columns as the platform does."""
    subjects = texts(read_yaml("nec.yaml")["pledges"])
    realms = texts(read_yaml("nec.yaml")["pledge_realms"])
    rows: list[Row] = []
    for candidate in world.table("candidates"):
        if candidate["type"] not in PLEDGE_TYPES:
            continue
        rng = world.rng("pledges", candidate["huboid"])
        count = rng.randrange(3, 6)
        row: Row = candidate | {"count": str(count)}
        for order, subject in enumerate(rng.sample(subjects, count), start=1):
            year, budget = rng.randrange(1, 5), rng.randrange(5, 400)
            row |= {
                f"ord{order}": str(order),
                f"realm{order}": rng.choice(realms),
                f"title{order}": subject,
                f"text{order}": f"{subject} 사업을 임기 {year}년차까지 예산 {budget}억원으로 추진",
            }
        rows.append(row)
    return rows
