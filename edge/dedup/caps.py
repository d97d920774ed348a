"""Rows of one plan -> at most so many, chosen so that the argument values stay varied."""

from __future__ import annotations

import numpy as np

from edge.dedup.leader import Follows
from edge.dedup.sparse import Floats, Ints, Packed
from edge.dedup.table import Bools, grouped


def shape_cap(plan: Ints, values: Packed, alive: Bools, cap: int) -> Follows:
    """Return the rows beyond `cap` of one plan; each names the kept row with which it shares most argument values.

    Args:
        plan: a number of each row's plan, best row first; -1 where it is unknown, and such rows are not capped.
        values: numbers of each row's argument values.
        alive: rows that are still there.
        cap: rows to keep of a plan, 1 or more.

    The similarity is the Jaccard of the values.
    """
    found: list[Follows] = []
    for rows in grouped(plan, np.flatnonzero(alive & (plan >= 0))):
        if len(rows) > cap:
            held = _Values(values.chosen(rows))
            chosen = np.sort(held.choose(cap))
            dropped = np.setdiff1d(np.arange(len(rows)), chosen)
            best, score = held.nearest(dropped, chosen)
            found.append(Follows(rows[best], rows[dropped], score))
    return Follows.joined(found)


class _Values:
    """The argument values of the rows of one plan."""

    def __init__(self, own: Packed) -> None:
        self.counts, self.starts = own.counts, own.starts
        _, self.values = np.unique(own.words, return_inverse=True)
        self.distinct = int(self.values.max(initial=-1)) + 1

    def choose(self, cap: int) -> Ints:
        """Return the rows to keep: who adds most values not yet covered, then the better, then by id.

        When no row adds anything, covering starts anew, so that values come evenly often.
        """
        fresh = np.ones(self.distinct, dtype=bool)
        left = np.ones(len(self.counts), dtype=bool)
        chosen: list[int] = []
        while len(chosen) < min(cap, len(left)):
            gain = np.where(left, self._sum(fresh[self.values]), -1)
            best = int(gain.argmax())  # the first, which is the best, among equals
            if not gain[best] and not fresh.all():
                fresh[:] = True
                continue
            chosen.append(best)
            left[best] = False
            fresh[self.of(best)] = False
        return np.array(chosen, dtype=np.int64)

    def nearest(self, rows: Ints, kept: Ints) -> tuple[Ints, Floats]:
        """Return for each row the kept one that shares most of its values, the best among equals, and the Jaccard."""
        best = np.full(len(rows), kept[0], dtype=np.int64)
        score = np.full(len(rows), -1.0)
        for other in kept.tolist():
            held = np.zeros(self.distinct, dtype=bool)
            held[self.of(other)] = True
            shared = self._sum(held[self.values])[rows]
            alike = shared / np.maximum(self.counts[rows] + self.counts[other] - shared, 1)
            nearer = alike > score
            best[nearer], score[nearer] = other, alike[nearer]
        return best, score

    def of(self, row: int) -> Ints:
        """Return the values of a row."""
        return self.values[self.starts[row] : self.starts[row + 1]]

    def _sum(self, flags: Bools) -> Ints:
        whole = np.concatenate([[0], np.cumsum(flags)])
        return whole[self.starts[1:]] - whole[self.starts[:-1]]
