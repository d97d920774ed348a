"""Answers and tool calls as models really write them (cases L01 to L21)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.errors import ModelAnswerError
from edge.llm.answers import FinalAnswer
from edge.llm.json_answers import candidates, decode_arguments, read_answer
from edge.llm.tool_calls import coerce_arguments, offered_tool, same_json, unique_ids

WRAPPINGS = ("{}", "```json\n{}\n```", "답: {} 끝.")


def reason_of(call: Any, *args: Any, **kwargs: Any) -> str:
    with pytest.raises(ModelAnswerError) as caught:
        call(*args, **kwargs)
    return caught.value.reason


@pytest.mark.parametrize(
    "text", ['{"answer": "가"}', '[{"answer": "가"}] {"answer": "가"}', '{"answer": "가"} {"answer": "가"}']
)
def test_the_one_value_that_validates_wins(text: str) -> None:
    assert read_answer(text, FinalAnswer).answer == "가"


def test_reasons() -> None:
    assert reason_of(read_answer, "  ", FinalAnswer) == "empty"
    assert reason_of(read_answer, "죄송합니다.", FinalAnswer) == "unparsable"
    assert reason_of(read_answer, '{"answer": 1}', FinalAnswer) == "schema"
    assert reason_of(read_answer, '{"answer": "1"} {"answer": "2"}', FinalAnswer) == "ambiguous"
    assert reason_of(read_answer, '{"answer": NaN}', FinalAnswer) == "unparsable"
    assert reason_of(read_answer, "{" * 100_000, FinalAnswer) == "unparsable"
    assert reason_of(read_answer, "[" * 100_000 + "]" * 100_000, FinalAnswer) == "unparsable"


@given(st.text(max_size=300))
def test_any_text_is_read_or_rejected(text: str) -> None:
    list(candidates(text))
    try:
        read_answer(text, FinalAnswer)
    except ModelAnswerError as error:
        assert error.reason in ("empty", "unparsable", "schema", "ambiguous")


@given(st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc", "Z")), min_size=1), st.sampled_from(WRAPPINGS))
def test_an_answer_survives_its_wrapping(text: str, wrapping: str) -> None:
    body = json.dumps({"answer": text})
    assert read_answer(wrapping.replace("{}", body, 1), FinalAnswer).answer == text


def test_arguments_in_their_three_forms() -> None:
    for raw in ({"lawdCd": "11110"}, '{"lawdCd":"11110"}', '"{\\"lawdCd\\":\\"11110\\"}"'):
        assert decode_arguments(raw, required=True).values == {"lawdCd": "11110"}
    assert reason_of(decode_arguments, "[1,2]", required=True) == "malformed_arguments"
    assert reason_of(decode_arguments, "null", required=True) == "malformed_arguments"
    assert decode_arguments("null", required=False).values == {}
    assert reason_of(decode_arguments, '{"query":"서울시 미세먼', required=True) == "truncated"


def test_stray_quotes_after_the_arguments_are_noted() -> None:
    decoded = decode_arguments('{}""', required=False)
    assert decoded.values == {} and decoded.notes
    assert reason_of(decode_arguments, '{} and {"a": 1}', required=False) == "malformed_arguments"


def test_only_offered_tools_exist() -> None:
    assert offered_tool("search_law", {"search_law": 1}) == 1
    assert reason_of(offered_tool, "os_system", {"search_law": 1}) == "unknown_tool"


def test_ids_are_unique_and_deterministic() -> None:
    assert unique_ids(["call_1", "call_1"]) == ["call_1", "call_2"]
    assert unique_ids([None, "x"]) == ["call_1", "call_2"]
    assert unique_ids(["a", "b"]) == ["a", "b"]


@pytest.mark.parametrize(
    ("declared", "value", "read"),
    [
        ("integer", "42", 42),
        ("boolean", "True", True),
        ("string", "02134", "02134"),
        (["integer", "string"], "007", "007"),
        ("boolean", 1, True),
        ("integer", 3.0, 3),
        ("number", "3.5", 3.5),
        ("integer", 5, 5),
        (["string", "null"], None, None),
    ],
)
def test_coercions(declared: Any, value: Any, read: Any) -> None:
    done = coerce_arguments({"x": value}, {"properties": {"x": {"type": declared}}})
    assert same_json(done.values["x"], read)
    assert ("x" in done.notes) == (not same_json(value, read))


@pytest.mark.parametrize(
    ("declared", "value"),
    [("string", 2134), ("integer", "007"), ("integer", "x"), ("boolean", 2), ("integer", True), ("object", [])],
)
def test_refused_values(declared: str, value: Any) -> None:
    assert reason_of(coerce_arguments, {"x": value}, {"properties": {"x": {"type": declared}}}) == "wrong_type"


def test_equality_knows_types() -> None:
    assert not same_json(True, 1) and not same_json(1, "1") and not same_json({"a": [1]}, {"a": [True]})
    assert same_json({"a": [1, None]}, {"a": [1, None]})
