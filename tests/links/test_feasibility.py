"""A model scores binding sets; everything it names is checked, and no pair gets lost."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from linkparts import ScriptedModel, make_tool, tools

from edge.errors import ModelAnswerError, ModelUnavailable
from edge.ids import Json
from edge.links.candidates import Pair
from edge.links.feasibility import Judged, feasibility_variables, judge, offline_feasibility, problem_of
from edge.links.model import Binding
from edge.llm.answers import BindingAnswer, LinkAnswer
from edge.llm.prompts import load_prompt
from edge.specs.model import EnumValue, OutputField, Parameter, Tool

PROMPT = load_prompt("link_feasibility")
SOURCE = make_tool(
    "corps",
    [
        OutputField("corp_code", "고유번호", kind="code"),
        OutputField("phone", "전화번호", private=True),
        OutputField("x", "경도", kind="longitude"),
        OutputField("y", "위도", kind="latitude", private=True),
    ],
    [Parameter("year", "연도", kind="year"), Parameter("key", "인증키", filled_by="server")],
)
TARGET = make_tool(
    "filings",
    [],
    [
        Parameter("corp_code", "고유번호", kind="code", required=True),
        Parameter("year", "연도", kind="year", required=True),
        Parameter("nx", "격자", kind="grid"),
        Parameter("key", "인증키", required=True, filled_by="server"),
    ],
)
TOOLS = {t.tool_id: t for t in (SOURCE, TARGET)}
PAIR = Pair("corps", "filings", 0.9)


def candidate(*bindings: tuple[str, str, str | None], score: float = 0.8) -> dict[str, Any]:
    made = [{"source_path": s, "target_parameter": p, "transform": t} for s, p, t in bindings]
    return {"score": score, "bindings": made, "reason": "같은 고유번호"}


GOOD = candidate(("corp_code", "corp_code", None))


async def judged(*candidates: dict[str, Any], threshold: float = 0.3) -> Judged:
    return await judge(
        [PAIR], TOOLS, ScriptedModel(lambda _: {"candidates": list(candidates)}), PROMPT, threshold=threshold
    )


async def test_a_sound_answer_becomes_links() -> None:
    both = candidate(("corp_code", "corp_code", None), ("@year", "year", None), score=0.5)
    found = await judged(GOOD, both, GOOD)
    assert [(x.source_tool, x.target_tool, x.feasibility) for x in found.links] == [
        ("corps", "filings", 0.8),
        ("corps", "filings", 0.5),
    ]
    assert found.links[0].bindings == (Binding("corp_code", "corp_code"),)
    assert found.dropped == {} and found.rejects == []


@pytest.mark.parametrize(
    ("binding", "detail"),
    [
        (("corp_id", "corp_code", None), "corps has no output corp_id"),
        (("@month", "corp_code", None), "corps has no output @month"),
        (("@key", "corp_code", None), "corps has no output @key"),
        (("phone", "corp_code", None), "corps has no output phone"),
        (("corp_code", "corp_id", None), "filings has no parameter corp_id"),
        (("corp_code", "key", None), "filings has no parameter key"),
        (("corp_code", "corp_code", "upper"), "no transform upper"),
        (("corp_code", "corp_code", "slice:a:b"), "no transform slice:a:b"),
        (("corp_code", "corp_code", "strip|upper"), "no transform strip|upper"),
        (("x", "nx", "project_x:5179:WGS84:y|strip"), "corps has no output y"),
        (("x", "nx", "kma_nx:lat"), "corps has no output lat"),
        (("x", "nx", "kma_nx:y"), "corps has no output y"),
        (("@year", "corp_code", None), "no output is bound"),
        (("corp_code", "year", None), "filings: nothing fills corp_code"),
    ],
)
async def test_invented_names_are_rejected(binding: tuple[str, str, str | None], detail: str) -> None:
    found = await judged(candidate(binding))
    assert found.links == [] and found.dropped == {"unknown_name": 1}
    assert found.rejects == [("corps->filings", "unknown_name", detail)]


async def test_paths_in_the_standard_s_words_mean_the_same() -> None:
    found = await judged(
        candidate(("$.corp_code", "corp_code", None)), candidate(("$['corp_code']", "corp_code", None))
    )
    assert [x.bindings for x in found.links] == [(Binding("corp_code", "corp_code"),)]
    beyond = await judged(candidate(("$..corp_code", "corp_code", None)))
    assert beyond.rejects == [("corps->filings", "unknown_name", "corps has no output $..corp_code")]


async def test_one_invented_set_does_not_spoil_the_others() -> None:
    found = await judged(candidate(("ghost", "corp_code", None)), GOOD)
    assert len(found.links) == 1 and found.dropped == {}


async def test_a_parameter_is_bound_once() -> None:
    found = await judged(candidate(("corp_code", "corp_code", None), ("x", "corp_code", None)))
    assert found.rejects == [("corps->filings", "unknown_name", "corp_code is bound twice")]


@pytest.mark.parametrize("candidates", [(), (candidate(("corp_code", "corp_code", None), score=0.29),)])
async def test_low_scores_are_infeasible(candidates: tuple[dict[str, Any], ...]) -> None:
    found = await judged(*candidates)
    assert found.links == [] and found.rejects == [("corps->filings", "infeasible", "")]


async def test_the_threshold_itself_is_feasible() -> None:
    assert len((await judged(GOOD, threshold=0.8)).links) == 1


async def test_unusable_answers_are_counted_by_reason() -> None:
    said: list[Mapping[str, Any] | Exception] = [
        ModelAnswerError("refusal", "no"),
        {"candidates": [GOOD]},
        ModelAnswerError("truncated"),
        ModelAnswerError("refusal", "x" * 900),
    ]
    model = ScriptedModel(lambda _: said.pop(0))
    found = await judge([PAIR] * 4, TOOLS, model, PROMPT, concurrency=1)
    assert found.dropped == {"refusal": 2, "truncated": 1} and len(found.links) == 1
    assert all(len(detail) <= 300 for _, _, detail in found.rejects)


async def test_an_unavailable_model_stops_the_stage() -> None:
    with pytest.raises(ModelUnavailable):
        await judge([PAIR], TOOLS, ScriptedModel(lambda _: ModelUnavailable("busy")), PROMPT)


async def test_links_come_in_the_order_of_the_pairs_whatever_answers_first() -> None:
    pairs = [PAIR, Pair("corps", "corps", 0.1)] * 3
    model = ScriptedModel(
        lambda v: {"candidates": [GOOD]} if "filings" in json.dumps(v["target"]) else {"candidates": []}
    )
    found = await judge(pairs, TOOLS, model, PROMPT, concurrency=5)
    assert model.calls == 6 and [x.target_tool for x in found.links] == ["filings"] * 3
    assert found.dropped == {"infeasible": 3}


def test_private_fields_are_not_shown() -> None:
    shown = json.dumps(feasibility_variables(SOURCE, TARGET), ensure_ascii=False)
    assert "phone" not in shown and "전화번호" not in shown and "인증키" not in shown
    assert '"@year"' in shown


def test_what_can_be_filled_without_a_link_need_not_be_bound() -> None:
    kinds = make_tool("kinds", [], [Parameter("type", "종류", required=True, enum=(EnumValue("A", "가"),))])
    assert problem_of(SOURCE, kinds, []) == "no output is bound"
    assert problem_of(SOURCE, kinds, [BindingAnswer(source_path="x", target_parameter="type", transform=None)]) == ""


@settings(max_examples=15, deadline=None)
@given(tools())
async def test_offline_answers_validate_and_no_pair_gets_lost(some: list[Tool]) -> None:
    by_id = {t.tool_id: t for t in some}
    pairs = [Pair(a.tool_id, b.tool_id, 0.5) for a in some for b in some if a is not b]

    def answer(variables: Mapping[str, Json]) -> Mapping[str, Any]:
        made = offline_feasibility(variables)
        assert LinkAnswer.model_validate_json(made.model_dump_json()) == made
        assert all(0.0 <= c.score <= 1.0 for c in made.candidates)
        return made.model_dump()

    found = await judge(pairs, by_id, ScriptedModel(answer), PROMPT)
    kept = {(x.source_tool, x.target_tool) for x in found.links}
    assert len(kept) + sum(found.dropped.values()) == len(pairs)
    assert sum(found.dropped.values()) == len(found.rejects)
    assert set(found.dropped) <= {"infeasible"}, "the offline scorer invents nothing"
    assert all(x.feasibility >= 0.3 for x in found.links)
    assert len({x.link_id for x in found.links}) == len(found.links)
