"""Text keys -> sets of character 3-grams, and how alike two such sets are, many pairs at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from edge.dedup.sparse import Floats, Ints, Packed, dense_product, offsets, over, overlaps

Result = TypeVar("Result")
SIZE = 3

_BITS = 21  # a code point plus one fits in 21 bits, so three fit in the 63 of a positive number
_ROWS_AT_ONCE = 4096  # keeps their shingles within the processor's cache
_TEXTS_AT_ONCE = 32_768
_PAIRS_AT_ONCE = 32_768
_BEYOND = np.iinfo(np.int64).max


def shingle_set(text: str) -> frozenset[str]:
    """Return the 3-grams of a text key; a shorter text is its own single shingle, an empty one has none.

    Without that rule two equal two-letter texts would have nothing in common and all copies would survive.
    """
    if len(text) <= SIZE:
        return frozenset([text] if text else [])
    return frozenset(text[i : i + SIZE] for i in range(len(text) - SIZE + 1))


def jaccard(left: str, right: str) -> float:
    """Return |A & B| / |A | B| of the 3-grams of two text keys; 0 if either is empty."""
    a, b = shingle_set(left), shingle_set(right)
    common = len(a & b)
    return common / (len(a) + len(b) - common) if common else 0.0


def pack(texts: Sequence[str] | pl.Series) -> Packed:
    """Return the shingles of text keys, in order, with repeats: 21 bits a letter (code point + 1), first lowest."""
    given = pl.Series(texts, dtype=pl.String)
    lengths = given.str.len_chars().to_numpy().astype(np.int64)
    codes = np.frombuffer(given.str.join().item().encode("utf-32-le"), dtype=np.uint32).astype(np.int64) + 1
    ends = np.cumsum(lengths)
    words = codes.copy()
    for by in range(1, SIZE):
        ahead = np.zeros_like(codes)
        ahead[:-by] = codes[by:]
        for back in range(by):  # what lies beyond the end of a text is no part of it
            ahead[ends[lengths > back] - 1 - back] = 0
        words |= ahead << (_BITS * by)
    first = np.ones(len(codes), dtype=bool)
    for back in range(SIZE - 1):  # the last two letters begin no shingle, unless the text has no others
        first[ends[lengths > back + 1] - 1 - back] = False
    counts = np.where(lengths > SIZE, lengths - SIZE + 1, np.minimum(lengths, 1))
    return Packed(words[first], offsets(counts))


def unpack(word: int) -> str:
    """Return the text of a packed shingle."""
    parts = [(word >> (_BITS * i)) & ((1 << _BITS) - 1) for i in range(SIZE)]
    return "".join(chr(part - 1) for part in parts if part)


class Sets:
    """The shingle sets of many texts; each set sorted, so that two are compared in one pass."""

    def __init__(self, texts: Sequence[str] | pl.Series, threads: int = 1) -> None:
        """Take text keys; `threads` is how many compare at once."""
        self._threads = threads
        given = pl.Series(texts, dtype=pl.String)
        parts = self._each(
            range(0, len(given), _TEXTS_AT_ONCE), lambda at: _sorted_sets(given[at : at + _TEXTS_AT_ONCE])
        )
        counts = [np.zeros(0, dtype=np.int64), *(part.counts for part in parts)]
        words = [np.zeros(0, dtype=np.int64), *(part.words for part in parts)]
        self._packed = Packed(np.concatenate(words), offsets(np.concatenate(counts)))

    @property
    def sizes(self) -> Ints:
        """Number of shingles of each text."""
        return self._packed.counts

    @property
    def packed(self) -> Packed:
        """The sets."""
        return self._packed

    def jaccard(self, left: Ints, right: Ints) -> Floats:
        """Return |A & B| / |A | B| of each pair, exactly; 0 where both are empty."""
        starts = range(0, len(left), _PAIRS_AT_ONCE)

        def common(start: int) -> Ints:
            chosen = slice(start, start + _PAIRS_AT_ONCE)
            return overlaps(self._packed.chosen(left[chosen]), self._packed.chosen(right[chosen]))

        shared = np.concatenate([np.zeros(0, dtype=np.int64), *self._each(starts, common)])
        return shared / np.maximum(self.sizes[left] + self.sizes[right] - shared, 1)

    def _each(self, starts: range, work: Callable[[int], Result]) -> list[Result]:
        if self._threads == 1 or len(starts) < 2:
            return list(map(work, starts))
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(work, starts))

    def product(self, rows: Ints) -> Callable[[Ints, Ints], Floats]:
        """Return what gives the matrix of Jaccard similarities between positions in `rows` and others of them."""
        own = self._packed.chosen(rows)
        whole, sizes = over(own, np.unique(own.words)), own.counts

        def matrix(left: Ints, right: Ints) -> Floats:
            if not len(left) or not len(right):
                return np.zeros((len(left), len(right)))
            shared = dense_product(whole[left], whole[right])
            return shared / np.maximum(sizes[left][:, None] + sizes[right] - shared, 1)

        return matrix

    def likely(self, left: Ints, right: Ints, threshold: Floats) -> NDArray[np.bool_]:
        """Return which pairs can reach the threshold at all: sets of sizes a <= b have Jaccard a / b at most."""
        a, b = self.sizes[left], self.sizes[right]
        return (np.minimum(a, b) >= threshold * np.maximum(a, b) - 1e-9) & (a > 0) & (b > 0)


def _sorted_sets(texts: pl.Series) -> Packed:
    """Return the words of each text sorted and without repeats; texts of like length go together."""
    packed = pack(texts)
    words = np.empty_like(packed.words)
    first = np.empty(len(words), dtype=bool)
    counts = packed.counts
    order = np.argsort(counts, kind="stable")[np.count_nonzero(counts == 0) :]
    for start in range(0, len(order), _ROWS_AT_ONCE):
        rows = order[start : start + _ROWS_AT_ONCE]
        lengths = counts[rows][:, None]
        step = np.arange(int(lengths[-1, 0]), dtype=np.int64)
        matrix = np.where(
            step < lengths, packed.words[packed.starts[rows][:, None] + np.minimum(step, lengths - 1)], _BEYOND
        )
        matrix.sort(axis=1)
        inside: NDArray[np.bool_] = step < lengths
        target: Ints = (packed.starts[rows][:, None] + step)[inside]
        new = np.ones(matrix.shape, dtype=bool)
        new[:, 1:] = matrix[:, 1:] != matrix[:, :-1]
        words[target], first[target] = matrix[inside], new[inside]
    return Packed(words[first], offsets(first.astype(np.int64))[packed.starts])
