"""Shipped trajectories are executed again: those that no longer hold are refreshed or leave, in a new version."""

from __future__ import annotations

import asyncio

from prefect import flow

from edge.stages.params import RevalidateParams, RunSummary, StageRef
from edge.stages.revalidation import what_to_check
from tasks.endings import HOOKS
from tasks.progress import Progress
from tasks.publishing import publish_checked
from tasks.revalidation import report_drift, revalidate_rows, seal
from tasks.runners import executed, task_runner
from tasks.starting import started

DEFAULTS = RevalidateParams.model_validate({})


@flow(
    name="revalidate",
    flow_run_name="revalidate-{params.asked}",
    task_runner=task_runner(),
    persist_result=False,
    **HOOKS,
)
async def revalidate(params: RevalidateParams = DEFAULTS) -> RunSummary:
    """Execute every trajectory of a version, batch after batch, and publish what was found."""
    check, endpoint = what_to_check(params)
    progress = Progress(f"trajectories of {check.version}")
    async with started(params.of_run(endpoint), check) as run:
        batches: list[StageRef] = []
        for low in range(0, check.rows, check.batch):
            high = min(low + check.batch, check.rows)
            batches.append(await executed(revalidate_rows, run, low, high))
            await progress.at(high, check.rows)
        summary = await publish_checked(run, batches, await executed(seal, run, batches))
        await report_drift(run, summary)
    return summary


def run_local(params: RevalidateParams) -> RunSummary:
    """Run the flow in this process and return its summary."""
    return asyncio.run(revalidate(params))
