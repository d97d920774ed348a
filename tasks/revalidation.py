"""Revalidation as tasks: a batch of shipped trajectories is executed again; then they are put together."""

from __future__ import annotations

from prefect.artifacts import acreate_table_artifact

from edge.stages.params import Run, RunSummary, StageRef
from edge.stages.revalidation import revalidate_stage, seal_stage
from edge.stages.staleness import staleness
from tasks.policy import stage_task
from tasks.progress import shown


@stage_task("revalidate", "revalidate-{low}-{high}")
async def revalidate_rows(run: Run, low: int, high: int) -> StageRef:
    """Execute shipped trajectories again; they hold, are refreshed or are stale."""
    return await revalidate_stage(run, low, high)


@stage_task("seal")
async def seal(run: Run, batches: list[StageRef]) -> StageRef:
    """Put the batches together."""
    return seal_stage(run, batches)


@stage_task("report", retries=0)
async def report_drift(run: Run, summary: RunSummary) -> None:
    """Show how far each platform has moved away from what was shipped."""
    table = staleness(run.params.outputs.absolute(), summary.version)
    about = f"{run.check.version if run.check else ''} executed again at {run.endpoint}, {run.now.date()}"
    await shown(acreate_table_artifact, key="drift", table=table, description=about)
