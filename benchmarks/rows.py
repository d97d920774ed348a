"""Many rows through stages 2 to 5 with replayed calls: rows per second of each stage, and the memory that they take.

Run: python benchmarks/rows.py [--rows 100000] [--plans 200] [--recorded OUTPUTS] [--batch 500]

A run is recorded (or one of default parameters is taken from OUTPUTS) and replayed in a process of its own: no call
leaves it. Stage 2 is timed on `--plans` plans. Stages 3 and 4 take the requests that came of them over and over, each
time with another id and another number in its words, until there are `--rows`; all calls of every row are executed and
validated anew. Stage 5 and publishing take everything that came out. What is printed is measured, nothing is scaled up.
Copies have the plans of their originals, so that deduplication keeps few of them.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from crash import small_params
from direct_run import run_directly

from edge.ids import digest
from edge.sandbox_process import SandboxProcess
from edge.stages.claims import let_go
from edge.stages.context import Context
from edge.stages.deduplication import deduplicate_stage
from edge.stages.execution_validation import trajectories_stage
from edge.stages.link_exploration import explore_batch
from edge.stages.params import Run, StageRef, SynthesizeParams
from edge.stages.publishing import publish_stage
from edge.stages.sequence_generation import keys_stage
from edge.stages.spec_compilation import compile_stage, propose_stage
from edge.stages.start import start_run
from edge.stages.task_generation import requests_stage

Row = Mapping[str, object]


def peak() -> int:
    """Return the most memory that this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def told(stage: str, rows: int, began: float) -> None:
    """Print what a stage took."""
    seconds = time.monotonic() - began
    print(f"{stage}: {rows:,} rows in {seconds:.1f} s, {rows / seconds:.1f} a second; peak {peak():,} MiB", flush=True)


async def recorded(params: SynthesizeParams) -> None:
    """Run once against a sandbox, recording."""
    with SandboxProcess() as sandbox:
        summary = await run_directly(params, sandbox.url)
        let_go(params.outputs, summary.run_id)


async def explored(run: Run) -> list[StageRef]:
    """Return the references of stage 1: tools, candidates and rounds."""
    refs = [await compile_stage(run), await propose_stage(run), await explore_batch(run, 0)]
    while not refs[-1].figures["done"]:
        refs.append(await explore_batch(run, len(refs) - 2))
    return refs


async def requested(run: Run, plans: int, batch: int) -> list[StageRef]:
    """Return batches of requests of so many plans."""
    refs: list[StageRef] = []
    for low in range(0, plans, batch):
        refs.append(await requests_stage(run, low, min(low + batch, plans), list(refs)))
    return refs


def copies(rows: list[Row], number: int) -> Iterator[Row]:
    """Yield so many requests, each with an id and words of its own."""
    for n in range(number):
        row = rows[n % len(rows)]
        turn = n // len(rows)
        yield {**row, "task_id": digest([row["task_id"], turn], 16), "query": f"{row['query']} ({turn:06d})"}


def batch_of(run: Run, rows: list[Row], number: int) -> StageRef:
    """Return a batch of stage 2 that has these requests."""
    context, empty = Context(run), list[Row]()
    written = {"user_tasks": rows, **dict.fromkeys(("outcomes", "rejects", "usage", "stage_ledger"), empty)}
    figures = {"tasks": len(rows), "low": 0, "high": 0}
    return context.finish("requests", context.key("requests", copies=number), written, time.monotonic(), figures)


async def answered(run: Run, rows: list[Row], wanted: int, size: int) -> tuple[list[StageRef], ...]:
    """Return the batches of stages 2 to 4 of so many copies of these requests."""
    refs: tuple[list[StageRef], ...] = ([], [], [])
    spent, done, began = [0.0, 0.0], 0, time.monotonic()
    pending: list[Row] = []
    for number, row in enumerate(copies(rows, wanted), start=1):
        pending.append(row)
        if len(pending) < size and number < wanted:
            continue
        asked = batch_of(run, pending, number)
        begun = time.monotonic()
        keys = await keys_stage(run, asked)
        between = time.monotonic()
        made = await trajectories_stage(run, asked, keys)
        spent = [spent[0] + between - begun, spent[1] + time.monotonic() - between]
        for listed, ref in zip(refs, (asked, keys, made), strict=True):
            listed.append(ref)
        done += made.figures["trajectories"]
        if number * 10 // wanted > (number - len(pending)) * 10 // wanted:
            told(f"stages 3 and 4, {done:,} validated", number, began)
        pending = []
    for stage, seconds in zip(("answer keys", "execution and validation"), spent, strict=True):
        print(f"  {stage}: {seconds:.1f} s, {wanted / seconds:.1f} a second")
    return refs


async def measured(params: SynthesizeParams, plans: int, wanted: int, size: int) -> None:
    """Print what the stages take."""
    run = await start_run(params, "replay", own_sandbox=True)
    began = time.monotonic()
    first = await explored(run)
    print(f"stage 1: {time.monotonic() - began:.1f} s, {first[-1].figures}; peak {peak():,} MiB", flush=True)
    began = time.monotonic()
    requests = await requested(run, plans, params.batch)
    rows = [row for ref in requests for row in Context(run).read(ref, "user_tasks")]
    told(f"stage 2, {len(rows)} requests", plans, began)
    positive = [row for row in rows if row["kind"] == "positive" and row["gap"] is None]
    asked, keys, made = await answered(run, positive, wanted, size)
    began = time.monotonic()
    survivors = deduplicate_stage(run, made)
    told(f"stage 5, {survivors.figures['kept']:,} kept", sum(r.figures["trajectories"] for r in made), began)
    began = time.monotonic()
    tools, links = first[0], first[-1]
    summary = publish_stage(
        run,
        {
            "tools": [tools], "links": [links], "user_tasks": asked, "call_sequences": keys,
            "trajectories": [survivors], "duplicates": [survivors],
            "outcomes": [*keys, *made], "rejects": [*keys, *made],
        },
    )  # fmt: skip
    told("publishing", sum(summary.counts.values()), began)
    print(", ".join(f"{name} {n:,}" for name, n in sorted(summary.counts.items())))


def main() -> int:
    """Print what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--plans", type=int, default=200)
    parser.add_argument("--batch", type=int, default=500)
    parser.add_argument("--recorded", type=Path, help="outputs of a run of default parameters; empty: a small new one")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outputs = Path(folder) / "rows"
        if args.recorded:
            params = SynthesizeParams.model_validate({"recordings": args.recorded / "recordings"})
        else:
            params = small_params(Path(folder) / "recorded", 20, resume=False).model_copy(update={"batch": 40})
            asyncio.run(recorded(params))
            params = params.model_copy(update={"recordings": params.outputs / "recordings"})
        params = params.model_copy(update={"endpoint": "replay", "outputs": outputs})
        asyncio.run(measured(params, args.plans, args.rows, args.batch))
    return 0


if __name__ == "__main__":
    sys.exit(main())
