"""Question -> chat completion: any service that speaks the OpenAI protocol (OpenAI, vLLM, llama.cpp, Ollama)."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from edge.errors import ModelUnavailable
from edge.ids import Json
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
    from openai.types.chat import (
        ChatCompletion,
        ChatCompletionFunctionToolParam,
        ChatCompletionMessage,
        ChatCompletionMessageParam,
        ChatCompletionNamedToolChoiceParam,
    )
    from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
    from openai.types.completion_usage import CompletionUsage
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
        desk: Front | None = None,
        max_tokens: int = 4096,
        timeout_s: float = 120.0,
    ) -> None:
        from openai import AsyncOpenAI  # loading the SDK takes most of a second

        self.name = name
        self._key = key
        self._timeout_s = timeout_s  # the SDK's begins anew with every byte
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
        return await self._desk.ask(self, question)

    async def send(self, question: Question) -> Reply:
        """See `Service.send`."""
        from openai import BadRequestError, OpenAIError, UnprocessableEntityError

        means = self._means[0]
        params, more = self._params(question, means), dict(self._profile.request)
        try:
            async with asyncio.timeout(self._timeout_s), self._client.use() as client:
                completion = await client.chat.completions.create(**params, extra_body=more or None)
            return _reply(completion, question.max_tokens, question.name if means == "tool" else "")
        except (BadRequestError, UnprocessableEntityError) as error:
            if not self._give_way(means, str(error)):
                raise translated(error, self._key, self._what) from None
        except OpenAIError as error:
            raise translated(error, self._key, self._what) from None
        except TimeoutError:
            raise out_of_time(self._what) from None
        return await self.send(question)

    def line(self, question: Question) -> dict[str, Json]:
        """See `Service.line`."""
        return cast("dict[str, Json]", {**self._params(question, self._means[0]), **self._profile.request})

    def read(self, question: Question, line: Mapping[str, Json], body: Mapping[str, Json]) -> Reply:
        """See `Service.read`."""
        return _reply(_completion(body), question.max_tokens, question.name if "tools" in line else "")

    def gives_way(self, line: Mapping[str, Json], message: str) -> bool:
        """See `Service.gives_way`."""
        means: Means = "schema" if "response_format" in line else "tool" if "tools" in line else "words"
        return self._give_way(means, message)

    def _give_way(self, means: Means, message: str) -> bool:
        """Use the next means from now on, where a refusal says that this server cannot do these."""
        if not (means in _REFUSED and _REFUSED[means] in message):
            return False
        if self._means[0] == means:
            self._means = self._means[1:]
        return True

    def _params(self, question: Question, means: Means) -> CompletionCreateParamsNonStreaming:
        system = with_schema(question.system, question.schema) if means == "words" else question.system
        messages: list[ChatCompletionMessageParam] = [{"role": "system", "content": system}]
        for message in question.messages:
            if message.role == "user":
                messages.append({"role": "user", "content": message.text})
            else:
                messages.append({"role": "assistant", "content": message.text})
        params: CompletionCreateParamsNonStreaming = {"model": self.name, "messages": messages}
        if self._profile.limit_field == "max_tokens":
            params["max_tokens"] = question.max_tokens
        else:
            params["max_completion_tokens"] = question.max_tokens
        if means == "schema":
            params["response_format"] = _response_format(question)
        elif means == "tool":
            params["tools"] = [_answer_tool(question)]
            chosen: ChatCompletionNamedToolChoiceParam = {"type": "function", "function": {"name": question.name}}
            params["tool_choice"] = chosen
            if self._profile.parallel_calls:
                params["parallel_tool_calls"] = False
        return params


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


def usage_of(body: Mapping[str, Json]) -> tuple[TokenUsage, bool]:
    """Return the tokens that the body of an answer tells, and whether it tells any.

    Raises:
        ModelUnavailable: it is the body of something else.
    """
    reply = _reply(_completion(body), sys.maxsize, "")
    return reply.usage, reply.counted


def _completion(body: Mapping[str, Json]) -> ChatCompletion:
    """Return the completion as the SDK would make it of this body: nothing in it is sure to be there."""
    from openai.types.chat import ChatCompletion

    return ChatCompletion.model_construct(**cast("Mapping[str, Any]", body))


def _reply(completion: ChatCompletion, limit: int, offered: str) -> Reply:
    """Read a completion with suspicion: servers send empty choices, null messages and bodies that are no completion."""
    try:
        return _read(completion, limit, offered)
    except (AttributeError, TypeError):  # the SDK takes bodies as they come
        found = type(completion).__name__
        raise ModelUnavailable(f"the service answered with something else than a completion: {found}") from None


def _read(completion: ChatCompletion, limit: int, offered: str) -> Reply:
    choices = completion.choices
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
    used = cast("CompletionUsage | None", getattr(completion, "usage", None))
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
