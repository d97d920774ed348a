"""Label of a field or noun of a record -> the words people use for it: cleaned names, superlatives, counters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

_REMARK = re.compile(r"\s*[(\[（][^()\[\]（）]*[)\]）]\s*")
_BARE_COUNTERS = ("층",)  # what is counted, written without 수
_TECHNICAL = re.compile(r"(?:\s*(?:코드명|구분명|코드|명칭|번호명|구분코드))$")

# (ending of the label, at the largest, at the smallest), first match wins
_SUPERLATIVES: tuple[tuple[str, str, str], ...] = (
    (r"순번|순서|번호|차수|회차", "큰", "작은"),
    (r"면적|넓이", "넓은", "좁은"),
    (r"거리|이격", "먼", "가까운"),
    (
        r"높이|층|고도|해발|수위|기온|온도|습도|농도|수치|지수|율|률|비율|금리|점수|등급|단가|물가|순위|열량|칼로리",
        "높은",
        "낮은",
    ),
    (r"길이|연장|기간|시간|시각", "긴", "짧은"),
    (r"속도|풍속", "빠른", "느린"),
    (r"무게|중량|톤수", "무거운", "가벼운"),
    (r"깊이|수심", "깊은", "얕은"),
    (r"강수량|적설|량|횟수|건수|개수|대수|세대수|호수|병상수|인원|인구|명수|정원|교통량|수", "많은", "적은"),
    (r"금액|가격|매출|자산|이익|예산|보증금|요금|가액|액|총액|세출|세입|규모|크기", "큰", "작은"),
    (r"연도|년도|연월|년월|일자|일시|일", "최근인", "이른"),
)
_BY_KIND = {
    "amount": ("큰", "작은"),
    "count": ("많은", "적은"),
    "number": ("높은", "낮은"),
    "date": ("최근인", "이른"),
    "month": ("최근인", "이른"),
    "year": ("최근인", "이른"),
    "datetime": ("최근인", "이른"),
    "time": ("늦은", "이른"),
}
_EVENTS: tuple[tuple[str, str], ...] = (
    ("공포", "공포된"),
    ("시행", "시행된"),
    ("접수", "접수된"),
    ("등록", "등록된"),
    ("발의", "발의된"),
    ("제안", "제안된"),
    ("공고", "공고된"),
    ("게시", "게시된"),
    ("고시", "고시된"),
    ("신고", "신고된"),
    ("계약", "계약된"),
    ("측정", "측정된"),
    ("관측", "관측된"),
    ("발표", "발표된"),
    ("발령", "발령된"),
    ("설립", "설립된"),
    ("개설", "개설된"),
    ("인허가", "인허가된"),
    ("허가", "허가된"),
    ("의결", "의결된"),
    ("처리", "처리된"),
    ("선고", "선고된"),
    ("생성", "생성된"),
    ("입력", "입력된"),
    ("개찰", "개찰된"),
    ("준공", "준공된"),
    ("지정", "지정된"),
    ("발생", "발생한"),
    ("회의", "열린"),
    ("개최", "개최된"),
    ("공시", "공시된"),
    ("결정", "결정된"),
    ("수정", "수정된"),
    ("설정", "설정된"),
    ("개업", "개업한"),
    ("폐업", "폐업한"),
)
_COUNTERS: tuple[tuple[str, str], ...] = (
    (r"의원|후보|후보자|위원|발의자|임원|대표|인력|사람|의사|교원|감사인", "명"),
    (
        r"병원|응급실|의원급|약국|학교|유치원|어린이집|측정소|정류소|정류장|역|휴게소|시설|쉼터|대피소|충전소|공원|도서관"
        r"|사업장|업소|업체|회사|기업|기관|지역|도시|시군구|시도|지자체|자치단체|장소|주소|법정동|읍면동|행정구역|영업소|학원|주차장|관광지|단지|박물관|센터",
        "곳",
    ),
    (r"버스|차량|열차|자동차", "대"),
    (r"노선|항목|과목|진료과목|종목|요리|품목|코드|구간|위원회|통계표|충전기|지표|종목", "개"),
)
_TITLED = {
    "학교": r"(?:학교|유치원|대학|대학원)$",
    "법령": r"(?:법|법률|령|규칙|규정|조례)$",
    "법률": r"(?:법|법률)$",
    "자치법규": r"(?:조례|규칙|규정)$",
    "병원": r"(?:병원|의원|의료원|센터|한의원|치과)$",
    "정류소": r"(?:정류소|정류장)$",
    "역": r"역$",
    "의안": r"(?:법률안|개정안|의안|대안|동의안|결의안)(?:\([^()]*\))?$",
    "위원회": r"위원회$",
    "약국": r"약국$",
}
_ABSTRACT = re.compile(
    r"(?:측정값|값|농도|정보|현황|자료|통계|실적|등급|수치|기록|내역|결과|인원|의석|지분|세입|세출|재정자립도|도착예정|메시지)$"
)
_VIEW = re.compile(r"(?:약칭|기준좌표|좌표|본문|상세|상세 정보|세부 정보|기본정보|이용안내|개요)$")
_TIMES = (
    (r"하루|일별|일평균|일자료|일일", "날"),
    (r"월별|월평균|월간", "달"),
    (r"연도별|연간|연평균", "해"),
    (r"시간별", "시간대"),
)
_NAMING = re.compile(r"^(?:구분|항목|식사|계정|지표|세목|분류|종류|과목|통계항목|이름|명칭)$")
_PLACE = re.compile(
    r"(?:지역|법정동|행정동|행정구역|시군구|시도|도시|읍면동|주소|좌표|지자체|위치|장소)(?:\s*(?:정보|코드|목록|주소))?$"
)
_COMPANY = re.compile(r"(?:회사|기업|법인|업체)(?:\s*(?:정보|코드|고유번호|개황))?$")


@cache
def spoken(label: str) -> str:
    """Return a label without remarks in brackets, underscores and slashes: what one says for it."""
    bare = _REMARK.sub(" ", label)
    bare = bare if bare.strip() else re.sub(r"[()\[\]（）]", " ", label)
    bare = re.sub(r"\s*/\s*", "·", bare.replace("_", " "))
    word = " ".join(bare.split()).strip(" ·:-") or "내용"
    return f"{word}수" if word in _BARE_COUNTERS else word


def spoken_all(labels: Sequence[str]) -> list[str]:
    """Return the spoken labels, each once; a label keeps its remark where two would sound alike."""
    unique = list(dict.fromkeys(labels))
    words = [spoken(label) for label in unique]
    return list(dict.fromkeys(w if words.count(w) == 1 else label for w, label in zip(words, unique, strict=True)))


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
    for ending, high, low in _SUPERLATIVES:
        if re.search(rf"(?:{ending})$", word):
            return high if largest else low
    high, low = _BY_KIND.get(kind or "", ("큰", "작은"))
    return high if largest else low


def event(label: str) -> str | None:
    """Return what happened on a date field: 접수일자 -> 접수된; None for a date that names no event."""
    word = spoken(label)
    return next((verb for stem, verb in _EVENTS if stem in word), None)


@cache
def counter(noun: str) -> str:
    """Return the counter of a noun: 병원 -> 곳, 국회의원 -> 명, 거래 -> 건."""
    return next((unit for nouns, unit in _COUNTERS if re.search(rf"(?:{nouns})$", noun)), "건")


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
    return any(word in _TITLED and re.search(_TITLED[word], name) for word in spoken(noun).split())
