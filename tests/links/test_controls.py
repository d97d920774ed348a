"""Did the answer depend on the bound value? One control call for each bound parameter tells."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linkparts import KINDS, FunctionCaller, make_outcome, make_tool

from edge.calls import Arguments
from edge.links.controls import Case, Sensitivity, nonsense
from edge.specs.model import Parameter

TOOL = make_tool("t", [], [Parameter("id", "번호", kind="code"), Parameter("year", "연도", kind="year")])
ROWS: list[dict[str, Any]] = [{"a": "1"}]


def case(**arguments: str) -> Case:
    return Case(TOOL, arguments, tuple(arguments), make_outcome("t", arguments, ROWS))


async def learned(answer: Any, *cases: Case, known: dict[Any, bool] | None = None) -> tuple[Sensitivity, Any]:
    caller, made = FunctionCaller(answer), Sensitivity(known or {})
    await made.learn(caller, cases, asyncio.Semaphore(4))
    return made, caller.asked


async def test_a_parameter_that_changes_nothing_is_ignored() -> None:
    made, asked = await learned(lambda *_: ROWS, case(id="123"))
    assert made.ignored(TOOL, ["id"]) and asked == [("t", {"id": "678"})]


@pytest.mark.parametrize("other", [[], [{"a": "2"}], "structural", "empty"])
async def test_a_parameter_that_changes_the_answer_is_not(other: Any) -> None:
    made, _ = await learned(lambda *_: other, case(id="123"))
    assert made.known == {("t", ("id",), "id"): False} and not made.ignored(TOOL, ["id"])


async def test_an_outage_decides_nothing_and_the_control_comes_again() -> None:
    made, _ = await learned(lambda *_: "environmental", case(id="123"))
    assert made.known == {} and not made.ignored(TOOL, ["id"])
    await made.learn(FunctionCaller(lambda *_: ROWS), [case(id="123")], asyncio.Semaphore(1))
    assert made.ignored(TOOL, ["id"])


async def test_each_bound_parameter_has_its_own_control() -> None:
    def answer(_: str, arguments: Arguments) -> Any:
        return ROWS if arguments["year"] == "2026" else []

    made, asked = await learned(answer, case(id="123", year="2026"))
    both = ("id", "year")
    assert made.known == {("t", both, "id"): True, ("t", both, "year"): False}
    assert asked == [("t", {"id": "678", "year": "2026"}), ("t", {"id": "123", "year": "1901"})]
    assert made.ignored(TOOL, ["year", "id"]) and not made.ignored(TOOL, ["year"])


async def test_a_key_ignored_beside_another_may_matter_alone() -> None:
    def answer(_: str, arguments: Arguments) -> Any:
        """Take the year where there is one, else the id."""
        return ROWS if arguments.get("year") == "2026" or ("year" not in arguments and arguments["id"] == "123") else []

    made, _ = await learned(answer, case(id="123", year="2026"), case(id="123"))
    assert made.ignored(TOOL, ["id", "year"]) and not made.ignored(TOOL, ["id"])


async def test_one_control_a_parameter_by_the_first_case() -> None:
    made, asked = await learned(lambda *_: [], case(id="111"), case(id="222"), case(id="111"))
    assert asked == [("t", {"id": "666"})]
    await made.learn(FunctionCaller(lambda *_: ROWS), [case(id="333")], asyncio.Semaphore(1))
    assert not made.ignored(TOOL, ["id"]), "what is known stays"


async def test_unknown_names_and_no_cases() -> None:
    assert (await learned(lambda *_: ROWS))[1] == []
    made, asked = await learned(lambda *_: ROWS, case(other="1"))
    assert (made.known, asked) == ({}, [])


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("date", "20260615", "19010615"),
        ("month", "202606", "190106"),
        ("year", "2026", "1901"),
        ("longitude", "126.97", "1.5"),
        ("name", "삼성전자", "없는이름Q"),
        ("code", "11680", "66135"),
        ("code", "A005", "A550"),
        ("code", "가나", "가나Q"),
    ],
)
def test_nonsense_has_the_shape_of_the_value(kind: Any, value: str, expected: str) -> None:
    assert nonsense(Parameter("x", "값", kind=kind), value) == expected


@pytest.mark.parametrize(
    ("name", "kind", "value", "expected"),
    [
        ("fromTmFc", "date", "20260615", "20990615"),
        ("toTmFc", "date", "20260615", "19010615"),
        ("bgnYear", "year", "2025", "2099"),
    ],
)
def test_nonsense_of_a_period_leaves_nothing_in_it(name: str, kind: Any, value: str, expected: str) -> None:
    assert nonsense(Parameter(name, "값", kind=kind), value) == expected


@given(st.sampled_from(KINDS), st.text(min_size=1, max_size=20))
def test_nonsense_is_another_value_and_never_nothing(kind: Any, value: str) -> None:
    made = nonsense(Parameter("x", "값", kind=kind), value)
    assert made and nonsense(Parameter("x", "값", kind=kind), value) == made
