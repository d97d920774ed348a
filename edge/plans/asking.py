"""The last steps of a plan get their reducer and the fields that the answer must state (Draft -> asks)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from edge.links.paths import get_path, scalar
from edge.plans.asked import askable
from edge.plans.choices import reducers_for
from edge.plans.draft import Draft, PlanFailed, reduce_all
from edge.plans.model import PlanStep, Reducer
from edge.plans.runner import ExecutedCall
from edge.specs.model import Tool

MOST_FACTS = 12


def ask(draft: Draft, tools: Mapping[str, Tool], *, fan_limit: int, most: int, now: datetime) -> None:
    """Ask something of every step that feeds no other; `most` fields where there is one such step, two where several.

    What one of them is to answer is not asked of the next: two tools may hold the same facts.

    Raises:
        PlanFailed: a step has nothing worth asking that was not known before.
    """
    needed = {need for s in draft.steps for need in s.needs}
    leaves = [s for s in draft.steps if s.step_id not in needed]
    told: list[str] = []
    for leaf in leaves:
        told += _ask(draft, leaf, tools[leaf.tool_id], told, fan_limit, most if len(leaves) == 1 else 2, now)


def _ask(
    draft: Draft, step: PlanStep, tool: Tool, told: Sequence[str], fan_limit: int, limit: int, now: datetime
) -> list[str]:
    """Settle what one step is asked; return the values that answer it."""
    calls = draft.calls_of(step.step_id)
    known = [*draft.known_to(calls), *told]
    for reducer in _reducers(draft, tool, calls, fan_limit, now)[:8]:
        reduced = reduce_all(draft, calls, reducer)
        if reduced is None:
            continue
        if reducer.kind == "all" and not all(_distinct(c, tool, draft) for c in reduced):
            continue
        chosen = [r for c in reduced for r in c.records]
        if reducer.kind == "count":
            draft.settle(replace(step, asks=()), reducer, reduced)
            return []
        room = max(1, limit if len(chosen) == 1 else min(2, MOST_FACTS // len(chosen)))
        asks = askable(tool, chosen, known, reducer, draft.rng, limit=room)
        only_name = asks == (tool.name_field,) and len(chosen) == 1 and reducer.kind == "only"
        if asks and not only_name:
            draft.settle(replace(step, asks=asks), reducer, reduced)
            return [value for record in chosen for path in asks if (value := scalar(get_path(record, path)))]
    raise PlanFailed("no_facts", tool.tool_id)


def _distinct(call: ExecutedCall, tool: Tool, draft: Draft) -> bool:
    """Whether records that are all kept can be told apart by name, and none of them is the thing they were found by."""
    if len(call.chosen) < 2:
        return True
    names = [(scalar(get_path(r, tool.name_field)) or "").strip() if tool.name_field else "" for r in call.records]
    return all(names) and len(set(names)) == len(names) and not set(names) & set(draft.known_to([call]))


def _reducers(draft: Draft, tool: Tool, calls: Sequence[ExecutedCall], fan_limit: int, now: datetime) -> list[Reducer]:
    most = max(len(c.outcome.records) for c in calls)
    if most == 1:
        return [Reducer("only")]
    if most <= fan_limit and len(calls) == 1:
        return [Reducer("all")]
    options = reducers_for(tool, calls[0].outcome.records, (), draft.rng, leaf=True, now=now)
    return [r for r in options if len(calls) == 1 or r.kind != "filter"]
