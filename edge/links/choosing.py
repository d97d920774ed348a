"""Which links to try next: those on which a call is expected to decide most (evidence -> Step)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from edge.links.knowledge import Knowledge
from edge.links.model import Evidence, Link
from edge.links.posterior import failures_to_prune
from edge.links.rounds import ExplorationSettings
from edge.links.walking import Observed, Step, bound_names
from edge.specs.model import Tool

Group: TypeAlias = "tuple[str, ...]"


@dataclass(slots=True)
class Tally:
    """How many links of a group were tried and how many of them gave records."""

    tried: int = 0
    worked: int = 0

    def shrunk(self, mean: float) -> float:
        """Return the share that worked, with two observations more of which `mean` worked."""
        return (self.worked + 2 * mean) / (self.tried + 2)


class Siblings:
    """What links that have something in common tell of one another; it guides choices and is never evidence.

    Groups, from wide to narrow, each the prior of the next: links to the same tool; the same fields for the same
    parameters, anywhere; the same between the same two services; the same from one service to the same tool.
    """

    def __init__(self, links: Iterable[Link], tools: Mapping[str, Tool]) -> None:
        self.groups = {x.link_id: _groups(x, tools) for x in links}
        self.tallies: dict[Group, Tally] = {g: Tally() for groups in self.groups.values() for g in groups}
        self.known: dict[str, tuple[int, int]] = {}

    def note(self, link_id: str, evidence: Evidence) -> None:
        """Bring the tallies of a link's groups up to date."""
        now = (int(evidence.trials > 0), int(evidence.successes > 0))
        before = self.known.get(link_id, (0, 0))
        for group in self.groups[link_id]:
            self.tallies[group].tried += now[0] - before[0]
            self.tallies[group].worked += now[1] - before[1]
        self.known[link_id] = now

    def chance(self, link_id: str, mean: float) -> float:
        """Return how likely a link with this prior mean works, by its siblings and itself."""
        for group in self.groups[link_id]:
            mean = self.tallies[group].shrunk(mean)
        return mean

    def alike(self, link_id: str) -> Group:
        """The links with the same binding between the same services: a few of them speak for the rest."""
        return self.groups[link_id][2]


def _groups(link: Link, tools: Mapping[str, Tool]) -> tuple[Group, ...]:
    source, target = tools.get(link.source_tool), tools.get(link.target_tool)
    said = tuple(f"{b.target_parameter} {b.transform or ''} {b.source_path}" for b in link.bindings)
    bindings = tuple(sorted(said))
    giver, taker = source.service if source else "", target.service if target else ""
    return (
        ("to", link.target_tool),
        ("by", *bindings),
        ("between", giver, taker, *bindings),
        ("from", giver, link.target_tool, *bindings),
    )


