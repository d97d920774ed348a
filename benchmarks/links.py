"""The link graph against what is wanted of it, each figure on a line with its target and whether it was reached.

Run: python benchmarks/links.py [--part PART ...] [--shared ../shared] [--seed 0] [--sample 400] [--labels]

The bundled specs are explored against sandboxes of its own, with default settings and the offline scorer. The labels
are those of `facts/labelled_links.json` in the shared folder; labels without a candidate link are counted apart.

`retrieval`: valid labels whose target is among the 25 neighbours of their source, by embedder: the weightless one, and
    a sentence-transformers folder where `--embedding-model` names one.
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
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from link_figures import ENDS, Figure, Label, Rate, gain, kept_out, lost, match
from link_runs import Explored, Prepared, calls_until, client_of, explore, peak_mib, prepare
from link_sampling import Sampler

from edge.embedding import make_embedder
from edge.execution.memo import MemoCaller
from edge.links.candidates import propose
from edge.links.exploration import ExplorationSettings
from edge.links.model import LearnedLink, Link
from edge.sandbox_process import SandboxProcess
from edge.settings import ExecutionSettings

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("retrieval", "states", "success", "budget", "long", "scale")
DEFAULT = PARTS[:4]
# 429, 5xx and, one time in ten, an answer later than the client waits. Waits are short: nobody is spared by them here.
KINDS = "throttled=0," * 4 + "server_error=500,server_error=502,server_error,server_error=504,server_error,latency=1500"
FAULTS = ("--fault-rate", "0.2", "--fault-kinds", KINDS)
PATIENCE = {"read_timeout_s": 1.0, "backoff_base_s": 0.01}


def retrieval(ready: Prepared, labels: Sequence[Label], model: str | None) -> Iterator[Figure]:
    """Recall of valid labels within the neighbours, by embedder."""
    sound = [x for x in labels if x.valid]
    for named in (None, model) if model else (None,):
        embedder = make_embedder(named)
        near = {(p.source, p.target) for p in propose(list(ready.tools.values()), embedder)}
        rate = Rate(sum((x.source.tool_id, x.target.tool_id) in near for x in sound), len(sound))
        yield Figure(
            "retrieval",
            f"valid labels among the 25 neighbours, {embedder.name}",
            str(rate),
            ">= 0.90",
            rate.value >= 0.9,
        )


def states(labels: Sequence[Label], stormy: Sequence[Label], calm: Explored, faulty: Explored) -> Iterator[Figure]:
    """How labelled links ended, without and with faults."""
    for name, each in (("", labels), (", one call in five fails", stormy)):
        for valid in (True, False):
            ends = Counter(x.end for x in each if x.valid is valid)
            shown = ", ".join(f"{end} {ends[end]}" for end in ENDS if ends[end])
            yield Figure("states", f"{'valid' if valid else 'wrong'} labels{name}", shown)
        out, pruned = kept_out(each), lost(each)
        yield Figure("states", f"wrong candidates pruned or unverified{name}", str(out), ">= 0.97", out.value >= 0.97)
        yield Figure("states", f"valid candidates pruned{name}", str(pruned), "<= 0.02", pruned.value <= 0.02)
    for name, of in (("wrong kept out", kept_out), ("valid pruned", lost)):
        points = 100 * abs(of(labels).value - of(stormy).value)
        yield Figure("states", f"difference by faults, {name}", f"{points:.1f} points", "<= 2", points <= 2)
    after = {x.link.link_id: x.evidence.status for x in faulty.learned}
    moved = Counter((x.evidence.status, after[x.link.link_id]) for x in calm.learned)
    swapped = moved["verified", "pruned"] + moved["pruned", "verified"]
    yield Figure(
        "states",
        "all links verified without and pruned with faults, or the reverse",
        f"{swapped} of {len(calm.learned)}",
    )
    failed = sum(x.evidence.environmental_failures for x in faulty.learned)
    yield Figure("states", "trials given up under faults", f"{failed}; {faulty.calls} calls in {faulty.seconds:.0f} s")


async def success(ready: Prepared, done: Explored, url: str, number: int, seed: int) -> list[Figure]:
    """Fresh calls of links before, of verified and of pruned ones after."""
    async with client_of(url) as client:
        sampler = Sampler(
            ready.tools,
            [x.link for x in done.of("verified")],
            done.filler,
            MemoCaller(client),
            asked=done.asked,
            unserved=done.unserved,
            seed=seed + 1_000,
        )
        groups = {"before": ready.links, "verified": _links(done.of("verified")), "pruned": _links(done.of("pruned"))}
        found = {name: await sampler.follow(links, number, name) for name, links in groups.items()}
    points, low, high = gain(found["before"].rate, found["verified"].rate)
    pruned = found["pruned"].rate
    unproven = sum(x.evidence.successes == 0 for x in done.of("verified"))
    figures = [
        Figure("success", f"{name}, executed / all", f"{each.rate} / {each.of_all.value:.3f} ({each})")
        for name, each in found.items()
    ]
    return [
        *figures,
        Figure("success", "gain", f"{points:+.1f} points [{low:+.1f}, {high:+.1f}]", ">= +25", points >= 25),
        Figure("success", "pruned links that succeed", str(pruned), "<= 0.05", pruned.value <= 0.05),
        Figure("success", "verified links without a success", str(unproven), "0", unproven == 0),
    ]


def _links(learned: Sequence[LearnedLink]) -> list[Link]:
    return [x.link for x in learned]


def budget(ours: Explored, uniform: Explored) -> Iterator[Figure]:
    """Calls for each verified link."""
    for name, run in (("Thompson", ours), ("uniform", uniform)):
        counts = f"{len(run.of('verified'))} verified, {len(run.of('pruned'))} pruned"
        seen = f"{run.calls} calls, {counts}: {run.calls_each:.2f}"
        yield Figure("budget", f"calls for each verified link, {name}", seen)
    times = uniform.calls_each / ours.calls_each
    yield Figure("budget", "fewer calls for each verified link", f"{times:.2f} times", ">= 1.5", times >= 1.5)
    reached = len(uniform.of("verified"))
    sooner = calls_until(ours.curve, reached)
    yield Figure(
        "budget",
        f"calls until {reached} links are verified (what uniform ends with)",
        f"{sooner} against {uniform.calls}",
    )


async def long(ready: Prepared, url: str) -> list[Figure]:
    """The paper's amount of exploration."""
    settings = replace(ready.settings, rounds=100, paths=500, max_calls=10**9)
    done = await explore(ready, url, settings=settings)
    seen = f"{done.seconds / 60:.1f} minutes, {done.calls} calls, {len(done.curve)} rounds were enough; {done}"
    return [
        Figure("long", f"100 rounds of 500 paths, {len(ready.tools)} tools, {len(ready.links)} links", seen),
        Figure("long", "peak memory of the exploring process", f"{peak_mib():.0f} MiB"),
    ]


