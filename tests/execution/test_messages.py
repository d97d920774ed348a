"""Executions become chats that any OpenAI-compatible trainer accepts, and that hold what the answer needs."""

from __future__ import annotations

import json
import re
from typing import Any

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
    world_tool,
    world_tools,
)

from edge.execution.messages import SHOWN_RECORDS, WHOLE_RECORDS, chat, view
from edge.execution.model import golden_calls, typed_arguments
from edge.plans.model import CallPlan, Reducer
from edge.plans.runner import run_plan
from edge.specs.model import EnumValue, Parameter
from edge.specs.schema import function_schema

TOOLS = world_tools()


async def chatted(plan: CallPlan) -> list[dict[str, Any]]:
    async with living(World()) as (gateway, _):
        execution = await run_plan(plan.steps, TOOLS, gateway)
    made = chat(plan, execution, TOOLS, system="오늘은 {today}입니다.", query="질문", answer="답")
    return json.loads(json.dumps(made, ensure_ascii=False))


@pytest.mark.parametrize(("plan", "turns"), [(DRV_PLAN, [1, 1]), (FAN_PLAN, [1, 3]), (SEM_PLAN, [1, 2])])
async def test_chats_are_valid(plan: CallPlan, turns: list[int]) -> None:
    messages = await chatted(plan)
    assert [m["role"] for m in messages[:2]] == ["system", "user"]
    assert messages[0]["content"] == "오늘은 2026-06-15입니다."
    assert messages[-1] == {"role": "assistant", "content": "답"}
    seen: list[str] = []
    widths: list[int] = []
    rest = messages[2:-1]
    while rest:
        turn = rest.pop(0)
        assert turn["role"] == "assistant"
        assert isinstance(turn["content"], str)
        ids = [c["id"] for c in turn["tool_calls"]]
        for one in turn["tool_calls"]:
            assert one["type"] == "function"
            assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", one["function"]["name"])
            assert isinstance(one["function"]["arguments"], str)
            assert isinstance(json.loads(one["function"]["arguments"]), dict)
        # Each call is answered once, directly after its turn, in its order.
        answers = [rest.pop(0) for _ in ids]
        assert [m["role"] for m in answers] == ["tool"] * len(ids)
        assert [m["tool_call_id"] for m in answers] == ids
        assert [m["name"] for m in answers] == [c["function"]["name"] for c in turn["tool_calls"]]
        assert all(json.loads(m["content"])["records"] for m in answers)
        seen.extend(ids)
        widths.append(len(ids))
    assert len(set(seen)) == len(seen)
    assert widths == turns


def test_columns_do_not_give_the_answer_away() -> None:
    plans = [plan_of(shops_step("M30", Reducer("max", f), a)) for f, a in (("salesAmt", ["shopNm"]), ("empCnt", []))]
    seen: list[Any] = []
    for plan in plans:
        call = executed(plan.steps[0], [shop("M30", i) for i in range(30)], [0])
        seen.append(set(view(call, plan, TOOLS["portal_shops"])["records"][0]))  # type: ignore[arg-type, index]
    assert seen[0] == seen[1]
    assert "ownerTel" not in seen[0]


async def test_a_cut_answer_keeps_what_is_asked_passed_on_and_reduced_by() -> None:
    messages = await chatted(DRV_PLAN)
    content = json.loads(next(m for m in messages if m["role"] == "tool")["content"])
    assert (content["total"], len(content["records"])) == (30, 30)
    assert set(content["records"][0]) >= {"shopNm", "salesAmt", "shopId"}


def few(count: int) -> dict[str, Any]:
    step = shops_step("M30", Reducer("max", "salesAmt"), ["shopNm"])
    records = [{**shop("M30", i), "salesAmt": i} for i in range(count)]
    call = executed(step, records, [count - 1])
    return json.loads(json.dumps(view(call, plan_of(step), TOOLS["portal_shops"])))


