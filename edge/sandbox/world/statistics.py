"""Real statistics tables and items of the central bank in, invented series that drift plausibly out."""

import random
from datetime import date, timedelta
from functools import cache

from edge.sandbox.world.reading import integer, mapping, mappings, read_yaml, split, texts
from edge.sandbox.world.store import Row, World, part, table

SERIES_START = date(2021, 1, 1)
_ANCHOR = date(2024, 1, 1)
# Points of a cycle until which nothing is published yet.
_LAG = {"A": 120, "Q": 40, "M": 20, "D": 1}


@table("ecos_tables")
def build_tables(_world: World) -> list[Row]:
    """Statistics tables and the headings above them; headings hold no data (searchable N)."""
    data = read_yaml("statistics.yaml")
    rows: list[Row] = []
    for line in texts(data["groups"]):
        parent, code, name = split(line)
        rows.append({"parent": parent, "code": code, "name": name, "cycle": None, "searchable": "N", "source": None})
        for spec in mappings(data["tables"]):
            if spec["parent"] == code:
                cycles = texts(spec["cycles"])
                rows.append(
                    {
                        "parent": code,
                        "code": spec["code"],
                        "name": spec["name"],
                        "cycle": cycles[-1],
                        "searchable": "Y",
                        "source": "한국은행",
                    }
                )
    return rows


@table("ecos_items")
def build_items(world: World) -> list[Row]:
    """One row a table, item and cycle: codes, names, first and last period, count, unit."""
    rows: list[Row] = []
    for spec in mappings(read_yaml("statistics.yaml")["tables"]):
        for line in texts(spec["items"]):
            code, name, unit, start, drift, noise = split(line)
            for cycle in texts(spec["cycles"]):
                times = periods(cycle, world.today - timedelta(days=_LAG[cycle]))
                rows.append(
                    {
                        "stat_code": spec["code"],
                        "stat_name": spec["name"],
                        "group_code": "Group1",
                        "group_name": "계정항목",
                        "item_code": code,
                        "item_name": name,
                        "parent_item": None,
                        "cycle": cycle,
                        "start_time": times[0],
                        "end_time": times[-1],
                        "count": len(times),
                        "unit": unit,
                        "weight": None,
                        "start": float(start),
                        "drift": float(drift),
                        "noise": float(noise),
                        "digits": _digits(start),
                    }
                )
    return rows


def _digits(text: str) -> int:
    return max(2, len(text.partition(".")[2])) if "." in text and float(text) < 20 else len(text.partition(".")[2])


@cache
def periods(cycle: str, last: date) -> list[str]:
    """Period labels from 2021 to the given day: 2024, 2024Q1, 202401 or 20240101 (weekdays only)."""
    days = [SERIES_START + timedelta(days=n) for n in range((last - SERIES_START).days + 1)]
    if cycle == "D":
        return [f"{day:%Y%m%d}" for day in days if day.weekday() < 5]
    labels = dict.fromkeys(_label(cycle, day) for day in days)
    complete = _label(cycle, last + timedelta(days=1)) != _label(cycle, last)
    return list(labels) if complete else list(labels)[:-1]


def _label(cycle: str, day: date) -> str:
    return {"A": f"{day.year}", "Q": f"{day.year}Q{(day.month + 2) // 3}", "M": f"{day:%Y%m}"}[cycle]


@part("ecos_series")
def build_series(world: World, stat_code: str, cycle: str) -> list[Row]:
    """Values of every item of a table in one cycle, oldest first; the cycles of an item agree with each other."""
    rows: list[Row] = []
    for item in world.find("ecos_items", "stat_code", stat_code):
        if item["cycle"] != cycle:
            continue
        months = _monthly(world, item)
        digits = integer(item["digits"])
        for time in periods(cycle, world.today - timedelta(days=_LAG[cycle])):
            value = _value(world, item, months, cycle, time)
            rows.append(item | {"none": None, "time": time, "value": f"{value:.{digits}f}"})
    return rows


def _monthly(world: World, item: Row) -> dict[str, float]:
    """A value a month: a straight drift around which a mean-reverting error wanders."""
    rng = world.rng("series", item["stat_code"], item["item_code"])
    start, drift, noise = (float(str(item[key])) for key in ("start", "drift", "noise"))
    error = 0.0
    values: dict[str, float] = {}
    day = SERIES_START
    while day <= world.today:
        error = 0.8 * error + rng.gauss(0, noise)
        value = start + drift * (day - _ANCHOR).days / 365.25 + error
        # A policy rate moves in quarters of a point and never by itself.
        values[f"{day:%Y%m}"] = round(value * 4) / 4 if noise == 0 and abs(drift) < 1 and drift else value
        day = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
    return values


def _value(world: World, item: Row, months: dict[str, float], cycle: str, time: str) -> float:
    if cycle == "M":
        return months[time]
    if cycle == "A":
        own = [value for month, value in months.items() if month.startswith(time)]
        return sum(own) / len(own)
    if cycle == "Q":
        first = int(time[-1]) * 3 - 2
        own = [months[f"{time[:4]}{month:02d}"] for month in range(first, first + 3)]
        return sum(own) / 3
    noise = float(str(item["noise"]))
    jitter = random.Random(f"{world.seed}:{item['stat_code']}:{item['item_code']}:{time}").gauss(0, noise * 0.25)
    return months[time[:6]] + jitter


@table("key_statistics")
def build_key_statistics(world: World) -> list[Row]:
    """About 100 headline indicators: class, name, latest value and its period (not a cycle), unit."""
    classes = mapping(read_yaml("statistics.yaml")["key_classes"])
    rows: list[Row] = []
    for code, kind in classes.items():
        items = world.find("ecos_items", "stat_code", code)
        cycle = str(items[-1]["cycle"])
        for item in items:
            if item["cycle"] == cycle:
                time, value = _latest(world, item)
                rows.append(
                    {"class": kind, "name": item["item_name"], "value": value, "period": time, "unit": item["unit"]}
                )
    return rows


def _latest(world: World, item: Row) -> tuple[str, str]:
    """Period and text of an item's last value, as the series has it."""
    cycle, time = str(item["cycle"]), str(item["end_time"])
    value = _value(world, item, _monthly(world, item), cycle, time)
    return time, f"{value:.{integer(item['digits'])}f}"


@table("economic_words")
def build_words(_world: World) -> list[Row]:
    """Terms with what they mean."""
    lines = [split(line) for line in texts(read_yaml("ecos_words.yaml")["words"])]
    return [{"word": word, "content": content} for word, content in lines]


@table("economic_metadata")
def build_metadata(_world: World) -> list[Row]:
    """What is known about each statistic, as a tree of two levels."""
    rows: list[Row] = []
    for name, lines in mapping(read_yaml("ecos_words.yaml")["metadata"]).items():
        for line in texts(lines):
            parent, code, title, content = split(line)
            level = "1" if parent == "0" else "2"
            rows.append({"data": name, "level": level, "parent": parent, "code": code, "name": title, "text": content})
    return rows
