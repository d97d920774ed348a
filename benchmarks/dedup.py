"""Deduplication against what is wanted of it, and beside other tools: seconds, needs lost, duplicates left.

Run: python benchmarks/dedup.py [--part PART ...] [--rows 100000] [--peers PYTHON] [--static FOLDER] [--outputs DIR ...]

Rows come from `dedup_generator.py`, which knows the need of each. "Needs lost" is the share of needs of which no row is
kept, "duplicates left" the share of rows beyond one a need that are kept. Every engine is a process of its own, timed
from start to end with its peak memory, one after another in one run; ratios are to ours.

`peers`: ours (gated MinHash layer, and all layers but the cap) beside datasketch, text-dedup, datatrove and semhash,
    which live in the environment of `--peers` (semhash with the model2vec folder of `--static`).
`layers`: what each layer does, also where the operator, or plan and arguments, are unknown.
`signatures`: rows a second, and beside `MinHash.bulk`.
`recall`: pairs at Jaccard .7 among 10,000 rows without any gate, by bands against all pairs.
`orders`: the same kept rows under shuffling, one or two threads, any parts.
`neighbours`: close pairs of 100,000 vectors by cells, against all pairs of a sample of rows.
`diversity`: seconds of the report.
`scale`: 1,000,000 rows, seconds and peak memory (a minute or more; ask for it).
`own`: the rows of outputs folders, whose plans and arguments are known: what goes, and needs lost (must be none).
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
from dedup_generator import kept_file

from edge.dedup.cells import close_pairs
from edge.dedup.diversity import diversity
from edge.dedup.importing import imported
from edge.dedup.leader import Edges
from edge.dedup.minhash import band_keys, candidate_pairs, signatures_of
from edge.dedup.normalise import text_keys
from edge.dedup.partitions import judge_in_parts
from edge.dedup.pipeline import judge
from edge.dedup.records import DedupSettings
from edge.dedup.rules import QualityRules, quality_rejects
from edge.dedup.shingles import Sets, pack, shingle_set
from edge.embedding import LexicalEmbedder, Vectors

PARTS = ("peers", "layers", "signatures", "recall", "orders", "neighbours", "diversity", "scale", "own")
DEFAULT = ("layers", "signatures", "recall", "orders", "neighbours", "diversity")
MINHASH = DedupSettings(max_phrasings=None, shape_cap=None, use_embeddings=False)
ALL = DedupSettings(shape_cap=None)
CACHE = Path(tempfile.gettempdir()) / "edge-dedup-rows"


def told(rows: pl.DataFrame, kept: pl.Series) -> str:
    """Return the figures of what was kept."""
    stays = rows.filter(pl.col("trajectory_id").is_in(kept.implode()))
    needs, left = rows["need"].n_unique(), stays["need"].n_unique()
    extra = max(rows.height - needs, 1)
    lost = (needs - left) / needs
    return f"kept {stays.height:>8}  needs lost {lost:7.2%}  duplicates left {(stays.height - left) / extra:6.1%}"


def timed(run: Callable[[], object]) -> tuple[float, float]:
    """Return wall and processor seconds."""
    wall, cpu = time.monotonic(), time.process_time()
    run()
    return time.monotonic() - wall, time.process_time() - cpu


def process(command: list[str], environment: dict[str, str] | None = None) -> tuple[float, float, float]:
    """Run a process; return wall seconds, processor seconds and peak memory in MB of it and its children."""
    script = (
        "import resource, subprocess, sys, time\nbegan = time.monotonic()\n"
        "code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "if code.returncode: sys.exit((code.stderr.strip().splitlines() or ['failed'])[-1])\n"
        "print(time.monotonic() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *command], capture_output=True, text=True, env=environment, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    wall, cpu, memory = map(float, done.stdout.split())
    return wall, cpu, memory


def peers(path: Path, python: str | None, static: str | None) -> None:
    """Print a line for each engine."""
    import os

    rows = pl.read_parquet(path)
    engines = {"ours, minhash": [sys.executable, __file__, "--engine", "minhash"]}
    engines["ours, all layers"] = [sys.executable, __file__, "--engine", "all"]
    if python is None:
        print("no peers: name the interpreter of an environment that has them with --peers")
    for name in ("datasketch", "text-dedup", "datatrove", "semhash") if python else ():
        engines[name] = [python, str(Path(__file__).with_name("dedup_peers.py")), name]
    ours = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for name, command in engines.items():
            out = Path(folder) / "kept.txt"
            environment = {**os.environ, **({"EDGE_STATIC_MODEL": static} if static else {})}
            try:
                wall, cpu, memory = process([*command, str(path), str(out)], environment)
            except RuntimeError as error:
                print(f"{name:<18} did not run: {error}")
                continue
            ours = ours or wall
            kept = pl.Series(out.read_text(encoding="utf-8").split("\n"))
            print(
                f"{name:<18}{wall:7.1f} s ({wall / ours:5.1f}x) cpu {cpu:6.1f} s {memory:6.0f} MB  {told(rows, kept)}"
            )


def engine(which: str, source: str, out: str) -> None:
    """Read rows, judge them, write the ids kept: what a peer does too."""
    rows = imported(
        pl.read_parquet(source, columns=["trajectory_id", "query", "plan", "arguments", "operator", "quality"])
    )
    decisions = judge(rows, MINHASH if which == "minhash" else ALL)
    Path(out).write_text("\n".join(decisions.filter("kept")["id"].to_list()), encoding="utf-8")


def layers(path: Path) -> None:
    """Print what each layer does."""
    rows = pl.read_parquet(path)
    known = imported(rows)
    for name, settings, frame in (
        (
            "equal text",
            DedupSettings(max_phrasings=None, shape_cap=None, use_embeddings=False, need_jaccard=1.0),
            known,
        ),
        ("minhash .5, gated", MINHASH, known),
        ("all layers", ALL, known),
        ("operator unknown", ALL, known.drop("operator")),
        ("plan unknown", ALL, known.select("id", "text", "quality")),
        ("shape cap 20", DedupSettings(), known),
    ):
        found: list[pl.DataFrame] = []
        wall, cpu = timed(lambda s=settings, f=frame, to=found: to.append(judge(f, s)))
        kept = found[0].filter("kept")["id"]
        print(f"{name:<18}{wall:7.2f} s cpu {cpu:6.2f} s  {told(rows, kept)}")


def signatures(path: Path) -> None:
    """Print rows a second of signing, beside datasketch, on the same shingles in the same run, each the best of 3."""
    from datasketch import MinHash

    texts = text_keys(pl.read_parquet(path)["query"]).to_list()[:20_000]
    packed = pack(texts)
    wall = min(timed(lambda: signatures_of(packed, threads=2))[0] for _ in range(3))
    shingled = [[shingle.encode() for shingle in shingle_set(text)] for text in texts]
    bulk = min(timed(lambda: list(MinHash.bulk(shingled, num_perm=128)))[0] for _ in range(3))
    print(
        f"signatures   {len(texts) / wall:.0f} rows/s, MinHash.bulk {len(texts) / bulk:.0f} rows/s: {bulk / wall:.1f}x"
    )


def recall(path: Path) -> None:
    """Print how many of all pairs share a band."""
    texts = text_keys(pl.read_parquet(path)["query"].head(10_000)).unique(maintain_order=True).to_list()
    sets = Sets(texts, 2)
    everyone = np.arange(len(texts), dtype=np.int64)
    product = sets.product(everyone)
    wanted: set[int] = set()
    for start in range(0, len(texts), 512):
        rows = everyone[start : start + 512]
        i, j = np.nonzero(product(rows, everyone) >= 0.7)
        wanted |= {int(a * len(texts) + b) for a, b in zip(rows[i], j, strict=True) if a < b}
    pairs = candidate_pairs(band_keys(signatures_of(sets.packed, threads=2), 0.7), pairs_a_row=10_000)
    assert pairs is not None
    near = sets.jaccard(*pairs) >= 0.7
    found = set((pairs[0][near] * len(texts) + pairs[1][near]).tolist())
    share = len(found & wanted) / max(len(wanted), 1)
    right = len(found & wanted) / max(len(found), 1)
    print(f"recall       {share:.4f} of {len(wanted)} pairs at Jaccard .7 among {len(texts)}, precision {right:.3f}")


def orders(path: Path) -> None:
    """Print whether order, threads and parts change what is kept."""
    rows = imported(pl.read_parquet(path).head(20_000))
    first = judge(rows, DedupSettings(threads=1))
    shuffled = rows.sample(fraction=1.0, shuffle=True, seed=1)
    same = [judge(shuffled, DedupSettings(threads=2)).equals(first)]
    with tempfile.TemporaryDirectory() as folder:
        for size in (3000, 7000):
            batches = (shuffled[start : start + 1000] for start in range(0, shuffled.height, 1000))
            chosen = DedupSettings(partition_rows=size)
            same.append(judge_in_parts(batches, rows.height, Path(folder), chosen, LexicalEmbedder()).equals(first))
    print(
        f"orders       shuffled and two threads, 7 parts, 3 parts: {'the same' if all(same) else f'DIFFERENT: {same}'}"
    )


def neighbours(count: int) -> None:
    """Print seconds of the self-join by cells, and its recall of pairs of 2,000 sampled rows."""
    vectors = reduced(count)
    found: list[Edges] = []
    wall, cpu = timed(lambda: found.append(close_pairs(vectors, 0.95)))
    sampled = np.sort(np.random.default_rng(1).permutation(count)[:2000])
    wanted: set[int] = set()
    for start in range(0, len(sampled), 500):
        rows = sampled[start : start + 500]
        i, j = np.nonzero(vectors[rows] @ vectors.T >= 0.95)
        pairs = np.sort(np.stack([rows[i], j], axis=1), axis=1)
        wanted |= set((pairs[:, 0] * count + pairs[:, 1])[pairs[:, 0] != pairs[:, 1]].tolist())
    share = len(wanted & set((found[0].earlier * count + found[0].later).tolist())) / max(len(wanted), 1)
    print(f"neighbours   {count} x 256: {wall:.2f} s cpu {cpu:.2f} s, {len(found[0].later)} pairs, recall {share:.4f}")


def reduced(count: int) -> Vectors:
    """Return vectors of 256 dimensions of the generator's texts: the lexical ones, projected at random."""
    texts = pl.read_parquet(kept_file(CACHE / f"rows-{count}.parquet", count))["query"].to_list()
    projection = np.random.default_rng(0).normal(size=(1024, 256)).astype(np.float32) / 16
    out = np.empty((count, 256), dtype=np.float32)
    for start in range(0, count, 20_000):
        out[start : start + 20_000] = LexicalEmbedder().encode(texts[start : start + 20_000]) @ projection
    return out / np.linalg.norm(out, axis=1, keepdims=True)


