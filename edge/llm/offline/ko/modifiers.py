"""Inputs and filters of a step -> the phrases that stand before its noun."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from edge.llm.offline.brief import Input, Step
from edge.llm.offline.ko.labels import criterion, is_place, spoken
from edge.llm.offline.ko.naming import own_name, phrase_of
from edge.llm.offline.ko.particles import attach, fill

_DATES = {"date": "같은 날", "month": "같은 달", "year": "같은 해"}
_FROM, _UNTIL = re.compile(r"^(.*)부터(.*)$"), re.compile(r"^(.*)까지(.*)$")
_PLACE_LABEL = re.compile(r"(?:시도|시군구|지역|주소|읍면동|법정동|행정동|도시|소재지|시군|구군)(?:명|이름|명칭)?$")
_WORD_LABEL = re.compile(r"검색어|질의어|키워드|검색 단어|제목|내용")
_ADNOMINAL = re.compile(r"(?:[는된한인은던할될린낸]|나온)$")
_CONNECTIVES = {"는": "고", "된": "되고", "한": "하고", "인": "이고", "은": "고"}


@dataclass(frozen=True, slots=True)
class Modifier:
    """What stands before a noun. `verbal`: it ends in a verb form ("신고된") that claims whatever noun comes next."""

    text: str
    verbal: bool


class Said:
    """What the request has already said, so that it is not said twice."""

    def __init__(self) -> None:
        self._texts: dict[str, set[str]] = {}

    def note(self, label: str, text: str) -> None:
        """Remember a value and what it was called."""
        self._texts.setdefault(text, set()).add(label)

    def has(self, text: str) -> bool:
        """Whether the text has been said, under whatever label."""
        return text in self._texts

    def knows(self, item: Input) -> bool:
        """Whether repeating the value would add nothing; a bare number must come under the same label."""
        labels = self._texts.get(item.text, set())
        return bool(labels) and (item.kind not in ("number", "count", "code", "flag") or item.label in labels)


def modifiers(step: Step, said: Said, put_off: Collection[str] = ()) -> list[Modifier]:
    """Return what stands before the noun of a step, in order; a value that the record's own name says is left out.

    `put_off`: texts that are better said of a later step.
    """
    phrases: list[Modifier] = []
    before = [said.knows(item) for item in step.inputs]  # the two ends of a period may be the same day
    for item, known in zip(step.inputs, before, strict=True):
        if item.text in (own_name(step) or "") or item.text in put_off:
            continue
        if known:
            if item.kind in _DATES:
                phrases.append(_modifier(item, _DATES[item.kind]))
            continue
        said.note(item.label, item.text)
        phrases.append(_modifier(item, item.text))
    return _arranged(_ranges(phrases), owned=step.parent is not None)


def quoted(text: str) -> str:
    """Return the value in quotes where a reader could not see where it ends."""
    plain = re.fullmatch(r"[가-힣]{1,8}|[\d,]+|\d{4}년(?: \d{1,2}월)?(?: \d{1,2}일)?", text)
    return text if plain else f"'{text}'"


def _modifier(item: Input, text: str) -> Modifier:
    said = _stated(item, text)
    return Modifier(said, said != text and bool(_ADNOMINAL.search(said)))


def _stated(item: Input, text: str) -> str:
    phrase = phrase_of(item)
    if phrase and "{v}" in phrase:
        said = " ".join(fill(_fitted(phrase, text), v=text).split())
        return said.removesuffix("의") if item.kind in _DATES and said == f"{text}의" else said
    label = spoken(item.label)
    if item.kind in _DATES or item.kind == "datetime":
        return _dated(label, text)
    if item.kind == "address":
        return text
    if _PLACE_LABEL.search(label) or is_place(label):
        return f"{text}에 있는"
    if _WORD_LABEL.search(label):
        return f"'{text}' 관련"
    shown = f"'{text}'" if item.kind == "name" else quoted(text)
    return f"{attach(criterion(item.label), '이가')} {shown}인"


def _fitted(phrase: str, text: str) -> str:
    """Drop from the phrase what the value already ends with: "{v}년" after "2026년", "{v}역" after "강남역"."""
    if "의원 등" in text:  # 홍길동의원 등 10인
        return phrase.replace("{v} 의원이", "{v}{josa:이가}")
    tail = phrase.partition("{v}")[2]
    word = re.match(r"[가-힣]+", tail)
    if word and (text.endswith(word.group()) or (text in _DATES.values() and word.group() in ("년", "월", "일"))):
        return phrase.replace("{v}" + word.group(), "{v}", 1)
    if text.endswith("년") or text in _DATES.values():
        return re.sub(r"\{v\}\s*(?:회계|학|사업)?(?:연도|년도)", "{v}", phrase, count=1)
    return phrase


def _dated(label: str, text: str) -> str:
    if re.search(r"시작|부터|개시", label):
        return f"{text}부터"
    if re.search(r"종료|까지|마감|끝", label):
        return f"{text}까지"
    return text


def _ranges(phrases: list[Modifier]) -> list[Modifier]:
    """Draw "A부터 발표된" and "B까지 발표된" together into "A부터 B까지 발표된", in whichever order they stand."""
    found: list[Modifier] = []
    backwards = [p for p in phrases if _UNTIL.match(p.text) and not _FROM.match(p.text)]
    forwards = [p for p in phrases if _FROM.match(p.text)]
    if len(backwards) == len(forwards) == 1 and phrases.index(backwards[0]) + 1 == phrases.index(forwards[0]):
        phrases = [p for p in phrases if p not in backwards]
        phrases.insert(phrases.index(forwards[0]) + 1, backwards[0])
    for phrase in phrases:
        start = _FROM.match(found[-1].text) if found else None
        end = _UNTIL.match(phrase.text)
        if start and end and start.group(2) == end.group(2):
            same = start.group(1) == end.group(1)
            text = start.group(1) + start.group(2) if same else f"{start.group(1)}부터 {phrase.text}"
            found[-1] = replace(phrase, text=text)
        else:
            found.append(phrase)
    return found


def _arranged(phrases: Sequence[Modifier], *, owned: bool) -> list[Modifier]:
    """Verb forms come first and are joined ("...되고 ...인"); bare ones follow, so that no verb claims a wrong noun."""
    verbal = [phrase for phrase in phrases if phrase.verbal]
    bare = [phrase for phrase in phrases if not phrase.verbal]
    joined = [_connected(phrase.text, after.text) for phrase, after in pairwise(verbal)]
    joined += [phrase.text for phrase in verbal[-1:]]
    arranged = [Modifier(" ".join(joined), True)] if joined else []
    if bare and bare[-1].text.endswith(("부터", "까지")):
        bare[-1] = Modifier(bare[-1].text + "의", False)
    if owned:
        bare = [Modifier(re.sub(r"동안의$", "동안", phrase.text), False) for phrase in bare]
    return [*arranged, *bare]


def _connected(text: str, following: str) -> str:
    verb = text.split()[-1]
    if verb == following.split()[-1] and len(text.split()) > 1:
        rest = text[: -len(verb)].rstrip()
        return re.sub(r" 이후에$", "부터", rest) if "까지" in following else rest
    return text[:-1] + _CONNECTIVES[text[-1]] if text[-1] in _CONNECTIVES else f"{text},"
