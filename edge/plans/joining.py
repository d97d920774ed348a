"""A second branch is grown to where both can feed one tool (Draft -> a step with two parents)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from edge.calls import Caller
from edge.links.model import Link
from edge.plans.arguments import enters
from edge.plans.draft import Draft, PlanFailed
from edge.plans.model import BoundValue, PlanStep
from edge.plans.runner import StepFailed
from edge.plans.stepping import Stepper
from edge.specs.model import Tool

_TRIED = 4


async def join(draft: Draft, stepper: Stepper, caller: Caller) -> None:
    """Make the last step one that two branches feed: parameters that were said come from a second entry instead.

    The second link into its tool fills parameters that the first leaves open; its source is an entry of its own.

    Raises:
        PlanFailed: no second branch fits.
    """
    last = draft.steps[-1]
    options = _second(stepper, last, {s.tool_id for s in draft.steps})
    for link in draft.rng.sample(options, min(_TRIED, len(options))):
        trial = draft.copy()
        calls = len(draft.execution.calls) - len(draft.calls_of(last.step_id))
        trial.back_to((len(draft.steps) - 1, calls, len(draft.said)))
        try:
            await _joined(trial, stepper, last, link, caller)
        except (StepFailed, PlanFailed):
            continue
        draft.become(trial)
        return
    raise PlanFailed("no_join", last.tool_id)


def joins(first: Link, second: Link, tools: Mapping[str, Tool]) -> bool:
    """Whether two links into one tool make a join: each fills something that the tool cannot be called without.

    Optional parameters are other ways to say the same thing, or narrow it: two things in two of them make no sense.
    """
    if first.target_tool != second.target_tool or first.source_tool == second.source_tool:
        return False
    needed = {p.name for p in tools[first.target_tool].required if p.default is None}
    left, right = ({b.target_parameter for b in link.bindings} for link in (first, second))
    return not left & right and bool(left & needed) and bool(right & needed)


def _second(stepper: Stepper, last: PlanStep, used: set[str]) -> list[Link]:
    into = [x for links in stepper.out_of.values() for x in links if x.target_tool == last.tool_id]
    first = next(x for x in into if x.link_id == last.link_id)
    return [
        x
        for x in into
        if joins(first, x, stepper.tools)
        and x.source_tool not in used
        and enters(stepper.tools[x.source_tool], stepper.filler)
    ]


async def _joined(draft: Draft, stepper: Stepper, last: PlanStep, link: Link, caller: Caller) -> None:
    entry = await stepper.enter(draft, stepper.tools[link.source_tool], caller)
    stepper.settle(draft, entry.step_id, link)
    bound = {b.target_parameter: BoundValue(entry.step_id, b.source_path, b.transform) for b in link.bindings}
    kept = [(n, s) for n, s in last.arguments if n not in bound]
    step = replace(last, step_id=draft.next_id(), arguments=(*kept, *sorted(bound.items())), also_links=(link.link_id,))
    await stepper.run(draft, step, caller)
    stepper.refuse_nonsense(draft, step, link)
