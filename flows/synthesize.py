"""The page to read first: provider documents become verified trajectories, in five stages from top to bottom."""

from __future__ import annotations

import asyncio
import logging

from prefect import flow

from edge.stages.params import RunSummary, StageRef, SynthesizeParams
from tasks.deduplication import deduplicate
from tasks.execution_validation import validate_keys
from tasks.publishing import publish, report
from tasks.sequence_generation import write_keys
from tasks.spec_compilation import compile_specs, explore_links, propose_links
from tasks.starting import begin_run, serving
from tasks.task_generation import write_requests

logger = logging.getLogger("edge.synthesize")


DEFAULTS = SynthesizeParams.model_validate({})


@flow(name="synthesize", flow_run_name="synthesize-{params.target}-seed-{params.seed}", persist_result=False)
async def synthesize(params: SynthesizeParams = DEFAULTS) -> RunSummary:
    """Compile, explore, write, execute, deduplicate, publish."""
    with serving(params.endpoint, seed=None, today=params.today and params.today.isoformat()) as (url, own_sandbox):
        run = await begin_run(params, url, own_sandbox)

        # 1. Spec compilation: documents -> tools -> candidate links -> links proven by calling
        tools = await compile_specs(run)
        candidates = await propose_links(run, tools)
        explored = [await explore_links(run, candidates, 0)]
        while not explored[-1].figures["done"]:
            explored.append(await explore_links(run, candidates, len(explored)))
        links = explored[-1]

        requests: list[StageRef] = []
        keys: list[StageRef] = []
        trajectories: list[StageRef] = []
        survivors = await deduplicate(run, trajectories)
        low = done = 0
        while low < params.target * params.effort:
            high = low + params.next_batch(done, low)
            # 2. Task generation: links -> grounded plans -> requests
            requests.append(await write_requests(run, links, low, high, list(requests), list(trajectories)))
            # 3. Sequence generation: requests -> answer keys
            keys.append(await write_keys(run, requests[-1]))
            # 4. Execution and validation: answer keys -> trajectories, from scratch
            trajectories.append(await validate_keys(run, requests[-1], keys[-1]))
            done = sum(ref.figures["trajectories"] for ref in trajectories)
            logger.info("%d plans, %d validated trajectories of %d wanted", high, done, params.target)
            low = high
            # 5. Filter and deduplication: repeats and crowded shapes go
            if done >= params.target:
                survivors = await deduplicate(run, trajectories)
                if survivors.figures["kept"] >= params.target:
                    break
        else:
            survivors = await deduplicate(run, trajectories)
            logger.warning("only %d of %d: the plans ran out", survivors.figures["kept"], params.target)

        batches = [tools, candidates, *explored, *requests, *keys, *trajectories]
        summary = await publish(
            run,
            {
                "tools": [tools],
                "spec_notices": [tools],
                "spec_differences": [tools],
                "links": [links],
                "value_pool": [links],
                "tool_shapes": [links],
                "user_tasks": requests,
                "call_sequences": keys,
                "trajectories": [survivors],
                "duplicates": [survivors],
                "outcomes": [tools, *explored, *requests, *keys, *trajectories],
                "rejects": batches,
            },
        )
    await report(run, summary)
    return summary


def run_local(params: SynthesizeParams) -> RunSummary:
    """Run the flow in this process and return its summary."""
    return asyncio.run(synthesize(params))


if __name__ == "__main__":
    run_local(DEFAULTS)
