"""The figures of each part of the benchmark of links, with their targets (explorations, labels -> figures)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from link_figures import ENDS, Figure, Label, Rate, gain, kept_out, lost
from link_runs import Explored, Prepared, calls_until, client_of, explore, peak_mib
from link_sampling import Sampler

from edge.embedding import LexicalEmbedder, SentenceTransformerEmbedder
from edge.execution.memo import MemoCaller
from edge.links.candidates import propose
from edge.links.exploration import ExplorationSettings
from edge.links.model import LearnedLink, Link

# 429, 5xx and, one time in ten, an answer later than the client waits. Waits are short: nobody is spared by them here.
KINDS = "throttled=0," * 4 + "server_error=500,server_error=502,server_error,server_error=504,server_error,latency=1500"
FAULTS = ("--fault-rate", "0.2", "--fault-kinds", KINDS)
PATIENCE = {"read_timeout_s": 1.0, "backoff_base_s": 0.01}


def retrieval(ready: Prepared, labels: Sequence[Label], models: Sequence[str], prompt: str) -> Iterator[Figure]:
    """Recall of valid labels within the neighbours, by embedder: the weightless one, then the models' folders."""
    sound = [x for x in labels if x.valid]
    embedders = [LexicalEmbedder(), *(SentenceTransformerEmbedder(name, prompt=prompt) for name in models)]
    for embedder in embedders:
        began = time.perf_counter()
        near = {(p.source, p.target) for p in propose(list(ready.tools.values()), embedder)}
        seconds = time.perf_counter() - began
        rate = Rate(sum((x.source.tool_id, x.target.tool_id) in near for x in sound), len(sound))
        yield Figure(
            "retrieval",
            f"valid labels among the 25 neighbours, {embedder.name} ({seconds:.0f} s)",
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
    took = [f"{run.environmental} ({run.calls} calls in {run.seconds:.0f} s)" for run in (calm, faulty)]
    yield Figure("states", "environmental trials without and with faults", " and ".join(took))


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
