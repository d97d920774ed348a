"""`edge dedup`: anybody's rows -> survivors, with a reason for every row that goes."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from edge.commands.options import (
    Subparsers,
    add_command,
    add_floors,
    add_held_out,
    add_outputs,
    existing,
    positive,
    today,
)

if TYPE_CHECKING:
    import polars as pl

    from edge.stages.foreign import Deduplicated


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "dedup", "remove repeats from the rows of a Parquet file", run)
    parser.add_argument(
        "file",
        type=existing,
        metavar="FILE",
        help="columns trajectory_id and query; plan, arguments, operator if known",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="the survivors (default: in the outputs folder)")
    parser.add_argument("--max-phrasings", type=count, metavar="N|all", default=1, help="wordings of one need (1)")
    parser.add_argument("--shape-cap", type=count, metavar="N|all", default=20, help="rows of one plan (20)")
    parser.add_argument("--language", choices=("ko", "en", "ja"), help="reject requests in other languages")
    parser.add_argument("--stale-before", type=today, metavar="DATE", help="reject rows whose `today` lies before it")
    parser.add_argument("--no-embeddings", action="store_true", help="leave out the layer that compares meaning")
    add_held_out(parser)
    add_floors(parser, "fail")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    add_outputs(parser)


def count(text: str) -> int | None:
    """Read a whole number of at least 1, or "all" for no limit."""
    return None if text == "all" else positive(text)


def run(args: argparse.Namespace) -> int:
    """Judge, publish, write the survivors and say what became of the rows."""
    from datetime import date

    from edge.commands.defaults import load_settings, outputs_of
    from edge.commands.preflight import writable_outputs
    from edge.dedup.floors import check_floor, read_floor
    from edge.dedup.records import DedupSettings
    from edge.dedup.rules import QualityRules
    from edge.embedding import make_embedder
    from edge.stages.foreign import decontaminated, deduplicate_file, measured

    outputs = writable_outputs(outputs_of(args))
    embedding = load_settings().embedding
    settings = DedupSettings(
        max_phrasings=args.max_phrasings, shape_cap=args.shape_cap, use_embeddings=not args.no_embeddings
    )
    rules = QualityRules(
        language=args.language, stale_before=date.fromisoformat(args.stale_before) if args.stale_before else None
    )
    embedder = make_embedder(
        embedding.model, embedding.revision, base_url=embedding.base_url, prompt=embedding.prompt, cache=outputs
    )
    found = deduplicate_file(args.file, settings, rules, embedder)
    if args.against:
        found = decontaminated(found, args.against, embedder)
    varied = measured(found, embedder)
    version = publish(found, varied, outputs)
    out = args.out or outputs / "deduplicated" / f"{args.file.stem}-{version}.parquet"
    out.parent.mkdir(parents=True, exist_ok=True)
    found.survivors().sink_parquet(out)
    short = check_floor(varied, [read_floor(text) for text in args.min_diversity or ()])
    report(found, version, out, short, as_json=args.json)
    return 1 if short else 0


def publish(found: Deduplicated, varied: pl.DataFrame, outputs: Path) -> str:
    """Publish all that was found as one version, rebuild the catalog and return the version."""
    from datetime import UTC, datetime

    import polars as pl

    from edge.datasets.catalog import build_catalog
    from edge.datasets.frames import write_frame
    from edge.datasets.parts import write_part
    from edge.datasets.store import Store

    store, work = Store(outputs), outputs / ".work" / found.run_id
    version = store.new_version(datetime.now(UTC), found.run_id)
    rejects = found.rejects.select(
        "reason", "detail", item_id="id", stage=pl.lit(found.count.stage), run_id=pl.lit(found.run_id)
    )
    contamination = found.matches.select(
        "held_out", "how", "similarity", trajectory_id="id", held_out_id="duplicate_of", run_id=pl.lit(found.run_id)
    )
    parts = [
        write_frame(work, "duplicates", found.duplicates()),
        write_frame(work, "rejects", rejects),
        write_frame(work, "contamination", contamination),
        write_frame(work, "diversity", varied.with_columns(run_id=pl.lit(found.run_id))),
        write_part(work, "stage_ledger", [found.count.row(found.run_id, round(found.seconds, 3))]),
    ]
    with store.writer():
        for part in parts:
            hashes = {"config": found.settings_hash}
            store.publish(part.dataset, version, [part], run_id=found.run_id, hashes=hashes)
    build_catalog(outputs)
    return version


def report(found: Deduplicated, version: str, out: Path, short: list[str], *, as_json: bool) -> None:
    """Print counts: what came, what went by which method or for which reason, and where the survivors are."""
    import json

    unverified = int(found.decisions["unverified_gate"].sum())
    told = {
        "rows": found.rows,
        "kept": found.kept.height,
        "dropped": dict(found.dropped.most_common()),
        "without_plan": unverified,
        "version": version,
        "survivors": str(out),
        "seconds": round(found.seconds, 2),
        "below_floor": short,
    }
    if as_json:
        print(json.dumps(told, ensure_ascii=False))
        return
    print(f"{found.rows} rows, {found.kept.height} kept, in {found.seconds:.1f} s")
    for reason, number in found.dropped.most_common():
        print(f"  {number:>8}  {reason}")
    if unverified:
        print(f"  {unverified} rows have no plan and arguments: text alone decided, by the stricter rule")
    for line in short:
        print(f"  too little diversity: {line}")
    print(f"survivors in {out}; duplicates, rejects, diversity and ledger are version {version}")
