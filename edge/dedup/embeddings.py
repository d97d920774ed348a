"""Rows of one need -> rewordings by closeness of their vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from edge.dedup.leader import lead
from edge.dedup.normalise import Prepared, groups
from edge.dedup.records import Decision, DedupSettings
from edge.embedding import Embedder, LexicalEmbedder, Vectors, encode_checked
from edge.errors import UsageError

# Cosines of different models cannot be compared (random Korean pairs: 0.80 in e5-small, 0.01 in hashed n-grams), so
# every embedder has its own threshold. Measured within equal plan and arguments; see docs/design/dedup.md.
THRESHOLDS = {LexicalEmbedder.name: 0.8, "intfloat/multilingual-e5-small": 0.95, "BAAI/bge-m3": 0.9}

# Vectors of one text differ in the last digits with the batch they are computed in; a pair that sits exactly on the
# threshold must not change sides for that.
MARGIN = 1e-4


def near_meaning(rows: Sequence[Prepared], settings: DedupSettings, embedder: Embedder) -> list[Decision]:
    """Return drops of rows whose vector is close to that of a better kept row with equal plan and arguments.

    Rows without known plan and arguments are never judged by meaning: related requests would pass for rewordings.
    Blank texts have no meaning to compare and are left to the exact layer.

    Args:
        rows: best first.
        settings: `embedding_threshold` overrides the embedder's own.
        embedder: gives the vectors.

    Raises:
        UsageError: no threshold is known for the embedder.
        ModelAnswerError: a vector is zero or not finite.
    """
    threshold = threshold_of(embedder, settings) - MARGIN
    compared = groups(rows, lambda row: row.gate if row.known and row.text else None)
    vectors = encode_checked(embedder, [row.row.text for group in compared for row in group])
    drops: list[Decision] = []
    start = 0
    for group in compared:
        own = vectors[start : start + len(group)]
        start += len(group)
        found = lead(len(group), lambda i, j, own=own: _cosine(own, i, j), threshold)
        drops += [Decision.drop(group[i].row.id, group[j].row.id, "embedding", s) for i, j, s in found]
    return drops


def threshold_of(embedder: Embedder, settings: DedupSettings) -> float:
    """Return the least cosine of duplicates for an embedder.

    Raises:
        UsageError: none is set and none is known.
    """
    known = settings.embedding_threshold or THRESHOLDS.get(embedder.name.split("@")[0])
    if known is None:
        raise UsageError(f"no embedding threshold is known for {embedder.name}; set embedding_threshold")
    return known


def _cosine(vectors: Vectors, i: int, j: int) -> float:
    return float(np.dot(vectors[i].astype(np.float64), vectors[j].astype(np.float64)))
