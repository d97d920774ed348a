"""Question -> chat completion: any service that speaks the OpenAI protocol (OpenAI, vLLM, llama.cpp, Ollama)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from edge.errors import ModelUnavailable
from edge.ids import Json
from edge.llm.asking import Question, Reply, Stop, ask, is_closed, with_schema, without
from edge.llm.failures import translated
from edge.llm.prompts import Prompt
from edge.llm.protocol import Answer, T, TokenUsage

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion, ChatCompletionMessageParam
    from openai.types.shared_params import ResponseFormatJSONSchema

_UNENFORCED = ("$schema", "minLength", "maxLength")  # strict mode refuses them


class OpenAIModel:
    """A model behind the chat completions endpoint."""

    provider = "openai"

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
        from openai import AsyncOpenAI  # loading the SDK takes most of a second

        self.name = name
        self._key = key
        self._max_tokens = max_tokens
        self._client = AsyncOpenAI(api_key=key, base_url=base_url, timeout=timeout_s, max_retries=retries)
        self._structured = True
        self._hosted = base_url is None  # its reasoning models refuse max_tokens; other servers know nothing else

    async def answer(self, prompt: Prompt, variables: Mapping[str, Json], schema: type[T]) -> Answer[T]:
        """See `Model.answer`."""
        return await ask(self._turn, prompt, variables, schema, self._max_tokens)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _turn(self, question: Question) -> Reply:
        from openai import BadRequestError, OpenAIError, UnprocessableEntityError

        try:
            return _reply(await self._complete(question, self._structured), question.max_tokens)
        except (BadRequestError, UnprocessableEntityError) as error:
            if not (self._structured and "response_format" in str(error)):
                raise translated(error, self._key, self._what) from None
            self._structured = False  # this server cannot enforce schemas: read its answers tolerantly from now on
        except OpenAIError as error:
            raise translated(error, self._key, self._what) from None
        return await self._turn(question)

    async def _complete(self, question: Question, structured: bool) -> ChatCompletion:
        from openai import omit

        system = question.system if structured else with_schema(question.system, question.schema)
        messages: list[ChatCompletionMessageParam] = [{"role": "system", "content": system}]
        for message in question.messages:
            if message.role == "user":
                messages.append({"role": "user", "content": message.text})
            else:
                messages.append({"role": "assistant", "content": message.text})
        return await self._client.chat.completions.create(
            model=self.name,
            messages=messages,
            response_format=_response_format(question) if structured else omit,
            max_tokens=omit if self._hosted else question.max_tokens,
            max_completion_tokens=question.max_tokens if self._hosted else omit,
        )

    @property
    def _what(self) -> str:
        return f"model {self.name} at {self._client.base_url.host}"


def _response_format(question: Question) -> ResponseFormatJSONSchema:
    shape = without(question.schema, _UNENFORCED)
    return {
        "type": "json_schema",
        "json_schema": {"name": question.name[:64], "schema": shape, "strict": is_closed(question.schema)},
    }


def _reply(completion: ChatCompletion, limit: int) -> Reply:
    """Read a completion with suspicion: servers send empty choices, null messages and bodies that are no completion."""
    choices = getattr(completion, "choices", None)
    if choices is None:
        raise ModelUnavailable(
            f"the service answered with something else than a completion: {type(completion).__name__}"
        )
    used = completion.usage
    usage = TokenUsage(used.prompt_tokens, used.completion_tokens) if used else TokenUsage()
    if not choices:
        return Reply("", "empty", usage)
    choice = completion.choices[0]
    message = cast("object | None", choice.message)  # declared present; filters leave null
    text = (choice.message.content or "") if message is not None else ""
    refusal = choice.message.refusal if message is not None else None
    return Reply(refusal or text, _stop(choice.finish_reason, text, refusal, usage.output_tokens >= limit), usage)


def _stop(finish: str | None, text: str, refusal: str | None, full: bool) -> Stop:
    if refusal:
        return "refusal"
    if finish == "content_filter":
        return "content_filter"
    if finish == "length" or full:
        return "truncated"
    return "done" if text.strip() else "empty"
