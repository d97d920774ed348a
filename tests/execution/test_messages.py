"""Executions become chats that any OpenAI-compatible trainer accepts, and that hold what the answer needs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from planworld import (
    DRV_PLAN,
    FAN_PLAN,
    SEM_PLAN,
    World,
    detail_step,
    living,
    plan_of,
    shop,
    shops_step,
    world_tool,
    world_tools,
)

from edge.calls import Outcome
from edge.execution.conversation import PAGE_RECORDS, chat_problems
from edge.execution.messages import Failure, chat
from edge.execution.model import golden_calls, typed_arguments
from edge.execution.showing import MOST_PAGES, Unreadable, offered_schema
from edge.plans.model import CallPlan, Reducer
from edge.plans.runner import Execution, run_plan
from edge.specs.model import EnumValue, Parameter
from edge.specs.schema import function_schema

TOOLS = world_tools()
Message = dict[str, Any]


SAYS = "쪽 번호"


async def executed_plan(plan: CallPlan, world: World | None = None) -> Execution:
    async with living(world or World()) as (gateway, _):
        return await run_plan(plan.steps, TOOLS, gateway)


async def chatted(plan: CallPlan, *, world: World | None = None, failures: Sequence[Failure] = ()) -> list[Message]:
    execution = await executed_plan(plan, world)
    made = chat(
        plan, execution, TOOLS, system="오늘은 {today}입니다.", query="질문", answer="답", failures=failures
    )  # fmt: skip
    offered = json.loads(json.dumps([offered_schema(t, SAYS) for t in TOOLS.values()]))
    assert chat_problems(made, offered) == []
    return json.loads(json.dumps(made, ensure_ascii=False))


def turns(messages: Sequence[Message]) -> list[list[str]]:
    return [[c["id"] for c in m["tool_calls"]] for m in messages if m.get("tool_calls")]


def crowded(count: int) -> World:
    """A world whose largest market has so many shops."""
    world = World()
    world.shops["M30"] = [{**shop("M30", i), "salesAmt": 100 + i} for i in range(count)]
    for one in world.shops["M30"]:
        world.details[one["shopId"]] = {"shopId": one["shopId"], "seatCnt": 3, "rentAmt": 9}
    return world


@pytest.mark.parametrize(
    ("plan", "made"),
    [
        (DRV_PLAN, [["c1"], ["c2"]]),
        (FAN_PLAN, [["c1"], ["c2", "c3", "c4"]]),
        (SEM_PLAN, [["c1"], ["c2", "c3"]]),
    ],
)
async def test_calls_of_a_level_are_made_in_one_turn(plan: CallPlan, made: list[list[str]]) -> None:
    messages = await chatted(plan)
    assert messages[0]["content"] == "오늘은 2026-06-15입니다."
    assert messages[1] == {"role": "user", "content": "질문"}
    assert messages[-1] == {"role": "assistant", "content": "답"}
    assert turns(messages) == made


async def test_a_long_answer_is_read_on_until_nothing_is_left() -> None:
    messages = await chatted(DRV_PLAN, world=crowded(120))
    assert turns(messages) == [["c1"], ["c1p2", "c1p3"], ["c2"]]
    calls = [c["function"] for m in messages for c in m.get("tool_calls", [])]
    asked = [json.loads(c["arguments"]) for c in calls]
    assert asked[:3] == [{"market": "M30"}, {"market": "M30", "page": 2}, {"market": "M30", "page": 3}]
    pages = [json.loads(m["content"]) for m in messages if m["role"] == "tool"][:3]
    assert [(p["total"], p["page"], p["pages"], len(p["records"])) for p in pages] == [
        (120, 1, 3, 50), (120, 2, 3, 50), (120, 3, 3, 20),
    ]  # fmt: skip
    seen = [r["salesAmt"] for p in pages for r in p["records"]]
    assert seen == [100 + i for i in range(120)]


async def test_a_search_ends_with_the_page_that_has_it() -> None:
    named = Reducer("filter", "shopNm", shop("M30", 77)["shopNm"], shop("M30", 77)["shopNm"])
    plan = plan_of(shops_step("M30", named), detail_step(("seatCnt",), "DRV"))
    assert turns(await chatted(plan, world=crowded(260))) == [["c1"], ["c1p2"], ["c2"]]


async def test_a_number_of_records_stands_on_the_first_page() -> None:
    assert turns(await chatted(plan_of(shops_step("M30", Reducer("count"))), world=crowded(120))) == [["c1"]]
    some = Reducer("count", within=Reducer("at_least", "salesAmt", "150", "150만원"))
    assert turns(await chatted(plan_of(shops_step("M30", some)), world=crowded(120))) == [["c1"], ["c1p2", "c1p3"]]


async def test_what_nobody_would_read_to_its_end_is_refused() -> None:
    made = turns(await chatted(DRV_PLAN, world=crowded(MOST_PAGES * PAGE_RECORDS)))
    assert made == [["c1"], [f"c1p{n}" for n in range(2, MOST_PAGES + 1)], ["c2"]]
    execution = await executed_plan(DRV_PLAN, crowded(MOST_PAGES * PAGE_RECORDS + 1))
    with pytest.raises(Unreadable):
        chat(DRV_PLAN, execution, TOOLS, system="", query="질문", answer="답")


async def test_a_failure_comes_before_the_right_call_and_holds_up_nobody_else() -> None:
    outcome = Outcome("o", "portal_detail", {}, "structural", "invalid_parameter", message="없는 코드", status_code=400)
    messages = await chatted(FAN_PLAN, failures=[Failure("c3", {"shopId": "3"}, outcome)])
    assert turns(messages) == [["c1"], ["c2", "c3e1", "c4"], ["c3"]]
    failed = next(m for m in messages if m.get("tool_call_id") == "c3e1")
    assert json.loads(failed["content"]) == {
        "error": {"reason": "invalid_parameter", "status": 400, "message": "없는 코드"}
    }


async def test_an_empty_answer_is_no_error() -> None:
    outcome = Outcome("o", "portal_shops", {}, "empty", "no_data")
    messages = await chatted(DRV_PLAN, failures=[Failure("c1", {"market": "큰마루시장"}, outcome)])
    assert turns(messages) == [["c1e1"], ["c1"], ["c2"]]
    assert json.loads(messages[3]["content"]) == {"total": 0, "records": []}


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


async def test_how_much_there_is_is_read_before_the_records() -> None:
    messages = await chatted(DRV_PLAN, world=crowded(120))
    contents = [m["content"] for m in messages if m["role"] == "tool"]
    assert contents[0].startswith('{"total":120,"page":1,"pages":3,"records":[{')
    assert contents[-1].startswith('{"total":1,"records":[{')
