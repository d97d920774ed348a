"""Real railway stations in, invented timetables that repeat daily out."""

from edge.sandbox.world.store import Row, World, table

# Node id, name, TAGO rail province code (not the bus city code).
_STATIONS = """
NAT010000 서울 11
NAT010032 용산 11
NAT130126 청량리 11
NATH30000 수서 11
NAT010091 영등포 11
NAT010415 수원 31
NAT130182 양평 31
NATH30326 동탄 31
NATH30536 평택지제 31
NAT010754 천안 34
NATH10960 천안아산 34
NAT080045 공주 34
NAT030254 논산 34
NAT050044 오송 33
NAT050366 충주 33
NAT020947 제천 33
NAT011668 대전 25
NAT030057 서대전 25
NATH12383 김천구미 37
NAT012775 구미 37
NATH13421 경주 37
NAT8B0351 포항 37
NAT022558 안동 37
NAT013271 동대구 22
NAT013189 대구 22
NATH13717 울산 26
NAT014445 부산 21
NAT014281 구포 21
NAT880281 창원중앙 38
NAT881014 진주 38
NAT013841 밀양 38
NAT030879 익산 35
NAT031314 정읍 35
NAT040257 전주 35
NAT040868 남원 35
NAT031857 광주송정 24
NAT031998 나주 36
NAT032563 목포 36
NAT041595 순천 36
NAT041993 여수EXPO 36
NAT021175 원주 32
NAT601275 평창 32
NAT601936 강릉 32
NAT610226 춘천 32
"""
# Line, grades that run on it, trains a day each way, and stations with minutes from the first.
_LINES: tuple[tuple[str, tuple[str, ...], int, str], ...] = (
    ("경부고속", ("KTX", "KTX", "KTX-산천"), 26,
     "서울 0 천안아산 36 오송 52 대전 66 김천구미 92 동대구 113 경주 131 울산 143 부산 165"),
    ("수서고속", ("SRT",), 16, "수서 0 동탄 16 평택지제 26 천안아산 38 오송 51 대전 64 동대구 110 울산 139 부산 158"),
    ("호남고속", ("KTX", "KTX-산천"), 14,
     "용산 0 천안아산 38 오송 53 공주 69 익산 88 정읍 104 광주송정 120 나주 131 목포 158"),
    ("전라", ("KTX", "ITX-새마을"), 9, "용산 0 천안아산 38 오송 53 익산 92 전주 112 남원 142 순천 176 여수EXPO 198"),
    ("경부", ("무궁화호", "무궁화호", "ITX-새마을"), 14,
     "서울 0 영등포 9 수원 32 천안 66 대전 118 구미 186 동대구 221 밀양 266 구포 301 부산 316"),
    ("강릉", ("KTX-이음",), 10, "서울 0 청량리 22 양평 48 원주 72 평창 94 강릉 117"),
    ("중앙", ("KTX-이음", "ITX-마음"), 7, "청량리 0 양평 30 원주 58 제천 84 안동 125"),
    ("경전", ("KTX",), 5, "서울 0 대전 62 동대구 115 밀양 155 창원중앙 185 진주 216"),
    ("동해", ("KTX",), 6, "서울 0 대전 62 동대구 115 포항 152"),
)  # fmt: skip
# Grade code and fare in won a minute.
GRADES = {
    "KTX": ("00", 355), "새마을호": ("01", 200), "무궁화호": ("02", 92), "KTX-산천": ("07", 355),
    "ITX-새마을": ("08", 150), "KTX-이음": ("16", 235), "SRT": ("17", 330), "ITX-마음": ("18", 150),
}  # fmt: skip
_FIRST_MIN, _LAST_MIN = 5 * 60 + 10, 21 * 60 + 40


@table("train_cities")
def build_train_cities(world: World) -> list[Row]:
    """The 17 provinces under the rail service's own codes."""
    rows = [{"city": row["tago_train"], "name": row["name"]} for row in world.table("provinces")]
    return sorted(rows, key=lambda row: int(str(row["city"])))


@table("train_stations")
def build_train_stations(_world: World) -> list[Row]:
    """node_id, name, city (rail province code)."""
    parts = [line.split() for line in _STATIONS.strip().splitlines()]
    return [{"node_id": node, "name": name, "city": city} for node, name, city in parts]


def _stops(text: str) -> list[tuple[str, int]]:
    words = text.split()
    return [(words[n], int(words[n + 1])) for n in range(0, len(words), 2)]


@table("train_trips")
def build_train_trips(world: World) -> list[Row]:
    """Every pair of stops of every train: numbers, grade, from and to node ids, minutes of the day, fare in 원."""
    nodes = {str(row["name"]): str(row["node_id"]) for row in world.table("train_stations")}
    rows: list[Row] = []
    for base, (line, grades, daily, text) in enumerate(_LINES, start=1):
        for direction in (0, 1):
            stops = _stops(text)
            if direction:
                total = stops[-1][1]
                stops = [(name, total - minute) for name, minute in reversed(stops)]
            rng = world.rng("train_trips", line, direction)
            starts = sorted(rng.sample(range(_FIRST_MIN, _LAST_MIN, 5), daily))
            for order, start in enumerate(starts):
                number = base * 100 + order * 2 + (2 if direction else 1)
                grade = rng.choice(grades)
                # Trains skip some middle stops; ends are always served.
                served = [stop for n, stop in enumerate(stops) if n in (0, len(stops) - 1) or rng.random() < 0.8]
                rows.extend(_pairs(number, grade, start, served, nodes))
    return sorted(rows, key=lambda row: (int(str(row["depart"])), int(str(row["number"]))))


def _pairs(number: int, grade: str, start: int, stops: list[tuple[str, int]], nodes: dict[str, str]) -> list[Row]:
    code, rate = GRADES[grade]
    return [
        {
            "number": number,
            "grade": grade,
            "grade_code": code,
            "from_id": nodes[origin],
            "to_id": nodes[target],
            "from_name": origin,
            "to_name": target,
            "depart": start + leave,
            "arrive": start + reach,
            "fare": max(2600, (reach - leave) * rate // 100 * 100),
        }
        for first, (origin, leave) in enumerate(stops)
        for target, reach in stops[first + 1 :]
    ]
