"""Every fact leads back into a response and says whose value it is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from planworld import (
    DRV_PLAN,
    FAN_PLAN,
    SEM_PLAN,
    World,
    executed,
    living,
    plan_of,
    shop,
    shops_step,
    world_tools,
)

from edge.plans.facts import facts_of, read_fact
from edge.plans.model import CallPlan, Reducer
from edge.plans.runner import Execution, run_plan

TOOLS = world_tools()
ASKING = plan_of(shops_step("M3", Reducer("all"), ["shopNm", "salesAmt"]))
NAMED = plan_of(shops_step("M30", Reducer("filter", "shopNm", "나루상점1호", "나루상점1호"), ["salesAmt"]))
COUNTED = plan_of(shops_step("M30", Reducer("count")))
LARGEST = plan_of(shops_step("M30", Reducer("max", "salesAmt"), ["shopNm", "salesAmt"]))


@pytest.mark.parametrize("plan", [DRV_PLAN, FAN_PLAN, SEM_PLAN, ASKING, NAMED, COUNTED, LARGEST])
async def test_every_path_leads_back_to_its_value(plan: CallPlan) -> None:
    async with living(World()) as (gateway, _):
        execution = await run_plan(plan.steps, TOOLS, gateway)
    facts = facts_of(plan.steps, execution, TOOLS)
    assert facts
    for fact in facts:
        assert read_fact(fact.path, execution.call(fact.call_id)) == fact.value
        assert "010-1234-5678" not in fact.value


async def test_entities() -> None:
    async with living(World()) as (gateway, _):

        async def stated(plan: CallPlan) -> list[tuple[str | None, str, str]]:
            execution = await run_plan(plan.steps, TOOLS, gateway)
            return [(f.entity, f.label, f.value) for f in facts_of(plan.steps, execution, TOOLS)]

        # A fan-out: each value belongs to the record that fed its call.
        assert await stated(FAN_PLAN) == [
            ("가온상점1호", "좌석수", "10"), ("나루상점1호", "좌석수", "11"), ("다솜상점1호", "좌석수", "12"),
        ]  # fmt: skip
        # Behind a large set: the record that was chosen.
        assert [f[0] for f in await stated(DRV_PLAN)] == ["사랑상점3호", "사랑상점3호"]
        # The name is asked itself: it is no entity of its neighbours.
        assert [f[0] for f in await stated(ASKING)] == [None] * 6
        assert [f[0] for f in await stated(LARGEST)] == [None, None]
        # Chosen by name: the name says whose value it is.
        assert await stated(NAMED) == [("나루상점1호", "매출액", "1037")]
        # Asked about another thing than the parent's record: not the parent's name.
        assert [f[0] for f in await stated(SEM_PLAN)] == ["가온상점1호", None]


async def test_count_counts_every_page() -> None:
    async with living(World()) as (gateway, _):
        execution = await run_plan(COUNTED.steps, TOOLS, gateway)
    (fact,) = facts_of(COUNTED.steps, execution, TOOLS)
    assert (fact.path, fact.value, fact.label, fact.kind) == ("total", "30", "가게", "count")


def test_a28_missing_values_are_not_stated() -> None:
    step = shops_step("M1", Reducer("only"), ["salesAmt", "openDe"])
    execution = Execution([executed(step, [{**shop("M1", 0), "openDe": None}], [0])])
    assert [f.label for f in facts_of([step], execution, TOOLS)] == ["매출액"]


def test_an_ask_that_the_tool_lacks_is_said() -> None:
    step = replace(shops_step("M1", Reducer("only")), asks=("nope",))
    with pytest.raises(KeyError, match="no output nope"):
        facts_of([step], Execution([executed(step, [shop("M1", 0)], [0])]), TOOLS)


@pytest.mark.parametrize("path", ["records[9].a", "records[-1].a", "records[x].a", "records[0].b", "nowhere", ""])
def test_paths_that_lead_nowhere(path: str) -> None:
    assert read_fact(path, executed(shops_step("M1", Reducer("only")), [{"a": 1}], [0])) is None
