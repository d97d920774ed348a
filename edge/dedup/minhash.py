"""Rows of one gate -> near-copies: MinHash proposes pairs in large groups, exact Jaccard of 3-grams decides."""

from __future__ import annotations

import hashlib
import importlib
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from edge.dedup.leader import lead
from edge.dedup.normalise import Prepared, groups
from edge.dedup.records import Decision, DedupSettings
from edge.dedup.shingles import Packed, jaccard, pack, unpack

Signatures: TypeAlias = "NDArray[np.uint32]"

_EMPTY = np.uint32(0xFFFFFFFF)
_ROWS_AT_ONCE = 2048  # keeps their shingles within the processor's cache
_RECALL = 0.995


def near_text(rows: Sequence[Prepared], settings: DedupSettings) -> list[Decision]:
    """Return drops of rows whose 3-grams are, to the threshold, those of a better kept row of the same gate.

    Args:
        rows: best first.
        settings: thresholds for known and unknown needs, and how candidates are found.
    """
    drops: list[Decision] = []
    for group in groups(rows, lambda row: row.gate if row.text else None):
        threshold = settings.need_jaccard if group[0].known else settings.text_jaccard
        texts = [row.text for row in group]
        candidates = None if len(group) <= settings.exact_limit else LeaderIndex(texts, threshold, settings)
        found = lead(len(group), lambda i, j, texts=texts: jaccard(texts[i], texts[j]), threshold, candidates)
        drops += [Decision.drop(group[i].row.id, group[j].row.id, "minhash", s) for i, j, s in found]
    return drops


class LeaderIndex:
    """Locality-sensitive hashing over the rows kept so far: rows that share a band of their signature are candidates.

    Only leaders are indexed, so that a bucket holds distinct rows and not the copies of one template. It is built from
    the texts on every attempt, so a retried task cannot meet rows of the attempt before.
    """

    def __init__(self, texts: Sequence[str], threshold: float, settings: DedupSettings) -> None:
        signatures = signatures_of(pack(texts), settings.num_perm, settings.seed)
        self._bands, width = bands_for(threshold, settings.num_perm)
        used = signatures[:, : self._bands * width]
        self._keys = np.ascontiguousarray(used).view(np.dtype((np.void, 4 * width)))
        self._buckets: defaultdict[tuple[int, bytes], list[int]] = defaultdict(list)

    def of(self, row: int) -> list[int]:
        """Return the leaders that may be alike, in order."""
        return sorted({leader for key in self._keys_of(row) for leader in self._buckets.get(key, ())})

    def add(self, row: int) -> None:
        """Make a row a leader."""
        for key in self._keys_of(row):
            self._buckets[key].append(row)

    def _keys_of(self, row: int) -> Iterator[tuple[int, bytes]]:
        return ((band, self._keys[row, band].tobytes()) for band in range(self._bands))


@lru_cache
def bands_for(threshold: float, num_perm: int) -> tuple[int, int]:
    """Return number and width of bands: the widest that still find a pair at the threshold with probability .995.

    A pair of Jaccard j meets in one of b bands of width r with probability 1 - (1 - j^r)^b (Leskovec et al., Mining of
    Massive Datasets, section 3.4).
    """
    for width in range(num_perm, 0, -1):
        bands = num_perm // width
        if 1 - math.pow(1 - threshold**width, bands) >= _RECALL:
            return bands, width
    return num_perm, 1


def signatures_of(shingles: Packed, num_perm: int = 128, seed: int = 1) -> Signatures:
    """Return MinHash signatures of shape (texts, num_perm), bit for bit those of datasketch 2 (scheme affine32).

    datasketch gives the permutations and the hash of a shingle (the first 4 bytes of its SHA-1 over UTF-8); only the
    loop over rows is done here, in numpy. A text without shingles has all values at 2^32 - 1, as there.
    """
    hashed = _fmix32(_hash_words(shingles.words))
    a, b = _permutations(num_perm, seed)
    counts: NDArray[np.int64] = np.diff(shingles.starts)
    out = np.full((len(counts), num_perm), _EMPTY, dtype=np.uint32)
    # Rows of like length go together as columns of a matrix, short ones filled up with their own last shingle, which
    # changes no minimum: numpy then takes minima of whole rows at once.
    filled = np.argsort(counts, kind="stable")[np.count_nonzero(counts == 0) :]
    for start in range(0, len(filled), _ROWS_AT_ONCE):
        chosen = filled[start : start + _ROWS_AT_ONCE]
        lengths: NDArray[np.int64] = counts[chosen]
        step = np.minimum(np.arange(int(lengths[-1]))[:, None], lengths - 1)
        columns: Signatures = hashed[shingles.starts[chosen] + step]
        out[chosen] = _minima(columns, a, b).T
    return out


def _minima(hashed: Signatures, a: Signatures, b: Signatures) -> Signatures:
    """Return min over axis 0 of a[k] * hashed + b[k] mod 2^32, for every k."""
    out = np.empty((len(a), hashed.shape[1]), dtype=np.uint32)
    buffer = np.empty(hashed.shape, dtype=np.uint32)
    for k in range(len(a)):
        np.multiply(hashed, a[k], out=buffer)
        np.add(buffer, b[k], out=buffer)
        np.minimum.reduce(buffer, axis=0, out=out[k])
    return out


def _hash_words(words: NDArray[np.uint64]) -> Signatures:
    distinct, where = np.unique(words, return_inverse=True)
    hashes = [_sha1_32(unpack(word).encode()) for word in distinct.tolist()]
    return np.array(hashes, dtype=np.uint32)[where]


def _sha1_32(data: bytes) -> int:
    return int.from_bytes(hashlib.sha1(data, usedforsecurity=False).digest()[:4], "little")


def _permutations(num_perm: int, seed: int) -> tuple[Signatures, Signatures]:
    library = importlib.import_module("datasketch")  # has no type information; imports scipy, so only when needed
    a, b = cast("Signatures", library.MinHash(num_perm=num_perm, seed=seed, scheme="affine32").permutations)
    return a, b


def _fmix32(values: Signatures) -> Signatures:
    """The 32-bit finaliser of MurmurHash3, which datasketch applies once before permuting."""
    values = (values ^ (values >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    values = (values ^ (values >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return values ^ (values >> np.uint32(16))
