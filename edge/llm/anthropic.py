"""Question -> message: the Anthropic messages endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from edge.errors import ModelUnavailable
from edge.ids import Json
from edge.llm.asking import Message as Turned
from edge.llm.asking import Question, Reply, Stop, ask, is_closed, with_schema, without
from edge.llm.failures import translated
from edge.llm.prompts import Prompt
from edge.llm.protocol import Answer, T, TokenUsage

if TYPE_CHECKING:
    from anthropic.types import Message, MessageParam

_MOST_TOKENS = 21_000  # above this the SDK refuses a request that does not stream
_STOPS: Mapping[str, Stop] = {
    "max_tokens": "truncated",
    "model_context_window_exceeded": "truncated",
    "pause_turn": "truncated",
    "refusal": "refusal",
}
_UNENFORCED = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "maxItems"}
)


class AnthropicModel:
    """A model behind the messages endpoint. It takes no temperature: variety comes from the variables."""

    provider = "anthropic"

    def __init__(
        self,
        name: str,
        key: str,
        *,
        base_url: str | None = None,
        max_tokens: int = 4096,
        timeout_s: float = 120.0,
        retries: int = 1,
    ) -> None:
        from anthropic import AsyncAnthropic  # loading the SDK takes seconds

        self.name = name
        self._key = key
        self._max_tokens = max_tokens
        self._client = AsyncAnthropic(api_key=key, base_url=base_url, timeout=timeout_s, max_retries=retries)

    async def answer(self, prompt: Prompt, variables: Mapping[str, Json], schema: type[T]) -> Answer[T]:
        """See `Model.answer`."""
        return await ask(self._turn, prompt, variables, schema, self._max_tokens)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _turn(self, question: Question) -> Reply:
        from anthropic import AnthropicError, omit

        limit = min(question.max_tokens, _MOST_TOKENS)
        closed = is_closed(question.schema)
        messages = [_param(message) for message in question.messages]
        try:
            message = await self._client.messages.create(
                model=self.name,
                max_tokens=limit,
                system=question.system if closed else with_schema(question.system, question.schema),
                messages=messages,
                output_config={"format": {"type": "json_schema", "schema": without(question.schema, _UNENFORCED)}}
                if closed
                else omit,
            )
        except AnthropicError as error:
            raise translated(error, self._key, f"model {self.name} at {self._client.base_url.host}") from None
        return _reply(message, limit)


def _param(message: Turned) -> MessageParam:
    if message.role == "user":
        return {"role": "user", "content": message.text}
    return {"role": "assistant", "content": message.text}


def _reply(message: Message, limit: int) -> Reply:
    content = getattr(message, "content", None)
    if not isinstance(content, list):
        raise ModelUnavailable(f"the service answered with something else than a message: {type(message).__name__}")
    text = "".join(block.text for block in message.content if block.type == "text")
    usage = TokenUsage(message.usage.input_tokens, message.usage.output_tokens)
    stop = _STOPS.get(message.stop_reason or "")
    if stop is None:
        stop = "truncated" if usage.output_tokens >= limit else "done" if text.strip() else "empty"
    return Reply(text, stop, usage)
