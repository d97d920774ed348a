"""Brief -> the parts that a small pack puts into sentences: who owns what, how askings divide, facts by record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from edge.llm.offline.brief import Brief, Condition, Fact, Step

_WIRE: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (re.compile(r"\d{4}[-./]?\d{2}[-./]?\d{2}"), "%Y%m%d", "date"),
    (re.compile(r"\d{4}[-./]?\d{2}"), "%Y%m", "month"),
    (re.compile(r"\d{4}"), "%Y", "year"),
    (re.compile(r"\d{4}[-./]?\d{2}[-./]?\d{2}[ T]?\d{2}:?\d{2}(?::?\d{2})?(?:\.\d+)?"), "%Y%m%d%H%M", "datetime"),
)


@dataclass(frozen=True, slots=True)
class Sides:
    """The askings of a plan: those in any case, those if a condition holds, those if it does not."""

    always: list[Step]
    condition: Condition | None
    holds: list[Step]
    fails: list[Step]


def sides_of(brief: Brief) -> Sides:
    """Return how the askings of a brief divide."""
    under = [(step, brief.condition_of(step)) for step in brief.wanted]
    return Sides(
        [step for step, c in under if c is None],
        next((c for _, c in under if c), None),
        [step for step, c in under if c and c.truth],
        [step for step, c in under if c and not c.truth],
    )


def name_of(step: Step) -> str | None:
    """Return the name by which a record is known: a filter on its name, or an input that is all of it."""
    if step.reducer.kind == "filter" and step.reducer.names_record:
        return step.reducer.text
    return next((item.text for item in step.inputs if item.whole_name), None)


def owners_of(brief: Brief, step: Step) -> list[Step]:
    """Return the steps that feed one, the first parent first."""
    found = [brief.step(name) for name in (step.parents or ((step.parent,) if step.parent else ()))]
    return [owner for owner in found if owner is not None]


def missing(brief: Brief, query: str) -> list[tuple[str, str]]:
    """Return the label and text of everything that a query must say and does not."""
    found: list[tuple[str, str]] = []
    for step in brief.all_steps:
        labels = {item.text: item.label for item in step.inputs}
        found += [(labels.get(text, step.reducer.label or step.noun), text) for text in step.texts if text not in query]
    return list(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Stated:
    """The facts of one record or of one computed value."""

    entity: str | None
    step: Step | None
    facts: tuple[Fact, ...]


def stated(brief: Brief) -> tuple[list[Stated], list[Fact]]:
    """Return the facts by record, and apart from them the winners of a comparison."""
    won = [fact for fact in brief.facts if fact.operation in ("max", "min")]
    groups: list[Stated] = []
    for fact in (fact for fact in brief.facts if fact not in won):
        step, last = brief.step(fact.step), groups[-1] if groups else None
        same = last and last.step == step and last.entity == fact.entity
        if last and same and all(fact.label != f.label for f in last.facts):
            groups[-1] = Stated(last.entity, step, (*last.facts, fact))
        else:
            groups.append(Stated(fact.entity or _side(brief, fact), step, (fact,)))
    return groups, won


def _side(brief: Brief, fact: Fact) -> str | None:
    compared = brief.comparison
    if compared is None or fact.step not in compared.steps or len(compared.names) != len(compared.steps):
        return None
    return compared.names[compared.steps.index(fact.step)]


def wire_moment(text: str) -> tuple[datetime, str] | None:
    """Read a wire date ("202605"): the moment, and date, month, year or datetime; None for other text."""
    digits = re.sub(r"\D", "", text.strip())
    for pattern, form, kind in _WIRE:
        if pattern.fullmatch(text.strip()):
            try:
                return datetime.strptime(digits[:12], form), kind
            except ValueError:
                return None
    return None


def distance(wire: str | None, today: str, kind: str) -> int | None:
    """Return how many days, months or years a wire date lies after today (ISO); None where it is none of that kind."""
    read = wire_moment(wire) if wire else None
    if read is None or read[1] != kind:
        return None
    then, now = read[0], date.fromisoformat(today[:10])
    if kind == "date":
        return (then.date() - now).days
    years = then.year - now.year
    return years if kind == "year" else years * 12 + then.month - now.month


def nothing_odd(_: str) -> None:
    """Return None: a small pack says everything in one form and knows no other."""
    return


def anything(_: str) -> bool:
    """Whether a noun can be counted or a label asked for; a small pack does not tell them apart."""
    return True


def enumerated(words: Sequence[str], last: str, comma: str = ", ") -> str:
    """Return the words as an enumeration: "a", "a and b", "a, b and c" with `last` " and "."""
    if len(words) < 2:
        return "".join(words)
    return f"{comma.join(words[:-1])}{last}{words[-1]}"
