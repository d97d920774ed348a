"""How long the example queries take over a large version: each file of queries/, median of five.

Run: python benchmarks/queries.py [--rows 1000000] [--rounds 5] [--outputs FOLDER]

A version is made of so many trajectories, requests, answer keys and calls, with links, tools, rejects and the rest in
the proportions of real runs, written through the store with the declared schemas and read through the catalog. Values
are drawn from the number of the row; conversations and offered tools, which no query reads, are left short. With
`--outputs` the version stays there and is used again.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from edge.datasets.catalog import build_catalog, connect
from edge.datasets.columns import Column
from edge.datasets.files import write_atomic
from edge.datasets.frames import write_frame
from edge.datasets.parts import PartRef, encode_frame
from edge.datasets.schemas import schema_of
from edge.datasets.store import Store

QUERIES = Path(__file__).parents[1] / "queries"
BATCH = 100_000
TOOLS, LINKS = 450, 20_000
NOW = datetime(2026, 11, 29, 14, 30, tzinfo=UTC)
EARLIER, VERSION = "v20261129T143000Z-ab12cd34", "v20261129T143001Z-ab12cd34"
PLAIN = {"text": pl.lit("x"), "json": pl.lit("{}"), "int": pl.lit(1), "float": pl.lit(0.5), "flag": pl.lit(True)}
Columns = dict[str, pl.Expr]


def draw(seed: int, values: int) -> pl.Expr:
    """Return a whole number below `values`, drawn from the number of the row."""
    return (pl.col("row").hash(seed) % values).cast(pl.Int64)


def named(prefix: str, number: pl.Expr | None = None) -> pl.Expr:
    """Return ids such as "task-17"; by default with the number of the row."""
    return pl.format(prefix + "-{}", pl.col("row") if number is None else number)


def one_of(seed: int, *values: str) -> pl.Expr:
    """Return one of the values; repeat one to have it more often."""
    return draw(seed, len(values)).replace_strict(dict(enumerate(values)), return_dtype=pl.String)


def listed(template: str, parts: int) -> pl.Expr:
    """Return a JSON list of objects written from a template with two holes: a number below 450, and any number."""
    holes = [expr for n in range(parts) for expr in (draw(50 + n, TOOLS), draw(70 + n, 1_000_000))]
    return pl.format("[" + ",".join([template] * parts) + "]", *holes)


def tables(rows: int) -> dict[str, tuple[int, Columns]]:
    """Return how many rows each dataset gets and the columns in which they differ."""
    fact = '{{"call":"s{}","path":"$.items[0].field","value":"{}"}}'
    call = '{{"tool":"tool-{}","arguments":{{"lawdCd":"{}"}}}}'
    flow = '{{"source_path":"$.a{}","target_parameter":"p{}"}}'
    junctions = pl.concat_list(one_of(21, "SEQ", "FAN"), one_of(22, "DRV", "SEM", "CMP", "COND"))
    ends = {"source_tool": named("tool", draw(1, TOOLS)), "target_tool": named("tool", draw(2, TOOLS))}
    tried = {name: draw(n, 9) for n, name in enumerate(("successes", "structural_failures", "empties"), start=31)}
    task = named("task", draw(41, rows))
    return {
        "tools": (TOOLS, {
            "tool_id": named("tool"), "operation_key": named("service.operation"),
            "platform": named("platform", draw(3, 24)),
        }),
        "tool_shapes": (TOOLS, {"tool_id": named("tool")}),
        "links": (LINKS, {
            "link_id": named("link"), **ends, **tried, "bindings": listed(flow, 1),
            "status": one_of(4, "verified", "candidate", "candidate", "pruned"),
            "alpha": 1.0 + draw(5, 9), "beta": 1.0 + draw(6, 9),
        }),
        "user_tasks": (rows, {"task_id": named("task"), "query": named("the request")}),
        "call_sequences": (rows, {"task_id": named("task")}),
        "trajectories": (rows, {
            "trajectory_id": named("trajectory"), "task_id": named("task"),
            "n_calls": 1 + draw(7, 9), "depth": 1 + draw(8, 4), "max_parallel": 1 + draw(9, 4),
            "kind": one_of(10, *["positive"] * 4, "irrelevant", "recovery"),
            "split": one_of(11, *["train"] * 8, "validation", "test"), "junctions": junctions,
            "answer_facts": listed(fact, 3), "golden_calls": listed(call, 4),
            "link_ids": pl.concat_list(named("link", draw(12, LINKS)), named("link", draw(13, LINKS))),
        }),
        "outcomes": (rows, {
            "outcome_id": named("outcome"), "task_id": task, "step_id": named("s", draw(14, 5)),
            "tool_id": named("tool", draw(15, TOOLS)), "outcome": one_of(16, *["ok"] * 6, "empty", "structural"),
            "reason": one_of(17, "records", "no_records", "bad_value", "timeout"), "response_hash": named("hash"),
        }),
        "rejects": (rows // 2, {
            "stage": one_of(18, "task_generation", "execution_validation", "deduplication"), "item_id": named("item"),
            "reason": named("reason", draw(19, 30)), "detail": named("detail"),
        }),
        "duplicates": (rows // 10, {
            "trajectory_id": named("removed"), "duplicate_of": named("trajectory", draw(20, rows)),
            "method": one_of(23, "exact", "minhash", "embedding", "shape_cap"), "similarity": draw(24, 1000) / 1000,
        }),
        "spec_differences": (TOOLS * 4, {"tool_id": named("tool", draw(25, TOOLS)), "path": named("path")}),
        "eval_attempts": (rows // 10, {
            "task_id": named("task", pl.col("row") // 8), "attempt": pl.col("row") % 8, "passed": draw(26, 3) > 0,
            "error": pl.lit(None, pl.String),
        }),
        "usage": (40, {"prompt_hash": named("prompt")}),
        "stage_ledger": (7, {"stage": named("stage"), "dropped": pl.lit('{"empty":1}')}),
        "runs": (1, {"run_id": pl.lit("r1")}),
    }  # fmt: skip


def frames(dataset: str, rows: int, own: Columns) -> Iterator[pl.DataFrame]:
    """Yield the stored columns of a dataset; those that are not told apart have one value."""
    schema = schema_of(dataset)
    given = {c.name: own.get(c.name, plain(c)) for c in schema.stored if c.name != "schema_version"}
    for low in range(0, rows, BATCH):
        numbers = pl.DataFrame({"row": pl.int_range(low, min(low + BATCH, rows), eager=True)})
        yield numbers.select(expr.cast(schema.column(name).polars).alias(name) for name, expr in given.items())


def plain(column: Column) -> pl.Expr:
    """Return the one value of a column in which rows do not differ."""
    return pl.lit([], column.polars) if column.kind == "texts" else PLAIN[column.kind]


def with_sidecar(folder: Path, part: PartRef, rows: pl.DataFrame) -> PartRef:
    """Return the part with its measured columns beside it: latencies and times."""
    schema = schema_of(part.dataset)
    if not schema.measured:
        return part
    values = {"float": draw(27, 900).cast(pl.Float64), "time": pl.lit(NOW), "text": pl.lit(VERSION)}
    measured = rows.with_row_index("row").select(
        *schema.key, *(values[c.kind].cast(c.polars).alias(c.name) for c in schema.measured)
    )
    path = folder / f"_measured-{Path(part.path).name}"
    write_atomic(path, encode_frame(measured))
    return replace(part, measured=path.as_posix())


def build(outputs: Path, rows: int) -> None:
    """Write and publish the version, and an earlier one of the links; print how long it takes."""
    store, began = Store(outputs), time.monotonic()
    for dataset, (number, own) in tables(rows).items():
        folder = outputs / ".work" / "benchmark" / dataset
        refs = [with_sidecar(folder, write_frame(folder, dataset, f), f) for f in frames(dataset, number, own)]
        for version in (EARLIER, VERSION) if dataset in ("links", "runs") else (VERSION,):
            store.publish(dataset, version, refs, run_id="r1")
    build_catalog(outputs)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    size = sum(p.stat().st_size for p in outputs.glob("*/version=*/*")) / 2**20
    print(f"written and published in {time.monotonic() - began:.0f} s: {size:,.0f} MiB; peak {peak:,} MiB", flush=True)


def timed(outputs: Path, rounds: int) -> None:
    """Print the median of each query, and the number of rows that it gives."""
    with connect(outputs) as connection:
        for file in sorted(QUERIES.glob("*.sql")):
            text, taken = file.read_text(encoding="utf-8"), list[float]()
            found: list[object] = []
            for _ in range(rounds):
                began = time.monotonic()
                found = connection.execute(text).fetchall()
                taken.append(1000 * (time.monotonic() - began))
            print(f"{file.stem}: {statistics.median(taken):,.0f} ms ({len(found)} rows)", flush=True)


def main() -> int:
    """Print what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--outputs", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outputs = args.outputs or Path(folder) / "outputs"
        if Store(outputs).latest("runs") is None:
            build(outputs, args.rows)
        timed(outputs, args.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
