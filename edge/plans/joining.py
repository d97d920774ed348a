"""A second branch is grown to where both can feed one tool (Draft -> a step with two parents)."""

from __future__ import annotations

from dataclasses import replace

from edge.calls import Caller
from edge.links.model import Link
from edge.plans.arguments import enters
from edge.plans.draft import Draft, PlanFailed
from edge.plans.model import BoundValue, PlanStep
from edge.plans.runner import StepFailed
from edge.plans.stepping import Stepper

_TRIED = 4


async def join(draft: Draft, stepper: Stepper, caller: Caller) -> None:
    """Make the last step one that two branches feed: parameters that were said come from a second entry instead.

    The second link into its tool fills parameters that the first leaves open; its source is an entry of its own.

    Raises:
        PlanFailed: no second branch fits.
    """
    last = draft.steps[-1]
    first = {name for name, source in last.arguments if isinstance(source, BoundValue)}
    options = _second(stepper, last, first, {s.tool_id for s in draft.steps})
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


def _second(stepper: Stepper, last: PlanStep, first: set[str], used: set[str]) -> list[Link]:
    found: list[Link] = []
    for links in stepper.out_of.values():
        for link in links:
            bound = {b.target_parameter for b in link.bindings}
            if link.target_tool != last.tool_id or bound & first or link.source_tool in used:
                continue
            if enters(stepper.tools[link.source_tool], stepper.filler):
                found.append(link)
    return found


async def _joined(draft: Draft, stepper: Stepper, last: PlanStep, link: Link, caller: Caller) -> None:
    entry = await stepper.enter(draft, stepper.tools[link.source_tool], caller)
    stepper.settle(draft, entry.step_id, link)
    bound = {b.target_parameter: BoundValue(entry.step_id, b.source_path, b.transform) for b in link.bindings}
    kept = [(n, s) for n, s in last.arguments if n not in bound]
    step = replace(last, step_id=draft.next_id(), arguments=(*kept, *sorted(bound.items())), also_links=(link.link_id,))
    await stepper.run(draft, step, caller)
    stepper.refuse_nonsense(draft, step, link)
