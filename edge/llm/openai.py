"""Question -> chat completion: any service that speaks the OpenAI protocol (OpenAI, vLLM, llama.cpp, Ollama)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from edge.errors import ModelUnavailable
from edge.ids import Json
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
    from openai import AsyncOpenAI
    from openai.types.chat import (
        ChatCompletion,
        ChatCompletionFunctionToolParam,
        ChatCompletionMessage,
        ChatCompletionMessageParam,
    )
    from openai.types.shared_params import ResponseFormatJSONSchema

Means: TypeAlias = Literal["schema", "tool", "words"]

_UNENFORCED = ("$schema", "minLength", "maxLength")  # strict mode refuses them
_REFUSED: Mapping[Means, str] = {"schema": "response_format", "tool": "tool"}  # what a refusal of these means names


class OpenAIModel:
    """A model behind the chat completions endpoint."""

    provider = "openai"

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
        from openai import AsyncOpenAI  # loading the SDK takes most of a second

        self.name = name
        self._key = key
        self._profile = profile or ModelProfile()
        self._desk = desk or Desk(Limiter(Limits(attempts=1)))
        self._max_tokens = max_tokens
        self._client = SharedClient(
            lambda: AsyncOpenAI(api_key=key, base_url=base_url, timeout=timeout_s, max_retries=0)
        )
        self._what = f"model {name} at {host_of(self.provider, base_url)}"
        self._means = _means_of(self._profile)

    async def answer(self, prompt: Prompt, variables: Mapping[str, Json], schema: type[T]) -> Answer[T]:
        """See `Model.answer`."""
        window = Window(self._profile.context, self._profile.max_output)
        return await ask(self.turn, prompt, variables, schema, self._max_tokens, window)

    async def turn(self, question: Question) -> Reply:
        """Ask one turn at the service's pace and the run's expense; see `Model.answer` for what is raised."""
        return await self._desk.ask(self._turn, question)

    async def _turn(self, question: Question) -> Reply:
        from openai import BadRequestError, OpenAIError, UnprocessableEntityError

        means = self._means[0]
        try:
            async with self._client.use() as client:
                completion = await self._complete(client, question, means)
            return _reply(completion, question.max_tokens, question.name if means == "tool" else "")
        except (BadRequestError, UnprocessableEntityError) as error:
            if not (means in _REFUSED and _REFUSED[means] in str(error)):
                raise translated(error, self._key, self._what) from None
            if self._means[0] == means:
                self._means = self._means[1:]  # this server cannot do it: use the next means from now on
        except OpenAIError as error:
            raise translated(error, self._key, self._what) from None
        return await self._turn(question)

    async def _complete(self, client: AsyncOpenAI, question: Question, means: Means) -> ChatCompletion:
        from openai import omit

        messages: list[ChatCompletionMessageParam] = [
            {"role": "system", "content": with_schema(question.system, question.schema)}
            if means == "words"
            else {"role": "system", "content": question.system}
        ]
        for message in question.messages:
            if message.role == "user":
                messages.append({"role": "user", "content": message.text})
            else:
                messages.append({"role": "assistant", "content": message.text})
        limits = {self._profile.limit_field: question.max_tokens}
        return await client.chat.completions.create(
            model=self.name,
            messages=messages,
            response_format=_response_format(question) if means == "schema" else omit,
            tools=[_answer_tool(question)] if means == "tool" else omit,
            tool_choice={"type": "function", "function": {"name": question.name}} if means == "tool" else omit,
            parallel_tool_calls=False if means == "tool" and self._profile.parallel_calls else omit,
            max_tokens=limits.get("max_tokens", omit),
            max_completion_tokens=limits.get("max_completion_tokens", omit),
            extra_body=dict(self._profile.request) or None,
        )


def _means_of(profile: ModelProfile) -> tuple[Means, ...]:
    """Return how a schema is put to the model, the best means first; words are understood by all."""
    means: list[Means] = []
    if profile.structured_output:
        means.append("schema")
    if profile.tool_mode == "native":
        means.append("tool")
    return (*means, "words")


def _answer_tool(question: Question) -> ChatCompletionFunctionToolParam:
    schema = without(question.schema, _UNENFORCED)
    return {
        "type": "function",
        "function": {"name": question.name, "description": "Give the answer.", "parameters": schema},
    }


def _response_format(question: Question) -> ResponseFormatJSONSchema:
    shape = without(question.schema, _UNENFORCED)
    return {
        "type": "json_schema",
        "json_schema": {"name": question.name[:64], "schema": shape, "strict": is_closed(question.schema)},
    }


def _reply(completion: ChatCompletion, limit: int, offered: str) -> Reply:
    """Read a completion with suspicion: servers send empty choices, null messages and bodies that are no completion."""
    choices = getattr(completion, "choices", None)
    if choices is None:
        raise ModelUnavailable(
            f"the service answered with something else than a completion: {type(completion).__name__}"
        )
    usage, counted = _usage(completion)
    if not choices:
        return Reply("", "empty", usage, counted)
    choice = completion.choices[0]
    message = cast("ChatCompletionMessage | None", choice.message)  # declared present; filters leave null
    text = (message.content or "") if message is not None else ""
    refusal = message.refusal if message is not None else None
    calls = _calls(message)
    full = usage.output_tokens >= limit
    stop = _stop(choice.finish_reason, bool(text.strip() or calls), refusal, full)
    return Reply(refusal or text, stop, usage, counted, calls, offered)


def _calls(message: ChatCompletionMessage | None) -> tuple[ToolCall, ...]:
    """Return the tool calls as they came: ids may be missing, arguments may be an object instead of text."""
    found: list[ToolCall] = []
    for call in (message.tool_calls if message is not None else None) or []:
        function = getattr(call, "function", None)
        name, arguments = getattr(function, "name", None), getattr(function, "arguments", None)
        found.append(ToolCall(cast("str | None", call.id), str(name or ""), cast("object", arguments)))
    return tuple(found)


def _usage(completion: ChatCompletion) -> tuple[TokenUsage, bool]:
    """Return the tokens, cached input included, and whether the service told any."""
    used = completion.usage
    if used is None:
        return TokenUsage(), False
    details = used.prompt_tokens_details
    cached, written = (details.cached_tokens, details.cache_write_tokens) if details else (0, 0)
    return TokenUsage(used.prompt_tokens, used.completion_tokens, cached or 0, written or 0), True


def _stop(finish: str | None, said: bool, refusal: str | None, full: bool) -> Stop:
    if refusal:
        return "refusal"
    if finish == "content_filter":
        return "content_filter"
    if finish == "length" or full:
        return "truncated"
    return "done" if said else "empty"
