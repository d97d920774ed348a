"""Shipped trajectories are executed again and compared with what was shipped (trajectory row -> Difference)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from edge.calls import Caller
from edge.execution.conversation import chat_problems
from edge.execution.model import typed_arguments
from edge.execution.negatives import gap_problem
from edge.execution.recording import placed
from edge.execution.recovery import asked_to_fail, failing_place
from edge.ids import Json, canonical_json
from edge.plans.codec import plan_from_json
from edge.plans.facts import read_fact
from edge.plans.gaps import gap_from_json
from edge.plans.model import CallPlan, Gap
from edge.plans.runner import Execution, StepFailed, run_step
from edge.specs.model import Tool

NEGATIVE = ("irrelevant", "missing_parameter")


@dataclass(frozen=True, slots=True)
class Difference:
    """What is no longer as shipped, or never was sound.

    `kind`: tool_missing, call_failed, calls_differ, fact_differs, failure_differs (a call that went wrong goes right,
    or wrong in another way), negative_is_none (what a negative lacks is there), chat_unsound, unreadable.
    """

    trajectory_id: str
    kind: str
    detail: str


@dataclass(frozen=True, slots=True)
class _Shipped:
    """A row as far as it is compared."""

    trajectory_id: str
    task_id: str
    plan: CallPlan
    calls: tuple[tuple[str, str, str], ...]  # id, tool, arguments as canonical JSON: 1 is neither "1" nor true
    facts: tuple[tuple[str, str, str], ...]
    failures: tuple[Mapping[str, Json], ...]
    gap: Gap | None
    messages: tuple[Mapping[str, Json], ...]
    offered: tuple[Mapping[str, Json], ...]


async def verify_trajectories(
    rows: Sequence[Mapping[str, object]],
    tools: Mapping[str, Tool],
    caller: Caller,
    *,
    concurrency: int = 8,
    progress: Callable[[int], None] | None = None,
    recorded: bool = False,
) -> list[Difference]:
    """Re-execute every row's plan from scratch; return all differences, in row order.

    `recorded`: the caller answers from the recording, where failures that passed by themselves happen again.
    """
    gate = asyncio.Semaphore(concurrency)
    done = 0

    async def one(row: Mapping[str, object]) -> list[Difference]:
        nonlocal done
        async with gate:
            found = await verify_one(row, tools, caller, recorded=recorded)
        done += 1
        if progress is not None:
            progress(done)
        return found

    found = await asyncio.gather(*(one(row) for row in rows))
    return [difference for differences in found for difference in differences]


async def verify_one(
    row: Mapping[str, object], tools: Mapping[str, Tool], caller: Caller, *, recorded: bool = False
) -> list[Difference]:
    """Re-execute one trajectory and compare calls, arguments, failures and facts; look at its chat."""
    try:
        shipped = _read(row)
    except (KeyError, TypeError, ValueError) as error:
        return [Difference(str(row["trajectory_id"]), "unreadable", str(error).splitlines()[0])]
    unsound = chat_problems(shipped.messages, shipped.offered)
    if unsound:
        return [Difference(shipped.trajectory_id, "chat_unsound", unsound[0])]
    if row.get("kind") in NEGATIVE:
        return _negative_differences(shipped, str(row["query"]))
    absent = sorted({s.tool_id for s in shipped.plan.steps} - set(tools))
    if absent:
        return [Difference(shipped.trajectory_id, "tool_missing", ", ".join(absent))]
    try:
        execution = Execution()
        for step in shipped.plan.steps:
            with placed(shipped.task_id, step.step_id):  # where the calls were made that are repeated
                await run_step(step, execution, tools, caller)
    except StepFailed as error:
        detail = f"{error.step_id}: {error.reason} {error.detail}".strip()
        return [Difference(shipped.trajectory_id, "call_failed", detail)]
    calls = [
        (c.call_id, c.tool_id, canonical_json(typed_arguments(tools[c.tool_id], c.arguments))) for c in execution.calls
    ]
    if calls != list(shipped.calls):
        return [Difference(shipped.trajectory_id, "calls_differ", _first_difference(calls, shipped.calls))]
    differences = [
        d for fact in shipped.facts if (d := _fact_difference(shipped.trajectory_id, fact, execution)) is not None
    ]
    failures = [f for f in shipped.failures if recorded or not f["fault"]]
    return [*differences, *[d for f in failures for d in await _failed_again(shipped, f, execution, tools, caller)]]


def _read(row: Mapping[str, object]) -> _Shipped:
    calls = cast("list[dict[str, Json]]", json.loads(str(row["golden_calls"])))
    stated = cast("list[dict[str, str]]", json.loads(str(row["answer_facts"])))
    recipe = cast("dict[str, Json]", json.loads(str(row.get("recipe") or "{}")))
    gap = recipe.get("gap")
    return _Shipped(
        trajectory_id=str(row["trajectory_id"]),
        task_id=str(row.get("task_id") or ""),
        plan=plan_from_json(json.loads(str(row["plan"]))),
        calls=tuple((str(c["id"]), str(c["tool"]), canonical_json(c["arguments"])) for c in calls),
        facts=tuple((f["call"], f["path"], f["value"]) for f in stated),
        failures=tuple(cast("list[Mapping[str, Json]]", recipe.get("failures") or [])),
        gap=gap_from_json(cast("Mapping[str, Json]", gap)) if gap else None,
        messages=tuple(cast("list[Mapping[str, Json]]", json.loads(str(row["messages"])))),
        offered=tuple(cast("list[Mapping[str, Json]]", json.loads(str(row["tools"])))),
    )


def _negative_differences(shipped: _Shipped, query: str) -> list[Difference]:
    """A negative calls nothing, and what it lacks is still lacking."""
    offered = [str(cast("Mapping[str, Json]", tool["function"])["name"]) for tool in shipped.offered]
    problem = gap_problem(shipped.gap, query, offered) if shipped.gap else "it lacks nothing"
    if shipped.calls or shipped.facts or len(shipped.messages) != _UNANSWERED:
        problem = "it calls or states something"
    return [Difference(shipped.trajectory_id, "negative_is_none", problem)] if problem else []


_UNANSWERED = 3  # messages: system, request, and what is said instead of a call


async def _failed_again(
    shipped: _Shipped, failure: Mapping[str, Json], execution: Execution, tools: Mapping[str, Tool], caller: Caller
) -> list[Difference]:
    """A call that went wrong before the right one goes wrong again, and in the same way."""
    step = next((c.step_id for c in execution.calls if c.call_id == failure["call"]), "")
    arguments = {name: str(v) for name, v in cast("Mapping[str, Json]", failure["arguments"]).items()}
    with placed(shipped.task_id, failing_place(step)):
        outcome = await caller.call(asked_to_fail(tools[str(failure["tool"])], str(failure["fault"] or "")), arguments)
    seen, was = (outcome.outcome, outcome.reason), (failure["outcome"], failure["reason"])
    if seen == was:
        return []
    detail = f"{failure['id']}: {' '.join(seen)}, shipped {' '.join(map(str, was))}"
    return [Difference(shipped.trajectory_id, "failure_differs", detail)]


def _first_difference(made: Sequence[object], expected: Sequence[object]) -> str:
    for left, right in zip(made, expected, strict=False):
        if left != right:
            return f"made {left}, shipped {right}"
    return f"made {len(made)} calls, shipped {len(expected)}"


def _fact_difference(trajectory_id: str, fact: tuple[str, str, str], execution: Execution) -> Difference | None:
    call_id, path, shipped = fact
    call = next((c for c in execution.calls if c.call_id == call_id), None)
    value = read_fact(path, call, execution) if call else None
    if value == shipped:
        return None
    return Difference(trajectory_id, "fact_differs", f"{call_id} {path}: {value!r}, shipped {shipped!r}")
