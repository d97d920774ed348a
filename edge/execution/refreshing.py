"""A shipped row is made again from what the platforms say now (trajectory row -> trajectory row)."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from edge.calls import Caller
from edge.execution.model import ValidationFailed, trajectory_row
from edge.execution.negatives import gap_problem
from edge.execution.recovery import Faults
from edge.execution.validation import NotedStep, ValidationSettings, validate
from edge.ids import Json
from edge.llm.prompts import Prompt
from edge.llm.protocol import Model
from edge.plans.codec import plan_from_json
from edge.plans.gaps import gap_from_json
from edge.plans.model import TaskKind, UserTask
from edge.plans.rows import signature_of
from edge.sequences.model import CallSequence
from edge.specs.model import Tool

_OWN = ("calls", "facts", "answer")


@contextlib.contextmanager
def _unnoted(_task: str, _step: str) -> Generator[None]:
    yield


@dataclass(frozen=True, slots=True)
class Refreshed:
    """A row as it is now, and which of calls, facts and answer differ from what was shipped; none: nothing changed."""

    row: dict[str, object]
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refresher:
    """Makes rows again: the plan is executed, facts are derived as their paths and operations say, the answer written.

    The request and the plan stay; `model` and `prompt` write answers; calls are `noted` where they are made. Nothing
    else of the row is asked for again.
    """

    tools: Mapping[str, Tool]
    caller: Caller
    model: Model
    prompt: Prompt
    system: str
    settings: ValidationSettings = field(default_factory=ValidationSettings)
    faults: Faults | None = None
    noted: NotedStep = _unnoted

    async def refresh(self, row: Mapping[str, object]) -> Refreshed:
        """Return the row with calls, facts, answer and chat of now; a negative stays as it is.

        Raises:
            ValidationFailed: the plan no longer leads to an answer: a call fails, another record is the largest twice,
                the data take the other branch; or a tool is gone.
        """
        task = task_of_trajectory(row)
        offered = [str(t["function"]["name"]) for t in cast("list[dict[str, dict[str, Json]]]", _json(row["tools"]))]
        if task.gap is not None:
            problem = gap_problem(task.gap, task.query, offered)
            if problem:
                raise ValidationFailed("negative_is_none", problem)
            return Refreshed(dict(row), ())
        absent = sorted({*offered, *(s.tool_id for s in task.plan.steps)} - set(self.tools))
        if absent:
            raise ValidationFailed("tool_missing", ", ".join(absent))
        sequence = CallSequence(task.task_id, task.plan, "refreshed", task.generator, task.prompt_hash)
        made = await validate(
            task, sequence, self.tools, self.caller, self.model, self.prompt, self.settings,
            offered=[self.tools[t] for t in offered], system=self.system, noted=self.noted, faults=self.faults,
        )  # fmt: skip
        widths = tuple(len(made.execution.of(s.step_id)) for s in made.plan.steps)
        made = replace(made, plan=replace(made.plan, widths=widths))
        schemas: dict[str, Json] = dict(zip(offered, cast("list[Json]", _json(row["tools"])), strict=True))
        new: dict[str, object] = {**row, **trajectory_row(made, self.tools, str(row["run_id"]), schemas)}
        new |= {"split": row["split"], "plan_signature": signature_of(made.plan)}
        return Refreshed(new, _changed(row, new))


def task_of_trajectory(row: Mapping[str, object]) -> UserTask:
    """Return the request that a row was made for.

    Raises:
        ValueError: the row cannot be read.
    """
    gap = cast("Mapping[str, Json]", cast("dict[str, Json]", _json(row["recipe"] or "{}")).get("gap") or {})
    return UserTask(
        task_id=str(row["task_id"]),
        plan=plan_from_json(cast("Mapping[str, Json]", _json(row["plan"]))),
        query=str(row["query"]),
        language=str(row["language"] or ""),
        persona=str(row["persona"] or ""),
        style=str(row["query_style"] or ""),
        difficulty=str(row["difficulty"]),
        generator=str(row["generator"]),
        prompt_hash=str(row["prompt_hash"] or ""),
        kind=cast("TaskKind", row["kind"]),
        gap=gap_from_json(gap) if gap else None,
    )


def _changed(old: Mapping[str, object], new: Mapping[str, object]) -> tuple[str, ...]:
    columns = zip(_OWN, ("golden_calls", "answer_facts", "answer"), strict=True)
    return tuple(name for name, column in columns if old[column] != new[column])


def _json(text: object) -> Json:
    return cast("Json", json.loads(str(text)))
