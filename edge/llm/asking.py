"""Prompt -> turns with a service -> validated answer: truncation, refusal and re-asks, the same for every service."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from edge.errors import ModelAnswerError
from edge.ids import Json
from edge.llm.json_answers import excerpt, read_answer
from edge.llm.prompts import Prompt
from edge.llm.protocol import Answer, AnswerRejected, T, TokenUsage
from edge.llm.tool_calls import ToolCall, called_answer

Stop = Literal["done", "truncated", "refusal", "content_filter", "empty"]
REASKS = 2
_FINAL = frozenset({"truncated", "refusal", "content_filter", "empty", "too_long"})  # asking again would not mend these
_BYTES_A_TOKEN = 3
_MOST_BYTES_A_TOKEN = 6  # no tokenizer packs Korean or JSON tighter
_LEAST_ROOM = 256


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a service said, why it stopped and what that cost.

    `counted`: the service told the tokens. `calls` came instead of text; `offered` is the tool that they may call.
    """

    text: str
    stop: Stop
    usage: TokenUsage
    counted: bool = True
    calls: tuple[ToolCall, ...] = ()
    offered: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One turn to be asked. `schema` is the JSON schema of the answer, `prompt_hash` what the turn is counted under.

    `draw` tells tries of one text apart (the variable `seed`); nobody is sent it.
    """

    name: str
    prompt_hash: str
    system: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Json]
    max_tokens: int
    draw: Json = None

    @property
    def size(self) -> int:
        """The bytes of what is sent, the schema included."""
        texts = [self.system, *(message.text for message in self.messages), json.dumps(self.schema)]
        return sum(len(text.encode("utf-8", "replace")) for text in texts)

    @property
    def tokens(self) -> int:
        """About how many tokens are sent: a Korean syllable is three bytes and about one token, English takes fewer."""
        return self.size // _BYTES_A_TOKEN


@dataclass(frozen=True, slots=True)
class Window:
    """How many tokens a model takes: in and out together, and out alone; None: not known."""

    context: int | None = None
    max_output: int | None = None

    def limit(self, question: Question, wanted: int) -> int:
        """Return the limit of the answer to a question: what is wanted, as far as there is room for it.

        Raises:
            ModelAnswerError: `too_long`, the question alone leaves no room, however its tokens are counted.
        """
        limit = wanted if self.max_output is None else min(wanted, self.max_output)
        if self.context is None:
            return limit
        if question.size // _MOST_BYTES_A_TOKEN >= self.context:
            raise ModelAnswerError("too_long", f"{question.size} bytes for a context of {self.context} tokens")
        return min(limit, max(_LEAST_ROOM, self.context - question.tokens))


ANY_LENGTH = Window()
Turn: TypeAlias = Callable[[Question], Awaitable[Reply]]


async def ask(
    turn: Turn,
    prompt: Prompt,
    variables: Mapping[str, Json],
    schema: type[T],
    max_tokens: int,
    window: Window = ANY_LENGTH,
) -> Answer[T]:
    """Ask until an answer validates: one larger try after a truncation, two re-asks with what was wrong.

    Raises:
        AnswerRejected: with the reason of the last try.
    """
    first = Message("user", prompt.render(variables))
    draw = variables.get("seed")
    question = Question(prompt.name, prompt.hash, prompt.system, (first,), prompt.schema, max_tokens, draw)
    usage, raw, reasks, enlarged = TokenUsage(), "", 0, False
    while True:
        try:
            question = replace(question, max_tokens=window.limit(question, max_tokens * (2 if enlarged else 1)))
            reply = await turn(question)
            usage, raw = usage + reply.usage, _raw(reply)
            return Answer(_answered(reply, question, schema), usage, raw)
        except ModelAnswerError as error:
            if error.reason == "truncated" and not enlarged:
                enlarged = window.limit(question, max_tokens * 2) > question.max_tokens
                if enlarged:  # otherwise it would be cut off again
                    continue
            if error.reason in _FINAL or reasks == REASKS:
                raise AnswerRejected(error.reason, error.detail, usage=usage, raw=raw) from None
            reasks += 1
            more = (Message("assistant", raw or "(empty)"), Message("user", _correction(error)))
            question = replace(question, messages=question.messages + more)


def _answered(reply: Reply, question: Question, schema: type[T]) -> T:
    if reply.stop != "done":
        raise ModelAnswerError(reply.stop, excerpt(_raw(reply)))
    if not reply.calls:
        return read_answer(reply.text, schema)
    offered = {reply.offered: question.schema} if reply.offered else {}
    return called_answer(reply.calls, offered, schema)


def _raw(reply: Reply) -> str:
    """Return what was said as text; of calls, what they say."""
    if not reply.calls:
        return reply.text
    said = [{"name": call.name, "arguments": call.arguments} for call in reply.calls]
    return "\n".join(json.dumps(one, ensure_ascii=False, default=str) for one in said)


def with_schema(system: str, schema: Mapping[str, Json]) -> str:
    """Return the system text with the schema in it, for a service that cannot enforce it."""
    shape = json.dumps(schema, ensure_ascii=False)
    return f"{system}\n\nAnswer with one JSON value that fits this JSON schema, and with nothing else:\n{shape}"


def is_closed(schema: Json) -> bool:
    """Return whether every object of a schema lists all its fields: what strict structured output can enforce."""
    if isinstance(schema, Mapping):
        if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
            return False
        return all(is_closed(value) for value in schema.values())
    if isinstance(schema, list | tuple):
        return all(is_closed(value) for value in schema)
    return True


def without(schema: Mapping[str, Json], keywords: Collection[str]) -> dict[str, object]:
    """Return the schema without keywords that a service refuses; the answer is validated against all of them here."""
    kept: dict[str, object] = {}
    for key, value in schema.items():
        if isinstance(value, Mapping):
            kept[key] = without(value, keywords)
        elif key in keywords:
            continue
        elif isinstance(value, list | tuple):
            kept[key] = [without(item, keywords) if isinstance(item, Mapping) else item for item in value]
        else:
            kept[key] = value
    return kept


def _correction(error: ModelAnswerError) -> str:
    problem = {
        "ambiguous": "The answer held more than one JSON value that fits. Give exactly one.",
        "empty": "The answer was empty.",
        "unparsable": "The answer held no JSON.",
        "unknown_tool": f"There is no tool {error.detail}.",
    }.get(error.reason, f"The answer does not fit the schema: {error.detail}")
    return f"{problem} Answer again with one JSON value that fits the schema, and with nothing else."
