"""Which of two tools comes next is left to a result, and both are worth asking for (Draft -> COND)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import ROUND_CEILING, Decimal

from edge.calls import Caller
from edge.links.model import Link
from edge.links.paths import get_path
from edge.links.walking import bind
from edge.plans.asking import ask_step
from edge.plans.draft import Draft, PlanFailed, feeding
from edge.plans.drawing import measured, round_number
from edge.plans.model import CallPlan, Condition, PlanStep, Reducer
from edge.plans.reducers import exact, plain
from edge.plans.runner import StepFailed, holds
from edge.plans.sayings import say_field
from edge.plans.stepping import Stepper
from edge.plans.utterable import countable
from edge.specs.model import Tool

_SHARES = (Decimal("0.5"), Decimal("0.8"), Decimal("1.25"), Decimal(2))  # of the value: thresholds on either side of it
_TRIED = 4  # other tools
COUNT_SHARE = 0.5  # of conditions are about how many there are, where that can be asked


async def decide(draft: Draft, stepper: Stepper, link: Link, parent_id: str, caller: Caller) -> None:
    """Let a condition on the parent's record, or on how many records another tool has for it, choose the next tool.

    The tool of `link` is called; another one, which would have been called otherwise, is tried and kept as untaken.

    Raises:
        PlanFailed: there is nothing to decide by, or no other tool to call.
        StepFailed: a call of the branch taken failed.
    """
    await stepper.shorten(draft, parent_id, link, caller)
    parent = stepper.settle(draft, parent_id, link)
    calls = draft.calls_of(parent_id)
    if len(calls) != 1 or len(calls[0].chosen) != 1:
        raise PlanFailed("no_condition", "several records")
    record = feeding(calls[0])[0]
    used = {s.tool_id for s in draft.steps} | {link.target_tool}
    others = [x for x in stepper.out_of.get(parent.tool_id, ()) if x.target_tool not in used and bind(x, record)]
    others = draft.rng.sample(others, min(_TRIED, len(others)))
    by_count = draft.rng.random() < COUNT_SHARE
    condition = await _count_condition(draft, stepper, others, parent_id, caller) if by_count else None
    condition = condition or _value_condition(draft, stepper, parent)
    if condition is None:
        raise PlanFailed("no_condition", parent.tool_id)
    called = {s.tool_id for s in draft.steps}
    untaken = await _untaken(draft, stepper, [x for x in others if x.target_tool not in called], parent_id, caller)
    if untaken is None:
        raise PlanFailed("no_condition", "no other branch")
    step = await stepper.follow(draft, link, parent_id, caller, "COND")
    draft.replace_step(replace(step, when=condition))
    draft.untaken.append(replace(untaken, step_id="u1", when=replace(condition, truth=not condition.truth)))


def branches_alike(plan: CallPlan, tools: Mapping[str, Tool]) -> bool:
    """Whether both branches are asked for the same in the same words: then nothing hangs on the condition."""

    def said(step: PlanStep) -> tuple[str, list[str]]:
        labels = (output.label for path in step.asks if (output := tools[step.tool_id].output(path)))
        return step.reducer.kind if step.reducer.computes else "", sorted(labels)

    taken = [said(step) for step in plan.steps if step.when]
    return any(said(step) in taken for step in plan.untaken)


def _value_condition(draft: Draft, stepper: Stepper, parent: PlanStep) -> Condition | None:
    """A threshold on a field of the parent's record: the middle of the list it is from, else near its value."""
    call = draft.calls_of(parent.step_id)[0]
    tool = stepper.tools[parent.tool_id]
    fields = [f for f in measured(tool, call.outcome.records) if f.unit and f.path != parent.reducer.field]
    if not fields:
        return None
    field = draft.rng.choice(fields)
    values = sorted(v for r in call.outcome.records if (v := exact(get_path(r, field.path))) is not None)
    value = exact(get_path(call.records[0], field.path))
    if value is None or value <= 0:
        return None
    middle = values[len(values) // 2] if len(values) > 2 else value * draft.rng.choice(_SHARES)
    limit = round_number(middle, up=draft.rng.random() < 0.5)
    if limit <= 0:
        return None
    text = plain(limit)
    condition = Condition(parent.step_id, ">=", text, True, field.path, say_field(field, text))
    return _as_it_is(draft, condition)


async def _count_condition(
    draft: Draft, stepper: Stepper, links: list[Link], parent_id: str, caller: Caller
) -> Condition | None:
    """How many records another tool has for the parent's record: whether any, or at least a round number."""
    for link in links:
        before = draft.mark()
        try:
            step = await stepper.follow(draft, link, parent_id, caller)
        except (StepFailed, PlanFailed):
            draft.back_to(before)
            continue
        tool = stepper.tools[step.tool_id]
        count = len(draft.calls_of(step.step_id)[0].outcome.records)
        named = tool.output(tool.name_field) if tool.name_field else None
        if count < 2 or named is None or count > 500 or not countable(tool):
            draft.back_to(before)
            continue
        calls = draft.calls_of(step.step_id)
        counting = Reducer("count")
        draft.settle(replace(step, may_be_empty=True), counting, [replace(c, value=str(count)) for c in calls])
        limit = round_number(Decimal(count) * draft.rng.choice(_SHARES), up=True)
        text = plain(max(limit.to_integral_value(ROUND_CEILING), Decimal(2)))  # nobody counts halves
        return _as_it_is(draft, Condition(step.step_id, ">=", text, True, None, text))
    return None


def _as_it_is(draft: Draft, condition: Condition) -> Condition | None:
    """The condition with the truth that the data give it."""
    try:
        return replace(condition, truth=holds(condition, draft.execution))
    except StepFailed:
        return None


async def _untaken(
    draft: Draft, stepper: Stepper, links: list[Link], parent_id: str, caller: Caller
) -> PlanStep | None:
    """A step that could come instead: it runs and has something worth asking; its calls are forgotten."""
    for link in links:
        trial = draft.copy()
        try:
            step = await stepper.follow(trial, link, parent_id, caller)
            ask_step(trial, step, stepper.tools[step.tool_id], stepper.settings, stepper.filler.now)
        except (StepFailed, PlanFailed):
            continue
        return trial.step(step.step_id)
    return None
