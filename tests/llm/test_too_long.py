"""A prompt too long for the model is rejected and the run goes on; an answer that takes too long names the setting."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from llmserver import ScriptedServer, serving

from edge.errors import ModelAnswerError, ModelUnavailable, UsageError
from edge.links.candidates import Pair
from edge.links.feasibility import judge
from edge.llm.answers import FinalAnswer
from edge.llm.backends import make_model
from edge.llm.prompts import load_prompt
from edge.settings import LlmSettings
from edge.specs.compile import BUNDLED_SPECS, compile_paths

TOLD = {"today": "2026-06-15", "style": "polite", "act": "ask", "label": "계약년월", "query": "강남구의 거래?"}
# As llama.cpp, OpenAI, vLLM and Anthropic say it.
LLAMA = {
    "code": 400, "message": "request (48030 tokens) exceeds the available context size (16384 tokens)",
    "type": "exceed_context_size_error",
}  # fmt: skip
OPENAI = {
    "message": "Your input exceeds the limit.",
    "type": "invalid_request_error",
    "code": "context_length_exceeded",
}
VLLM = {"message": "This model's maximum context length is 4096 tokens.", "type": "BadRequestError", "code": 400}
ANTHROPIC = {"type": "invalid_request_error", "message": "prompt is too long: 210000 tokens > 200000 maximum"}
LARGE = {"type": "request_too_large", "message": "Request exceeds the maximum size"}


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving() as scripted:
        yield scripted


@pytest.mark.parametrize(
    ("llm", "status", "error"),
    [
        ("openai", 400, LLAMA), ("openai", 400, OPENAI), ("openai", 400, VLLM), ("openai", 413, LARGE),
        ("anthropic", 400, ANTHROPIC), ("anthropic", 413, LARGE), ("anthropic", 400, LLAMA),
    ],
)  # fmt: skip
async def test_too_long_is_a_reject_of_that_prompt(
    server: ScriptedServer, llm: str, status: int, error: dict[str, Any]
) -> None:
    server.reply({"type": "error", "error": error}, status)
    model = make_model(llm, "m", server.url + ("/v1" if llm == "openai" else ""))
    with pytest.raises(ModelAnswerError) as caught:
        await model.answer(load_prompt("no_call"), TOLD, FinalAnswer)
    assert caught.value.reason == "too_long" and str(status) in caught.value.detail
    assert len(server.seen) == 1  # the same again would be as long


@pytest.mark.parametrize("message", ["max_tokens must be positive", "unknown field context"])
async def test_other_refusals_still_end_the_run(server: ScriptedServer, message: str) -> None:
    server.reply({"error": {"message": message, "type": "invalid_request_error"}}, 400)
    with pytest.raises(UsageError):
        await make_model("openai", "m", f"{server.url}/v1").answer(load_prompt("no_call"), TOLD, FinalAnswer)


async def test_targets_that_are_too_many_for_one_prompt_are_asked_about_in_halves(server: ScriptedServer) -> None:
    tools = {t.tool_id: t for t in compile_paths([BUNDLED_SPECS / "datagokr" / "molit.yaml"], BUNDLED_SPECS).tools[:5]}
    first, *others = tools
    server.reply({"error": LLAMA}, 400).openai('{"pairs": []}')
    pairs = [Pair(first, other, 0.5) for other in others]
    found = await judge(pairs, tools, make_model("openai", "m", f"{server.url}/v1"), load_prompt("link_feasibility"))
    assert len(server.seen) == 3 and found.dropped == {"unanswered": 4}


@pytest.mark.parametrize("llm", ["openai", "anthropic"])
async def test_a_slow_answer_names_the_setting(server: ScriptedServer, llm: str) -> None:
    """A model on a shared processor takes minutes for a long prompt: what to change must be in the line."""
    server.openai('{"answer": "12건"}') if llm == "openai" else server.anthropic('{"answer": "12건"}')
    server.delay_s = 0.5
    settings = LlmSettings.model_validate({"timeout_s": 0.1, "attempts": 1})
    model = make_model(llm, "m", server.url + ("/v1" if llm == "openai" else ""), settings=settings)
    with pytest.raises(ModelUnavailable, match="in time; EDGE_LLM_TIMEOUT_S"):
        await model.answer(load_prompt("no_call"), TOLD, FinalAnswer)
    server.delay_s, server.trickle_s = 0.0, 0.02  # a letter at a time, for ten seconds
    began = time.monotonic()
    with pytest.raises(ModelUnavailable, match="in time; EDGE_LLM_TIMEOUT_S"):
        await model.answer(load_prompt("no_call"), TOLD, FinalAnswer)
    assert time.monotonic() - began < 3


@pytest.mark.parametrize("llm", ["openai", "anthropic"])
@pytest.mark.parametrize(
    "body",
    [
        "<html>maintenance</html>",
        '{"id": "c", "choices": [{"index"',
        '["a list"]',
        "null",
        '{"choices": [null], "content": [null]}',
    ],
)
async def test_a_body_that_is_no_answer_is_tried_again_later(server: ScriptedServer, llm: str, body: str) -> None:
    server.reply(body)
    settings = LlmSettings.model_validate({"attempts": 1})
    model = make_model(llm, "m", server.url + ("/v1" if llm == "openai" else ""), settings=settings)
    with pytest.raises(ModelUnavailable, match=r"something else|cannot be reached"):
        await model.answer(load_prompt("no_call"), TOLD, FinalAnswer)
