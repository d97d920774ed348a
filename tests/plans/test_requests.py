"""Requests are written, checked, written again, given up."""

from __future__ import annotations

from dataclasses import replace

import pytest
from planworld import DRV_PLAN, FAN_PLAN, SEM_PLAN, Scripted, World, living, plan_of, shops_step, world_tools

from edge.errors import ModelAnswerError
from edge.llm.offline import OfflineModel
from edge.plans.checks import problem_with
from edge.plans.model import CallPlan, Reducer
from edge.plans.requests import RequestFailed, RequestPrompts, RequestSettings, difficulty_of, write_request
from edge.plans.runner import run_plan

TOOLS = world_tools()
PROMPTS = RequestPrompts.load()
GOOD = "큰마루시장에서 매출액이 가장 큰 가게의 좌석수와 임대료를 알려 주세요."


@pytest.mark.parametrize("plan", [DRV_PLAN, FAN_PLAN, SEM_PLAN])
async def test_the_offline_writer_passes_the_checks(plan: CallPlan) -> None:
    async with living(World()) as (gateway, _):
        execution = await run_plan(plan.steps, TOOLS, gateway)
    for seed in range(12):
        task = await write_request(plan, execution, TOOLS, OfflineModel(), PROMPTS, RequestSettings(), seed=seed)
        again = await write_request(plan, execution, TOOLS, OfflineModel(), PROMPTS, RequestSettings(), seed=seed)
        assert task == again
        assert problem_with(task.query, plan, execution, TOOLS) is None
        assert (task.prompt_hash, task.language) == (PROMPTS.brief.hash, "ko")
        assert task.generator.startswith("offline/")
        assert task.style in RequestSettings().styles


async def test_a_request_that_leaves_a_slot_out_is_given_up_after_the_attempts() -> None:
    model = Scripted(lambda _: {"query": GOOD.replace("큰마루시장에서", "거기에서")})
    with pytest.raises(RequestFailed) as caught:
        await write_request(DRV_PLAN, None, TOOLS, model, PROMPTS, RequestSettings(attempts=3, free=3), seed=1)
    assert (caught.value.reason, len(model.asked)) == ("request_missing_slot", 3)
    assert "큰마루시장" in caught.value.detail
    assert not model.asked[0]["feedback"]
    said = {"problem": "missing_slot", "detail": "큰마루시장"}
    assert [v["feedback"] for v in model.asked[1:]] == [said, said]


async def test_feedback_helps() -> None:
    model = Scripted(lambda v: {"query": GOOD if v["feedback"] else "portal_shops 를 불러 주세요 큰마루시장"})
    task = await write_request(DRV_PLAN, None, TOOLS, model, PROMPTS, RequestSettings(), seed=1)
    assert (task.query, len(model.asked), task.generator) == (GOOD, 2, "scripted/scripted-1")


async def test_who_fails_with_the_brief_is_shown_its_outline() -> None:
    model = Scripted(lambda v: {"sentences": [GOOD]} if "outline" in v else {"query": "거기 가게를 모두 알려 주세요."})
    task = await write_request(DRV_PLAN, None, TOOLS, model, PROMPTS, RequestSettings(), seed=1)
    assert (task.query, task.prompt_hash, len(model.asked)) == (GOOD, PROMPTS.outline.hash, 3)
    shown = " ".join(map(str, model.asked[2]["outline"]))
    assert all(word in shown for word in ("큰마루시장", "매출액이 가장", "좌석수", "임대료"))
    assert model.asked[2]["feedback"]["problem"] == "missing_slot"


async def test_the_outline_copied_is_no_request_of_the_model() -> None:
    model = Scripted(lambda v: {"sentences": v["outline"]})
    settings = RequestSettings(attempts=2, free=0)
    with pytest.raises(RequestFailed) as caught:
        await write_request(DRV_PLAN, None, TOOLS, model, PROMPTS, settings, seed=1)
    assert (caught.value.reason, len(model.asked)) == ("request_copied", 2)


async def test_unusable_answers_are_counted_as_attempts() -> None:
    model = Scripted(lambda _: ModelAnswerError("refusal", "no"))
    with pytest.raises(RequestFailed) as caught:
        await write_request(DRV_PLAN, None, TOOLS, model, PROMPTS, RequestSettings(attempts=2), seed=1)
    assert (caught.value.reason, len(model.asked)) == ("refusal", 2)


async def test_the_model_sees_no_code_and_no_result() -> None:
    model = Scripted(lambda _: {"query": GOOD})
    await write_request(DRV_PLAN, None, TOOLS, model, PROMPTS, RequestSettings(), seed=1, personas=["상인회 간사"])
    text = PROMPTS.brief.render(model.asked[0])
    assert "상인회 간사" in text
    assert not any(hidden in text for hidden in ("M30", "S300026", "portal_", "shopId", "1962"))


def test_difficulty_grows_with_calls_and_reductions() -> None:
    one = plan_of(shops_step("M1", Reducer("only")))
    assert difficulty_of(one) == "easy"
    assert difficulty_of(DRV_PLAN) == "medium"
    assert difficulty_of(FAN_PLAN) == "medium"
    assert difficulty_of(replace(FAN_PLAN, widths=(1, 5))) == "hard"
