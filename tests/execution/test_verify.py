"""What was shipped is executed again; every difference has a kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from planworld import DRV_PLAN, FAN_PLAN, World, living, plan_of, task_for, world_tools

from edge.execution.messages import chat
from edge.execution.model import Trajectory, trajectory_row
from edge.execution.verify import verify_one, verify_trajectories
from edge.ids import Json
from edge.plans.facts import facts_of
from edge.plans.model import CallPlan, DefaultValue
from edge.plans.runner import run_plan
from edge.specs.model import Parameter, Tool
from edge.specs.schema import function_schema

TOOLS = world_tools()


async def shipped(plan: CallPlan, tools: Mapping[str, Tool] = TOOLS) -> dict[str, Any]:
    """Return the row of a trajectory executed in an unspoilt world."""
    async with living(World()) as (gateway, _):
        execution = await run_plan(plan.steps, tools, gateway)
    facts = facts_of(plan.steps, execution, tools)
    messages = chat(plan, execution, tools, system="", query="질문", answer="답")
    made = Trajectory(
        task_for(plan, "질문"), plan, execution, tuple(facts), "답", tuple(messages), tuple(tools), "offline/ko"
    )
    schemas: dict[str, Json] = {t.tool_id: function_schema(t) for t in tools.values()}
    return dict(trajectory_row(made, tools, "run", schemas))


@pytest.mark.parametrize("plan", [DRV_PLAN, FAN_PLAN])
async def test_an_unchanged_world_gives_no_difference(plan: CallPlan) -> None:
    row = await shipped(plan)
    async with living(World()) as (gateway, _):
        assert await verify_one(row, TOOLS, gateway) == []


@pytest.mark.parametrize(
    ("spoil", "kind", "detail"),
    [
        (
            lambda w: w.details["S300026"].update(seatCnt=99),
            "fact_differs",
            "c2 records[0].seatCnt: '99', shipped '36'",
        ),
        (lambda w: w.details["S300026"].pop("seatCnt"), "fact_differs", "None, shipped '36'"),
        (lambda w: w.shops["M30"][0].update(salesAmt=9999), "calls_differ", "S300000"),
        (lambda w: w.shops["M30"][0].update(salesAmt=1962), "call_failed", "s1: reducer_tie"),
        (lambda w: w.details.clear(), "call_failed", "s2: call_empty"),
        (lambda w: w.fails.add("detail"), "call_failed", "s2: call_structural"),
    ],
)
async def test_what_changed_is_named(spoil: Callable[[World], object], kind: str, detail: str) -> None:
    world = World()
    spoil(world)
    row = await shipped(DRV_PLAN)
    async with living(world) as (gateway, _):
        (difference,) = await verify_one(row, TOOLS, gateway)
    assert (difference.trajectory_id, difference.kind) == (row["trajectory_id"], kind)
    assert detail in difference.detail


@pytest.mark.parametrize(("was", "now"), [('"market":"M30"', '"market":30'), ('"market":"M30"', '"market":true')])
async def test_l21_types_are_compared_too(was: str, now: str) -> None:
    row = await shipped(DRV_PLAN)
    row["golden_calls"] = row["golden_calls"].replace(was, now)
    async with living(World()) as (gateway, _):
        (difference,) = await verify_one(row, TOOLS, gateway)
    assert (difference.kind, now in difference.detail) == ("calls_differ", True)


async def test_a_flag_given_as_a_number_is_another_call() -> None:
    shops = TOOLS["portal_shops"]
    flagged = (*shops.parameters, Parameter("open", "영업중", type="boolean"))
    tools = {**TOOLS, "portal_shops": replace(shops, parameters=flagged)}
    entry = replace(DRV_PLAN.steps[0], arguments=(*DRV_PLAN.steps[0].arguments, ("open", DefaultValue("true"))))
    row = await shipped(plan_of(entry, DRV_PLAN.steps[1]), tools)
    assert '"open":true' in row["golden_calls"]
    row["golden_calls"] = row["golden_calls"].replace('"open":true', '"open":1')
    async with living(World()) as (gateway, _):
        (difference,) = await verify_one(row, tools, gateway)
    assert difference.kind == "calls_differ"


async def test_a_chat_that_trainers_trip_over_is_named_before_any_call() -> None:
    row = await shipped(DRV_PLAN)
    row["messages"] = row["messages"].replace('"tool_call_id":"c2"', '"tool_call_id":"c1"')
    async with living(World()) as (gateway, server):
        (difference,) = await verify_one(row, TOOLS, gateway)
        assert server.seen == []
    assert difference.kind == "chat_unsound"


async def test_a_fan_out_that_grew_differs() -> None:
    world = World()
    world.shops["M3"].append({**world.shops["M3"][0], "shopId": "S30009"})
    world.details["S30009"] = {"shopId": "S30009", "seatCnt": 1}
    row = await shipped(FAN_PLAN)
    async with living(world) as (gateway, _):
        (difference,) = await verify_one(row, TOOLS, gateway)
    assert (difference.kind, difference.detail) == ("calls_differ", "made 5 calls, shipped 4")


async def test_a_missing_tool_needs_no_call() -> None:
    row = await shipped(DRV_PLAN)
    tools = {name: tool for name, tool in TOOLS.items() if name != "portal_detail"}
    async with living(World()) as (gateway, server):
        (difference,) = await verify_one(row, tools, gateway)
        assert server.seen == []
    assert (difference.kind, difference.detail) == ("tool_missing", "portal_detail")


@pytest.mark.parametrize("spoilt", [
    {"plan": "{"}, {"plan": "{}"}, {"golden_calls": "["}, {"golden_calls": "[{}]"}, {"golden_calls": "3"},
    {"answer_facts": "nope"}, {"answer_facts": '[{"call": "c1"}]'},
])  # fmt: skip
async def test_a_row_that_cannot_be_read(spoilt: dict[str, str]) -> None:
    row = await shipped(DRV_PLAN)
    async with living(World()) as (gateway, _):
        (difference,) = await verify_one({**row, **spoilt}, TOOLS, gateway)
    assert difference.kind == "unreadable"
    assert "\n" not in difference.detail


async def test_a_fact_of_a_call_that_was_not_made_differs() -> None:
    row = await shipped(DRV_PLAN)
    facts = '[{"call": "c9", "path": "total", "value": "1"}]'
    async with living(World()) as (gateway, _):
        (difference,) = await verify_one({**row, "answer_facts": facts}, TOOLS, gateway)
    assert difference.kind == "fact_differs"


async def test_all_rows_are_reported_in_order() -> None:
    world = World()
    world.details["S300026"]["seatCnt"] = 99
    rows = [await shipped(FAN_PLAN), await shipped(DRV_PLAN), {"trajectory_id": "x", "plan": "", "golden_calls": "",
                                                               "answer_facts": ""}]  # fmt: skip
    done: list[int] = []
    async with living(world) as (gateway, _):
        found = await verify_trajectories(rows, TOOLS, gateway, concurrency=2, progress=done.append)
    assert [(d.trajectory_id, d.kind) for d in found] == [
        (rows[1]["trajectory_id"], "fact_differs"), ("x", "unreadable"),
    ]  # fmt: skip
    assert done == [1, 2, 3]
