"""What a noun phrase carries with it, and the short ones that take a record up again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from edge.llm.offline.brief import Brief, Step
from edge.llm.offline.ko.fitting import full_region
from edge.llm.offline.ko.labels import counter, is_abstract, is_place, names_region, spoken, word_of
from edge.llm.offline.ko.modifiers import Modifier
from edge.llm.offline.ko.naming import own_name
from edge.llm.offline.ko.particles import attach


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase. `word` takes it up again ("그 거래"); `many`: it stands for several records, one by one.

    `proper`: nothing but a name. `place`: a region. `heavy`: a clause is inside, a second one would be hard to follow.
    `tallied`: it ends in a number of things ("거래 3건"), behind which 마다 would be wrong.
    """

    text: str
    word: str
    many: bool = False
    proper: bool = False
    place: bool = False
    heavy: bool = False
    tallied: bool = False


def thing_of(step: Step) -> str:
    """Return the word for the record: its noun's, or 지역 for a region, or figures about one, found by name."""
    name, noun = own_name(step), step.noun or step.title
    return "지역" if name and (is_abstract(noun) or is_place(noun)) and names_region(name) else word_of(noun)


def taken_up(step: Step) -> Phrase:
    """Return the short phrase for a record that has been introduced: "그 거래", "각 병원"."""
    word = thing_of(step)
    place = is_place(step.noun or step.title) or word == "지역"
    each = step.many or step.merged
    return Phrase(f"{'각' if each else '그'} {word}", word, many=step.many, place=place)


def joined(one: Phrase, other: Phrase) -> str:
    """What belongs to both: a place goes before what is looked for in it."""
    if one.place or other.place:
        place, thing = (one, other) if one.place else (other, one)
        return f"{place.text} {thing.text}"
    return f"{attach(one.text, '과와')} {other.text}"


def linked(owner: Phrase | None, before: Sequence[Modifier], noun: str, *, beside: bool = False) -> str:
    """Return the parent's phrase as it stands before what belongs to it, lies `beside` it or has to do with it."""
    if owner is None or not (owner.text or (beside and owner.word)):
        return ""
    if beside and (said := _lying(owner, before, noun)):
        return said
    alike = noun and owner.word == spoken(noun).split()[-1] and len(owner.word) > 1
    if alike and (not owner.many or owner.text.startswith("각 ")):
        return f"{attach(owner.text, '과와')} 관련된"  # a law of a law
    if owner.many:
        return f"{owner.text}{_each(owner) or '의'}"
    if noun.startswith("가까운 "):
        return f"{owner.text}에서"
    if noun.startswith(("주변 ", "인근 ")):
        return owner.text
    if not owner.place:
        return f"{owner.text}의"
    if any(phrase.verbal for phrase in before):
        return f"{owner.text}에서"
    if noun and counter(noun) == "곳" and not is_place(noun):
        return f"{owner.text}에 있는"
    return owner.text if noun and not before and owner.proper else f"{owner.text}의"


def _lying(owner: Phrase, before: Sequence[Modifier], noun: str) -> str:
    """What is found by where its owner lies: "X 주변", "X 반경 500미터 안의", "X가 있는" a district; "" for figures."""
    whole = owner.text or f"{'각' if owner.many else '그'} {owner.word}"
    if noun.startswith("가까운 "):
        return f"{whole}에서"
    if noun.startswith(("주변 ", "인근 ")) or any(phrase.text.startswith("반경") for phrase in before):
        return f"{whole}{_each(owner)}"
    if is_place(noun) and not noun.endswith(("주소", "좌표", "장소")):
        return f"{attach(whole, '이가')} {'속한' if owner.place else '있는'}"
    if counter(noun) in ("건", "명") or is_abstract(noun):
        return ""
    return f"{whole}{_each(owner)} 주변"


def _each(owner: Phrase) -> str:
    if not owner.many or not owner.text or owner.text.startswith("각 "):
        return ""
    return " 각각의" if owner.tallied else "마다"


def only_figures(brief: Brief, step: Step) -> bool:
    """Whether a step looks up figures by name only on the way: people then name what the figures are about."""
    return bool(own_name(step)) and is_abstract(spoken(step.noun)) and step not in brief.wanted


def put_off(brief: Brief, step: Step) -> frozenset[str]:
    """Return the dates of such figures: they are said of the later step that has them too."""
    if not only_figures(brief, step):
        return frozenset()
    rest = brief.all_steps[brief.all_steps.index(step) + 1 :]
    later = {item.text for other in rest for item in other.inputs}
    dated = (item.text for item in step.inputs if item.kind in ("year", "month", "date"))
    return frozenset(text for text in dated if text in later)


def region_above(owner: Phrase | None, name: str) -> str | None:
    """What is said before a region's name of the one above it; None: the ordinary link."""
    if owner is None or name.startswith(owner.text):
        return ""
    if full_region(name):
        return "" if owner.text.startswith("그 ") or owner.text in name else f"{owner.text}에 있는"
    return owner.text if owner.place else None


def lowest(via: str) -> str:
    """A place that is named by two levels, by the one that is meant: 법정동 시도 is a 시도."""
    words = via.split()
    return words[-1] if len(words) == 2 and all(map(is_place, words)) else via
