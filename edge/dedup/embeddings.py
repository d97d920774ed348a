"""Rows of one need -> rewordings by closeness of their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from edge.dedup.blas import one_thread
from edge.dedup.calibration import calibrated_threshold, cosines
from edge.dedup.cells import close_pairs
from edge.dedup.leader import Edges, Follows, lead, lead_in_blocks
from edge.dedup.records import DedupSettings
from edge.dedup.table import Bools, Groups, Table, grouped
from edge.embedding import Embedder, LexicalEmbedder, Vectors, encode_checked
from edge.errors import UsageError

# Cosines of different models cannot be compared (random Korean pairs: 0.80 in e5-small, 0.01 in hashed n-grams), so
# every embedder has its own threshold. Measured within equal plan and arguments; see docs/design/dedup.md.
THRESHOLDS = {LexicalEmbedder.name: 0.8, "intfloat/multilingual-e5-small": 0.95, "BAAI/bge-m3": 0.9}

# Vectors of one text differ in the last digits with the batch they are computed in; a pair that sits exactly on the
# threshold must not change sides for that.
MARGIN = 1e-4
_SMALL = 64  # rows of a gate up to which all pairs are listed
_PAIRS_A_ROW = 64
_DRAWN = 200  # rows of a large gate by which its pairs are estimated


def near_meaning(table: Table, alive: Bools, settings: DedupSettings, embedder: Embedder) -> Follows:
    """Return the rows whose vector is close to that of a better row with equal plan, arguments and operator.

    Rows without known plan and arguments are never judged by meaning: related requests would pass for rewordings.
    Blank texts have no meaning to compare and are left to the exact layer.

    Args:
        table: the rows.
        alive: which of them are still there.
        settings: `embedding_threshold` overrides the embedder's own.
        embedder: gives the vectors.

    Raises:
        UsageError: no threshold is known for the embedder.
        ModelAnswerError: a vector is zero or not finite.
    """
    threshold = threshold_of(embedder, settings) - MARGIN
    groups = grouped(table.gate, np.flatnonzero(alive & table.known & ~table.blank))
    vectors = encode_checked(embedder, table.texts.gather(groups.rows).to_list())
    local = Groups(np.arange(len(groups.rows), dtype=np.int64), groups.starts)
    small = local.sizes <= _SMALL
    found = [lead(_close(local.where(small), vectors, threshold))]
    for group in local.where(~small):
        inside = _of_large(vectors[group], threshold, settings.exact_limit)
        found.append(Follows(group[inside.earlier], group[inside.later], inside.similarity))
    follows = Follows.joined(found)
    return Follows(groups.rows[follows.earlier], groups.rows[follows.later], follows.similarity)


@one_thread()
def _of_large(vectors: Vectors, threshold: float, exact_limit: int) -> Follows:
    """Return who follows whom among many rows: pairs from cells above the exact limit, unless nearly all are pairs.

    There leaders are few, and to compare every row with them is cheaper than to list the pairs.
    """
    if len(vectors) > exact_limit:
        drawn = vectors[:: -(-len(vectors) // _DRAWN)]
        if np.count_nonzero(drawn @ vectors.T >= threshold) <= _PAIRS_A_ROW * len(drawn):
            return lead(close_pairs(vectors, threshold))
    own = vectors.astype(np.float64)
    return lead_in_blocks(len(own), lambda a, b: own[a] @ own[b].T, threshold)


def _close(groups: Groups, vectors: Vectors, threshold: float) -> Edges:
    found: list[Edges] = []
    for earlier, later in groups.pairs():
        score = cosines(vectors, earlier, later)
        near = score >= threshold
        found.append(Edges(earlier[near], later[near], score[near]))
    return Edges.joined(found)


def with_threshold(settings: DedupSettings, embedder: Embedder, texts: Sequence[str]) -> DedupSettings:
    """Return settings that state the least cosine of duplicates: as set, as known of the embedder, or as calibrated.

    Args:
        settings: as given.
        embedder: the embedder.
        texts: of the whole corpus; what is calibrated must not hang on how it is cut.
    """
    if not settings.use_embeddings or settings.embedding_threshold is not None:
        return settings
    known = THRESHOLDS.get(embedder.name.split("@")[0])
    return replace(settings, embedding_threshold=known or calibrated_threshold(embedder, texts))


def threshold_of(embedder: Embedder, settings: DedupSettings) -> float:
    """Return the least cosine of duplicates for an embedder.

    Raises:
        UsageError: none is set and none is known.
    """
    known = settings.embedding_threshold or THRESHOLDS.get(embedder.name.split("@")[0])
    if known is None:
        raise UsageError(f"no embedding threshold is known for {embedder.name}; set embedding_threshold")
    return known
