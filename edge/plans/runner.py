"""A plan is executed: references resolved, fan-outs in parallel, reducers applied (CallPlan -> Execution)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from edge.calls import Caller, Outcome, Record
from edge.links.paths import get_path, scalar, with_arguments
from edge.links.transforms import apply
from edge.plans.model import BoundValue, Condition, PlanStep, Reducer
from edge.plans.reducers import NotUnique, computed, exact, reduce_records, resolved
from edge.specs.model import Tool

Place = tuple[str, int]  # a record: the id of its call and its position there


@dataclass(frozen=True, slots=True)
class ExecutedCall:
    """One call of a step. `sources` are the records that fed it, one of each parent; `chosen` those its reducer left.

    `value` is what a computing reducer made of the chosen records.
    """

    call_id: str
    step_id: str
    tool_id: str
    arguments: dict[str, str]
    outcome: Outcome
    sources: tuple[Place, ...]
    chosen: tuple[int, ...]
    value: str | None = None

    @property
    def source(self) -> Place | None:
        """The record of the first parent."""
        return next(iter(self.sources), None)

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

    def lineage(self, places: Sequence[Place]) -> dict[str, Place] | None:
        """Return for every step behind these records the one record of it that led to them.

        None where two of them came from different records of one step: they do not belong together.
        """
        found: dict[str, Place] = {}
        open_places = list(places)
        while open_places:
            place = open_places.pop()
            call = self.call(place[0])
            if found.setdefault(call.step_id, place) != place:
                return None
            open_places.extend(call.sources)
        return found

    def record(self, place: Place) -> Record:
        """Return the record at a place."""
        return self.call(place[0]).outcome.records[place[1]]


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
    """Execute one step on top of `execution` and append its calls.

    Raises:
        StepFailed: its condition comes out otherwise, a call fails, or its reducer does not work.
    """
    tool = tools[step.tool_id]
    if step.when is not None and holds(step.when, execution) != step.when.truth:
        raise StepFailed(step.step_id, "other_branch", f"{step.when.step} {step.when.operator} {step.when.value}")
    feeds = _feeds(step, execution)
    if len(execution.calls) + len(feeds) > max_calls:
        raise StepFailed(step.step_id, "too_many_calls", f"{len(execution.calls) + len(feeds)} > {max_calls}")
    arguments = [_arguments(step, execution, feed) for feed in feeds]
    _refuse_repetition(step, arguments, execution)
    outcomes = await asyncio.gather(*(caller.call(tool, a, all_pages=True) for a in arguments))
    made: list[ExecutedCall] = []
    for feed, given, outcome in zip(feeds, arguments, outcomes, strict=True):
        call_id = f"c{len(execution.calls) + len(made) + 1}"
        _refuse_failure(step, outcome)
        call = ExecutedCall(call_id, step.step_id, step.tool_id, given, outcome, feed, ())
        try:
            made.append(reduced(call, step.reducer, execution, may_be_empty=step.may_be_empty))
        except NotUnique as error:
            raise StepFailed(step.step_id, f"reducer_{error.reason}", step.reducer.kind, outcome) from error
    execution.calls.extend(made)
    return made


def reduced(call: ExecutedCall, reducer: Reducer, execution: Execution, *, may_be_empty: bool = False) -> ExecutedCall:
    """Return the call with what a reducer leaves of its records, and the value that it makes of them.

    Raises:
        NotUnique: the reducer does not single out what it must.
    """
    place = _place_record(call, reducer, execution)
    try:
        chosen = reduce_records(resolved(reducer, place), call.outcome.records)
    except NotUnique as error:
        if not (may_be_empty and error.reason == "no_match"):
            raise
        chosen = ()
    value = computed(reducer, call.outcome.records, chosen) if reducer.computes else None
    return replace(call, chosen=chosen, value=value)


def holds(condition: Condition, execution: Execution) -> bool:
    """Whether a predicate is true of the one call of its step.

    Raises:
        StepFailed: there are several calls, or no value to compare.
    """
    calls = execution.of(condition.step)
    value = _decisive(condition, calls[0]) if len(calls) == 1 else None
    if value is None:
        raise StepFailed(condition.step, "undecided", condition.field or "")
    if condition.operator == "==":
        return value.strip() == condition.value.strip()
    left, right = exact(value), exact(condition.value)
    if left is None or right is None:
        raise StepFailed(condition.step, "undecided", f"{value} {condition.operator} {condition.value}")
    return left >= right if condition.operator == ">=" else left <= right


def _decisive(condition: Condition, call: ExecutedCall) -> str | None:
    if condition.field is None:
        return call.value
    return scalar(get_path(call.records[0], condition.field)) if len(call.chosen) == 1 else None


def _place_record(call: ExecutedCall, reducer: Reducer, execution: Execution) -> Record | None:
    """The record that gives the place a reducer measures from: the one that led to the call, else the only one."""
    step = reducer.near.step if reducer.near else None
    if step is None:
        return None
    place = (execution.lineage(call.sources) or {}).get(step)
    if place is not None:
        return execution.record(place)
    found = [r for c in execution.of(step) for r in c.records]
    return found[0] if len(found) == 1 else None


def _feeds(step: PlanStep, execution: Execution) -> list[tuple[Place, ...]]:
    """Return what feeds each call of the step: nothing for an entry step, else one chosen record of each parent.

    Where branches join, only records are combined that the same earlier records led to.
    """
    pools = [[(c.call_id, i) for c in execution.of(parent) for i in c.chosen] for parent in step.parents]
    return [feed for feed in product(*pools) if execution.lineage(feed) is not None]


def _refuse_repetition(step: PlanStep, arguments: Sequence[dict[str, str]], execution: Execution) -> None:
    """A call made twice in one plan teaches to make it twice."""
    made = [c.arguments for c in execution.calls if c.tool_id == step.tool_id]
    for given in arguments:
        if given in made:
            raise StepFailed(step.step_id, "repeated_call", step.tool_id)
        made.append(given)


def _arguments(step: PlanStep, execution: Execution, feed: Sequence[Place]) -> dict[str, str]:
    records = dict(zip(step.parents, feed, strict=True))
    given: dict[str, str] = {}
    for name, source in step.arguments:
        if isinstance(source, BoundValue):
            call_id, index = records[source.step]
            call = execution.call(call_id)
            value = apply(source.transform, with_arguments(call.outcome.records[index], call.arguments), source.path)
            if value is None:
                raise StepFailed(step.step_id, "unbound_value", f"{source.path} -> {name}")
            given[name] = value
        else:
            given[name] = source.value
    return given


def _refuse_failure(step: PlanStep, outcome: Outcome) -> None:
    if not outcome.ok and not (step.may_be_empty and outcome.outcome == "empty"):
        raise StepFailed(step.step_id, f"call_{outcome.outcome}", outcome.reason, outcome)
    if not outcome.complete and step.reducer.needs_all_pages:
        raise StepFailed(step.step_id, "incomplete_pages", f"{len(outcome.records)} of {outcome.total}", outcome)
