"""The writer server's mind: it reads prompts back into variables, and answers keys from what it was told alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_writer import Writer, prompt_name, variables_of

from edge.links.offline_scorer import feasibility_variables
from edge.llm.answers import KeyAnswer, LinkAnswer
from edge.llm.asking import with_schema
from edge.llm.prompts import load_prompt
from edge.specs.compile import BUNDLED_SPECS, compile_paths
from edge.specs.schema import function_schema

TEXT = st.text(max_size=30)  # closing tags, braces, headings: none of it may be taken for the prompt's own


@given(query=TEXT, label=TEXT, feedback=st.text(min_size=1, max_size=20))
def test_what_was_rendered_is_read_back(query: str, label: str, feedback: str) -> None:
    told = {
        "query": query,
        "label": label,
        "feedback": feedback,
        "act": "ask",
        "style": "polite",
        "today": "2026-06-15",
    }
    assert variables_of(load_prompt("no_call").render(told)) == told
    step = {"id": "s1", "title": label, "inputs": [{"text": query}], "asks": []}
    brief: dict[str, Any] = {
        "today": "2026-06-15", "language": "ko", "style": "terse", "persona": label, "steps": [step],
        "untaken": [step], "comparison": {"steps": ["s1"]}, "feedback": feedback, "texts": [query], "labels": [label],
    }  # fmt: skip
    assert variables_of(load_prompt("user_request").render(brief)) == brief
    outlined = {name: brief[name] for name in ("today", "language", "style", "texts")}
    outlined |= {"outline": [label], "feedback": {"problem": "leaked_name", "detail": feedback}}
    assert variables_of(load_prompt("outlined_request").render(outlined)) == outlined
    key: dict[str, Any] = {
        "today": "2026-06-15", "query": query, "tools": [{"name": label}], "outputs": {"t": {}},
        "transforms": {"slice": label}, "feedback": feedback,
    }  # fmt: skip
    assert variables_of(load_prompt("answer_key").render(key)) == key


@pytest.mark.parametrize(
    "name", ["user_request", "outlined_request", "answer_key", "final_answer", "no_call", "link_feasibility"]
)
def test_prompts_are_known_by_their_system_text_with_or_without_the_schema_in_it(name: str) -> None:
    prompt = load_prompt(name)
    assert prompt_name(prompt.system) == prompt_name(with_schema(prompt.system, prompt.schema)) == name
    assert prompt_name("You are a helpful assistant.") is None


async def test_a_key_is_worked_out_of_what_the_prompts_have_said() -> None:
    folder = BUNDLED_SPECS / "datagokr"
    tools = compile_paths([folder / "mois.yaml", folder / "molit.yaml"], BUNDLED_SPECS).tools
    codes = next(t for t in tools if "법정동" in t.title or "StanReginCd" in t.tool_id)
    trades = next(t for t in tools if "AptTrade" in t.tool_id)
    writer, links = Writer(), load_prompt("link_feasibility")
    said = await writer.answer("link_feasibility", links.render(feasibility_variables(codes, [trades])))
    bound = LinkAnswer.model_validate_json(said).pairs[0].candidates[0].bindings
    place = next(p.name for p in codes.required if p.default is None) if codes.required else codes.offered[0].name

    def step(number: int, tool: Any, parent: str | None, inputs: dict[str, str]) -> dict[str, Any]:
        stated = [{"name": name, "label": name, "text": text, "kind": "unknown"} for name, text in inputs.items()]
        asks = [{"label": tool.outputs[0].label, "kind": "name"}]
        return {"id": f"s{number}", "title": tool.title, "noun": "자료", "parents": [parent] if parent else [],
                "inputs": stated, "asks": asks if parent else []}  # fmt: skip

    steps = [step(1, codes, None, {place: "강남구"}), step(2, trades, "s1", {"DEAL_YMD": "2026년 5월"})]
    brief = {"today": "2026-06-15", "language": "ko", "style": "polite", "persona": "", "steps": steps}
    query = json.loads(await writer.answer("user_request", load_prompt("user_request").render(brief)))["query"]
    assert "강남구" in query

    async def key(offered: list[Any], wish: str = query) -> KeyAnswer:
        told = {"query": wish, "today": "2026-06-15", "outputs": {}, "tools": [function_schema(t) for t in offered]}
        return KeyAnswer.model_validate_json(await writer.answer("answer_key", load_prompt("answer_key").render(told)))

    first, second = (await key([codes, trades])).calls
    assert (first.tool, first.arguments) == (codes.tool_id, {place: "강남구"})
    assert (second.tool, second.arguments) == (trades.tool_id, {"DEAL_YMD": "2026년 5월"})
    assert {(r.parameter, r.call, r.path) for r in second.references} == {
        (b.target_parameter, "s1", b.source_path) for b in bound
    }
    assert (await key([codes])).calls == []  # the tool that it needs is not offered
    assert (await key([codes, trades], "다른 사람의 말")).calls == []
