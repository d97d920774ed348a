"""Stage 4: answer keys run from scratch and become trajectories or rejects (call_sequences -> trajectories)."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping

from edge.execution.model import Trajectory, ValidationFailed, trajectory_row
from edge.execution.negatives import answer_without_calls
from edge.execution.recovery import Faults
from edge.execution.showing import offered_schema
from edge.execution.validation import ValidationSettings, validate
from edge.ids import Json
from edge.llm.prompts import agent_text, load_prompt
from edge.llm.usage import UsageMeter
from edge.plans.codec import plan_from_json
from edge.plans.roles import role_of
from edge.plans.rows import signature_of, task_of
from edge.sequences.model import CallSequence
from edge.stages.batches import harvest
from edge.stages.context import Context, usage_rows
from edge.stages.params import Run, StageRef

FAILS_AT_WILL = "sandbox"  # the endpoint that can be asked for failures that pass by themselves


async def trajectories_stage(run: Run, requests: StageRef, keys: StageRef) -> StageRef:
    """Execute and validate every answer key of a batch; no call is answered from memory."""
    context, stage = Context(run), "trajectories"
    key = context.key(stage, keys=keys.key)
    if done := context.finished(stage, key):
        return done
    began = time.monotonic()
    meter = UsageMeter()
    model, prompt = context.model("execution_validation", meter), load_prompt("final_answer")
    language = run.params.language
    system = agent_text("system", language)
    tasks = {t.task_id: t for t in map(task_of, context.read(requests, "user_tasks"))}
    items = [(str(row["task_id"]), row) for row in context.read(keys, "call_sequences")]
    async with (
        context.gateway() as (client, log),
        context.gateway(attempts=1, breaker_failures=10**6) as (
            hasty,
            failures,
        ),
    ):
        faults = Faults(hasty) if run.endpoint == FAILS_AT_WILL else None

        async def make(row: Mapping[str, object]) -> Trajectory:
            task = tasks[str(row["task_id"])]
            offered = [context.tools[str(t)] for t in _texts(row["offered"])]
            if task.gap is not None:
                refusing = load_prompt("no_call")
                return await answer_without_calls(task, model, refusing, offered=offered, system=system)
            return await validate(
                task, _sequence(row), context.tools, client, model, prompt, ValidationSettings(),
                offered=offered, system=system, noted=log.step, faults=faults,
            )  # fmt: skip

        made = await harvest("execution_validation", items, make, (ValidationFailed,), concurrency=context.side_by_side)
        outcomes = [*log.rows(), *failures.rows()]
    says = agent_text("page", language)
    schemas: dict[str, Json] = {t.tool_id: offered_schema(t, says) for t in context.tools.values()}
    rows = {
        "trajectories": [
            {**trajectory_row(t, context.tools, run.run_id, schemas), "plan_signature": signature_of(t.plan)}
            for t in made.kept
        ],
        "outcomes": outcomes,
        "rejects": made.reject_rows(run.run_id),
        "usage": usage_rows(meter, run),
        "stage_ledger": [made.count.row(run.run_id)],
    }
    roles = Counter(_role(t) for t in made.kept)
    return context.finish(stage, key, rows, began, {"trajectories": len(made.kept), **roles})


def _role(made: Trajectory) -> str:
    """Return the role that a trajectory plays: a recovery that met no failure is a positive."""
    return role_of(made.task) if made.task.gap else made.kind


def _sequence(row: Mapping[str, object]) -> CallSequence:
    return CallSequence(
        task_id=str(row["task_id"]),
        plan=plan_from_json(json.loads(str(row["sequence"]))),
        agreement=str(row["agreement"]),
        generator=str(row["generator"]),
        prompt_hash=str(row["prompt_hash"]),
    )


def _texts(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
