"""What must be heard in a Korean request: the words by which records are chosen, values asked for and days meant."""

from __future__ import annotations

import re
from collections.abc import Mapping

from edge.llm.offline.ko.labels import flagged, own_label, spoken

CRITERIA: Mapping[str, str] = {
    "max": r"가장|최고|최대|최장|제일|으뜸",
    "min": r"가장|최저|최소|최단|제일",
    "latest": r"최근|최신|마지막|늦|나중|가장",
    "earliest": r"먼저|이른|처음|최초|오래|가장",
    "nearest": r"가까|인접|근접|최단",
    "count": (
        r"몇| 수(?![가-힣])|개수|건수|[명대]수|수[는를가]|의 수|얼마나|있으면|없으면|있는지"
        r"|이상|미만|이하|초과|많은|적은|세어"
    ),
    "sum": r"합계|합|총|더하|모두",
    "mean": r"평균",
    "distinct": r"서로 다른|종류|가지|몇|중복",
    "top": r"상위|순으로|순서|가장|많은|큰|높은|비싼",
    "bottom": r"하위|순으로|순서|가장|적은|작은|낮은|싼",
    "at_least": r"이상|넘|초과|이후|부터",
    "at_most": r"이하|넘지|안 되|안 넘|미만|이전|까지",
    "contains": r"들어가|들어간|포함|있는|라는|관련",
}
BRANCHING = r"면[ ,]|면$|경우|라면|다면|따라"
COMPARING = r"비교|더 |가장|어느|어디|둘 중|가운데|차이"
REQUESTING = (
    r"알려|알고|알 수|궁금|확인|조회|회신|부탁|요청|요망|바람|바랍|바래|주세요|주십|주시|주실|주면|주라|줘|줄래|줄 수"
    r"|찾아|보여|봐|볼래|볼게|살펴|여쭤|물어|묻|문의[드하합입]|문의 사항|질문|필요[한하합해]|말해|답변|[?？]|^\s*1\)"
)
RELATIVE = (
    r"지난달|저번 ?달|이번 ?달|다음 ?달|지난 ?주|이번 ?주|다음 ?주|어제|그제|그저께|오늘|내일|모레"
    r"|작년|지난해|재작년|올해|금년|내년|금일|전일|익일"
)
_ANY_NAME = re.compile(r"(?:명칭|이름|성명|명)$")


def asked(label: str, noun: str) -> tuple[str, ...]:
    """Return the ways in which a value can be asked for, any of which will do: all of the label, or its chief word."""
    word = spoken(label)
    ways = [label, word, own_label(label, noun), word.split()[-1], flagged(word)]
    if _ANY_NAME.search(word):
        ways += ["이름", _ANY_NAME.sub("", word), "무엇", "어디", "어느", "누구"]
    return tuple(dict.fromkeys(way for way in ways if way))
