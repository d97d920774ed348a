"""the prose of a description -> what it says of values: enumerations, date patterns, digit counts, units, defaults."""

from __future__ import annotations

import re
from typing import Final

from edge.specs.model import EnumValue, Kind

_CODE = r"[A-Za-z0-9_+-]{1,12}"
_WORDS = r"[^\s,;:=()\[\]/|·※*\"'](?:[^,;:=()\[\]|※*\n]|\([^()]*\))*?"
# Spellings of "code means word", each with the separator that ends a word.
_ENUMERATIONS: Final = (
    re.compile(rf"(?<![\w.:/])({_CODE})\s*[:=：]\s*({_WORDS})(?=\s*(?:[,;/|)\]\n※*]|$|\s{_CODE}\s*[:=：]))"),
    re.compile(rf"(?<![\w.:/])({_CODE})\(([^()\d][^()]*)\)(?=\s*(?:[,;/|\n]|$|등))"),
    re.compile(
        r"(?<![\w.:/-])(\d{1,3})\.?\s?([가-힣A-Z](?:[가-힣A-Za-z· -]|\([^()\d]*\))*?)"
        r"(?=\s*[,;]?\s*(?:\d|$|[)\]/]))"
    ),
    re.compile(rf"(?<![\w:/])(\d?[가-힣]+)\s*[:：]\s*({_CODE})(?=\s*(?:[,;/|)]|$)|\s+\d?[가-힣]+\s*[:：])"),
)
_REVERSED = 3  # the last spelling has the word first: "한글:KO, 영문:EN"
_OPEN_ENDED = re.compile(r"등\s*[)\].]?\s*$|\.\.\.|…|예\s*[:)시]|예를|참조|참고|별첨|이상|이하")
_NOT_A_CODE = re.compile(
    r"(?i)^(?:default|max|min|ex|eg|http|https|url|utf-8|note|type|pc|version|yyyy.*|\d{1,2}h)$"
)
_BARE = 2  # the third has no mark between code and word ("1 명칭, 2 본문"), so counted things look like it
_NOT_A_WORD = re.compile(
    r"^(?:년|월|일|시|분|초|자리|면|이면|으로|로|위|채움|개|건|명|회|차|은|는|시간|개월|단계)(?:$|\s|[^가-힣])|이면\s|까지"
)
_NOT_A_LABEL = frozenset({"기본값", "최대값", "최소값", "최대", "최소", "기본", "단위", "예", "예시"})
_YES_NO = re.compile(r"(?<![A-Za-z])(?:Y\s*/\s*N|N\s*/\s*Y|Y\s*(?:또는|or|,)\s*N)(?![A-Za-z])")
_YES_NO_VALUES: Final = (EnumValue("Y", "예"), EnumValue("N", "아니오"))

_DATE_PATTERNS: Final[tuple[tuple[re.Pattern[str], Kind, str], ...]] = (
    (re.compile(r"(?i)y{4}-mm-dd[\sT]*hh[:24]*(?:mi|mm):ss"), "datetime", "%Y-%m-%d %H:%M:%S"),
    (re.compile(r"(?i)y{4}-mm-dd[\sT]*hh(?:24)?:(?:mi|mm)"), "datetime", "%Y-%m-%d %H:%M"),
    (re.compile(r"(?i)y{4}mmdd\s?hh(?:24)?(?:mi|mm)ss"), "datetime", "%Y%m%d%H%M%S"),
    (re.compile(r"(?i)y{4}mmdd\s?hh(?:24)?(?:mi|mm)|년월일시분"), "datetime", "%Y%m%d%H%M"),
    (re.compile(r"(?i)y{4}mmddhh|년월일시"), "datetime", "%Y%m%d%H"),
    (re.compile(r"(?i)y{4}-mm-dd"), "date", "%Y-%m-%d"),
    (re.compile(r"(?i)y{4}\.mm\.dd"), "date", "%Y.%m.%d"),
    (re.compile(r"(?i)y{4}/mm/dd"), "date", "%Y/%m/%d"),
    (re.compile(r"(?i)y{4}mmdd"), "date", "%Y%m%d"),
    (re.compile(r"(?i)y{4}-mm"), "month", "%Y-%m"),
    (re.compile(r"(?i)y{4}mm"), "month", "%Y%m"),
    (re.compile(r"(?i)(?<![a-z])y{4}(?![a-z])"), "year", "%Y"),
    (re.compile(r"(?<![A-Za-z])(?i:hh:(?:mi|mm))(?![A-Za-z])"), "time", "%H:%M"),
    (re.compile(r"(?<![A-Za-z])(?i:hh(?:24)?(?:mi|mm))(?![A-Za-z])"), "time", "%H%M"),
    (re.compile(r"\((?:MM|mm)\)|월\s?\(2자리\)"), "month", "%m"),
)
_EXAMPLE_DATES: Final[tuple[tuple[re.Pattern[str], Kind, str], ...]] = (
    (re.compile(r"^(?:19|20)\d{2}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$"), "datetime", "%Y-%m-%d %H:%M:%S"),
    (re.compile(r"^(?:19|20)\d{2}/\d{2}/\d{2} \d{2}:\d{2}:\d{2}$"), "datetime", "%Y/%m/%d %H:%M:%S"),
    (re.compile(r"^(?:19|20)\d{2}-\d{2}-\d{2} \d{2}:\d{2}$"), "datetime", "%Y-%m-%d %H:%M"),
    (re.compile(r"^(?:19|20)\d{2}[01]\d[0-3]\d[0-2]\d[0-5]\d[0-5]\d$"), "datetime", "%Y%m%d%H%M%S"),
    (re.compile(r"^(?:19|20)\d{2}[01]\d[0-3]\d[0-2]\d[0-5]\d$"), "datetime", "%Y%m%d%H%M"),
    (re.compile(r"^(?:19|20)\d{2}[01]\d[0-3]\d[0-2]\d$"), "datetime", "%Y%m%d%H"),
    (re.compile(r"^(?:19|20)\d{2}-[01]\d-[0-3]\d$"), "date", "%Y-%m-%d"),
    (re.compile(r"^(?:19|20)\d{2}\.[01]\d\.[0-3]\d$"), "date", "%Y.%m.%d"),
    (re.compile(r"^(?:19|20)\d{2}/[01]\d/[0-3]\d$"), "date", "%Y/%m/%d"),
    (re.compile(r"^(?:19|20)\d{2}[01]\d[0-3]\d$"), "date", "%Y%m%d"),
    (re.compile(r"^(?:19|20)\d{2}-[01]\d$"), "month", "%Y-%m"),
    (re.compile(r"^(?:19|20)\d{2}[01]\d$"), "month", "%Y%m"),
    (re.compile(r"^(?:19|20)\d{2}$"), "year", "%Y"),
    (re.compile(r"^[0-2]\d:[0-5]\d$"), "time", "%H:%M"),
    (re.compile(r"^[0-2]\d[0-5]\d$"), "time", "%H%M"),
    (re.compile(r"^(?:0[1-9]|1[0-2])$"), "month", "%m"),
)
_DIGITS = re.compile(r"(?<!\d)(\d{1,2})\s*자리|STRING\((\d{1,2})\)")
_UNIT = re.compile(
    r"단위\s*[:：]?\s*(%|㎡|㎥|㎍/㎥|ppm|[가-힣]{1,4}|[a-zA-Z]{1,3}(?:/[a-zA-Z]{1,2})?)"
    r"|\(\s*(원|만원|천원|백만원|억원|명|건|개|대|회|세대|호|석|병상|%|㎡|㎥|㎍/㎥|ppm|km|m|t|kg|℃|분|초|원/주|주)\s*\)"
)
_DEFAULT = re.compile(r"(?i)(?:기본\s?값|디폴트|default(?:\s?value)?)\s*[:=은는：]?\s*([A-Za-z0-9_.-]{1,20})")
_REQUIRED = re.compile(r"\(\s*필수\s*(?:값|항목|입력)?\s*\)|\[필수\]|필수\s?입력|^필수$|필수\s?(?:값|항목)입니다")


