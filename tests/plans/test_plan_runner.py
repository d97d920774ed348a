"""Plans run against a real server: references, fan-outs, pages and everything that stops a step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from planworld import (
    DRV_PLAN,
    FAN_PLAN,
    SEM_PLAN,
    World,
    detail_step,
    living,
    plan_of,
    region_step,
    shops_step,
    world_tools,
)

from edge.plans.model import BoundValue, CallPlan, Reducer
from edge.plans.runner import StepFailed, run_plan

TOOLS = world_tools()


async def test_a_large_set_is_read_to_its_last_page() -> None:
    async with living(World()) as (gateway, server):
        execution = await run_plan(DRV_PLAN.steps, TOOLS, gateway)
    first, second = execution.calls
    assert [s.query["pageNo"] for s in server.seen if s.target.count("/shops?")] == ["1", "2", "3"]
    assert (len(first.outcome.records), first.outcome.total, first.outcome.complete) == (30, 30, True)
    assert first.chosen == (26,)  # on the last page: the first page alone would give another answer
    assert (second.arguments, second.source) == ({"shopId": "S300026"}, ("c1", 26))
    assert all(c.outcome.ok for c in execution.calls)


async def test_fan_out_calls_run_side_by_side_in_record_order() -> None:
    async with living(World()) as (gateway, server):
        execution = await run_plan(FAN_PLAN.steps, TOOLS, gateway)
    assert [c.call_id for c in execution.calls] == ["c1", "c2", "c3", "c4"]
    assert [c.arguments.get("shopId") for c in execution.of("s2")] == ["S30000", "S30001", "S30002"]
    assert [c.source for c in execution.of("s2")] == [("c1", 0), ("c1", 1), ("c1", 2)]
    assert server.peak > 1


async def test_one_record_feeds_two_tools() -> None:
    async with living(World()) as (gateway, _):
        execution = await run_plan(SEM_PLAN.steps, TOOLS, gateway)
    assert [c.tool_id for c in execution.calls] == ["portal_shops", "portal_detail", "portal_region"]
    assert {c.source for c in execution.calls[1:]} == {("c1", 0)}


def without_link(world: World) -> None:
    """A null is never bound into a following call (case A28)."""
    for listed in world.shops.values():
        for one in listed:
            one["shopId"] = None


@pytest.mark.parametrize(
    ("plan", "spoil", "reason"),
    [
        (DRV_PLAN, lambda w: w.details.clear(), "call_empty"),
        (DRV_PLAN, lambda w: w.fails.add("detail"), "call_structural"),
        (DRV_PLAN, lambda w: setattr(w, "breaks_at", 2), "incomplete_pages"),
        (DRV_PLAN, without_link, "unbound_value"),
        (DRV_PLAN, lambda w: w.shops["M30"][0].update(salesAmt=1962), "reducer_tie"),
        (plan_of(shops_step("M3", Reducer("only"))), lambda _: None, "reducer_many"),
        (plan_of(shops_step("M3", Reducer("filter", "shopNm", "없음"))), lambda _: None, "reducer_no_match"),
        (FAN_PLAN, lambda w: w.shops["M3"][1].update(shopId="S30000"), "repeated_call"),
        (plan_of(shops_step("M1", Reducer("only")), shops_step("M1", Reducer("only"), (), "s2")), lambda _: None,
         "repeated_call"),
        (plan_of(shops_step("M30", Reducer("all")), detail_step((), "FAN")), lambda _: None, "too_many_calls"),
    ],
)  # fmt: skip
async def test_what_stops_a_plan(plan: CallPlan, spoil: Callable[[World], object], reason: str) -> None:
    world = World()
    spoil(world)
    async with living(world) as (gateway, _):
        with pytest.raises(StepFailed) as caught:
            await run_plan(plan.steps, TOOLS, gateway)
    assert caught.value.reason == reason
    assert (caught.value.outcome is not None) == reason.startswith(("call_", "incomplete", "reducer_"))


async def test_no_call_is_made_beyond_the_ceiling() -> None:
    async with living(World()) as (gateway, server):
        with pytest.raises(StepFailed, match="too_many_calls 4 > 3"):
            await run_plan(FAN_PLAN.steps, TOOLS, gateway, max_calls=3)
        assert len(server.seen) == 1


async def test_an_argument_of_an_earlier_call_can_be_carried_over() -> None:
    step = region_step((), "SEQ")
    carried = replace(step, arguments=(("rgnCd", BoundValue("s1", "rgnCd")), ("market", BoundValue("s1", "@market"))))
    tools = {**TOOLS, "portal_region": replace(TOOLS["portal_region"], parameters=(
        *TOOLS["portal_region"].parameters, TOOLS["portal_shops"].parameters[0]))}  # fmt: skip
    async with living(World()) as (gateway, _):
        execution = await run_plan(plan_of(shops_step("M1", Reducer("only")), carried).steps, tools, gateway)
    assert execution.calls[1].arguments == {"rgnCd": "1100010100", "market": "M1"}


async def test_private_fields_never_reach_a_plan() -> None:
    async with living(World()) as (gateway, _):
        execution = await run_plan(DRV_PLAN.steps, TOOLS, gateway)
    assert all("ownerTel" not in r for c in execution.calls for r in c.outcome.records)
