"""Stage 5 as a task: all batches are judged together."""

from __future__ import annotations

from edge.stages.deduplication import deduplicate_stage
from edge.stages.params import Run, StageRef
from tasks.policy import stage_task


@stage_task("deduplicate")
async def deduplicate(run: Run, batches: list[StageRef]) -> StageRef:
    """Take out repeats and crowded shapes; give survivors their split."""
    return deduplicate_stage(run, batches)