def enumeration(text: str) -> tuple[EnumValue, ...]:
    """Return the closed list of values that `text` spells out, () where there is none or it ends in "and so on"."""
    if _OPEN_ENDED.search(text):
        return ()
    for position, pattern in enumerate(_ENUMERATIONS):
        pairs = [(m.group(1), " ".join(m.group(2).split())) for m in pattern.finditer(text)]
        if position == _REVERSED:
            pairs = [(code, word) for word, code in pairs]
        pairs = [(code, word) for code, word in pairs if not _NOT_A_CODE.match(code)]
        codes = [code for code, _ in pairs]
        if any(word in _NOT_A_LABEL for _, word in pairs) or (position == _BARE and not _all_counted(text, pairs)):
            continue
        if len(pairs) >= 2 and len(set(codes)) == len(codes) and _same_make(codes):
            return tuple(EnumValue(code, word) for code, word in pairs)
    return _YES_NO_VALUES if _YES_NO.search(text) else ()


def _all_counted(text: str, pairs: list[tuple[str, str]]) -> bool:
    """Whether every number of `text` is one of the codes and no word is a unit: half a list forbids good values."""
    codes = {code for code, _ in pairs}
    rest = text
    for _, word in pairs:
        rest = rest.replace(word, " ")
    return set(re.findall(r"\d+", rest)) <= codes and not any(_NOT_A_WORD.search(word) for _, word in pairs)


def _same_make(codes: list[str]) -> bool:
    """Whether the codes look like values of one list: all with digits or all without, of about one length."""
    digits = {any(ch.isdigit() for ch in code) for code in codes}
    lengths = [len(code) for code in codes]
    return len(digits) == 1 and (max(lengths) - min(lengths) <= 3 or True not in digits)


def date_pattern(text: str) -> tuple[Kind, str] | None:
    """Return the kind and strptime pattern that `text` names: "(YYYYMMDD)" gives ("date", "%Y%m%d")."""
    return next(((kind, form) for pattern, kind, form in _DATE_PATTERNS if pattern.search(text)), None)


def example_date(examples: tuple[str, ...]) -> tuple[Kind, str] | None:
    """Return the kind and strptime pattern that all `examples` follow. Only for fields known to be dates."""
    for pattern, kind, form in _EXAMPLE_DATES:
        if examples and all(map(pattern.match, examples)):
            return kind, form
    return None


def digit_count(text: str) -> str | None:
    """Return the number of digits that `text` states ("8자리" gives "8"), the first where it states several."""
    found = _DIGITS.search(text)
    return (found.group(1) or found.group(2)) if found else None


def unit_of(label: str) -> str | None:
    """Return the unit in a label's brackets: "기타수입총액(원)" gives "원"."""
    found = _UNIT.search(label)
    return (found.group(1) or found.group(2)) if found else None


def default_value(text: str) -> str | None:
    """Return the default that `text` states: "Default: 10" gives "10"."""
    found = _DEFAULT.search(text)
    return found.group(1).rstrip(".-") or None if found else None


def says_required(text: str) -> bool:
    """Whether `text` marks the field as required: "발표시각(필수)"."""
    return bool(_REQUIRED.search(text))
