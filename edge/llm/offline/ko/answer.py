"""Facts -> answer: each stated with its record, its label and its value, in the style of the request."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from edge.llm.offline.ko.brief import Brief, Fact, Step
from edge.llm.offline.ko.dates import format_date
from edge.llm.offline.ko.frames import Style
from edge.llm.offline.ko.labels import counter, event, is_place, spoken, superlative, word_of
from edge.llm.offline.ko.numbers import with_unit
from edge.llm.offline.ko.particles import attach, particle
from edge.llm.offline.ko.request import style_of

_SENTENCE_FACTS = 4  # more than these read better as a list
_LONG = 60  # characters after which a value stands behind a colon


@dataclass(slots=True)
class Group:
    """The facts of one record."""

    entity: str | None
    step: Step | None
    place: bool  # the entity is the place that was searched
    facts: list[Fact] = field(default_factory=list[Fact])


def write_answer(brief: Brief) -> str:
    """Return the answer; without facts it says that nothing was found."""
    rng = random.Random(f"{brief.seed}|answer")
    style = style_of(brief.style, rng)
    if not brief.facts:
        return {"formal": "조건에 맞는 결과를 찾지 못했습니다.", "polite": "조건에 맞는 결과가 없어요.",
                "casual": "조건에 맞는 결과가 없어.", "terse": "조건에 맞는 결과 없음."}[style]  # fmt: skip
    groups = _grouped(brief)
    long = any(_is_long(fact.text) for fact in brief.facts)
    if len(groups) > 2 or len(brief.facts) > _SENTENCE_FACTS or long:
        return _listed(groups, style, rng)
    return " ".join(_sentence(group, style) for group in groups)


def _grouped(brief: Brief) -> list[Group]:
    groups: list[Group] = []
    for fact in brief.facts:
        last = groups[-1] if groups else None
        if last is None or last.entity != _called(fact.entity) or _starts_anew(last, fact):
            last = _group(brief, fact)
            groups.append(last)
        last.facts.append(fact)
    return groups


def _called(entity: str | None) -> str | None:
    """Return the entity as people call it; a bare year may as well be the number of a bus."""
    return format_date(entity) if entity and sum(ch.isdigit() for ch in entity) >= 8 else entity


def _starts_anew(group: Group, fact: Fact) -> bool:
    """A label that comes again belongs to the next record."""
    return (group.step and group.step.id) != (fact.step or None) or any(f.label == fact.label for f in group.facts)


def _group(brief: Brief, fact: Fact) -> Group:
    step = brief.step(fact.step)
    parent = brief.step(step.parent) if step else None
    return Group(_called(fact.entity), step, place=bool(parent and is_place(parent.noun)))


def _sentence(group: Group, style: Style) -> str:
    step = group.step
    if step and step.reducer.kind == "count" and len(group.facts) == 1:
        return _count(group.facts[0], group.entity, style)
    naming = [fact for fact in group.facts if fact.text == group.entity]
    ordered = naming + [fact for fact in group.facts if fact.text != group.entity]
    subject = "" if naming else _subject(group)
    if style == "terse":
        return subject_memo(subject) + ", ".join(f"{spoken(fact.label)} {value(fact)}" for fact in ordered) + "."
    parts = [f"{attach(spoken(fact.label), '은는')} {value(fact)}" for fact in ordered]
    body = f"{parts[0]}"
    for part in parts[1:]:
        body = f"{body}이고 {part}" if len(parts) == 2 else f"{body}, {part}"
    return f"{subject}{body}{_copula(body, style)}"


def _subject(group: Group) -> str:
    step = group.step
    picked = _picked(step) if step else ""
    if not group.entity:
        return f"{picked}의 " if picked else ""
    if not picked:
        return f"{group.entity}의 "
    return f"{group.entity}{'에서' if group.place else '의'} {picked}의 "


def _picked(step: Step) -> str:
    """Return which record of many was picked: "거래금액이 가장 큰 거래"."""
    reducer, word = step.reducer, word_of(step.noun or step.title or "항목")
    label = reducer.label or ""
    match reducer.kind:
        case "max" | "min":
            adjective = superlative(label, reducer.field_kind, reducer.kind == "max")
            return f"{attach(spoken(label or '값'), '이가')} 가장 {adjective} {word}"
        case "latest" | "earliest":
            verb, latest = event(label), reducer.kind == "latest"
            if verb or not label:
                return f"가장 {'최근에' if latest else '먼저'} {verb or '나온'} {word}"
            return f"{attach(spoken(label), '이가')} 가장 {'최근인' if latest else '이른'} {word}"
        case "nearest":
            return f"가장 가까운 {word}"
        case _:
            return ""


def subject_memo(subject: str) -> str:
    """Return the subject as a memo writes it: "은마: "."""
    return f"{subject.removesuffix('의 ')}: " if subject else ""


def _count(fact: Fact, entity: str | None, style: Style) -> str:
    amount = (
        fact.text if not re.fullmatch(r"[\d,]+", fact.text) else fact.text + (fact.unit or counter(spoken(fact.label)))
    )
    subject = f"{entity}의 " if entity and entity != fact.label else ""
    noun = spoken(fact.label)
    if style == "terse":
        return f"{subject}{noun} 총 {amount}."
    return f"{subject}{attach(noun, '은는')} 모두 {amount}{_copula(amount, style)}"


def _listed(groups: Sequence[Group], style: Style, rng: random.Random) -> str:
    opening = {
        "formal": (
            "요청하신 내용은 다음과 같습니다.",
            "조회 결과를 안내해 드립니다.",
            "확인한 결과는 아래와 같습니다.",
        ),
        "polite": ("찾아본 결과예요.", "조회한 내용을 알려 드릴게요.", "다음과 같아요."),
        "casual": ("찾아봤어.", "이렇게 나와.", "정리하면 이래."),
        "terse": ("조회 결과", "확인 결과"),
    }[style]
    lines = [rng.choice(opening)]
    for group in groups:
        rest = [fact for fact in group.facts if fact.text != group.entity]
        if group.step and group.step.reducer.kind == "count" and len(group.facts) == 1:
            lines.append(f"- {_count(group.facts[0], group.entity, style)}")
        elif group.entity and not rest:
            lines.append(f"- {group.entity}")
        elif any(_is_long(fact.text) for fact in rest):
            lines += [
                f"- {group.entity + ' ' if group.entity else ''}{spoken(f.label)}: {value(f)}" for f in group.facts
            ]
        else:
            said = ", ".join(f"{spoken(fact.label)} {value(fact)}" for fact in (rest or group.facts))
            lines.append(f"- {group.entity}: {said}" if group.entity else f"- {said}")
    return "\n".join(lines)


def value(fact: Fact) -> str:
    """Return the value as it is read, with its unit."""
    text = " ".join(fact.text.split()) if not _is_long(fact.text) else fact.text.strip()
    return with_unit(text, fact.unit) if text else "정보 없음"


def _is_long(text: str) -> bool:
    return len(text) > _LONG or "\n" in text.strip() or text.rstrip().endswith(("다.", "요.", "음.", "함."))


def _copula(word: str, style: Style) -> str:
    if style == "formal":
        return "입니다."
    if style == "polite":
        return particle(word, "이에요예요") + "."
    return particle(word, "이야야") + "." if style == "casual" else "."
