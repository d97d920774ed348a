"""Fire stations in, their vehicles and the monthly records of ambulance runs and patients out."""

import random
from typing import cast

from edge.sandbox.world.reading import read_yaml, texts
from edge.sandbox.world.store import Row, World, part, table

_FIRST_MONTH = "202101"
_WORDS = read_yaml("ambulance.yaml")


def _pick(rng: random.Random, name: str) -> str:
    return rng.choice(texts(_WORDS[name]))


@table("fire_vehicles")
def build_fire_vehicles(world: World) -> list[Row]:
    """Five to nine vehicles a station, ambulances first; numbers are those of the fleet, not plates."""
    kinds = [texts(pair) for pair in cast("list[object]", _WORDS["vehicles"])]
    rows: list[Row] = []
    for station in world.table("fire_stations"):
        rng = world.rng("fire_vehicles", station["headquarters"], station["name"])
        for count in range(rng.randrange(5, 10)):
            kind, group = kinds[count % 2] if count < 3 else rng.choice(kinds[2:])
            rows.append(
                station
                | {
                    "number": f"{998 if group == '구급' else 997}-{len(rows) + 1000}",
                    "section": "1" if group == "구급" else "2",
                    "kind": kind,
                    "group": group,
                    "state": _pick(rng, "states"),
                    "formed": "Y" if rng.random() < 0.8 else "N",
                    "called": f"{str(station['sigungu']).split()[-1][:2]}{count + 1}",
                    "maker": _pick(rng, "makers"),
                    "seats": str(rng.choice((3, 3, 5, 6)) if group != "물탱크" else 2),
                    "tank": str(rng.choice((3000, 6000))) if group in ("펌프", "물탱크") else "",
                    "day": f"{world.today:%Y%m%d}",
                }
            )
    return rows


def published(world: World, month: str) -> bool:
    """Whether the records of a month are out: from the beginning of 2021 to last month."""
    ordered = len(month) == 6 and month.isdigit() and 1 <= int(month[4:]) <= 12
    return ordered and _FIRST_MONTH <= month < f"{world.today:%Y%m}"


@part("ambulance_runs")
def build_ambulance_runs(world: World, station: str, month: str) -> list[Row]:
    """Runs of every station of that name in a month, with hour, patient, place, symptom, readings and crew."""
    if not published(world, month):
        return []
    rows: list[Row] = []
    for place in world.find("fire_stations", "name", station):
        rng = world.rng("ambulance_runs", place["headquarters"], station, month)
        rows += [place | {"month": month} | _run(rng) for _ in range(rng.randrange(60, 190))]
    return rows


def _run(rng: random.Random) -> Row:
    accident = _pick(rng, "accidents")
    low = rng.randrange(55, 96)
    return {
        "hour": f"{rng.randrange(24):02d}",
        "call": _pick(rng, "calls"),
        "reach": _pick(rng, "reach"),
        "distance": str(rng.randrange(0, 18)),
        "age": _pick(rng, "ages"),
        "sex": rng.choice("남여"),
        "foreign": "Y" if rng.random() < 0.03 else "N",
        "place": _pick(rng, "places"),
        "symptom": _pick(rng, "symptoms"),
        "accident": accident,
        "cause": "" if accident == "질병" else _pick(rng, "causes"),
        "occupation": _pick(rng, "occupations"),
        "first_crew": _pick(rng, "crews"),
        "second_crew": rng.choice(("", _pick(rng, "crews"))),
        "aid": _pick(rng, "aids"),
        # A reading that was not taken is blank.
        "low": str(low) if rng.random() < 0.9 else "",
        "top": str(low + rng.randrange(30, 70)),
        "pulse": str(rng.randrange(55, 120)),
        "breath": str(rng.randrange(12, 26)),
        "oxygen": str(rng.randrange(88, 101)) if rng.random() < 0.9 else "",
        "heat": str(rng.choice((36, 36, 36, 37, 38))),
    }


@part("ambulance_sorties")
def build_ambulance_sorties(world: World, station: str, month: str) -> list[Row]:
    """Which vehicle of the station went out, hour by hour of a month."""
    runs = world.part("ambulance_runs", station, month)
    rows: list[Row] = []
    for order, run in enumerate(runs, start=1):
        fleet = [v for v in world.find("fire_vehicles", "name", station) if v["headquarters"] == run["headquarters"]]
        rng = world.rng("sorties", run["headquarters"], station, month, order)
        vehicle = rng.choice(fleet)
        rows.append(vehicle | {"month": month, "hour": run["hour"], "crew": str(rng.choice((2, 3, 3))), "order": "1"})
    return rows
