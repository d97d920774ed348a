"""What cannot be carried out is answered without a call: by asking back, or by saying that it cannot be done."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from typing import Any

import pytest
from planworld import DRV_PLAN, Scripted, World, living, task_for, world_tools

from edge.errors import ModelAnswerError
from edge.execution.model import Trajectory, ValidationFailed, trajectory_row
from edge.execution.negatives import ATTEMPTS, answer_without_calls
from edge.execution.showing import offered_schema
from edge.execution.verify import verify_one
from edge.ids import Json
from edge.llm.offline import OfflineModel
from edge.llm.prompts import load_prompt
from edge.plans.gaps import gap_of
from edge.plans.model import GapReason, UserTask
from edge.specs.model import Kind

TOOLS = world_tools()
REST = [TOOLS["portal_shops"], TOOLS["portal_bymarket"]]
SCHEMAS: dict[str, Json] = {t.tool_id: offered_schema(t, "쪽") for t in TOOLS.values()}


def negative(reason: GapReason, style: str = "polite") -> UserTask:
    gap = gap_of(reason, DRV_PLAN, TOOLS, random.Random(0))
    assert gap is not None
    query = "매출액이 가장 큰 가게의 좌석수와 임대료를 알려 주세요."
    return task_for(
        DRV_PLAN, query if reason == "missing" else f"큰마루시장에서 {query}", style=style, kind=gap.kind, gap=gap
    )


async def answered(task: UserTask, model: Any = None, offered: Any = None) -> Trajectory:
    tools = offered or (list(TOOLS.values()) if task.kind == "missing_parameter" else REST)
    return await answer_without_calls(
        task, model or OfflineModel(), load_prompt("no_call"), offered=tools, system="오늘은 {today}입니다."
    )


@pytest.mark.parametrize("style", ["formal", "polite", "casual", "terse"])
@pytest.mark.parametrize(
    ("reason", "kind", "word"),
    [
        ("missing", "missing_parameter", "시장"),
        ("withheld", "irrelevant", "가게 상세"),
        ("unrelated", "irrelevant", "가게 상세"),
    ],
)
async def test_the_answer_says_what_is_lacking_and_calls_nothing(
    reason: GapReason, kind: str, word: str, style: str
) -> None:
    offered = [TOOLS["portal_region"], TOOLS["portal_bymarket"]] if reason == "unrelated" else None
    made = await answered(negative(reason, style), offered=offered)
    row = trajectory_row(made, TOOLS, "run", SCHEMAS)
    assert word in made.answer
    assert (row["kind"], row["n_calls"], row["depth"], row["max_parallel"]) == (kind, 0, 0, 0)
    assert (row["golden_calls"], row["answer_facts"], row["junctions"], row["link_ids"]) == ("[]", "[]", [], [])
    assert [m["role"] for m in json.loads(str(row["messages"]))] == ["system", "user", "assistant"]
    assert row["domains"] == ["commerce"]
    async with living(World()) as (gateway, server):
        assert await verify_one(row, TOOLS, gateway) == []
        assert server.seen == []


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        ("month", "언제|시점|알려 주시기"),
        ("name", "어느|어떤|이름"),
        ("number", "얼마|정해|원하시는|값"),
        ("address", "어디|어느|알려|확인"),
    ],
)
@pytest.mark.parametrize("style", ["formal", "polite", "casual", "terse"])
async def test_a_question_back_fits_what_is_missing(kind: Kind, asked: str, style: str) -> None:
    task = negative("missing", style)
    assert task.gap is not None
    shops = TOOLS["portal_shops"]
    missing = replace(shops.parameters[0], kind=kind, enum=())
    offered = [replace(shops, parameters=(missing, *shops.parameters[1:])), *list(TOOLS.values())[1:]]
    for number in range(4):
        made = await answered(replace(task, task_id=f"t{number}"), offered=offered)
        assert re.search(asked, made.answer) and task.gap.label in made.answer, made.answer


async def test_a_gap_that_is_none_makes_no_negative() -> None:
    with pytest.raises(ValidationFailed) as caught:
        await answered(negative("withheld"), offered=list(TOOLS.values()))
    assert (caught.value.reason, caught.value.detail) == ("negative_is_none", "portal_detail is offered")
    said = replace(negative("missing"), query="큰마루시장에서 매출액이 가장 큰 가게의 좌석수를 알려 주세요.")
    with pytest.raises(ValidationFailed) as caught:
        await answered(said)
    assert caught.value.reason == "negative_is_none"


async def test_an_answer_that_does_not_say_it_is_written_again_then_given_up() -> None:
    model = Scripted(lambda _: {"answer": "잘 모르겠습니다."})
    with pytest.raises(ValidationFailed) as caught:
        await answered(negative("missing"), model)
    assert (caught.value.reason, len(model.asked)) == ("answer_misses_gap", ATTEMPTS)
    assert model.asked[0]["feedback"] == ""
    assert model.asked[1]["feedback"]
    with pytest.raises(ValidationFailed) as caught:
        await answered(negative("missing"), Scripted(lambda _: ModelAnswerError("refusal", "no")))
    assert caught.value.reason == "refusal"


def spoilt(row: dict[str, Any], name: str, old: str, new: str) -> dict[str, Any]:
    assert old in row[name]
    return {**row, name: row[name].replace(old, new)}


async def test_negatives_that_are_none_are_found_in_rows() -> None:
    withheld = dict(trajectory_row(await answered(negative("withheld")), TOOLS, "run", SCHEMAS))
    missing = dict(trajectory_row(await answered(negative("missing")), TOOLS, "run", SCHEMAS))
    rows = [
        spoilt(withheld, "tools", '"portal_shops"', '"portal_detail"'),
        spoilt(missing, "query", "매출액이", "큰마루시장에서 매출액이"),
        {**withheld, "recipe": "{}"},
        {**withheld, "golden_calls": '[{"id":"c1","tool":"portal_shops","arguments":{}}]'},
    ]
    async with living(World()) as (gateway, _):
        found = [await verify_one(row, TOOLS, gateway) for row in rows]
    assert [[d.kind for d in one] for one in found] == [["negative_is_none"]] * 4
