"""Similarities of rows -> who stands for whom: the best row leads, and followers never lead others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol


class Candidates(Protocol):
    """Proposes leaders for a row; it is told of every new one."""

    def of(self, row: int) -> Sequence[int]:
        """Return positions of leaders worth comparing with, in order."""
        ...

    def add(self, row: int) -> None:
        """Make a row a leader."""
        ...


class AllLeaders:
    """Proposes every leader there is."""

    def __init__(self) -> None:
        self._leaders: list[int] = []

    def of(self, row: int) -> Sequence[int]:
        """Return all leaders."""
        return self._leaders

    def add(self, row: int) -> None:
        """Make a row a leader."""
        self._leaders.append(row)


def lead(
    count: int, similarity: Callable[[int, int], float], threshold: float, candidates: Candidates | None = None
) -> list[tuple[int, int, float]]:
    """Return (row, leader, similarity) for every row that has a leader at or above the threshold.

    Greedy and not connected components: every dropped row is within the threshold of a kept one, with no chains of rows
    each a little different from the one before. A row follows its most similar leader, the best among equals.

    Args:
        count: rows 0 .. count - 1, best first; the ranking alone decides who leads.
        similarity: of two rows.
        threshold: the least similarity of duplicates.
        candidates: proposes leaders to compare with; all of them by default.
    """
    candidates = AllLeaders() if candidates is None else candidates
    found: list[tuple[int, int, float]] = []
    for row in range(count):
        best: tuple[float, int] | None = None
        for leader in candidates.of(row):
            score = similarity(row, leader)
            if score >= threshold and (best is None or (score, -leader) > best):
                best = (score, -leader)
        if best is None:
            candidates.add(row)
        else:
            found.append((row, -best[1], best[0]))
    return found
