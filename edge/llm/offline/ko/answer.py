"""Facts -> answer: each stated with its record, its label and its value, in the style of the request."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from edge.llm.offline.brief import Brief, Fact, Step
from edge.llm.offline.ko.branching import reason
from edge.llm.offline.ko.dates import format_date
from edge.llm.offline.ko.facts import copula, counted, is_long, label_of, value, winner
from edge.llm.offline.ko.frames import Style
from edge.llm.offline.ko.labels import event, is_place, spoken, superlative, word_of
from edge.llm.offline.ko.particles import attach
from edge.llm.offline.ko.picking import measure_of
from edge.llm.offline.ko.request import style_of

_SENTENCE_FACTS = 4  # more than these read better as a list
_NOTHING = {
    "formal": "조건에 맞는 결과를 찾지 못했습니다.",
    "polite": "조건에 맞는 결과가 없어요.",
    "casual": "조건에 맞는 결과가 없어.",
    "terse": "조건에 맞는 결과 없음.",
}
_OPENINGS: dict[Style, tuple[str, ...]] = {
    "formal": ("요청하신 내용은 다음과 같습니다.", "조회 결과를 안내해 드립니다.", "확인한 결과는 아래와 같습니다."),
    "polite": ("찾아본 결과예요.", "조회한 내용을 알려 드릴게요.", "다음과 같아요."),
    "casual": ("찾아봤어.", "이렇게 나와.", "정리하면 이래."),
    "terse": ("조회 결과", "확인 결과"),
}


@dataclass(slots=True)
class Group:
    """The facts of one record."""

    entity: str | None
    step: Step | None
    place: bool  # the entity is the place that was searched
    facts: list[Fact] = field(default_factory=list[Fact])

    @property
    def computed(self) -> bool:
        """Whether it is one value made of many records."""
        return bool(self.step and self.step.computes) and len(self.facts) == 1


def write_answer(brief: Brief) -> str:
    """Return the answer; without facts it says that nothing was found."""
    rng = random.Random(f"{brief.seed}|answer")
    style = style_of(brief.style, rng)
    if not brief.facts:
        return _NOTHING[style]
    won = [fact for fact in brief.facts if fact.operation in ("max", "min")]
    plain = [fact for fact in brief.facts if fact not in won]
    groups = _grouped(brief, plain)
    long = any(is_long(fact.text) for fact in plain)
    why = _reasons(brief, groups)
    if len(groups) > 2 or len(plain) > _SENTENCE_FACTS or long:
        lines = [rng.choice(_OPENINGS[style])]
        for group in groups:
            if group.step and (told := why.pop(group.step.id, None)):  # once, however many records the branch has
                lines.append(f"{told} {_FOLLOWS[style]}")
            lines += _lines(group, style, alone=len({g.step.id for g in groups if g.step}) == 1)
        return "\n".join([*lines, *(winner(fact, brief, style) for fact in won)])
    said = [f"{_because(group, why)}{_sentence(group, style)}" for group in groups]
    return " ".join([*said, *(winner(fact, brief, style) for fact in won)])


_FOLLOWS: dict[Style, str] = {
    "formal": "다음 내용을 확인했습니다.",
    "polite": "다음 내용을 찾아봤어요.",
    "casual": "이쪽을 찾아봤어.",
    "terse": "아래 내용 확인.",
}


def _reasons(brief: Brief, groups: Sequence[Group]) -> dict[str, str]:
    """Return for the first step of the branch that was taken why it was."""
    for group in groups:
        condition = brief.condition_of(group.step) if group.step else None
        if group.step and condition:
            return {group.step.id: reason(brief, condition, truth=condition.truth)}
    return {}


def _because(group: Group, why: dict[str, str]) -> str:
    said = why.pop(group.step.id, None) if group.step else None
    return f"{said}, " if said else ""


def _grouped(brief: Brief, facts: Sequence[Fact]) -> list[Group]:
    groups: list[Group] = []
    for fact in facts:
        entity = _called(fact.entity or _side(brief, fact))
        last = groups[-1] if groups else None
        if last is None or last.entity != entity or _starts_anew(last, fact):
            last = _group(brief, fact, entity)
            groups.append(last)
        last.facts.append(fact)
    return groups


def _side(brief: Brief, fact: Fact) -> str | None:
    """Return what the user called the branch of a comparison that a fact belongs to."""
    compared = brief.comparison
    if compared is None or fact.step not in compared.steps or len(compared.names) != len(compared.steps):
        return None
    return compared.names[compared.steps.index(fact.step)]


def _called(entity: str | None) -> str | None:
    """Return the entity as people call it; a bare year may as well be the number of a bus."""
    return format_date(entity) if entity and sum(ch.isdigit() for ch in entity) >= 8 else entity


def _starts_anew(group: Group, fact: Fact) -> bool:
    """A label that comes again belongs to the next record."""
    return (group.step and group.step.id) != (fact.step or None) or any(f.label == fact.label for f in group.facts)


def _group(brief: Brief, fact: Fact, entity: str | None) -> Group:
    step = brief.step(fact.step)
    parent = brief.step(step.parent) if step else None
    return Group(entity, step, place=bool(parent and is_place(parent.noun)))


def _sentence(group: Group, style: Style) -> str:
    step = group.step
    if group.computed and step is not None:
        return counted(group.facts[0], step, group.entity, style)
    naming = [fact for fact in group.facts if fact.text == group.entity]
    ordered = naming + [fact for fact in group.facts if fact.text != group.entity]
    subject = "" if naming else _subject(group)
    labels = [label_of(fact, step, owned=bool(subject)) for fact in ordered]
    if style == "terse":
        memo = f"{subject.removesuffix('의 ')}: " if subject else ""
        return memo + ", ".join(f"{label} {value(fact)}" for label, fact in zip(labels, ordered, strict=True)) + "."
    parts = [f"{attach(label, '은는')} {value(fact)}" for label, fact in zip(labels, ordered, strict=True)]
    body = f"{parts[0]}"
    for part in parts[1:]:
        body = f"{body}이고 {part}" if len(parts) == 2 else f"{body}, {part}"
    return f"{subject}{body}{copula(body, style)}"


def _subject(group: Group) -> str:
    picked = _picked(group.step) if group.step else ""
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
            return f"{measure_of(label, step)}가장 {adjective} {word}"
        case "latest" | "earliest":
            verb, latest = event(label), reducer.kind == "latest"
            if verb or not label:
                return f"가장 {'최근에' if latest else '먼저'} {verb or '나온'} {word}"
            return f"{attach(spoken(label), '이가')} 가장 {'최근인' if latest else '이른'} {word}"
        case "nearest":
            return f"가장 가까운 {word}"
        case _:
            return ""


def _lines(group: Group, style: Style, *, alone: bool) -> list[str]:
    """Return a group as lines of a list. `alone`: all groups are of one step, so that it is plain what they are."""
    if group.computed and group.step is not None:
        return [f"- {counted(group.facts[0], group.step, group.entity, style)}"]
    rest = [fact for fact in group.facts if fact.text != group.entity]
    if group.entity and not rest:
        return [f"- {group.entity}"]
    if any(is_long(fact.text) for fact in rest):
        named = f"{group.entity} " if group.entity else ""
        return [f"- {named}{spoken(f.label)}: {value(f)}" for f in group.facts]
    shown = rest or group.facts
    noun = group.step.noun or group.step.title if group.step else ""
    if alone and not group.entity and len(shown) == 1 and shown[0].label == noun:
        return [f"- {value(shown[0])}"]
    said = ", ".join(f"{label_of(f, group.step, owned=bool(group.entity))} {value(f)}" for f in shown)
    return [f"- {group.entity}: {said}" if group.entity else f"- {said}"]
