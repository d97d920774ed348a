"""The offline key is read from the request's words, or the slot is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from planworld import DRV_PLAN, plan_of, shops_step, task_for, world_tool, world_tools

from edge.plans.model import CallPlan, DefaultValue, PlanStep, Reducer, UserValue
from edge.sequences.readback import SlotLost, read_back, wire_value
from edge.specs.model import EnumValue, Parameter, Tool

TOOLS = world_tools()


def one(parameter: Parameter, value: str, text: str) -> tuple[CallPlan, dict[str, Tool]]:
    tool = world_tool("t", [parameter], [])
    return plan_of(PlanStep("s1", tool.tool_id, ((parameter.name, UserValue(value, text)),), Reducer("only"))), {
        tool.tool_id: tool
    }


@pytest.mark.parametrize(
    ("parameter", "value", "text"),
    [
        (Parameter("d", "일자", kind="date", format="%Y%m%d"), "20260503", "2026년 5월 3일"),
        (Parameter("d", "일자", kind="date", format="%Y-%m-%d"), "2026-05-03", "2026년 5월 3일"),
        (Parameter("d", "일자", kind="date"), "20260503", "2026년 5월 3일"),
        (Parameter("m", "계약년월", kind="month", format="%Y%m"), "202605", "2026년 5월"),
        (Parameter("y", "연도", kind="year", format="%Y"), "2025", "2025년"),
        (Parameter("t", "시각", kind="datetime", format="%Y%m%d%H%M"), "202605031430", "2026년 5월 3일 14시 30분"),
        (Parameter("t", "시각", kind="time"), "0600", "6시"),
        (Parameter("t", "시각", kind="time"), "1430", "14시 30분"),
        (Parameter("c", "종별", kind="code", enum=(EnumValue("11", "종합병원"),)), "11", "종합병원"),
        (Parameter("n", "지역", kind="name"), "서울특별시 강남구", "서울특별시 강남구"),
    ],
)
def test_what_was_said_becomes_what_is_sent(parameter: Parameter, value: str, text: str) -> None:
    plan, tools = one(parameter, value, text)
    assert wire_value(parameter, text) == value
    assert read_back(task_for(plan, f"안녕하세요. {text}의 현황을 알려 주세요."), tools) == plan
    with pytest.raises(SlotLost, match="not in the request"):
        read_back(task_for(plan, "현황을 알려 주세요."), tools)


def test_spacing_does_not_lose_a_slot() -> None:
    plan, tools = one(Parameter("n", "지역", kind="name"), "서울특별시 강남구", "서울특별시 강남구")
    assert read_back(task_for(plan, "'서울특별시강남구' 현황"), tools) == plan


def test_words_that_mean_another_value_lose_the_slot() -> None:
    parameter = Parameter("m", "계약년월", kind="month", format="%Y%m")
    plan, tools = one(parameter, "202604", "2026년 5월")
    with pytest.raises(SlotLost, match="reads as '202605', not '202604'"):
        read_back(task_for(plan, "2026년 5월 거래"), tools)


def test_a_label_that_two_values_share_loses_the_slot() -> None:
    shared = (EnumValue("01", "기타"), EnumValue("99", "기타"))
    plan, tools = one(Parameter("c", "종별", kind="code", enum=shared), "99", "기타")
    with pytest.raises(SlotLost, match="reads as '01'"):
        read_back(task_for(plan, "기타 병원 현황"), tools)


def test_a_name_that_the_reducer_filters_by_must_be_said() -> None:
    plan = plan_of(shops_step("M30", Reducer("filter", "shopNm", "가온상점1호", "가온상점1호")))
    said = "큰마루시장 가온상점1호의 매출액"
    assert read_back(task_for(plan, said), TOOLS) == plan
    with pytest.raises(SlotLost, match="가온상점1호"):
        read_back(task_for(plan, "큰마루시장 가게의 매출액"), TOOLS)


def test_bound_and_default_arguments_stay() -> None:
    step = DRV_PLAN.steps[0]
    plan = replace(
        DRV_PLAN, steps=(replace(step, arguments=(*step.arguments, ("sort", DefaultValue("asc")))), *DRV_PLAN.steps[1:])
    )
    assert read_back(task_for(plan, "큰마루시장에서 매출액이 가장 큰 가게"), TOOLS) == plan
