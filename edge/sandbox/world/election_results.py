"""Candidates and districts in, counting, turnout, polling places, codes and party programmes out."""

from datetime import date, timedelta

from edge.sandbox.world.lazy import mix
from edge.sandbox.world.reading import integer, mapping, read_yaml, split, texts
from edge.sandbox.world.store import Row, World, part, table

_WIDE = 50
_PER_DONG = 4


def _places(world: World, seat: Row) -> list[str]:
    """Cities, counties and districts that vote for a seat; a province-wide seat has all of its province."""
    if seat["wiw"]:
        return [str(seat["wiw"])]
    old = {str(k): str(v) for k, v in mapping(read_yaml("nec.yaml")["old_provinces"]).items()}
    rows = [row for row in world.table("constituencies") if old.get(str(row["sido"]), str(row["sido"])) == seat["sido"]]
    rows = rows or [row for row in world.table("constituencies") if row["sido"] == seat["sido"]]
    return list(dict.fromkeys(str(row["city"]) for row in rows))


@table("election_seats")
def build_seats(world: World) -> list[Row]:
    """One row a seat: election, type, constituency, province, number of seats, order."""
    rows: list[Row] = []
    seen: dict[tuple[str, ...], Row] = {}
    for candidate in world.table("candidates"):
        key = tuple(str(candidate[name]) for name in ("sg_id", "type", "sido", "sgg"))
        if key not in seen:
            seen[key] = {name: candidate[name] for name in ("sg_id", "type", "sido", "sgg", "wiw")}
            rows.append(seen[key])
    for order, row in enumerate(rows, start=1):
        row["order"], row["seats"] = str(order), "46" if row["type"] == "7" else "1"
    return rows


@table("election_districts")
def build_districts(world: World) -> list[Row]:
    """Cities, counties and districts of each election, in the order of the ballot lists."""
    found: dict[tuple[str, str, str], Row] = {}
    for seat in world.table("election_seats"):
        for wiw in _places(world, seat) if seat["type"] != "7" else []:
            key = (str(seat["sg_id"]), str(seat["sido"]), wiw)
            found.setdefault(key, {"sg_id": key[0], "sido": key[1], "wiw": wiw})
    for order, row in enumerate(found.values(), start=1):
        row["order"] = str(order)
    return list(found.values())


@table("election_parties")
def build_parties(world: World) -> list[Row]:
    """Parties that stood in each election, with what they promised in ten points."""
    subjects = texts(read_yaml("nec.yaml")["pledges"])
    rows: list[Row] = []
    for sg_id in sorted({str(row["sg_id"]) for row in world.table("candidates")}):
        names = [split(line)[0] for line in texts(read_yaml("assembly.yaml")["parties"])]
        for order, name in enumerate((name for name in names if name != "무소속"), start=1):
            rng = world.rng("programme", sg_id, name)
            row: Row = {"sg_id": sg_id, "party": name, "order": str(order), "count": "10"}
            for number, subject in enumerate(rng.sample(subjects, 10), start=1):
                row |= {f"title{number}": subject, f"text{number}": f"{subject}: 재원 {rng.randrange(10, 900)}억원"}
            rows.append(row)
    return rows


@table("preliminary_candidates")
def build_preliminary(world: World) -> list[Row]:
    """Those who registered early: most candidates, weeks before they became candidates."""
    rows: list[Row] = []
    for candidate in world.table("candidates"):
        rng = world.rng("preliminary", candidate["huboid"])
        if candidate["type"] != "7" and rng.random() < 0.8:
            day = str(candidate["sg_id"])
            voted = date(int(day[:4]), int(day[4:6]), int(day[6:]))
            rows.append(candidate | {"registered": f"{voted - timedelta(days=rng.randrange(30, 118)):%Y%m%d}"})
    return rows


def _electors(world: World, sg_id: str, sido: str, wiw: str) -> tuple[int, int]:
    """(electors, votes cast) of a place in an election; the same for every seat it votes for."""
    rng = world.rng("electors", sg_id, sido, wiw)
    electors = rng.randrange(21_000, 390_000)
    return electors, int(electors * rng.uniform(0.46, 0.71))


