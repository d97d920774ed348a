"""Legal dongs in, buildings out: the road and lot addresses that every other entity of the world stands at."""

import random
from functools import cache

from edge.sandbox.world.coordinates import utm_k
from edge.sandbox.world.regions import number
from edge.sandbox.world.store import Row, World, table

PER_DONG = 9
_KINDS = ("빌딩", "타워", "프라자", "상가", "주택", "빌라", "센터", "회관", "오피스텔")
# Well-known roads, so that requests people would really type find something.
_ROADS = {
    "11680": ("테헤란로", "강남대로", "언주로", "도산대로"),
    "11650": ("서초대로", "반포대로", "사평대로"),
    "11110": ("세종대로", "종로", "자하문로"),
    "11140": ("세종대로", "을지로", "퇴계로"),
    "11560": ("여의대로", "국회대로", "영등포로"),
    "11710": ("올림픽로", "송파대로", "백제고분로"),
    "11440": ("월드컵로", "마포대로", "양화로"),
    "26350": ("해운대로", "센텀중앙로", "달맞이길"),
    "26230": ("중앙대로", "서면로", "가야대로"),
    "27260": ("달구벌대로", "동대구로", "범어천로"),
    "28185": ("송도과학로", "컨벤시아대로", "함박뫼로"),
    "30170": ("둔산로", "대덕대로", "한밭대로"),
    "30200": ("대학로", "유성대로", "계룡로"),
    "36110": ("한누리대로", "도움6로", "절재로"),
    "41135": ("판교역로", "분당로", "성남대로"),
    "50110": ("연삼로", "노형로", "중앙로"),
}
# The address that documents of several platforms take as their example: its dong, road, number and road code.
_KNOWN = ("1168010100", "테헤란로", 152, "116803122010")


def stem(dong: str) -> str:
    """The bare place name: 역삼동 -> 역삼, 성수동2가 -> 성수, 가평읍 -> 가평."""
    if dong.endswith(("읍", "면", "리")):
        return dong[:-1]
    name = (dong[0] + dong[1:].split("동")[0]) if "동" in dong[1:] else dong.removesuffix("가")
    return name.rstrip("0123456789")


@cache
def _road_names(code5: str, dongs: tuple[str, ...]) -> tuple[str, ...]:
    own = tuple(f"{stem(dong)}로" for dong in dongs)
    return tuple(dict.fromkeys((*_ROADS.get(code5, ()), *own, "중앙로", "시청로")))


@table("buildings")
def build_buildings(world: World) -> list[Row]:
    """Nine a dong: road, lot and postal addresses, management numbers, degrees and UTM-K metres (ent_x, ent_y)."""
    by_district = world.index("dongs", "code5")
    rows: list[Row] = []
    for dong in world.table("dongs"):
        code5 = str(dong["code5"])
        roads = _road_names(code5, tuple(str(row["dong"]) for row in by_district[code5]))
        rng = world.rng("buildings", dong["code10"])
        lots = rng.sample(range(1, 990), PER_DONG)
        known = dong["code10"] == _KNOWN[0]
        rows.extend(_building(rng, dong, roads, lot, known and lot == lots[0]) for lot in lots)
    return rows


def _building(rng: random.Random, dong: Row, roads: tuple[str, ...], lot: int, known: bool) -> Row:
    # The dong's own road is the likeliest, a main road of the district the next.
    own = f"{stem(str(dong['dong']))}로"
    road = own if own in roads and rng.random() < 0.5 else rng.choice(roads[:6])
    main, sub = rng.randrange(1, 480), rng.choice((0, 0, 0, rng.randrange(1, 30)))
    if known:
        road, main, sub = _KNOWN[1], _KNOWN[2], 0
    lot_sub = rng.choice((0, 0, rng.randrange(1, 40)))
    base = f"{dong['full_name']}".removesuffix(f" {dong['dong']}")
    plate = f"{main}-{sub}" if sub else str(main)
    jibun = f"{lot}-{lot_sub}" if lot_sub else str(lot)
    lon = round(number(dong, "lon") + rng.uniform(-0.006, 0.006), 7)
    lat = round(number(dong, "lat") + rng.uniform(-0.005, 0.005), 7)
    ent_x, ent_y = utm_k(lon, lat)
    road_code = f"{dong['code5']}{2_000_000 + 1_009 * (roads.index(road) + 1) + int(str(dong['code3'])):07d}"
    if road == _KNOWN[1] and _KNOWN[0].startswith(str(dong["code5"])):
        road_code = _KNOWN[3]
    bd_name = f"{stem(str(dong['dong']))}{rng.choice(_KINDS)}" if rng.random() < 0.55 else ""
    words = (dong["sido"], dong["sido_short"], dong["sigungu"], dong["dong"], road, plate, jibun, bd_name)
    return {
        # Everything a building can be found by, each word with blanks at both ends.
        "search": f" {' '.join(str(word) for word in words)} ",
        "code10": dong["code10"],
        "code5": dong["code5"],
        "sido": dong["sido"],
        "sido_short": dong["sido_short"],
        "sigungu": dong["sigungu"],
        "dong": dong["dong"],
        "admin_code": dong["admin_code"],
        "admin_name": dong["admin_name"],
        "road": road,
        "road_code": road_code,
        "main_no": main,
        "sub_no": sub,
        "lot_main": lot,
        "lot_sub": lot_sub,
        "jibun": jibun,
        "zip": f"{int(str(dong['code5'])) * 37 % 60_000 + 1_000 + lot % 90:05d}",
        "bd_name": bd_name,
        "bd_code": f"{dong['code10']}{lot:05d}{lot_sub:04d}{rng.randrange(10**6):06d}",
        "road_address": f"{base} {road} {plate}",
        "lot_address": f"{dong['full_name']} {jibun}",
        "full_address": f"{base} {road} {plate} ({dong['dong']})",
        "short_lot_address": f"{dong['short_address']} {jibun}",
        "lon": lon,
        "lat": lat,
        "ent_x": ent_x,
        "ent_y": ent_y,
        "nx": dong["nx"],
        "ny": dong["ny"],
    }


def site(world: World, code10: object, rng: random.Random) -> Row:
    """A building of a dong for an entity to stand at."""
    return rng.choice(world.find("buildings", "code10", code10))
