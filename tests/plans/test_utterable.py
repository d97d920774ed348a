"""Nobody says what is written for programs, counts figures, or looks something up "by notice number"."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planworld import TO_DETAIL, World, filler, living, shops_tool, world_tools

from edge.calls import Outcome
from edge.execution.memo import MemoCaller
from edge.plans.arguments import fill
from edge.plans.asking import records_differ
from edge.plans.choices import reducers_for
from edge.plans.draft import Draft, PlanFailed
from edge.plans.drawing import MEASURED
from edge.plans.grounding import Grounder, GroundingSettings
from edge.plans.model import DefaultValue, Reducer
from edge.plans.runner import ExecutedCall
from edge.plans.utterable import askworthy, countable, machine_like
from edge.specs.model import EnumValue, OutputField, Parameter

HANGUL = st.characters(min_codepoint=ord("가"), max_codepoint=ord("힣"))


@pytest.mark.parametrize(
    "value",
    [
        "[1^R26BK01234567^000]",
        "직접생산확인기업/0001",
        "[직접생산확인기업/0001]",
        "R26BK01234567-000",
        "NULL",
        "n/a",
        "Y",
        "a|b",
        "<b>본회의</b>",
        "STATUS_OK",
    ],
)
def test_what_is_written_for_programs(value: str) -> None:
    assert machine_like(value)


@pytest.mark.parametrize(
    "value",
    [
        "[고양이] 한국 고양이",
        "2016.06.06 ~ 2019.02.03",
        "10:00~19:00",
        "KOSPI",
        "PM2.5",
        "A/S센터",
        "1층/2층",
        "3/4분기",
        "치과,구강악안면외과",
        "4.1.1.1. 생산자물가지수(기본분류)",
        "Gaon Soft Co., Ltd. Common",
        "없음",
    ],
)
def test_what_people_read(value: str) -> None:
    assert not machine_like(value)


@given(st.text(alphabet=st.one_of(HANGUL, st.sampled_from(" .,()-·0123456789")), max_size=30))
def test_plain_korean_is_never_machine_like(value: str) -> None:
    assert not machine_like(value)


def test_figures_are_not_counted() -> None:
    world, tool = World(), shops_tool()
    figures = replace(tool, noun="가게 현황")
    assert countable(tool) and not countable(figures)

    def kinds(one: object) -> set[str]:
        found = reducers_for(one, world.shops["M30"], (), random.Random(0), leaf=True, now=filler().now)  # type: ignore[arg-type]
        return {r.kind for r in found}

    assert "count" in kinds(tool) and "count" not in kinds(figures)


def test_dull_labels_are_not_asked_for() -> None:
    assert askworthy(OutputField("seatCnt", "좌석수")) and not askworthy(OutputField("rmrk", "비고 1"))


def test_the_switch_that_says_by_what_is_asked_is_never_said() -> None:
    by = (EnumValue("1", "등록일시"), EnumValue("2", "가게코드"))
    parameters = (
        Parameter("div", "조회구분", required=True, kind="code", enum=by),
        Parameter("shopId", "가게코드", required=True, kind="code"),
    )
    tool = replace(shops_tool(), parameters=parameters)
    arguments = dict(fill(Draft(random.Random(0)), tool, ["shopId"], filler()))
    assert arguments == {"div": DefaultValue("2")}


async def test_answers_that_read_alike_are_no_plan() -> None:
    world = World()
    for shop in world.shops["M3"]:
        shop["shopNm"] = "하나상회"
    settings = GroundingSettings(branch_share=0.0, several_share=0.0, computed_share=0.0, nearest_share=0.0)
    async with living(world) as (gateway, _):
        grounder = Grounder(world_tools("M3"), {}, filler(), settings)
        with pytest.raises(PlanFailed) as caught:
            await grounder.ground([TO_DETAIL], random.Random(1), MemoCaller(gateway))
    assert caught.value.reason in ("facts_alike", "no_reducer")


@pytest.mark.parametrize(("kind", "differ"), [("all", False), ("at_least", False), ("top", True), ("bottom", True)])
def test_lines_of_one_name_are_not_told_apart_by_amounts(kind: str, differ: bool) -> None:
    tool = shops_tool("M1")
    amount = next(f.path for f in tool.outputs if f.kind in MEASURED)
    records = tuple({tool.name_field or "": "하나상회", amount: n} for n in (3, 2, 1))
    outcome = Outcome("o", tool.tool_id, {}, "ok", "ok", records=records)
    call = ExecutedCall("c1", "s1", tool.tool_id, {}, outcome, (), (0, 1, 2))
    assert records_differ([call], tool, [amount], Reducer(kind, amount)) is differ  # type: ignore[arg-type]
