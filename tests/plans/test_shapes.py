"""Plans compare, decide, join and grow as their blueprint says; calls that are not needed are found."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from planworld import (
    BY_MARKET,
    DETAIL,
    DRV_PLAN,
    FAN_PLAN,
    REGION,
    SEM_PLAN,
    TO_DETAIL,
    TO_REGION,
    World,
    detail_step,
    filler,
    living,
    plan_of,
    shops_step,
    world_tool,
    world_tools,
)

from edge.execution.memo import MemoCaller
from edge.links.model import Binding, Link
from edge.plans.deciding import branches_alike
from edge.plans.draft import PlanFailed
from edge.plans.facts import facts_of, read_fact
from edge.plans.grounding import Grounder, GroundingSettings
from edge.plans.joining import joins
from edge.plans.minimal import unneeded
from edge.plans.model import BoundValue, CallPlan, PlanStep, Reducer
from edge.plans.runner import Execution, run_plan
from edge.plans.shapes import Blueprint
from edge.specs.model import OutputField, Parameter, Tool

PLAIN = GroundingSettings(branch_share=0.0, several_share=0.0, computed_share=0.0, nearest_share=0.0)
BOTH_WAYS = [TO_DETAIL, TO_REGION]


async def ground(
    tools: Mapping[str, Tool],
    blueprint: Blueprint,
    *,
    chain: Sequence[Link] = (TO_DETAIL,),
    out_of: Sequence[Link] = BOTH_WAYS,
    seed: int = 1,
    settings: GroundingSettings = PLAIN,
    world: World | None = None,
) -> tuple[CallPlan, Execution]:
    """Ground a chain; the plan runs again from scratch to the same calls, and its facts are at their paths."""
    by_source: dict[str, list[Link]] = {}
    for link in out_of:
        by_source.setdefault(link.source_tool, []).append(link)
    async with living(world or World()) as (gateway, _):
        grounder = Grounder(tools, by_source, filler(), settings)
        plan, execution = await grounder.ground(chain, random.Random(seed), MemoCaller(gateway), blueprint)
        again = await run_plan(plan.steps, tools, gateway)
    assert [(c.call_id, c.arguments, c.sources, c.chosen) for c in again.calls] == [
        (c.call_id, c.arguments, c.sources, c.chosen) for c in execution.calls
    ]
    facts = facts_of(plan.steps, again, tools, plan.comparison)
    assert facts
    assert all(read_fact(f.path, again.call(f.call_id), again) == f.value for f in facts)
    return plan, execution


async def test_a_chain_is_walked_for_two_or_three_markets_and_compared() -> None:
    seen: set[int] = set()
    tools = world_tools("M1", "M30", "M3")
    for seed in range(40):
        try:
            plan, execution = await ground(tools, Blueprint("compare"), seed=seed)
        except PlanFailed as error:
            assert error.reason in ("no_comparison", "no_reducer", "no_facts")
            continue
        assert plan.comparison is not None
        compared = [plan.step(s) for s in plan.comparison.steps]
        assert {s.junction for s in compared} == {"CMP"}
        assert len({s.tool_id for s in compared}) == 1
        seen.add(len(compared))
        if len(compared) > 1:
            entries = [s for s in plan.steps if s.parent is None]
            assert len({c.arguments["market"] for s in entries for c in execution.of(s.step_id)}) == len(compared)
            assert max(plan.widths) == 1
            assert plan.max_parallel == len(compared)
    assert {1, 2} <= seen


async def test_a_tie_or_a_single_value_compares_nothing() -> None:
    world = World()
    for detail in world.details.values():
        detail.update(seatCnt=5, rentAmt=7)
    for seed in range(6):
        with pytest.raises(PlanFailed):
            await ground(world_tools("M1", "M30"), Blueprint("compare"), seed=seed, world=world)
    with pytest.raises(PlanFailed):  # one market, one shop: nothing beside it
        await ground(world_tools("M1"), Blueprint("compare"))


OTHER = replace(REGION, tool_id="portal_other", title="법정동 통계", noun="법정동 통계")
TO_OTHER = replace(TO_REGION, target_tool="portal_other")


async def test_the_data_choose_between_two_tools() -> None:
    tools = {**world_tools("M30", "M3"), "portal_other": OTHER}
    truths: set[bool] = set()
    for seed in range(24):
        try:
            plan, execution = await ground(tools, Blueprint("decide"), out_of=[*BOTH_WAYS, TO_OTHER], seed=seed)
        except PlanFailed as error:  # the largest of all has no other number to decide by
            assert error.reason == "no_condition"
            continue
        (taken,) = [s for s in plan.steps if s.when]
        (untaken,) = plan.untaken
        assert taken.when is not None
        assert untaken.when == replace(taken.when, truth=not taken.when.truth)
        assert (taken.junction, taken.tool_id) == ("COND", "portal_detail")
        assert untaken.tool_id in ("portal_region", "portal_other")
        assert untaken.tool_id not in {c.tool_id for c in execution.calls}
        assert untaken.asks or untaken.reducer.computes
        assert taken.asks
        assert not branches_alike(plan, tools)
        assert branches_alike(replace(plan, untaken=(replace(taken, when=untaken.when),)), tools)
        truths.add(taken.when.truth)
    assert truths == {True, False}


async def test_without_another_tool_there_is_no_choice() -> None:
    with pytest.raises(PlanFailed, match="no_condition"):
        await ground(world_tools("M30"), Blueprint("decide"), out_of=[TO_DETAIL])


JOINED = world_tool(
    "detail",
    [
        Parameter("shopId", "가게코드", required=True, kind="code"),
        Parameter("rgnCd", "법정동코드", required=True, kind="code"),
    ],
    list(DETAIL.outputs),
    tool_id="portal_joined",
    title="가게와 지역",
    noun="가게와 지역",
)
SHOPS = world_tools("M30")["portal_shops"]
ELSEWHERE = (replace(SHOPS.parameters[0], label="구역"),)
PLACES = replace(SHOPS, tool_id="portal_places", title="지역 목록", noun="지역", parameters=ELSEWHERE)
FIRST = Link("portal_shops", "portal_joined", (Binding("shopId", "shopId"),), 0.9)
SECOND = Link("portal_places", "portal_joined", (Binding("rgnCd", "rgnCd"),), 0.9)


def test_what_joins() -> None:
    tools = {"portal_joined": JOINED}
    assert joins(FIRST, SECOND, tools)
    assert not joins(FIRST, FIRST, tools)
    assert not joins(FIRST, replace(SECOND, bindings=FIRST.bindings), tools)
    assert not joins(FIRST, replace(SECOND, source_tool="portal_shops"), tools)
    optional = replace(JOINED, parameters=(JOINED.parameters[0], replace(JOINED.parameters[1], required=False)))
    assert not joins(FIRST, SECOND, {"portal_joined": optional})


async def test_two_branches_feed_one_tool() -> None:
    region_said = replace(JOINED.parameters[1], kind="name", examples=("1100010100",))
    tools = {
        **world_tools("M1"),
        "portal_joined": replace(JOINED, parameters=(JOINED.parameters[0], region_said)),
        "portal_places": PLACES,
    }
    plan, execution = await ground(tools, Blueprint("join"), chain=[FIRST], out_of=[FIRST, SECOND], seed=2)
    last = plan.steps[-1]
    assert (len(last.parents), last.also_links) == (2, (SECOND.link_id,))
    assert [s.tool_id for s in plan.steps] == ["portal_shops", "portal_places", "portal_joined"]
    assert plan.levels == (1, 1, 2)
    assert set(execution.calls[-1].arguments) == {"shopId", "rgnCd"}


async def test_a_plan_grows_to_the_calls_that_are_wanted() -> None:
    tools = {**world_tools("M3"), "portal_other": OTHER}
    out_of = [TO_DETAIL, TO_REGION, TO_OTHER]
    sizes = {n: (await ground(tools, Blueprint(calls=n), out_of=out_of))[0] for n in (2, 5, 14)}
    assert [p.n_calls for p in sizes.values()] == [4, 7, 7]  # the two tools of regions tell the same
    assert [s.junction for s in sizes[14].steps] == [None, "FAN", "SEM"]
    assert all(s.asks for s in sizes[14].steps[1:])


async def test_more_than_a_few_are_reduced_to_a_few() -> None:
    kinds: set[str] = set()
    for seed in range(12):
        plan, execution = await ground(
            world_tools("M30"), Blueprint(), seed=seed, settings=replace(PLAIN, several_share=1.0)
        )
        first, second = plan.steps
        kinds.add(first.reducer.kind)
        assert second.junction == "DRV"
        assert 1 <= len(execution.of("s2")) <= 5
    assert {"top", "at_least"} <= kinds | {"at_least"} and len(kinds) > 2


# -- minimality ------------------------------------------------------------------------------------------------------


async def idle(plan: CallPlan, tools: Mapping[str, Tool]) -> str | None:
    async with living(World()) as (gateway, _):
        execution = await run_plan(plan.steps, tools, gateway)
    return unneeded(plan, execution, tools)


@pytest.mark.parametrize("plan", [DRV_PLAN, FAN_PLAN, SEM_PLAN])
async def test_plans_that_need_every_call(plan: CallPlan) -> None:
    assert await idle(plan, world_tools()) is None


def by_market(parent: str, asks: Sequence[str] = ("areaAmt",)) -> PlanStep:
    bound = BoundValue(parent, "marketNm")
    return PlanStep("s3", "portal_bymarket", (("marketNm", bound),), Reducer("only"), tuple(asks), "l", "SEQ")


@pytest.mark.parametrize(
    ("plan", "step"),
    [
        # The details are asked for nothing and feed nothing.
        (plan_of(shops_step("M1", Reducer("only"), ("salesAmt",)), detail_step((), "SEQ")), "s2"),
        # The same facts are in the list already.
        (plan_of(shops_step("M30", Reducer("max", "salesAmt"), ("shopNm",)), detail_step(("shopId",), "DRV")), "s2"),
    ],
)
async def test_a_call_that_could_be_left_out_is_found(plan: CallPlan, step: str) -> None:
    assert await idle(plan, world_tools()) == step


class Markets(World):
    """A world that also answers by the name of a market."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.regions[""] = {"areaAmt": 700}


