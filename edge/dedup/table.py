"""Rows of any number -> a table of columns, best row first, in which equal things have equal numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from edge.dedup.normalise import operator_gates, text_gates, text_keys
from edge.dedup.records import COLUMNS
from edge.dedup.sparse import Ints, Packed, offsets
from edge.errors import UsageError

Bools: TypeAlias = "NDArray[np.bool_]"

_PAIRS_AT_ONCE = 2_000_000


@dataclass(frozen=True, slots=True)
class Table:
    """Rows 0 .. n - 1, best first. Only rows of one `gate` are ever compared by text or meaning.

    `known` says that the gate is plan and arguments, and no guess from the text; `sure` that the operator is known too,
    else the words of the text that name one are part of the gate.
    """

    ids: pl.Series
    texts: pl.Series
    keys: pl.Series
    gate: Ints
    known: Bools
    sure: Bools

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def blank(self) -> Bools:
        """Rows without any letter, digit or sign."""
        return (self.keys.str.len_bytes() == 0).to_numpy()


def table_of(rows: pl.DataFrame) -> Table:
    """Return the table of rows that `ranked` gave."""
    keys = text_keys(rows["text"])
    plan, args = rows["plan"], rows["args"]
    known = (plan.is_not_null() & args.is_not_null()).to_numpy()
    return Table(
        ids=rows["id"],
        texts=rows["text"],
        keys=keys,
        gate=_gates(rows, known),
        known=known,
        sure=known & rows["operator"].is_not_null().to_numpy(),
    )


def ranked(frame: pl.DataFrame) -> pl.DataFrame:
    """Return rows with the columns of `COLUMNS`, best first, by quality and then by id, never as they came.

    Columns that are not there are unknown.

    Raises:
        UsageError: `id` or `text` is missing or null, an id comes twice, or a quality is not a number.
    """
    rows = _typed(frame).with_columns(pl.col("quality").fill_null(0.0))
    if not rows["quality"].is_finite().all():
        odd = rows.filter(~pl.col("quality").is_finite())["id"].min()
        raise UsageError(f"dedup: the quality of {odd!r} is not a number")
    return in_order(rows)


def in_order(rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows best first.

    Raises:
        UsageError: an id comes twice.
    """
    if rows["id"].n_unique() < rows.height:
        twice = rows["id"].value_counts().filter(pl.col("count") > 1).sort("id").row(0)
        raise UsageError(f"dedup: the id {twice[0]!r} comes {twice[1]} times")
    return rows.sort(["quality", "id"], descending=[True, False])


def _typed(frame: pl.DataFrame) -> pl.DataFrame:
    for name in ("id", "text"):
        if name not in frame.columns:
            raise UsageError(f"dedup: the column {name!r} is missing")
        if frame[name].null_count():
            raise UsageError(f"dedup: {frame[name].null_count()} rows have no {name}")
    try:
        return frame.select(
            [(pl.col(n) if n in frame.columns else pl.lit(None)).cast(kind).alias(n) for n, kind in COLUMNS.items()]
        )
    except pl.exceptions.PolarsError as error:
        raise UsageError(f"dedup: a column has another type than it must have: {str(error).splitlines()[0]}") from None


def numbered(keys: pl.DataFrame) -> Ints:
    """Return a number for each row, the same for equal rows and other ones for others; -1 where any cell is null."""
    names = keys.columns
    whole = keys.with_row_index("at").drop_nulls(names)
    groups = whole.group_by(names).agg(pl.col("at")).select("at").with_row_index("number").explode("at")
    out = np.full(keys.height, -1, dtype=np.int64)
    out[groups["at"].to_numpy()] = groups["number"].to_numpy()
    return out


