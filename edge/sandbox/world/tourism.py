"""Buildings and days in, tourist places, restaurants and festivals out, as the tourism organisation numbers them."""

import random
from datetime import date, timedelta

from edge.sandbox.world.buildings import site, stem
from edge.sandbox.world.store import Row, World, table

# Content type: (name endings, how many a district, category codes).
_KINDS: dict[str, tuple[tuple[str, ...], tuple[int, int], tuple[str, str, str]]] = {
    "12": (
        ("근린공원", "숲길", "산성", "전망대", "한옥마을", "수변공원", "계곡"),
        (2, 5),
        ("A01", "A0101", "A01010100"),
    ),
    "14": (("박물관", "미술관", "문화원", "역사관", "도서관", "기념관"), (1, 3), ("A02", "A0206", "A02060100")),
    "28": (("자전거공원", "캠핑장", "체육공원", "인공암벽장"), (0, 2), ("A03", "A0302", "A03020200")),
    "32": (("호텔", "게스트하우스", "한옥스테이", "리조트"), (1, 3), ("B02", "B0201", "B02010100")),
    "38": (("전통시장", "중앙시장", "아울렛", "공예거리"), (1, 2), ("A04", "A0401", "A04010200")),
    "39": (("국밥", "칼국수", "한정식", "닭갈비", "메밀집", "베이커리"), (2, 5), ("A05", "A0502", "A05020100")),
}
_FESTIVALS = (
    "꽃축제",
    "불빛축제",
    "문화제",
    "음식축제",
    "거리축제",
    "국악제",
    "빛축제",
    "한마당",
    "맥주축제",
    "책축제",
)
_FIRST_ID = 125_000


@table("attractions")
def build_attractions(world: World) -> list[Row]:
    """content_id, type (12, 14, 15, 28, 32, 38, 39), title, address, three region code systems, degrees, details."""
    rows: list[Row] = []
    for district in world.table("districts"):
        rng = world.rng("attractions", district["code5"])
        dongs = world.find("dongs", "code5", district["code5"])
        for kind, (words, (low, high), category) in _KINDS.items():
            for word in rng.sample(words, min(len(words), rng.randint(low, high))):
                dong = rng.choice(dongs)
                title = f"{stem(str(dong['dong']))}{word}"
                rows.append(_content(world, rng, kind, title, (district, dong), category))
        for word in rng.sample(_FESTIVALS, rng.choice((0, 1, 1, 2, 3))):
            rows.append(_festival(world, rng, word, (district, rng.choice(dongs))))
    for number, row in enumerate(rows):
        row["content_id"] = str(_FIRST_ID + number * 613 % 2_900_000)
    return rows


def _content(
    world: World, rng: random.Random, kind: str, title: str, where: tuple[Row, Row], category: tuple[str, str, str]
) -> Row:
    district, dong = where
    place = site(world, dong["code10"], rng)
    changed = date(2024, 1, 1) + timedelta(days=rng.randrange(880))
    return {
        "type": kind,
        "title": title,
        "address": place["road_address"],
        "address_rest": f"({dong['dong']})",
        "zip": place["zip"],
        "area": district["kto_area"],
        "sigungu_code": district["kto_sigungu"],
        "code2": district["code2"],
        "code3": district["code3"],
        "code5": district["code5"],
        "code10": dong["code10"],
        "cat1": category[0],
        "cat2": category[1],
        "cat3": category[2],
        "lon": place["lon"],
        "lat": place["lat"],
        "image": rng.choice(("", f"http://tong.visitkorea.or.kr/cms/resource/{rng.randrange(10, 99)}/sandbox.jpg")),
        "created": f"{changed - timedelta(days=rng.randrange(30, 900)):%Y%m%d}101530",
        "modified": f"{changed:%Y%m%d}{rng.randrange(9, 18):02d}{rng.randrange(60):02d}{rng.randrange(60):02d}",
        "phone": "" if rng.random() < 0.4 else f"000-000-{rng.randrange(1000, 9999)}",
        "overview": f"{title}: {district['full_name']} {dong['dong']}에 자리한 곳으로, 사계절 모습이 다르다.",
        "hours": rng.choice(("09:00~18:00", "10:00~19:00", "상시 개방", "11:00~21:00")),
        "closed": rng.choice(("연중무휴", "매주 월요일", "1월1일, 설날, 추석", "매주 화요일")),
        "parking": rng.choice(("가능", "불가", "주차 가능 (유료)")),
        "fee": rng.choice(("무료", "성인 3,000원", "성인 5,000원", "일부 유료")),
        "start": "",
        "end": "",
    }


def _festival(world: World, rng: random.Random, word: str, where: tuple[Row, Row]) -> Row:
    district, dong = where
    name = str(district["name"] or "세종시").split(" ")[-1]
    start = date(world.today.year, 1, 8) + timedelta(days=rng.randrange(345))
    end = start + timedelta(days=rng.choice((0, 1, 2, 2, 3, 9, 16)))
    row = _content(world, rng, "15", f"{name} {word} {world.today.year}", where, ("A02", "A0207", "A02070200"))
    return row | {"start": f"{start:%Y%m%d}", "end": f"{end:%Y%m%d}", "venue": f"{stem(str(dong['dong']))} 일원"}
