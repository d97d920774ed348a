"""Values are drawn evenly over regions; dates know how they lie to today."""

from __future__ import annotations

import random
from collections import Counter
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.plans.relations import relation_of
from edge.plans.spreading import region_of, spread
from edge.specs.model import Parameter

PLACES = [*(f"서울특별시 {i}구" for i in range(90)), "부산광역시 중구", "제주특별자치도 제주시"]


def test_a_region_with_many_values_has_one_turn() -> None:
    drawn = Counter(region_of(spread(PLACES, random.Random(i), 1)[0]) for i in range(300))
    assert set(drawn) == {"서울", "부산", "제주"}
    assert all(70 <= n <= 130 for n in drawn.values())


@given(st.lists(st.sampled_from(PLACES) | st.text(max_size=5), unique=True), st.integers(0, 99), st.integers(0, 9))
def test_values_are_drawn_without_repetition(values: list[str], seed: int, count: int) -> None:
    drawn = spread(values, random.Random(seed), count)
    assert len(drawn) == min(count, len(values)) == len(set(drawn))
    assert set(drawn) <= set(values)
    everything = spread(values, random.Random(seed), len(values))
    assert Counter(everything) == Counter(values)
    assert everything[: len(drawn)] == drawn


@pytest.mark.parametrize(
    ("text", "region"),
    [
        ("서울특별시 강남구", "서울"),
        ("서울 강남구", "서울"),
        ("경기도 성남시", "경기"),
        ("서울역", ""),
        ("강남구", ""),
        ("", ""),
    ],
)
def test_regions_are_read_from_the_beginning(text: str, region: str) -> None:
    assert region_of(text) == region


@pytest.mark.parametrize(
    ("kind", "value", "relation"),
    [
        ("month", "202605", "month-1"),
        ("month", "202606", "month+0"),
        ("month", "202604", None),
        ("date", "20260614", "day-1"),
        ("date", "2026-06-15", "day+0"),
        ("date", "20260613", "day-2"),
        ("date", "20260601", None),
        ("year", "2025", "year-1"),
        ("year", "2020", None),
        ("month", "어제", None),
        ("name", "2025", None),
        ("time", "0600", None),
    ],
)
def test_dates_know_how_they_lie_to_today(kind: str, value: str, relation: str | None) -> None:
    parameter = Parameter("p", "기간", kind=kind)  # type: ignore[arg-type]
    assert relation_of(parameter, value, datetime(2026, 6, 15, 10)) == relation
