"""Facts -> the records they belong to, and how each record is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from edge.llm.offline.brief import Brief, Fact, Step
from edge.llm.offline.ko.dates import format_date
from edge.llm.offline.ko.labels import event, is_place, spoken, superlative, word_of
from edge.llm.offline.ko.particles import attach
from edge.llm.offline.ko.picking import measure_of


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


def grouped(brief: Brief, facts: Sequence[Fact]) -> list[Group]:
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


def picked(step: Step) -> str:
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
