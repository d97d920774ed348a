"""Stage 3: requests become answer keys (user_tasks -> call_sequences)."""

from __future__ import annotations

import json
import time

from edge.execution.memo import MemoCaller
from edge.ids import Json, canonical_json, digest
from edge.llm.prompts import load_prompt
from edge.llm.usage import UsageMeter
from edge.plans.codec import plan_to_json
from edge.plans.model import UserTask
from edge.plans.rows import task_of
from edge.sequences.keys import KeyFailed, KeyWriter
from edge.sequences.model import CallSequence
from edge.sequences.offers import offered_tools
from edge.stages.batches import harvest
from edge.stages.context import Context, usage_rows
from edge.stages.params import Run, StageRef


async def keys_stage(run: Run, requests: StageRef, piece: int = 0) -> StageRef:
    """Write the answer key of every request of a batch, or of one piece of it where the run's batches have several."""
    context, stage = Context(run), "keys"
    pieces = run.params.pieces
    key = context.key(stage, requests=requests.key, **({"piece": piece} if pieces > 1 else {}))
    if done := context.finished(stage, key):
        return done
    began = time.monotonic()
    meter = UsageMeter()
    model, prompt = context.model("sequence_generation", meter), load_prompt("answer_key")
    rows_in = context.read(requests, "user_tasks")
    tasks = [task_of(row) for row in rows_in if piece_of(str(row["task_id"]), pieces) == piece]

    async def make(task: UserTask) -> tuple[CallSequence, list[str]]:
        offered = offered_tools(
            task.plan, context.tools, context.learned, seed=run.params.seed, count=run.params.offered, gap=task.gap
        )
        writer = KeyWriter(context.tools, model, prompt, MemoCaller(client))
        with log.step(task.task_id, "key"):
            return await writer.write(task, offered), [t.tool_id for t in offered]

    async with context.gateway() as (client, log):
        made = await harvest(
            "sequence_generation",
            ((t.task_id, t) for t in tasks),
            make,
            (KeyFailed,),
            concurrency=context.side_by_side,
        )
        outcomes = log.rows()
    rows = {
        "outcomes": outcomes,
        "call_sequences": [sequence_row(s, offered, run.run_id) for s, offered in made.kept],
        "rejects": made.reject_rows(run.run_id),
        "usage": usage_rows(meter, run),
        "stage_ledger": [made.count.row(run.run_id)],
    }
    return context.finish(stage, key, rows, began, {"sequences": len(made.kept)})


def piece_of(task_id: str, pieces: int) -> int:
    """Return the piece that a request belongs to, by its hash alone: any process finds the same."""
    return int(digest(["piece", task_id], 8), 16) % pieces


def sequence_row(sequence: CallSequence, offered: list[str], run_id: str) -> dict[str, Json]:
    """Return the row of the `call_sequences` dataset."""
    plan = sequence.plan
    return {
        "task_id": sequence.task_id,
        "sequence": canonical_json(plan_to_json(plan)),
        "n_calls": plan.n_calls,
        "depth": max(plan.levels, default=0),
        "max_parallel": plan.max_parallel,
        "junctions": list(plan.junctions),
        "agreement": sequence.agreement,
        "disagreements": _disagreement(sequence),
        "offered": offered,
        "prompt_hash": sequence.prompt_hash,
        "generator": sequence.generator,
        "run_id": run_id,
    }


def _disagreement(sequence: CallSequence) -> str | None:
    """Return the first difference from the plan and the model's own calls, None where there is none."""
    if not sequence.difference:
        return None
    return canonical_json({"difference": sequence.difference, **json.loads(sequence.calls)})
