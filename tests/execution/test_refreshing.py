"""Rows are made again when the data behind them change: what the recipe derives follows, what it cannot is said."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from planworld import DRV_PLAN, FAN_PLAN, World, living, plan_of, shops_step, task_for, world_tools

from edge.execution.conversation import answers_shown, fact_shown
from edge.execution.model import ValidationFailed, trajectory_row
from edge.execution.negatives import answer_without_calls
from edge.execution.recovery import Faults
from edge.execution.refreshing import Refreshed, Refresher, task_of_trajectory
from edge.execution.showing import offered_schema
from edge.execution.validation import ValidationSettings
from edge.execution.verify import verify_one
from edge.ids import Json
from edge.llm.offline import OfflineModel
from edge.llm.prompts import load_prompt
from edge.plans.codec import plan_to_json
from edge.plans.gaps import gap_of
from edge.plans.model import CallPlan, Reducer, UserTask
from edge.plans.requests import RequestPrompts, RequestSettings, write_request

TOOLS = world_tools()
SCHEMAS: dict[str, Json] = {t.tool_id: offered_schema(t, "쪽") for t in TOOLS.values()}
SUM_PLAN = plan_of(shops_step("M30", Reducer("sum", "salesAmt")))
ONE = ValidationSettings(min_calls=1)


async def request_for(plan: CallPlan) -> UserTask:
    prompt = RequestPrompts.load()
    return await write_request(plan, None, TOOLS, OfflineModel(), prompt, RequestSettings(), seed=1)


async def refreshed(row: dict[str, Any], world: World) -> Refreshed:
    async with living(world) as (gateway, _):
        refresher = Refresher(
            TOOLS, gateway, OfflineModel(), load_prompt("final_answer"), "오늘은 {today}입니다.", ONE, Faults(gateway)
        )
        return await refresher.refresh(row)


async def shipped(plan: CallPlan, kind: str = "positive") -> dict[str, Any]:
    """Return the row of a plan, made by refreshing the bare bones of one."""
    task = await request_for(plan)
    bones: dict[str, Any] = {
        "task_id": task.task_id, "plan": "", "query": task.query, "language": "ko", "persona": task.persona,
        "query_style": task.style, "difficulty": task.difficulty, "generator": task.generator,
        "prompt_hash": task.prompt_hash, "kind": kind, "recipe": None, "run_id": "run", "split": "train",
        "tools": json.dumps([SCHEMAS[t] for t in TOOLS]), "golden_calls": "", "answer_facts": "", "answer": "",
    }  # fmt: skip
    bones["plan"] = json.dumps(plan_to_json(plan))
    return (await refreshed(bones, World())).row


@pytest.mark.parametrize("plan", [DRV_PLAN, FAN_PLAN, SUM_PLAN])
async def test_nothing_changes_where_the_data_do_not(plan: CallPlan) -> None:
    row = await shipped(plan)
    again = await refreshed(row, World())
    assert (again.changed, again.row) == ((), row)


@pytest.mark.parametrize(
    ("plan", "change", "changed", "said"),
    [
        (DRV_PLAN, lambda w: w.details["S300026"].update(seatCnt=99), ("facts", "answer"), "99석"),
        (DRV_PLAN, lambda w: w.shops["M30"][3].update(salesAmt=99999), ("calls", "facts", "answer"), "13석"),
        (SUM_PLAN, lambda w: w.shops["M30"][3].update(salesAmt=10**6), ("facts", "answer"), "104억"),
        (FAN_PLAN, lambda w: grown(w), ("calls", "facts", "answer"), "77석"),
    ],
)
async def test_the_answer_follows_the_data(
    plan: CallPlan, change: Callable[[World], object], changed: tuple[str, ...], said: str
) -> None:
    row = await shipped(plan)
    world = World()
    change(world)
    again = await refreshed(row, world)
    assert again.changed == changed
    assert (said in str(again.row["answer"]), said in row["answer"]) == (True, False)
    messages = json.loads(str(again.row["messages"]))
    assert messages[-1]["content"] == again.row["answer"]
    shown = answers_shown(messages)
    for fact in json.loads(str(again.row["answer_facts"])):
        assert fact_shown(shown, fact["call"], fact["path"]) == fact["value"]
    async with living(world) as (gateway, _):
        assert await verify_one(again.row, TOOLS, gateway) == []
        assert await verify_one(row, TOOLS, gateway)
    kept = ("query", "task_id", "split", "tools", "persona")
    assert {n: again.row[n] for n in kept} == {n: row[n] for n in kept}


def grown(world: World) -> None:
    world.shops["M3"].append({**world.shops["M3"][0], "shopId": "S30009", "shopNm": "새로상점1호"})
    world.details["S30009"] = {"shopId": "S30009", "seatCnt": 77, "rentAmt": 1}


async def test_a_fan_out_that_grew_is_wider() -> None:
    row = await shipped(FAN_PLAN)
    world = World()
    grown(world)
    again = (await refreshed(row, world)).row
    assert (row["n_calls"], again["n_calls"], again["max_parallel"]) == (4, 5, 4)
    assert json.loads(str(again["plan"]))["widths"] == [1, 4]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda w: w.details.clear(), "call_empty"),
        (lambda w: w.shops["M30"][0].update(salesAmt=1962), "reducer_tie"),
        (lambda w: w.fails.add("shops"), "call_structural"),
    ],
)
async def test_what_no_longer_has_an_answer_says_why(change: Callable[[World], object], reason: str) -> None:
    row = await shipped(DRV_PLAN)
    world = World()
    change(world)
    with pytest.raises(ValidationFailed) as caught:
        await refreshed(row, world)
    assert caught.value.reason == reason


async def test_a_recovery_fails_and_is_repaired_again() -> None:
    row = await shipped(DRV_PLAN, "recovery")
    assert row["kind"] == "recovery"
    world = World()
    world.details["S300026"]["seatCnt"] = 99
    again = (await refreshed(row, world)).row
    assert again["kind"] == "recovery"
    assert "99석" in str(again["answer"])
    assert json.loads(str(again["recipe"]))["failures"] == json.loads(row["recipe"])["failures"]


async def test_a_negative_stays_and_a_tool_that_is_gone_is_named() -> None:
    gap = gap_of("withheld", DRV_PLAN, TOOLS, random.Random(0))
    assert gap is not None
    task = task_for(DRV_PLAN, "큰마루시장에서 매출액이 가장 큰 가게의 좌석수는?", kind=gap.kind, gap=gap)
    offered = [TOOLS["portal_shops"]]
    made = await answer_without_calls(task, OfflineModel(), load_prompt("no_call"), offered=offered, system="")
    row: dict[str, Any] = {**trajectory_row(made, TOOLS, "run", SCHEMAS)}
    assert task_of_trajectory(row) == task
    assert await refreshed(row, World()) == Refreshed(row, ())
    row["tools"] = json.dumps([SCHEMAS["portal_detail"]])
    with pytest.raises(ValidationFailed, match="negative_is_none"):
        await refreshed(row, World())
    gone = await shipped(DRV_PLAN)
    gone["tools"] = gone["tools"].replace("portal_region", "portal_gone")
    with pytest.raises(ValidationFailed, match="tool_missing: portal_gone"):
        await refreshed(gone, World())
