"""What each plan number is to be: its shape, its size and the link it must prove, the least planned first (-> agenda).

Number i depends on the seed, the graph, the numbers before it and what came of the batches before its own: a run that
goes on after a kill plans what it would have planned.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from edge.links.model import Link
from edge.plans.model import CallPlan
from edge.plans.routes import Route
from edge.plans.shapes import SHAPES, Blueprint, Shape
from edge.specs.model import Tool

T = TypeVar("T")
EVENNESS = 0.6  # exponent of the number of links: 0 plans every domain alike, 1 every link
NEW_TOOL = 3.0  # weight of links into tools that are in no row yet
MOST_OF_A_DOMAIN = 0.2  # of the plans
# How many calls plans are to have, with weights: what cannot grow that far stays smaller.
CALLS: Mapping[int, float] = {
    2: 1, 3: 2, 4: 4, 5: 7, 6: 10, 7: 12, 8: 12, 9: 11, 10: 10, 11: 8, 12: 8, 13: 7, 14: 9,
}  # fmt: skip


_DEAD = 4
Feed = Literal["one", "few", "many"]  # how many records usually feed a link: SEQ, FAN, DRV
FEEDS: Mapping[Feed, float] = {"one": 0.05, "few": 0.35, "many": 0.6}


def novelty(link: Link, used: Mapping[str, int]) -> float:
    """Return the weight of a link in a draw: what no row has yet comes first, a tool that none calls even more so."""
    new_tool = 1.0 if used.get(f"tool:{link.target_tool}", 0) else NEW_TOOL
    return new_tool / (1 + used.get(link.link_id, 0)) ** 2


def used_by(plans: Iterable[CallPlan], tools: Mapping[str, Tool]) -> Counter[str]:
    """Count in how many plans each link is (by id), each tool ("tool:" with its id) and each domain ("domain:...")."""
    used: Counter[str] = Counter()
    for plan in plans:
        called = {s.tool_id for s in plan.steps}
        used.update(plan.link_ids)
        used.update(f"tool:{t}" for t in called)
        used.update({f"domain:{tools[t].domain}" for t in called})
    return used


def set_out(walks: Mapping[str, int], links: Mapping[str, Link]) -> Counter[str]:
    """Count what plans were to prove and did not, by link id, as used: what leads nowhere makes room for the rest.

    A tool counts as used once for every `_DEAD` walks into it that led nowhere.
    """
    lost = Counter(walks)
    into: Counter[str] = Counter()
    for link_id, number in walks.items():
        if link_id in links:
            into[f"tool:{links[link_id].target_tool}"] += number
    return lost + Counter({tool: number // _DEAD for tool, number in into.items()})


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of the agenda: the shape and size of a plan, and the route that it walks; None: no way in."""

    blueprint: Blueprint
    last: Link
    route: Route | None


class Agenda:
    """The plans to make, in order; entries are drawn when first asked for.

    `route` walks back from a link to an entry, given how often each link was planned. `fits` says whether a link may
    end a plan of a shape, `feed` how many records usually feed it. `used` counts what earlier batches made, as
    `used_by` does: that counts as planned once more, so that what no row has yet comes first.
    """

    def __init__(
        self,
        links: Sequence[Link],
        tools: Mapping[str, Tool],
        shares: Mapping[Shape, float],
        *,
        route: Callable[[Link, random.Random, Counter[str]], Route | None],
        fits: Callable[[Shape, Link], bool],
        feed: Callable[[Link], Feed],
        seed: int,
        used: Mapping[str, int] | None = None,
    ) -> None:
        self._rng = random.Random(f"{seed}:agenda")
        self._tools = tools
        self._route = route
        self._shares = dict(shares)
        self._feed = {x.link_id: feed(x) for x in links}
        shuffled = self._rng.sample(list(links), len(links))
        self._open = {shape: [x for x in shuffled if fits(shape, x)] for shape in SHAPES}
        self._quotas = {shape: _quotas(found, tools) for shape, found in self._open.items()}
        self._planned: Counter[str] = Counter(used or {})  # by link, "tool:...", "domain:...", "shape:...", "calls:..."
        self._items: list[Item] = []

    def __bool__(self) -> bool:
        """Whether there is anything to plan with."""
        return bool(self._open["chain"])

    def __getitem__(self, index: int) -> Item:
        """Return the entry of a plan number.

        Raises:
            IndexError: there are no links to plan with.
        """
        if not self._open["chain"]:
            raise IndexError("no links")
        while len(self._items) <= index:
            self._items.append(self._next())
        return self._items[index]

    def _next(self) -> Item:
        shape: Shape = self._least("shape", {s: w for s, w in self._shares.items() if self._open[s]})
        calls = self._least("calls", CALLS) if shape in ("chain", "decide") else 0
        link = self._link(shape)
        route = self._route(link, self._rng, self._planned)
        walked = route.chain if route else (link,)
        for step in walked:
            self._planned[step.link_id] += 1
            self._planned[f"tool:{step.target_tool}"] += 1
        passed = {self._tools[t].domain for x in walked for t in (x.source_tool, x.target_tool)}
        self._planned.update(f"domain:{domain}" for domain in passed)
        return Item(Blueprint(shape, calls), link, route)

    def _least(self, group: str, weights: Mapping[T, float]) -> T:
        """The option that is furthest behind its share; it counts as planned."""
        name = min(weights, key=lambda n: ((self._planned[f"{group}:{n}"] + 1) / weights[n], str(n)))
        self._planned[f"{group}:{name}"] += 1
        return name

    def _link(self, shape: Shape) -> Link:
        """The least planned link of the least planned tool of the domain, and the feed in it, furthest behind."""
        quotas = self._quotas[shape]
        domain = min(quotas, key=lambda d: ((self._planned[f"domain:{d}"] + 1) / quotas[d], d))
        inside = [x for x in self._open[shape] if self._tools[x.target_tool].domain == domain]
        present = {self._feed[x.link_id] for x in inside}
        feed = self._least("feed", {f: share for f, share in FEEDS.items() if f in present})
        inside = [x for x in inside if self._feed[x.link_id] == feed]
        counts = Counter(x.target_tool for x in inside)
        tool = min(counts, key=lambda t: ((self._planned[f"tool:{t}"] + 1) / counts[t] ** EVENNESS, t))
        return min((x for x in inside if x.target_tool == tool), key=lambda x: self._planned[x.link_id])


def _quotas(links: Sequence[Link], tools: Mapping[str, Tool]) -> dict[str, float]:
    """Return how much of the plans each domain is to have: by its links, evened out, none more than a fifth."""
    counts = Counter(tools[x.target_tool].domain for x in links)
    weights = {domain: n**EVENNESS for domain, n in sorted(counts.items())}
    total = sum(weights.values())
    return {domain: min(w / total, MOST_OF_A_DOMAIN) for domain, w in weights.items()}
