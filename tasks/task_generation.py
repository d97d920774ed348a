"""Stage 2 as a task: a batch of plans becomes requests."""

from __future__ import annotations

from edge.stages.params import Run, StageRef
from edge.stages.task_generation import requests_stage
from tasks.policy import stage_task


@stage_task("write-requests", "write-requests-{low}-{high}")
async def write_requests(
    run: Run, links: StageRef, low: int, high: int, earlier: list[StageRef], made: list[StageRef]
) -> StageRef:
    """Ground plans low..high-1 and write a request for each that no earlier batch has, by what was `made` so far."""
    return await requests_stage(run, low, high, earlier, made)
