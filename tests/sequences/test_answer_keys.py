"""A model's key is written blind and compared with the plan: by its calls, then by the records that they reach."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from planworld import (
    DRV_PLAN,
    FAN_PLAN,
    SEM_PLAN,
    Scripted,
    World,
    executed,
    living,
    plan_of,
    task_for,
    world_tools,
)

from edge.errors import ModelAnswerError
from edge.llm.answers import KeyAnswer
from edge.llm.offline import OfflineModel
from edge.llm.prompts import load_prompt
from edge.plans.gaps import gap_of
from edge.plans.model import CallPlan, DefaultValue, UserTask, UserValue
from edge.plans.runner import Execution
from edge.sequences.agreement import difference
from edge.sequences.keys import ATTEMPTS, KeyFailed, KeyWriter, key_variables
from edge.sequences.reached import reached
from edge.specs.model import Parameter

TOOLS = world_tools()
PROMPT = load_prompt("answer_key")
QUERY = "큰마루시장에서 매출액이 가장 큰 가게의 좌석수와 임대료를 알려 주세요."


def call(identity: str, tool: str, arguments: dict[str, str], *references: tuple[str, str, str]) -> dict[str, Any]:
    return {
        "id": identity,
        "tool": tool,
        "arguments": arguments,
        "references": [{"parameter": p, "call": c, "path": x, "transform": None} for p, c, x in references],
    }


SHOPS = call("a", "portal_shops", {"market": "M30"})
DETAIL = call("b", "portal_detail", {}, ("shopId", "a", "shopId"))
REGION = call("c", "portal_region", {}, ("rgnCd", "a", "rgnCd"))


def compared(plan: CallPlan, *calls: dict[str, Any], tools: Any = TOOLS) -> str:
    return difference(KeyAnswer.model_validate({"calls": list(calls)}), plan, tools)


def test_the_same_calls_agree_in_any_order() -> None:
    assert compared(DRV_PLAN, SHOPS, DETAIL) == ""
    assert compared(DRV_PLAN, DETAIL, SHOPS) == ""
    assert compared(FAN_PLAN, {**SHOPS, "arguments": {"market": "M3"}}, DETAIL, {**DETAIL, "id": "d"}) == ""


def test_literals_are_compared_after_folding() -> None:
    assert compared(DRV_PLAN, {**SHOPS, "arguments": {"market": " m30 "}}, DETAIL) == ""


@pytest.mark.parametrize(
    ("plan", "calls", "said"),
    [
        (DRV_PLAN, [SHOPS], "portal_detail is not called"),
        (DRV_PLAN, [], "portal_shops is not called"),
        (DRV_PLAN, [{**SHOPS, "arguments": {"market": "M3"}}, DETAIL], "portal_shops.market is 'M3', the plan has"),
        (DRV_PLAN, [{**SHOPS, "arguments": {}}, DETAIL], "portal_shops.market is None"),
        (DRV_PLAN, [SHOPS, call("b", "portal_detail", {"shopId": "S300026"})], "does not come from portal_shops"),
        (DRV_PLAN, [SHOPS, {**DETAIL, "references": [
            {"parameter": "shopId", "call": "zz", "path": "shopId", "transform": None}]}], "does not come from"),
        (SEM_PLAN, [{**SHOPS, "arguments": {"market": "M1"}}, DETAIL,
                    call("c", "portal_region", {}, ("rgnCd", "b", "rgnCd"))], "portal_region.rgnCd does not come from"),
        (DRV_PLAN, [{**SHOPS, "arguments": {"market": "M30", "sort": "asc"}}, DETAIL], "portal_shops is given sort"),
        (DRV_PLAN, [SHOPS, DETAIL, REGION], "also calls portal_region"),
    ],
)  # fmt: skip
def test_the_first_difference_is_named(plan: CallPlan, calls: list[dict[str, Any]], said: str) -> None:
    assert said in compared(plan, *calls)


def dated(default: str | None) -> tuple[CallPlan, Any]:
    """A plan whose entry also takes a month, said by the user, and a flag that clients send unasked."""
    shops = TOOLS["portal_shops"]
    month = Parameter("ym", "연월", kind="month", format="%Y%m", required=True)
    flag = Parameter("flag", "구분", default=default, required=True)
    entry = DRV_PLAN.steps[0]
    said = (*entry.arguments, ("ym", UserValue("202605", "2026년 5월")), ("flag", DefaultValue("Y")))
    tools = {**TOOLS, "portal_shops": replace(shops, parameters=(*shops.parameters, month, flag))}
    return plan_of(replace(entry, arguments=said), DRV_PLAN.steps[1]), tools


@pytest.mark.parametrize("month", ["202605", "2026년 5월", " 202605 "])
@pytest.mark.parametrize("more", [{}, {"flag": "Y"}, {"flag": "y"}])
def test_arguments_are_compared_as_they_are_sent(month: str, more: dict[str, str]) -> None:
    plan, tools = dated("Y")
    market = shops_label(tools)
    assert compared(plan, call("a", "portal_shops", {"market": market, "ym": month, **more}), DETAIL, tools=tools) == ""


def shops_label(tools: Any) -> str:
    parameter = tools["portal_shops"].parameter("market")
    return next(e.label for e in parameter.enum if e.value == "M30")


@pytest.mark.parametrize("arguments", [{"ym": "202604"}, {"ym": "202605", "flag": "N"}, {}])
def test_other_values_are_a_difference(arguments: dict[str, str]) -> None:
    plan, tools = dated(None)
    assert compared(plan, call("a", "portal_shops", {"market": "M30", **arguments}), DETAIL, tools=tools)


def test_more_calls_than_the_plan_has_records_for_are_a_difference() -> None:
    more = [{**DETAIL, "id": f"d{i}"} for i in range(3)]
    shops = {**SHOPS, "arguments": {"market": "M3"}}
    assert compared(FAN_PLAN, shops, *more) == ""
    assert "4 times, the plan 3" in compared(FAN_PLAN, shops, *more, DETAIL)


def test_two_ways_to_the_same_records_are_one() -> None:
    records = [{"seatCnt": 1}, {"seatCnt": 2}]
    first, second = DRV_PLAN.steps
    one = Execution([executed(first, records, [0]), executed(second, records, [0, 1], "c2")])
    other = Execution([executed(second, list(reversed(records)), [1, 0], "c9")])
    assert reached(DRV_PLAN, one) == reached(DRV_PLAN, other)
    assert reached(DRV_PLAN, one) != reached(DRV_PLAN, Execution([executed(second, records, [0], "c2")]))
    assert reached(DRV_PLAN, one) != reached(DRV_PLAN, Execution([executed(second, records[:1] * 2, [0, 1], "c2")]))


# -- keys ----------------------------------------------------------------------------------------------------------


async def key(model: Any, query: str = QUERY, *, world: World | None = None, task: UserTask | None = None) -> Any:
    async with living(world or World()) as (gateway, _):
        writer = KeyWriter(TOOLS, model, PROMPT, gateway)
        return await writer.write(task or task_for(DRV_PLAN, query), list(TOOLS.values()))


async def test_a_model_that_agrees_keeps_the_plan() -> None:
    made = await key(Scripted(lambda _: {"calls": [SHOPS, DETAIL]}))
    assert (made.plan, made.agreement, made.generator) == (DRV_PLAN, "agrees", "scripted/scripted-1")
    assert (made.prompt_hash, made.difference, made.calls) == (PROMPT.hash, "", "")


async def test_a_model_sees_the_request_and_tools_and_nothing_of_the_plan() -> None:
    model = Scripted(lambda _: {"calls": [SHOPS, DETAIL]})
    await key(model)
    assert model.asked[0] == key_variables(task_for(DRV_PLAN, QUERY), list(TOOLS.values()))
    text = PROMPT.render(model.asked[0])
    assert QUERY in text
    assert DRV_PLAN.plan_id not in text
    assert "ownerTel" not in text


async def test_another_way_to_the_same_records_is_kept_as_such() -> None:
    """The region is looked up as well: nothing that the answer rests on changes."""
    model = Scripted(lambda _: {"calls": [SHOPS, DETAIL, {**REGION, "id": "c"}]})
    made = await key(model)
    assert (made.plan, made.agreement) == (DRV_PLAN, "other_valid_path")
    assert made.difference == "also calls portal_region"
    assert [c["tool"] for c in json.loads(made.calls)["calls"]] == ["portal_shops", "portal_detail", "portal_region"]


async def test_calls_that_reach_other_records_mean_an_ambiguous_request() -> None:
    model = Scripted(lambda _: {"calls": [{**SHOPS, "arguments": {"market": "M1"}}, DETAIL]})
    with pytest.raises(KeyFailed) as caught:
        await key(model)
    assert caught.value.reason == "ambiguous_request"
    assert "portal_shops.market is 'M1', the plan has 'M30'" in caught.value.detail
    assert len(model.asked) == 1


def turned(transform: str) -> dict[str, Any]:
    reference = {"parameter": "shopId", "call": "a", "path": "shopId", "transform": transform}
    return {**DETAIL, "references": [reference]}


@pytest.mark.parametrize(
    ("calls", "told"),
    [
        ([SHOPS, call("b", "os_system", {"cmd": "id"})], "there is no tool os_system"),
        ([SHOPS, call("b", "portal_detail", {"colour": "red"})], "portal_detail has no parameter colour"),
        ([SHOPS, call("b", "portal_detail", {})], "portal_detail needs shopId"),
        ([SHOPS, call("b", "portal_detail", {}, ("shopId", "z", "shopId"))], "there is no call z before it"),
        ([DETAIL, SHOPS, REGION], "there is no call a before it"),
        ([SHOPS, call("b", "portal_detail", {}, ("shopId", "a", "nothing"))], "portal_shops returns no nothing"),
        ([SHOPS, {**DETAIL, "id": "a"}], "two calls have the id a"),
        ([SHOPS, turned("rot13")], "no transform rot13"),
        ([], "no call is made"),
        ([SHOPS, call("b", "portal_detail", {"shopId": "S999"})], "b: call_empty no_data"),
    ],
)  # fmt: skip
async def test_calls_that_cannot_be_made_are_told_and_asked_again(calls: list[dict[str, Any]], told: str) -> None:
    model = Scripted(lambda v: {"calls": [SHOPS, DETAIL] if "feedback" in v else calls})
    assert (await key(model)).agreement == "agrees"
    assert len(model.asked) == 2
    assert told in str(model.asked[1]["feedback"])


async def test_calls_that_never_run_are_given_up() -> None:
    model = Scripted(lambda _: {"calls": [call("b", "os_system", {})]})
    with pytest.raises(KeyFailed) as caught:
        await key(model)
    assert (caught.value.reason, caught.value.detail) == ("key_fails", "b: there is no tool os_system")
    assert len(model.asked) == ATTEMPTS


async def test_a_request_without_its_slot_is_not_even_asked_about() -> None:
    model = Scripted(lambda _: {"calls": [SHOPS, DETAIL]})
    with pytest.raises(KeyFailed) as caught:
        await key(model, "매출액이 가장 큰 가게의 좌석수를 알려 주세요.")
    assert (caught.value.reason, model.asked) == ("missing_slot", [])


async def test_an_unusable_answer_has_its_reason() -> None:
    with pytest.raises(KeyFailed) as caught:
        await key(Scripted(lambda _: ModelAnswerError("truncated", "x" * 900)))
    assert (caught.value.reason, len(caught.value.detail)) == ("truncated", 300)


async def test_the_key_of_a_negative_is_no_call() -> None:
    gap = gap_of("withheld", DRV_PLAN, TOOLS, random.Random(0))
    task = task_for(DRV_PLAN, QUERY, kind="irrelevant", gap=gap)
    for model in (OfflineModel(), Scripted(lambda _: {"calls": []})):
        made = await key(model, task=task)
        assert (made.plan.steps, made.agreement) == ((), "no_call")
    with pytest.raises(KeyFailed) as caught:
        await key(Scripted(lambda _: {"calls": [SHOPS]}), task=task)
    assert (caught.value.reason, caught.value.detail) == ("negative_is_answered", "portal_shops")


async def test_offline_keys_are_read_back_without_a_call() -> None:
    async with living(World()) as (gateway, server):
        made = await KeyWriter(TOOLS, OfflineModel(), PROMPT, gateway).write(task_for(DRV_PLAN, QUERY), [])
        assert server.seen == []
    assert (made.plan, made.agreement) == (DRV_PLAN, "read_back")
    with pytest.raises(KeyFailed) as caught:
        await key(OfflineModel(), "매출액이 가장 큰 가게의 좌석수를 알려 주세요.")
    assert caught.value.reason == "missing_slot"
