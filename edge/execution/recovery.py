"""A call goes wrong the way calls do, for real, before it goes right (Execution -> Failure)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from edge.calls import Caller
from edge.execution.model import Failure
from edge.links.paths import get_path, scalar
from edge.plans.model import ArgumentSource, BoundValue, CallPlan, UserValue
from edge.plans.runner import ExecutedCall, Execution
from edge.specs.model import Parameter, Tool

NotedPlace = Callable[[str], AbstractContextManager[None]]
MOST_TRIES = 4
FAULT_SHARE = 0.5  # of recoveries, where faults can be asked for
FAULT_HEADER = "x-sandbox-fault"  # docs/sandbox.md
PASSING = ("throttled=0", "server_error=502", "server_error=503")
_DATED = ("date", "month")


@dataclass(frozen=True, slots=True)
class Faults:
    """An endpoint that can be asked to fail in one of `kinds`, through a `caller` that does not try again."""

    caller: Caller
    kinds: tuple[str, ...] = PASSING


@dataclass(frozen=True, slots=True)
class Slip:
    """A call with one argument given wrongly: a value handed on as it was found or said, a date in another form."""

    call: ExecutedCall
    arguments: Mapping[str, str]


def asked_to_fail(tool: Tool, fault: str) -> Tool:
    """Return the tool with the header in which a sandbox is asked for a fault; others pay no heed to it."""
    if not fault:
        return tool
    return replace(tool, profile=replace(tool.profile, headers={**tool.profile.headers, FAULT_HEADER: fault}))


def failing_place(step_id: str) -> str:
    """Return the place in the run of the failing call of a step: a recording must not take it for the right one."""
    return f"{step_id}!"


async def provoke(
    plan: CallPlan,
    execution: Execution,
    tools: Mapping[str, Tool],
    caller: Caller,
    noted: NotedPlace,
    rng: random.Random,
    faults: Faults | None = None,
) -> Failure | None:
    """Make one call of the plan fail and return how; None where every slip was answered after all.

    `noted` marks the place of a failing call.
    """
    if faults is not None and rng.random() < FAULT_SHARE:
        found = await _with_fault(execution, tools, noted, rng, faults)
        return found or await _with_slip(plan, execution, tools, caller, noted, rng)
    found = await _with_slip(plan, execution, tools, caller, noted, rng)
    return found or (await _with_fault(execution, tools, noted, rng, faults) if faults is not None else None)


async def _with_slip(
    plan: CallPlan,
    execution: Execution,
    tools: Mapping[str, Tool],
    caller: Caller,
    noted: NotedPlace,
    rng: random.Random,
) -> Failure | None:
    slips = list(slips_of(plan, execution, tools))
    for slip in rng.sample(slips, min(MOST_TRIES, len(slips))):
        with noted(failing_place(slip.call.step_id)):
            outcome = await caller.call(tools[slip.call.tool_id], slip.arguments)
        if outcome.outcome in ("structural", "empty"):
            return Failure(slip.call.call_id, slip.arguments, outcome)
    return None


async def _with_fault(
    execution: Execution, tools: Mapping[str, Tool], noted: NotedPlace, rng: random.Random, faults: Faults
) -> Failure | None:
    call, fault = rng.choice(execution.calls), rng.choice(faults.kinds)
    with noted(failing_place(call.step_id)):
        outcome = await faults.caller.call(asked_to_fail(tools[call.tool_id], fault), call.arguments)
    return Failure(call.call_id, call.arguments, outcome, fault) if outcome.outcome == "environmental" else None


def slips_of(plan: CallPlan, execution: Execution, tools: Mapping[str, Tool]) -> Iterator[Slip]:
    """Give the slips that somebody who knows the plan but not the form of its values could make, in call order."""
    for call in execution.calls:
        step = plan.step(call.step_id)
        fed = dict(zip(step.parents, call.sources, strict=True))
        for name, source in step.arguments:
            parameter = tools[call.tool_id].parameter(name)
            for wrong in _wrong(source, parameter, fed, execution) if parameter else ():
                if wrong != call.arguments[name]:
                    yield Slip(call, {**call.arguments, name: wrong})


def _wrong(
    source: ArgumentSource, parameter: Parameter, fed: Mapping[str, tuple[str, int]], execution: Execution
) -> Iterator[str]:
    if isinstance(source, BoundValue) and source.transform and not source.path.startswith("@"):
        found = scalar(get_path(execution.record(fed[source.step]), source.path))
        if found is not None:
            yield found
    if isinstance(source, UserValue):
        if parameter.kind in _DATED and source.value.isdigit() and len(source.value) in (6, 8):
            year, month, day = source.value[:4], source.value[4:6], source.value[6:]
            yield "-".join(part for part in (year, month, day) if part)
        yield source.text
