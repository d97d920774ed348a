"""Moments of one call agree with each other and with the cycle that is asked for."""

from __future__ import annotations

import random
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linkparts import make_tool

from edge.links.fillers import Filler, ValuePool
from edge.links.periods import range_end
from edge.specs.model import EnumValue, Kind, Parameter

NOW = datetime(2026, 6, 15, 10, 35)
CYCLE = Parameter(
    "cycle", "주기", required=True, kind="code",
    enum=(EnumValue("A", "연간"), EnumValue("Q", "분기"), EnumValue("M", "월"), EnumValue("D", "일")),
)  # fmt: skip


def moment(name: str, label: str, kind: Kind = "date", **more: str) -> Parameter:
    return Parameter(name, label, required=True, kind=kind, **more)  # type: ignore[arg-type]


def filled(*parameters: Parameter, seed: int = 0, now: datetime = NOW, **bound: str) -> dict[str, str]:
    found = Filler(now, ValuePool(), lambda p, v: v).fill(make_tool("t", (), parameters), bound, random.Random(seed))
    assert found is not None
    return {name: filling.value for name, filling in found.items()}


@given(
    st.integers(),
    st.sampled_from(["year", "month", "date", "datetime"]),
    st.datetimes(datetime(2000, 1, 1), datetime(2090, 1, 1)),
)
def test_a_period_begins_before_it_ends(seed: int, kind: Kind, now: datetime) -> None:
    made = filled(moment("fromYm", "시작", kind), moment("toYm", "끝", kind), seed=seed, now=now)
    assert made["fromYm"] <= made["toYm"]


@given(st.integers(), st.dates(datetime(2015, 1, 1).date(), NOW.date()))
def test_a_period_begins_before_the_end_that_is_bound(seed: int, end: object) -> None:
    written = str(end).replace("-", "")
    made = filled(moment("fromDe", "시작일"), moment("toDe", "종료일"), seed=seed, toDe=written)
    assert made["fromDe"] <= written


@given(st.integers(), st.integers(2010, 2026))
def test_a_date_lies_in_the_year_that_is_bound(seed: int, year: int) -> None:
    made = filled(moment("fyr", "회계연도", "year"), moment("exe_ymd", "집행일자"), seed=seed, fyr=str(year))
    assert made == {"exe_ymd": made["exe_ymd"]} and made["exe_ymd"].startswith(str(year))


@given(st.integers())
def test_a_date_lies_in_the_year_that_is_drawn(seed: int) -> None:
    made = filled(moment("exe_ymd", "집행일자"), moment("fyr", "회계연도", "year"), seed=seed)
    assert made["exe_ymd"].startswith(made["fyr"])


@pytest.mark.parametrize(("cycle", "length"), [("A", 4), ("M", 6), ("D", 8), ("Q", 6)])
def test_a_cycle_says_how_moments_are_written(cycle: str, length: int) -> None:
    made = filled(CYCLE, moment("from", "검색 시작", "month"), moment("to", "검색 끝", "month"), cycle=cycle)
    assert {len(value) for value in made.values()} == {length}
    assert made["from"] <= made["to"]


def test_what_no_moment_fits_is_filled_all_the_same() -> None:
    assert filled(moment("year", "연도", "year"), moment("day", "날짜"), year="2090")["day"]


def test_ends_of_a_period_are_told_by_name_or_label() -> None:
    assert [range_end(p) for p in (moment("bgn_de", "x"), moment("x", "조회 끝"), moment("x", "날짜"))] == [
        "begin",
        "end",
        None,
    ]
