"""Real statistics tables and the office's own region codes in, lists, classifications and invented figures out."""

from collections.abc import Mapping
from datetime import timedelta
from functools import cache

from edge.sandbox.world.lazy import mix
from edge.sandbox.world.reading import mapping, mappings, read_yaml, split, texts
from edge.sandbox.world.statistics import periods
from edge.sandbox.world.store import Row, World, table

# The statistics office numbers provinces otherwise than the registry does: 부산 is 21 here and 26 there.
_LEGAL = ("11", "26", "27", "28", "29", "30", "31", "36", "41", "51", "43", "44", "52", "46", "47", "48", "50")
_OFFICE = ("11", "21", "22", "23", "24", "25", "26", "29", "31", "32", "33", "34", "35", "36", "37", "38", "39")
_PROVINCES: dict[str, str] = dict(zip(_LEGAL, _OFFICE, strict=True))
_LAG = {"M": 45, "Q": 70, "Y": 200}
_CYCLES = {"M": "M", "Q": "Q", "Y": "A"}
# Figures in these units are rates: a part of the country has about the same as the whole.
_RATES = ("%", "2020=100", "명당", "천원")


def spec_of(table_id: str) -> Mapping[str, object] | None:
    """One table as the data file describes it."""
    return _specs().get(table_id)


@cache
def _specs() -> dict[str, dict[str, object]]:
    return {str(spec["id"]): spec for spec in mappings(read_yaml("kosis.yaml")["tables"])}


@table("statistical_regions")
def build_regions(world: World) -> list[Row]:
    """Provinces (2) and districts (5, in steps of ten) by the statistics office's codes, with degrees and weight."""
    rows: list[Row] = []
    people: dict[str, int] = {}
    for row in world.table("residents"):
        code5 = str(row["code10"])[:5]
        people[code5] = people.get(code5, 0) + int(str(row["people"]))
    whole = sum(people.values())
    for province in world.table("provinces"):
        code2 = str(province["code2"])
        own = world.find("districts", "code2", code2)
        code = _PROVINCES[code2]
        share = sum(people.get(str(d["code5"]), 0) for d in own) / whole
        place: Row = {"lon": own[0]["lon"], "lat": own[0]["lat"]}
        rows.append({"code": code, "name": province["name"], "parent": "", "weight": share, "legal": code2} | place)
        for order, district in enumerate(own, start=1):
            part = people.get(str(district["code5"]), 0) / whole
            place = {"lon": district["lon"], "lat": district["lat"], "legal": district["code5"]}
            name = str(district["name"]) or str(province["name"])
            full = f"{province['name']} {name}"
            rows.append(
                {"code": f"{code}{order:02d}0", "name": name, "full_name": full, "parent": code, "weight": part} | place
            )
    return rows


def axis_values(world: World, kind: str) -> list[Row]:
    """Codes of one axis with name, parent and weight."""
    if kind in ("sido", "sgg"):
        whole: Row = {"code": "00", "name": "전국", "parent": "", "weight": 1.0}
        rows = world.table("statistical_regions")
        return [whole, *(row for row in rows if kind == "sgg" or not row["parent"])]
    lines = [split(line) for line in texts(mapping(read_yaml("kosis.yaml")["values"])[kind])]
    part = 1 / max(1, len(lines) - 1)
    return [
        {"code": code, "name": name, "parent": "", "weight": part if order else 1.0}
        for order, (code, name) in enumerate(lines)
    ]


@table("kosis_tables")
def build_tables(world: World) -> list[Row]:
    """One row a table: organisation, table and survey ids and names, path, first and last period."""
    data = read_yaml("kosis.yaml")
    names = {line[1]: line for line in (split(text) for text in texts(data["lists"]))}
    rows: list[Row] = []
    for spec in _specs().values():
        survey = split(str(mapping(data["surveys"])[str(spec["survey"])]))
        own = names[str(spec["list"])]
        above = names[own[0]]
        times = times_of(world, texts(spec["cycles"])[0])
        rows.append(
            {
                "org": spec["org"],
                "org_name": mapping(data["orgs"])[str(spec["org"])],
                "id": spec["id"],
                "name": spec["name"],
                "survey": spec["survey"],
                "survey_name": survey[0],
                "list": spec["list"],
                "path": f"{above[2]} > {own[2]} > {survey[0]}",
                "path_id": f"{above[1]} > {own[1]}",
                "first": times[0],
                "last": times[-1],
                "cycles": texts(spec["cycles"]),
            }
        )
    return rows


def times_of(world: World, cycle: str) -> list[str]:
    """Periods that are published in one cycle; empty for a cycle nobody uses."""
    if cycle not in _CYCLES:
        return []
    # Quarters are written 202401 to 202404 here.
    return [time.replace("Q", "0") for time in periods(_CYCLES[cycle], world.today - timedelta(days=_LAG[cycle]))]


def figure(world: World, table_id: str, item: str, cells: list[Row], time: str) -> float:
    """One figure: the country's, by the weight of each code, wandering a little; differences are differences."""
    spec = spec_of(table_id)
    lines = {line.split("|")[0]: split(line) for line in texts(spec["items"])} if spec else {}
    _, _, unit, base = lines[item]
    if "-" in base:
        left, right = base.split("-")
        return figure(world, table_id, left, cells, time) - figure(world, table_id, right, cells, time)
    key = sum(ord(char) * (n + 7) for n, char in enumerate(f"{table_id}{item}{[c['code'] for c in cells]}"))
    wave = 0.96 + mix(world.seed + key, int(time)) % 1000 / 12500
    own = 0.85 + mix(world.seed, key) % 1000 / 3300 if unit in _RATES else 1.0
    value = float(base) * wave * own
    if unit not in _RATES:
        for cell in cells:
            value *= float(str(cell["weight"]))
    return value


def written(value: float, unit: str) -> str:
    """Rates with decimals, counts without."""
    return f"{value:.2f}" if unit == "명당" else f"{value:.1f}" if unit in ("%", "2020=100") else str(round(value))
