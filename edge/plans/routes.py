"""Routes from an entry to a link: chains of verified links, at best the one on which it succeeded (Link -> Way)."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from edge.links.model import LearnedLink, Link, Proof
from edge.plans.choices import identifying
from edge.specs.model import Tool

DIRECT_SHARE = 0.85  # of chains start as soon as they can: long ones break at each link, plans grow onward instead
Prefer = Callable[[Sequence[Link]], Link]


@dataclass(frozen=True, slots=True)
class Route:
    """A chain of links from an entry; `proven` are the arguments with which its tools have answered, by tool."""

    chain: tuple[Link, ...]
    proven: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])


class Routes:
    """Finds chains of at most `most` links.

    `enters` says whether a person can start at a tool, `can_say` whether with these arguments.
    """

    def __init__(
        self,
        links: Sequence[LearnedLink],
        most: int,
        enters: Callable[[str], bool],
        can_say: Callable[[str, Mapping[str, str]], bool],
    ) -> None:
        self._most, self._enters, self._can_say = most, enters, can_say
        self._into: dict[str, list[Link]] = {}
        self._proofs: dict[str, Proof] = {}
        for learned in links:
            self._into.setdefault(learned.link.target_tool, []).append(learned.link)
            if learned.evidence.proof is not None:
                self._proofs[learned.link.link_id] = learned.evidence.proof
        self._depth = self._depths([x.link for x in links])

    def into(self, tool_id: str) -> Sequence[Link]:
        """Return the links that lead to a tool."""
        return self._into.get(tool_id, ())

    def reaches(self, link: Link) -> bool:
        """Whether a chain from an entry gets to a link within the length limit."""
        return link.source_tool in self._depth

    def drawn(self, last: Link, rng: random.Random, prefer: Prefer) -> Route | None:
        """Walk backwards from `last` to an entry; None where the way is closed by tools that are on it already."""
        chain = [last]
        visited = {last.source_tool, last.target_tool}
        while True:
            source, room = chain[0].source_tool, self._most - len(chain)
            before = [
                x
                for x in self.into(source)
                if x.source_tool not in visited and self._depth.get(x.source_tool, room) < room
            ]
            if self._enters(source) and (not before or rng.random() < DIRECT_SHARE):
                return Route(tuple(chain))
            if not before:
                return None
            chain.insert(0, prefer(before))
            visited.add(chain[0].source_tool)

    def proven(self, last: Link) -> Route | None:
        """Return the chain on which a link succeeded; None where it is not told back to an entry."""
        chain, visited = [last], {last.source_tool, last.target_tool}
        proof = self._proofs.get(last.link_id)
        proven = {last.target_tool: proof.target} if proof else {}
        while proof is not None:
            source = chain[0].source_tool
            proven[source] = proof.source
            if self._can_say(source, proof.source):
                return Route(tuple(chain), proven)
            before = self._gave(source, proof.source, visited) if len(chain) < self._most else None
            if before is None:
                return None
            chain.insert(0, before)
            visited.add(before.source_tool)
            proof = self._proofs[before.link_id]
        return None

    def _gave(self, tool_id: str, arguments: Mapping[str, str], visited: set[str]) -> Link | None:
        """The link whose success was the call with these arguments, the one nearest to an entry."""
        found = [
            x
            for x in self.into(tool_id)
            if x.source_tool not in visited
            and x.link_id in self._proofs
            and self._proofs[x.link_id].target == arguments
        ]
        return min(found, key=lambda x: (self._depth.get(x.source_tool, self._most), x.link_id), default=None)

    def _depths(self, links: Sequence[Link]) -> dict[str, int]:
        """How many links away from an entry the tools are, those that are within reach of a chain."""
        depth = {x.source_tool: 0 for x in links if self._enters(x.source_tool)}
        for steps in range(1, self._most):
            for link in links:
                if depth.get(link.source_tool, steps) < steps:
                    depth.setdefault(link.target_tool, steps)
        return depth


def passes_on(learned: LearnedLink, tools: Mapping[str, Tool]) -> bool:
    """Whether a link gave its target only what its source had been called with: who knows that calls the target."""
    link, proof = learned.link, learned.evidence.proof
    if proof is None:
        return False
    told = {
        proof.target.get(b.target_parameter)
        for b in identifying(link, tools[link.source_tool], tools[link.target_tool])
    }
    return told <= set(proof.source.values())
