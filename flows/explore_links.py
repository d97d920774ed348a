"""Phase A alone: documents -> tools -> links that calling has verified or pruned."""

from __future__ import annotations

import asyncio

from prefect import flow

from edge.stages.params import ExploreParams, RunSummary, SynthesizeParams
from tasks.endings import HOOKS
from tasks.progress import Progress
from tasks.publishing import publish, report
from tasks.runners import executed, task_runner
from tasks.spec_compilation import compile_specs, propose_links
from tasks.spec_compilation import explore_links as explore
from tasks.starting import started

DEFAULTS = ExploreParams.model_validate({})


@flow(
    name="explore-links",
    flow_run_name="explore-links-seed-{params.seed}",
    task_runner=task_runner(),
    persist_result=False,
    **HOOKS,
)
async def explore_links(params: ExploreParams = DEFAULTS) -> RunSummary:
    """Compile, propose, explore a few rounds at a time, publish the graph."""
    progress = Progress("rounds of exploration, of all that there may be")
    async with started(SynthesizeParams.model_validate(params.model_dump())) as run:
        tools = await executed(compile_specs, run)
        candidates = await executed(propose_links, run, tools)
        explored = [await executed(explore, run, candidates, 0)]
        while not explored[-1].figures["done"]:
            await progress.at(explored[-1].figures["rounds"], params.iterations)
            explored.append(await executed(explore, run, candidates, len(explored)))
        await progress.at(1, 1)
        summary = await publish(
            run,
            {
                "tools": [tools],
                "spec_notices": [tools],
                "spec_differences": [tools],
                "links": explored[-1:],
                "value_pool": explored[-1:],
                "tool_shapes": explored[-1:],
                "outcomes": [tools, *explored],
                "rejects": [tools, candidates, *explored],
            },
        )
        await report(run, summary)
    return summary


def run_local(params: ExploreParams) -> RunSummary:
    """Run the flow in this process and return its summary."""
    return asyncio.run(explore_links(params))
