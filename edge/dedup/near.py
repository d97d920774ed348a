"""Rows of one gate -> near-copies by text: Jaccard of 3-grams decides, MinHash finds pairs in very large gates."""

from __future__ import annotations

import numpy as np

from edge.dedup.leader import Edges, Follows, lead, lead_in_blocks
from edge.dedup.minhash import BandKeys, LeaderIndex, band_keys, candidate_pairs, signatures_of
from edge.dedup.records import DedupSettings
from edge.dedup.shingles import Sets
from edge.dedup.sparse import Floats, Ints
from edge.dedup.table import Bools, Groups, Table, grouped

_CHUNK = 1024
_SMALL = 64  # rows of a gate up to which all pairs are listed


def near_text(table: Table, alive: Bools, settings: DedupSettings) -> Follows:
    """Return the rows whose 3-grams are, to the threshold, those of a better row of the same gate that stays."""
    groups = grouped(table.gate, np.flatnonzero(alive & ~table.blank))
    rows = np.unique(groups.rows)
    place = np.zeros(len(table), dtype=np.int64)
    place[rows] = np.arange(len(rows))
    local = Groups(place[groups.rows], groups.starts)
    sets = Sets(table.keys.gather(rows), settings.threads)
    threshold = np.where(table.known[rows], settings.need_jaccard, settings.text_jaccard)
    small = local.sizes <= min(_SMALL, settings.exact_limit)
    found = [lead(_alike(local.where(small), sets, threshold))]
    for group in local.where(~small):
        found.append(_of_large(group, sets, float(threshold[group[0]]), settings))
    follows = Follows.joined(found)
    return Follows(rows[follows.earlier], rows[follows.later], follows.similarity)


def _alike(groups: Groups, sets: Sets, threshold: Floats) -> Edges:
    """Return the pairs within groups at or above the threshold of their row."""
    found: list[Edges] = []
    for earlier, later in groups.pairs():
        likely = sets.likely(earlier, later, threshold[later])
        earlier, later = earlier[likely], later[likely]
        score = sets.jaccard(earlier, later)
        near = score >= threshold[later]
        found.append(Edges(earlier[near], later[near], score[near]))
    return Edges.joined(found)


def _of_large(group: Ints, sets: Sets, threshold: float, settings: DedupSettings) -> Follows:
    """Return who follows whom in one large group: all pairs up to the exact limit, above it those that share a band."""
    if len(group) <= settings.exact_limit:
        product = sets.product(group)
        follows = lead_in_blocks(len(group), product, threshold)
    else:
        follows = lead_by_bands(group, sets, threshold, settings)
    return Follows(group[follows.earlier], group[follows.later], follows.similarity)


def lead_by_bands(group: Ints, sets: Sets, threshold: float, settings: DedupSettings) -> Follows:
    """Return who follows whom among candidates of locality-sensitive hashing, each verified; positions in `group`."""
    signatures = signatures_of(sets.packed.chosen(group), settings.num_perm, settings.seed, settings.threads)
    keys = band_keys(signatures, threshold)
    pairs = candidate_pairs(keys)
    if pairs is None:
        return _lead_chunk_by_chunk(group, sets, threshold, keys)
    earlier, later = pairs
    score = sets.jaccard(group[earlier], group[later])
    near = score >= threshold
    return lead(Edges(earlier[near], later[near], score[near]))


def _lead_chunk_by_chunk(group: Ints, sets: Sets, threshold: float, keys: BandKeys) -> Follows:
    """Do the same where pairs are too many to list: each chunk meets the leaders so far, and itself."""
    index = LeaderIndex(keys)
    found: list[Follows] = []
    for start in range(0, len(group), _CHUNK):
        rows = range(start, min(start + _CHUNK, len(group)))
        itself = LeaderIndex(keys)
        pairs: list[tuple[int, int]] = []
        for row in rows:
            pairs += [(other, row) for other in (*index.of(row), *itself.of(row))]
            itself.add(row)
        earlier, later = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        score = sets.jaccard(group[earlier], group[later])
        near = score >= threshold
        found.append(lead(Edges(earlier[near], later[near], score[near])))
        following = set(found[-1].later.tolist())
        for row in rows:
            if row not in following:
                index.add(row)
    return Follows.joined(found)
