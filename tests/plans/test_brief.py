"""Writers see labels and what the user states; never codes, tools or results."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from planworld import DRV_PLAN, FAN_PLAN, SEM_PLAN, executed, plan_of, shop, shops_step, world_tools

from edge.llm.offline.brief import read_brief
from edge.plans.brief import _step, _told, answer_brief, request_brief
from edge.plans.facts import facts_of
from edge.plans.model import CallPlan, DefaultValue, Reducer
from edge.plans.runner import Execution
from edge.plans.sayings import say_fact
from edge.specs.model import Parameter

TOOLS = world_tools()


def brief(plan: CallPlan):  # type: ignore[no-untyped-def]
    return json.loads(json.dumps(request_brief(plan, TOOLS, language="ko", style="polite", persona="", seed=3)))


def test_the_shape_is_the_documented_one() -> None:
    made = brief(DRV_PLAN)
    assert (made["today"], made["language"], made["style"], made["seed"]) == ("2026-06-15", "ko", "polite", 3)
    first, second = made["steps"]
    assert first["inputs"] == [
        {"name": "market", "label": "시장", "kind": "code", "text": "큰마루시장", "phrase": "{v}에 있는"}
    ]
    assert first["reducer"] == {
        "kind": "max", "label": "매출액", "field_kind": "amount", "unit": "만원",
    }  # fmt: skip
    assert first["noun"] == "가게" and not first.keys() & {"parent", "parents", "junction", "via", "when", "asks"}
    assert (second["parent"], second["parents"], second["junction"]) == ("s1", ["s1"], "DRV")
    assert "inputs" not in second
    assert second["asks"] == [
        {"label": "좌석수", "unit": "석", "kind": "count"},
        {"label": "임대료", "unit": "원", "kind": "amount"},
    ]


@pytest.mark.parametrize("plan", [DRV_PLAN, FAN_PLAN, SEM_PLAN])
def test_no_code_no_path_no_tool(plan: CallPlan) -> None:
    text = json.dumps(brief(plan), ensure_ascii=False)
    for hidden in ("M1", "M3", "shopId", "rgnCd", "portal_", "salesAmt", "seatCnt"):
        assert hidden not in text


def test_a_filter_by_name_names_the_record() -> None:
    made = brief(plan_of(shops_step("M30", Reducer("filter", "shopNm", "가온상점1호", "가온상점1호"))))
    assert made["steps"][0]["reducer"]["names_record"] is True
    assert made["steps"][0]["reducer"]["text"] == "가온상점1호"


def test_via_is_said_by_what_the_field_speaks_of() -> None:
    _, detail, region = brief(SEM_PLAN)["steps"]
    assert (detail.get("via"), region["via"]) == (None, "법정동")


def test_defaults_are_not_inputs() -> None:
    step = shops_step("M1", Reducer("only"))
    step = replace(step, arguments=(*step.arguments, ("sort", DefaultValue("asc"))))
    tools = {
        "portal_shops": replace(
            TOOLS["portal_shops"], parameters=(*TOOLS["portal_shops"].parameters, Parameter("sort", "정렬"))
        )
    }
    made = request_brief(plan_of(step), tools, language="ko", style="polite", persona="", seed=1)
    assert "정렬" not in json.dumps(made, ensure_ascii=False)


def test_an_ask_that_the_tool_lacks_is_said() -> None:
    with pytest.raises(KeyError, match="portal_shops has no output nope"):
        brief(plan_of(shops_step("M1", Reducer("only"), ["nope"])))


def test_the_answer_brief_adds_facts_as_people_read_them() -> None:
    plan = plan_of(shops_step("M1", Reducer("only"), ["shopNm", "salesAmt", "openDe"]))
    execution = Execution([executed(plan.steps[0], [shop("M1", 0)], [0])])
    facts = facts_of(plan.steps, execution, TOOLS)
    made = json.loads(json.dumps(answer_brief(brief(plan), "질문", facts, plan, TOOLS, say_fact)))
    assert [f["text"] for f in made["facts"]] == ["가온상점1호", "1,000만 원", "2026년 1월 1일"]
    assert made["query"] == "질문"
    assert set(made["facts"][0]) == {"step", "label", "value", "text", "kind"}
    assert made["facts"][1]["unit"] == "만원"


def test_what_says_nothing_is_left_out_and_offline_writers_read_the_same() -> None:
    """A branch that was not taken says so with a false; lists keep their places."""
    when = {"step": "s1", "label": None, "truth": False, "operator": ">="}
    told = _told({"a": None, "b": [], "names": ["강남구", None], "names_record": False, "when": when, "k": 0, "t": ""})
    assert told == {
        "names": ["강남구", None],
        "when": {"step": "s1", "truth": False, "operator": ">="},
        "k": 0,
        "t": "",
    }
    for plan in (DRV_PLAN, FAN_PLAN, SEM_PLAN):
        full = request_brief(plan, TOOLS, language="ko", style="polite", persona="", seed=3)
        steps = [_step(step, TOOLS, plan) for step in plan.steps]
        assert read_brief(full) == read_brief({**full, "steps": steps})
