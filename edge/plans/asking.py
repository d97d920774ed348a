"""The last steps of a plan get their reducer and the fields that the answer must state (Draft -> asks)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from edge.links.paths import get_path, scalar
from edge.plans.asked import askable
from edge.plans.choices import VISIBLE, reducers_for
from edge.plans.draft import Draft, PlanFailed, reduce_all
from edge.plans.drawing import MEASURED, computing, ordered, row_numbers, several
from edge.plans.facts import parent_name
from edge.plans.model import PlanStep, Reducer
from edge.plans.runner import ExecutedCall
from edge.plans.sayings import say_field
from edge.plans.shapes import GroundingSettings
from edge.specs.model import Tool

MOST_FACTS = 12
_TRIED = 8  # reducers for one step


def ask(
    draft: Draft, tools: Mapping[str, Tool], settings: GroundingSettings, now: datetime, *, comparable: bool = False
) -> None:
    """Ask something of every step that feeds no other; `asks` fields where there is one such step, two where several.

    What one of them is to answer is not asked of the next: two tools may hold the same facts. With `comparable` one
    number is asked, or one that a reducer makes.

    Raises:
        PlanFailed: a step has nothing worth asking that was not known before, or its calls cannot be told apart.
    """
    needed = {need for s in draft.steps for need in s.needs}
    leaves = [s for s in draft.steps if s.step_id not in needed]
    told: list[str] = []
    for leaf in leaves:
        if not _calls_differ(draft, leaf, tools):
            raise PlanFailed("facts_alike", leaf.tool_id)
        limit = settings.asks if len(leaves) == 1 else 2 if len(leaves) == 2 else 1
        told += ask_step(draft, leaf, tools[leaf.tool_id], settings, now, told=told, limit=limit, comparable=comparable)


def ask_step(
    draft: Draft,
    step: PlanStep,
    tool: Tool,
    settings: GroundingSettings,
    now: datetime,
    *,
    told: Sequence[str] = (),
    limit: int = 2,
    comparable: bool = False,
) -> list[str]:
    """Settle what one step is asked; return the values that answer it.

    Raises:
        PlanFailed: it has nothing worth asking that was not `told` or known before.
    """
    calls = draft.calls_of(step.step_id)
    known = [*draft.known_to(calls), *told]
    numbered = row_numbers(tool, calls[0].outcome.records)
    for reducer in _reducers(draft, step, tool, calls, settings, now, comparable=comparable)[:_TRIED]:
        reduced = reduce_all(draft, calls, reducer)
        if reduced is None or (reducer.kind == "all" and not all(_distinct(c, tool, draft) for c in reduced)):
            continue
        if reducer.computes:
            asks = (reducer.field,) if reducer.field else ()
            draft.settle(replace(step, asks=asks), reducer, reduced)
            return []
        chosen = [r for c in reduced for r in c.records]
        room = max(1, limit if len(chosen) == 1 else min(2, MOST_FACTS // len(chosen)))
        asks = askable(tool, chosen, known, reducer, draft.rng, limit=12 if comparable else room, skip=numbered)
        if comparable:
            asks = _measure(tool, asks, reducer)
        if not records_differ(reduced, tool, asks, reducer):
            continue
        only_name = asks == (tool.name_field,) and len(chosen) == 1 and reducer.kind == "only"
        if asks and not only_name:
            draft.settle(replace(step, asks=asks), reducer, reduced)
            return [value for record in chosen for path in asks if (value := scalar(get_path(record, path)))]
    raise PlanFailed("no_facts", tool.tool_id)


def _measure(tool: Tool, asks: Sequence[str], reducer: Reducer) -> tuple[str, ...]:
    """The one number to compare: what the extreme was taken over, else the first one worth asking."""
    measured = [p for p in asks if (f := tool.output(p)) is not None and f.kind in MEASURED]
    if reducer.field in measured:
        return (reducer.field,)
    return tuple(measured[:1])


def _calls_differ(draft: Draft, step: PlanStep, tools: Mapping[str, Tool]) -> bool:
    """Whether the answers of several calls can be told apart: each was fed by a record of another name."""
    calls = draft.calls_of(step.step_id)
    if len(calls) < 2:
        return True
    elsewhere = frozenset(s.step_id for s in draft.steps if s.via)
    names = [parent_name(c, draft.execution, tools, elsewhere) for c in calls]
    return all(names) and len(set(names)) == len(names)


def records_differ(calls: Sequence[ExecutedCall], tool: Tool, asks: Sequence[str], reducer: Reducer) -> bool:
    """Whether a call's records can be told apart by name and what is asked; by amounts alone only in a ranking.

    Three totals of three years that have one name are three lines of which nobody knows which is which.
    """
    ranked = reducer.kind in ("top", "bottom")
    telling = [p for p in asks if ranked or (f := tool.output(p)) is None or f.kind not in MEASURED]
    paths = [*([tool.name_field] if tool.name_field else []), *telling]
    for call in calls:
        told = [tuple(scalar(get_path(r, p)) for p in paths) for r in call.records]
        if len(set(told)) < len(told):
            return False
    return True


def _distinct(call: ExecutedCall, tool: Tool, draft: Draft) -> bool:
    """Whether records that are all kept can be told apart by name, and none of them is the thing they were found by."""
    if len(call.chosen) < 2:
        return True
    names = [(scalar(get_path(r, tool.name_field)) or "").strip() if tool.name_field else "" for r in call.records]
    return all(names) and len(set(names)) == len(names) and not set(names) & set(draft.known_to([call]))


def _reducers(
    draft: Draft,
    step: PlanStep,
    tool: Tool,
    calls: Sequence[ExecutedCall],
    settings: GroundingSettings,
    now: datetime,
    *,
    comparable: bool,
) -> list[Reducer]:
    most = max(len(c.outcome.records) for c in calls)
    if most == 1:
        return [Reducer("only")]
    records = calls[0].outcome.records
    found: list[Reducer] = []
    if draft.rng.random() < settings.computed_share:
        made = ordered(computing(tool, records, draft.rng, say_field), draft.rng)
        found += [r for r in made if len(calls) == 1 or r.within is None]
    if comparable:
        found += [r for r in _single(draft, step, tool, calls, now) if r.kind in ("max", "min", "count")]
        return found
    if most <= settings.fan_limit and len(calls) == 1:
        return [*found, Reducer("all")]
    if len(calls) == 1 and most <= VISIBLE and draft.rng.random() < settings.several_share:
        found += _named(tool, ordered(several(tool, records, draft.rng, say_field, most=3), draft.rng))
    return [*found, *_single(draft, step, tool, calls, now)]


def _single(draft: Draft, step: PlanStep, tool: Tool, calls: Sequence[ExecutedCall], now: datetime) -> list[Reducer]:
    """What leaves one record or counts; none by name of what another thing's district has, or in a fan-out."""
    options = reducers_for(tool, calls[0].outcome.records, (), draft.rng, leaf=True, now=now)
    return [r for r in options if (len(calls) == 1 and not step.via) or r.kind != "filter"]


def _named(tool: Tool, reducers: Sequence[Reducer]) -> list[Reducer]:
    """Several records are only asked about where they have names."""
    named = tool.output(tool.name_field) if tool.name_field else None
    return list(reducers) if named is not None and named.kind == "name" else []
