"""Stage 5 as a task: all batches are judged together."""

from __future__ import annotations

from prefect import task

from edge.stages.deduplication import deduplicate_stage
from edge.stages.params import Run, StageRef
from tasks.policy import OPTIONS


@task(name="deduplicate", task_run_name="deduplicate", **OPTIONS)
async def deduplicate(run: Run, batches: list[StageRef]) -> StageRef:
    """Take out repeats and crowded shapes; give survivors their split."""
    return deduplicate_stage(run, batches)
