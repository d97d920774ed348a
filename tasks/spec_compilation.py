"""Stage 1 as tasks: compile documents, propose links, explore them."""

from __future__ import annotations

from prefect.artifacts import acreate_table_artifact

from edge.stages.link_exploration import explore_batch
from edge.stages.params import Run, StageRef
from edge.stages.spec_compilation import compile_stage, compile_table, propose_stage
from tasks.policy import stage_task


@stage_task("compile-specs")
async def compile_specs(run: Run) -> StageRef:
    """Documents become tools; what became of everything they hold is an artifact."""
    done = await compile_stage(run)
    table = compile_table(run, done)
    await acreate_table_artifact(key="compilation", table=table, description="operations of the provider documents")
    return done


@stage_task("propose-links")
async def propose_links(run: Run, tools: StageRef) -> StageRef:
    """Tools become candidate links."""
    return await propose_stage(run)


@stage_task("explore-links", "explore-links-{number}")
async def explore_links(run: Run, links: StageRef, number: int) -> StageRef:
    """Execute candidate links for a few rounds; they become verified or pruned, and figures say whether it is done."""
    return await explore_batch(run, number)
