"""Question -> message: the Anthropic messages endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from edge.errors import ModelUnavailable
from edge.ids import Json
from edge.llm.asking import Message as Turned
from edge.llm.asking import Question, Reply, Stop, Window, ask, is_closed, with_schema, without
from edge.llm.connections import SharedClient
from edge.llm.desk import Desk
from edge.llm.failures import translated
from edge.llm.limits import Limiter, Limits
from edge.llm.profiles import ModelProfile, host_of
from edge.llm.prompts import Prompt
from edge.llm.protocol import Answer, T, TokenUsage
from edge.llm.tool_calls import ToolCall

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types import Message, MessageParam, ToolChoiceToolParam, ToolParam

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
        desk: Desk | None = None,
        max_tokens: int = 4096,
        timeout_s: float = 120.0,
    ) -> None:
        from anthropic import AsyncAnthropic  # loading the SDK takes seconds

        self.name = name
        self._key = key
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
        return await self._desk.ask(self._turn, question)

    async def _turn(self, question: Question) -> Reply:
        from anthropic import AnthropicError

        try:
            async with self._client.use() as client:
                return await self._create(client, question)
        except AnthropicError as error:
            raise translated(error, self._key, self._what) from None

    async def _create(self, client: AsyncAnthropic, question: Question) -> Reply:
        from anthropic import omit

        enforced = self._profile.structured_output and is_closed(question.schema)
        tool = not self._profile.structured_output and self._profile.tool_mode == "native"
        shape = without(question.schema, _UNENFORCED)
        message = await client.messages.create(
            model=self.name,
            max_tokens=question.max_tokens,
            system=question.system if enforced or tool else with_schema(question.system, question.schema),
            messages=[_param(message) for message in question.messages],
            output_config={"format": {"type": "json_schema", "schema": shape}} if enforced else omit,
            tools=[_answer_tool(question)] if tool else omit,
            tool_choice=self._choice(question) if tool else omit,
            extra_body=dict(self._profile.request) or None,
        )
        return _reply(message, question.max_tokens, question.name if tool else "")

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


def _reply(message: Message, limit: int, offered: str) -> Reply:
    content = getattr(message, "content", None)
    if not isinstance(content, list):
        raise ModelUnavailable(f"the service answered with something else than a message: {type(message).__name__}")
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
    used = cast("object | None", message.usage)  # declared present; not every server sends it
    if used is None:
        return TokenUsage(), False
    read, written = message.usage.cache_read_input_tokens or 0, message.usage.cache_creation_input_tokens or 0
    total = message.usage.input_tokens + read + written
    return TokenUsage(total, message.usage.output_tokens, read, written), True
