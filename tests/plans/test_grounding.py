"""Chains become plans by calling: junctions are typed by what comes back, and plans that make no sense are refused."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from planworld import (
    TO_DETAIL,
    TO_MARKET,
    TO_REGION,
    World,
    filler,
    living,
    world_tools,
)

from edge.execution.memo import MemoCaller
from edge.links.model import Binding, Link
from edge.plans.draft import PlanFailed
from edge.plans.grounding import Grounder, GroundingSettings
from edge.plans.model import BoundValue, CallPlan, DefaultValue, UserValue
from edge.plans.runner import Execution, StepFailed, run_plan
from edge.specs.model import EnumValue, OutputField, Tool

PLAIN = GroundingSettings(branch_share=0.0, several_share=0.0, computed_share=0.0, nearest_share=0.0)
ALONE = PLAIN
BRANCHED = replace(PLAIN, branch_share=1.0)


async def ground(
    tools: Mapping[str, Tool],
    chain: Sequence[Link],
    world: World | None = None,
    *,
    settings: GroundingSettings = ALONE,
    seed: int = 1,
    out_of: Sequence[Link] = (),
) -> tuple[CallPlan, Execution]:
    async with living(world or World()) as (gateway, _):
        grounder = Grounder(tools, {"portal_shops": list(out_of)}, filler(), settings)
        return await grounder.ground(chain, random.Random(seed), MemoCaller(gateway))


@pytest.mark.parametrize(
    ("market", "kind", "width", "reducers"),
    [
        ("M1", "SEQ", 1, {"only"}),
        ("M3", "FAN", 3, {"all"}),
        ("M30", "DRV", 1, {"filter", "max", "min", "latest", "earliest"}),
    ],
)
async def test_junctions_are_typed_by_observed_cardinality(
    market: str, kind: str, width: int, reducers: set[str]
) -> None:
    for seed in range(4):
        plan, execution = await ground(world_tools(market), [TO_DETAIL], seed=seed)
        first, second = plan.steps
        assert (second.junction, plan.widths) == (kind, (1, width))
        assert first.reducer.kind in reducers
        assert len(execution.of("s1")[0].chosen) == width
        assert second.link_id == TO_DETAIL.link_id
        assert all(c.outcome.ok and c.outcome.complete for c in execution.calls)


async def test_the_fan_limit_decides_between_fan_and_reduction() -> None:
    plan, _ = await ground(world_tools("M3"), [TO_DETAIL], settings=replace(PLAIN, fan_limit=2))
    assert plan.steps[1].junction == "DRV"


async def test_one_record_that_feeds_two_tools_is_a_shared_junction() -> None:
    for market, kind in (("M1", "SEQ"), ("M30", "DRV")):
        plan, execution = await ground(
            world_tools(market), [TO_DETAIL], settings=BRANCHED, out_of=[TO_DETAIL, TO_REGION]
        )
        assert [s.junction for s in plan.steps] == [None, kind, "SEM"]
        assert {s.parent for s in plan.steps[1:]} == {"s1"}
        assert len({c.source for c in execution.calls[1:]}) == 1
        assert all(s.asks for s in plan.steps[1:])


async def test_what_one_tool_answers_is_not_asked_of_its_twin() -> None:
    tools = world_tools("M1")
    twins = {**tools, "portal_twin": replace(tools["portal_detail"], tool_id="portal_twin")}
    to_twin = replace(TO_DETAIL, target_tool="portal_twin")
    for seed in range(4):  # the detail holds no more than the first of them is asked: the second is not called
        plan, _ = await ground(twins, [TO_DETAIL], settings=BRANCHED, out_of=[to_twin], seed=seed)
        assert [s.tool_id for s in plan.steps] == ["portal_shops", "portal_detail"]


async def test_a_branch_that_fails_leaves_a_plain_link() -> None:
    world = World()
    world.regions.clear()
    plan, _ = await ground(world_tools("M1"), [TO_DETAIL], world, settings=BRANCHED, out_of=[TO_DETAIL, TO_REGION])
    assert [s.junction for s in plan.steps] == [None, "SEQ"]


async def test_a_plan_runs_again_from_scratch_to_the_same_calls() -> None:
    for market in ("M1", "M3", "M30"):
        tools = world_tools(market)
        plan, execution = await ground(tools, [TO_DETAIL])
        async with living(World()) as (gateway, _):
            again = await run_plan(plan.steps, tools, gateway)
        made = [(c.call_id, c.tool_id, c.arguments, c.source, c.chosen) for c in execution.calls]
        assert [(c.call_id, c.tool_id, c.arguments, c.source, c.chosen) for c in again.calls] == made


async def test_same_seed_same_plan_and_ids_are_content() -> None:
    tools = world_tools()
    plans = [
        (await ground(tools, [TO_DETAIL], seed=seed))[0] for seed in (1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8)
    ]
    assert plans[:8] == plans[8:]
    assert len({p.plan_id for p in plans}) > 2


async def test_the_last_step_alone_is_asked_and_nothing_that_is_known() -> None:
    for seed in range(6):
        plan, execution = await ground(world_tools("M30"), [TO_DETAIL], seed=seed)
        assert plan.steps[0].asks == ()
        assert plan.steps[1].asks
        known = {str(v) for v in execution.of("s1")[0].records[0].values()}
        record = execution.of("s2")[0].records[0]
        assert any(str(record[path]) not in known for path in plan.steps[1].asks)
        assert "shopId" not in plan.steps[1].asks


async def test_every_argument_is_said_given_or_from_an_earlier_step() -> None:
    plan, _ = await ground(world_tools("M30"), [TO_DETAIL])
    for i, step in enumerate(plan.steps):
        for _, source in step.arguments:
            assert isinstance(source, UserValue | DefaultValue | BoundValue)
            if isinstance(source, BoundValue):
                assert source.step in {s.step_id for s in plan.steps[:i]}


# -- plans that are refused ----------------------------------------------------------------------------------------


async def test_a_detour_is_refused() -> None:
    # The user names the market; asking for its shops only to learn the market's name is a call too many.
    with pytest.raises(PlanFailed) as caught:
        await ground(world_tools("M1"), [TO_MARKET])
    assert caught.value.reason == "detour"


async def test_a_value_that_most_records_share_does_not_tell_them_apart() -> None:
    world = World()
    for one in world.shops["M30"]:
        one["rgnCd"] = "1100010100"
    with pytest.raises(PlanFailed) as caught:
        await ground(world_tools("M30"), [TO_REGION], world)
    assert caught.value.reason == "no_reducer"


async def test_a_fan_out_never_makes_one_call_twice() -> None:
    world = World()
    world.shops["M3"][1]["shopId"] = world.shops["M3"][0]["shopId"]
    for seed in range(4):  # the one shop that is told apart is looked for instead: a list that is not kept whole
        plan, execution = await ground(world_tools("M3"), [TO_DETAIL], world, seed=seed)
        assert (plan.widths, plan.steps[1].junction) == ((1, 1), "DRV")
        assert execution.of("s2")[0].arguments["shopId"] == world.shops["M3"][2]["shopId"]


async def test_a_call_made_already_is_refused() -> None:
    # The detail names its region, and the shop it came from asked for that region before.
    tools = world_tools("M1")
    above = OutputField("upperCd", "상위법정동코드", kind="code", format="10")
    region = replace(tools["portal_region"], outputs=(*tools["portal_region"].outputs, above))
    world = World()
    world.regions["1100010100"]["upperCd"] = "1100010100"
    again = Link("portal_region", "portal_region", (Binding("upperCd", "rgnCd"),), 0.9)
    with pytest.raises((StepFailed, PlanFailed)) as caught:
        await ground({**tools, "portal_region": region}, [TO_REGION, again], world)
    assert caught.value.reason in ("repeated_call", "detour")


async def test_a_step_with_nothing_new_is_refused() -> None:
    world = World()
    world.details["S10000"] = {"shopId": "S10000"}
    with pytest.raises(PlanFailed) as caught:
        await ground(world_tools("M1"), [TO_DETAIL], world)
    assert caught.value.reason == "no_facts"


async def test_a_parameter_that_nobody_can_say_is_refused() -> None:
    tools = world_tools("M1")
    with pytest.raises(PlanFailed) as caught:
        await ground(tools, [Link("portal_detail", "portal_region", (Binding("shopId", "rgnCd"),), 0.9)])
    assert caught.value.reason == "unsayable_parameter"


async def test_an_answer_about_another_region_is_refused() -> None:
    world = World()
    world.shops["M1"][0]["marketNm"] = "서울특별시 중구"
    world.regions["1100010100"]["rgnNm"] = "부산광역시 중구"
    with pytest.raises(PlanFailed) as caught:
        await ground(world_tools("M1"), [TO_REGION], world)
    assert caught.value.reason == "other_region"


async def test_an_answer_about_another_thing_is_refused() -> None:
    world = World()
    world.details["S10000"]["shopId"] = "S19999"
    with pytest.raises(PlanFailed) as caught:
        await ground(world_tools("M1"), [TO_DETAIL], world)
    assert caught.value.reason == "other_identity"


@pytest.mark.parametrize(
    ("market", "spoil", "reason"),
    [("M30", "breaks", "incomplete_pages"), ("M1", "detail", "call_structural"), ("M1", "gone", "call_empty")],
)
async def test_a_call_that_fails_ends_the_plan(market: str, spoil: str, reason: str) -> None:
    world = World()
    if spoil == "breaks":
        world.breaks_at = 3
    elif spoil == "detail":
        world.fails.add("detail")
    else:
        world.details.clear()
    with pytest.raises(StepFailed) as caught:
        await ground(world_tools(market), [TO_DETAIL], world)
    assert caught.value.reason == reason


async def test_a_city_that_is_said_with_its_district_is_no_news() -> None:
    """What a link passes on is a word of what the user says: the call that gives it could be left out."""
    tools = world_tools("M3")
    entry = tools["portal_shops"]
    world = World()
    for one in world.shops["M3"]:
        one["cityNm"] = "한가람시"
    said = replace(entry.parameters[0], enum=(EnumValue("M3", "한가람시 두물머리시장"),))
    fields = (*entry.outputs, OutputField("cityNm", "시", kind="name"))
    tools["portal_shops"] = replace(entry, parameters=(said,), outputs=fields)
    to_city = Link("portal_shops", "portal_region", (Binding("cityNm", "rgnCd"),), 0.9)
    world.shops["M3"] = world.shops["M3"][:1]
    world.regions["한가람시"] = {"rgnNm": "먼고을", "popCnt": 777_777}
    with pytest.raises(PlanFailed) as caught:
        await ground(tools, [to_city], world)
    assert caught.value.reason == "detour"
    tools["portal_shops"] = replace(entry, outputs=fields)  # said without the city, it is news
    plan, _ = await ground(tools, [to_city], world)
    assert plan.n_calls == 2
