"""What Prefect costs: the flow beside the same stages called directly, and the same flow on other task runners.

Run: python benchmarks/orchestration.py [--part overhead|runners] [--rounds 3] [--target 20] [--runners thread,dask,ray]

`overhead`: the small run of benchmarks/crash.py, larger by `--target`, directly and as a flow in turns in one process,
against one sandbox and one Prefect server; the median of each counts. What is fixed (starting a server, importing, an
empty flow run) is printed apart. The target is a ratio of at most 1.15.
`runners`: the flow with `pieces=4` on each runner that is installed: seconds, and whether parts are those of threads.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("PREFECT_LOGGING_LEVEL", "CRITICAL")
os.environ.setdefault("PREFECT_LOGGING_TO_API_ENABLED", "false")

from crash import parts, small_params
from direct_run import run_directly

from edge.sandbox_process import SandboxProcess
from edge.settings import TaskSettings
from edge.stages.claims import let_go
from edge.stages.params import SynthesizeParams

TARGET = 1.15


def asked(outputs: Path, url: str, target: int, pieces: int = 1) -> SynthesizeParams:
    """Return the parameters of a round in a folder of its own."""
    small = small_params(outputs, target, resume=False)
    return small.model_copy(update={"endpoint": url, "batch": 40, "rounds_a_batch": 4, "pieces": pieces})


async def timed_flow(params: SynthesizeParams, settings: TaskSettings | None = None) -> float:
    """Return the seconds of a flow run."""
    from flows.synthesize import synthesize
    from tasks.runners import task_runner

    began = time.monotonic()
    await synthesize.with_options(task_runner=task_runner(settings))(params)
    return time.monotonic() - began


async def timed_directly(params: SynthesizeParams, url: str) -> float:
    """Return the seconds of the stages alone."""
    began = time.monotonic()
    summary = await run_directly(params, url)
    let_go(params.outputs, summary.run_id)
    return time.monotonic() - began


async def overhead(folder: Path, url: str, target: int, rounds: int) -> int:
    """Print the ratio of flow to stages."""
    from prefect import flow

    @flow(persist_result=False)
    async def empty() -> None:
        return None

    began = time.monotonic()
    await empty()
    print(f"an empty flow run: {time.monotonic() - began:.2f} s")
    await timed_directly(asked(folder / "warm", url, 2), url)
    direct, flows = list[float](), list[float]()
    for n in range(rounds):
        direct.append(await timed_directly(asked(folder / f"direct-{n}", url, target), url))
        flows.append(await timed_flow(asked(folder / f"flow-{n}", url, target)))
        print(f"round {n + 1}: stages {direct[-1]:.2f} s, flow {flows[-1]:.2f} s")
    ratio = statistics.median(flows) / statistics.median(direct)
    same = parts(folder / "direct-0") == parts(folder / "flow-0")
    print(f"flow / stages: {ratio:.3f} (target {TARGET}); same parts: {same}")
    return int(not same)


async def runners(folder: Path, url: str, target: int, names: list[str], workers: int) -> int:
    """Print what each runner takes and whether it gives the parts of threads."""
    whole: dict[str, list[str]] | None = None
    bad = 0
    for name in names:
        package = {"dask": "prefect_dask", "ray": "prefect_ray"}.get(name, "prefect")
        if importlib.util.find_spec(package) is None:
            print(f"{name}: the extra is not installed")
            continue
        settings = TaskSettings.model_validate({"runner": name, "workers": workers})
        seconds = await timed_flow(asked(folder / name, url, target, pieces=4), settings)
        made = parts(folder / name)
        whole = whole or made
        bad += made != whole
        print(f"{name}: {seconds:.1f} s, {sum(map(len, made.values()))} parts, same as {names[0]}: {made == whole}")
    return bad


def main() -> int:
    """Print what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("overhead", "runners"), default="overhead")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--target", type=int, default=20)
    parser.add_argument("--runners", default="thread,dask,ray")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    began = time.monotonic()
    from tasks.local_api import local_api

    with tempfile.TemporaryDirectory() as folder, SandboxProcess(today="2026-06-15") as sandbox, local_api():
        print(f"sandbox, imports and a Prefect server of its own: {time.monotonic() - began:.1f} s")
        if args.part == "overhead":
            return asyncio.run(overhead(Path(folder), sandbox.url, args.target, args.rounds))
        return asyncio.run(runners(Path(folder), sandbox.url, args.target, args.runners.split(","), args.workers))


if __name__ == "__main__":
    sys.exit(main())
