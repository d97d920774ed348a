"""The link graph against what is wanted of it, each figure on a line with its target and whether it was reached.

Run: python benchmarks/links.py [--part PART ...] [--shared ../shared] [--seed 0] [--sample 400] [--labels]

The bundled specs are explored against sandboxes of its own, with default settings and the offline scorer. The labels
are those of `facts/labelled_links.json` in the shared folder; labels without a candidate link are counted apart.

`retrieval`: valid labels whose target is among the 25 neighbours of their source, by embedder: the weightless one, and
    the sentence-transformers folders that `--embedding-model` names (`e5_folder.py` makes one that wants "query: ").
`states`: after exploration, labelled links that were candidates: wrong ones that are not verified, valid ones that are
    pruned; the same where one call in five meets 429, 5xx or a timeout, and the difference. `--labels` lists failures.
`success`: links followed once more by fresh calls that the exploration never made, with the same rule before (among all
    feasible links) and after (among verified, and among pruned ones): see `link_sampling.py`. Links that could not be
    executed (source not reached, nothing new to ask, operation not served here) are in the second rate, not in the
    first; targets are for the first.
`budget`: calls for each verified link, beside uniform sampling with the same budget of calls.
`long`: 100 rounds of 500 paths without a limit of calls: minutes, calls, peak memory of this process (ask for it
    alone).
`scale`: what `benchmarks/candidates.py` prints: seconds and peak memory of candidates for 2,318 tools.

Without --part: retrieval, states, success and budget, about ten minutes on two cores. Rates come with their Wilson
interval of 95 %.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from link_figures import Figure, Label, match
from link_parts import FAULTS, PATIENCE, budget, long, retrieval, states, success, uniform_settings
from link_runs import Prepared, explore, prepare

from edge.sandbox_process import SandboxProcess
from edge.settings import ExecutionSettings

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("retrieval", "states", "success", "budget", "long", "scale")
DEFAULT = PARTS[:4]


def show(figures: Sequence[Figure] | Iterator[Figure], kept: list[Figure]) -> None:
    """Print figures as they come and keep them."""
    for figure in figures:
        print(figure, flush=True)
        kept.append(figure)


def list_failures(labels: Sequence[Label], stormy: Sequence[Label]) -> None:
    """Print the labelled links that ended otherwise than labelled, and those that faults moved."""
    moved = [after for before, after in zip(labels, stormy, strict=False) if before.end != after.end]
    for title, rows in (
        ("valid, not verified", [x for x in labels if x.valid and x.end != "verified"]),
        ("wrong, verified", [x for x in labels if not x.valid and x.end in ("verified", "only with a transform")]),
        ("another end under faults", moved),
    ):
        print(f"\n{title}: {len(rows)}")
        for x in rows:
            same = " (same tool)" if x.source is x.target else ""
            unknown = "" if x.in_signatures else " (a name is in no signature)"
            print(f"  {'valid' if x.valid else 'wrong'}, {x.end}{same}{unknown}: {x}".rstrip())


async def main(options: argparse.Namespace) -> list[Figure]:
    """Run the chosen parts and print their figures."""
    facts = options.shared / "facts" / "labelled_links.json"
    raw: list[Mapping[str, object]] = json.loads(facts.read_text(encoding="utf-8")) if facts.is_file() else []
    if not raw:
        print(f"no labels: {facts} does not exist; name the folder that holds facts/ with --shared")
    parts: set[str] = set(options.part or DEFAULT)
    kept: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="edge-links-") as folder, SandboxProcess() as sandbox:
        changed = {"iterations": options.rounds} if options.rounds else {}
        ready = await prepare(sandbox.url, seed=options.seed, outputs=Path(folder), **changed)
        print(f"{len(ready.tools)} tools, {ready.pairs} pairs, {len(ready.links)} links in {ready.seconds:.1f} s")
        if "long" in parts:
            show(await long(ready, sandbox.url), kept)
        if "retrieval" in parts:
            show(retrieval(ready, match(raw, ready.tools, ()), options.embedding_model, options.embedding_prompt), kept)
        if parts & {"states", "success", "budget"}:
            await _explored(ready, sandbox.url, raw, parts, options, kept)
    return kept


async def _explored(
    ready: Prepared,
    url: str,
    raw: Sequence[Mapping[str, object]],
    parts: set[str],
    options: argparse.Namespace,
    kept: list[Figure],
) -> None:
    """The parts that look at an exploration with default settings."""
    done = await explore(ready, url)
    print(f"{done.calls} calls in {done.seconds:.1f} s, {len(done.curve)} rounds: {done}", flush=True)
    labels, stormy = match(raw, ready.tools, done.learned), list[Label]()
    if "states" in parts:
        with SandboxProcess(arguments=FAULTS) as faulty:
            execution = ExecutionSettings.model_validate(PATIENCE)
            under_faults = await explore(ready, faulty.url, execution=execution)
        stormy = match(raw, ready.tools, under_faults.learned)
        show(states(labels, stormy, done, under_faults), kept)
    if "success" in parts:
        show(await success(ready, done, url, options.sample, options.seed), kept)
    if "budget" in parts:
        show(budget(done, await explore(ready, url, settings=uniform_settings(ready, done.calls))), kept)
    if options.labels:
        list_failures(labels, stormy)


def scale() -> int:
    """Let the benchmark of candidates print its figures."""
    command = [sys.executable, str(ROOT / "benchmarks" / "candidates.py"), "--tools", "2318"]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, nargs="+", help="which figures (default: the first four)")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder that holds facts/")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, help="rounds of exploration, to look quickly (default: the run's)")
    parser.add_argument("--sample", type=int, default=400, help="links followed in each group of `success`")
    parser.add_argument(
        "--embedding-model", nargs="+", default=[], help="sentence-transformers folders, for `retrieval`"
    )
    parser.add_argument("--embedding-prompt", default="", help="what these models want before each text")
    parser.add_argument("--labels", action="store_true", help="list the labelled links that ended otherwise")
    given = parser.parse_args()
    if set(given.part or DEFAULT) - {"scale"}:
        found = asyncio.run(main(given))
        print(f"\n{sum(x.reached is True for x in found)} reached, {sum(x.reached is False for x in found)} missed")
    if "scale" in (given.part or ()):
        sys.exit(scale())
