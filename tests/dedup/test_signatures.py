"""Signatures are datasketch's, bit for bit; candidates are found; Jaccard is exact."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest
from datasketch import MinHash
from hypothesis import given, settings
from hypothesis import strategies as st

from edge.dedup.leader import lead
from edge.dedup.minhash import LeaderIndex, bands_for, signatures_of
from edge.dedup.records import DedupSettings
from edge.dedup.shingles import jaccard, nearest, pack, shingle_set, unpack

TEXTS = st.lists(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.text("가나다😀", max_size=30), max_size=8
)


@settings(max_examples=80, deadline=None)
@given(TEXTS, st.integers(1, 40), st.integers(0, 2**31))
def test_signatures_equal_datasketch(texts: list[str], num_perm: int, seed: int) -> None:
    found = signatures_of(pack(texts), num_perm, seed)
    assert found.shape == (len(texts), num_perm)
    for text, signature in zip(texts, found, strict=True):
        sketch = MinHash(num_perm=num_perm, seed=seed, scheme="affine32")
        sketch.update_batch([shingle.encode() for shingle in shingle_set(text)])
        assert signature.dtype == sketch.hashvalues.dtype
        assert np.array_equal(signature, sketch.hashvalues)


def test_more_rows_than_fit_one_block_equal_datasketch_too() -> None:
    rng = random.Random(3)
    texts = ["".join(rng.choices("가나다라마바사아", k=rng.randrange(12))) for _ in range(5000)]
    found = signatures_of(pack(texts))
    for i in rng.sample(range(5000), 40):
        sketch = MinHash(num_perm=128, seed=1)
        sketch.update_batch([shingle.encode() for shingle in shingle_set(texts[i])])
        assert np.array_equal(found[i], sketch.hashvalues)


@given(TEXTS)
def test_packed_shingles_are_the_shingles(texts: list[str]) -> None:
    packed = pack(texts)
    assert packed.starts[-1] == len(packed.words)
    for i, text in enumerate(texts):
        words = packed.words[packed.starts[i] : packed.starts[i + 1]].tolist()
        assert {unpack(word) for word in words} == shingle_set(text)


def test_d02_d03_texts_shorter_than_a_shingle() -> None:
    assert shingle_set("") == frozenset()
    assert (shingle_set("가"), shingle_set("가나")) == ({"가"}, {"가나"})
    assert (jaccard("가", "가"), jaccard("가", "나"), jaccard("", ""), jaccard("", "가")) == (1.0, 0.0, 0.0, 0.0)
    assert signatures_of(pack([""]))[0].tolist() == [2**32 - 1] * 128
    assert signatures_of(pack([])).shape == (0, 128)


@given(st.text("가나다", max_size=12), st.text("가나다", max_size=12))
def test_jaccard_is_that_of_the_sets(a: str, b: str) -> None:
    left, right = shingle_set(a), shingle_set(b)
    assert jaccard(a, b) == jaccard(b, a) == (len(left & right) / len(left | right) if left | right else 0.0)


def test_nearest_prefers_the_first_of_equals() -> None:
    assert nearest("가나다라", ["마", "가나다라", "가나다라"]) == (1, 1.0)


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.7, 0.9, 1.0])
def test_bands_find_a_pair_at_the_threshold(threshold: float) -> None:
    bands, width = bands_for(threshold, 128)
    assert bands * width <= 128
    assert 1 - (1 - threshold**width) ** bands >= 0.995
    assert bands_for(0.001, 4) == (4, 1)


def test_candidates_have_the_recall_of_all_pairs() -> None:
    """Recall at least .995 over pairs at or above the threshold; precision is 1 because Jaccard decides."""
    rng = random.Random(5)
    alphabet = [chr(0xAC00 + i) for i in range(300)]
    texts: list[str] = []
    for _ in range(150):
        base = rng.choices(alphabet, k=60)
        for _ in range(4):
            copy = base[:]
            for place in rng.sample(range(60), rng.randrange(8)):
                copy[place] = rng.choice(alphabet)
            texts.append("".join(copy))
    index = LeaderIndex(texts, 0.5, DedupSettings())
    found: set[tuple[int, int]] = set()
    for i in range(len(texts)):
        found |= {(j, i) for j in index.of(i)}
        index.add(i)
    near = {(i, j) for i, j in combinations(range(len(texts)), 2) if jaccard(texts[i], texts[j]) >= 0.5}
    assert len(near) > 500
    assert len(near & found) / len(near) >= 0.995
    assert len(found) < len(texts) * (len(texts) - 1) / 2 / 10  # it does propose a few, not all


def test_leaders_do_not_chain() -> None:
    places = [0.0, 0.4, 0.8, 1.2]
    found = lead(4, lambda i, j: 1 - abs(places[i] - places[j]), 0.5)
    assert [(i, j) for i, j, _ in found] == [(1, 0), (3, 2)]
