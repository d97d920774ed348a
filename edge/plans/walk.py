"""Verified links become chains that start where a person can, and chains become plans (LearnedLink -> CallPlan)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from edge.calls import Caller
from edge.links.fillers import Filler
from edge.links.model import Evidence, LearnedLink, Link
from edge.plans.arguments import enters
from edge.plans.choices import identifying
from edge.plans.draft import PlanFailed
from edge.plans.grounding import Grounder, GroundingSettings
from edge.plans.model import CallPlan
from edge.plans.runner import Execution, StepFailed
from edge.plans.sense import hangs_in_the_air
from edge.specs.model import Tool


@dataclass(frozen=True, slots=True)
class WalkSettings:
    """Which verified links plans may walk, and how far.

    A link can run and still make no sense (a code of one system that happens to exist in another), so plans walk only
    links whose signatures also speak for them (`min_feasibility`) and whose success is the rule (`min_success`). Nobody
    asks for what only `max_pages` pages of a list and more can tell.
    """

    max_links: int = 4
    min_success: float = 0.5
    min_feasibility: float = 0.6
    max_pages: int = 20
    tries: int = 5
    grounding: GroundingSettings = field(default_factory=GroundingSettings)


class Walker:
    """Draws plans: plan number i depends on the seed, i and the learned graph only, never on other plans."""

    def __init__(
        self,
        tools: Mapping[str, Tool],
        learned: Sequence[LearnedLink],
        filler: Filler,
        settings: WalkSettings,
        *,
        seed: int,
    ) -> None:
        self.tools = tools
        self.filler = filler
        self.settings = settings
        self.seed = seed
        self.links = [x.link for x in learned if self._walkable(x)]
        self.into: dict[str, list[Link]] = {}
        out_of: dict[str, list[Link]] = {}
        for link in self.links:
            self.into.setdefault(link.target_tool, []).append(link)
            out_of.setdefault(link.source_tool, []).append(link)
        self.order = self._steered_order()
        self.grounder = Grounder(tools, out_of, filler, settings.grounding)

    async def plan(self, index: int, caller: Caller) -> tuple[CallPlan, Execution]:
        """Ground plan number `index`; return it with the calls that grounded it.

        Raises:
            PlanFailed: no plan came of it within the tries; the last reason.
        """
        if not self.order:
            raise PlanFailed("no_verified_links")
        link = self.order[index % len(self.order)]
        failure = PlanFailed("no_entry", link.link_id)
        for attempt in range(self.settings.tries):
            rng = random.Random(f"{self.seed}:plan:{index}:{attempt}")
            chain = self._chain(link if attempt == 0 else self._prefer(self.into[link.target_tool], rng), rng)
            if chain is None:
                continue
            try:
                return await self.grounder.ground(chain, rng, caller)
            except PlanFailed as error:
                failure = error
            except StepFailed as error:
                failure = PlanFailed(error.reason, error.detail)
        raise failure

    def _walkable(self, learned: LearnedLink) -> bool:
        link, evidence = learned.link, learned.evidence
        if link.source_tool not in self.tools or link.target_tool not in self.tools:
            return False
        if hangs_in_the_air(link, self.tools[link.target_tool]):
            return False
        if _pages(self.tools[link.source_tool], evidence) > self.settings.max_pages:
            return False
        proven = evidence.status == "verified" and evidence.mean >= self.settings.min_success
        sensible = link.feasibility >= self.settings.min_feasibility
        return (
            proven and sensible and bool(identifying(link, self.tools[link.source_tool], self.tools[link.target_tool]))
        )

    def _steered_order(self) -> list[Link]:
        """Interleave the links by target domain and tool, so that no domain or tool swamps the rest."""
        rng = random.Random(f"{self.seed}:order")
        queues: dict[str, dict[str, list[Link]]] = {}
        for link in rng.sample(self.links, len(self.links)):
            domain = self.tools[link.target_tool].domain
            queues.setdefault(domain, {}).setdefault(link.target_tool, []).append(link)
        domains = {d: _interleave(list(by_tool.values())) for d, by_tool in sorted(queues.items())}
        return _interleave(list(domains.values()))

    def _chain(self, last: Link, rng: random.Random) -> list[Link] | None:
        """Walk backwards from `last` to an entry tool; None where no entry is reached within the length limit."""
        chain = [last]
        visited = {last.source_tool, last.target_tool}
        while True:
            source = self.tools[chain[0].source_tool]
            entered = enters(source, self.filler)
            before = [x for x in self.into.get(source.tool_id, ()) if x.source_tool not in visited]
            if entered and (not before or len(chain) >= self.settings.max_links or rng.random() < 0.6):
                return chain
            if not before or len(chain) >= self.settings.max_links:
                return None
            chain.insert(0, self._prefer(before, rng))
            visited.add(chain[0].source_tool)

    def _prefer(self, links: Sequence[Link], rng: random.Random) -> Link:
        """Choose a link, most likely one from a tool whose records people can start from by name."""
        weights = [4.0 if self._starts_by_name(self.tools[x.source_tool]) else 1.0 for x in links]
        return rng.choices(links, weights)[0]

    def _starts_by_name(self, tool: Tool) -> bool:
        named = tool.output(tool.name_field) if tool.name_field else None
        return named is not None and named.kind == "name" and enters(tool, self.filler)


def _pages(source: Tool, evidence: Evidence) -> float:
    """Return how many pages a list usually has whose records feed a link."""
    paging = source.profile.paging
    return median(evidence.cardinalities or [0]) / paging.max_size if paging else 1.0


def _interleave(queues: Sequence[list[Link]]) -> list[Link]:
    longest = max((len(q) for q in queues), default=0)
    return [q[i] for i in range(longest) for q in queues if i < len(q)]
