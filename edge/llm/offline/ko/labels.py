"""Label of a field or noun of a record -> the words people use for it: cleaned names, superlatives, counters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from edge.llm.offline.ko.lexicon import BY_KIND, COUNTERS, EVENTS, SUPERLATIVES, TITLED

_REMARK = re.compile(r"\s*[(\[（][^()\[\]（）]*[)\]）]\s*")
_BARECOUNTERS = ("층",)  # what is counted, written without 수
_TECHNICAL = re.compile(r"(?:\s*(?:코드명|구분명|코드|명칭|번호명|구분코드))$")

_ABSTRACT = re.compile(
    r"(?:측정값|값|인구|농도|정보|현황|자료|통계|실적|등급|수치|기록|내역|결과|인원|의석|지분|세입|세출|세출결산|재정자립도|도착예정|메시지|시세"
    r"|비율|충원율|경쟁률|취업률|등록률|탈락률|이용률|지표|등록금)$"
)
_FIGURES = re.compile(
    r"(?:값|농도|현황|통계|실적|등급|수치|인원|의석|지분|세입|세출|세출결산|재정자립도|비율|인구|지표|메시지"
    r"|등록금|충원율|경쟁률|취업률)$"
)
_MOMENT = re.compile(r"(?:시점|연월|년월|연월일|년월일|기준일|기준월|일자|연도|년도)$")
_VIEW = re.compile(r"(?:체계도|약칭|기준좌표|좌표|본문|상세|상세 정보|세부 정보|기본정보|이용안내|개요)$")
_TIMES = (
    (r"하루|일별|일평균|일자료|일일", "날"),
    (r"월별|월평균|월간|한 달", "달"),
    (r"연도별|연간|연평균", "해"),
    (r"시간별", "시간대"),
)
_NAMING = re.compile(r"^(?:구분|항목|식사|계정|지표|세목|분류|종류|과목|통계항목|이름|명칭)$")
_PLACE = re.compile(
    r"(?:지역|법정동|행정동|행정구역|시군구|시군|구군|시도|도시|읍면동|주소|좌표|지자체|위치|장소)(?:\s*(?:정보|코드|목록|주소))?$"
)
_REGION_NAME = re.compile(r"(?:^|\s|[가-힣])[가-힣]{1,5}(?:특별시|광역시|자치시|자치도|[시군구읍면동리도가])$")
_FLAGGED = re.compile(r"(?:여부|유무|구분|상태|종류|방식|형식|등급|결과)$")
_COMPANY = re.compile(r"(?:회사|기업|법인|업체)(?:\s*(?:정보|코드|고유번호|개황))?$")


@cache
def spoken(label: str) -> str:
    """Return a label without remarks in brackets, underscores and slashes: what one says for it."""
    bare = _REMARK.sub(" ", label)
    bare = bare if bare.strip() else re.sub(r"[()\[\]（）]", " ", label)
    bare = re.sub(r"\s*/\s*", "·", bare.replace("_", " "))
    word = " ".join(bare.split()).strip(" ·:-") or "내용"
    return f"{word}수" if word in _BARECOUNTERS else word


def summed(label: str) -> str:
    """Return what the sum of a field is called: 이송환자 수 합계, but 직원 수 합계 is one already."""
    return label if label.endswith(("합계", "총계")) else f"{label} 합계"


def spoken_all(labels: Sequence[str]) -> list[str]:
    """Return the spoken labels, each once; a label keeps its remark where two would sound alike."""
    unique = list(dict.fromkeys(labels))
    words = [spoken(label) for label in unique]
    return list(dict.fromkeys(w if words.count(w) == 1 else label for w, label in zip(words, unique, strict=True)))


def flagged(label: str) -> str:
    """Return the label of a yes or no as people ask for it: 주차료 무료 -> 주차료 무료 여부."""
    word = spoken(label)
    return word if _FLAGGED.search(word) else f"{word} 여부"


def names_moment(label: str) -> bool:
    """Whether what a label names is a date, however the document types it: 시점, 기준년월, 건축년도."""
    return bool(_MOMENT.search(spoken(label)))


@cache
def is_abstract(noun: str) -> bool:
    """Whether a noun is figures about something, not the thing itself: 자치단체 채무비율, 지역별 인구."""
    return bool(_FIGURES.search(spoken(noun)))


@cache
def names_region(name: str) -> bool:
    """Whether a name is heard as that of a region: 서울금천구, 경기도 의정부시 용현동."""
    return bool(_REGION_NAME.search(name))


def own_label(label: str, noun: str) -> str:
    """Return a label as said of its own record: 시설물 주소 of a 시설물 is its 주소, 학교명 of a 학교 its 이름."""
    word = spoken(label)
    for thing in (spoken(noun), word_of(noun)):
        rest = word.removeprefix(thing).strip() if len(thing) > 1 else word
        if rest in ("명", "이름", "명칭", "성명"):
            return "이름"
        if word.startswith(f"{thing} ") and len(rest) > 1:
            return rest
    return word


@cache
def criterion(label: str) -> str:
    """Return the label as said before "이 ...인": 진료과목코드명 -> 진료과목."""
    word = spoken(label)
    shorter = _TECHNICAL.sub("", word).strip()
    if (
        shorter == word
        and re.search(r"[가-힣]{2,}명$", word)
        and not re.search(r"(?:설명|인원명|성명|증명|품명)$", word)
    ):
        shorter = word[:-1]
    return shorter if len(shorter) > 1 else word


def superlative(label: str, kind: str | None, largest: bool) -> str:
    """Return the adjective after 가장 for the largest or smallest value of a field."""
    word = spoken(label)
    for ending, high, low in SUPERLATIVES:
        if re.search(rf"(?:{ending})$", word):
            return high if largest else low
    high, low = BY_KIND.get(kind or "", ("큰", "작은"))
    return high if largest else low


def event(label: str) -> str | None:
    """Return what happened on a date field: 접수일자 -> 접수된; None for a date that names no event."""
    word = spoken(label)
    return next((verb for stem, verb in EVENTS if stem in word), None)


@cache
def counter(noun: str) -> str:
    """Return the counter of a noun: 병원 -> 곳, 국회의원 -> 명, 거래 -> 건."""
    return next((unit for nouns, unit in COUNTERS if re.search(rf"(?:{nouns})$", noun)), "건")


@cache
def head(noun: str) -> str:
    """Return the last word of a noun: 아파트 매매 거래 -> 거래."""
    return spoken(noun).split()[-1]


@cache
def word_of(noun: str) -> str:
    """Return the word that takes a record up again: 아파트 매매 거래 -> 거래, 측정소 측정값 -> 측정소."""
    viewed = _VIEW.sub("", spoken(noun)).strip()
    words = (viewed or spoken(noun)).split()
    if len(words) < 2 or not _ABSTRACT.search(words[-1]):
        return words[-1]
    first = words[0].removesuffix("별")
    if counter(first) != "건":
        return first
    return next((word for pattern, word in _TIMES if re.search(pattern, noun)), words[-1])


def names_records(label: str) -> bool:
    """Whether a filter on this field picks a record by what it is called: 구분, 항목, 식사."""
    return bool(_NAMING.search(label))


@cache
def is_place(noun: str) -> bool:
    """Whether a record is a region or place that its name alone identifies."""
    return bool(_PLACE.search(spoken(noun)))


@cache
def is_company(noun: str) -> bool:
    """Whether a record is a company."""
    return bool(_COMPANY.search(spoken(noun)))


def says_itself(name: str, noun: str) -> bool:
    """Whether the name needs no noun beside it: 한빛고등학교 is heard as a school, 종로구 not as a station."""
    if is_place(noun) or is_company(noun):
        return True
    if name.endswith(head(noun)):
        return True
    return any(word in TITLED and re.search(TITLED[word], name) for word in spoken(noun).split())
