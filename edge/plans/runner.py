"""A plan is executed: references resolved, fan-outs in parallel, reducers applied (CallPlan -> Execution)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from edge.calls import Caller, Outcome, Record
from edge.links.paths import with_arguments
from edge.links.transforms import apply
from edge.plans.model import BoundValue, PlanStep
from edge.plans.reducers import NotUnique, reduce_records
from edge.specs.model import Tool


@dataclass(frozen=True, slots=True)
class ExecutedCall:
    """One call of a step. `source` is the call and record that fed it; `chosen` the records its reducer left."""

    call_id: str
    step_id: str
    tool_id: str
    arguments: dict[str, str]
    outcome: Outcome
    source: tuple[str, int] | None
    chosen: tuple[int, ...]

    @property
    def records(self) -> list[Record]:
        """The chosen records."""
        return [self.outcome.records[i] for i in self.chosen]


class StepFailed(Exception):
    """A step cannot be completed. `reason` is a reject reason, `outcome` that of the failing call if there was one."""

    def __init__(self, step_id: str, reason: str, detail: str = "", outcome: Outcome | None = None) -> None:
        super().__init__(f"{step_id}: {reason} {detail}".strip())
        self.step_id = step_id
        self.reason = reason
        self.detail = detail
        self.outcome = outcome


@dataclass(slots=True)
class Execution:
    """The calls made so far, in step order; calls of one step are parallel to each other."""

    calls: list[ExecutedCall] = field(default_factory=list[ExecutedCall])

    def of(self, step_id: str) -> list[ExecutedCall]:
        """Return the calls of a step."""
        return [c for c in self.calls if c.step_id == step_id]

    def call(self, call_id: str) -> ExecutedCall:
        """Return the call with this id."""
        return next(c for c in self.calls if c.call_id == call_id)


async def run_plan(
    steps: Sequence[PlanStep], tools: Mapping[str, Tool], caller: Caller, *, max_calls: int = 14
) -> Execution:
    """Execute all steps in order.

    Raises:
        StepFailed: at the first step that cannot be completed; earlier calls are lost with it.
    """
    execution = Execution()
    for step in steps:
        await run_step(step, execution, tools, caller, max_calls=max_calls)
    return execution


async def run_step(
    step: PlanStep, execution: Execution, tools: Mapping[str, Tool], caller: Caller, *, max_calls: int = 14
) -> list[ExecutedCall]:
    """Execute one step on top of `execution` and append its calls."""
    tool = tools[step.tool_id]
    feeds = _feeds(step, execution)
    if len(execution.calls) + len(feeds) > max_calls:
        raise StepFailed(step.step_id, "too_many_calls", f"{len(execution.calls) + len(feeds)} > {max_calls}")
    arguments = [_arguments(step, record) for _, record in feeds]
    _refuse_repetition(step, arguments, execution)
    outcomes = await asyncio.gather(*(caller.call(tool, a, all_pages=True) for a in arguments))
    made: list[ExecutedCall] = []
    for (source, _), given, outcome in zip(feeds, arguments, outcomes, strict=True):
        call_id = f"c{len(execution.calls) + len(made) + 1}"
        made.append(_reduced(step, call_id, given, outcome, source))
    execution.calls.extend(made)
    return made


def _feeds(step: PlanStep, execution: Execution) -> list[tuple[tuple[str, int] | None, Record]]:
    """Return what feeds each call of the step: nothing for an entry step, else each chosen record of its parent."""
    if step.parent is None:
        return [(None, {})]
    return [
        ((call.call_id, i), with_arguments(call.outcome.records[i], call.arguments))
        for call in execution.of(step.parent)
        for i in call.chosen
    ]


def _refuse_repetition(step: PlanStep, arguments: Sequence[dict[str, str]], execution: Execution) -> None:
    """A call made twice in one plan teaches to make it twice."""
    made = [c.arguments for c in execution.calls if c.tool_id == step.tool_id]
    for given in arguments:
        if given in made:
            raise StepFailed(step.step_id, "repeated_call", step.tool_id)
        made.append(given)


def _arguments(step: PlanStep, record: Record) -> dict[str, str]:
    given: dict[str, str] = {}
    for name, source in step.arguments:
        if isinstance(source, BoundValue):
            value = apply(source.transform, record, source.path)
            if value is None:
                raise StepFailed(step.step_id, "unbound_value", f"{source.path} -> {name}")
            given[name] = value
        else:
            given[name] = source.value
    return given


def _reduced(
    step: PlanStep, call_id: str, given: dict[str, str], outcome: Outcome, source: tuple[str, int] | None
) -> ExecutedCall:
    if not outcome.ok:
        raise StepFailed(step.step_id, f"call_{outcome.outcome}", outcome.reason, outcome)
    if not outcome.complete and step.reducer.needs_all_pages:
        raise StepFailed(step.step_id, "incomplete_pages", f"{len(outcome.records)} of {outcome.total}", outcome)
    try:
        chosen = reduce_records(step.reducer, outcome.records)
    except NotUnique as error:
        raise StepFailed(step.step_id, f"reducer_{error.reason}", step.reducer.kind, outcome) from error
    return ExecutedCall(call_id, step.step_id, step.tool_id, given, outcome, source, chosen)
