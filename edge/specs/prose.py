"""the prose of a description -> what it says of one value: digit count, unit, default, whether it must be given."""

from __future__ import annotations

import re

_DIGITS = re.compile(
    r"(?i)(?<![\d~-])(?<!소수점)(?<!소수점\s)(?<!소수점\s이하\s)(?<!최대\s)(?<!최대)(\d{1,2})\s*(?:자리|[-\s]?digits?\b)"
    r"(?!\s*(?:이내|이하|까지|이상|콤마))|STRING\((\d{1,2})\)"
)
_DENIED = re.compile(r"아니|아님|안\s?[된돼]|않")  # "10자리 아님"
_UNIT = re.compile(
    r"단위\s*[:：]?\s*(%|㎡|㎥|㎍/㎥|ppm|[가-힣]{1,4}|[a-zA-Z]{1,3}(?:/[a-zA-Z]{1,2})?)"
    r"|\(\s*(원|만원|천원|백만원|억원|명|건|개|대|회|세대|호|석|병상|%|㎡|㎥|㎍/㎥|ppm|km|m|t|kg|℃|분|초|원/주|주)\s*\)"
)
_DEFAULT = re.compile(r"(?i)(?:기본\s?값|디폴트|default(?:\s?value)?)\s*[:=은는：]?\s*([A-Za-z0-9_.-]{1,20})")
_REQUIRED = re.compile(
    r"(?im)[(\[]\s*필수\s*(?:값|항목|입력|요소|파라미터)?\s*[)\]]|필수\s?(?:값|입력|항목|요소|파라미터)(?!\s?(?:이?\s?아[님니]|여부))|^\W*필수\W*$"
    r"|필수\s?(?:여부|구분)?\s*[:(]\s*(?:O|Y|○|●|예)(?![a-z])|[,/·-]\s*필수\s*(?:[,)\]]|$)|필수(?:임|입니다)"
    r"|[(\[]\s*(?:required|mandatory)\s*[)\]]|^\W*(?:required|mandatory)\b(?!\s+(?:if|when|unless|only|for))"
    r"|(?<!not )\b(?:is|are)\s+(?:required|mandatory)\b(?!\s+(?:if|when|unless|only))"
)
_NOT_REQUIRED = re.compile(
    r"(?i)선택\s?(?:값|입력|항목|사항|적)|[(\[]\s*(?:선택|옵션)\s*[)\]]|optional|옵션\s?값|필수\s?(?:가|는|값이|항목이)?\s?아[님니]|비필수"
    r"|필수\s?(?:여부|구분)?\s*[:(]\s*(?:X|N|×)(?![a-z])|not\s+(?:required|mandatory)"
    r"|(?:중|하나|1개|한\s?개|경우|때|시|외|이면|조건부)(?:는|에는?|은|만)?\s*(?:반드시\s*)?필수|one\s+of\b.*\brequired|either\b.*\brequired"
    r"|required\s+(?:if|when|unless|only)"
)


def digit_count(text: str) -> str | None:
    """Return the number of digits that `text` states first: "8자리" gives "8", "2자리 또는 5자리" nothing."""
    for sentence in re.split(r"[.\n]", text):
        clauses = (clause for clause in sentence.split(",") if not _DENIED.search(clause))
        found = {match.group(1) or match.group(2) for match in _DIGITS.finditer(",".join(clauses))}
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def unit_of(label: str) -> str | None:
    """Return the unit in a label's brackets: "기타수입총액(원)" gives "원"."""
    found = _UNIT.search(label)
    return (found.group(1) or found.group(2)) if found else None


def default_value(text: str) -> str | None:
    """Return the default that `text` states: "Default: 10" gives "10"."""
    found = _DEFAULT.search(text)
    return found.group(1).rstrip(".-") or None if found else None


def says_required(text: str) -> bool:
    """Whether `text` marks the field as required: "발표시각(필수)". What is required only sometimes is not."""
    return bool(_REQUIRED.search(text)) and not _NOT_REQUIRED.search(text)
