"""Properties of the whole: order does not matter, leaders are kept, a second run changes nothing."""

from __future__ import annotations

import random
from collections import Counter

import polars as pl
import pytest
from dedup_rows import ROWS
from hypothesis import given, settings
from hypothesis import strategies as st

from edge.dedup.normalise import text_gates
from edge.dedup.pipeline import deduplicate
from edge.dedup.records import DedupRow, DedupSettings
from edge.dedup.splits import SplitSettings, assign_splits, split_of
from edge.errors import UsageError


def _gate(row: DedupRow) -> object:
    return row.need or text_gates(pl.Series([row.text])).item()


SETTINGS = st.builds(
    DedupSettings,
    max_phrasings=st.integers(1, 3),
    shape_cap=st.integers(1, 6),
    exact_limit=st.sampled_from([1, 200]),
    use_embeddings=st.booleans(),
)


@settings(max_examples=60, deadline=None)
@given(ROWS, SETTINGS, st.randoms(use_true_random=False))
def test_d05_the_order_of_rows_does_not_matter(rows: list[DedupRow], chosen: DedupSettings, rng: random.Random) -> None:
    expected = deduplicate(rows, chosen)
    shuffled = rows[:]
    rng.shuffle(shuffled)
    assert deduplicate(shuffled, chosen) == expected


@settings(max_examples=60, deadline=None)
@given(ROWS, SETTINGS)
def test_decisions_are_sound(rows: list[DedupRow], chosen: DedupSettings) -> None:
    decisions = deduplicate(rows, chosen)
    assert [d.id for d in decisions] == sorted(row.id for row in rows)
    by_id = {row.id: row for row in rows}
    kept = {d.id for d in decisions if d.kept}
    for decision in decisions:
        if decision.kept:
            assert (decision.duplicate_of, decision.method, decision.similarity) == (None, None, None)
            continue
        assert decision.duplicate_of in kept
        row, leader = by_id[decision.id], by_id[decision.duplicate_of]
        assert decision.similarity is not None
        if decision.method == "shape_cap":
            assert row.plan == leader.plan
        else:  # D11
            assert _gate(row) == _gate(leader)
            assert (-leader.quality, leader.id) < (-row.quality, row.id)
    shapes = Counter(by_id[name].plan for name in kept if by_id[name].plan)
    needs = Counter(by_id[name].need for name in kept if by_id[name].need)
    assert all(count <= chosen.shape_cap for count in shapes.values())
    assert all(count <= chosen.max_phrasings for count in needs.values())
    assert bool(kept) == bool(rows)


@settings(max_examples=40, deadline=None)
@given(ROWS, st.integers(1, 3), st.integers(1, 6))
def test_survivors_survive_a_second_run(rows: list[DedupRow], phrasings: int, cap: int) -> None:
    chosen = DedupSettings(max_phrasings=phrasings, shape_cap=cap)
    kept = {d.id for d in deduplicate(rows, chosen) if d.kept}
    assert all(d.kept for d in deduplicate([row for row in rows if row.id in kept], chosen))


@given(st.dictionaries(st.text(), st.lists(st.sampled_from("abcdefgh"), max_size=3), max_size=30), st.integers(0, 9))
def test_splits_keep_groups_whole_in_any_order(rows: dict[str, list[str]], seed: int) -> None:
    chosen = SplitSettings(0.3, 0.3, seed)
    splits = assign_splits(rows.items(), chosen)
    assert splits == assign_splits(reversed(list(rows.items())), chosen)
    for key in "abcdefgh":
        assert len({splits[row] for row, keys in rows.items() if key in keys}) <= 1


def test_splits_have_their_shares_and_new_rows_move_no_old_ones() -> None:
    rows = [(str(i), [f"g{i // 2}"]) for i in range(4000)]
    splits = assign_splits(rows)
    shares = Counter(splits.values())
    assert 0.07 < shares["test"] / 4000 < 0.13
    assert 0.07 < shares["validation"] / 4000 < 0.13
    half = assign_splits(rows[:2000])
    assert all(splits[name] == split for name, split in half.items())
    assert split_of("x") == split_of("x")
    assert split_of("x", SplitSettings(0.0, 0.0)) == "train"
    for bad in ((0.5, 0.5), (-0.1, 0.1), (0.1, 1.0)):
        with pytest.raises(UsageError, match="splits"):
            SplitSettings(*bad)
