"""Reducers that leave several records, or make one value of many, are such as a person would say."""

from __future__ import annotations

import random
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planworld import shop, shops_tool, world_tool

from edge.calls import Record
from edge.plans.drawing import (
    comparable,
    computing,
    coordinates,
    distance_to_here,
    holds_total,
    measured,
    nearest,
    numbers_rows,
    quantity,
    round_number,
    several,
    words,
)
from edge.plans.model import Point, Reducer
from edge.plans.reducers import computed, reduce_records
from edge.plans.sayings import say_field
from edge.specs.model import OutputField, Parameter

TOOL = shops_tool()
SHOPS: list[Record] = [dict(shop("M30", i)) for i in range(30)]


@given(st.decimals(Decimal("0.01"), 10**12, places=2), st.booleans())
def test_round_numbers_are_near_and_on_the_right_side(value: Decimal, up: bool) -> None:
    made = round_number(value, up=up)
    assert made >= value if up else made <= value
    assert abs(made - value) <= value / 2
    assert len(made.normalize().as_tuple().digits) <= 2


@given(st.integers(1, 10**9))
def test_small_whole_numbers_stay_whole(value: int) -> None:
    made = round_number(Decimal(value), up=True)
    assert value > 19 or made == value
    assert made == made.to_integral_value()


@pytest.mark.parametrize("seed", range(20))
def test_a_few_are_left_and_what_is_said_is_what_is_meant(seed: int) -> None:
    found = several(TOOL, SHOPS, random.Random(seed), say_field, most=5)
    assert {s.reducer.kind for s in found} >= {"top", "bottom"}
    for reducer in (s.reducer for s in found):
        assert 2 <= len(reduce_records(reducer, SHOPS)) <= 5
        assert reducer.field != "empCnt"  # the same in every shop
        if reducer.kind in ("at_least", "at_most"):
            assert reducer.text is not None
            assert reducer.text.endswith("만원") or "만 원" in reducer.text


def test_words_are_beginnings_that_some_names_have() -> None:
    names = ["중앙시장약국", "중앙로약국", "동문약국", "동문 큰약국", "새봄의원"]
    rows: list[Record] = [{"shopNm": n} for n in names]
    said = {r.value for seed in range(20) for r in words(TOOL, rows, random.Random(seed), least=2, most=3)}
    assert said == {"중앙", "동문"}


@pytest.mark.parametrize("seed", range(10))
def test_made_values_are_of_lists_that_can_be_read(seed: int) -> None:
    found = [s.reducer for s in computing(TOOL, SHOPS, random.Random(seed), say_field)]
    assert {r.kind for r in found} >= {"sum", "mean", "count"}
    for reducer in found:
        chosen = reduce_records(reducer, SHOPS)
        assert computed(reducer, SHOPS, chosen)
        assert reducer.kind != "count" or 2 <= len(chosen) < 30
        assert reducer.within is None or reducer.within.field != reducer.field
    assert computing(TOOL, SHOPS * 2, random.Random(seed), say_field) == []
    assert computing(TOOL, SHOPS[:2], random.Random(seed), say_field) == []


def test_row_numbers_are_no_measure() -> None:
    assert numbers_rows([Decimal(n) for n in (1, 2, 3, 4)])
    assert numbers_rows([Decimal(n) for n in (9, 8, 7)])
    assert not numbers_rows([Decimal(n) for n in (1, 2, 4)])
    assert not numbers_rows([Decimal(1), Decimal(2)])
    rows: list[Record] = [{"salesAmt": n, "empCnt": 3 + n * n} for n in range(4)]
    assert [f.path for f in measured(TOOL, rows)] == ["empCnt"]


@given(st.lists(st.integers(500, 10**9), min_size=3, max_size=12), st.randoms())
def test_a_total_row_is_not_compared(values: list[int], rng: random.Random) -> None:
    rows = [Decimal(v) for v in (sum(values), *values)]
    rng.shuffle(rows)
    assert holds_total(rows) and not comparable(rows)
    assert not holds_total([v for v in rows if v != max(rows)] + [max(rows) * 2])
    assert comparable([Decimal(v) for v in (2, 1, 1, 4)])  # chance
    amounts: list[Record] = [{"salesAmt": int(v), "empCnt": n * n} for n, v in enumerate(rows)]
    assert [f.path for f in measured(TOOL, amounts)] == ["empCnt"]


def test_the_nearest_needs_two_places() -> None:
    origin = Reducer("nearest", near=Point("lat", "lon", "s1"))
    (found,) = nearest(TOOL, SHOPS, origin)
    assert (found.reducer.field, found.reducer.longitude, found.reducer.near) == ("lat", "lon", origin.near)
    assert nearest(TOOL, SHOPS, None) == []
    assert nearest(TOOL, SHOPS[:2], origin) == []
    assert coordinates(TOOL) == ("lat", "lon")
    assert coordinates(replace(TOOL, outputs=(OutputField("lat", "위도", kind="latitude"),))) is None


def test_nobody_asks_for_the_farthest_of_what_lies_around() -> None:
    fields = [
        OutputField("distance", "떨어진 거리", kind="number", unit="m"),
        OutputField("bedCnt", "병상", kind="count"),
    ]
    records: list[Record] = [{"distance": str(100 + 37 * i), "bedCnt": 10 + i * i} for i in range(8)]
    place = [Parameter("x", "경도", kind="longitude"), Parameter("y", "위도", kind="latitude")]
    around, elsewhere = world_tool("around", place, fields), world_tool("walks", [], fields)
    assert distance_to_here(around, fields[0])
    assert not distance_to_here(around, fields[1])
    assert not distance_to_here(elsewhere, fields[0])  # how long a walk is: the longest is worth asking for
    for seed in range(20):
        for tool, far in ((around, False), (elsewhere, True)):
            found = several(tool, records, random.Random(seed), say_field, most=4)
            kinds = {s.reducer.kind for s in found if s.reducer.field == "distance"}
            assert "bottom" in kinds
            assert bool(kinds & {"top", "at_least"}) == far


def test_a_number_without_a_unit_is_no_quantity() -> None:
    assert not quantity(OutputField("ord", "순번", kind="number"))
    assert quantity(OutputField("area", "면적", kind="number", unit="㎡"))
    assert quantity(OutputField("cnt", "병상 수", kind="count"))
    assert not quantity(OutputField("name", "이름", kind="name", unit="명"))
