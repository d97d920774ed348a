"""Rows of one need -> one row per equal text, and no more wordings than wanted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from edge.dedup.normalise import Prepared, groups, text_key
from edge.dedup.records import Decision, DedupRow
from edge.dedup.shingles import nearest


def equal_text(rows: Sequence[Prepared]) -> list[Decision]:
    """Return drops of rows whose text key equals that of a better row of the same gate.

    Args:
        rows: best first.
    """
    return [
        Decision.drop(row.row.id, group[0].row.id, "exact", 1.0)
        for group in groups(rows, lambda row: (*row.gate, row.text))
        for row in group[1:]
    ]


def phrasing_cap(rows: Sequence[Prepared], max_phrasings: int) -> list[Decision]:
    """Return drops of rows beyond `max_phrasings` of one plan and arguments; each names its nearest kept wording.

    Args:
        rows: best first, near-copies already gone, so that the wordings kept differ.
        max_phrasings: wordings to keep, 1 or more.
    """
    drops: list[Decision] = []
    for group in groups(rows, lambda row: row.gate if row.known else None):
        kept = group[:max_phrasings]
        for row in group[max_phrasings:]:
            leader, _ = nearest(row.text, [k.text for k in kept])
            drops.append(Decision.drop(row.row.id, kept[leader].row.id, "exact", 1.0))
    return drops


def ambiguous(rows: Iterable[DedupRow]) -> list[tuple[str, ...]]:
    """Return groups of ids (sorted) whose text is the same although plan or arguments differ.

    They are no duplicates, and at most one of them can be right: the stage that wrote them should reject the others.
    """
    found: dict[str, list[DedupRow]] = defaultdict(list)
    for row in rows:
        if row.need is not None:
            found[text_key(row.text)].append(row)
    mixed = [group for group in found.values() if len({row.need for row in group}) > 1]
    return sorted(tuple(sorted(row.id for row in group)) for group in mixed)
