"""Reducer of a step -> the words for the records that it leaves: conditions, the largest, the first few."""

from __future__ import annotations

import random
import re

from edge.llm.offline.brief import Reducer, Step
from edge.llm.offline.ko.labels import (
    counter,
    criterion,
    event,
    is_abstract,
    names_records,
    own_label,
    spoken,
    superlative,
    word_of,
)
from edge.llm.offline.ko.modifiers import Modifier, quoted
from edge.llm.offline.ko.naming import own_name
from edge.llm.offline.ko.numbers import with_unit
from edge.llm.offline.ko.particles import attach, particle

AMONG = ("중", "가운데", "중에서")
_NARROWING = ("filter", "at_least", "at_most", "contains")
_DATED = ("date", "month", "year", "datetime", "time")


def condition(step: Step) -> Reducer | None:
    """Return the reducer of a step that says which records count; None where there is none left to say."""
    reducer = step.reducer
    if reducer.kind not in _NARROWING or not reducer.text:
        return None
    if reducer.kind == "filter" and (own_name(step) or any(item.text == reducer.text for item in step.inputs)):
        return None
    return reducer


def test_of(reducer: Reducer, noun: str) -> Modifier:
    """Return a condition as it stands before a noun: "진료과목이 내과인", "병상수가 300개 이상인"."""
    label = criterion(reducer.label or "이름")
    text = reducer.text or ""
    if reducer.kind == "filter":
        return Modifier(f"{attach(label, '이가')} {quoted(text)}인", True)
    if reducer.kind == "contains":
        where = own_label(reducer.label or "이름", noun)
        where = "이름" if where == spoken(noun) else where
        return Modifier(f"{where}에 '{text}'{particle(text, '이가')} 들어가는", True)
    return Modifier(f"{attach(own_label(reducer.label or '값', noun), '이가')} {bound(reducer)}인", True)


def bound(reducer: Reducer) -> str:
    """Return a threshold: "300개 이상", of a date "2026년 5월 이후"."""
    above = reducer.kind == "at_least"
    side = ("이후" if above else "이전") if reducer.field_kind in _DATED else "이상" if above else "이하"
    return f"{with_unit(reducer.text or '', reducer.unit)} {side}"


def narrowed(group: str, noun: str, reducer: Reducer, rng: random.Random, *, simple: bool) -> str:
    """Say a condition behind the whole ("... 항목 중 '주당 배당금'"), or before a bare noun."""
    if reducer.kind == "filter" and names_records(criterion(reducer.label or "이름")):
        return f"{group} {rng.choice(AMONG[:2])} {quoted(reducer.text or '')}"
    test = test_of(reducer, noun).text
    if simple and group == noun:
        return f"{test} {word_of(noun) if is_abstract(noun) else noun}"
    return f"{group} {rng.choice(AMONG)} {test} {word_of(noun)}"


def superlative_of(step: Step, before: list[Modifier], rng: random.Random) -> str:
    """Return what the one chosen is: "거래금액이 가장 큰", "가장 최근에 접수된"."""
    reducer = step.reducer
    label = reducer.label or ""
    if reducer.kind in ("max", "min"):
        adjective = superlative(label, reducer.field_kind, reducer.kind == "max")
        return f"{measure_of(label, step)}가장 {adjective}"
    latest = reducer.kind == "latest"
    if not label:
        return "가장 최근" if latest else "가장 오래된"
    verb = event(label)
    if verb and not any(verb in phrase.text for phrase in before) and rng.random() < 0.7:
        return f"가장 {'최근에' if latest else '먼저'} {verb}"
    return f"{attach(own_label(label, step.noun or step.title), '이가')} 가장 {'최근인' if latest else '이른'}"


def measure_of(label: str, step: Step) -> str:
    """Return by what the largest is the largest; nothing where the noun or adjective says it."""
    said = own_label(label or "값", step.noun or step.title)
    told = spoken(step.noun or step.title).endswith(said) or said.endswith("거리")  # the nearest, the farthest
    return "" if told else f"{attach(said, '이가')} "


def first_few(step: Step, group: str, noun: str, rng: random.Random) -> str:
    """Return the k largest or smallest of a group: "... 중 거래금액이 가장 큰 거래 3건", "... 거래금액 상위 3건"."""
    reducer = step.reducer
    largest, word = reducer.kind == "top", word_of(noun)
    label = own_label(reducer.label or "값", noun)
    some = f"{reducer.k or 1}{counter(word)}"
    adjective = superlative(reducer.label or "", reducer.field_kind, largest)
    among = rng.choice(AMONG)
    if re.search(r"인$", adjective) or rng.random() < 0.5:
        return f"{group} {among} {attach(label, '이가')} 가장 {adjective} {word} {some}"
    if rng.random() < 0.5:
        return f"{group} {among} {attach(label, '이가')} {adjective} 순으로 {some}"
    return f"{group} {among} {label} {'상위' if largest else '하위'} {some}"


def pronoun(noun: str, rng: random.Random) -> str:
    """Return the word behind a superlative: the noun's own, or 곳 for places."""
    word = word_of(noun)
    return "곳" if counter(word) == "곳" and rng.random() < 0.5 else word
