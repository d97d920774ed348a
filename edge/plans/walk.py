"""Verified links become chains that start where a person can, and chains become plans (LearnedLink -> CallPlan)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from edge.calls import Caller
from edge.links.fillers import Filler
from edge.links.model import Evidence, LearnedLink, Link
from edge.plans.arguments import can_say, enters
from edge.plans.choices import identifying
from edge.plans.draft import PlanFailed
from edge.plans.grounding import Grounder, GroundingSettings
from edge.plans.joining import joins
from edge.plans.model import CallPlan
from edge.plans.routes import Route, Routes, passes_on
from edge.plans.runner import Execution, StepFailed
from edge.plans.sense import around_itself, hangs_in_the_air
from edge.plans.shapes import Blueprint, Shape
from edge.plans.steering import CALLS, EVENNESS, Agenda, Feed, Item, novelty
from edge.specs.model import Tool

PROVEN_SHARE = 0.7  # of links that no row has yet are first tried on the way on which they succeeded


MADE = "made"


@dataclass(frozen=True, slots=True)
class WalkSettings:
    """Which verified links plans may walk, and how far.

    A link can run and still make no sense (a code of one system that happens to exist in another), so plans walk only
    links whose signatures also speak for them (`min_feasibility`) and whose success is the rule (`min_success`). Nobody
    asks for what only `max_pages` pages of a list and more can tell. The shares say how many plans are to compare, to
    leave a choice to the data, and to join two branches; what cannot be had so becomes a chain.
    """

    max_links: int = 4
    min_success: float = 0.5
    min_feasibility: float = 0.6
    max_pages: int = 20
    tries: int = 15
    compare_share: float = 0.22
    decide_share: float = 0.24
    join_share: float = 0.06
    grounding: GroundingSettings = field(default_factory=GroundingSettings)

    @property
    def shares(self) -> dict[Shape, float]:
        """How often each shape is planned; one that is never planned is left out."""
        rest = 1.0 - self.compare_share - self.decide_share - self.join_share
        shares: dict[Shape, float] = {
            "chain": rest, "compare": self.compare_share, "decide": self.decide_share, "join": self.join_share,
        }  # fmt: skip
        return {shape: share for shape, share in shares.items() if share > 0}


class Walker:
    """Draws plans: plan number i depends on the seed, i, the learned graph and what was `used` before (see Agenda).

    `walks` counts what came of the links that plans set out to prove, by link id: `MADE`, or why none did.
    """

    def __init__(
        self,
        tools: Mapping[str, Tool],
        learned: Sequence[LearnedLink],
        filler: Filler,
        settings: WalkSettings,
        *,
        seed: int,
        used: Mapping[str, int] | None = None,
    ) -> None:
        self.tools = tools
        self.filler = filler
        self.used: Counter[str] = Counter(used or {})
        self.settings = settings
        self.seed = seed
        walkable = [x for x in learned if self._walkable(x)]
        self.links = [x.link for x in walkable]
        out_of: dict[str, list[Link]] = {}
        self.by_domain: dict[str, list[Link]] = {}
        passing = {x.link.link_id for x in walkable if passes_on(x, tools)}
        for link in self.links:
            out_of.setdefault(link.source_tool, []).append(link)
            if link.link_id in passing:
                continue
            self.by_domain.setdefault(tools[link.target_tool].domain, []).append(link)
        self.out_of = out_of
        self._enters: dict[str, bool] = {}
        self.walks: dict[str, Counter[str]] = {}
        self.routes = Routes(
            walkable, settings.max_links, self._can_enter, lambda t, told: can_say(tools[t], told, filler)
        )
        self.grounder = Grounder(tools, out_of, filler, settings.grounding, self.used)
        reached = [x for x in self.links if self.routes.reaches(x) and x.link_id not in passing]
        usual = {x.link.link_id: median(x.evidence.cardinalities or [1]) for x in learned}
        most = settings.grounding.fan_limit

        def feed(link: Link) -> Feed:
            count = usual[link.link_id]
            return "one" if count <= 1 else "few" if count <= most else "many"

        self.agenda = Agenda(
            reached, tools, settings.shares, route=self._route, fits=self._fits, feed=feed, seed=seed, used=self.used
        )

    async def plan(self, index: int, caller: Caller) -> tuple[CallPlan, Execution]:
        """Ground plan number `index`; return it with the calls that grounded it.

        Raises:
            PlanFailed: no plan came of it within the tries; the last reason.
        """
        if not self.links:
            raise PlanFailed("no_verified_links")
        if not self.agenda:
            raise PlanFailed("no_entry", self.links[0].link_id)
        item = self.agenda[index]
        failure = PlanFailed("no_entry", item.last.link_id)
        for attempt in range(self.settings.tries):
            rng = random.Random(f"{self.seed}:plan:{index}:{attempt}")
            route = item.route if attempt == 0 else self._anew(item, attempt, rng)
            if route is None:
                continue
            last_resort = attempt >= self.settings.tries - 2
            calls = item.blueprint.calls or rng.choice(tuple(CALLS))
            blueprint = Blueprint(calls=calls) if last_resort else item.blueprint
            walk = self.walks.setdefault(route.chain[-1].link_id, Counter())
            try:
                made = await self.grounder.ground(route.chain, rng, caller, blueprint, route.proven)
            except PlanFailed as error:
                failure = error
            except StepFailed as error:
                failure = PlanFailed(error.reason, error.detail)
            else:
                walk[MADE] += 1
                return made
            walk[failure.reason] += 1
        raise failure

    def _anew(self, item: Item, attempt: int, rng: random.Random) -> Route | None:
        """Another way to the same link; then one to another link into the same tool, the same domain, any domain."""
        third = self.settings.tries // 3
        if attempt == 1:
            return self._drawn(item.last, rng, self.used)
        if attempt < third:
            return self._route(self._prefer(self.routes.into(item.last.target_tool), rng, self.used), rng, self.used)
        here = self.tools[item.last.target_tool].domain
        domain = here if attempt < 2 * third else self._some_domain(rng)
        fitting = [x for x in self.by_domain[domain] if self._fits(item.blueprint.shape, x)]
        options = fitting or self.by_domain[domain]
        return self._route(rng.choices(options, [novelty(x, self.used) for x in options])[0], rng, self.used)

    def _some_domain(self, rng: random.Random) -> str:
        domains = sorted(self.by_domain)
        return rng.choices(domains, [len(self.by_domain[d]) ** EVENNESS for d in domains])[0]

    def _fits(self, shape: Shape, link: Link) -> bool:
        """Whether a plan of a shape can end with a link: a choice needs other tools, a join another way in."""
        if shape == "decide":
            return len({x.target_tool for x in self.out_of[link.source_tool]}) > 2
        if shape == "join":
            return any(
                joins(link, x, self.tools) and self._can_enter(x.source_tool)
                for x in self.routes.into(link.target_tool)
            )
        return True

    def _can_enter(self, tool_id: str) -> bool:
        if tool_id not in self._enters:
            self._enters[tool_id] = enters(self.tools[tool_id], self.filler)
        return self._enters[tool_id]

    def _walkable(self, learned: LearnedLink) -> bool:
        link, evidence = learned.link, learned.evidence
        if link.source_tool not in self.tools or link.target_tool not in self.tools:
            return False
        source, target = self.tools[link.source_tool], self.tools[link.target_tool]
        if hangs_in_the_air(link, target) or around_itself(link, source, target) or not self._sayable(link):
            return False
        if _pages(source, evidence) > self.settings.max_pages:
            return False
        proven = evidence.status == "verified" and evidence.mean >= self.settings.min_success
        sensible = link.feasibility >= self.settings.min_feasibility
        return proven and sensible and bool(identifying(link, source, target))

    def _sayable(self, link: Link) -> bool:
        """Whether a person can say what a link leaves open: exploration filled some of it from the value pool."""
        open_to = {r.parameter for r in link.rest if r.source in ("value_pool", "link")}
        return not open_to or enters(self.tools[link.target_tool], self.filler, among=open_to)

    def _route(self, last: Link, rng: random.Random, planned: Counter[str]) -> Route | None:
        """The way on which a link that no row has yet succeeded, for most of them; else one that is drawn."""
        new = not planned[last.link_id] and rng.random() < PROVEN_SHARE
        return (self.routes.proven(last) if new else None) or self._drawn(last, rng, planned)

    def _drawn(self, last: Link, rng: random.Random, planned: Counter[str]) -> Route | None:
        return self.routes.drawn(last, rng, lambda links: self._prefer(links, rng, planned))

    def _prefer(self, links: Sequence[Link], rng: random.Random, planned: Counter[str]) -> Link:
        """Choose a link, most likely from a tool to start from by name that feeds few others; domains take turns."""
        domains = [self.tools[x.source_tool].domain for x in links]
        crowd = Counter(domains)
        weights = [
            (2.0 if self._starts_by_name(self.tools[x.source_tool]) else 1.0)
            / (1 + planned[x.link_id])
            / (len(self.out_of[x.source_tool]) * (1 + planned[f"domain:{domain}"])) ** 0.5
            / crowd[domain]
            for x, domain in zip(links, domains, strict=True)
        ]
        return rng.choices(links, weights)[0]

    def _starts_by_name(self, tool: Tool) -> bool:
        named = tool.output(tool.name_field) if tool.name_field else None
        return named is not None and named.kind == "name" and self._can_enter(tool.tool_id)


def _pages(source: Tool, evidence: Evidence) -> float:
    """Return how many pages a list usually has whose records feed a link."""
    paging = source.profile.paging
    return median(evidence.cardinalities or [0]) / paging.max_size if paging else 1.0
