"""Words of names and labels as sparse vectors, weighted by how few have them (token lists -> Words)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array  # pyright: ignore[reportMissingTypeStubs]

from edge.text import compact

Matrix: TypeAlias = "NDArray[np.float32]"
Rows: TypeAlias = "NDArray[np.int64]"
_SPARSE = 0.2  # share of numbers that are not 0 up to which sparse products are quicker
_TELLING = 0.05  # share of different texts that say too little to tell what they mean


@lru_cache(maxsize=200_000)
def grams(label: str) -> tuple[str, ...]:
    """Return the syllable pairs of a label; of one syllable itself."""
    text = compact(label)
    return tuple(text[i : i + 2] for i in range(max(1, len(text) - 1))) if text else ()


@dataclass(frozen=True, slots=True)
class Words:
    """Texts as sparse vectors of shape (texts, tokens). `sizes` are what each was divided by, `telling` its length."""

    matrix: csr_array
    sizes: Matrix
    telling: Matrix

    def part(self, chosen: slice | Rows) -> Words:
        """Return some of the texts."""
        return Words(cast("csr_array", self.matrix[chosen]), self.sizes[chosen], self.telling[chosen])


class Lexicon:
    """Tokens of both sides, weighted by how few texts have them: what everybody is called says little."""

    def __init__(self, texts: Iterable[Sequence[str]]) -> None:
        kept = [sorted(set(tokens)) for tokens in texts if tokens]
        counts = Counter(token for tokens in kept for token in tokens)
        self._ids = {token: i for i, token in enumerate(sorted(counts))}
        rarity = [math.log((1 + len(kept)) / (0.5 + counts[token])) for token in self._ids]
        self._weights = np.asarray(rarity, dtype=np.float32)
        said = [sum(rarity[self._ids[t]] ** 2 for t in tokens) for tokens in dict.fromkeys(map(tuple, kept))]
        self._telling = float(np.quantile(said, _TELLING)) if said else 1.0

    def vectors(self, texts: Sequence[Sequence[str]]) -> Words:
        """Return one sparse vector a text, of length 1 at most: shorter where all is common."""
        rows: list[int] = []
        columns: list[int] = []
        for row, tokens in enumerate(texts):
            ids = sorted({self._ids[t] for t in tokens if t in self._ids})
            rows.extend([row] * len(ids))
            columns.extend(ids)
        weights = self._weights[columns] if columns else np.zeros(0, dtype=np.float32)
        squares = np.bincount(np.asarray(rows, dtype=np.int64), weights=weights**2, minlength=len(texts))
        norms = np.sqrt(np.maximum(squares, self._telling))
        data = (weights / norms[rows]).astype(np.float32) if rows else weights
        matrix = csr_array((data, (rows, columns)), shape=(len(texts), max(1, len(self._ids))), dtype=np.float32)
        return Words(matrix, norms.astype(np.float32), np.sqrt(squares / norms**2).astype(np.float32))


@dataclass(frozen=True, slots=True)
class Texts:
    """Embedded texts of shape (texts, dim); kept sparse where most of a vector is 0, as it is without weights."""

    matrix: Matrix | csr_array

    @classmethod
    def of(cls, vectors: Matrix) -> Texts:
        """Return the texts with these vectors."""
        few = np.count_nonzero(vectors) < _SPARSE * vectors.size
        return cls(csr_array(vectors) if few else vectors)

    def part(self, chosen: slice | Rows) -> Texts:
        """Return some of the texts."""
        return Texts(cast("Matrix | csr_array", cast(Any, self.matrix)[chosen]))

    def times(self, turned: Matrix) -> Matrix:
        """Return the cosines with others, given as columns (dim, others); of shape (texts, others)."""
        return cast("Matrix", cast(Any, self.matrix) @ turned)


def turn(matrix: csr_array) -> csr_array:
    """Return the transposed matrix, made ready for products from the left."""
    return csr_array(cast(Any, matrix).T)


def multiply(left: csr_array, rows: Rows, turned: csr_array) -> csr_array:
    """Return some texts of the left times those that were turned, sparse, of shape (rows, right)."""
    return cast("csr_array", cast(Any, left)[rows] @ turned)


def fused(one: csr_array, other: csr_array) -> csr_array:
    """Return three quarters of the greater and one of the lesser number, for each cell."""
    left, right = cast(Any, one), cast(Any, other)
    return cast("csr_array", 0.75 * left.maximum(right) + 0.25 * left.minimum(right))


def numbers(matrix: csr_array) -> Matrix:
    """Return what is stored, not a copy."""
    return cast("Matrix", cast(Any, matrix).data)


def cells(matrix: csr_array) -> tuple[Rows, Rows]:
    """Return the rows and columns of what is stored, in the order of `numbers`."""
    plain = cast(Any, matrix)
    rows = np.repeat(np.arange(plain.shape[0], dtype=np.int64), np.diff(plain.indptr))
    return rows, cast("Rows", plain.indices)
