"""Text keys -> MinHash signatures, datasketch's bit for bit, and the pairs that share a band of them."""

from __future__ import annotations

import hashlib
import importlib
import math
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TypeAlias, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from edge.dedup.sparse import Ints, Packed
from edge.dedup.table import grouped

Signatures: TypeAlias = "NDArray[np.uint32]"
BandKeys: TypeAlias = "NDArray[np.int64]"

_EMPTY = np.uint32(0xFFFFFFFF)
_ROWS_AT_ONCE = 1024  # keeps their shingles within the processor's cache
_RECALL = 0.995
_MASK = (1 << 21) - 1


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


def signatures_of(shingles: Packed, num_perm: int = 128, seed: int = 1, threads: int = 1) -> Signatures:
    """Return MinHash signatures of shape (texts, num_perm), bit for bit those of datasketch 2 (scheme affine32).

    datasketch gives the permutations and the hash of a shingle (the first 4 bytes of its SHA-1 over UTF-8); only the
    loop over rows is done here, in numpy. A text without shingles has all values at 2^32 - 1, as there.
    """
    hashed = _fmix32(_hash_words(shingles.words))
    a, b = _permutations(num_perm, seed)
    counts = shingles.counts
    out = np.full((len(counts), num_perm), _EMPTY, dtype=np.uint32)
    filled = np.argsort(counts, kind="stable")[np.count_nonzero(counts == 0) :]

    # Rows of like length go together as columns of a matrix, short ones filled up with their own last shingle, which
    # changes no minimum: numpy then takes minima of whole rows at once.
    def sign(start: int) -> None:
        chosen = filled[start : start + _ROWS_AT_ONCE]
        lengths = counts[chosen]
        step = np.minimum(np.arange(int(lengths[-1]))[:, None], lengths - 1)
        out[chosen] = _minima(hashed[shingles.starts[chosen] + step], a, b).T

    starts = range(0, len(filled), _ROWS_AT_ONCE)
    if threads > 1 and len(starts) > 1:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(sign, starts))
    else:
        for start in starts:
            sign(start)
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


def _hash_words(words: Ints) -> Signatures:
    """Hash every distinct shingle once."""
    given = pl.Series(words)
    distinct = given.unique()
    return given.replace_strict(distinct, _hashes(distinct.to_numpy()), return_dtype=pl.UInt32).to_numpy()


def _hashes(distinct: Ints) -> Signatures:
    """Return the first 4 bytes of the SHA-1 of each packed shingle's text."""
    letters = np.stack([(distinct >> (21 * place)) & _MASK for place in range(3)], axis=1)
    whole = (letters[letters > 0] - 1).astype(np.uint32).tobytes().decode("utf-32-le")
    ends = np.cumsum((letters > 0).sum(axis=1))
    texts = map(whole.__getitem__, map(slice, [0, *ends.tolist()], ends.tolist()))
    begin = b"".join(hashlib.sha1(text.encode(), usedforsecurity=False).digest()[:4] for text in texts)
    return np.frombuffer(begin, dtype="<u4").astype(np.uint32)


def _permutations(num_perm: int, seed: int) -> tuple[Signatures, Signatures]:
    library = importlib.import_module("datasketch")  # has no type information; imports scipy, so only when needed
    a, b = cast("Signatures", library.MinHash(num_perm=num_perm, seed=seed, scheme="affine32").permutations)
    return a, b


def _fmix32(values: Signatures) -> Signatures:
    """The 32-bit finaliser of MurmurHash3, which datasketch applies once before permuting."""
    values = (values ^ (values >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    values = (values ^ (values >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return values ^ (values >> np.uint32(16))


def band_keys(signatures: Signatures, threshold: float) -> BandKeys:
    """Return a number for each row and band, of shape (rows, bands): rows that agree in a band have the same there.

    A chance agreement of 64 bits costs a comparison and nothing else.
    """
    bands, width = bands_for(threshold, signatures.shape[1])
    keys = np.empty((len(signatures), bands), dtype=np.int64)
    for band in range(bands):
        key = np.full(len(signatures), band, dtype=np.uint64)
        for column in range(band * width, (band + 1) * width):
            key = (key ^ signatures[:, column]) * np.uint64(0x9E3779B97F4A7C15)
            key ^= key >> np.uint64(29)
        keys[:, band] = key.view(np.int64)
    return keys


def candidate_pairs(keys: BandKeys, pairs_a_row: int = 64) -> tuple[Ints, Ints] | None:
    """Return the pairs (earlier, later) of rows that share a band, each once; None where they are too many to list.

    That is so on templated texts, where one bucket holds the copies of a template: see `LeaderIndex`.
    """
    count = len(keys)
    rows = np.arange(count, dtype=np.int64)
    found: list[Ints] = [np.zeros(0, dtype=np.int64)]
    for band in range(keys.shape[1]):
        groups = grouped(keys[:, band], rows)
        if int((groups.sizes * (groups.sizes - 1) // 2).sum()) > pairs_a_row * count:
            return None
        found += [earlier * count + later for earlier, later in groups.pairs()]
    pairs = np.unique(np.concatenate(found))
    return pairs // max(count, 1), pairs % max(count, 1)


class LeaderIndex:
    """The same candidates for rows that come one by one, best first, of which only leaders are kept.

    A bucket then holds distinct rows and not the copies of a template. It is built from the texts on every attempt, so
    a retried task cannot meet rows of the attempt before.
    """

    def __init__(self, keys: BandKeys) -> None:
        self._keys = keys
        self._buckets: dict[tuple[int, int], list[int]] = {}

    def of(self, row: int) -> list[int]:
        """Return the leaders that may be alike, in order."""
        get = self._buckets.get
        return sorted({leader for key in enumerate(self._keys[row].tolist()) for leader in get(key, ())})

    def add(self, row: int) -> None:
        """Make a row a leader."""
        for key in enumerate(self._keys[row].tolist()):
            self._buckets.setdefault(key, []).append(row)
