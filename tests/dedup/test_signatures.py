"""Signatures are datasketch's, bit for bit; candidates are found; Jaccard is exact."""

from __future__ import annotations

import random

import numpy as np
import pytest
from datasketch import MinHash
from hypothesis import given, settings
from hypothesis import strategies as st

from edge.dedup.leader import Edges, lead, lead_in_blocks
from edge.dedup.minhash import LeaderIndex, band_keys, bands_for, candidate_pairs, signatures_of
from edge.dedup.shingles import Sets, jaccard, pack, shingle_set, unpack

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
    keys = band_keys(signatures_of(pack(texts)), 0.5)
    pairs = candidate_pairs(keys)
    assert pairs is not None
    found = set(zip(pairs[0].tolist(), pairs[1].tolist(), strict=True))
    index = LeaderIndex(keys)
    one_by_one: set[tuple[int, int]] = set()
    for i in range(len(texts)):
        one_by_one |= {(j, i) for j in index.of(i)}
        index.add(i)
    assert one_by_one == found
    assert candidate_pairs(keys, pairs_a_row=0) is None
    left, right = np.triu_indices(len(texts), 1)
    alike = Sets(texts).jaccard(left, right) >= 0.5
    near = set(zip(left[alike].tolist(), right[alike].tolist(), strict=True))
    assert len(near) > 500
    assert len(near & found) / len(near) >= 0.995
    assert len(found) < len(texts) * (len(texts) - 1) / 2 / 10  # it does propose a few, not all


def test_leaders_do_not_chain() -> None:
    edges = Edges(np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([0.6, 0.6, 0.6]))
    found = lead(edges)
    assert list(zip(found.earlier.tolist(), found.later.tolist(), strict=True)) == [(0, 1), (2, 3)]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 40), st.integers(0, 2**31), st.sampled_from([0.2, 0.5, 0.8]))
def test_blocks_lead_as_all_pairs_do(count: int, seed: int, threshold: float) -> None:
    """Also across blocks, and with many equal similarities: the rows are few, the blocks are made smaller."""
    alike = np.round(np.random.default_rng(seed).random((count, count)), 1)
    alike = np.triu(alike, 1) + np.triu(alike, 1).T
    earlier, later = np.triu_indices(count, 1)
    near = alike[earlier, later] >= threshold
    whole = lead(Edges(earlier[near], later[near], alike[earlier, later][near]))
    blocks = lead_in_blocks(count, lambda a, b: alike[np.ix_(a, b)], threshold, block=7)
    assert whole.earlier.tolist() == blocks.earlier.tolist()
    assert whole.later.tolist() == blocks.later.tolist()
    assert np.array_equal(whole.similarity, blocks.similarity)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("가나다", max_size=12), min_size=1, max_size=9), st.data())
def test_many_pairs_are_compared_as_each_alone(texts: list[str], data: st.DataObject) -> None:
    places = st.lists(st.integers(0, len(texts) - 1), max_size=12)
    left = data.draw(places)
    right = data.draw(st.lists(st.integers(0, len(texts) - 1), min_size=len(left), max_size=len(left)))
    sets = Sets(texts)
    one, other = np.array(left, dtype=np.int64), np.array(right, dtype=np.int64)
    wanted = [jaccard(texts[i], texts[j]) for i, j in zip(left, right, strict=True)]
    assert sets.jaccard(one, other).tolist() == wanted
    everyone = np.arange(len(texts))
    assert sets.product(everyone)(everyone, everyone)[left, right].tolist() == wanted
    assert sets.sizes.tolist() == [len(shingle_set(text)) for text in texts]
    assert all(sets.likely(one, other, np.full(len(left), 0.7))[i] for i, j in enumerate(wanted) if j >= 0.7)
