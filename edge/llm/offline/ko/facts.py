"""One fact -> its words: the value with its unit, what was counted or added up, who wins a comparison."""

from __future__ import annotations

import re

from edge.llm.offline.brief import Brief, Fact, Step
from edge.llm.offline.ko.frames import Style
from edge.llm.offline.ko.labels import (
    counter,
    criterion,
    flagged,
    is_place,
    names_records,
    own_label,
    spoken,
    summed,
    superlative,
    word_of,
)
from edge.llm.offline.ko.modifiers import quoted
from edge.llm.offline.ko.numbers import with_unit
from edge.llm.offline.ko.particles import attach, fill, particle
from edge.llm.offline.ko.picking import test_of

_LONG = 60  # characters after which a value stands behind a colon
_NUMBER = re.compile(r"[\d,]+")


def value(fact: Fact) -> str:
    """Return the value as it is read, with its unit."""
    text = " ".join(fact.text.split()) if not is_long(fact.text) else fact.text.strip()
    return with_unit(text, fact.unit) if text else "정보 없음"


def is_long(text: str) -> bool:
    """Whether a text had better stand on a line of its own."""
    return len(text) > _LONG or "\n" in text.strip() or text.rstrip().endswith(".")


def label_of(fact: Fact, step: Step | None, *, owned: bool) -> str:
    """Return the label; behind the record's own name it does not say again what that is."""
    word = own_label(fact.label, step.noun or step.title) if owned and step else spoken(fact.label)
    return flagged(word) if fact.kind == "flag" else word


def copula(word: str, style: Style) -> str:
    """Return what ends a statement whose last word is `word`."""
    if style == "formal":
        return "입니다."
    if style == "polite":
        return particle(word, "이에요예요") + "."
    return particle(word, "이야야") + "." if style == "casual" else "."


def counted(fact: Fact, step: Step, entity: str | None, style: Style, *, several: bool = False) -> str:
    """Return the statement of a value that was made of many records: a count, a sum, a mean."""
    noun = spoken(fact.label)
    subject = f"{around(entity, step)} " if entity and entity != fact.label else ""
    if subject and _radius(step):
        noun = noun.removeprefix("주변 ")
    of = f"{_noun_of(step, entity or '')} " if subject and (step.beside or several) else ""
    what, amount = noun, value(fact)
    match step.reducer.kind:
        case "sum":
            what = f"{of}{summed(noun)}"
        case "mean":
            what = f"{of}평균 {noun.removeprefix('평균').strip() or noun}"
        case "distinct":
            what, amount = f"서로 다른 {noun}", _tally(fact, noun, "가지")
        case _:
            what = _narrowed(step, noun)
            amount = _tally(fact, what.split()[-1] if step.reducer.within else noun, "건")
    total = step.reducer.kind in ("count", "distinct")
    if style == "terse":
        return f"{subject}{what} {'총 ' if total else ''}{amount}."
    return f"{subject}{attach(what, '은는')} {'모두 ' if total else ''}{amount}{copula(amount, style)}"


def around(entity: str, step: Step) -> str:
    """Return whose things are told: a record's own, or those around it ("수정도서관 반경 500미터 안의")."""
    if radius := _radius(step):
        return f"{entity} {radius}"
    noun = spoken(step.noun or step.title)
    if step.beside and noun.startswith(("주변 ", "인근 ")):
        return entity if step.reducer.within is None and step.reducer.kind == "count" else f"{entity} 주변"
    near = step.beside and step.computes and counter(noun) not in ("건", "명") and not is_place(noun)
    return f"{entity} 주변" if near else f"{entity}의"


def _radius(step: Step) -> str:
    """Return how far around something was looked: "반경 500미터 안의"; "" where that was not said."""
    told = (fill(i.phrase, v=i.text) for i in step.inputs if step.beside and i.phrase and i.phrase.startswith("반경"))
    return next(told, "")


def _noun_of(step: Step, entity: str) -> str:
    """What the records of a step are, without where they are and whose: 휴게소 음식 of a 휴게소 is its 음식."""
    first, _, rest = spoken(step.noun or step.title).partition(" ")
    return (
        rest if rest and (first in ("주변", "인근", "가까운") or entity.endswith(first)) else f"{first} {rest}".strip()
    )


def _narrowed(step: Step, noun: str) -> str:
    """Return what was counted, with the condition under which it was."""
    within = step.reducer.within
    if within is None:
        return noun
    if within.kind == "filter" and names_records(criterion(within.label or "이름")):
        return f"{noun} 중 {quoted(within.text or '')}"
    return f"{test_of(within, noun).text} {word_of(noun)}"


def _tally(fact: Fact, noun: str, otherwise: str) -> str:
    unit = counter(noun)
    text = fact.text
    return text + (fact.unit or (unit if unit != "건" else otherwise)) if _NUMBER.fullmatch(text) else text


def winner(fact: Fact, brief: Brief, style: Style) -> str:
    """Return which of the compared values wins: "둘 중 인구수가 더 많은 쪽은 강남구(53,004명)입니다."."""
    step = brief.step(fact.step)
    sides = brief.comparison.steps if brief.comparison else ()
    label, largest = spoken(fact.label), fact.operation == "max"
    amount = value(fact)
    if step is not None and step.reducer.kind in ("count", "distinct"):
        adjective = "많은" if largest else "적은"
        amount = _tally(fact, label, "가지" if step.reducer.kind == "distinct" else "건")
        label = f"서로 다른 {label}" if step.reducer.kind == "distinct" else label
    else:
        adjective = superlative(fact.label, fact.kind, largest)
    among, more = ("둘 중", "더") if len(sides) == 2 else ("그중", "가장")
    if not fact.entity:
        return f"{among} {more} {adjective} {attach('값', '은는')} {amount}{copula(amount, style)}"
    said = f"{fact.entity}({amount})"
    if style == "terse":
        return f"{among} {attach(label, '이가')} {more} {adjective} 쪽: {said}."
    return f"{among} {attach(label, '이가')} {more} {adjective} 쪽은 {said}{copula(said, style)}"
