"""Phase A alone: documents -> tools -> links that calling has verified or pruned."""

from __future__ import annotations

import asyncio

from prefect import flow

from edge.stages.params import ExploreParams, RunSummary, SynthesizeParams
from tasks.publishing import publish, report
from tasks.spec_compilation import compile_specs, propose_links
from tasks.spec_compilation import explore_links as explore
from tasks.starting import begin_run, serving

DEFAULTS = ExploreParams.model_validate({})


@flow(name="explore-links", flow_run_name="explore-links-seed-{params.seed}", persist_result=False)
async def explore_links(params: ExploreParams = DEFAULTS) -> RunSummary:
    """Compile, propose, explore a few rounds at a time, publish the graph."""
    today = params.today and params.today.isoformat()
    with serving(params.endpoint, seed=None, today=today) as (url, own_sandbox):
        run = await begin_run(SynthesizeParams(**params.model_dump()), url, own_sandbox)
        tools = await compile_specs(run)
        candidates = await propose_links(run, tools)
        explored = [await explore(run, candidates, 0)]
        while not explored[-1].figures["done"]:
            explored.append(await explore(run, candidates, len(explored)))
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
