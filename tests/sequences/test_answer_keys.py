"""A model's key is compared with the plan; the offered tools hide which are right."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planworld import (
    DRV_PLAN,
    FAN_PLAN,
    SEM_PLAN,
    TO_DETAIL,
    TO_MARKET,
    TO_REGION,
    Scripted,
    learned,
    task_for,
    world_tools,
)

from edge.errors import ModelAnswerError
from edge.llm.answers import KeyAnswer
from edge.llm.offline import OfflineModel
from edge.llm.prompts import load_prompt
from edge.plans.model import CallPlan
from edge.sequences.agreement import compare
from edge.sequences.keys import KeyFailed, key_variables, write_key
from edge.sequences.offers import offered_tools

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


def compared(plan: CallPlan, *calls: dict[str, Any]) -> str:
    return compare(KeyAnswer.model_validate({"calls": list(calls)}), plan)


def test_the_same_calls_agree_in_any_order() -> None:
    assert compared(DRV_PLAN, SHOPS, DETAIL) == "agrees"
    assert compared(DRV_PLAN, DETAIL, SHOPS) == "agrees"
    assert compared(FAN_PLAN, {**SHOPS, "arguments": {"market": "M3"}}, DETAIL, {**DETAIL, "id": "d"}) == "agrees"


def test_literals_are_compared_after_folding() -> None:
    assert compared(DRV_PLAN, {**SHOPS, "arguments": {"market": " m30 "}}, DETAIL) == "agrees"


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
    verdict = compared(plan, *calls)
    assert verdict.startswith("other_path: ")
    assert said in verdict


# -- offers --------------------------------------------------------------------------------------------------------


def many_tools(count: int) -> dict[str, Any]:
    extra = {
        f"x_tool{i:02d}": replace(
            TOOLS["portal_detail"],
            tool_id=f"x_tool{i:02d}",
            platform="portal" if i % 2 else "other",
            domain="commerce" if i % 3 else "weather",
        )
        for i in range(count)
    }
    return {**TOOLS, **extra}


@given(st.sampled_from([DRV_PLAN, FAN_PLAN, SEM_PLAN]), st.integers(0, 2**31), st.integers(3, 14), st.integers(0, 30))
def test_every_gold_tool_is_offered_and_nothing_unknown(plan: CallPlan, seed: int, count: int, more: int) -> None:
    tools = many_tools(more)
    graph = [learned(TO_REGION, "pruned"), learned(replace(TO_MARKET, target_tool="gone"), "pruned")]
    offered = [t.tool_id for t in offered_tools(plan, tools, graph, seed=seed, count=count)]
    assert {s.tool_id for s in plan.steps} <= set(offered) <= set(tools)
    assert len(offered) == len(set(offered)) == min(count, len(tools))
    assert offered == [t.tool_id for t in offered_tools(plan, tools, graph, seed=seed, count=count)]


def test_the_order_gives_nothing_away() -> None:
    tools = many_tools(20)
    firsts = {offered_tools(DRV_PLAN, tools, [], seed=seed)[0].tool_id for seed in range(40)}
    assert len(firsts) > 5
    assert firsts - {s.tool_id for s in DRV_PLAN.steps}


def test_targets_of_pruned_links_mislead_first() -> None:
    tools = many_tools(30)
    for seed in range(10):
        offered = offered_tools(DRV_PLAN, tools, [learned(TO_REGION, "pruned"), learned(TO_DETAIL)], seed=seed, count=3)
        assert {t.tool_id for t in offered} == {"portal_shops", "portal_detail", "portal_region"}


# -- keys ----------------------------------------------------------------------------------------------------------


async def key(model: Any, query: str = QUERY) -> Any:
    return await write_key(task_for(DRV_PLAN, query), TOOLS, list(TOOLS.values()), model, PROMPT)


async def test_a_model_that_agrees_keeps_the_plan() -> None:
    model = Scripted(lambda _: {"calls": [SHOPS, DETAIL]})
    made = await key(model)
    assert (made.plan, made.agreement, made.generator) == (DRV_PLAN, "agrees", "scripted/scripted-1")
    assert made.prompt_hash == PROMPT.hash


async def test_a_model_sees_the_request_and_tools_and_nothing_of_the_plan() -> None:
    model = Scripted(lambda _: {"calls": [SHOPS, DETAIL]})
    await key(model)
    assert model.asked[0] == key_variables(task_for(DRV_PLAN, QUERY), list(TOOLS.values()))
    text = PROMPT.render(model.asked[0])
    assert QUERY in text
    assert DRV_PLAN.plan_id not in text
    assert "ownerTel" not in text


async def test_disagreement_is_a_signal_and_no_key() -> None:
    with pytest.raises(KeyFailed) as caught:
        await key(Scripted(lambda _: {"calls": [SHOPS]}))
    assert caught.value.reason == "key_disagrees"
    assert "portal_detail is not called" in caught.value.detail


async def test_an_unusable_answer_has_its_reason() -> None:
    with pytest.raises(KeyFailed) as caught:
        await key(Scripted(lambda _: ModelAnswerError("truncated", "x" * 900)))
    assert (caught.value.reason, len(caught.value.detail)) == ("truncated", 300)


async def test_offline_keys_are_read_back() -> None:
    made = await key(OfflineModel())
    assert (made.plan, made.agreement) == (DRV_PLAN, "read_back")
    with pytest.raises(KeyFailed) as caught:
        await key(OfflineModel(), "매출액이 가장 큰 가게의 좌석수를 알려 주세요.")
    assert caught.value.reason == "missing_slot"
