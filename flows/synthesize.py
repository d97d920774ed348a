"""The page to read first: provider documents become verified trajectories, in five stages from top to bottom."""

from __future__ import annotations

import asyncio
import logging

from prefect import flow

from edge.stages.params import RunSummary, StageRef, SynthesizeParams
from edge.stages.publishing import Batches
from tasks.deduplication import deduplicate
from tasks.endings import HOOKS
from tasks.execution_validation import validate_keys
from tasks.progress import Progress
from tasks.publishing import publish, report
from tasks.runners import executed, side_by_side, task_runner
from tasks.sequence_generation import write_keys
from tasks.spec_compilation import compile_specs, explore_links, propose_links
from tasks.starting import started
from tasks.task_generation import write_requests

logger = logging.getLogger("edge.synthesize")


DEFAULTS = SynthesizeParams.model_validate({})


@flow(
    name="synthesize",
    flow_run_name="synthesize-{params.target}-seed-{params.seed}",
    task_runner=task_runner(),
    persist_result=False,
    **HOOKS,
)
async def synthesize(params: SynthesizeParams = DEFAULTS) -> RunSummary:
    """Compile, explore, write, execute, deduplicate, publish."""
    progress = Progress("validated trajectories")
    async with started(params) as run:
        # 1. Spec compilation: documents -> tools -> candidate links -> links proven by calling
        tools = await executed(compile_specs, run)
        candidates = await executed(propose_links, run, tools)
        explored = [await executed(explore_links, run, candidates, 0)]
        while not explored[-1].figures["done"]:
            explored.append(await executed(explore_links, run, candidates, len(explored)))
        links = explored[-1]

        requests: list[StageRef] = []
        keys: list[StageRef] = []
        trajectories: list[StageRef] = []
        survivors = await deduplicate(run, trajectories)
        low = done = 0
        while low < params.target * params.effort:
            high = low + params.next_batch(done, low)
            # 2. Task generation: links -> grounded plans -> requests
            batch = await executed(write_requests, run, links, low, high, list(requests), list(trajectories))
            requests.append(batch)
            # 3. Sequence generation: requests -> answer keys, piece by piece
            pieces = range(params.pieces)
            written = await side_by_side(executed(write_keys, run, batch, piece) for piece in pieces)
            keys.extend(written)
            # 4. Execution and validation: answer keys -> trajectories, from scratch
            trajectories.extend(await side_by_side(executed(validate_keys, run, batch, part) for part in written))
            done = sum(ref.figures["trajectories"] for ref in trajectories)
            logger.info("%d plans, %d validated trajectories of %d wanted", high, done, params.target)
            await progress.at(done, params.target)
            low = high
            # 5. Filter and deduplication: what breaks a rule, repeats, leaks and crowded shapes go
            if done >= params.target:
                survivors = await deduplicate(run, trajectories)
                if survivors.figures["kept"] >= params.target:
                    break
        else:
            survivors = await deduplicate(run, trajectories)
            logger.warning("only %d of %d: the plans ran out", survivors.figures["kept"], params.target)

        made = Batches(tools, candidates, explored, requests, keys, trajectories, survivors)
        summary = await publish(run, made.by_dataset())
        await report(run, summary)
    return summary


def run_local(params: SynthesizeParams) -> RunSummary:
    """Run the flow in this process and return its summary."""
    return asyncio.run(synthesize(params))


if __name__ == "__main__":
    run_local(DEFAULTS)
