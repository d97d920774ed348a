"""The words of a request must ask for its plan, and say why where they do not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from planworld import DRV_PLAN, World, living, plan_of, shops_step, world_tools

from edge.errors import UsageError
from edge.llm.offline import OfflineModel
from edge.plans.model import CallPlan, Comparison, Condition, Reducer
from edge.plans.request_rules import wording_problem
from edge.plans.requests import RequestPrompts, RequestSettings, write_request
from edge.plans.runner import run_plan

TOOLS = world_tools()
GOOD = "큰마루시장에서 매출액이 가장 큰 가게의 좌석수와 임대료를 알려 주세요."
LARGE = Reducer("at_least", "salesAmt", "1000", "1,000만 원")
ANY = Condition("s1", ">=", "1", True)


def counted(within: Reducer | None = None) -> CallPlan:
    return plan_of(shops_step("M30", Reducer("count", within=within)))


def test_a_good_request_has_no_problem() -> None:
    assert wording_problem(GOOD, DRV_PLAN, None, TOOLS, "ko") is None


@pytest.mark.parametrize(
    ("query", "plan", "problem"),
    [
        (GOOD.replace("가장 큰", "어떤"), DRV_PLAN, "missing_criterion: max 매출액"),
        (GOOD.replace("좌석수와 임대료", "전화번호"), DRV_PLAN, "missing_ask: "),
        ("큰마루시장의 가게를 알려 주세요.", counted(), "missing_criterion: count"),
        ("큰마루시장에서 매출액이 1,000만 원인 가게가 몇 곳인가요?", counted(LARGE), "missing_criterion: at_least"),
        (GOOD, replace(DRV_PLAN, steps=(*DRV_PLAN.steps[:-1], replace(DRV_PLAN.steps[-1], when=ANY))),
         "missing_criterion: condition"),
        (GOOD.replace("가장 큰", "최고인"), replace(DRV_PLAN, comparison=Comparison(("s2",), "max", "seatCnt")),
         "missing_criterion: comparison"),
        (GOOD.replace("를 알려 주세요", ""), DRV_PLAN, "no_request: "),
        ("지난달 기준으로 " + GOOD, DRV_PLAN, "relative_date: 지난달"),
        (GOOD.replace("가게의", "가게의 가게의"), DRV_PLAN, "odd_wording: twice '가게의 가게'"),
        (GOOD.replace("가장", "가게 중 가게가 가장"), DRV_PLAN, "odd_wording: twice"),
        (GOOD.replace("임대료를", "임대료을 [조회 요청] 검색어로"), DRV_PLAN, "odd_wording: technical"),
        (f"{GOOD} {GOOD}", DRV_PLAN, "odd_wording: again"),
        (f"{GOOD} 그리고…", DRV_PLAN, "odd_wording: unfinished"),
        (GOOD, counted(Reducer("contains", "shopNm", "[상점/0001]", "[상점/0001]")), "machine_value: [상점/0001]"),
    ],
)  # fmt: skip
def test_each_reason(query: str, plan: CallPlan, problem: str) -> None:
    found = wording_problem(query, plan, None, TOOLS, "ko")
    assert found is not None and found.startswith(problem)


def test_a_last_word_asks_for_nothing_where_two_fields_end_in_it() -> None:
    tool = TOOLS[DRV_PLAN.steps[-1].tool_id]
    names = {"seatCnt": "실내 좌석"}
    outputs = tuple(replace(f, label=names.get(f.path, f.label)) for f in tool.outputs)
    query, wide = GOOD.replace("좌석수와", "좌석과"), replace(tool, outputs=outputs)
    assert wording_problem(query, DRV_PLAN, None, {**TOOLS, tool.tool_id: wide}, "ko") is None
    twice = replace(wide, outputs=(*outputs, replace(outputs[0], path="out", label="실외 좌석")))
    found = wording_problem(query, DRV_PLAN, None, {**TOOLS, tool.tool_id: twice}, "ko")
    assert found == "missing_ask: 실내 좌석"


@pytest.mark.parametrize("anchor", ["오늘은 2026년 6월 15일이에요. 지난달 ", "지난달(2026년 5월) "])
def test_a_near_date_is_fine_with_a_stated_today_or_the_date_itself(anchor: str) -> None:
    assert wording_problem(anchor + GOOD, DRV_PLAN, None, TOOLS, "ko") is None


async def test_what_only_a_call_can_know_may_not_be_said() -> None:
    async with living(World()) as (gateway, _):
        execution = await run_plan(DRV_PLAN.steps, TOOLS, gateway)
    assert wording_problem(GOOD, DRV_PLAN, execution, TOOLS, "ko") is None
    told = next(v for c in execution.of("s2") for v in c.arguments.values())
    assert wording_problem(f"{GOOD} 가게는 {told}입니다.", DRV_PLAN, execution, TOOLS, "ko") == f"leaked_result: {told}"


def test_a_language_without_a_pack_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no language pack 'tlh'"):
        wording_problem(GOOD, DRV_PLAN, None, TOOLS, "tlh")


async def test_a_plausible_person_asks_and_is_recorded() -> None:
    prompt = RequestPrompts.load()
    people = {
        (await write_request(DRV_PLAN, None, TOOLS, OfflineModel(), prompt, RequestSettings(), seed=seed)).persona
        for seed in range(8)
    }
    assert len(people) > 1 and "" not in people
