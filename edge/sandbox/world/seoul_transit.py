"""Real subway lines of Seoul in, stations, timetables, arrivals and daily riders out, with parking and culture."""

import re
from datetime import date, timedelta

from edge.sandbox.world.reading import integer, mapping, read_yaml, texts
from edge.sandbox.world.store import Row, World, part, table

_JUMP = re.compile(r"^(?P<name>[^=]+)=(?P<code>\d+)/(?P<fr>[\w-]+)$")
# The open data portal publishes ridership three days late; the replica starts at the beginning of 2025.
RIDERSHIP_LAG = timedelta(days=3)
RIDERSHIP_START = date(2025, 1, 1)
_TRAINS_PER_DAY = {"1": 180, "2": 148, "3": 134}
_DIRECTIONS = {"1": "상행", "2": "하행"}
_INITIALS = ("g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p", "h")
_VOWELS = "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i".split()
_FINALS = " k k k n n n t l k m l l l p l m p p t t ng t t k t p t".split(" ")


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
    for station in world.find("subway_stations", "name", name):
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


@table("parking_lots")
def build_parking(world: World) -> list[Row]:
    """Public car parks of Seoul: code, name, address, spaces, basic fee in won, degrees."""
    rng = world.rng("parking_lots")
    dongs = world.find("dongs", "sido", "서울특별시")
    rows: list[Row] = []
    for order in range(420):
        dong = rng.choice(dongs)
        kind = rng.choice(("공영주차장", "노상 공영주차장", "환승주차장", "시장 공영주차장"))
        rows.append(
            {
                "code": str(171000 + 7 * order),
                "name": f"{dong['dong']} {kind}({order % 4 + 1})",
                "addr": f"{dong['sigungu']} {dong['dong']} {rng.randrange(1, 900)}-{rng.randrange(1, 40)}",
                "gu": dong["sigungu"],
                "spaces": rng.randrange(9, 640),
                "fee": rng.choice((0, 100, 150, 200, 250, 300, 400, 500)),
                "lat": round(float(str(dong["lat"])) + rng.uniform(-0.004, 0.004), 7),
                "lon": round(float(str(dong["lon"])) + rng.uniform(-0.004, 0.004), 7),
            }
        )
    return rows


_EVENT_KINDS = ("클래식", "연극", "뮤지컬/오페라", "국악", "무용", "콘서트", "전시/미술", "교육/체험", "축제-문화/예술", "영화")
_EVENT_WORDS = ("봄날의", "한강", "별빛", "골목", "어린이", "시민", "달빛", "청춘", "우리동네", "가족", "여름밤", "기억의")
_EVENT_NOUNS = ("음악회", "이야기", "산책", "무대", "공방", "기획전", "놀이터", "한마당", "상영회", "페스티벌")
_PLACES = ("구민회관", "문화예술회관", "어린이대공원 숲속무대", "평생학습관", "도서관", "미술관", "아트홀")


@table("cultural_events")
def build_events(world: World) -> list[Row]:
    """Culture programmes around today: kind, district, title, dates, place, fee text and degrees as texts."""
    rng = world.rng("cultural_events")
    districts = world.find("districts", "sido", "서울특별시")
    rows: list[Row] = []
    for order in range(900):
        gu = rng.choice(districts)
        start = world.today + timedelta(days=rng.randrange(-150, 100))
        end = start + timedelta(days=rng.choice((0, 0, 0, 1, 2, 6, 13, 29)))
        free = rng.random() < 0.55
        place = f"{gu['name']} {rng.choice(_PLACES)}"
        rows.append(
            {
                "kind": rng.choice(_EVENT_KINDS),
                "gu": gu["name"],
                "title": f"{rng.choice(_EVENT_WORDS)} {rng.choice(_EVENT_NOUNS)} {order % 37 + 1}회",
                "period": f"{start}~{end}",
                "place": place,
                "org": f"{gu['name']}청",
                "target": rng.choice(("누구나", "만 7세 이상", "초등학생", "성인", "가족")),
                "fee": "무료" if free else f"전석 {rng.randrange(5, 60) * 1000:,}원",
                "free": "무료" if free else "유료",
                "start": f"{start} 00:00:00.0",
                "end": f"{end} 00:00:00.0",
                "from_day": str(start),
                "to_day": str(end),
                "lon": str(round(float(str(gu["lon"])) + rng.uniform(-0.02, 0.02), 6)),
                "lat": str(round(float(str(gu["lat"])) + rng.uniform(-0.02, 0.02), 6)),
            }
        )
    return sorted(rows, key=lambda row: (str(row["from_day"]), str(row["title"])), reverse=True)
