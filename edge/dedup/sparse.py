"""Sets of words as rows of sparse matrices: scipy, which has no type information, behind a few typed functions."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = "NDArray[np.int64]"
Floats: TypeAlias = "NDArray[np.float64]"


@dataclass(frozen=True, slots=True)
class Packed:
    """Words of many rows: `words[starts[i]:starts[i + 1]]` are those of row i."""

    words: Ints
    starts: Ints

    @property
    def counts(self) -> Ints:
        """Number of words of each row."""
        return np.diff(self.starts)

    def chosen(self, rows: Ints) -> Packed:
        """Return some of the rows."""
        counts = self.counts[rows]
        return Packed(self.words[spread(self.starts[rows], counts)], offsets(counts))


def offsets(counts: Ints) -> Ints:
    """Return where each run of so many begins, and where the last one ends."""
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts, dtype=np.int64)])


def spread(starts: Ints, counts: Ints) -> Ints:
    """Return start, start + 1, ... of every run, `counts` numbers each."""
    begin = offsets(counts)
    return np.arange(begin[-1], dtype=np.int64) + np.repeat(starts - begin[:-1], counts)


class Sparse(Protocol):
    """What is used of `scipy.sparse.csr_matrix` and `coo_matrix`."""

    indptr: Ints
    row: Ints
    col: Ints
    data: Ints
    has_canonical_format: bool

    @property
    def T(self) -> Sparse: ...
    def __getitem__(self, rows: Ints | slice) -> Sparse: ...
    def __matmul__(self, other: Sparse) -> Sparse: ...
    def multiply(self, other: Sparse) -> Sparse: ...
    def tocsr(self) -> Sparse: ...
    def tocoo(self) -> Sparse: ...
    def toarray(self) -> Ints: ...


def matrix_of(sets: Packed, width: int, kind: type[np.int8] | type[np.int32] = np.int32) -> Sparse:
    """Return sets as rows of ones over `width` columns, the words being the numbers of columns.

    The words of each set must be sorted and distinct.
    """
    library = importlib.import_module("scipy.sparse")  # 0.1 s, so only when needed
    ones = np.ones(len(sets.words), dtype=kind)
    made = cast("Sparse", library.csr_matrix((ones, sets.words, sets.starts), shape=(len(sets.counts), width)))
    made.has_canonical_format = True
    return made


def overlaps(left: Packed, right: Packed) -> Ints:
    """Return |A & B| of row i here and row i there, for every i; no table of distinct words is needed."""
    wide = 2**63 - 1
    both = matrix_of(left, wide, np.int8).multiply(matrix_of(right, wide, np.int8))
    return np.diff(both.indptr).astype(np.int64)


def over(sets: Packed, distinct: Ints) -> Sparse:
    """Return sets as rows over the given words (sorted, distinct); words that are not among them are left out."""
    place = np.searchsorted(distinct, sets.words)
    known = np.zeros(len(place), dtype=bool)
    if len(distinct):
        known = distinct[np.minimum(place, len(distinct) - 1)] == sets.words
    return matrix_of(Packed(place[known], offsets(known.astype(np.int64))[sets.starts]), len(distinct))


def products(left: Sparse, right: Sparse) -> tuple[Ints, Ints, Ints]:
    """Return row, column and value of every cell of `left @ right` that is not zero."""
    cells = (left @ right).tocoo()
    return cells.row.astype(np.int64), cells.col.astype(np.int64), cells.data.astype(np.int64)


def dense_product(left: Sparse, right: Sparse) -> Floats:
    """Return `left @ right.T` as a plain matrix."""
    return (left @ right.T).toarray().astype(np.float64)
