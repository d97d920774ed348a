"""Requests as rows of the `user_tasks` dataset, and back (UserTask <-> row)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from edge.ids import Json, canonical_json, digest
from edge.plans.codec import plan_from_json, plan_to_json
from edge.plans.gaps import gap_from_json, gap_to_json
from edge.plans.model import BoundValue, CallPlan, Reducer, TaskKind, UserTask


def task_row(task: UserTask, run_id: str) -> dict[str, Json]:
    """Return the row of a request."""
    return {
        "task_id": task.task_id,
        "query": task.query,
        "language": task.language,
        "persona": task.persona,
        "query_style": task.style,
        "today": task.plan.today,
        "difficulty": task.difficulty,
        "kind": task.kind,
        "gap": canonical_json(gap_to_json(task.gap)) if task.gap else None,
        "plan": canonical_json(plan_to_json(task.plan)),
        "plan_id": task.plan.plan_id,
        "plan_signature": signature_of(task.plan),
        "prompt_hash": task.prompt_hash,
        "generator": task.generator,
        "run_id": run_id,
    }


def task_of(row: Mapping[str, object]) -> UserTask:
    """Return the request of a stored row."""
    return UserTask(
        task_id=str(row["task_id"]),
        plan=plan_from_json(json.loads(str(row["plan"]))),
        query=str(row["query"]),
        language=str(row["language"]),
        persona=str(row["persona"] or ""),
        style=str(row["query_style"] or ""),
        difficulty=str(row["difficulty"]),
        generator=str(row["generator"]),
        prompt_hash=str(row["prompt_hash"] or ""),
        kind=cast("TaskKind", row["kind"] or "positive"),
        gap=gap_from_json(json.loads(str(row["gap"]))) if row.get("gap") else None,
    )


def signature_of(plan: CallPlan) -> str:
    """Return the plan's shape without its values: a Merkle hash over the call graph, independent of step order and ids.

    A step's hash covers its tool, its argument names and, for bound ones, path, transform and the hash of the step they
    come from, its reducer without value, and what is asked; the plan's is the hash of the sorted step hashes.
    """
    return _merkle(plan, stated=False)


def arguments_key(plan: CallPlan) -> str:
    """Return the identity of the plan's stated values: the same hash with user arguments and filter values in it.

    Where values stand counts: "A of the first, B of the second" is another need than "B of the first, A of the second".
    """
    return _merkle(plan, stated=True)


def _merkle(plan: CallPlan, *, stated: bool) -> str:
    hashes: dict[str, str] = {}
    for step in plan.steps:
        arguments: list[Json] = []
        for name, source in sorted(step.arguments):
            if isinstance(source, BoundValue):
                arguments.append([name, hashes[source.step], source.path, source.transform])
            else:
                arguments.append([name, f"={source.value}"] if stated else [name])
        shape = [step.tool_id, arguments, _reducer_shape(step.reducer, hashes, stated), sorted(step.asks)]
        if step.when is not None:
            w = step.when
            shape.append([hashes[w.step], w.operator, w.field, w.truth, *([w.value] if stated else [])])
        hashes[step.step_id] = digest(shape)
    whole: list[Json] = [*sorted(hashes.values())]
    if plan.untaken:
        whole.append(["untaken", *sorted(s.tool_id for s in plan.untaken)])
    if plan.comparison is not None:
        compared = plan.comparison
        whole.append([compared.kind, compared.field, *sorted(hashes[s] for s in compared.steps)])
    return digest(whole)


def _reducer_shape(reducer: Reducer, hashes: Mapping[str, str], stated: bool) -> list[Json]:
    shape: list[Json] = [reducer.kind, reducer.field]
    if reducer.k is not None:
        shape.append(reducer.k)
    if reducer.near is not None:
        shape.append(hashes.get(reducer.near.step or "", "near"))
    if stated and reducer.value is not None:
        shape.append(["=", reducer.value])
    if reducer.within is not None:
        shape.append(_reducer_shape(reducer.within, hashes, stated))
    return shape


def argument_values(plan: CallPlan) -> list[str]:
    """Return the stated values in words, "tool.parameter=value"."""
    found: list[str] = []
    for step in plan.steps:
        for name, source in step.arguments:
            if not isinstance(source, BoundValue):
                found.append(f"{step.tool_id}.{name}={source.value}")
        reducer: Reducer | None = step.reducer
        while reducer is not None:
            if reducer.value is not None:
                found.append(f"{step.tool_id}.{reducer.field}={reducer.value}")
            reducer = reducer.within
        if step.when is not None and step.when.field is not None:
            found.append(f"{step.tool_id}?{step.when.field}={step.when.value}")
    return found
