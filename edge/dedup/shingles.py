"""Texts -> sets of character 3-grams without spaces, and how alike two such sets are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

SIZE = 3
_BITS = 21  # a code point plus one fits in 21 bits, so three fit in one word of 64


@lru_cache(maxsize=8192)  # about 9 kB each
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


def nearest(text: str, others: Sequence[str]) -> tuple[int, float]:
    """Return position and Jaccard of the most similar of one or more text keys, the first among equals."""
    scores = [jaccard(text, other) for other in others]
    best = max(range(len(scores)), key=lambda i: (scores[i], -i))
    return best, scores[best]


@dataclass(frozen=True, slots=True)
class Packed:
    """The shingles of many texts: `words[starts[i]:starts[i + 1]]` are those of text i, in order, each in one word."""

    words: NDArray[np.uint64]
    starts: NDArray[np.int64]


def pack(texts: Sequence[str]) -> Packed:
    """Return the shingles of text keys as words: 21 bits a letter (code point plus one; 0 is none), first lowest."""
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    codes = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32).astype(np.uint64) + np.uint64(1)
    owner = np.repeat(np.arange(len(texts), dtype=np.int64), lengths)
    position = np.arange(len(codes), dtype=np.int64) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    words = codes.copy()
    for by in range(1, SIZE):
        ahead = np.zeros_like(codes)
        same = owner[by:] == owner[:-by]
        ahead[:-by][same] = codes[by:][same]
        words |= ahead << np.uint64(_BITS * by)
    first = (position <= lengths[owner] - SIZE) | (position == 0)
    counts = np.bincount(owner[first], minlength=len(texts))
    return Packed(words[first], np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))


def unpack(word: int) -> str:
    """Return the text of a packed shingle."""
    parts = [(word >> (_BITS * i)) & ((1 << _BITS) - 1) for i in range(SIZE)]
    return "".join(chr(part - 1) for part in parts if part)
