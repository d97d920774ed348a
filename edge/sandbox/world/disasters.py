"""Regions and days in, disaster messages out, oldest first as the service keeps them."""

from datetime import datetime, timedelta

from edge.sandbox.world.store import Row, World, table

_FIRST = datetime(2023, 9, 16, 8, 0)
_KINDS = (
    ("호우", "{place} 호우주의보 발효 중. 하천변 산책로와 계곡 출입을 삼가고 외출을 자제해 주세요."),
    ("폭염", "{place} 폭염특보 발효 중. 한낮 야외활동을 피하고 물을 자주 마시는 등 건강에 유의 바랍니다."),
    ("강풍", "{place} 강풍주의보 발효 중. 간판 등 낙하물과 시설물 피해에 주의하세요."),
    ("화재", "{place} 공장 화재로 연기 다량 발생. 인근 주민은 창문을 닫고 차량은 우회하시기 바랍니다."),
    ("교통통제", "{place} 도로 침수로 일부 구간 통행을 통제합니다. 우회도로를 이용해 주세요."),
    ("미세먼지", "{place} 초미세먼지 주의보 발령. 어린이와 노약자는 실외활동을 줄여 주세요."),
    ("실종", "{place} 경찰은 배회 중인 고령자를 찾고 있습니다. 보신 분은 112로 신고 바랍니다."),
    ("산불", "{place} 야산에서 산불 발생. 입산을 금지하고 인근 주민은 안내에 따라 대피하세요."),
)
_STEPS = ("안전안내", "안전안내", "안전안내", "긴급재난")


@table("disaster_messages")
def build_disaster_messages(world: World) -> list[Row]:
    """sn, created (2026/06/15 08:30:00), day (8 digits), region name, text, step and kind; up to this morning."""
    rng = world.rng("disaster_messages")
    districts = world.table("districts")
    moments: list[datetime] = []
    moment = _FIRST
    limit = world.now.replace(tzinfo=None)
    while moment < limit:
        moments.append(moment)
        moment += timedelta(minutes=rng.randrange(60, 1400))
    rows: list[Row] = []
    for number, created in enumerate(moments):
        district = rng.choice(districts)
        whole = rng.random() < 0.4
        place = str(district["sido"]) if whole else str(district["full_name"])
        kind, text = _KINDS[rng.randrange(len(_KINDS))]
        created = created.replace(second=rng.randrange(60))
        stamp = f"{created:%Y/%m/%d %H:%M:%S}"
        rows.append(
            {
                "sn": 200_000 + number * 3,
                "created": stamp,
                "day": f"{created:%Y%m%d}",
                "text": f"{text.format(place=place)} [{district['name'] or district['sido']}]",
                # The real feed pads the region name and says "전체" for a whole province.
                "region": f"{place} 전체 " if whole else f"{place} ",
                "step": rng.choice(_STEPS),
                "kind": kind,
                "registered": stamp[:10],
            }
        )
    return rows
