"""Answer keys run from scratch; what does not hold is rejected by name."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from planworld import (
    DRV_PLAN,
    FAN_PLAN,
    SEM_PLAN,
    Scripted,
    World,
    living,
    plan_of,
    shops_step,
    task_for,
    world_tools,
)

from edge.errors import ModelAnswerError
from edge.execution.model import Trajectory, facts_json, trajectory_row
from edge.execution.validation import ValidationFailed, ValidationSettings, unstated, validate
from edge.ids import Json
from edge.llm.offline import OfflineModel
from edge.llm.prompts import load_prompt
from edge.plans.facts import read_fact
from edge.plans.model import CallPlan, Reducer, UserTask
from edge.plans.requests import RequestPrompts, RequestSettings, write_request
from edge.sequences.model import CallSequence
from edge.specs.schema import function_schema

TOOLS = world_tools()
SETTINGS = ValidationSettings()
ASK_MANY = plan_of(shops_step("M3", Reducer("all"), ["shopNm", "salesAmt", "openDe"]))


async def request_for(plan: CallPlan) -> UserTask:
    return await write_request(plan, None, TOOLS, OfflineModel(), RequestPrompts.load(), RequestSettings(), seed=1)


async def validated(
    plan: CallPlan,
    *,
    world: World | None = None,
    model: Any = None,
    task: UserTask | None = None,
    settings: ValidationSettings = SETTINGS,
    noted: Any = None,
) -> Trajectory:
    task = task or await request_for(plan)
    sequence = CallSequence(task.task_id, plan, "read_back", "offline/ko", "p")
    async with living(world or World()) as (gateway, _):
        return await validate(
            task, sequence, TOOLS, gateway, model or OfflineModel(), load_prompt("final_answer"), settings,
            offered=list(TOOLS.values()), system="오늘은 {today}입니다.", noted=noted or nothing_noted,
        )  # fmt: skip


@contextlib.contextmanager
def nothing_noted(_task: str, _step: str) -> Iterator[None]:
    yield


@pytest.mark.parametrize("plan", [DRV_PLAN, FAN_PLAN, SEM_PLAN])
async def test_a_good_key_becomes_a_trajectory_that_states_every_fact(plan: CallPlan) -> None:
    made = await validated(plan)
    by_step = {s.step_id: TOOLS[s.tool_id] for s in plan.steps}
    assert made.facts
    assert unstated(made.answer, made.facts, by_step) == []
    for fact in made.facts:
        assert read_fact(fact.path, made.execution.call(fact.call_id)) == fact.value
    assert made.messages[-1]["content"] == made.answer
    assert made.messages[1]["content"] == made.task.query
    schemas: dict[str, Json] = {t.tool_id: function_schema(t) for t in TOOLS.values()}
    row = trajectory_row(made, TOOLS, "run", schemas)
    assert row["n_calls"] == len(made.execution.calls) == plan.n_calls
    assert json.loads(str(row["answer_facts"])) == facts_json(made.facts)
    named = {c["tool"] for c in json.loads(str(row["golden_calls"]))}
    assert named <= {t["function"]["name"] for t in json.loads(str(row["tools"]))}


async def test_the_same_key_gives_the_same_trajectory() -> None:
    first, second = await validated(DRV_PLAN), await validated(DRV_PLAN)
    assert (first.trajectory_id, first.answer, first.messages) == (second.trajectory_id, second.answer, second.messages)


async def test_every_step_is_noted() -> None:
    noted: list[tuple[str, str]] = []

    @contextlib.contextmanager
    def note(task: str, step: str) -> Iterator[None]:
        noted.append((task, step))
        yield

    made = await validated(SEM_PLAN, noted=note)
    assert noted == [(made.task.task_id, s) for s in ("s1", "s2", "s3")]


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda w: w.fails.add("detail"), "call_structural"),
        (lambda w: w.details.clear(), "call_empty"),
        (lambda w: setattr(w, "breaks_at", 3), "incomplete_pages"),
        (lambda w: w.shops["M30"][0].update(salesAmt=1962), "reducer_tie"),
        (lambda w: w.shops["M30"][26].update(shopId=None), "unbound_value"),
        (lambda w: w.details["S300026"].update(seatCnt=None, rentAmt=None), "fact_count"),
    ],
)
async def test_a_world_that_changed_rejects_the_key(spoil: Callable[[World], object], reason: str) -> None:
    world = World()
    spoil(world)
    with pytest.raises(ValidationFailed) as caught:
        await validated(DRV_PLAN, world=world)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("plan", "settings", "reason"),
    [
        (ASK_MANY, SETTINGS, "too_few_calls"),
        (ASK_MANY, replace(SETTINGS, min_calls=1, max_facts=8), "fact_count"),
        (FAN_PLAN, replace(SETTINGS, max_calls=3), "too_many_calls"),
        (plan_of(DRV_PLAN.steps[0], replace(DRV_PLAN.steps[1], asks=())), SETTINGS, "fact_count"),
    ],
)
async def test_ceilings(plan: CallPlan, settings: ValidationSettings, reason: str) -> None:
    task = task_for(plan, "두물머리시장과 큰마루시장의 가게를 알려 주세요.")
    with pytest.raises(ValidationFailed) as caught:
        await validated(plan, settings=settings, task=task)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("매출액이 가장 큰 가게의 좌석수와 임대료를 알려 주세요.", "request_missing_slot"),
        ("큰마루시장 S300026 가게의 좌석수와 임대료를 알려 주세요.", "request_leaked_code"),
        ("큰마루시장 가게의 좌석수를 010-1234-5678로 알려 주세요.", "request_personal_data"),
    ],
)
async def test_a_request_that_breaks_a_rule_is_rejected(query: str, reason: str) -> None:
    with pytest.raises(ValidationFailed) as caught:
        await validated(DRV_PLAN, task=task_for(DRV_PLAN, query))
    assert caught.value.reason == reason


async def test_an_answer_that_leaves_out_a_fact_is_written_again_then_rejected() -> None:
    model = Scripted(lambda _: {"answer": "좌석수는 36석입니다."})
    with pytest.raises(ValidationFailed) as caught:
        await validated(DRV_PLAN, model=model)
    assert (caught.value.reason, len(model.asked)) == ("answer_misses_fact", SETTINGS.answer_attempts)
    assert "임대료 5182" in caught.value.detail
    assert model.asked[0]["feedback"] == ""
    assert "임대료 5182" in str(model.asked[1]["feedback"])


async def test_feedback_mends_an_answer() -> None:
    model = Scripted(
        lambda v: {"answer": "좌석수 36석, 임대료 5,182원입니다." if v["feedback"] else "좌석수는 36석입니다."}
    )
    assert (await validated(DRV_PLAN, model=model)).answer == "좌석수 36석, 임대료 5,182원입니다."


async def test_an_unusable_answer_has_its_reason() -> None:
    with pytest.raises(ValidationFailed) as caught:
        await validated(DRV_PLAN, model=Scripted(lambda _: ModelAnswerError("refusal", "no")))
    assert caught.value.reason == "refusal"
