"""Rows of one plan shape -> at most so many, chosen so that the argument values stay varied."""

from __future__ import annotations

from collections.abc import Sequence

from edge.dedup.normalise import Prepared, groups
from edge.dedup.records import Decision
from edge.dedup.shingles import nearest


def shape_cap(rows: Sequence[Prepared], cap: int) -> list[Decision]:
    """Return drops of rows beyond `cap` of one shape; each names the kept row whose text is nearest.

    Args:
        rows: best first. Rows without a shape are not capped.
        cap: rows to keep of a shape, 1 or more.
    """
    drops: list[Decision] = []
    for group in groups(rows, lambda row: None if row.row.shape_key is None else (row.row.shape_key,)):
        if len(group) <= cap:
            continue
        chosen = choose(group, cap)
        kept = [row for i, row in enumerate(group) if i in chosen]
        texts = [row.text for row in kept]
        for i, row in enumerate(group):
            if i not in chosen:
                leader, score = nearest(row.text, texts)
                drops.append(Decision.drop(row.row.id, kept[leader].row.id, "shape_cap", score))
    return drops


def choose(group: Sequence[Prepared], cap: int) -> set[int]:
    """Return positions of the rows to keep: whoever adds most values not yet covered, then the better, then by id.

    When no row adds anything, covering starts anew, so that values come evenly often.
    """
    values = [frozenset(row.row.values or (row.row.args_key or row.text,)) for row in group]
    left = list(range(len(group)))
    chosen: set[int] = set()
    covered: set[str] = set()
    while left and len(chosen) < cap:
        best = max(left, key=lambda i: (len(values[i] - covered), -i))
        if covered and not values[best] - covered:
            covered = set()
            continue
        chosen.add(best)
        left.remove(best)
        covered |= values[best]
    return chosen
