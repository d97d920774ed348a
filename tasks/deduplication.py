"""Stage 5 as tasks: all batches are judged together; many rows by several tasks, each some of the gates."""

from __future__ import annotations

from edge.stages.deduplication import deduplicate_stage, judge_part_stage
from edge.stages.params import Run, StageRef
from tasks.policy import stage_task
from tasks.runners import executed, side_by_side


@stage_task("judge-repeats", "judge-repeats-{part}-of-{parts}")
async def judge_part(run: Run, batches: list[StageRef], part: int, parts: int) -> StageRef:
    """Find the repeats among some of the rows, all that may be compared with each other."""
    return judge_part_stage(run, batches, part, parts)


@stage_task("deduplicate")
async def settle(run: Run, batches: list[StageRef], judged: list[StageRef]) -> StageRef:
    """Take out what breaks a rule, repeats, leaks and crowded shapes; give survivors their split."""
    return deduplicate_stage(run, batches, judged)


async def deduplicate(run: Run, batches: list[StageRef]) -> StageRef:
    """Deduplicate in one task, or where rows are many after tasks that judge their parts side by side."""
    rows = sum(batch.figures["trajectories"] for batch in batches)
    parts = -(-rows // run.params.part_rows)
    alone = parts < 2
    judged = [] if alone else await side_by_side(executed(judge_part, run, batches, n, parts) for n in range(parts))
    return await executed(settle, run, batches, judged)