def uniform_settings(ready: Prepared, calls: int) -> ExplorationSettings:
    """Return the settings of uniform sampling with a budget of calls, and rounds enough to spend it."""
    return replace(ready.settings, strategy="uniform", max_calls=calls, rounds=1_000, least_change=0.0)


def show(figures: Sequence[Figure] | Iterator[Figure], kept: list[Figure]) -> None:
    """Print figures as they come and keep them."""
    for figure in figures:
        print(figure, flush=True)
        kept.append(figure)


def list_failures(labels: Sequence[Label]) -> None:
    """Print the labelled links that ended otherwise than labelled."""
    for title, rows in (
        ("valid, not verified", [x for x in labels if x.valid and x.end != "verified"]),
        ("wrong, verified", [x for x in labels if not x.valid and x.end in ("verified", "only with a transform")]),
    ):
        print(f"\n{title}: {len(rows)}")
        for x in rows:
            same = " (same tool)" if x.source is x.target else ""
            print(f"  {x.end}{same}{'' if x.in_signatures else ' (a name is in no signature)'}: {x}".rstrip())


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
            show(retrieval(ready, match(raw, ready.tools, ()), options.embedding_model), kept)
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
    labels = match(raw, ready.tools, done.learned)
    if "states" in parts:
        with SandboxProcess(arguments=FAULTS) as faulty:
            execution = ExecutionSettings.model_validate(PATIENCE)
            stormy = await explore(ready, faulty.url, execution=execution)
        show(states(labels, match(raw, ready.tools, stormy.learned), done, stormy), kept)
    if "success" in parts:
        show(await success(ready, done, url, options.sample, options.seed), kept)
    if "budget" in parts:
        show(budget(done, await explore(ready, url, settings=uniform_settings(ready, done.calls))), kept)
    if options.labels:
        list_failures(labels)


def scale() -> int:
    """Let the benchmark of candidates print its figures."""
    return subprocess.run([sys.executable, str(ROOT / "benchmarks" / "candidates.py")], check=False).returncode


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, nargs="+", help="which figures (default: the first four)")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder that holds facts/")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, help="rounds of exploration, to look quickly (default: the run's)")
    parser.add_argument("--sample", type=int, default=400, help="links followed in each group of `success`")
    parser.add_argument("--embedding-model", help="a sentence-transformers folder, for `retrieval`")
    parser.add_argument("--labels", action="store_true", help="list the labelled links that ended otherwise")
    given = parser.parse_args()
    if set(given.part or DEFAULT) - {"scale"}:
        found = asyncio.run(main(given))
        print(f"\n{sum(x.reached is True for x in found)} reached, {sum(x.reached is False for x in found)} missed")
    if "scale" in (given.part or ()):
        sys.exit(scale())
