"""The walk takes only links that make sense, is steered over domains and depends on its seed alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from planworld import (
    TO_DETAIL,
    TO_MARKET,
    TO_REGION,
    World,
    filler,
    learned,
    living,
    world_tools,
)

from edge.execution.memo import MemoCaller
from edge.links.model import Binding, Link, Rest
from edge.plans.draft import PlanFailed
from edge.plans.model import CallPlan
from edge.plans.walk import Walker, WalkSettings
from edge.specs.model import OutputField, Parameter

GRAPH = [learned(TO_DETAIL), learned(TO_REGION)]


async def walked(count: int, *, seed: int = 1, graph: Any = None, world: World | None = None) -> list[CallPlan | str]:
    """Return plan or reason, number by number."""
    walker = Walker(world_tools(), GRAPH if graph is None else graph, filler(), WalkSettings(), seed=seed)
    found: list[CallPlan | str] = []
    async with living(world or World()) as (gateway, _):
        caller = MemoCaller(gateway)
        for index in range(count):
            try:
                found.append((await walker.plan(index, caller))[0])
            except PlanFailed as error:
                found.append(error.reason)
    return found


async def test_same_seed_same_plans_and_each_number_stands_alone() -> None:
    first, again, other = await walked(6), await walked(6), await walked(6, seed=2)
    assert first == again
    assert first != other
    walker = Walker(world_tools(), GRAPH, filler(), WalkSettings(), seed=1)
    async with living(World()) as (gateway, _):
        alone = [(await walker.plan(i, MemoCaller(gateway)))[0] for i in (4, 2)]
    assert alone == [first[4], first[2]]


async def test_every_junction_kind_is_walked() -> None:
    plans = [p for p in await walked(30) if isinstance(p, CallPlan)]
    assert len(plans) >= 25
    assert {s.junction for p in plans for s in p.steps} >= {None, "SEQ", "FAN", "DRV", "SEM"}
    for plan in plans:
        called = [s.tool_id for s in plan.steps]
        assert plan.comparison or len(set(called)) == len(called)
        assert 2 <= plan.n_calls <= 14
        assert set(plan.link_ids) <= {TO_DETAIL.link_id, TO_REGION.link_id}


async def test_links_take_turns_over_domains() -> None:
    walker = Walker(world_tools(), GRAPH, filler(), WalkSettings(), seed=3)
    assert {walker.agenda[i].last.target_tool for i in range(2)} == {"portal_detail", "portal_region"}


SWITCH = Link("portal_shops", "portal_detail", (Binding("openDe", "checkDe"),), 0.9)


@pytest.mark.parametrize(
    "unfit",
    [
        learned(TO_DETAIL, "candidate"),
        learned(TO_DETAIL, "pruned"),
        learned(replace(TO_DETAIL, feasibility=0.3)),
        learned(Link("gone", "portal_detail", TO_DETAIL.bindings, 0.9)),
        learned(Link("portal_shops", "gone", TO_DETAIL.bindings, 0.9)),
        replace(learned(TO_DETAIL), evidence=replace(learned(TO_DETAIL).evidence, beta=60.0)),
        learned(SWITCH),
    ],
)
async def test_links_that_make_no_sense_are_not_walked(unfit: Any) -> None:
    tools = world_tools()
    tools["portal_detail"] = replace(
        tools["portal_detail"],
        parameters=(*tools["portal_detail"].parameters, Parameter("checkDe", "점검일자", kind="date")),
    )
    assert Walker(tools, [unfit], filler(), WalkSettings(), seed=1).links == []


@pytest.mark.parametrize(("open_to", "walked_over"), [("code", False), ("name", True)])
async def test_what_exploration_filled_from_the_pool_must_be_sayable(open_to: Any, walked_over: bool) -> None:
    tools = world_tools()
    more = Parameter("more", "더", kind=open_to, required=True, examples=("하나",))
    tools["portal_detail"] = replace(tools["portal_detail"], parameters=(*tools["portal_detail"].parameters, more))
    link = replace(TO_DETAIL, rest=(Rest("more", "value_pool"),))
    assert bool(Walker(tools, [learned(link)], filler(), WalkSettings(), seed=1).links) is walked_over


async def test_no_links_no_plans() -> None:
    assert await walked(1, graph=[]) == ["no_verified_links"]


async def test_a_detour_is_never_walked() -> None:
    assert set(await walked(6, graph=[learned(TO_MARKET)])) == {"detour", "no_reducer"}


async def test_a_link_that_no_entry_reaches_has_a_reason() -> None:
    lost = learned(Link("portal_detail", "portal_region", (Binding("shopId", "rgnCd"),), 0.9))
    assert await walked(1, graph=[lost]) == ["no_entry"]


async def test_longer_chains_start_where_a_person_can() -> None:
    tools = world_tools("M1", "M30")
    tools["portal_detail"] = replace(
        tools["portal_detail"],
        outputs=(*tools["portal_detail"].outputs, OutputField("areaCd", "구역코드", kind="code")),
    )
    world = World()
    for i, detail in enumerate(world.details.values()):
        detail["areaCd"] = f"12{i:03d}10100"
        world.regions[detail["areaCd"]] = {"rgnNm": f"먼동{i}", "popCnt": 700 + i}
    last = Link("portal_detail", "portal_region", (Binding("areaCd", "rgnCd"),), 0.9)
    walker = Walker(tools, [learned(TO_DETAIL), learned(last)], filler(), WalkSettings(), seed=1)
    index = next(i for i in range(10) if walker.agenda[i].last == last)
    async with living(world) as (gateway, _):
        plan, execution = await walker.plan(index, MemoCaller(gateway))
    assert plan.steps[0].tool_id == "portal_shops"
    assert "portal_region" in [s.tool_id for s in plan.steps]
    assert all(c.outcome.ok for c in execution.calls)
