"""Chats are read back from their messages alone, and what trainers would trip over is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planworld import DRV_PLAN, FAN_PLAN, World, executed, living, plan_of, shops_step, world_tools

from edge.execution.conversation import answers_shown, chat_problems, fact_shown, nested
from edge.execution.messages import chat
from edge.execution.showing import offered_schema, page_view
from edge.links.paths import get_path
from edge.plans.facts import facts_of
from edge.plans.model import CallPlan, Reducer
from edge.plans.runner import Execution, run_plan

TOOLS = world_tools()
OFFERED: list[Any] = [offered_schema(t, "쪽") for t in TOOLS.values()]
SUM_PLAN = plan_of(shops_step("M30", Reducer("sum", "salesAmt")))


async def told(plan: CallPlan) -> tuple[list[dict[str, Any]], Execution]:
    async with living(World()) as (gateway, _):
        execution = await run_plan(plan.steps, TOOLS, gateway)
    made = chat(plan, execution, TOOLS, system="오늘 {today}", query="질문", answer="답")
    return json.loads(json.dumps(made)), execution


@pytest.mark.parametrize("plan", [DRV_PLAN, FAN_PLAN, SUM_PLAN])
async def test_every_fact_is_found_in_what_was_shown(plan: CallPlan) -> None:
    messages, execution = await told(plan)
    shown = answers_shown(messages)
    assert set(shown) == {c.call_id for c in execution.calls}
    facts = facts_of(plan.steps, execution, TOOLS)
    assert facts
    assert [fact_shown(shown, f.call_id, f.path) for f in facts] == [f.value for f in facts]


async def test_a_sum_needs_every_record_and_a_fact_its_call() -> None:
    messages, execution = await told(SUM_PLAN)
    (fact,) = facts_of(SUM_PLAN.steps, execution, TOOLS)
    shown = answers_shown(messages)
    del shown["c1"].records[3]
    assert fact_shown(shown, "c1", fact.path) is None
    assert fact_shown(shown, "c1", "records[3].salesAmt") is None
    assert fact_shown(shown, "c1", "records[4].salesAmt") == str(execution.calls[0].outcome.records[4]["salesAmt"])
    assert fact_shown(shown, "c7", "total") is None


async def test_records_of_an_excerpt_keep_their_places() -> None:
    named = shops_step("M30", Reducer("filter", "shopNm", "가온상점61호", "가온상점61호"), ["salesAmt"])
    call = executed(named, [{"shopNm": f"{i}", "salesAmt": i} for i in range(900)], [600])
    content = json.dumps(page_view(call, plan_of(named), TOOLS["portal_shops"], 1))
    shown = answers_shown([{"role": "tool", "tool_call_id": "c1", "content": content}])
    assert fact_shown(shown, "c1", "records[600].salesAmt") == "600"
    assert fact_shown(shown, "c1", "records[300].salesAmt") is None
    assert fact_shown(shown, "c1", "total") == "900"


@given(st.dictionaries(st.text("ab", min_size=1, max_size=3), st.integers(), min_size=1, max_size=4))
def test_fields_under_dotted_paths_are_found_where_the_platform_has_them(values: dict[str, int]) -> None:
    paths = {f"top{i}.rows[].{name}": value for i, (name, value) in enumerate(values.items())}
    record = nested(dict(paths))
    assert {p: get_path(record, p) for p in paths} == paths


def change(path: list[Any], value: Any) -> Callable[[list[dict[str, Any]]], None]:
    def spoil(messages: list[dict[str, Any]]) -> None:
        here: Any = messages
        for step in path[:-1]:
            here = here[step]
        here[path[-1]] = value

    return spoil


CALL = [4, "tool_calls", 0]  # of c2, in the second turn


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (change([0, "role"], "user"), "not system, user"),
        (change([-1, "content"], " "), "says nothing"),
        (change([2, "content"], None), "content is no text"),
        (change([*CALL, "id"], "c1"), "answered by"),
        (lambda m: (change([*CALL, "id"], "c1")(m), change([5, "tool_call_id"], "c1")(m)), "used twice"),
        (change([*CALL, "function", "name"], "os_system"), "not offered"),
        (change([*CALL, "function", "arguments"], "[1]"), "no JSON object"),
        (change([*CALL, "function", "arguments"], {"shopId": "1"}), "no JSON object"),
        (change([*CALL, "function", "arguments"], '{"shopId": "1"'), "no JSON object"),
        (change([*CALL, "function", "arguments"], '{"colour": "1"}'), "no parameter colour"),
        (lambda m: m.pop(3), "answered by"),
        (lambda m: m.insert(4, {"role": "user", "content": "x"}), "a user message where calls are due"),
    ],
)
async def test_what_trainers_trip_over_is_named(spoil: Callable[[list[dict[str, Any]]], Any], said: str) -> None:
    messages, _ = await told(DRV_PLAN)
    assert chat_problems(messages, OFFERED) == []
    spoil(messages)
    assert any(said in p for p in chat_problems(messages, OFFERED))
