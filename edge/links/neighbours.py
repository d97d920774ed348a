"""Scores of one source's targets become its neighbours: places are shared out, crowds make room (scores -> choice)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from edge.links.evidence_rules import is_keyword
from edge.links.lexicon import Matrix, Rows
from edge.links.nearness import Embedder
from edge.links.transform_rules import AXES, LEVELS, is_region_code
from edge.specs.model import Parameter, Tool

Mask: TypeAlias = "NDArray[np.bool_]"

FLOOR = 0.2  # nothing joins what is less near
GOOD = 0.5  # from here on a domain's places are its own
CONTEXT = 0.15  # share of a score that hangs on titles and service
CROWDING, CONCEPT_CROWDING = 0.2, 0.3  # most that others with the same need or concept can take away
_FADING = 0.7  # how fast they do
_DIGITS = 5  # what is alike up to here is alike: sums over blocks of another size differ further on


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
class Neighbourhood:
    """What choosing needs to know of the targets beside their scores; vectors are of the order of the targets."""

    names: Rows  # rank of the tool's id: ties are broken by it
    domains: Rows
    services: Rows
    titles: Matrix

    @classmethod
    def of(cls, tools: Sequence[Tool], embedder: Embedder, among: Sequence[Tool]) -> Neighbourhood:
        """Return the facts of `tools`, numbered as they are `among` all."""
        return cls(
            _numbers([t.tool_id for t in tools], [t.tool_id for t in among]),
            _numbers([t.domain for t in tools], [t.domain for t in among]),
            _numbers([t.service for t in tools], [t.service for t in among]),
            embedder.encode([t.title for t in tools]),
        )

    def alike(self, me: Neighbourhood, block: range) -> Matrix:
        """Return how alike the titles of some sources and all targets are, in [0, 1], of shape (sources, targets)."""
        return np.clip(me.titles[block.start : block.stop] @ self.titles.T, np.float32(0), np.float32(1))

    def nearest(
        self,
        me: Neighbourhood,
        at: int,
        titles: Matrix,
        found: Matrix,
        owed: Rows,
        concept: Rows,
        places: tuple[int, int],
    ) -> tuple[Rows, Matrix]:
        """Return the chosen targets, nearest first, and all scores; `me` and `at` say who the source is.

        `titles` say how alike the titles are, `found` are the scores of the targets, `owed` the need that each is owed
        to and `concept` the concepts of needs; `places` are those for the same domain and for others. Targets of the
        same service or title come first of equals. Of those that want the same thing, and of those that want the same
        concept, each more is set back.
        """
        context = titles + (self.services == me.services[at]).astype(np.float32) - np.float32(1)
        near: Matrix = np.minimum(np.float32(1), found * (1 + np.float32(CONTEXT) * context))
        scores = near.round(_DIGITS)
        order = np.flatnonzero((scores >= FLOOR) & (self.names != me.names[at]))
        order = order[np.lexsort((self.names[order], -scores[order]))]
        adjusted = scores.copy()
        for groups, most in ((owed, CROWDING), (concept[owed], CONCEPT_CROWDING)):
            crowd = np.where(groups[order] < 0, 0, _ranks(groups[order]))
            adjusted[order] = np.round(adjusted[order] * (1 - most * (1 - _FADING**crowd)), _DIGITS)
            order = order[np.lexsort((self.names[order], -adjusted[order]))]
        same = self.domains[order] == me.domains[at]
        chosen = order[shared_out(same, adjusted[order] >= GOOD, *places)]
        return chosen[np.lexsort((self.names[chosen], -scores[chosen]))], scores


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


def _ranks(groups: Rows) -> Rows:
    """Return how many of its group stand before each element."""
    order = np.argsort(groups, kind="stable")
    begins = np.flatnonzero(np.diff(groups[order], prepend=-2))
    sizes = np.diff(np.append(begins, len(groups)))
    ranks = np.empty(len(groups), dtype=np.int64)
    ranks[order] = np.arange(len(groups)) - np.repeat(begins, sizes)
    return ranks
