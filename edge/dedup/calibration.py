"""A corpus and an embedder -> the cosine above which two of its texts are no chance pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from edge.dedup.sparse import Floats, Ints
from edge.embedding import Embedder, Vectors, encode_checked
from edge.errors import UsageError

_PAIRS = 20_000
_TEXTS = 2_000
_PAIRS_AT_ONCE = 16_384
LEAST_TEXTS = 50
_FEW = 0.97


@dataclass(frozen=True, slots=True)
class Calibrated:
    """How alike random pairs of a corpus are under one embedder, whose name is `model`, and the threshold from it."""

    model: str
    texts: int
    mean: float
    quantile: float
    threshold: float


def calibrate(embedder: Embedder, texts: Sequence[str], *, share: float = 0.999, margin: float = 0.5) -> Calibrated:
    """Return the threshold for an embedder: some way from the quantile of random pairs to 1.

    Cosines are not portable between models: random Korean pairs lie at .80 in e5-small and at .01 in hashed grams. Two
    texts drawn from a corpus are hardly ever repeats, so what all but 1 in 1,000 of them stay below is chance.

    Args:
        embedder: gives the vectors.
        texts: of the corpus; 2,000 of them are looked at, evenly over their sorted order.
        share: of random pairs that lie below the quantile.
        margin: how far from the quantile to 1 the threshold lies; 0 is the quantile itself.

    Raises:
        UsageError: there are fewer than 50 different texts.
    """
    distinct = sorted(set(texts))
    if len(distinct) < LEAST_TEXTS:
        raise UsageError(f"{len(distinct)} different texts are too few to calibrate an embedder on; 50 are needed")
    step = max(1, len(distinct) // _TEXTS)
    vectors = encode_checked(embedder, distinct[::step][:_TEXTS])
    rng = np.random.default_rng(0)
    left = rng.integers(0, len(vectors), _PAIRS)
    right = (left + rng.integers(1, len(vectors), _PAIRS)) % len(vectors)
    alike = cosines(vectors, left.astype(np.int64), right.astype(np.int64))
    quantile = float(np.quantile(alike, share))
    return Calibrated(
        embedder.name, len(vectors), float(alike.mean()), quantile, min(quantile + margin * (1 - quantile), 0.999)
    )


def calibrated_threshold(embedder: Embedder, texts: Sequence[str]) -> float:
    """Return the threshold of `calibrate`; of fewer than 50 different texts .97, which only nearly equal ones reach."""
    return calibrate(embedder, texts).threshold if len(set(texts)) >= LEAST_TEXTS else _FEW


def cosines(vectors: Vectors, left: Ints, right: Ints) -> Floats:
    """Return the dot product of each pair of unit vectors, in double precision."""
    blocks = [slice(s, s + _PAIRS_AT_ONCE) for s in range(0, len(left), _PAIRS_AT_ONCE)]
    found = [
        np.einsum("ij,ij->i", vectors[left[b]].astype(np.float64), vectors[right[b]].astype(np.float64)) for b in blocks
    ]
    return np.concatenate([np.zeros(0), *found])
