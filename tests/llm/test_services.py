"""The two SDK backends against a server that speaks their protocol."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from llmserver import ScriptedServer, serving

from edge.errors import ModelAnswerError, ModelUnavailable, UsageError
from edge.llm.answers import FinalAnswer, KeyAnswer, LinkAnswer
from edge.llm.anthropic import AnthropicModel
from edge.llm.backends import make_model
from edge.llm.openai import OpenAIModel
from edge.llm.prompts import load_prompt
from edge.llm.protocol import Answer, AnswerRejected

KEY = "sk-planted-0123456789abcdef"
FINAL = load_prompt("final_answer")
VARIABLES = {"query": "몇 건인가요?", "style": "polite", "facts": []}
GOOD = '{"answer": "12건이에요."}'


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving() as scripted:
        yield scripted


@pytest.fixture
def openai(server: ScriptedServer) -> OpenAIModel:
    return OpenAIModel("m", KEY, base_url=f"{server.url}/v1", max_tokens=800)


@pytest.fixture
def anthropic(server: ScriptedServer) -> AnthropicModel:
    return AnthropicModel("m", KEY, base_url=server.url, max_tokens=800)


async def final(model: OpenAIModel | AnthropicModel) -> Answer[FinalAnswer]:
    return await model.answer(FINAL, VARIABLES, FinalAnswer)


async def rejected(model: OpenAIModel | AnthropicModel) -> AnswerRejected:
    with pytest.raises(AnswerRejected) as caught:
        await final(model)
    return caught.value


async def test_openai_answers_with_strict_schema(server: ScriptedServer, openai: OpenAIModel) -> None:
    server.openai(GOOD)
    answer = await final(openai)
    assert answer.value.answer == "12건이에요."
    assert (answer.usage.input_tokens, answer.usage.output_tokens, answer.raw) == (10, 5, GOOD)
    sent = server.seen[0]
    assert sent["response_format"]["json_schema"]["strict"] is True
    assert sent["response_format"]["json_schema"]["schema"]["additionalProperties"] is False
    assert sent["max_tokens"] == 800 and "몇 건인가요?" in sent["messages"][1]["content"]


async def test_anthropic_answers_with_output_format_and_no_temperature(
    server: ScriptedServer, anthropic: AnthropicModel
) -> None:
    server.anthropic('{"pairs": []}')
    variables = {"source": {}, "targets": [], "transforms": []}
    assert (await anthropic.answer(load_prompt("link_feasibility"), variables, LinkAnswer)).value.pairs == []
    sent = server.seen[0]
    assert sent["output_config"]["format"]["type"] == "json_schema"
    assert "minimum" not in str(sent["output_config"]) and "temperature" not in sent


async def test_an_open_schema_is_told_in_words(
    server: ScriptedServer, openai: OpenAIModel, anthropic: AnthropicModel
) -> None:
    variables = {"query": "q", "today": "2026-06-15", "tools": [], "outputs": {}}
    server.openai('{"calls": []}')
    await openai.answer(load_prompt("answer_key"), variables, KeyAnswer)
    assert server.seen[0]["response_format"]["json_schema"]["strict"] is False
    server.script.clear()
    server.anthropic('{"calls": []}')
    await anthropic.answer(load_prompt("answer_key"), variables, KeyAnswer)
    assert "output_config" not in server.seen[1] and '"calls"' in server.seen[1]["system"]


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"\ufeff```JSON\r\n{GOOD}\r\n```\n",
        f'다음은 결과입니다. 예: {{"a": 0}}\n\n{GOOD}\n\n도움이 되었길 바랍니다!',
    ],
)
async def test_fenced_and_prosed_json_is_read(server: ScriptedServer, openai: OpenAIModel, text: str) -> None:
    server.openai(text)
    assert (await final(openai)).value.answer == "12건이에요."
    assert len(server.seen) == 1


async def test_invalid_answers_are_asked_again_twice(server: ScriptedServer, openai: OpenAIModel) -> None:
    server.openai('{"text": "x"}').openai("I'm sorry, I can't create that question.").openai(GOOD)
    answer = await final(openai)
    assert answer.usage.input_tokens == 30
    assert "answer" in server.seen[1]["messages"][-1]["content"]
    assert [m["role"] for m in server.seen[2]["messages"]] == [
        "system",
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
    ]


async def test_after_the_re_asks_the_answer_is_rejected_with_reason_and_cost(
    server: ScriptedServer, openai: OpenAIModel
) -> None:
    server.openai("I'm sorry, I can't create that question.")
    error = await rejected(openai)
    assert (error.reason, error.usage.output_tokens, len(server.seen)) == ("unparsable", 15, 3)
    assert "sorry" in error.raw


async def test_two_different_valid_answers_are_ambiguous(server: ScriptedServer, openai: OpenAIModel) -> None:
    server.openai(f'{GOOD}\n{{"answer": "13건이에요."}}')
    assert (await rejected(openai)).reason == "ambiguous"


@pytest.mark.parametrize(("finish", "out"), [("length", 5), ("tool_calls", 800), ("stop", 800)])
async def test_truncation_is_seen_whatever_the_finish_reason(
    server: ScriptedServer, openai: OpenAIModel, finish: str, out: int
) -> None:
    server.openai('{"answer": "12', finish, out).openai(GOOD)
    assert (await final(openai)).value.answer == "12건이에요."
    assert server.seen[1]["max_tokens"] == 1600


async def test_truncation_twice_is_a_reject(server: ScriptedServer, openai: OpenAIModel) -> None:
    server.openai(GOOD, "length")
    assert (await rejected(openai)).reason == "truncated"
    assert len(server.seen) == 2


async def test_empty_choices_null_messages_and_filters_are_reasons(server: ScriptedServer, openai: OpenAIModel) -> None:
    base = {"id": "c", "object": "chat.completion", "created": 1, "model": "m"}
    for body, reason in (
        ({**base, "choices": []}, "empty"),
        ({**base, "choices": [{"index": 0, "message": None, "finish_reason": "content_filter"}]}, "content_filter"),
    ):
        server.script.clear()
        server.reply(body)
        assert (await rejected(openai)).reason == reason


async def test_refusals(server: ScriptedServer, openai: OpenAIModel, anthropic: AnthropicModel) -> None:
    server.openai(None, refusal="할 수 없습니다.")
    assert (await rejected(openai)).reason == "refusal"
    server.script.clear()
    server.anthropic("", "refusal")
    assert (await rejected(anthropic)).reason == "refusal"


async def test_anthropic_truncation_and_empty_content(server: ScriptedServer, anthropic: AnthropicModel) -> None:
    server.anthropic('{"answer": "1', "max_tokens").anthropic(GOOD)
    assert (await final(anthropic)).value.answer == "12건이에요."
    server.script.clear()
    server.anthropic("")
    assert (await rejected(anthropic)).reason == "empty"


@pytest.mark.parametrize("status", [429, 500, 503, 529])
async def test_transient_answers_carry_the_wait(
    server: ScriptedServer, openai: OpenAIModel, anthropic: AnthropicModel, status: int
) -> None:
    server.reply({"error": {"type": "overloaded_error", "message": f"busy {KEY}"}}, status, retry_after="20")
    for model in (openai, anthropic):
        with pytest.raises(ModelUnavailable) as caught:
            await final(model)
        assert caught.value.retry_after == 20.0
        assert KEY not in str(caught.value) and caught.value.__cause__ is None


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
async def test_fatal_answers_are_usage_errors_without_the_key(
    server: ScriptedServer, openai: OpenAIModel, anthropic: AnthropicModel, status: int
) -> None:
    server.reply({"error": {"message": f"Incorrect API key provided: {KEY[:8]}****cdef or {KEY}"}}, status)
    for model in (openai, anthropic):
        with pytest.raises(UsageError) as caught:
            await final(model)
        assert KEY not in str(caught.value) and "cdef" not in str(caught.value)


async def test_a_server_without_structured_output_is_asked_in_words(
    server: ScriptedServer, openai: OpenAIModel
) -> None:
    server.reply({"error": {"message": "response_format json_schema is not supported"}}, 400).openai(GOOD)
    assert (await final(openai)).value.answer == "12건이에요."
    assert "response_format" not in server.seen[1] and '"answer"' in server.seen[1]["messages"][0]["content"]


async def test_a_body_that_is_no_completion_and_a_closed_port_are_unavailable(
    server: ScriptedServer, openai: OpenAIModel
) -> None:
    server.reply("<html>maintenance</html>")
    with pytest.raises(ModelUnavailable):
        await final(openai)
    closed = OpenAIModel("m", KEY, base_url="http://127.0.0.1:9/v1")
    with pytest.raises(ModelUnavailable):
        await final(closed)


def test_make_model_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    assert make_model().provider == "offline"
    with pytest.raises(UsageError, match="unknown model backend"):
        make_model("gemini", "x")
    with pytest.raises(UsageError, match="model name"):
        make_model("openai")
    with pytest.raises(UsageError, match="ANTHROPIC_API_KEY"):
        make_model("anthropic", "x")
    with pytest.raises(UsageError, match="http"):
        make_model("openai", "x", "localhost:8000")
    assert make_model("openai", "x", "http://127.0.0.1:8000/v1").provider == "openai"


def test_importing_the_package_loads_no_sdk() -> None:
    code = (
        "import sys, edge.llm.backends, edge.llm.usage; print([m for m in ('openai', 'anthropic') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_rejections_are_model_answer_errors() -> None:
    assert issubclass(AnswerRejected, ModelAnswerError)
