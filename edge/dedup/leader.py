"""Similarities of rows -> who stands for whom: the best row leads, and followers never lead others.

Greedy and not connected components: every dropped row is within the threshold of a kept one, with no chains of rows
each a little different from the one before. A row follows its most similar leader, the best among equals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from edge.dedup.sparse import Floats, Ints


@dataclass(frozen=True, slots=True)
class Edges:
    """Pairs of rows that are alike: `earlier` ranks before `later`, `similarity` is at or above the threshold."""

    earlier: Ints
    later: Ints
    similarity: Floats

    @classmethod
    def none(cls) -> Edges:
        """Return no pairs."""
        return cls(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))

    @classmethod
    def joined(cls, parts: list[Edges]) -> Edges:
        """Return the pairs of all parts."""
        parts = parts or [cls.none()]
        return cls(
            np.concatenate([part.earlier for part in parts]),
            np.concatenate([part.later for part in parts]),
            np.concatenate([part.similarity for part in parts]),
        )


# What is dropped: row `later` for the sake of row `earlier`, which is no follower itself.
Follows = Edges


def lead(edges: Edges) -> Follows:
    """Return one pair for every row that has a leader; the rank of rows (0 is the best) alone decides who leads."""
    order = np.lexsort((edges.earlier, -edges.similarity, edges.later))
    following: set[int] = set()
    chosen: list[int] = []
    done = -1
    earlier, later = edges.earlier[order].tolist(), edges.later[order].tolist()
    for place, (leader, row) in enumerate(zip(earlier, later, strict=True)):
        if row != done and leader not in following:
            following.add(row)
            chosen.append(place)
            done = row
    taken = order[chosen]
    return Follows(edges.earlier[taken], edges.later[taken], edges.similarity[taken])


def lead_in_blocks(
    count: int, similarity: Callable[[Ints, Ints], Floats], threshold: float, block: int = 512
) -> Follows:
    """Return what `lead` returns of all pairs, without ever holding all of them: each block meets the leaders so far.

    Args:
        count: rows 0 .. count - 1, best first.
        similarity: gives the matrix of rows by others.
        threshold: the least similarity of duplicates.
        block: rows compared at once.
    """
    leaders = np.zeros(0, dtype=np.int64)
    found: list[Follows] = []
    for start in range(0, count, block):
        rows = np.arange(start, min(start + block, count), dtype=np.int64)
        best, score = _best(similarity(rows, leaders), leaders)
        free = rows[score < threshold]
        inside = similarity(rows, free)
        fresh: list[int] = []
        for column, row in enumerate(free.tolist()):
            at = row - start
            if score[at] >= threshold:
                continue
            fresh.append(row)
            behind = inside[at + 1 :, column]
            better = behind > score[at + 1 :]  # the earlier of equals stays
            score[at + 1 :][better] = behind[better]
            best[at + 1 :][better & (behind >= threshold)] = row
        follows = np.flatnonzero(score >= threshold)
        found.append(Follows(best[follows], rows[follows], score[follows]))
        leaders = np.concatenate([leaders, np.array(fresh, dtype=np.int64)])
    return Follows.joined(found)


def _best(matrix: Floats, leaders: Ints) -> tuple[Ints, Floats]:
    """Return each row's most similar leader and how similar it is; -1 where there are no leaders."""
    if not len(leaders):
        return np.full(len(matrix), -1, dtype=np.int64), np.full(len(matrix), -1.0)
    place = matrix.argmax(axis=1)
    return leaders[place], matrix[np.arange(len(matrix)), place].copy()
