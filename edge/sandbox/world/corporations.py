"""Known companies and a seed in, OpenDART's whole registry of about 110,000 out, without a row for each in memory."""

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from xml.sax.saxutils import escape

from edge.sandbox.world.lazy import mix
from edge.sandbox.world.seoul_transit import romanise
from edge.sandbox.world.store import Row, World

REGISTERED = 110_000
_FIRST_CODE = 101_000
# One quiet company in every so many codes, at a place inside that only the seed decides.
_STEP = 17
_FIRST_DAY = date(2017, 6, 30)

# Names of the many that nobody asks about: a few parts put together, so that near namesakes are common.
_HEADS = ("", "", "", "신", "한국", "대한", "동양", "뉴", "우리", "주", "미래", "제이", "삼", "더", "엘", "비전")
_STEM_WORDS = (
    "가람 경인 광진 금강 나라 대림원 대한빛 동방 로고스 리더 명진 백산 보성 삼우 새한 서진 성우 세종 송원 신성 "
    "아진 영진 우성 유진 은성 이화 일신 정우 제일 진성 창원 천우 청솔 태양 평화 하나로 한울 현진 형제 화성"
)
_STEMS = tuple(_STEM_WORDS.split())
_MIDDLES = ("", "", "메디", "그린", "하이", "코어", "에코", "월드", "케이", "블루", "테크")
_TRADE_WORDS = (
    "산업 개발 상사 테크 건설 엔지니어링 물산 시스템 글로벌 파트너스 이엔씨 푸드 로지스 인베스트먼트 "
    "에이앤디 솔루션 바이오텍 엔터프라이즈"
)
_TRADES = tuple(_TRADE_WORDS.split())


def registered(world: World, corp_code: str) -> Row | None:
    """One company by its eight digits: a known one with all it has, a quiet one with little more than a name."""
    known = world.find("companies", "corp_code", corp_code)
    if known or not corp_code.isdecimal():
        return known[0] if known else None
    order = (int(corp_code) - _FIRST_CODE) // _STEP
    quiet = _quiet(world.seed, order) if 0 <= order < _quiet_count(world) else None
    return quiet if quiet is not None and quiet["corp_code"] == corp_code else None


def registry(world: World) -> Iterator[Row]:
    """Everybody by corp_code; made on the way, so that the caller decides what stays."""
    known = sorted(world.table("companies"), key=lambda row: str(row["corp_code"]))
    waiting = iter(known)
    ahead = next(waiting, None)
    for order in range(_quiet_count(world)):
        quiet = _quiet(world.seed, order)
        while ahead is not None and str(ahead["corp_code"]) < str(quiet["corp_code"]):
            yield ahead
            ahead = next(waiting, None)
        # A code that a known company already has stays that company's.
        if ahead is None or ahead["corp_code"] != quiet["corp_code"]:
            yield quiet
    while ahead is not None:
        yield ahead
        ahead = next(waiting, None)


def _quiet_count(world: World) -> int:
    return REGISTERED - len(world.table("companies"))


def _quiet(seed: int, order: int) -> Row:
    bits = mix(seed, order)
    code = _FIRST_CODE + order * _STEP + bits % _STEP
    head, stem = _part(bits >> 5, _HEADS), _part(bits >> 9, _STEMS)
    middle, trade = _part(bits >> 15, _MIDDLES), _part(bits >> 19, _TRADES)
    modified = _FIRST_DAY + timedelta(days=bits % 3200)
    return {
        "corp_code": f"{code:08d}",
        "name": f"{head[0]}{stem[0]}{middle[0]}{trade[0]}",
        "name_eng": f"{head[1]}{stem[1]}{middle[1]}{trade[1]}".capitalize() + " Co., Ltd.",
        "stock_code": "",
        "modify_date": f"{modified:%Y%m%d}",
        "corp_cls": "E",
    }


def _part(bits: int, parts: tuple[str, ...]) -> tuple[str, str]:
    return _spelt(parts)[bits % len(parts)]


@cache
def _spelt(parts: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(part, romanise(part).lower()) for part in parts]


def registry_document(world: World) -> bytes:
    """CORPCODE.xml: written as bytes at once, because a tree of half a million elements would take seconds."""
    lines = [
        f"<list><corp_code>{row['corp_code']}</corp_code><corp_name>{escape(str(row['name']))}</corp_name>"
        f"<corp_eng_name>{escape(str(row['name_eng']))}</corp_eng_name>"
        # An unlisted company's stock code is a single blank, not an empty element.
        f"<stock_code>{row['stock_code'] or ' '}</stock_code><modify_date>{row['modify_date']}</modify_date></list>"
        for row in registry(world)
    ]
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<result>{"".join(lines)}</result>'.encode()
