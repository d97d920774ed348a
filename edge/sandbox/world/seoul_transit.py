"""Real subway lines of Seoul in, stations, timetables, arrivals and daily riders out."""

import re
from datetime import date, timedelta

from edge.sandbox.world.reading import integer, mapping, read_yaml, texts
from edge.sandbox.world.store import Row, World, part, table

_JUMP = re.compile(r"^(?P<name>[^=]+)=(?P<code>\d+)/(?P<fr>[\w-]+)$")
# Only this station carries the word in its own name, and the live service drops it.
ALIASES = {"서울": "서울역"}
# The open data portal publishes ridership three days late; the replica starts at the beginning of 2025.
RIDERSHIP_LAG = timedelta(days=3)
RIDERSHIP_START = date(2025, 1, 1)
_TRAINS_PER_DAY = {"1": 180, "2": 148, "3": 134}
_DIRECTIONS = {"1": "상행", "2": "하행"}
_INITIALS = ("g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p", "h")
_VOWELS = (
    *("a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae"),
    *("oe", "yo", "u", "wo", "we", "wi", "yu", "eu", "ui", "i"),
)
_FINALS = (
    *("", "k", "k", "k", "n", "n", "n", "t", "l", "k", "m", "l", "l", "l", "p", "l", "m", "p", "p"),
    *("t", "t", "ng", "t", "t", "k", "t", "p", "t"),
)


def romanise(text: str) -> str:
    """Letter by letter Revised Romanization, without sound changes between syllables."""
    out: list[str] = []
    for char in text:
        index = ord(char) - 0xAC00
        if 0 <= index < 11172:
            out.append(_INITIALS[index // 588] + _VOWELS[index % 588 // 28] + _FINALS[index % 28])
        else:
            out.append(char)
    return "".join(out).capitalize()


@table("subway_stations")
def build_stations(_world: World) -> list[Row]:
    """Stations of lines 1 to 9 in running order: code (4), fr, official name, base_name, three line spellings."""
    rows: list[Row] = []
    for line, spec in read_yaml("subway.yaml").items():
        plan = mapping(spec)
        code, step = integer(plan["first_code"]), integer(plan["step_fr"])
        fr = str(plan["first_fr"])
        for run in texts(plan["runs"]):
            gu, names = run.split(": ")
            for item in names.split(" "):
                jump = _JUMP.match(item)
                if jump:
                    item, code, fr = jump["name"], int(jump["code"]), jump["fr"]
                rows.append(_station(line, item, f"{code:04d}", fr, gu))
                code += 1
                fr = f"{int(fr) + step}" if fr.isdigit() else fr
    return rows


def _station(line: str, name: str, code: str, fr: str, gu: str) -> Row:
    base = name.split("(")[0]
    digits = fr.replace("P", "80").replace("-", "")
    return {
        "code": code,
        "fr": fr,
        "name": name,
        "base_name": base,
        "eng": romanise(base),
        "line_no": line,
        "line": f"{int(line):02d}호선",
        "line_label": f"{line}호선",
        "gu": gu,
        "subway_id": f"100{line}",
        "statn_id": f"100{line}{digits:0>6}",
    }


@part("subway_timetable")
def build_timetable(world: World, code: str, week: str, way: str) -> list[Row]:
    """Trains of one station, day kind and direction in order of arrival; no rows for an unknown combination."""
    stations = world.find("subway_stations", "code", code)
    if not stations or week not in _TRAINS_PER_DAY or way not in _DIRECTIONS:
        return []
    station = stations[0]
    line = world.find("subway_stations", "line_no", station["line_no"])
    first, last = (line[-1], line[0]) if way == "1" else (line[0], line[-1])
    rng = world.rng("timetable", code, week, way)
    count = _TRAINS_PER_DAY[week] + rng.randrange(12)
    gap = 18.9 * 3600 / count
    rows: list[Row] = []
    for order in range(count):
        seconds = int(5.4 * 3600 + order * gap + rng.uniform(0, gap * 0.5)) // 10 * 10
        rows.append(
            station
            | {
                "train_no": f"{station['line_no']}{2 * order + 1 + int(way == '1'):03d}",
                "arrive": _clock(seconds),
                "leave": _clock(seconds + 30),
                "origin": first["base_name"],
                "terminal": last["base_name"],
                "express": "G" if station["line_no"] != "9" or order % 3 else "D",
                "week": week,
                "way": way,
            }
        )
    return rows


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds % 3600 // 60:02d}:{seconds % 60:02d}"


@part("subway_ridership")
def build_ridership(world: World, ymd: str) -> list[Row]:
    """Boardings and exits of every station on a published day; no rows for other days or malformed dates."""
    day = published_day(world, ymd)
    if day is None:
        return []
    weekend = 0.62 if day.weekday() >= 5 else 1.0
    rows: list[Row] = []
    for station in world.table("subway_stations"):
        scale = world.rng("riders", station["code"]).lognormvariate(9.9, 0.65)
        rng = world.rng("riders", station["code"], ymd)
        boarded = int(scale * weekend * rng.uniform(0.9, 1.1))
        rows.append(
            station
            | {
                "use_ymd": ymd,
                "boarded": boarded,
                "left": int(boarded * rng.uniform(0.95, 1.05)),
                "reg_ymd": f"{day + RIDERSHIP_LAG:%Y%m%d}",
            }
        )
    return rows


def published_day(world: World, ymd: str) -> date | None:
    """The day of a YYYYMMDD text when its ridership is out, else None."""
    if not re.fullmatch(r"\d{8}", ymd):
        return None
    try:
        day = date(int(ymd[:4]), int(ymd[4:6]), int(ymd[6:]))
    except ValueError:
        return None
    return day if RIDERSHIP_START <= day <= world.today - RIDERSHIP_LAG else None


@part("subway_arrivals")
def build_arrivals(world: World, name: str) -> list[Row]:
    """Two trains a direction for every line at an official station name, soonest first within a line."""
    rows: list[Row] = []
    for station in world.find("subway_stations", "name", ALIASES.get(name, name)):
        line = world.find("subway_stations", "line_no", station["line_no"])
        here = next(i for i, other in enumerate(line) if other["code"] == station["code"])
        rng = world.rng("arrivals", station["code"])
        for way, ends in (("1", line[0]), ("2", line[-1])):
            label = {"1": "내선", "2": "외선"}[way] if station["line_no"] == "2" else _DIRECTIONS[way]
            seconds = 0
            for order in (1, 2):
                seconds += rng.randrange(40, 260)
                behind = line[max(0, min(len(line) - 1, here + order * (1 if way == "1" else -1)))]
                rows.append(
                    station
                    | {
                        "updn": label,
                        "train_line": f"{ends['base_name']}행 - {behind['base_name']}방면",
                        "train_no": f"{station['line_no']}{rng.randrange(100, 999)}",
                        "seconds": str(seconds),
                        "message": f"{seconds // 60}분 {seconds % 60}초 후",
                        "place": behind["base_name"],
                        "arrival_code": "99",
                        "received": f"{world.now:%Y-%m-%d %H:%M:%S}",
                    }
                )
    return rows
