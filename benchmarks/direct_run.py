"""The stages of flows/synthesize.py one after the other, without Prefect: what crash and overhead are held against.

Run: python benchmarks/direct_run.py PARAMS.json URL      # PARAMS.json: the parameters of the flow
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

from edge.stages.deduplication import deduplicate_stage
from edge.stages.execution_validation import trajectories_stage
from edge.stages.link_exploration import explore_batch
from edge.stages.params import Run, RunSummary, StageRef, SynthesizeParams
from edge.stages.publishing import Batches, publish_stage
from edge.stages.sequence_generation import keys_stage
from edge.stages.spec_compilation import compile_stage, propose_stage
from edge.stages.start import start_run
from edge.stages.task_generation import requests_stage


async def run_directly(params: SynthesizeParams, url: str) -> RunSummary:
    """Run all stages against the endpoint at `url` and publish."""
    run = await start_run(params, url, own_sandbox=True)
    tools = await compile_stage(run)
    candidates = await propose_stage(run)
    explored = [await explore_batch(run, 0)]
    while not explored[-1].figures["done"]:
        explored.append(await explore_batch(run, len(explored)))
    requests, keys, trajectories, survivors = await _batches(run)
    made = Batches(tools, candidates, explored, requests, keys, trajectories, survivors)
    return publish_stage(run, made.by_dataset())


async def _batches(run: Run) -> tuple[list[StageRef], list[StageRef], list[StageRef], StageRef]:
    params = run.params
    requests: list[StageRef] = []
    keys: list[StageRef] = []
    trajectories: list[StageRef] = []
    survivors = deduplicate_stage(run, trajectories)
    low = done = 0
    while low < params.target * params.effort and survivors.figures["kept"] < params.target:
        high = low + params.next_batch(done, low)
        requests.append(await requests_stage(run, low, high, list(requests), list(trajectories)))
        written = [await keys_stage(run, requests[-1], piece) for piece in range(params.pieces)]
        keys.extend(written)
        trajectories.extend([await trajectories_stage(run, requests[-1], part) for part in written])
        done = sum(ref.figures["trajectories"] for ref in trajectories)
        low = high
        if done >= params.target:
            survivors = deduplicate_stage(run, trajectories)
    if done < params.target:
        survivors = deduplicate_stage(run, trajectories)
    return requests, keys, trajectories, survivors


def main() -> None:
    """Run what the command line says; the last line is the seconds that the stages took."""
    params = SynthesizeParams.model_validate(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    print("begun", flush=True)
    began = time.monotonic()
    summary = asyncio.run(run_directly(params, sys.argv[2]))
    print(summary.version, flush=True)
    print(f"{time.monotonic() - began:.3f}", flush=True)


if __name__ == "__main__":
    main()
