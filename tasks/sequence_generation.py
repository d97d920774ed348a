"""Stage 3 as a task: a batch of requests becomes answer keys."""

from __future__ import annotations

from edge.stages.params import Run, StageRef
from edge.stages.sequence_generation import keys_stage
from tasks.policy import stage_task


@stage_task("write-keys", "write-keys-{requests.key}-{piece}")
async def write_keys(run: Run, requests: StageRef, piece: int = 0) -> StageRef:
    """Write the answer key of every request of a batch, or of a piece of it."""
    return await keys_stage(run, requests, piece)