@part("count_results")
def build_counts(world: World, sg_id: str, kind: str) -> list[Row]:
    """Counting by seat and place as the commission sends it: candidates side by side, a row of sums first."""
    rows: list[Row] = []
    for seat in world.table("election_seats"):
        if seat["sg_id"] != sg_id or seat["type"] != kind or kind == "7":
            continue
        runners = [
            row
            for row in world.find("candidates", "sgg", seat["sgg"])
            if (row["sg_id"], row["type"], row["sido"]) == (sg_id, kind, seat["sido"])
        ]
        own = [_count(world, seat, wiw, runners) for wiw in _places(world, seat)]
        numbers = [name for name in own[0] if isinstance(own[0][name], int)]
        whole: Row = own[0] | {"wiwName": "합계"} | {n: sum(integer(row[n]) for row in own) for n in numbers}
        for row in (whole, *own):
            rows.append({name: str(value) for name, value in row.items()})
    return rows


def _count(world: World, seat: Row, wiw: str, runners: list[Row]) -> Row:
    sg_id, sido = str(seat["sg_id"]), str(seat["sido"])
    electors, cast = _electors(world, sg_id, sido, wiw)
    void = int(cast * 0.011)
    row: Row = {
        "sgId": sg_id, "sgTypecode": str(seat["type"]), "sggName": str(seat["sgg"]), "sdName": sido, "wiwName": wiw,
        "sunsu": electors, "tusu": cast, "yutusu": cast - void, "mutusu": void, "gigwonsu": electors - cast,
    }  # fmt: skip
    shares = [float(str(runner["share"])) for runner in runners]
    for number in range(1, _WIDE + 1):
        here = number <= len(runners)
        runner: Row = runners[number - 1] if here else {"party": "", "name": ""}
        votes = int((cast - void) * shares[number - 1] / max(0.01, sum(shares))) if here else ""
        row |= {f"jd{number:02d}": str(runner["party"]), f"hbj{number:02d}": str(runner["name"])}
        row[f"dugsu{number:02d}"] = votes
    return row


@part("turnout")
def build_turnout(world: World, sg_id: str, kind: str) -> list[Row]:
    """Turnout by province and place, each province led by a row of sums, as is the country."""
    if not any(row["sg_id"] == sg_id and row["type"] == kind for row in world.table("election_codes")) or kind == "0":
        return []
    by_sido: dict[str, list[tuple[str, int, int]]] = {}
    for place in world.find("election_districts", "sg_id", sg_id):
        sido, wiw = str(place["sido"]), str(place["wiw"])
        by_sido.setdefault(sido, []).append((wiw, *_electors(world, sg_id, sido, wiw)))
    everything = [item for items in by_sido.values() for item in items]
    lines = [("합계", "합계", sum(item[1] for item in everything), sum(item[2] for item in everything))]
    for sido, items in by_sido.items():
        lines.append((sido, "합계", sum(item[1] for item in items), sum(item[2] for item in items)))
        lines += [(sido, *item) for item in items]
    rows: list[Row] = []
    for order, (sido, wiw, electors, cast) in enumerate(lines, start=1):
        early = int(electors * 0.31)
        rows.append(
            {
                "num": str(order), "sg_id": sg_id, "type": kind, "sido": sido, "wiw": wiw, "electors": str(electors),
                "day_electors": str(electors - early), "early_electors": str(early), "cast": str(cast),
                "day_cast": str(cast - int(early * 0.97)), "early_cast": str(int(early * 0.97)),
                "turnout": f"{100 * cast / electors:.1f}", "order": str(order),
            }
        )  # fmt: skip
    return rows


@part("polling_places")
def build_polling_places(world: World, sg_id: str, wiw: str) -> list[Row]:
    """Polling places of one city, county or district: a few in each dong, under provinces' names of the day."""
    places = [row for row in world.find("election_districts", "sg_id", sg_id) if row["wiw"] == wiw]
    new = {str(v): str(k) for k, v in mapping(read_yaml("nec.yaml")["old_provinces"]).items()}
    kinds = ("초등학교", "주민센터", "경로당", "중학교", "도서관")
    rows: list[Row] = []
    for place in places:
        sido = new.get(str(place["sido"]), str(place["sido"]))
        dongs = [d for d in world.find("dongs", "sido", sido) if str(d["sigungu"]).split(" ")[0] in (wiw, "")]
        for dong in dongs:
            for number in range(1, _PER_DONG + 1):
                bits = mix(world.seed + number, int(str(dong["code10"])[:8]))
                building = f"{dong['dong']} {kinds[bits % len(kinds)]}"
                spot: Row = {"name": f"{dong['dong']}제{number}투표소", "dong": dong["dong"], "building": building}
                address = f"{dong['full_name']} {bits % 800 + 1}"
                rows.append(place | spot | {"address": address, "floor": f"{bits % 2 + 1}층"})
    return rows