def _gates(rows: pl.DataFrame, known: Bools) -> Ints:
    """Number the gates: plan, arguments and operator where they are known, else what the text tells of them."""
    gates = numbered(rows.select("plan", "args", pl.col("operator").fill_null(""), said=_said(rows)))
    unknown = np.flatnonzero(~known)
    if len(unknown):
        own = numbered(text_gates(rows["text"].gather(unknown)).to_frame())
        gates[unknown] = own + gates.max(initial=-1) + 1
    return gates


def _said(rows: pl.DataFrame) -> pl.Series:
    """Return the words that name an operator, for rows whose plan is known and whose operator is not; "" for others."""
    said = np.full(rows.height, "", dtype=object)
    unsure = np.flatnonzero((rows["args"].is_not_null() & rows["operator"].is_null()).to_numpy())
    if len(unsure):
        said[unsure] = operator_gates(rows["text"].gather(unsure)).to_list()
    return pl.Series(said.tolist(), dtype=pl.String)


def gate_names(rows: pl.DataFrame) -> pl.Series:
    """Return a text for each row that is the same for all rows of its gate, in every process.

    Args:
        rows: the columns of `COLUMNS`.
    """
    known = (rows["plan"].is_not_null() & rows["args"].is_not_null()).to_numpy()
    names = rows.select(
        pl.concat_str("plan", "args", pl.col("operator").fill_null("\x00"), _said(rows), separator="\x1f")
    ).to_series()
    unknown = np.flatnonzero(~known)
    return names.scatter(unknown, text_gates(rows["text"].gather(unknown))) if len(unknown) else names


def values_of(rows: pl.DataFrame) -> Packed:
    """Return the numbers of the rows' argument values; where none are told, all arguments together are one."""
    given = rows.select(
        pl.when(pl.col("values").list.len() > 0).then(pl.col("values")).otherwise(pl.concat_list("args")).list.unique()
    ).to_series()
    counts = given.list.len().fill_null(0).to_numpy().astype(np.int64)
    flat = given.filter(counts > 0).explode().cast(pl.String)  # an empty list would come out as one null
    return Packed(numbered(flat.to_frame("value")), offsets(counts))


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups of two or more rows: `rows[starts[i]:starts[i + 1]]` are those of group i, best first."""

    rows: Ints
    starts: Ints

    @property
    def sizes(self) -> Ints:
        """Number of rows of each group."""
        return np.diff(self.starts)

    def __iter__(self) -> Iterator[Ints]:
        for start, end in zip(self.starts[:-1].tolist(), self.starts[1:].tolist(), strict=True):
            yield self.rows[start:end]

    def where(self, chosen: Bools) -> Groups:
        """Return the chosen groups."""
        sizes = self.sizes
        return Groups(self.rows[np.repeat(chosen, sizes)], offsets(sizes[chosen]))

    def pairs(self) -> Iterator[tuple[Ints, Ints]]:
        """Give all pairs (earlier, later) of rows that share a group, some millions at a time."""
        sizes = self.sizes
        place = np.arange(len(self.rows)) - np.repeat(self.starts[:-1], sizes)  # of a row in its group
        upto = np.cumsum(place)
        begin = 0
        while begin < len(place):
            taken = upto[begin - 1] if begin else 0
            end = max(int(np.searchsorted(upto, taken + _PAIRS_AT_ONCE, side="right")), begin + 1)
            counts = place[begin:end]
            later = np.repeat(np.arange(begin, end), counts)
            back = np.arange(len(later)) - np.repeat(np.cumsum(counts) - counts, counts)
            yield self.rows[later - place[later] + back], self.rows[later]
            begin = end


def grouped(numbers: Ints, rows: Ints) -> Groups:
    """Return the groups of two or more of the given rows (ascending) that have equal numbers."""
    order = rows[np.argsort(numbers[rows], kind="stable")]
    found = numbers[order]
    edges = np.flatnonzero(np.concatenate([[True], found[1:] != found[:-1]])) if len(order) else np.zeros(0, int)
    starts = np.concatenate([edges, [len(order)]]).astype(np.int64)
    return Groups(order, starts).where(np.diff(starts) > 1)
