"""Scores of one source's targets become its neighbours: places are shared out, crowds make room (scores -> choice)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from edge.links.evidence_rules import is_keyword
from edge.links.lexicon import Matrix, Rows, Texts
from edge.links.nearness import Embedder
from edge.links.transform_rules import AXES, LEVELS, is_region_code
from edge.specs.model import Parameter, Tool

Mask: TypeAlias = "NDArray[np.bool_]"

FLOOR = 0.2  # nothing joins what is less near
GOOD = 0.5  # from here on a domain's places are its own
CONTEXT = 0.15  # share of a score that hangs on titles and service
CROWDING, CONCEPT_CROWDING = 0.2, 0.3  # most that others with the same need or concept can take away
NEGLIGIBLE = FLOOR / (1 + CONTEXT) - 1e-4  # what scores less joins nothing, whatever titles and service say
_FADING = 0.7  # how fast they do
DIGITS = 5  # what is alike up to here is alike: sums over blocks of another size differ further on


def concepts(needs: Sequence[Parameter]) -> Rows:
    """Return what each need speaks of under whatever name (a place, a region, a search word), -1 for its own thing."""
    ids: dict[Hashable, int] = {}

    def concept(p: Parameter) -> int:
        if p.kind in AXES or p.kind == "grid":
            key: Hashable = p.kind == "grid"
        elif is_region_code(p.label, p.kind):
            key = "region"
        elif p.kind == "address" or (p.kind == "name" and p.format in LEVELS):
            key = p.format
        elif is_keyword(p):
            key = "keyword"
        else:
            return -1
        return ids.setdefault(key, len(ids))

    return np.asarray([concept(p) for p in needs], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Scored:
    """Targets that may be near to a source: their numbers, scores, and the distinct need that each score is owed to."""

    targets: Rows
    found: Matrix
    owed: Rows


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What choosing needs to know of the targets beside their scores; vectors are of the order of the targets."""

    names: Rows  # rank of the tool's id: ties are broken by it
    domains: Rows
    services: Rows
    titles: Texts
    turned: Matrix  # the titles as columns

    @classmethod
    def of(cls, tools: Sequence[Tool], embedder: Embedder, among: Sequence[Tool]) -> Neighbourhood:
        """Return the facts of `tools`, numbered as they are `among` all."""
        titles = embedder.encode([t.title for t in tools])
        return cls(
            _numbers([t.tool_id for t in tools], [t.tool_id for t in among]),
            _numbers([t.domain for t in tools], [t.domain for t in among]),
            _numbers([t.service for t in tools], [t.service for t in among]),
            Texts.of(titles),
            np.ascontiguousarray(titles.T),
        )

    def alike(self, me: Neighbourhood, block: range) -> Matrix:
        """Return how alike the titles of some sources and all targets are, in [0, 1], of shape (sources, targets)."""
        alike = me.titles.part(slice(block.start, block.stop)).times(self.turned)
        return np.clip(alike, np.float32(0), np.float32(1), out=alike)

    def nearest(
        self, me: Neighbourhood, at: int, titles: Matrix, scored: Scored, concept: Rows, places: tuple[int, int]
    ) -> list[tuple[int, float]]:
        """Return the chosen targets with their similarity, nearest first; `me` and `at` say who the source is.

        `titles` say how alike the titles are, `scored` which targets are near and why, `concept` the concepts of needs;
        `places` are those for the same domain and for others. Targets of the same service or title come first of
        equals. Of those that want the same thing, and of those that want the same concept, each more is set back.
        """
        targets = scored.targets
        same_service = (self.services[targets] == me.services[at]).astype(np.float32)
        context = titles[targets] + same_service - np.float32(1)
        near: Matrix = np.minimum(np.float32(1), scored.found * (1 + np.float32(CONTEXT) * context))
        near = near.round(DIGITS)
        kept = np.flatnonzero((near >= FLOOR) & (self.names[targets] != me.names[at]))
        names, similar, owed = self.names[targets[kept]], near[kept], scored.owed[kept]
        order = _falling(similar, names)
        adjusted = similar.copy()
        for groups, most in ((owed, CROWDING), (concept[owed], CONCEPT_CROWDING)):
            crowd = np.where(groups[order] < 0, 0, _ranks(groups[order]))
            adjusted[order] = np.round(adjusted[order] * (1 - most * (1 - _FADING**crowd)), DIGITS)
            order = _falling(adjusted, names)
        same = self.domains[targets[kept[order]]] == me.domains[at]
        chosen = order[shared_out(same, adjusted[order] >= GOOD, *places)]
        chosen = chosen[_falling(similar[chosen], names[chosen])]
        return list(zip(targets[kept[chosen]].tolist(), similar[chosen].astype(float).tolist(), strict=True))


def shared_out(same: Mask, good: Mask, own: int, others: int) -> Mask:
    """Which of the ranked get a place, `own` + `others` at most.

    Good ones of the same domain and of others have their share each; places that are left go to who is next, whatever
    the domain, but for a side that has no places at all.
    """
    mine = good & same
    theirs = good & ~same
    chosen = (mine & (np.cumsum(mine) <= own)) | (theirs & (np.cumsum(theirs) <= others))
    left = ~chosen & np.where(same, own > 0, others > 0)
    return chosen | (left & (np.cumsum(left) <= own + others - int(chosen.sum())))


def _numbers(values: Sequence[str], among: Sequence[str]) -> Rows:
    ids = {value: i for i, value in enumerate(sorted(set(among)))}
    return np.asarray([ids[value] for value in values], dtype=np.int64)


def _falling(scores: Matrix, names: Rows) -> Rows:
    """Return the places by falling score (of `DIGITS` digits), equal ones by name; no two have one name."""
    steps = np.rint(scores * 10**DIGITS).astype(np.int64)
    return np.argsort(names - steps * (int(names.max(initial=0)) + 1))


def _ranks(groups: Rows) -> Rows:
    """Return how many of its group stand before each element."""
    order = np.argsort(groups * len(groups) + np.arange(len(groups)))
    begins = np.flatnonzero(np.diff(groups[order], prepend=-2))
    sizes = np.diff(np.append(begins, len(groups)))
    ranks = np.empty(len(groups), dtype=np.int64)
    ranks[order] = np.arange(len(groups)) - np.repeat(begins, sizes)
    return ranks
