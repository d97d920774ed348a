"""Stage 2: verified links become grounded plans, and plans become requests (links -> user_tasks)."""

from __future__ import annotations

import time
from collections.abc import Sequence

from edge.execution.memo import MemoCaller
from edge.llm.prompts import load_prompt
from edge.llm.usage import UsageMeter
from edge.plans.draft import PlanFailed
from edge.plans.model import UserTask
from edge.plans.requests import RequestFailed, RequestSettings, write_request
from edge.plans.rows import task_row
from edge.plans.walk import Walker, WalkSettings
from edge.stages.batches import harvest
from edge.stages.context import Context, usage_rows
from edge.stages.params import Run, StageRef


async def requests_stage(run: Run, low: int, high: int, earlier: Sequence[StageRef] = ()) -> StageRef:
    """Ground the plans numbered low..high-1 by live calls and write a request for each.

    `earlier` are the batches before: a request that one of them has is dropped, for it would be one row twice.
    """
    context, stage = Context(run), "requests"
    key = context.key(stage, low=low, high=high, earlier=[ref.key for ref in earlier])
    if done := context.finished(stage, key):
        return done
    began = time.monotonic()
    meter = UsageMeter()
    model, prompt = context.model("task_generation", meter), load_prompt("user_request")
    walker = Walker(context.tools, context.learned, context.filler(explored=True), WalkSettings(), seed=run.params.seed)
    async with context.gateway() as (client, log):
        caller = MemoCaller(client)

        async def make(index: int) -> UserTask:
            plan, execution = await walker.plan(index, caller)
            settings = RequestSettings()
            return await write_request(plan, execution, context.tools, model, prompt, settings, seed=run.params.seed)

        with log.step("", f"ground-{low}"):
            made = await harvest(
                "task_generation",
                ((f"plan-{i}", i) for i in range(low, high)),
                make,
                (PlanFailed, RequestFailed),
            )
        outcomes = log.rows()
    unique: dict[str, UserTask] = {}
    known = {row["task_id"] for ref in earlier for row in context.read(ref, "user_tasks")}
    for task in made.kept:
        if task.task_id in known or unique.setdefault(task.task_id, task) is not task:
            made.drop(task.task_id, "same_task", task.query)
    rows = {
        "user_tasks": [task_row(t, run.run_id) for t in unique.values()],
        "outcomes": outcomes,
        "rejects": made.reject_rows(run.run_id),
        "usage": usage_rows(meter, run),
        "stage_ledger": [made.count.row(run.run_id)],
    }
    return context.finish(stage, key, rows, began, {"tasks": len(unique), "low": low, "high": high})
