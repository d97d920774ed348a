"""A request that cannot be kept says why."""

from __future__ import annotations

from dataclasses import replace

import pytest
from planworld import DETAIL, DRV_PLAN, executed, plan_of, shop, shops_step, world_tools

from edge.plans.checks import problem_with
from edge.plans.model import BoundValue, PlanStep, Reducer, UserValue
from edge.plans.runner import Execution

TOOLS = world_tools()
NAMED = plan_of(shops_step("M30", Reducer("filter", "shopNm", "가온상점1호", "가온상점1호")), *DRV_PLAN.steps[1:])
GOOD = "큰마루시장에 있는 가온상점1호의 좌석수와 임대료를 알려 주세요."


def execution() -> Execution:
    first = executed(NAMED.steps[0], [shop("M30", 0)], [0], arguments={"market": "M30"})
    detail = {"shopId": "S300000", "seatCnt": 10}
    second = executed(NAMED.steps[1], [detail], [0], "c2", arguments={"shopId": "S300000"}, source=("c1", 0))
    return Execution([first, second])


def test_a_good_request_has_no_problem() -> None:
    assert problem_with(GOOD, NAMED, execution(), TOOLS) is None
    assert problem_with(GOOD, NAMED, None, TOOLS) is None


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("짧다", "length"),
        (GOOD * 30, "length"),
        (GOOD + " 010-1234-5678", "personal_data"),
        (GOOD + " 01012345678로 알려 주세요", "personal_data"),
        (GOOD + " 900101-1234567", "personal_data"),
        (GOOD + " kim@example.com", "personal_data"),
        (GOOD + " 꼭꼭 꼭꼭", "malformed"),
        (GOOD + "  네", "malformed"),
        (GOOD.replace("좌석수와", "{v}"), "malformed"),
        (GOOD.replace("를", "을(으)를").replace("을(으)", "(으)"), "malformed"),
        ("portal_shops로 " + GOOD, "leaked_name"),
        ("shopId로 " + GOOD, "leaked_name"),
        ("market은 " + GOOD, "leaked_name"),
        (GOOD.replace("큰마루시장", "그 시장"), "missing_slot"),
        (GOOD.replace("가온상점1호", "그 가게"), "missing_slot"),
        (GOOD + " 코드는 S300000입니다.", "leaked_code"),
    ],
)
def test_each_reason(query: str, reason: str) -> None:
    problem = problem_with(query, NAMED, execution(), TOOLS)
    assert problem is not None
    assert problem.partition(": ")[0] == reason


def test_spacing_and_punctuation_do_not_lose_a_slot() -> None:
    assert problem_with(GOOD.replace("큰마루시장", "'큰마루 시장'"), NAMED, execution(), TOOLS) is None


def test_a_code_that_the_user_said_is_no_leak() -> None:
    said = UserValue("S300000", "S300000")
    first = PlanStep("s1", DETAIL.tool_id, (("shopId", said),), Reducer("only"))
    bound = replace(NAMED.steps[1], arguments=(("shopId", BoundValue("s1", "shopId")),), asks=())
    plan = plan_of(first, bound)
    calls = execution().calls
    query = "가게코드 S300000의 좌석수를 알려 주세요."
    assert problem_with(query, plan, Execution(calls), TOOLS) is None


def test_without_an_execution_codes_cannot_be_checked() -> None:
    assert problem_with(GOOD + " 코드는 S300000입니다.", NAMED, None, TOOLS) is None