async def test_a_value_that_the_user_said_needs_no_call_before() -> None:
    parameters = (Parameter("marketNm", "시장명", required=True, kind="name"), Parameter("rgnCd", "코드", default=""))
    tools = {**world_tools(), "portal_bymarket": replace(BY_MARKET, url=REGION.url, parameters=parameters)}
    plan = plan_of(shops_step("M1", Reducer("only")), by_market("s1"))
    async with living(Markets()) as (gateway, _):
        execution = await run_plan(plan.steps, tools, gateway)
    assert unneeded(plan, execution, tools) == "s1"  # the request says the market's name


async def test_a_grounded_plan_with_an_idle_call_is_refused() -> None:
    """The twin answers with what the list has told already, so the list alone would do."""
    told = replace(DETAIL, outputs=(OutputField("seatCnt", "좌석수", kind="count", unit="석"),))
    tools = {**world_tools("M1"), "portal_detail": told}
    world = World()
    world.details["S10000"]["seatCnt"] = 777
    plan, execution = await ground(tools, Blueprint(), world=world)
    assert unneeded(plan, execution, tools) is None
    listed = replace(
        execution.calls[0].outcome, records=({**execution.calls[0].outcome.records[0], "seatCnt": "1234"},)
    )
    detailed = replace(execution.calls[1].outcome, records=({"seatCnt": "1234"},))
    calls = [replace(c, outcome=o) for c, o in zip(execution.calls, (listed, detailed), strict=True)]
    shops = tools["portal_shops"]
    seen = {**tools, "portal_shops": replace(shops, outputs=(*shops.outputs, *told.outputs))}
    assert unneeded(plan, Execution(calls), seen) == "s2"
