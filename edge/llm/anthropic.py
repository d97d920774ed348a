"""Question -> message: the Anthropic messages endpoint."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from edge.errors import ModelUnavailable
from edge.ids import Json
from edge.llm.asking import Message as Turned
from edge.llm.asking import Question, Reply, Stop, Window, ask, is_closed, with_schema, without
from edge.llm.connections import SharedClient
from edge.llm.desk import Desk, Front
from edge.llm.failures import out_of_time, translated
from edge.llm.limits import Limiter, Limits
from edge.llm.profiles import ModelProfile, host_of
from edge.llm.prompts import Prompt
from edge.llm.protocol import Answer, T, TokenUsage
from edge.llm.tool_calls import ToolCall

if TYPE_CHECKING:
    from anthropic.types import Message, MessageParam, ToolChoiceToolParam, ToolParam
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

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
        profile: ModelProfile | None = None,
        desk: Front | None = None,
        max_tokens: int = 4096,
        timeout_s: float = 120.0,
    ) -> None:
        from anthropic import AsyncAnthropic  # loading the SDK takes seconds

        self.name = name
        self._key = key
        self._timeout_s = timeout_s  # the SDK's begins anew with every byte
        self._profile = profile or ModelProfile(tool_mode="native")
        self._desk = desk or Desk(Limiter(Limits(attempts=1)))
        self._max_tokens = max_tokens
        self._client = SharedClient(
            lambda: AsyncAnthropic(api_key=key, base_url=base_url, timeout=timeout_s, max_retries=0)
        )
        self._what = f"model {name} at {host_of(self.provider, base_url)}"

    async def answer(self, prompt: Prompt, variables: Mapping[str, Json], schema: type[T]) -> Answer[T]:
        """See `Model.answer`."""
        window = Window(self._profile.context, self._profile.max_output)
        return await ask(self.turn, prompt, variables, schema, self._max_tokens, window)

    async def turn(self, question: Question) -> Reply:
        """Ask one turn at the service's pace and the run's expense; see `Model.answer` for what is raised."""
        return await self._desk.ask(self, question)

    async def send(self, question: Question) -> Reply:
        """See `Service.send`."""
        from anthropic import AnthropicError

        params, more = self._params(question), dict(self._profile.request)
        try:
            async with asyncio.timeout(self._timeout_s), self._client.use() as client:
                message = await client.messages.create(**params, extra_body=more or None)
        except AnthropicError as error:
            raise translated(error, self._key, self._what) from None
        except TimeoutError:
            raise out_of_time(self._what) from None
        return _reply(message, question.max_tokens, question.name if "tools" in params else "")

    def line(self, question: Question) -> dict[str, Json]:
        """See `Service.line`."""
        return cast("dict[str, Json]", {**self._params(question), **self._profile.request})

    def read(self, question: Question, line: Mapping[str, Json], body: Mapping[str, Json]) -> Reply:
        """See `Service.read`."""
        return _reply(_message(body), question.max_tokens, question.name if "tools" in line else "")

    def gives_way(self, line: Mapping[str, Json], message: str) -> bool:
        """See `Service.gives_way`."""
        return False

    def _params(self, question: Question) -> MessageCreateParamsNonStreaming:
        enforced = self._profile.structured_output and is_closed(question.schema)
        tool = not self._profile.structured_output and self._profile.tool_mode == "native"
        params: MessageCreateParamsNonStreaming = {
            "model": self.name,
            "max_tokens": question.max_tokens,
            "system": question.system if enforced or tool else with_schema(question.system, question.schema),
            "messages": [_param(message) for message in question.messages],
        }
        if enforced:
            shape = without(question.schema, _UNENFORCED)
            params["output_config"] = {"format": {"type": "json_schema", "schema": shape}}
        if tool:
            params["tools"] = [_answer_tool(question)]
            params["tool_choice"] = self._choice(question)
        return params

    def _choice(self, question: Question) -> ToolChoiceToolParam:
        choice: ToolChoiceToolParam = {"type": "tool", "name": question.name}
        return {**choice, "disable_parallel_tool_use": True} if self._profile.parallel_calls else choice


def _param(message: Turned) -> MessageParam:
    if message.role == "user":
        return {"role": "user", "content": message.text}
    return {"role": "assistant", "content": message.text}


def _answer_tool(question: Question) -> ToolParam:
    schema = cast("dict[str, object]", question.schema)
    return {"name": question.name, "description": "Give the answer.", "input_schema": schema}


def usage_of(body: Mapping[str, Json]) -> tuple[TokenUsage, bool]:
    """Return the tokens that the body of an answer tells, and whether it tells any.

    Raises:
        ModelUnavailable: it is the body of something else.
    """
    reply = _reply(_message(body), sys.maxsize, "")
    return reply.usage, reply.counted


def _message(body: Mapping[str, Json]) -> Message:
    """Return the message as the SDK would make it of this body: nothing in it is sure to be there."""
    from anthropic.types import Message

    return Message.model_construct(**cast("Mapping[str, Any]", body))


def _reply(message: Message, limit: int, offered: str) -> Reply:
    """Read a message with suspicion: servers send bodies that are none."""
    try:
        return _read(message, limit, offered)
    except (AttributeError, TypeError):  # the SDK takes bodies as they come
        found = type(message).__name__
        raise ModelUnavailable(f"the service answered with something else than a message: {found}") from None


def _read(message: Message, limit: int, offered: str) -> Reply:
    text = "".join(block.text for block in message.content if block.type == "text")
    calls = tuple(ToolCall(b.id, b.name, b.input) for b in message.content if b.type == "tool_use")
    usage, counted = _usage(message)
    stop = _STOPS.get(message.stop_reason or "")
    if stop is None:
        full = usage.output_tokens >= limit
        stop = "truncated" if full else "done" if text.strip() or calls else "empty"
    return Reply(text, stop, usage, counted, calls, offered)


def _usage(message: Message) -> tuple[TokenUsage, bool]:
    """Return the tokens, cached input included, and whether the service told any."""
    used = cast("object | None", getattr(message, "usage", None))  # declared present; not every server sends it
    if used is None:
        return TokenUsage(), False
    read, written = message.usage.cache_read_input_tokens or 0, message.usage.cache_creation_input_tokens or 0
    total = message.usage.input_tokens + read + written
    return TokenUsage(total, message.usage.output_tokens, read, written), True
