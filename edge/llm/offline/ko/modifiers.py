"""Inputs and filters of a step -> the phrases that stand before its noun."""

from __future__ import annotations

import re
from collections.abc import Sequence

from edge.llm.offline.ko.brief import Input, Step
from edge.llm.offline.ko.labels import criterion, is_place, spoken
from edge.llm.offline.ko.particles import attach, fill

_DATES = {"date": "같은 날", "month": "같은 달", "year": "같은 해"}
_FROM, _UNTIL = re.compile(r"^(.*)부터(.*)$"), re.compile(r"^(.*)까지(.*)$")
_PLACE_LABEL = re.compile(r"(?:시도|시군구|지역|주소|읍면동|법정동|행정동|도시|소재지|시군|구군)(?:명|이름|명칭)?$")
_WORD_LABEL = re.compile(r"(?:검색어|질의어|키워드|검색 단어|제목|내용)")
_ADNOMINAL = re.compile(r"(?:[가-힣]*(?:[는된한인린난은온간진던될할])|있는|들어가는)$")


class Said:
    """What the request has already said, so that it is not said twice."""

    def __init__(self) -> None:
        self._texts: dict[str, set[str]] = {}

    def note(self, label: str, text: str) -> None:
        """Remember a value and what it was called."""
        self._texts.setdefault(text, set()).add(label)

    def knows(self, item: Input) -> bool:
        """Whether repeating the value would add nothing; a bare number must come under the same label."""
        labels = self._texts.get(item.text)
        return bool(labels) and (item.kind not in ("number", "count", "code", "flag") or item.label in (labels or ()))


def modifiers(step: Step, said: Said) -> list[str]:
    """Return what stands before the noun of a step, in order; a value that the record's own name says is left out."""
    phrases: list[str] = []
    for item in step.inputs:
        if step.named and item.text in (step.reducer.text or ""):
            continue
        if said.knows(item):
            if item.kind in _DATES:
                phrases.append(_stated(item, _DATES[item.kind]))
            continue
        said.note(item.label, item.text)
        phrases.append(_stated(item, item.text))
    return _ranges(phrases)


def condition(step: Step) -> str:
    """Return the filter of a step as a modifier ("진료과목이 '내과'인"); empty where there is none to say."""
    reducer = step.reducer
    if reducer.kind != "filter" or not reducer.text or step.named:
        return ""
    if any(item.text == reducer.text for item in step.inputs):
        return ""
    return f"{attach(criterion(reducer.label or '이름'), '이가')} {quoted(reducer.text)}인"


def quoted(text: str) -> str:
    """Return the value in quotes where a reader could not see where it ends."""
    plain = re.fullmatch(r"[가-힣]{1,8}|\d{4}년(?: \d{1,2}월)?(?: \d{1,2}일)?", text)
    return text if plain else f"'{text}'"


def is_adnominal(phrase: str) -> bool:
    """Whether the phrase ends in a verb form that needs its noun right behind it."""
    return bool(_ADNOMINAL.search(phrase))


def is_dated(item: Input) -> bool:
    """Whether the value is a date, month or year."""
    return item.kind in _DATES


def _stated(item: Input, text: str) -> str:
    if item.phrase and "{v}" in item.phrase:
        said = " ".join(fill(item.phrase, v=text).split())
        return said.removesuffix("의") if is_dated(item) and said == f"{text}의" else said
    label = spoken(item.label)
    if is_dated(item) or item.kind == "datetime":
        return _dated(label, text)
    if _PLACE_LABEL.search(label) or is_place(label):
        return f"{text}에 있는"
    if _WORD_LABEL.search(label):
        return f"'{text}' 관련"
    if item.kind == "name":
        return f"{attach(criterion(item.label), '이가')} '{text}'인"
    if item.kind == "flag":
        return f"{attach(criterion(item.label), '이가')} {text}인"
    return f"{attach(criterion(item.label), '이가')} {quoted(text)}인"


def _dated(label: str, text: str) -> str:
    if re.search(r"시작|부터|개시", label):
        return f"{text}부터"
    if re.search(r"종료|까지|마감|끝", label):
        return f"{text}까지"
    return text


def _ranges(phrases: Sequence[str]) -> list[str]:
    """Draw "A부터 발표된" and "B까지 발표된" together into "A부터 B까지 발표된"."""
    found: list[str] = []
    for phrase in phrases:
        start = _FROM.match(found[-1]) if found else None
        end = _UNTIL.match(phrase)
        if start and end and start.group(2) == end.group(2):
            if start.group(1) == end.group(1):
                found[-1] = start.group(1) + start.group(2)
            else:
                found[-1] = f"{start.group(1)}부터 {phrase}"
        else:
            found.append(phrase)
    if found and found[-1].endswith(("부터", "까지")):
        found[-1] += "의"
    return found