def report(path: Path) -> None:
    """Print seconds of the diversity report."""
    rows = imported(pl.read_parquet(path)).rename({"plan": "plans"})
    wall, cpu = timed(lambda: diversity(rows))
    print(f"diversity    {rows.height} rows: {wall:.2f} s cpu {cpu:.2f} s")


def scale(count: int) -> None:
    """Print seconds and memory of many rows, each mode a process of its own."""
    path = kept_file(CACHE / f"rows-{count}.parquet", count)
    with tempfile.TemporaryDirectory() as folder:
        for which in ("minhash", "all"):
            command = [sys.executable, __file__, "--engine", which, str(path), f"{folder}/kept.txt"]
            wall, cpu, memory = process(command)
            print(f"scale        {count} rows, {which}: {wall:.1f} s cpu {cpu:.1f} s, {memory:.0f} MB")


def own(folders: list[Path]) -> None:
    """Print what goes of the trajectories that runs shipped, all together, and whether a need went with it."""
    files = [path for folder in folders for path in folder.glob("trajectories/version=*/part-*.parquet")]
    if not files:
        print("own          no trajectories: name outputs folders with --outputs")
        return
    rows = pl.concat([pl.read_parquet(path) for path in files], how="diagonal").unique("trajectory_id")
    known = imported(rows)
    named = known.with_columns(need=pl.concat_str("plan", "args", separator="|")).rename({"id": "trajectory_id"})
    for name, frame, settings in (
        ("all layers", known, ALL),
        ("with the cap", known, DedupSettings()),
        ("text alone", known.select("id", "text"), DedupSettings(text_jaccard=0.7)),
    ):
        kept = judge(frame, settings).filter("kept")["id"]
        print(f"own          {rows.height} rows of {len(folders)} folders, {name}: {told(named, kept)}")
    rejects = quality_rejects(known.select("id", "text"), QualityRules(language="ko"))
    print(f"own          {rejects.height} rows break a rule {rejects['reason'].unique().to_list()}")


def main() -> None:
    """Run the chosen parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--peers", metavar="PYTHON")
    parser.add_argument("--static", metavar="FOLDER")
    parser.add_argument("--outputs", type=Path, nargs="*", default=[])
    parser.add_argument("--engine", nargs=3, metavar=("WHICH", "IN", "OUT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.engine:
        engine(*options.engine)
        return
    path = kept_file(CACHE / f"rows-{options.rows}.parquet", options.rows)
    runs: dict[str, Callable[[], None]] = {
        "peers": lambda: peers(path, options.peers, options.static),
        "layers": lambda: layers(path),
        "signatures": lambda: signatures(path),
        "recall": lambda: recall(path),
        "orders": lambda: orders(path),
        "neighbours": lambda: neighbours(options.rows),
        "diversity": lambda: report(path),
        "scale": lambda: scale(1_000_000),
        "own": lambda: own(options.outputs),
    }
    for part in options.part or DEFAULT:
        runs[part]()
        sys.stdout.flush()
    print(f"peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
