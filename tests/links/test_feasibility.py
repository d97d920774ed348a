"""A model scores binding sets; everything it names is checked, and no pair gets lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from linkparts import ScriptedModel, make_tool, tools

from edge.errors import ModelAnswerError, ModelUnavailable
from edge.ids import Json
from edge.links.candidates import CROSS_DOMAIN, SAME_DOMAIN, Pair
from edge.links.checking import problem_of
from edge.links.feasibility import Judged, batches, judge
from edge.links.model import Binding, Rest
from edge.links.offline_scorer import feasibility_variables, offline_feasibility
from edge.llm.answers import BindingAnswer, LinkAnswer
from edge.llm.prompts import load_prompt
from edge.settings import Settings
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
CORP_PARAMETER = TARGET.parameters[0]
TOOLS = {t.tool_id: t for t in (SOURCE, TARGET)}
PAIR = Pair("corps", "filings", 0.9)


def candidate(
    *bindings: tuple[str, str, str | None], score: float = 0.8, rest: Mapping[str, str] | None = None
) -> dict[str, Any]:
    made = [{"source_path": s, "target_parameter": p, "transform": t} for s, p, t in bindings]
    left = [{"parameter": p, "source": where} for p, where in (rest or {}).items()]
    return {"score": score, "bindings": made, "rest": left, "reason": "같은 고유번호"}


def answering(*candidates: dict[str, Any]) -> Callable[[Mapping[str, Json]], Mapping[str, Any]]:
    """The same candidates for every target that is asked about."""

    def answer(variables: Mapping[str, Json]) -> Mapping[str, Any]:
        return {"pairs": [{"target": target, "candidates": list(candidates)} for target in asked(variables)]}

    return answer


def asked(variables: Mapping[str, Json]) -> list[str]:
    return [t["tool_id"] for t in variables["targets"]]  # type: ignore[index, call-overload]


GOOD = candidate(("corp_code", "corp_code", None))


async def judged(*candidates: dict[str, Any], threshold: float = 0.3) -> Judged:
    return await judge([PAIR], TOOLS, ScriptedModel(answering(*candidates)), PROMPT, threshold=threshold)


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
    ],
)
async def test_invented_names_are_rejected(binding: tuple[str, str, str | None], detail: str) -> None:
    found = await judged(candidate(binding))
    assert found.links == [] and found.dropped == {"unknown_name": 1}
    assert found.rejects == [("corps->filings", "unknown_name", detail)]


async def test_a_set_that_leaves_a_hole_is_told_from_an_invented_name() -> None:
    found = await judged(candidate(("corp_code", "year", None)))
    assert found.rejects == [("corps->filings", "unfilled", "filings: nothing fills corp_code")]


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
        {"pairs": [{"target": "filings", "candidates": [GOOD]}]},
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


def copies(number: int) -> tuple[list[Pair], dict[str, Tool]]:
    """Pairs of the source with some targets that want the same."""
    many = {f"f{n}": make_tool(f"f{n}", [], TARGET.parameters) for n in range(number)}
    return [Pair("corps", name, 0.5) for name in many], {"corps": SOURCE, **many}


def test_batches_are_of_one_source_and_ask_about_no_target_twice() -> None:
    names = ["a1", "a2", "a2", "a3", "b1", "b2", "a4"]
    found = batches([Pair(name[0], name[1], 0.5) for name in names], 2)
    assert [[p.source + p.target for p in batch] for batch in found] == [
        ["a1", "a2"], ["a2", "a3"], ["b1", "b2"], ["a4"],
    ]  # fmt: skip


async def test_several_targets_of_a_source_are_one_question() -> None:
    pairs, many = copies(7)
    model = ScriptedModel(answering(GOOD))
    found = await judge(pairs, many, model, PROMPT, per_call=3)
    assert model.calls == 3
    assert [x.target_tool for x in found.links] == [p.target for p in pairs], "in the order of the pairs"


async def test_a_pair_that_is_not_answered_is_a_reject_and_so_is_one_that_was_not_asked() -> None:
    pairs, many = copies(3)
    said = {"pairs": [{"target": t, "candidates": [GOOD]} for t in ("f0", "f2", "ghost")]}
    found = await judge(pairs, many, ScriptedModel(lambda _: said), PROMPT)
    assert [x.target_tool for x in found.links] == ["f0", "f2"]
    assert found.dropped == {"unanswered": 1}
    assert found.rejects == [
        ("corps->ghost", "unknown_pair", ""),
        ("corps->f1", "unanswered", "answered instead: ghost"),
    ]


async def test_what_one_pair_spoils_costs_the_others_nothing() -> None:
    pairs, many = copies(5)

    def answer(variables: Mapping[str, Json]) -> Mapping[str, Any] | Exception:
        return ModelAnswerError("truncated", "cut") if "f3" in asked(variables) else answering(GOOD)(variables)

    model = ScriptedModel(answer)
    found = await judge(pairs, many, model, PROMPT)
    assert [x.target_tool for x in found.links] == ["f0", "f1", "f2", "f4"]
    assert found.rejects == [("corps->f3", "truncated", "cut")] and model.calls <= 9


@pytest.mark.parametrize("concurrency", [1, 5])
async def test_the_order_of_answers_changes_nothing(concurrency: int) -> None:
    pairs = [PAIR, Pair("corps", "corps", 0.1)] * 3
    model = ScriptedModel(
        lambda v: {"pairs": [{"target": t, "candidates": [GOOD] if t == "filings" else []} for t in asked(v)]}
    )
    found = await judge(pairs, TOOLS, model, PROMPT, concurrency=concurrency)
    assert model.calls == 3 and [x.target_tool for x in found.links] == ["filings"] * 3
    assert found.dropped == {"infeasible": 3}


OPEN = make_tool(
    "open",
    [OutputField("kind", "종류"), OutputField("grade", "등급")],
    [
        Parameter("corp_code", "고유번호", kind="code", required=True),
        Parameter("page", "쪽", required=True, default="1"),
        Parameter("kind", "종류", kind="code", required=True, enum=(EnumValue("A", "가"),)),
        Parameter("year", "연도", kind="year", required=True),
        Parameter("town", "동네", kind="name", required=True, examples=("역삼동",)),
        Parameter("grade", "등급", kind="code", required=True),
        Parameter("node", "정류소", kind="code", required=True),
        Parameter("sort", "차례"),
    ],
)
STOPS = make_tool("stops", [OutputField("nodeId", "정류소", kind="code")])
WITH_STOPS = {"corps": SOURCE, "open": OPEN, "stops": STOPS}
FULL = {
    "page": "default", "kind": "enum", "year": "clock", "town": "request", "grade": "value_pool", "node": "link",
}  # fmt: skip
BOUND = ("corp_code", "corp_code", None)


async def rest_said(**said: str) -> Judged:
    model = ScriptedModel(answering(candidate(BOUND, rest=said)))
    return await judge([Pair("corps", "open", 0.5)], WITH_STOPS, model, PROMPT)


async def test_a_link_says_from_where_the_rest_comes() -> None:
    found = await rest_said(**FULL)
    assert found.links[0].rest == tuple(Rest(name, where) for name, where in FULL.items())  # type: ignore[arg-type]
    short = await rest_said(grade="value_pool", node="link")
    assert short.links[0].rest == found.links[0].rest, "what needs no call need not be said"
    assert short.links[0].link_id == found.links[0].link_id
    asked_for = await rest_said(**FULL | {"kind": "request", "year": "request", "page": "default"})
    assert {r.parameter for r in asked_for.links[0].rest if r.source == "request"} == {"kind", "year", "town"}


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        ({"node": "value_pool", "grade": "link"}, "open: link does not fill grade"),
        ({"node": "default"}, "open: default does not fill node"),
        ({"node": "clock"}, "open: clock does not fill node"),
        ({"grade": "request"}, "open: request does not fill grade"),
        ({"page": "enum"}, "open: enum does not fill page"),
        ({"ghost": "link"}, "open has no parameter ghost"),
        ({"corp_code": "link"}, "corp_code is filled twice"),
        ({"node": ""}, "open: nothing fills node"),
    ],
)
async def test_where_the_rest_comes_from_is_checked(changes: Mapping[str, str], detail: str) -> None:
    found = await rest_said(**{name: where for name, where in {**FULL, **changes}.items() if where})
    assert found.links == [] and found.rejects == [("corps->open", "unfilled", detail)]


async def test_another_link_must_come_from_a_third_tool() -> None:
    alone = {name: tool for name, tool in WITH_STOPS.items() if name != "stops"}
    model = ScriptedModel(answering(candidate(BOUND, rest=FULL)))
    found = await judge([Pair("corps", "open", 0.5)], alone, model, PROMPT)
    assert found.rejects == [("corps->open", "unfilled", "open: link does not fill node")]


async def test_the_offline_scorer_says_where_the_rest_comes_from() -> None:
    wanted = [p for p in OPEN.parameters if p.name not in ("grade", "node")]
    target = make_tool("half", [], wanted)
    answer = offline_feasibility(feasibility_variables(SOURCE, [target]))
    assert answer.pairs[0].target == "half"
    rest = {r.parameter: r.source for r in answer.pairs[0].candidates[0].rest}
    assert rest == {"page": "default", "kind": "enum", "year": "clock", "town": "request"}


async def test_the_offline_scorer_leaves_one_parameter_to_the_pool_where_some_tool_gives_it_out() -> None:
    node = Parameter("node", "정류소", kind="code", required=True)
    stop = make_tool("stop_of", [], [CORP_PARAMETER, node])
    answer = offline_feasibility(feasibility_variables(SOURCE, [stop])).pairs[0].candidates
    assert [(r.parameter, r.source) for r in answer[0].rest] == [("node", "value_pool")]
    for others, links in (([WITH_STOPS["stops"]], 1), ([], 0)):
        known = {t.tool_id: t for t in (SOURCE, stop, *others)}
        model = ScriptedModel(lambda shown: offline_feasibility(shown).model_dump())
        found = await judge([Pair("corps", "stop_of", 0.5)], known, model, PROMPT)
        assert [x.rest for x in found.links] == [(Rest("node", "value_pool"),)] * links
        assert found.dropped == ({} if links else {"unfilled": 1})


def test_the_environment_says_how_many_neighbours_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    section = Settings.model_validate({}).candidates
    assert (section.same_domain, section.cross_domain) == (SAME_DOMAIN, CROSS_DOMAIN) == (15, 10)
    monkeypatch.setenv("EDGE_CANDIDATES_SAME_DOMAIN", "3")
    monkeypatch.setenv("EDGE_CANDIDATES_PER_CALL", "9")
    changed = Settings.model_validate({}).candidates
    assert (changed.same_domain, changed.per_call) == (3, 9)


def test_private_fields_are_not_shown() -> None:
    shown = json.dumps(feasibility_variables(SOURCE, [TARGET]), ensure_ascii=False)
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
        assert all(0.0 <= c.score <= 1.0 for pair in made.pairs for c in pair.candidates)
        return made.model_dump()

    found = await judge(pairs, by_id, ScriptedModel(answer), PROMPT)
    kept = {(x.source_tool, x.target_tool) for x in found.links}
    assert len(kept) + sum(found.dropped.values()) == len(pairs)
    assert sum(found.dropped.values()) == len(found.rejects)
    assert set(found.dropped) <= {"infeasible"}, "the offline scorer invents nothing"
    assert all(x.feasibility >= 0.3 for x in found.links)
    assert len({x.link_id for x in found.links}) == len(found.links)