def test_few_records_are_shown_whole() -> None:
    seen = few(WHOLE_RECORDS)
    assert set(seen["records"][0]) >= {"shopNm", "marketNm", "openDe"}
    assert "shown" not in seen


@pytest.mark.parametrize("count", [WHOLE_RECORDS + 1, SHOWN_RECORDS, SHOWN_RECORDS + 1, 5000])
def test_long_answers_are_bounded_and_hold_the_chosen_record(count: int) -> None:
    seen = few(count)
    assert seen["total"] == count
    assert len(seen["records"]) == min(count, SHOWN_RECORDS) == seen.get("shown", min(count, SHOWN_RECORDS))
    assert seen["records"][-1]["salesAmt"] == count - 1
    assert len(json.dumps(seen, ensure_ascii=False)) < 40_000


def test_many_chosen_records_stay_bounded() -> None:
    step = shops_step("M30", Reducer("all"), ["shopNm"])
    call = executed(step, [shop("M30", i) for i in range(400)], range(400))
    assert len(view(call, plan_of(step), TOOLS["portal_shops"])["records"]) == SHOWN_RECORDS  # type: ignore[arg-type]


def test_missing_values_are_left_out() -> None:
    step = shops_step("M1", Reducer("only"))
    call = executed(step, [{"a": None, "b": 0, "c": ""}], [0])
    assert view(call, plan_of(step), TOOLS["portal_shops"])["records"] == [{"b": 0, "c": ""}]


@pytest.mark.parametrize(
    ("kind", "value", "typed"),
    [
        ("integer", "12", 12),
        ("integer", "-3", -3),
        ("integer", "0", 0),
        ("integer", "0600", "0600"),
        ("integer", "1,000", "1,000"),
        ("integer", "12명", "12명"),
        ("integer", "3.5", "3.5"),
        ("integer", "", ""),
        ("number", "3.5", 3.5),
        ("number", "126.9779", 126.9779),
        ("number", "37", 37),
        ("number", "1e5", "1e5"),
        ("number", "nan", "nan"),
        ("string", "12", "12"),
        ("boolean", "Y", "Y"),
    ],
)
def test_arguments_have_the_types_of_the_schema(kind: Any, value: str, typed: object) -> None:
    tool = world_tool("t", [Parameter("p", "값", type=kind)], [])
    made = typed_arguments(tool, {"p": value})["p"]
    assert (made, type(made)) == (typed, type(typed))
    assert str(made) == value  # what is sent again is the same text


def test_a_decimal_may_lose_the_zeros_at_its_end() -> None:
    tool = world_tool("t", [Parameter("p", "값", type="number")], [])
    assert typed_arguments(tool, {"p": "187056.847440"}) == {"p": 187056.84744}


def test_enumerated_arguments_are_text_as_in_the_schema() -> None:
    tool = world_tool("t", [Parameter("p", "값", type="integer", enum=(EnumValue("1", "하나"),))], [])
    schema: Any = function_schema(tool)
    assert schema["function"]["parameters"]["properties"]["p"]["type"] == "string"
    assert typed_arguments(tool, {"p": "1"}) == {"p": "1"}


async def test_golden_calls_say_where_arguments_come_from() -> None:
    async with living(World()) as (gateway, _):
        execution = await run_plan(FAN_PLAN.steps, TOOLS, gateway)
    calls: list[Any] = golden_calls(FAN_PLAN, execution, TOOLS)
    assert [(c["id"], c["turn"], c["tool"]) for c in calls] == [
        ("c1", 1, "portal_shops"), ("c2", 2, "portal_detail"), ("c3", 2, "portal_detail"), ("c4", 2, "portal_detail"),
    ]  # fmt: skip
    assert calls[0]["references"] == []
    for i, made in enumerate(calls[1:]):
        (reference,) = made["references"]
        assert reference == {"parameter": "shopId", "call": "c1", "record": i, "path": "shopId", "transform": None}
        record = execution.call("c1").outcome.records[i]
        assert made["arguments"]["shopId"] == record["shopId"]
