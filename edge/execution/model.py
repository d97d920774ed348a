"""What validation yields: a shipped example, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from edge.calls import Outcome
from edge.ids import Json, canonical_json, digest
from edge.plans.codec import plan_to_json
from edge.plans.facts import Fact
from edge.plans.gaps import gap_to_json
from edge.plans.model import BoundValue, CallPlan, TaskKind, UserTask
from edge.plans.runner import Execution
from edge.specs.model import Tool
from edge.specs.schema import json_value, offered_type


@dataclass(frozen=True, slots=True)
class Failure:
    """A call that was made in place of `call_id` and brought nothing; the right one follows it in the chat.

    `fault` is what the endpoint was asked to fail with, empty where the arguments were wrong.
    """

    call_id: str
    arguments: Mapping[str, str]
    outcome: Outcome
    fault: str = ""

    @property
    def message_id(self) -> str:
        """The id of the failed call in the chat."""
        return f"{self.call_id}e1"


class ValidationFailed(Exception):
    """The sequence does not make a trajectory. `reason` is a reject reason."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One grounded example: request, calls with concrete arguments, answer and the facts it states.

    A negative has no calls and no facts; its plan is what was asked for. `failures` are repaired in the chat.
    """

    task: UserTask
    plan: CallPlan
    execution: Execution
    facts: tuple[Fact, ...]
    answer: str
    messages: tuple[Mapping[str, Json], ...]
    offered: tuple[str, ...]
    generator: str
    kind: TaskKind = "positive"
    failures: tuple[Failure, ...] = ()

    @property
    def trajectory_id(self) -> str:
        """Identity: the request and the calls made for it."""
        calls: list[Json] = [[c.tool_id, dict(c.arguments)] for c in self.execution.calls]
        return digest(["trajectory", self.task.query, calls], 16)


@dataclass(frozen=True, slots=True)
class Reject:
    """Anything that was dropped. `reason` is a short code, `detail` one line."""

    stage: str
    item_id: str
    reason: str
    detail: str = ""

    def row(self, run_id: str) -> dict[str, Json]:
        """Return the row of the `rejects` dataset."""
        return {
            "stage": self.stage,
            "item_id": self.item_id,
            "reason": self.reason,
            "detail": self.detail[:1000],
            "run_id": run_id,
        }


def typed_arguments(tool: Tool, arguments: Mapping[str, str]) -> dict[str, Json]:
    """Return the arguments in the types of the tool's own schema; on the wire everything is text.

    What would not come back as the same value (leading zeros, commas) stays text; a decimal may lose the zeros at its
    end.
    """
    typed: dict[str, Json] = {}
    for name, value in arguments.items():
        parameter = tool.parameter(name)
        typed[name] = json_value(value, offered_type(parameter)) if parameter else value
    return typed


def golden_calls(plan: CallPlan, execution: Execution, tools: Mapping[str, Tool]) -> list[Json]:
    """Return the calls as JSON: id, tool, concrete arguments, where each bound one came from, how many records came."""
    level = dict(zip((s.step_id for s in plan.steps), plan.levels, strict=True))
    calls: list[Json] = []
    for call in execution.calls:
        step = plan.step(call.step_id)
        fed = dict(zip(step.parents, call.sources, strict=True))
        references = [
            {
                "parameter": name,
                "call": fed[source.step][0],
                "record": fed[source.step][1],
                "path": source.path,
                "transform": source.transform,
            }
            for name, source in step.arguments
            if isinstance(source, BoundValue)
        ]
        calls.append(
            {
                "id": call.call_id,
                "step": call.step_id,
                "turn": level[call.step_id],
                "tool": call.tool_id,
                "arguments": typed_arguments(tools[call.tool_id], call.arguments),
                "references": references,
                "n_records": len(call.outcome.records),
            }
        )
    return calls


def facts_json(facts: tuple[Fact, ...]) -> list[Json]:
    """Return the facts as the `answer_facts` column: value, call, path, operation, and the words around them."""
    return [
        {
            "value": f.value,
            "call": f.call_id,
            "path": f.path,
            "operation": f.operation or "value",
            "label": f.label,
            "entity": f.entity,
            "unit": f.unit,
        }
        for f in facts
    ]


def recipe_json(t: Trajectory, tools: Mapping[str, Tool]) -> dict[str, Json]:
    """Return what `plan` leaves open of how the row came about, for those who make it again from other data.

    facts: by which step, call, path and operation each is made. failures: the calls that went wrong before the right
    one, by the id they have in the chat. gap: what a negative lacks.
    """
    facts: list[Json] = [
        {"step": f.step_id, "call": f.call_id, "path": f.path, "operation": f.operation or "value"} for f in t.facts
    ]
    failures: list[Json] = [
        {
            "id": f.message_id,
            "call": f.call_id,
            "tool": f.outcome.tool_id,
            "arguments": typed_arguments(tools[f.outcome.tool_id], f.arguments),
            "outcome": f.outcome.outcome,
            "reason": f.outcome.reason,
            "fault": f.fault or None,
        }
        for f in t.failures
    ]
    return {"facts": facts, "failures": failures, "gap": gap_to_json(t.task.gap) if t.task.gap else None}


def trajectory_row(
    t: Trajectory, tools: Mapping[str, Tool], run_id: str, function_schemas: Mapping[str, Json]
) -> dict[str, Json]:
    """Return the row of the `trajectories` dataset; `split` is set at deduplication."""
    used = [tools[s.tool_id] for s in t.plan.steps]
    called = bool(t.execution.calls)
    return {
        "trajectory_id": t.trajectory_id,
        "task_id": t.task.task_id,
        "query": t.task.query,
        "answer": t.answer,
        "answer_facts": canonical_json(facts_json(t.facts)),
        "messages": canonical_json([dict(m) for m in t.messages]),
        "tools": canonical_json([function_schemas[name] for name in t.offered]),
        "golden_calls": canonical_json(golden_calls(t.plan, t.execution, tools)),
        "junctions": list(t.plan.junctions) if called else [],
        "domains": sorted({x.domain for x in used}),
        "platforms": sorted({x.platform for x in used}),
        "n_calls": len(t.execution.calls),
        "depth": max(t.plan.levels) if called else 0,
        "max_parallel": t.plan.max_parallel if called else 0,
        "kind": t.kind,
        "difficulty": t.task.difficulty,
        "split": "",
        "link_ids": list(t.plan.link_ids) if called else [],
        "language": t.task.language,
        "persona": t.task.persona,
        "query_style": t.task.style,
        "today": t.plan.today,
        "plan": canonical_json(plan_to_json(t.plan)),
        "plan_id": t.plan.plan_id,
        "recipe": canonical_json(recipe_json(t, tools)),
        "prompt_hash": t.task.prompt_hash,
        "generator": t.generator,
        "run_id": run_id,
    }
