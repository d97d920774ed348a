"""Joins, conditions, comparisons and values made of many records run, are stated as facts and made again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from planworld import DETAIL, World, detail_step, living, plan_of, region_step, shops_step, world_tools

from edge.execution.model import golden_calls
from edge.plans.facts import Fact, facts_of, read_fact
from edge.plans.model import BoundValue, CallPlan, Comparison, Condition, PlanStep, Point, Reducer
from edge.plans.runner import Execution, StepFailed, run_plan
from edge.specs.model import OutputField, Parameter

TOOLS = world_tools()
BOTH = replace(
    DETAIL,
    tool_id="portal_both",
    parameters=(Parameter("shopId", "가게코드", required=True, kind="code"), Parameter("rgnCd", "법정동코드")),
    outputs=(OutputField("shopId", "가게코드", kind="code"), OutputField("seatCnt", "좌석수", kind="count")),
)
TOOLS["portal_both"] = BOTH


async def ran(plan: CallPlan, world: World | None = None) -> tuple[Execution, list[Fact]]:
    """Run a plan; every fact is found again at its path."""
    async with living(world or World()) as (gateway, _):
        execution = await run_plan(plan.steps, TOOLS, gateway)
    facts = facts_of(plan.steps, execution, TOOLS, plan.comparison)
    for fact in facts:
        assert read_fact(fact.path, execution.call(fact.call_id), execution) == fact.value
    return execution, facts


@pytest.mark.parametrize(
    ("reducer", "path", "value", "unit"),
    [
        (Reducer("sum", "salesAmt"), "sum(records[*].salesAmt)", str(1000 + 1037 + 1074), "만원"),
        (Reducer("mean", "salesAmt"), "mean(records[*].salesAmt)", "1037", "만원"),
        (Reducer("distinct", "marketNm"), "distinct(records[*].marketNm)", "1", None),
        (Reducer("count"), "total", "3", None),
        (Reducer("count", within=Reducer("at_least", "salesAmt", "1037")), "count(records[1,2])", "2", None),
        (Reducer("sum", "salesAmt", within=Reducer("at_most", "salesAmt", "1,037")), "sum(records[0,1].salesAmt)",
         "2037", "만원"),
        (Reducer("count", within=Reducer("contains", "shopNm", "나루")), "count(records[1])", "1", None),
    ],
)  # fmt: skip
async def test_a_value_made_of_records_says_how(reducer: Reducer, path: str, value: str, unit: str | None) -> None:
    asks = (reducer.field,) if reducer.field else ()
    execution, facts = await ran(plan_of(shops_step("M3", reducer, asks)))
    assert [(f.path, f.value, f.unit) for f in facts] == [(path, value, unit)]
    changed = replace(execution.calls[0], outcome=replace(execution.calls[0].outcome, records=()))
    assert read_fact(path, changed) in (None, "0")


@pytest.mark.parametrize(
    ("reducer", "chosen"),
    [
        (Reducer("top", "salesAmt", k=2), (26, 25)),
        (Reducer("bottom", "salesAmt", k=2), (0, 27)),
        (Reducer("nearest", "lat", longitude="lon", near=Point("37.6001", "127.05")), (10,)),
        (Reducer("max", "salesAmt", within=Reducer("contains", "shopNm", "나루")), (21,)),
        (Reducer("at_least", "salesAmt", "1920"), (25, 26)),
    ],
)
async def test_kinds_that_leave_records_feed_the_next_step(reducer: Reducer, chosen: tuple[int, ...]) -> None:
    plan = plan_of(shops_step("M30", reducer), detail_step(("seatCnt",), "DRV"))
    execution, facts = await ran(plan)
    assert execution.calls[0].chosen == chosen
    assert [f.value for f in facts] == [str(10 + i) for i in chosen]


async def test_the_nearest_to_the_record_of_an_earlier_step() -> None:
    here = shops_step("M1", Reducer("only"))
    near = Reducer("nearest", "lat", longitude="lon", near=Point("lat", "lon", "s1"))
    plan = plan_of(here, shops_step("M30", near, ("shopNm",), "s2"))
    execution, facts = await ran(plan)
    assert (execution.of("s2")[0].chosen, [f.value for f in facts]) == ((0,), ["가온상점1호"])
    assert plan.levels == (1, 2)
    assert plan.fields_read("s1") == ("lat", "lon")


def join(*parents: str) -> PlanStep:
    """Return a step that is fed by a shop of one branch and a region of another."""
    arguments = (("shopId", BoundValue(parents[0], "shopId")), ("rgnCd", BoundValue(parents[1], "rgnCd")))
    return PlanStep("s9", "portal_both", arguments, Reducer("only"), ("seatCnt",), "l", "SEQ", also_links=("m",))


async def test_two_branches_join_in_one_call() -> None:
    plan = plan_of(
        shops_step("M1", Reducer("only")), shops_step("M30", Reducer("max", "salesAmt"), (), "s2"), join("s1", "s2")
    )
    execution, facts = await ran(plan)
    last = execution.of("s9")[0]
    assert last.arguments == {"shopId": "S10000", "rgnCd": "1102610100"}
    assert last.sources == (("c1", 0), ("c2", 26))
    assert [f.value for f in facts] == ["10"]
    assert (plan.levels, plan.max_parallel, plan.link_ids) == ((1, 1, 2), 2, ("l", "m"))
    made = golden_calls(plan, execution, TOOLS)[-1]
    assert isinstance(made, dict)
    assert made["references"] == [
        {"parameter": "shopId", "call": "c1", "record": 0, "path": "shopId", "transform": None},
        {"parameter": "rgnCd", "call": "c2", "record": 26, "path": "rgnCd", "transform": None},
    ]


async def test_a_join_combines_what_one_record_led_to() -> None:
    """Three shops, the details and the region of each: the join has three calls, not nine."""
    plan = plan_of(
        shops_step("M3", Reducer("all")), detail_step((), "FAN"), region_step((), "FAN"), join("s2", "s3"),
        widths=(1, 3, 3, 3),
    )  # fmt: skip
    execution, _ = await ran(plan)
    pairs = [(c.arguments["shopId"], c.arguments["rgnCd"]) for c in execution.of("s9")]
    assert pairs == [("S30000", "1100010100"), ("S30001", "1100110100"), ("S30002", "1100210100")]


ANY = Reducer("count", within=Reducer("at_least", "salesAmt", "1990"))


def either(condition: Condition, decides: PlanStep) -> CallPlan:
    """Return a plan whose last step comes under a condition on another one."""
    one = replace(shops_step("M1", Reducer("only"), (), "s2"))
    last = replace(detail_step(("seatCnt",), "COND", "s3", "s2"), when=condition)
    return plan_of(decides, one, last)


@pytest.mark.parametrize(
    ("condition", "reducer"),
    [
        (Condition("s1", ">=", "1", False), ANY),
        (Condition("s1", ">=", "30", True), Reducer("count")),
        (Condition("s1", "<=", "29", False), Reducer("count")),
        (Condition("s1", ">=", "1,900", True, "salesAmt", "1,900만원"), Reducer("max", "salesAmt")),
        (Condition("s1", "==", "큰마루시장", True, "marketNm", "큰마루시장"), Reducer("max", "salesAmt")),
    ],
)
async def test_the_branch_that_the_data_choose_is_run(condition: Condition, reducer: Reducer) -> None:
    plan = either(condition, replace(shops_step("M30", reducer), may_be_empty=True))
    execution, facts = await ran(plan)
    assert [c.step_id for c in execution.calls] == ["s1", "s2", "s3"]
    assert plan.levels == (1, 1, 2)
    assert [f.value for f in facts] == ["10"]  # how many there were was not asked
    with pytest.raises(StepFailed) as caught:
        await ran(either(replace(condition, truth=not condition.truth), plan.steps[0]))
    assert caught.value.reason == "other_branch"


async def test_nothing_found_is_an_answer_only_where_it_decides() -> None:
    world = World()
    world.shops["M30"] = []
    condition = Condition("s1", ">=", "1", False)
    none = replace(shops_step("M30", Reducer("count")), may_be_empty=True)
    execution, _ = await ran(either(condition, none), world)
    assert (execution.calls[0].value, execution.calls[0].chosen) == ("0", ())
    with pytest.raises(StepFailed) as caught:
        await ran(either(condition, replace(none, may_be_empty=False)), world)
    assert caught.value.reason == "call_empty"


@pytest.mark.parametrize(
    ("spoil", "field"),
    [(lambda w: w.shops["M1"][0].update(salesAmt=None), "salesAmt"), (lambda w: None, "shopNm")],
)
async def test_what_cannot_be_compared_decides_nothing(spoil: Callable[[World], object], field: str) -> None:
    world = World()
    spoil(world)
    decides = shops_step("M1", Reducer("only"))
    other = replace(
        detail_step(("seatCnt",), "COND", "s2", "s1"), when=Condition("s1", ">=", "10", True, field, "10만원")
    )
    with pytest.raises(StepFailed) as caught:
        await ran(plan_of(decides, other), world)
    assert caught.value.reason == "undecided"


def compared(kind: str, *markets: str, reducer: Reducer | None = None) -> CallPlan:
    """Return a plan that compares the details of the shop in each market, or what a reducer makes of the shops."""
    steps: list[PlanStep] = []
    for market in markets:
        first = shops_step(market, reducer or Reducer("max", "salesAmt"), (), f"a{market}")
        steps.append(replace(first, junction="CMP") if reducer else first)
        if reducer is None:
            steps.append(detail_step(("rentAmt",), "CMP", f"b{market}", f"a{market}"))
    names = tuple(s.step_id for s in steps if s.junction == "CMP")
    plan = plan_of(*steps)
    return replace(plan, comparison=Comparison(names, kind, None if reducer else "rentAmt"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("plan", "path", "value", "entity"),
    [
        (compared("max", "M1", "M30"), "max(c2:records[0].rentAmt;c4:records[0].rentAmt)", "5182", "큰마루시장"),
        (compared("min", "M1", "M30"), "min(c2:records[0].rentAmt;c4:records[0].rentAmt)", "5000", "한가람시장"),
        (compared("max", "M1", "M3", "M30", reducer=Reducer("count")), "max(c1:total;c2:total;c3:total)", "30",
         "큰마루시장"),
        (compared("min", "M1", "M3", reducer=Reducer("sum", "salesAmt")),
         "min(c1:sum(records[*].salesAmt);c2:sum(records[*].salesAmt))", "1000", "한가람시장"),
    ],
)  # fmt: skip
async def test_a_comparison_has_a_winner_with_a_name(plan: CallPlan, path: str, value: str, entity: str) -> None:
    execution, facts = await ran(plan)
    assert (facts[-1].path, facts[-1].value, facts[-1].entity) == (path, value, entity)
    assert facts[-1].operation == plan.comparison.kind  # type: ignore[union-attr]
    other = next(c for c in execution.calls if c.step_id in plan.comparison.steps and c.call_id != facts[-1].call_id)  # type: ignore[union-attr]
    assert read_fact(path, other, execution) is None  # another call does not win
    assert read_fact(path, execution.call(facts[-1].call_id)) is None  # one call alone compares nothing


async def test_the_calls_of_a_fan_out_are_compared() -> None:
    plan = plan_of(shops_step("M3", Reducer("all")), detail_step(("rentAmt",), "FAN"), widths=(1, 3))
    _, facts = await ran(replace(plan, comparison=Comparison(("s2",), "max", "rentAmt")))
    assert [f.value for f in facts] == ["5000", "5007", "5014", "5014"]
    assert facts[-1].entity == "다솜상점1호"


async def test_a_tie_has_no_winner() -> None:
    world = World()
    world.details["S300026"]["rentAmt"] = world.details["S10000"]["rentAmt"]
    with pytest.raises(ValueError, match="tie"):
        await ran(compared("max", "M1", "M30"), world)
