"""Shipped trajectories are executed again and compared with what was shipped (trajectory row -> Difference)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from edge.calls import Caller
from edge.execution.model import typed_arguments
from edge.execution.recording import placed
from edge.ids import Json
from edge.plans.codec import plan_from_json
from edge.plans.facts import read_fact
from edge.plans.runner import Execution, StepFailed, run_step
from edge.specs.model import Tool


@dataclass(frozen=True, slots=True)
class Difference:
    """What is no longer as shipped. `kind`: tool_missing, call_failed, calls_differ, fact_differs, unreadable."""

    trajectory_id: str
    kind: str
    detail: str


async def verify_trajectories(
    rows: Sequence[Mapping[str, object]],
    tools: Mapping[str, Tool],
    caller: Caller,
    *,
    concurrency: int = 8,
    progress: Callable[[int], None] | None = None,
) -> list[Difference]:
    """Re-execute every row's plan from scratch; return all differences, in row order."""
    gate = asyncio.Semaphore(concurrency)
    done = 0

    async def one(row: Mapping[str, object]) -> list[Difference]:
        nonlocal done
        async with gate:
            found = await verify_one(row, tools, caller)
        done += 1
        if progress is not None:
            progress(done)
        return found

    found = await asyncio.gather(*(one(row) for row in rows))
    return [difference for differences in found for difference in differences]


async def verify_one(row: Mapping[str, object], tools: Mapping[str, Tool], caller: Caller) -> list[Difference]:
    """Re-execute one trajectory and compare calls, arguments and facts."""
    trajectory_id = str(row["trajectory_id"])
    try:
        plan = plan_from_json(json.loads(str(row["plan"])))
        shipped = cast("list[dict[str, Json]]", json.loads(str(row["golden_calls"])))
        expected = [(c["id"], c["tool"], c["arguments"]) for c in shipped]
        stated = cast("list[dict[str, str]]", json.loads(str(row["answer_facts"])))
        facts = [(f["call"], f["path"], f["value"]) for f in stated]
    except (KeyError, TypeError, ValueError) as error:
        return [Difference(trajectory_id, "unreadable", str(error).splitlines()[0])]
    absent = sorted({s.tool_id for s in plan.steps} - set(tools))
    if absent:
        return [Difference(trajectory_id, "tool_missing", ", ".join(absent))]
    try:
        execution = Execution()
        for step in plan.steps:
            with placed(str(row.get("task_id") or ""), step.step_id):  # where the calls were made that are repeated
                await run_step(step, execution, tools, caller)
    except StepFailed as error:
        return [Difference(trajectory_id, "call_failed", f"{error.step_id}: {error.reason} {error.detail}".strip())]
    calls = [(c.call_id, c.tool_id, typed_arguments(tools[c.tool_id], c.arguments)) for c in execution.calls]
    if calls != expected:
        return [Difference(trajectory_id, "calls_differ", _first_difference(calls, expected))]
    return [d for fact in facts if (d := _fact_difference(trajectory_id, fact, execution)) is not None]


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
