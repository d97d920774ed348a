"""Sights, hospitals, homes, schools and buildings in, facilities under safety inspection with their records out."""

import random
from collections.abc import Iterator
from datetime import timedelta

from edge.sandbox.world.buildings import site, stem
from edge.sandbox.world.store import Row, World, part, table

# Code of the kind -> (name, endings of facilities that nothing else in the world knows).
KINDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "01": ("휴양림", ()),
    "02": ("호텔", ()),
    "03": ("전통시장", ()),
    "04": ("공연장", ()),
    "05": ("국립공원", ()),
    "06": ("체육시설", ()),
    "07": ("병원", ()),
    "08": ("학교", ()),
    "09": ("건축물", ()),
    "10": ("아동센터", ("지역아동센터", "다함께돌봄센터")),
    "11": ("지진안전시설물", ("행정복지센터",)),
    "12": ("유해화학물질취급시설", ("화학", "케미칼")),
    "13": ("사방시설", ("사방댐",)),
    "14": ("항만시설", ("물양장",)),
    "15": ("여객선", ("페리호",)),
    "16": ("수상레저시설", ("수상레저",)),
    "17": ("농어촌민박", ("민박",)),
    "18": ("장기요양시설", ("요양원", "실버홈")),
    "19": ("다중이용시설", ("노래연습장", "영화관")),
    "20": ("식품판매시설", ("마트", "식자재마트")),
    "21": ("기계식주차장", ("타워 기계식주차장",)),
    "22": ("청소년수련시설", ("청소년수련관",)),
    "23": ("급경사지", ("급경사지",)),
    "24": ("농업생산기반시설", ("저수지",)),
    "25": ("폐기물처리시설", ("자원회수시설",)),
    "26": ("테마파크", ("랜드",)),
    "27": ("소규모공공시설", ("세천", "소교량")),
    "28": ("시설물점검", ("고가교", "터널")),
    "29": ("어린이놀이시설", ("어린이놀이터",)),
    "30": ("어린이집", ("어린이집",)),
}
_SIGHTS = {"숲길": "01", "계곡": "01", "호텔": "02", "리조트": "02", "시장": "03", "문화원": "04", "미술관": "04",
           "산성": "05", "전망대": "05", "체육공원": "06", "인공암벽장": "06"}  # fmt: skip
_COAST = ("14", "15", "16")
_COASTAL = ("26", "28", "46", "47", "48", "50", "51", "52", "44")
_RESULTS = (("A", "양호"), ("B", "양호"), ("C", "보통"), ("적합", "양호"), ("부적합", "시정명령"))


def _facility(kind: str, name: object, address: object, place: Row, code10: object) -> Row:
    code = str(code10)
    return {
        "kind": kind,
        "kind_name": KINDS[kind][0],
        "name": name,
        "address": address,
        "lat": place["lat"],
        "lon": place["lon"],
        "code2": code[:2],
        "code3": code[2:5],
        "umd3": code[5:8],
    }


def _known(world: World) -> Iterator[Row]:
    for sight in world.table("attractions"):
        kind = next((code for ending, code in _SIGHTS.items() if str(sight["title"]).endswith(ending)), "")
        if kind:
            yield _facility(kind, sight["title"], sight["address"], sight, sight["code10"])
    for hospital in world.table("hospitals"):
        if hospital["division"] in ("A", "B"):
            yield _facility("07", hospital["name"], hospital["lot_address"], hospital, hospital["code10"])
    for home in world.table("apartments"):
        yield _facility("09", f"{home['name']}아파트", home["lot_address"], home, home["code10"])
    for place in world.find("places", "group", "SC4"):
        for dong in world.find("dongs", "full_name", " ".join(str(place["address"]).split()[:3])):
            yield _facility("08", place["name"], place["address"], place, dong["code10"])


def _others(world: World) -> Iterator[Row]:
    for district in world.table("districts"):
        dongs = world.find("dongs", "code5", district["code5"])
        for kind, (_, endings) in KINDS.items():
            if not endings or (kind in _COAST and district["code2"] not in _COASTAL):
                continue
            rng = world.rng("facilities", kind, district["code5"])
            for dong in rng.sample(dongs, min(len(dongs), rng.randint(1, 3))):
                spot = site(world, dong["code10"], rng)
                name = f"{stem(str(dong['dong']))}{rng.choice(endings)}"
                yield _facility(kind, name, spot["lot_address"], spot, dong["code10"])


@table("safety_facilities")
def build_facilities(world: World) -> list[Row]:
    """key (11 digits, whatever the kind), kind and its name, facility name, lot address, degrees, code parts."""
    rows = [*_known(world), *_others(world)]
    for order, row in enumerate(rows):
        row["key"] = f"{20_250_000_000 + order * 17}"
    return rows


@part("facility_inspections")
def build_inspections(world: World, key: str) -> list[Row]:
    """One to three inspections of a facility, newest first, with the kind it belongs to."""
    rows: list[Row] = []
    for facility in world.find("safety_facilities", "key", key):
        rng = world.rng("facility_inspections", key)
        day = world.today
        for _ in range(rng.randint(1, 3)):
            day -= timedelta(days=rng.randrange(40, 400))
            rows.append(facility | _inspection(rng) | {"start": f"{day:%Y%m%d}", "end": f"{day:%Y%m%d}"})
    return rows


def _inspection(rng: random.Random) -> Row:
    grade, action = rng.choices(_RESULTS, (30, 30, 15, 22, 3))[0]
    return {
        "type": rng.choice(("정기점검", "정밀점검", "수시점검")),
        "grade": grade,
        "finding": "지적사항 없음" if action == "양호" else "소화기 표지 보완 필요",
        "action": action,
        "stars": f"{rng.randint(3, 5)}성",
        "score": rng.choice(("A", "B", "C", "D")),
        "count": str(rng.randrange(1, 90)),
        "office": rng.choice(("산림청", "시설관리공단", "도청 산림과")),
    }
