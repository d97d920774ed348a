"""Paths of links are executed round by round and teach the posteriors (Link -> LearnedLink)."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from edge.calls import Caller, Outcome
from edge.links.choosing import Chooser, Siblings
from edge.links.controls import Case, Made
from edge.links.fillers import Filler, statically_fillable
from edge.links.knowledge import Knowledge
from edge.links.model import Evidence, LearnedLink, Link, Proof
from edge.links.posterior import Verdict, prior, update
from edge.links.progress import ExplorerState
from edge.links.rounds import End, ExplorationSettings, RoundReport
from edge.links.walking import Observed, Step, Trial, Walker, bound_names, bringing, entry_calls
from edge.specs.model import Tool

__all__ = ["ExplorationSettings", "Explorer", "RoundReport"]


class Explorer:
    """Holds the graph, its evidence and the records seen so far; `round` is deterministic for seed and answers.

    A round goes link by link: the first links of all its paths are tried at once, then the second ones of those that
    gave records, and so on. What is learned is applied in the order of the paths when all have answered, so the order
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
        self.filler, self.settings = filler, settings
        self.seed, self.as_of = seed, as_of
        known = evidence or {}
        beliefs = {x.link_id: known.get(x.link_id) or prior(x, settings.belief) for x in self.links}
        self.knowledge = Knowledge({k: replace(e) for k, e in beliefs.items()}, settings.kept_records)
        if state is not None:
            self.knowledge.go_on(state)
        self.walkable = [x for x in self.links if x.target_tool in self.tools]
        self.outgoing: dict[str, list[Link]] = {}
        for link in self.walkable:
            self.outgoing.setdefault(link.source_tool, []).append(link)
        self.services: dict[str, list[str]] = {}
        for tool in self.tools.values():
            self.services.setdefault(tool.service, []).append(tool.tool_id)
        self.siblings = Siblings(self.links, self.tools)

    @property
    def evidence(self) -> dict[str, Evidence]:
        """Evidence by link id."""
        return self.knowledge.evidence

    @property
    def records(self) -> dict[str, list[Observed]]:
        """Records seen, by tool."""
        return self.knowledge.records

    @property
    def unserved(self) -> set[str]:
        """Tools that the endpoint does not have."""
        return self.knowledge.unserved

    @property
    def calls(self) -> int:
        """Calls spent."""
        return self.knowledge.calls

    def state(self) -> ExplorerState:
        """Return what another explorer needs to go on from here; to be taken between rounds."""
        return self.knowledge.state()

    def learned(self) -> list[LearnedLink]:
        """Return every link with its evidence, sorted by link id."""
        return [LearnedLink(link, self.evidence[link.link_id]) for link in self.links]

    # -- rounds ---------------------------------------------------------------------------------------------------

    async def enter(self, caller: Caller) -> int:
        """Call every entry tool a few times to have records to start from; returns how many calls gave records.

        Once is enough: an explorer that goes on from a state makes no call.
        """
        if self.knowledge.entered:
            return 0
        self.knowledge.entered, began = True, time.monotonic()
        gate = asyncio.Semaphore(self.settings.concurrency)

        async def run(tool: Tool, arguments: dict[str, str]) -> Made:
            async with gate:
                return tool, arguments, await caller.call(tool, arguments)

        plans = entry_calls(self.tools.values(), self.filler, self.seed, self.settings.entry_calls)
        made = await asyncio.gather(*(run(*plan) for plan in plans[: self._calls_left()]))
        for tool, arguments, outcome in made:
            self.knowledge.count(tool, arguments, outcome)
            self.knowledge.learn(tool, arguments, outcome, self.filler.pool)
        self.knowledge.seconds += time.monotonic() - began
        return sum(outcome.ok for _, _, outcome in made)

    async def round(self, caller: Caller) -> RoundReport:
        """Plan, execute and learn from one round of paths."""
        began, before = time.monotonic(), self.knowledge.seconds
        settings, gate = self.settings, asyncio.Semaphore(self.settings.concurrency)
        walker = Walker(caller, self.filler, gate, f"{self.seed}:{self.knowledge.rounds_done}")
        chooser = self._chooser()
        steps = chooser.starts(self.walkable, min(settings.paths, self._calls_left()))
        started = bool(steps)
        for _ in range(settings.max_links):
            if not steps or self._late():
                break
            trials = await asyncio.gather(*(self._step(walker, step) for step in steps[: self._calls_left()]))
            learned = await self._learn(caller, gate, trials)
            self.knowledge.seconds = before + time.monotonic() - began
            steps = self._onward(chooser, learned)
        self.knowledge.rounds_done += 1
        self.knowledge.seconds = before + time.monotonic() - began
        return self.report(started=started)

    def report(self, *, started: bool = True) -> RoundReport:
        """Return the links by state, what was spent and what another round may bring."""
        states = [e.status for e in self.evidence.values()]
        trials = sum(e.trials + e.environmental_failures for e in self.evidence.values())
        expected, paths = self._chooser().expected(self.walkable, self.settings.paths)
        return RoundReport(
            states.count("candidate"),
            states.count("verified"),
            states.count("pruned"),
            trials,
            self.calls,
            round(expected, 3),
            self._end(started and paths > 0, expected / max(1, paths)),
        )

    def _end(self, started: bool, change: float) -> End:
        if not started:
            return "nothing to start from"
        if self._calls_left() <= 0:
            return "calls spent"
        if self._late():
            return "time spent"
        little = change < self.settings.least_change and self.settings.strategy != "uniform"
        return "little left to learn" if little else ""

    def _calls_left(self) -> int:
        return max(0, self.settings.max_calls - self.calls)

    def _late(self) -> bool:
        return self.settings.max_seconds is not None and self.knowledge.seconds >= self.settings.max_seconds

    # -- planning -------------------------------------------------------------------------------------------------

    def _chooser(self) -> Chooser:
        s = self.settings
        for link_id, found in self.evidence.items():  # they may have been changed from outside
            self.siblings.note(link_id, found)
        rng = random.Random(f"{self.seed}:choose:{self.knowledge.rounds_done}")
        return Chooser(self.knowledge, self.tools, self.siblings, self.outgoing, s, rng, self._fillable)

    def _fillable(self, link: Link) -> bool:
        """Whether what a link leaves to a person, the pool or another link can be filled by now."""
        tool = self.tools[link.target_tool]
        left = (p for p in tool.required if p.name in link.pooled)
        return all(
            statically_fillable(p) or self.filler.options(tool, p) or any(self.filler.pooled(tool, p)) for p in left
        )

    async def _step(self, walker: Walker, step: Step) -> Trial:
        link = step.link
        target, e = self.tools[link.target_tool], self.evidence[link.link_id]
        failing = e.trials > 0 and not e.successes
        favoured = (self._worked(link, target.tool_id) or self._worked(link)) if failing else {}
        return await walker.step(step, target, self.knowledge.tried.get(link.link_id, {}), favoured)

    def _worked(self, link: Link, *tools: str) -> dict[str, set[str]]:
        """Values with which these tools, or all of the target's service, gave records for what the link fills."""
        found, tools = self.filler.pool.accepted, tools or tuple(self.services[self.tools[link.target_tool].service])
        worked = {name: {v for t in tools for v in found.get((t, name), ())} for name in bound_names(link)}
        return worked if all(worked.values()) else {}

    def _onward(self, chooser: Chooser, trials: Sequence[Trial]) -> list[Step]:
        steps: list[Step] = []
        for trial in trials:
            if trial.outcome is not None and trial.verdict == "ok":
                sources = self.knowledge.observe(trial.arguments, trial.outcome)
                step = chooser.onward(trial.target.tool_id, sources)
                if step is not None:
                    steps.append(step)
        return steps

    # -- learning -------------------------------------------------------------------------------------------------

    async def _learn(self, caller: Caller, gate: asyncio.Semaphore, trials: Sequence[Trial]) -> list[Trial]:
        """Count calls, make the control calls and apply the verdicts; returns the trials as they were judged."""
        pool, knowledge = self.filler.pool, self.knowledge
        for trial in trials:
            if trial.outcome is not None:
                knowledge.count(trial.target, trial.arguments, trial.outcome)
                knowledge.learn(trial.target, trial.arguments, trial.outcome, pool)
        known = ((t, t.outcome) for t in trials if t.verdict == "ok")
        cases = [Case(t.target, t.arguments, t.bound, outcome) for t, outcome in known if outcome is not None]
        self._count(await knowledge.sensitivity.learn(caller, cases, gate, self._calls_left()))
        weighed, made = await knowledge.weighing.weigh(caller, trials, gate, self._calls_left())
        self._count(made)
        judged: list[Trial] = []
        for trial in trials:
            judged.append(replace(trial, verdict=self._verdict(trial, weighed)))
            self._apply(judged[-1])
        return judged

    def _verdict(self, trial: Trial, weighed: Mapping[str, Verdict]) -> Verdict | None:
        """What a trial says once the control calls are made."""
        if trial.verdict == "ok" and self.knowledge.sensitivity.ignored(trial.target, trial.bound):
            return "ignored"
        link_id = trial.link.link_id
        verdict = weighed[link_id] if link_id in weighed else trial.verdict  # noqa: SIM401 - keeps the type
        if verdict in ("refuted", "empty"):
            sources = self.records.get(trial.link.source_tool, ())
            return "sparse" if bringing(trial.link, sources, self._worked(trial.link)) else verdict
        refused = trial.outcome is not None and trial.verdict == "structural"
        if refused and not self.records.get(trial.target.tool_id):
            return "quiet"  # a tool that has refused everybody may be described wrongly: no fault of the link
        return verdict

    def _count(self, made: Iterable[tuple[Tool, dict[str, str], Outcome]]) -> None:
        for tool, arguments, outcome in made:
            self.knowledge.count(tool, arguments, outcome)

    def _apply(self, trial: Trial) -> None:
        link_id = trial.link.link_id
        self.knowledge.note(trial)
        if trial.verdict is None:
            return
        belief, found = self.settings.belief, self.evidence[link_id]
        update(found, trial.verdict, belief, cardinality=trial.cardinality, at=self.as_of)
        if trial.verdict == "ok":
            found.proof = Proof(trial.source, trial.arguments)
        self.siblings.note(link_id, found)
