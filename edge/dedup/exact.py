"""Rows of one need -> one row per equal text, and no more wordings than wanted."""

from __future__ import annotations

import numpy as np
import polars as pl

from edge.dedup.leader import Follows
from edge.dedup.shingles import Sets
from edge.dedup.sparse import Ints
from edge.dedup.table import Bools, Groups, Table, grouped


def equal_text(table: Table, alive: Bools) -> Follows:
    """Return the rows whose text key equals that of a better row of the same gate."""
    rows = pl.DataFrame({"row": np.arange(len(table)), "gate": table.gate, "key": table.keys}).filter(alive)
    found = rows.with_columns(first=pl.col("row").min().over("gate", "key")).filter(pl.col("first") < pl.col("row"))
    return Follows(_ints(found["first"]), _ints(found["row"]), np.ones(found.height))


def phrasing_cap(table: Table, alive: Bools, max_phrasings: int) -> Follows:
    """Return the rows beyond `max_phrasings` of one plan, arguments and operator; each names its nearest kept wording.

    Rows whose operator is unknown are left alone: "the largest" and "the mean" of one plan are two needs. Near-copies
    are gone by then, so that the wordings that are kept differ.
    """
    groups = grouped(table.gate, np.flatnonzero(alive & table.sure))
    place = np.arange(len(groups.rows)) - np.repeat(groups.starts[:-1], groups.sizes)
    if max_phrasings == 1:
        later = groups.rows[place > 0]
        return Follows(np.repeat(groups.rows[groups.starts[:-1]], groups.sizes - 1), later, np.ones(len(later)))
    return _to_nearest(table, groups, place, max_phrasings)


def _to_nearest(table: Table, groups: Groups, place: Ints, kept: int) -> Follows:
    beyond = np.flatnonzero(place >= kept)
    begin = beyond - place[beyond]
    sets = Sets(table.keys.gather(groups.rows))
    others = begin[:, None] + np.arange(kept)
    score = sets.jaccard(others.ravel(), np.repeat(beyond, kept)).reshape(-1, kept)
    best = score.argmax(axis=1) if len(beyond) else np.zeros(0, dtype=np.int64)
    return Follows(groups.rows[begin + best], groups.rows[beyond], np.ones(len(beyond)))


def ambiguous(table: Table) -> list[tuple[str, ...]]:
    """Return groups of ids (sorted) whose text is the same although plan, arguments or operator differ.

    They are no duplicates, and at most one of them can be right: the stage that wrote them should reject the others.
    """
    rows = pl.DataFrame({"id": table.ids, "gate": table.gate, "key": table.keys}).filter(table.known)
    mixed = rows.group_by("key").agg(pl.col("id"), pl.col("gate").n_unique()).filter(pl.col("gate") > 1)
    return sorted(tuple(sorted(ids)) for ids in mixed["id"].to_list())


def _ints(series: pl.Series) -> Ints:
    return series.to_numpy().astype(np.int64)
