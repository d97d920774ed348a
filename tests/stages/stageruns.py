"""A whole run of the stages without Prefect, in the order of flows/synthesize.py."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx

from edge.datasets.catalog import CATALOG
from edge.specs.compile import BUNDLED_SPECS
from edge.stages.context import Context
from edge.stages.deduplication import deduplicate_stage
from edge.stages.execution_validation import trajectories_stage
from edge.stages.link_exploration import explore_stage
from edge.stages.params import Run, RunSummary, StageRef, SynthesizeParams
from edge.stages.publishing import publish_stage
from edge.stages.sequence_generation import keys_stage
from edge.stages.spec_compilation import compile_stage, propose_stage
from edge.stages.start import start_run
from edge.stages.task_generation import requests_stage

SMALL_SPECS = tuple(BUNDLED_SPECS / name for name in ("juso", "datagokr/mois.yaml", "datagokr/molit.yaml"))
BATCH = 8


def small_params(outputs: Path, **more: Any) -> SynthesizeParams:
    """Return the parameters of a small run: three documents, one round of exploration, two batches."""
    values: dict[str, Any] = {
        "specs": list(SMALL_SPECS), "outputs": outputs, "target": 5, "batch": BATCH, "iterations": 2, "paths": 40,
        "seed": 3,
    }  # fmt: skip
    return SynthesizeParams(**values | more)


@dataclass(frozen=True)
class Finished:
    """What a run of the stages came to."""

    run: Run
    refs: dict[str, list[StageRef]]
    summary: RunSummary
    calls: int = 0  # what the sandbox was asked, where that was counted

    def copied(self, outputs: Path, url: str = "") -> Finished:
        """Return the same run with its files in a folder of its own, and its endpoint at `url`."""
        shutil.copytree(self.run.params.outputs, outputs, dirs_exist_ok=True)
        params = self.run.params.model_copy(update={"outputs": outputs})
        run = self.run.model_copy(update={"params": params, "url": url or self.run.url})
        return replace(self, run=run, summary=self.summary.model_copy(update={"catalog": outputs / CATALOG}))


async def run_stages(params: SynthesizeParams, url: str, *, batches: Sequence[int] = (0, 1)) -> Finished:
    """Run every stage and publish."""
    run = await start_run(params, url, own_sandbox=True)
    tools = await compile_stage(run)
    candidates = await propose_stage(run)
    links = await explore_stage(run)
    explored = Context(run).exploration
    requests: list[StageRef] = []
    for n in batches:
        requests.append(await requests_stage(run, n * params.batch, (n + 1) * params.batch, list(requests)))
    keys = [await keys_stage(run, r) for r in requests]
    trajectories = [await trajectories_stage(run, r, k) for r, k in zip(requests, keys, strict=True)]
    survivors = deduplicate_stage(run, trajectories)
    refs = {
        "tools": [tools],
        "links": [links],
        "value_pool": [links],
        "tool_shapes": [links],
        "link_walks": requests,
        "user_tasks": requests,
        "call_sequences": keys,
        "trajectories": [survivors],
        "duplicates": [survivors],
        "contamination": [survivors],
        "diversity": [survivors],
        "outcomes": [*explored, *requests, *trajectories],
        "rejects": [tools, candidates, *explored, *requests, *keys, *trajectories, survivors],
    }
    return Finished(run, refs, publish_stage(run, refs))


def calls_counted(url: str) -> int:
    """Return how many calls the sandbox has answered."""
    answer = httpx.get(f"{url}/__sandbox__/statistics", trust_env=False)
    return int(answer.json()["calls"])
