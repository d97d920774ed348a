"""Districts in, fire headquarters with their stations out, as the fire agency names them in its statistics."""

from edge.sandbox.world.store import Row, World, table

# Headquarters are named after the province in one of four manners; Gyeonggi has a second one north of the river.
_OFFICES = {
    "11": "서울소방재난본부", "26": "부산소방재난본부", "27": "대구소방안전본부", "28": "인천소방본부",
    "29": "광주소방안전본부", "30": "대전소방본부", "31": "울산소방본부", "36": "세종소방본부",
    "41": "경기도소방재난본부", "43": "충청북도소방본부", "44": "충청남도소방본부", "46": "전라남도소방본부",
    "47": "경상북도소방본부", "48": "경상남도소방본부", "50": "제주소방안전본부", "51": "강원특별자치도소방본부",
    "52": "전북특별자치도소방본부",
}  # fmt: skip
_NORTH = ("고양시", "의정부시", "남양주시", "파주시", "구리시", "포천시", "양주시", "동두천시", "가평군", "연천군")
# A one-syllable district gives its direction: 중구 -> 중부소방서, so several cities have a station of that name.
_SUFFIXES = ("특별자치시", "구", "시", "군")


def _bare(word: str) -> str:
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) > len(suffix):
            return word.removesuffix(suffix)
    return word


def _station(sigungu: str) -> str:
    names = [_bare(word) for word in sigungu.split()]
    last = f"{names[-1]}부" if len(names[-1]) == 1 else names[-1]
    return f"{''.join(names[:-1])}{last}소방서"


@table("fire_stations")
def build_fire_stations(world: World) -> list[Row]:
    """One a district: headquarters, name (not unique across headquarters), sido, sigungu, code5."""
    rows: list[Row] = []
    for district in world.table("districts"):
        code, sigungu = str(district["code2"]), str(district["name"] or "세종특별자치시")
        office = "경기도북부소방재난본부" if code == "41" and sigungu.startswith(_NORTH) else _OFFICES[code]
        place: Row = {"sido": district["sido"], "sigungu": sigungu, "code5": district["code5"]}
        rows.append(place | {"headquarters": office, "name": _station(sigungu)})
    return rows
