"""Many unit vectors -> their close pairs: k-means cells, exact search inside, each row in its two nearest cells."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from edge.dedup.blas import one_thread
from edge.dedup.calibration import cosines
from edge.dedup.leader import Edges
from edge.dedup.sparse import Ints, offsets
from edge.embedding import Vectors

LARGEST_CELL = 20_000
_EXACT = 4_000  # rows up to which all pairs are compared
_FOLDED = 96  # dimensions in which rows are searched
_SLACK = 1e-4  # by which single precision may be wrong about the bound
_CELLS = 1.25  # cells for each square root of rows: assigning and comparing then cost about the same
_SAMPLE = 32  # rows of a cell on average that k-means looks at
_ROUNDS = 5
_BLOCK = 2048


@one_thread()
def close_pairs(
    vectors: Vectors, threshold: float, *, seed: int = 0, largest: int = LARGEST_CELL, exact: int = _EXACT
) -> Edges:
    """Return the pairs of rows (earlier, later) whose cosine is at least the threshold, each once, in order.

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
    short = folded(vectors, seed)
    found: list[Ints] = [np.zeros(0, dtype=np.int64)]
    for rows in _cells(short, seed, largest, exact):
        own = short[rows]
        for start in range(0, len(rows), _BLOCK):
            bound = own[start : start + _BLOCK] @ own[start:].T
            left, right = np.divmod(np.flatnonzero(bound.ravel() >= threshold - _SLACK), bound.shape[1])
            upper = right > left
            found.append(rows[left[upper] + start] * count + rows[right[upper] + start])
    pairs = np.unique(np.concatenate(found))
    earlier, later = pairs // max(count, 1), pairs % max(count, 1)
    alike = cosines(vectors, earlier, later)
    near = alike >= threshold
    return Edges(earlier[near], later[near], alike[near])


def folded(vectors: Vectors, seed: int = 0) -> Vectors:
    """Return unit vectors of at most 96 dimensions whose dot products are never below those of the given ones.

    They are turned so that the first 95 dimensions hold most of a sample (its principal axes); the last one is the
    length of what is left. By Cauchy and Schwarz |x| |y| of two rests is at least x.y: no close pair is missed for it.
    """
    if vectors.shape[1] <= _FOLDED:
        return vectors
    drawn = np.random.default_rng(seed).permutation(len(vectors))[: 2 * _BLOCK]
    sample = vectors[np.sort(drawn)].astype(np.float64)
    axes = np.linalg.eigh(sample.T @ sample)[1][:, :-_FOLDED:-1].astype(np.float32)
    out = np.empty((len(vectors), _FOLDED), dtype=np.float32)
    for start in range(0, len(vectors), _BLOCK):
        part = out[start : start + _BLOCK]
        part[:, :-1] = vectors[start : start + _BLOCK] @ axes
        part[:, -1] = np.sqrt(np.maximum(1 - np.square(part[:, :-1]).sum(axis=1), 0))
    return out


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
