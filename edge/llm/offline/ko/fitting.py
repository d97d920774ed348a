"""Pieces of a noun phrase -> how they fit together: what replaces a noun, what repeats it, what is said only once."""

from __future__ import annotations

import re

from edge.llm.offline.brief import Step
from edge.llm.offline.ko.labels import criterion, names_region, spoken, word_of
from edge.llm.offline.ko.modifiers import Modifier, quoted
from edge.llm.offline.ko.particles import attach

_TERM = re.compile(r"^(제\d+대 국회)의$")
_WHOLE = re.compile(r"^[가-힣]+(?:특별시|광역시|자치시|자치도|도) [가-힣]")


def absorbed(step: Step, before: list[Modifier], noun: str) -> tuple[list[Modifier], str]:
    """A type that names the thing itself replaces the noun: 종별이 상급종합병원인 병원 -> 상급종합병원."""
    for item in step.inputs:
        if item.kind in ("code", "text") and not item.phrase and item.text != noun and item.text.endswith(noun):
            stated = f"{attach(criterion(item.label), '이가')} {quoted(item.text)}인"
            texts = [Modifier(_without(phrase.text, stated), phrase.verbal) for phrase in before]
            if texts != before:
                return [phrase for phrase in texts if phrase.text], item.text
    return before, noun


def same_thing(step: Step, parent: Step) -> bool:
    """Whether a step only looks closer at what its parent found: 병원 -> 병원 상세."""
    ours, theirs = word_of(step.noun or step.title), word_of(parent.noun or parent.title)
    return ours == theirs or {ours, theirs} == {"법안", "의안"}


def is_name(before: list[Modifier]) -> bool:
    """Whether what stands before a noun could stand for it: an address, a region."""
    return bool(before) and not before[-1].verbal and not before[-1].text.endswith("의")


def _without(text: str, stated: str) -> str:
    rest = text.replace(stated, "").replace(stated[:-1] + "이고", "").strip()
    return re.sub(r"있고$", "있는", rest) if rest != text else text


def where(place: str, owned: bool, before: list[Modifier]) -> str:
    """Return the place in which the largest or latest is looked for, where nothing but a place limits the search."""
    if place and not before:
        return f"{place}에서"
    if not owned and len(before) == 1:
        if before[0].text.endswith("에 있는"):
            return before[0].text.removesuffix(" 있는") + "서"
        if before[0].text.endswith("지역"):
            return f"{before[0].text}에서"
    return ""


def glue(parts: list[str]) -> str:
    """Join the parts; a word that the part before has just said is not said again."""
    text = ""
    for part in parts:
        if not part:
            continue
        if text:
            last = re.sub(r"[의'\"]+$", "", text.split()[-1])
            words = part.split(" ")
            if len(words) > 1 and words[0] == last:
                part = " ".join(words[1:])
            text += " "
        text += part
    return text


def full_region(name: str) -> bool:
    """Whether a region is named from the province down: 경기도 남양주시 지금동."""
    return bool(_WHOLE.match(name)) and names_region(name)


def set_before(before: list[Modifier], link: str, noun: str) -> str:
    """The parts in order; a term of parliament goes before all: 제22대 국회에서 그 위원회의 회의."""
    texts = [phrase.text for phrase in before]
    terms = [m.group(1) for text in texts if link and (m := _TERM.match(text))]
    rest = [text for text in texts if not (link and _TERM.match(text))]
    rest.sort(key=lambda text: not text.startswith("반경"))  # right behind what it is measured from
    return glue([*(f"{term}에서" for term in terms), link, *rest, noun])


def without_measure(group: str, noun: str, label: str) -> str:
    """The group without the figure by which it is about to be ordered: 자치단체 채무비율, by 채무비율, are 자치단체."""
    said = spoken(label) if label else ""
    return group.removesuffix(f" {said}") if said and noun.endswith(f" {said}") and word_of(noun) != said else group


def without_word(noun: str, word: str) -> str:
    """The noun without the words that its owner has just said: 아파트 단지 시설 of a 단지 is its 시설."""
    words = noun.split()
    return " ".join(words[words.index(word) + 1 :]) if word in words[:-1] else noun
