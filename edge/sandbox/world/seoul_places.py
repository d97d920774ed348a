"""Districts and dongs of Seoul in, public car parks and culture programmes out."""

from datetime import timedelta

from edge.sandbox.world.store import Row, World, table


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


_EVENT_KINDS = (
    "클래식",
    "연극",
    "뮤지컬/오페라",
    "국악",
    "무용",
    "콘서트",
    "전시/미술",
    "교육/체험",
    "축제-문화/예술",
    "영화",
)
_EVENT_WORDS = (
    "봄날의",
    "한강",
    "별빛",
    "골목",
    "어린이",
    "시민",
    "달빛",
    "청춘",
    "우리동네",
    "가족",
    "여름밤",
    "기억의",
)
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
