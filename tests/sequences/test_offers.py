"""The offered tools hide which are right, and lack what a negative must lack."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planworld import DRV_PLAN, FAN_PLAN, SEM_PLAN, TO_DETAIL, TO_MARKET, TO_REGION, learned, world_tools

from edge.plans.gaps import gap_of
from edge.plans.model import CallPlan, GapReason
from edge.sequences.offers import offered_tools
from edge.specs.model import OutputField

TOOLS = world_tools()


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


def like_detail(name: str, **more: Any) -> Any:
    return replace(TOOLS["portal_detail"], tool_id=name, **more)


def other(name: str, **more: Any) -> Any:
    values: dict[str, Any] = {
        "platform": "sky", "domain": "weather", "noun": "날씨", "outputs": (OutputField("t", "기온"),),
    }  # fmt: skip
    return like_detail(name, **values | more)


def test_tools_whose_records_are_called_the_same_come_before_any_other() -> None:
    alike = {n: like_detail(n, platform=p) for n, p in (("a1", "portal"), ("a2", "portal"), ("a3", "sea"))}
    tools = {**TOOLS, **alike, **{f"w{i}": other(f"w{i}") for i in range(40)}}
    for seed in range(10):
        offered = {t.tool_id for t in offered_tools(DRV_PLAN, tools, [], seed=seed, count=5)}
        assert set(alike) <= offered


@pytest.mark.parametrize("plan", [DRV_PLAN, SEM_PLAN])
@pytest.mark.parametrize("reason", ["withheld", "unrelated"])
def test_no_offered_tool_can_stand_in_for_what_a_negative_lacks(plan: CallPlan, reason: GapReason) -> None:
    gap = gap_of(reason, plan, TOOLS, random.Random(0))
    assert gap is not None
    twin = like_detail("twin", platform="sea", domain="sea")  # the same record elsewhere
    same_field = other("field", outputs=(OutputField("x", "임대료"), OutputField("y", "인구수")))
    tools = {**TOOLS, "twin": twin, "field": same_field, **{f"w{i}": other(f"w{i}") for i in range(20)}}
    for seed in range(5):
        offered = {t.tool_id for t in offered_tools(plan, tools, [], seed=seed, gap=gap)}
        assert len(offered) == 10
        assert not offered & {*gap.tools, "twin", "field"}
        kept = {s.tool_id for s in plan.steps} - set(gap.tools)
        assert kept <= offered
        if reason == "unrelated":
            assert not {tools[t].domain for t in offered} & {TOOLS[t].domain for t in gap.tools}


def test_a_missing_value_takes_no_tool_away() -> None:
    gap = gap_of("missing", DRV_PLAN, TOOLS, random.Random(0))
    assert offered_tools(DRV_PLAN, TOOLS, [], seed=1, gap=gap) == offered_tools(DRV_PLAN, TOOLS, [], seed=1)
