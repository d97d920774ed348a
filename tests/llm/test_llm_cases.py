"""Cases L01 to L25 of shared/hard-inputs through the real SDKs: what models and servers do wrong, and what comes of it.

Answers asked for as native tool calls bring in everything that is known to go wrong with tool calls. Cases met
elsewhere: L01, L02 and L10 in test_services.py, L24 in test_limits.py, L25 in test_caching.py, L22 in test_batches.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from llmserver import ScriptedServer, serving
from pydantic import BaseModel, ConfigDict, StrictBool

from edge.errors import ModelAnswerError
from edge.llm.answers import FinalAnswer
from edge.llm.anthropic import AnthropicModel
from edge.llm.asking import Message, Question
from edge.llm.books import FILE, Books
from edge.llm.caching import CachedModel, Shelf
from edge.llm.openai import OpenAIModel
from edge.llm.profiles import ModelProfile
from edge.llm.prompts import Prompt, load_prompt
from edge.llm.protocol import AnswerRejected
from edge.llm.tool_calls import CheckedCall, read_calls

TOOLS = ModelProfile(structured_output=False, tool_mode="native", parallel_calls=True)
FINAL = load_prompt("final_answer")
VARIABLES: dict[str, Any] = {"query": "q", "style": "polite", "facts": []}
LAW = {"type": "object", "properties": {"lawdCd": {"type": "string"}}, "required": ["lawdCd"]}
FREE = {"type": "object", "properties": {"page": {"type": "integer"}}}
Either = OpenAIModel | AnthropicModel


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving() as scripted:
        yield scripted


@pytest.fixture
def openai(server: ScriptedServer) -> OpenAIModel:
    return OpenAIModel("m", "k", base_url=f"{server.url}/v1", profile=TOOLS, max_tokens=800)


@pytest.fixture
def anthropic(server: ScriptedServer) -> AnthropicModel:
    return AnthropicModel("m", "k", base_url=server.url, profile=TOOLS, max_tokens=800)


async def turned(model: Either, offered: dict[str, Any]) -> list[CheckedCall]:
    question = Question("tools", "h", "s", (Message("user", "u"),), LAW, 800)
    return read_calls((await model.turn(question)).calls, offered)


async def refused(model: Either, offered: dict[str, Any]) -> str:
    with pytest.raises(ModelAnswerError) as caught:
        await turned(model, offered)
    return caught.value.reason


def called(arguments: Any, name: str = "final_answer", identity: str | None = "call_1") -> dict[str, Any]:
    return {"id": identity, "name": name, "arguments": arguments}


async def test_an_answer_asked_for_as_a_tool_call(
    server: ScriptedServer, openai: OpenAIModel, anthropic: AnthropicModel
) -> None:
    server.openai_calls(called('{"answer": "12건이에요."}'))
    assert (await openai.answer(FINAL, VARIABLES, FinalAnswer)).value.answer == "12건이에요."
    sent = server.seen[0]
    assert sent["tools"][0]["function"]["name"] == sent["tool_choice"]["function"]["name"] == "final_answer"
    assert sent["parallel_tool_calls"] is False and "response_format" not in sent
    server.script.clear()
    server.anthropic_calls(called({"answer": "12건이에요."}))
    assert (await anthropic.answer(FINAL, VARIABLES, FinalAnswer)).value.answer == "12건이에요."
    sent = server.seen[1]
    assert sent["tools"][0]["name"] == sent["tool_choice"]["name"] == "final_answer"
    assert sent["tool_choice"]["disable_parallel_tool_use"] is True and "output_config" not in sent


async def test_a_call_is_kept_as_the_answer_that_it_gives(
    server: ScriptedServer, openai: OpenAIModel, tmp_path: Path
) -> None:
    server.openai_calls(called('{"answer": "x"}'))
    model = CachedModel(openai, Shelf(Books(tmp_path / FILE), "run"), {})
    for cached in (False, True):
        answer = await model.answer(FINAL, VARIABLES, FinalAnswer)
        assert (answer.value.answer, answer.cached) == ("x", cached)


async def test_an_answer_in_words_where_a_call_was_asked_for_is_read(
    server: ScriptedServer, openai: OpenAIModel
) -> None:
    server.openai('<think>{"answer": "맞나?"} 아니다.</think>\n```json\n{"answer": "네."}\n```')
    assert (await openai.answer(FINAL, VARIABLES, FinalAnswer)).value.answer == "네."


async def test_a_server_that_knows_neither_schemas_nor_tools_is_asked_in_words(server: ScriptedServer) -> None:
    profile = ModelProfile(structured_output=True, tool_mode="native")
    model = OpenAIModel("m", "k", base_url=f"{server.url}/v1", profile=profile)
    server.reply({"error": {"message": "response_format is not supported"}}, 400)
    server.reply({"error": {"message": "tool_choice: this model has no tools"}}, 422).openai('{"answer": "x"}')
    await model.answer(FINAL, VARIABLES, FinalAnswer)
    await model.answer(FINAL, VARIABLES, FinalAnswer)
    asked = ["response_format" in body or "tools" in body for body in server.seen]
    assert asked == [True, True, False, False]  # what it cannot do is not tried again


@pytest.mark.parametrize(
    "arguments", [{"lawdCd": "11110"}, '{"lawdCd":"11110"}', '"{\\"lawdCd\\":\\"11110\\"}"']
)  # fmt: skip
async def test_arguments_as_object_text_or_text_in_text(
    server: ScriptedServer, openai: OpenAIModel, anthropic: AnthropicModel, arguments: Any
) -> None:
    """Case L06."""
    server.openai_calls(called(arguments, "law"))
    assert [call.arguments for call in await turned(openai, {"law": LAW})] == [{"lawdCd": "11110"}]
    server.script.clear()
    server.anthropic_calls(called(arguments, "law"))
    assert [call.arguments for call in await turned(anthropic, {"law": LAW})] == [{"lawdCd": "11110"}]


async def test_arguments_that_are_none_or_no_object(server: ScriptedServer, openai: OpenAIModel) -> None:
    """Cases L06 and L14: never `{}` in place of something that cannot be read."""
    for arguments, reason in (("[1,2]", "malformed_arguments"), ("null", "malformed_arguments"), ("", "malformed")):
        server.script.clear()
        server.openai_calls(called(arguments, "law"))
        assert (await refused(openai, {"law": LAW})).startswith(reason)
    server.script.clear()
    server.openai_calls(called("null", "free"), called('{}""', "free", "call_2"))
    first, second = await turned(openai, {"free": FREE})
    assert (first.arguments, second.arguments) == ({}, {})
    assert first.notes and "stray" in second.notes[0]


async def test_arguments_cut_off_are_a_truncation_whatever_the_service_says(
    server: ScriptedServer, openai: OpenAIModel
) -> None:
    """Cases L09 and L10: one larger try, then a reject with the true reason."""
    server.openai_calls(called('{"answer": "서울시 미세먼'), finish="tool_calls")
    server.openai_calls(called('{"answer": "나쁨"}'))
    assert (await openai.answer(FINAL, VARIABLES, FinalAnswer)).value.answer == "나쁨"
    assert [body["max_tokens"] for body in server.seen] == [800, 1600]
    server.script.clear()
    server.openai_calls(called('{"file_path": "x"}'), finish="length")
    with pytest.raises(AnswerRejected) as caught:
        await openai.answer(FINAL, VARIABLES, FinalAnswer)
    assert caught.value.reason == "truncated" and len(server.seen) == 4


async def test_a_limit_that_cannot_grow_is_not_tried_twice(server: ScriptedServer) -> None:
    """Case L10: the same oversized request would be cut off again."""
    profile = ModelProfile(max_output=800)
    model = OpenAIModel("m", "k", base_url=f"{server.url}/v1", profile=profile, max_tokens=4096)
    server.openai('{"answer": "12', "length")
    with pytest.raises(AnswerRejected) as caught:
        await model.answer(FINAL, VARIABLES, FinalAnswer)
    assert (caught.value.reason, [body["max_tokens"] for body in server.seen]) == ("truncated", [800])


async def test_a_prompt_too_long_for_the_model_is_not_sent(server: ScriptedServer) -> None:
    tight = OpenAIModel("m", "k", base_url=f"{server.url}/v1", profile=ModelProfile(context=2000))
    server.openai('{"answer": "x"}')
    await tight.answer(FINAL, VARIABLES, FinalAnswer)
    assert 256 <= server.seen[0]["max_tokens"] < 2000
    with pytest.raises(AnswerRejected) as caught:
        await tight.answer(FINAL, {**VARIABLES, "query": "가" * 9000}, FinalAnswer)
    assert caught.value.reason == "too_long" and len(server.seen) == 1


async def test_calls_that_share_an_id_get_their_own(
    server: ScriptedServer, openai: OpenAIModel, anthropic: AnthropicModel
) -> None:
    """Cases L15 and L16: two calls stay two, in order, whatever their ids and indices are."""
    pair = [called({"sido": "서울"}, "air"), called({"sido": "부산"}, "air")]
    air = {"type": "object", "properties": {"sido": {"type": "string"}}}
    server.openai_calls(*({**call, "index": 0} for call in pair))
    found = await turned(openai, {"air": air})
    server.script.clear()
    server.anthropic_calls(*({**call, "id": None} for call in pair))
    for calls in (found, await turned(anthropic, {"air": air})):
        assert [(c.id, c.arguments["sido"]) for c in calls] == [("call_1", "서울"), ("call_2", "부산")]


async def test_two_answers_that_differ_are_ambiguous_and_equal_ones_are_one(
    server: ScriptedServer, openai: OpenAIModel
) -> None:
    server.openai_calls(called('{"answer": "a"}'), called('{"answer": "a"}'))
    assert (await openai.answer(FINAL, VARIABLES, FinalAnswer)).value.answer == "a"
    server.script.clear()
    server.openai_calls(called('{"answer": "a"}'), called('{"answer": "b"}'))
    with pytest.raises(AnswerRejected) as caught:
        await openai.answer(FINAL, VARIABLES, FinalAnswer)
    assert caught.value.reason == "ambiguous" and len(server.seen) == 1 + 3


async def test_a_tool_that_was_not_offered_is_never_called(
    server: ScriptedServer, openai: OpenAIModel, anthropic: AnthropicModel
) -> None:
    """Case L18: asked again with the error, then a reject; also where no tool was offered at all."""
    plain = OpenAIModel("m", "k", base_url=f"{server.url}/v1")
    for model in (openai, plain):
        server.script.clear()
        server.openai_calls(called('{"cmd": "id"}', "os_system"))
        before = len(server.seen)
        with pytest.raises(AnswerRejected) as caught:
            await model.answer(FINAL, VARIABLES, FinalAnswer)
        assert (caught.value.reason, len(server.seen) - before) == ("unknown_tool", 3)
        assert "os_system" in server.seen[-1]["messages"][-1]["content"] and "os_system" in caught.value.raw
    server.script.clear()
    server.anthropic_calls(called({"cmd": "id"}, "__import__"))
    assert await refused(anthropic, {"search_law": LAW}) == "unknown_tool"


class Typed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    whole: int
    flag: StrictBool
    code: str
    either: int | str


TYPED = Prompt("typed", "s", "u", Typed.model_json_schema(), "h")


async def test_values_of_other_types(server: ScriptedServer, openai: OpenAIModel) -> None:
    """Cases L20 and L21: numbers and booleans as text are read, a number in place of a code is refused."""
    server.openai_calls(called({"whole": "42", "flag": "True", "code": "02134", "either": "007"}, "typed"))
    value = (await openai.answer(TYPED, {}, Typed)).value
    assert (value.whole, value.flag, value.code, value.either) == (42, True, "02134", "007")
    server.script.clear()
    server.openai_calls(called({"whole": 42, "flag": 1, "code": "1", "either": 7}, "typed"))
    value = (await openai.answer(TYPED, {}, Typed)).value
    assert value.flag is True and value.either == 7
    (call,) = await turned(openai, {"typed": TYPED.schema})
    assert call.notes == ("flag: int read as bool",)
    server.script.clear()
    server.openai_calls(called({"whole": 42, "flag": True, "code": 2134, "either": 7}, "typed"))
    with pytest.raises(AnswerRejected) as caught:
        await openai.answer(TYPED, {}, Typed)
    assert caught.value.reason == "wrong_type" and "code" in caught.value.detail


@pytest.mark.parametrize("body", [{"choices": []}, {"choices": [{"index": 0, "message": None}]}])
async def test_nothing_at_all(server: ScriptedServer, openai: OpenAIModel, body: dict[str, Any]) -> None:
    """Cases L03 and L12: a reason, no row, no crash; a filter's null message and a service without counts."""
    server.reply({"id": "c", "object": "chat.completion", "created": 1, "model": "m", **body})
    with pytest.raises(AnswerRejected) as caught:
        await openai.answer(FINAL, VARIABLES, FinalAnswer)
    assert caught.value.reason == "empty"


async def test_a_message_without_counts(server: ScriptedServer, anthropic: AnthropicModel) -> None:
    body = server.anthropic('{"answer": "x"}').script[0][1]
    body["usage"] = None
    answer = await anthropic.answer(FINAL, VARIABLES, FinalAnswer)
    assert answer.value.answer == "x" and answer.usage.input_tokens == 0
