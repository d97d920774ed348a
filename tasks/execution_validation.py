"""Stage 4 as a task: a batch of answer keys is executed from scratch and validated."""

from __future__ import annotations

from edge.stages.execution_validation import trajectories_stage
from edge.stages.params import Run, StageRef
from tasks.policy import stage_task


@stage_task("validate", "validate-{keys.key}")
async def validate_keys(run: Run, requests: StageRef, keys: StageRef) -> StageRef:
    """Execute and validate every answer key of a batch."""
    return await trajectories_stage(run, requests, keys)
