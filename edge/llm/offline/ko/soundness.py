"""Text, noun or label -> whether a Korean would say it so: what is written by rule is read once more by rule."""

from __future__ import annotations

import re
from collections.abc import Iterator

from edge.llm.offline.ko.labels import is_abstract, spoken
from edge.llm.offline.ko.sounds import Final, final_of

_QUOTED = re.compile(r"'[^'\n]*'")
_FIGURES = r"통계|현황|측정값|통계값|예보 값|인구|비율|세입|세출|시세|순위|농도|실적"
_TWICE = r"(?<![가-힣])((?:[가-힣·]+ )?[가-힣·]{2,}) (?:중|가운데|중에서) \1(?=[을를이가은는의과와도]?(?:[^가-힣]|$))"
_OF_ITSELF = r"(?<![가-힣])((?:[가-힣·]+ )?[가-힣·]{2,})의 \1(?=의 |[이가을를은는과와]? |마다|[,.?!]|$)"
_ODD: tuple[tuple[str, str], ...] = (
    # a noun that is said to be inside itself, or to belong to itself
    ("twice", _TWICE),
    ("twice", _OF_ITSELF),
    ("twice", r"(?<![가-힣])(합계|평균|건수|목록|정보|현황) \1"),
    ("twice", r"(?:각각|모두|마다) (?:각각|모두) |마다 각 |각각의 각 "),
    # words of interfaces
    ("technical", r"검색어|조회 ?구분|코드값|매개변수|파라미터|레코드"),
    # figures are read, not counted
    ("uncountable", rf"(?:{_FIGURES})[이가] (?:각각 |모두 )?(?:몇 (?:건|개|곳)|[\d,]+(?:건|개|곳) )"),
    ("uncountable", rf"(?:{_FIGURES}) 건수(?![가-힣])|(?:통계|현황|시세|순위|세입|세출) 수(?![가-힣])"),
    # a sentence that goes on into a heading, opens twice or has lost a word
    ("broken", r"(?:찾고|찾아서|확인 후|확인한 뒤|찾은 다음) (?:\[|요청 사항|대상:|확인 요청:|아래|다음)"),
    ("broken", r"찾고 있(?:어요|습니다)\.[^.\n]{0,20}찾고 있"),
    ("broken", r"(?:^|\s)(?:의|을|를|은|는|마다|에서)(?=\s)"),
)
_PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in _ODD)
_PARTICLES = re.compile(r"([가-힣])(를|와)(?=[\s,.]|$)")
_OBJECTS = re.compile(r"([가-힣])(?<![가겨고노마구시])을(?=[\s,.]|$)")  # 마을, 가을, "구미시을" are names
_UNCOUNTED = re.compile(
    r"(?:통계|현황|값|총수|주식수|[자생학] 수|률|율|비율|인구|지수|예측|예보|전망|실적|세입|세출|생산량|사용량|교통량"
    r"|판매량|대금|시세|순위|구분|상태|결과|여부|등급|특성|연한|기간|시간|좌표|교통편|금액|과정|주소|개황|본문|상세|정보"
    r"|지표|집계|내역|급식|행정구역|안내|개요|메시지|응급처치|도시데이터|위험수준|대응요령|수질|날씨|체계|연계|설명|가산"
    r"|비용|자료|총액|경력|재무제표)$"
)
_DULL = re.compile(
    r"비고|본번|부번|순번|(?:^|\s)연번|(?:등록|수정|입력|생성|변경|갱신|적재|수집) ?(?:일시|일자|시각)$|최하위"
    r"|구역 구분|분류축|기준좌표|기준 ?(?:일자?|일시)$|데이터|파일|버전|레코드|조회|검색|구분 ?\d|지역 전체 이름"
    r"|(?:사용|삭제) ?여부|출처|코드|식별|XML|URL|경로$|음력|오늘|어제|내일"
)


def odd(text: str) -> str | None:
    """Return the first passage that no Korean would write, with what is wrong with it; None where there is none.

    What stands in quotes is somebody's name and is not judged.
    """
    bare = _QUOTED.sub("○○", text)
    for kind, pattern in _PATTERNS:
        if found := pattern.search(bare):
            return f"{kind} {found.group(0).strip()!r}"
    return next((f"particle {said!r}" for said in _wrong_particles(bare)), None)


def _wrong_particles(text: str) -> Iterator[str]:
    """를 and 와 behind a closed syllable, 을 behind an open one; the other particles look like endings of words."""
    for found in _PARTICLES.finditer(text):
        if final_of(found.group(1)) is not Final.OPEN:
            yield found.group(0)
    for found in _OBJECTS.finditer(text):
        if final_of(found.group(1)) is Final.OPEN:
            yield found.group(0)


def countable(noun: str) -> bool:
    """Whether "몇 건" can be asked of a noun: of things, not of figures about them."""
    return not is_abstract(noun) and not _UNCOUNTED.search(spoken(noun))


def askworthy(label: str) -> bool:
    """Whether a person asks for what a label names: not for remarks, parts of lot numbers or when a row was entered."""
    return not _DULL.search(spoken(label))
