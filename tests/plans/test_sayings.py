"""Wire values as people say and read them."""

from __future__ import annotations

import pytest
from planworld import shops_tool, world_tool

from edge.plans.facts import Fact
from edge.plans.sayings import say_fact, say_field, say_parameter
from edge.specs.model import EnumValue, OutputField, Parameter

GRADES = (EnumValue("01", "상급종합병원"), EnumValue("11", "종합병원"))


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        ("date", "20260503", "2026년 5월 3일"),
        ("date", "2026-05-03", "2026년 5월 3일"),
        ("month", "202605", "2026년 5월"),
        ("year", "2025", "2025년"),
        ("datetime", "202605031430", "2026년 5월 3일 오후 2시 30분"),
        ("time", "0600", "오전 6시"),
        ("time", "1430", "오후 2시 30분"),
        ("name", "서울특별시 강남구", "서울특별시 강남구"),
        ("date", "어느 날", "어느 날"),
    ],
)
def test_arguments(kind: str, value: str, said: str) -> None:
    assert say_parameter(Parameter("p", "값", kind=kind), value) == said  # type: ignore[arg-type]


def test_enumerated_arguments_are_said_by_label() -> None:
    grade = Parameter("clCd", "종별코드", kind="code", enum=GRADES)
    assert (say_parameter(grade, "11"), say_parameter(grade, "77")) == ("종합병원", "77")


@pytest.mark.parametrize(
    ("kind", "unit", "value", "said"),
    [
        ("amount", "만원", "125000", "12억 5,000만 원"),
        ("amount", "만원", "125,000", "12억 5,000만 원"),
        ("count", "명", "0", "0명"),
        ("count", "명", " 12 ", "12명"),
        ("number", "m", "1234.5678901234", "1,234.567m"),
        ("number", None, "84.97", "84.97"),
        ("amount", "원", "1710원", "1710원"),
        ("amount", "만원", "비공개", "비공개"),
        ("date", None, "20260503", "2026년 5월 3일"),
        ("datetime", None, "2026-05-03 14:30:00", "2026년 5월 3일 오후 2시 30분"),
        ("time", None, "0600", "오전 6시"),
        ("name", None, "은마", "은마"),
        ("code", None, "0012", "0012"),
    ],
)
def test_facts(kind: str, unit: str | None, value: str, said: str) -> None:
    tool = world_tool("t", [], [OutputField("f", "값", kind=kind, unit=unit)])  # type: ignore[arg-type]
    assert say_fact(Fact("s1", "c1", "records[0].f", value, "값", kind, None, unit, None), tool) == said


def test_facts_with_a_code_list_are_said_by_label() -> None:
    tool = world_tool("t", [], [OutputField("a.f", "종별", kind="code", values=GRADES)])
    assert say_fact(Fact("s1", "c1", "records[3].a.f", "01", "종별", "code", None, None, None), tool) == "상급종합병원"


def test_counts_are_grouped() -> None:
    fact = Fact("s1", "c1", "total", "1234", "가게", "count", None, None, None)
    assert say_fact(fact, shops_tool("M1")) == "1,234"


def test_thresholds_are_said_with_the_unit_of_their_field() -> None:
    price = OutputField("p", "거래금액", kind="amount", unit="만원")
    assert (say_field(price, "300000"), say_field(OutputField("g", "종별", values=GRADES), "11")) == (
        "30억 원",
        "종합병원",
    )
