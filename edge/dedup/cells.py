"""Many unit vectors -> their close pairs: k-means cells, exact search inside, each row in its two nearest cells."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from edge.dedup.leader import Edges
from edge.dedup.sparse import Ints, offsets
from edge.embedding import Vectors

LARGEST_CELL = 20_000
_EXACT = 4_000  # rows up to which all pairs are compared
_CELLS = 2.0  # cells for each square root of rows: assigning and comparing then cost about the same
_SAMPLE = 40  # rows of a cell on average that k-means looks at
_ROUNDS = 6
_BLOCK = 2048


def close_pairs(
    vectors: Vectors, threshold: float, *, seed: int = 0, largest: int = LARGEST_CELL, exact: int = _EXACT
) -> Edges:
    """Return the pairs of rows (earlier, later) whose cosine is at least the threshold, each once.

    All pairs of few rows. Of more a pair is found if its rows share one of their two nearest cells, which
    is so for .99 or more of the pairs at cosines that mean anything (`benchmarks/dedup.py` measures it).

    Args:
        vectors: float32 of shape (rows, dim), each of length 1.
        threshold: the least cosine.
        seed: of k-means' first centres.
        largest: cells above that are divided again; what cannot be divided is compared block by block.
        exact: rows up to which all pairs are compared.
    """
    count = len(vectors)
    found: list[Edges] = []
    for rows in _cells(vectors, seed, largest, exact):
        own = vectors[rows]
        for start in range(0, len(rows), _BLOCK):
            alike = own[start : start + _BLOCK] @ own[start:].T
            left, right = np.nonzero(alike >= threshold)
            upper = right > left
            left, right = left[upper], right[upper]
            found.append(Edges(rows[left + start], rows[right + start], alike[left, right].astype(np.float64)))
    whole = Edges.joined(found)
    _, once = np.unique(whole.earlier * count + whole.later, return_index=True)
    return Edges(whole.earlier[once], whole.later[once], whole.similarity[once])


def _cells(vectors: Vectors, seed: int, largest: int, exact: int) -> Iterator[Ints]:
    """Give the rows of each cell, ascending."""
    count = len(vectors)
    if count <= exact:
        yield np.arange(count, dtype=np.int64)
        return
    centres = centres_of(vectors, max(2, int(_CELLS * math.sqrt(count))), seed)
    nearest = two_nearest(vectors, centres)
    order = np.argsort(nearest.ravel(), kind="stable")
    starts = offsets(np.bincount(nearest.ravel(), minlength=len(centres)).astype(np.int64))
    for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        rows = order[begin:end] // 2
        if len(rows) <= largest or len(rows) == count:
            yield rows
        else:
            yield from (rows[inner] for inner in _cells(vectors[rows], seed + 1, largest, exact))


def centres_of(vectors: Vectors, cells: int, seed: int) -> Vectors:
    """Return unit centres of shape (cells, dim): spherical k-means over a sample, from rows drawn by the seed."""
    rng = np.random.default_rng(seed)
    sample = vectors[np.sort(rng.permutation(len(vectors))[: cells * _SAMPLE])]
    centres = sample[np.sort(rng.permutation(len(sample))[:cells])].copy()
    for _ in range(_ROUNDS):
        nearest = np.concatenate(
            [(sample[s : s + _BLOCK] @ centres.T).argmax(axis=1) for s in range(0, len(sample), _BLOCK)]
        )
        order = np.argsort(nearest, kind="stable")
        taken, starts = np.unique(nearest[order], return_index=True)
        sums = np.add.reduceat(sample[order], starts, axis=0)
        length = np.linalg.norm(sums, axis=1, keepdims=True)
        centres[taken] = sums / np.where(length == 0, 1.0, length)  # a cell that nothing is nearest to stays as it is
    return centres


def two_nearest(vectors: Vectors, centres: Vectors) -> Ints:
    """Return the two nearest centres of each row, shape (rows, 2)."""
    out = np.empty((len(vectors), 2), dtype=np.int64)
    for start in range(0, len(vectors), _BLOCK):
        alike = vectors[start : start + _BLOCK] @ centres.T
        rows = np.arange(len(alike))
        first = alike.argmax(axis=1)
        alike[rows, first] = -np.inf
        out[start : start + _BLOCK] = np.stack([first, alike.argmax(axis=1)], axis=1)
    return out


def components(count: int, edges: Edges) -> Ints:
    """Return the smallest row that each row is joined to by close pairs: information about clusters, no verdict."""
    least = np.arange(count, dtype=np.int64)
    while True:
        before = least.copy()
        low = np.minimum(least[edges.earlier], least[edges.later])
        np.minimum.at(least, edges.earlier, low)
        np.minimum.at(least, edges.later, low)
        least = least[least]
        if np.array_equal(least, before):
            return least
