"""Thompson-sampled paths are executed and teach the posteriors (Link -> LearnedLink)."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import cast

from edge.calls import Arguments, Caller, Outcome, OutcomeClass, Record, call_key
from edge.links.controls import Case, Sensitivity
from edge.links.fillers import Filler
from edge.links.model import Evidence, LearnedLink, Link
from edge.links.paths import get_path, scalar, with_arguments
from edge.links.posterior import BeliefSettings, prior, update
from edge.links.progress import ExplorerState
from edge.links.transforms import apply
from edge.specs.model import Tool


@dataclass(frozen=True, slots=True)
class ExplorationSettings:
    """Budgets of Phase A. A path is at most `max_links` links long; a round plans `paths` of them at once.

    A tool that has not answered yet is met by at most `first_calls` of a round's fresh starts: one may be enough to
    learn that the endpoint does not serve it.
    """

    rounds: int = 16
    paths: int = 600
    max_links: int = 5
    entry_calls: int = 4
    enough_trials: int = 7
    enough_successes: int = 3
    max_calls: int = 20_000
    concurrency: int = 16
    kept_records: int = 60
    first_calls: int = 2
    belief: BeliefSettings = field(default_factory=BeliefSettings)


@dataclass(frozen=True, slots=True)
class Observed:
    """A record seen in an answer of `cardinality` records."""

    record: Record
    cardinality: int


@dataclass(frozen=True, slots=True)
class Trial:
    """One executed link of a path: what it was called with, what came, and whether the answer depended on it."""

    link: Link
    arguments: dict[str, str]
    cardinality: int
    outcome: Outcome | None
    verdict: OutcomeClass | str


@dataclass(frozen=True, slots=True)
class RoundReport:
    """Progress after a round: links by state, trials made so far and whether more rounds would teach anything."""

    candidate: int
    verified: int
    pruned: int
    trials: int
    done: bool


class Explorer:
    """Holds the graph, its evidence and the records seen so far; `round` is deterministic for seed and answers.

    Paths of one round are planned against the beliefs at its start and applied in path order at its end, so the order
    in which parallel calls happen to finish changes nothing. With the `state` of another explorer and the value pool of
    its filler it goes on as that one would have; `evidence`, by link id, is what an earlier run left of known links.
    """

    def __init__(
        self,
        tools: Iterable[Tool],
        links: Iterable[Link],
        filler: Filler,
        settings: ExplorationSettings,
        *,
        seed: int,
        as_of: str,
        evidence: Mapping[str, Evidence] | None = None,
        state: ExplorerState | None = None,
    ) -> None:
        self.tools = {t.tool_id: t for t in sorted(tools, key=lambda t: t.tool_id) if t.read_only}
        self.links = sorted(links, key=lambda link: link.link_id)
        known = evidence or {}
        self.evidence = {
            x.link_id: replace(known[x.link_id]) if x.link_id in known else prior(x, settings.belief)
            for x in self.links
        }
        self.records: dict[str, list[Observed]] = {}
        self.filler = filler
        self.settings = settings
        self.sensitivity = Sensitivity()
        self.seed = seed
        self.as_of = as_of
        self.rounds_done = 0
        self.calls = 0
        self.seconds = 0.0
        self.entered = False
        self.asked: set[str] = set()
        self.seen: set[str] = set()
        self.met: set[str] = set()
        self.unserved: set[str] = set()
        self.outgoing: dict[str, list[Link]] = {}
        for link in self.links:
            self.outgoing.setdefault(link.source_tool, []).append(link)
        if state is not None:
            self._go_on(state)

    # -- state ----------------------------------------------------------------------------------------------------

    def state(self) -> ExplorerState:
        """Return what another explorer needs to go on from here; to be taken between rounds."""
        return ExplorerState(
            evidence={k: asdict(e) for k, e in self.evidence.items()},
            records={k: [[o.record, o.cardinality] for o in seen] for k, seen in self.records.items()},
            ignored=self.sensitivity.plain(),
            asked=dict.fromkeys(self.asked, 1),
            seen=dict.fromkeys(self.seen, 1),
            met=dict.fromkeys(self.met, 1),
            unserved=dict.fromkeys(self.unserved, 1),
            figures={
                "rounds": self.rounds_done,
                "calls": self.calls,
                "seconds": self.seconds,
                "entered": self.entered,
            },
        )

    def _go_on(self, state: ExplorerState) -> None:
        """Take over a state; links it does not know keep their prior, links that are no more are left out."""
        for link_id in self.evidence.keys() & state.evidence.keys():
            self.evidence[link_id] = Evidence(**cast("dict[str, object]", state.evidence[link_id]))  # type: ignore[arg-type]
        for tool_id, seen in state.records.items():
            pairs = cast("Sequence[tuple[Record, int]]", seen)
            self.records[tool_id] = [Observed(record, cardinality) for record, cardinality in pairs]
        self.sensitivity = Sensitivity.of(state.ignored)
        self.asked, self.seen = set(state.asked), set(state.seen)
        self.met, self.unserved = set(state.met), set(state.unserved)
        figures = cast("Mapping[str, float]", state.figures)
        self.rounds_done, self.calls = int(figures["rounds"]), int(figures["calls"])
        self.seconds, self.entered = figures["seconds"], bool(figures["entered"])

    # -- rounds ---------------------------------------------------------------------------------------------------

    async def enter(self, caller: Caller) -> int:
        """Call every entry tool a few times to have records to start from; returns how many calls gave records.

        Once is enough: an explorer that goes on from a state makes no call.
        """
        if self.entered:
            return 0
        self.entered, began = True, time.monotonic()
        gate = asyncio.Semaphore(self.settings.concurrency)
        plans: list[tuple[Tool, dict[str, str]]] = []
        for tool in self.tools.values():
            rng = random.Random(f"{self.seed}:entry:{tool.tool_id}")
            seen: set[tuple[tuple[str, str], ...]] = set()
            for _ in range(self.settings.entry_calls):
                filled = self.filler.fill(tool, (), rng)
                if filled is None:
                    break
                arguments = {name: f.value for name, f in filled.items()}
                if (key := tuple(sorted(arguments.items()))) not in seen:
                    seen.add(key)
                    plans.append((tool, arguments))

        async def run(tool: Tool, arguments: dict[str, str]) -> Outcome:
            async with gate:
                return await caller.call(tool, arguments)

        outcomes = await asyncio.gather(*(run(tool, arguments) for tool, arguments in plans))
        for (tool, arguments), outcome in zip(plans, outcomes, strict=True):
            self._count(tool, arguments, outcome)
            self._learn_records(tool, arguments, outcome)
        self.seconds += time.monotonic() - began
        return sum(o.ok for o in outcomes)

    async def round(self, caller: Caller) -> RoundReport:
        """Plan, execute and learn from one round of paths."""
        began = time.monotonic()
        gate = asyncio.Semaphore(self.settings.concurrency)
        ready = [x for x in self.links if self._callable(x) and self.evidence[x.link_id].status != "pruned"]
        starts = self._starts(ready)

        async def run(index: int, link: Link) -> list[Trial]:
            async with gate:
                return await self._walk(caller, link, random.Random(f"{self.seed}:{self.rounds_done}:{index}"))

        paths = await asyncio.gather(*(run(i, link) for i, link in enumerate(starts)))
        cases = [case for path in paths for trial in path if (case := self._case(trial)) is not None]
        for tool, arguments, outcome in await self.sensitivity.learn(caller, cases, gate):
            self._count(tool, arguments, outcome)
        for trial in (trial for path in paths for trial in path):
            if trial.outcome is not None:
                self._count(self.tools[trial.link.target_tool], trial.arguments, trial.outcome)
        for path in paths:
            for trial in path:
                ignored = trial.verdict == "ok" and self._ignored(trial.link)
                self._apply(replace(trial, verdict="ignored") if ignored else trial)
                if ignored:
                    break  # what came after hung on a value that did not matter
        self.rounds_done += 1
        self.seconds += time.monotonic() - began
        return self.report(done=not starts)

    def report(self, *, done: bool = False) -> RoundReport:
        """Return the links by state and the trials so far."""
        states = [e.status for e in self.evidence.values()]
        trials = sum(e.trials + e.environmental_failures for e in self.evidence.values())
        return RoundReport(
            states.count("candidate"),
            states.count("verified"),
            states.count("pruned"),
            trials,
            done or not self._open(),
        )

    def learned(self) -> list[LearnedLink]:
        """Return every link with its evidence, sorted by link id."""
        return [LearnedLink(link, self.evidence[link.link_id]) for link in self.links]

    def _case(self, trial: Trial) -> Case | None:
        if trial.outcome is None or trial.verdict != "ok":
            return None
        bound = tuple(b.target_parameter for b in trial.link.bindings)
        return Case(self.tools[trial.link.target_tool], trial.arguments, bound, trial.outcome)

    def _ignored(self, link: Link) -> bool:
        return self.sensitivity.ignored(self.tools[link.target_tool], (b.target_parameter for b in link.bindings))

    # -- choosing -------------------------------------------------------------------------------------------------

    def _open(self) -> list[Link]:
        """Links with a source at hand on which more trials would still teach something."""
        return [link for link in self.links if self._callable(link) and not self._settled(self.evidence[link.link_id])]

    def _callable(self, link: Link) -> bool:
        """Whether there are records to start from and an operation to call."""
        return bool(self.records.get(link.source_tool)) and link.target_tool not in self.unserved

    def _settled(self, evidence: Evidence) -> bool:
        """Whether more trials would hardly change what is believed of a link."""
        if evidence.status == "pruned" or evidence.trials >= self.settings.enough_trials:
            return True
        return evidence.successes >= self.settings.enough_successes and evidence.successes == evidence.trials

    def _starts(self, ready: Sequence[Link]) -> list[Link]:
        """Choose the first link of each path: most the least tried, the rest by Thompson sampling among a handful."""
        if not ready:
            return []
        rng = random.Random(f"{self.seed}:starts:{self.rounds_done}")
        shuffled = sorted(self._open(), key=lambda x: (self.evidence[x.link_id].trials, rng.random()))
        if not shuffled:
            return []
        share = self.settings.paths // 4
        fresh = self._few_for_strangers(shuffled)[: self.settings.paths - share]
        drawn = [self._thompson(rng.sample(ready, min(12, len(ready))), rng) for _ in range(share)]
        return [*fresh, *drawn]

    def _few_for_strangers(self, links: Iterable[Link]) -> list[Link]:
        """Return the links in order, of those to a tool that has never answered only the first few."""
        starts: Counter[str] = Counter()
        kept: list[Link] = []
        for link in links:
            starts[link.target_tool] += 1
            if link.target_tool in self.met or starts[link.target_tool] <= self.settings.first_calls:
                kept.append(link)
        return kept

    def _thompson(self, links: Sequence[Link], rng: random.Random) -> Link:
        """Return the link with the highest success probability drawn from its posterior."""

        def draw(link: Link) -> float:
            e = self.evidence[link.link_id]
            return rng.betavariate(e.alpha, e.beta)

        return max(links, key=lambda link: (draw(link), link.link_id))

    # -- walking --------------------------------------------------------------------------------------------------

    async def _walk(self, caller: Caller, link: Link, rng: random.Random) -> list[Trial]:
        """Execute links one after another until one gives no records; blame stays with that one."""
        sources = self.records[link.source_tool]
        trials: list[Trial] = []
        for _ in range(self.settings.max_links):
            trial = await self._try(caller, link, sources, rng)
            trials.append(trial)
            if trial.verdict != "ok" or trial.outcome is None:
                break
            following = [
                x
                for x in self.outgoing.get(link.target_tool, ())
                if x.target_tool not in self.unserved and not self._settled(self.evidence[x.link_id])
            ]
            if not following:
                break
            sources = self._observe(trial.arguments, trial.outcome)
            link = self._thompson(following, rng)
        return trials

    async def _try(self, caller: Caller, link: Link, sources: Sequence[Observed], rng: random.Random) -> Trial:
        """Bind a random record to the target, fill the rest, call."""
        target = self.tools[link.target_tool]
        bound: dict[str, str] | None = None
        picked = sources[0]
        for picked in rng.sample(sources, min(5, len(sources))):
            bound = bind(link, picked.record)
            if bound is not None:
                break
        if bound is None:
            return Trial(link, {}, picked.cardinality, None, "structural")
        filled = self.filler.fill(target, bound, rng)
        if filled is None:
            return Trial(link, bound, picked.cardinality, None, "environmental")
        arguments = bound | {name: f.value for name, f in filled.items()}
        outcome = await caller.call(target, arguments)
        verdict: str = outcome.outcome
        if outcome.ok and self._ignored(link):
            verdict = "ignored"
        return Trial(link, arguments, picked.cardinality, outcome, verdict)

    # -- learning -------------------------------------------------------------------------------------------------

    def _apply(self, trial: Trial) -> None:
        update(
            self.evidence[trial.link.link_id],
            trial.verdict,  # type: ignore[arg-type]
            self.settings.belief,
            cardinality=trial.cardinality,
            at=self.as_of,
        )
        if trial.outcome is not None:
            self._learn_records(self.tools[trial.link.target_tool], trial.arguments, trial.outcome)

    def _observe(self, arguments: Mapping[str, str], outcome: Outcome) -> list[Observed]:
        step = max(1, len(outcome.records) // self.settings.kept_records)
        sample = outcome.records[::step][: self.settings.kept_records]
        return [Observed(with_arguments(r, arguments), outcome.total) for r in sample]

    def _count(self, tool: Tool, arguments: Arguments, outcome: Outcome) -> None:
        """Count a call, unless its answer was known: what an outage took is asked again."""
        key = call_key(tool.tool_id, arguments, False)
        if key not in self.asked or outcome.outcome == "environmental":
            self.calls += 1
        self.asked.add(key)

    def _learn_records(self, tool: Tool, arguments: Mapping[str, str], outcome: Outcome) -> None:
        self.met.add(tool.tool_id)
        if not outcome.ok:
            if says_unserved(tool, outcome):
                self.unserved.add(tool.tool_id)
            return
        pool = self.filler.pool
        for name, value in arguments.items():
            pool.add_accepted(tool.tool_id, name, value)
        kept = self.records.setdefault(tool.tool_id, [])
        key = call_key(tool.tool_id, arguments, False)
        if key in self.seen or len(kept) >= 5 * self.settings.kept_records:
            return
        self.seen.add(key)
        for observed in self._observe(arguments, outcome):
            kept.append(observed)
            for out in tool.outputs:
                value = scalar(get_path(observed.record, out.path))
                if value is not None and not out.private:
                    pool.add_output(tool.tool_id, out.path, value)


def says_unserved(tool: Tool, outcome: Outcome) -> bool:
    """Whether an outcome says that the endpoint has no such operation, whatever the arguments.

    Portals retire operations and replicas serve a part of them. A bare 404 says so only where no argument is part of
    the path: elsewhere it may mean that there is no such record.
    """
    if outcome.outcome != "structural":
        return False
    in_path = any(parameter.location == "path" for parameter in tool.offered)
    return outcome.reason == "unknown_operation" or (outcome.reason == "not_found" and not in_path)


def bind(link: Link, record: Record) -> dict[str, str] | None:
    """Return the arguments that a link makes from one record; None where a field or transform gives nothing."""
    arguments: dict[str, str] = {}
    for b in link.bindings:
        value = apply(b.transform, record, b.source_path)
        if value is None:
            return None
        arguments[b.target_parameter] = value
    return arguments
