"""What a model is shown of an answer: bounded, in pages, without columns that give the answer away."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planworld import DRV_PLAN, executed, plan_of, shop, shops_step, world_tools

from edge.execution.conversation import PAGE_RECORDS
from edge.execution.showing import (
    MOST_PAGES,
    UNPAGED_RECORDS,
    WHOLE_RECORDS,
    Unreadable,
    offered_schema,
    page_name,
    page_view,
    rounds_of,
)
from edge.ids import Json
from edge.plans.model import PlanStep, Reducer
from edge.specs.model import Parameter, Tool
from edge.specs.schema import function_schema

TOOLS = world_tools()
SHOPS = TOOLS["portal_shops"]
UNPAGED = replace(SHOPS, profile=replace(SHOPS.profile, paging=None))


def viewed(count: int, page: int = 1, tool: Tool = SHOPS, chosen: int | None = None) -> dict[str, Any]:
    step = shops_step("M30", Reducer("max", "salesAmt"), ["shopNm"])
    records: list[dict[str, Json]] = [{**shop("M30", i), "salesAmt": i} for i in range(count)]
    call = executed(step, records, [count - 1 if chosen is None else chosen])
    return json.loads(json.dumps(page_view(call, plan_of(step), tool, page)))


@given(st.integers(1, MOST_PAGES * PAGE_RECORDS))
def test_the_pages_together_hold_every_record_once(count: int) -> None:
    pages = max(1, -(-count // PAGE_RECORDS))
    seen = [viewed(count, n) for n in range(1, pages + 1)]
    assert [r["salesAmt"] for s in seen for r in s["records"]] == list(range(count))
    assert all(s["total"] == count and s.get("pages", 1) == pages for s in seen)
    assert all(len(s["records"]) <= PAGE_RECORDS for s in seen)
    assert not any("truncated" in s for s in seen)


def test_few_records_are_shown_whole_and_without_nulls() -> None:
    assert set(viewed(WHOLE_RECORDS)["records"][0]) >= {"shopNm", "marketNm", "openDe"}
    step = shops_step("M1", Reducer("only"))
    call = executed(step, [{"a": None, "b": 0, "c": ""}], [0])
    assert page_view(call, plan_of(step), SHOPS, 1) == {"total": 1, "records": [{"b": 0, "c": ""}]}


def test_a_tool_without_pages_is_cut_and_says_so() -> None:
    assert "truncated" not in viewed(UNPAGED_RECORDS, tool=UNPAGED)
    step = shops_step("M30", Reducer("filter", "shopNm", "x", "x"))
    seen = searched(step, UNPAGED_RECORDS + 9, 0, UNPAGED)
    assert (seen["total"], seen["truncated"]) == (UNPAGED_RECORDS + 9, True)
    assert seen["numbers"] == list(range(1, UNPAGED_RECORDS + 1))
    assert len(seen["records"]) == UNPAGED_RECORDS


def searched(step: PlanStep, count: int, chosen: int, tool: Tool) -> dict[str, Any]:
    records: list[dict[str, Json]] = [{**shop("M30", i), "salesAmt": i} for i in range(count)]
    call = executed(step, records, [chosen])
    assert rounds_of(call, plan_of(step), tool) == [[1]]
    return json.loads(json.dumps(page_view(call, plan_of(step), tool, 1)))


@pytest.mark.parametrize("tool", [SHOPS, UNPAGED])
def test_a_list_too_long_to_read_is_shown_in_excerpts(tool: Tool) -> None:
    step = shops_step("M30", Reducer("filter", "shopNm", "x", "x"))
    seen = searched(step, 5182, 3333, tool)
    assert (seen["total"], seen["truncated"], "page" in seen) == (5182, True, False)
    assert [r["salesAmt"] + 1 for r in seen["records"]] == seen["numbers"] == [*range(1, 21), *range(3321, 3341)]


@pytest.mark.parametrize(("tool", "most"), [(SHOPS, MOST_PAGES * PAGE_RECORDS), (UNPAGED, UNPAGED_RECORDS)])
def test_nothing_rests_on_more_than_anybody_reads(tool: Tool, most: int) -> None:
    step = shops_step("M30", Reducer("max", "salesAmt"))
    records: list[dict[str, Json]] = [dict(shop("M30", i)) for i in range(most + 1)]
    assert rounds_of(executed(step, records[:most], [most - 1]), plan_of(step), tool)
    with pytest.raises(Unreadable):
        rounds_of(executed(step, records, [0]), plan_of(step), tool)


def test_long_texts_and_lists_say_that_they_are_cut() -> None:
    step = shops_step("M1", Reducer("only"))
    call = executed(step, [{"note": "가" * 5000, "rows": [{"n": i} for i in range(50)]}], [0])
    (record,) = json.loads(json.dumps(page_view(call, plan_of(step), SHOPS, 1)))["records"]
    assert record["note"].endswith("… (5000)")
    assert len(record["note"]) < 320
    assert record["rows"][-1] == "… (50)"
    assert len(record["rows"]) == 11


def test_columns_do_not_give_the_answer_away() -> None:
    plans = [plan_of(shops_step("M30", Reducer("max", f), a)) for f, a in (("salesAmt", ["shopNm"]), ("empCnt", []))]
    seen: list[Any] = []
    for plan in plans:
        call = executed(plan.steps[0], [shop("M30", i) for i in range(30)], [0])
        seen.append(set(page_view(call, plan, SHOPS, 1)["records"][0]))  # type: ignore[arg-type, index]
    assert seen[0] == seen[1]
    assert "ownerTel" not in seen[0]


def test_a_cut_answer_keeps_what_is_asked_passed_on_and_reduced_by() -> None:
    call = executed(DRV_PLAN.steps[0], [shop("M30", i) for i in range(30)], [26])
    seen: Any = page_view(call, DRV_PLAN, SHOPS, 1)
    assert set(seen["records"][0]) >= {"shopNm", "salesAmt", "shopId"}


def test_a_page_is_offered_where_there_are_pages_and_takes_no_name_away() -> None:
    assert page_name(UNPAGED) is None
    assert offered_schema(UNPAGED, "쪽") == function_schema(UNPAGED)
    schema: Any = offered_schema(SHOPS, "쪽 번호")
    parameters = schema["function"]["parameters"]
    assert parameters["properties"]["page"] == {"type": "integer", "minimum": 1, "description": "쪽 번호"}
    assert "page" not in parameters["required"]
    taken = replace(SHOPS, parameters=(*SHOPS.parameters, Parameter("page", "면")))
    assert page_name(taken) == "page_"
