"""Stage 3 as a task: a batch of requests becomes answer keys."""

from __future__ import annotations

from prefect import task

from edge.stages.params import Run, StageRef
from edge.stages.sequence_generation import keys_stage
from tasks.policy import OPTIONS


@task(name="write-keys", task_run_name="write-keys-{requests.key}", **OPTIONS)
async def write_keys(run: Run, requests: StageRef) -> StageRef:
    """Write the answer key of every request of a batch."""
    return await keys_stage(run, requests)