@dataclass(slots=True)
class Chooser:
    """Chooses the steps of one round; no link is taken twice in it.

    `values` are draws of what a call is expected to bring. Of links of which nothing is known in
    common, or to a tool that has never answered, `first_calls` are taken at once: they may be enough to know the rest.
    `fillable` tells whether there is anything yet for what a link leaves to the values of earlier calls.
    """

    knowledge: Knowledge
    tools: Mapping[str, Tool]
    siblings: Siblings
    outgoing: Mapping[str, Sequence[Link]]
    settings: ExplorationSettings
    rng: random.Random
    fillable: Callable[[Link], bool] = lambda _: True
    values: dict[str, float] = field(default_factory=dict[str, float])
    taken: set[str] = field(default_factory=set[str])
    crowd: dict[Group, int] = field(default_factory=dict[Group, int])
    bar: float = 0.0

    def starts(self, links: Sequence[Link], number: int) -> list[Step]:
        """Return the first steps of a round: at most `number`, of links with records to start from."""
        if number <= 0:
            return []
        for link in links:
            if self.open(link):
                self.values[link.link_id] = self._draw(link)
        ready = [x for x in links if x.link_id in self.values and self.knowledge.records.get(x.source_tool)]
        ready.sort(key=lambda x: (-self.values[x.link_id], x.link_id))
        chosen: list[Link] = []
        for link in ready:
            if len(chosen) == number:
                break
            if self._take(link):
                chosen.append(link)
        if len(chosen) == number and self.settings.strategy != "uniform":
            self.bar = self.values[chosen[-1].link_id]
        return [Step(link, self.knowledge.records[link.source_tool]) for link in chosen]

    def onward(self, tool_id: str, sources: Sequence[Observed]) -> Step | None:
        """Return the next step of a path that has come to a tool: worth no less than the paths that were begun."""
        links = [x for x in self.outgoing.get(tool_id, ()) if self.values.get(x.link_id, -1.0) >= self.bar]
        for link in sorted(links, key=lambda x: (-self.values[x.link_id], x.link_id)):
            if self.open(link) and self._take(link):
                return Step(link, sources)
        return None

    def expected(self, links: Iterable[Link], number: int) -> tuple[float, int]:
        """Return how many states the next round is expected to change with at most `number` paths, and the paths."""
        ready = (x for x in links if self.knowledge.records.get(x.source_tool) and self.open(x))
        best = sorted((self.value(x, self.chance(x)) for x in ready), reverse=True)[:number]
        return sum(best), len(best)

    def open(self, link: Link) -> bool:
        """Whether a trial of the link is possible and may teach something."""
        e = self.knowledge.evidence[link.link_id]
        if e.status == "pruned" or not self.knowledge.callable(self.tools[link.target_tool]):
            return False
        if link.pooled and not self.fillable(link):
            return False
        if self.settings.strategy == "uniform":
            return True
        if e.trials >= self.settings.enough_trials:
            return False
        return len(self.knowledge.records.get(link.source_tool, ())) > self.knowledge.exhausted.get(link.link_id, -1)

    def chance(self, link: Link) -> float:
        """Return the expected chance of a success, by the link's own trials and its siblings."""
        alpha, beta = self._pooled(link)
        return alpha / (alpha + beta)

    def _pooled(self, link: Link) -> tuple[float, float]:
        e = self.knowledge.evidence[link.link_id]
        k, score = self.settings.belief.prior_strength, link.feasibility
        mean = self.siblings.chance(link.link_id, (1 + k * score) / (2 + k))
        strength = 2 + k
        return strength * mean + e.successes, strength * (1 - mean) + e.trials - e.successes

    def value(self, link: Link, chance: float) -> float:
        """Return the state changes expected per call, each by its worth, if a call succeeds with this chance.

        One success verifies a link; only so many failures in a row prune it, so that each of them brings a part of a
        change. A link is worth proving as far as its signatures speak for it: few plans walk others, whatever calls
        say. A proven link changes only if its success was luck, which is so where its chance is not viable. The first
        records of a tool are worth a change of their own, for the links that start there.
        """
        e, tool, settings = self.knowledge.evidence[link.link_id], self.tools[link.target_tool], self.settings
        weighed = self.knowledge.weighing.good.has(tool.tool_id, bound_names(link))
        failures = failures_to_prune(round(e.alpha, 6), round(e.beta, 6), e.trials, e.empties, settings.belief, weighed)
        if e.successes:  # a verified link without one was carried over to be proven anew
            gain = settings.prune_worth * (chance < settings.belief.viable) / failures
        else:
            gain = max(link.feasibility * chance, settings.prune_worth * (1 - chance) ** failures / failures)
        if not self.knowledge.records.get(tool.tool_id) and self.outgoing.get(tool.tool_id):
            gain += chance
        return gain * (1 + e.trials) / (1 + e.trials + e.environmental_failures)

    def _draw(self, link: Link) -> float:
        if self.settings.strategy == "uniform":
            return self.rng.random()
        return self.value(link, self.rng.betavariate(*self._pooled(link)))

    def _take(self, link: Link) -> bool:
        """Take a link unless it, or enough like it, was taken in this round."""
        if link.link_id in self.taken:
            return False
        if self.settings.strategy != "uniform":
            group, stranger = self.siblings.alike(link.link_id), ("met", link.target_tool)
            limits = {group: self.settings.first_calls + self.siblings.tallies[group].tried}
            if link.target_tool not in self.knowledge.met:
                limits[stranger] = self.settings.first_calls
            if any(self.crowd.get(key, 0) >= limit for key, limit in limits.items()):
                return False
            for key in limits:
                self.crowd[key] = self.crowd.get(key, 0) + 1
        self.taken.add(link.link_id)
        return True
