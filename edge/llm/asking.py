"""Prompt -> turns with a service -> validated answer: truncation, refusal and re-asks, the same for every service."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from edge.errors import ModelAnswerError
from edge.ids import Json
from edge.llm.json_answers import excerpt, read_answer
from edge.llm.prompts import Prompt
from edge.llm.protocol import Answer, AnswerRejected, T, TokenUsage

Stop = Literal["done", "truncated", "refusal", "content_filter", "empty"]
REASKS = 2


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a service said, why it stopped and what that cost."""

    text: str
    stop: Stop
    usage: TokenUsage


@dataclass(frozen=True, slots=True)
class Question:
    """One turn to be asked. `schema` is the JSON schema of the answer."""

    name: str
    system: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Json]
    max_tokens: int


Turn: TypeAlias = Callable[[Question], Awaitable[Reply]]


async def ask(turn: Turn, prompt: Prompt, variables: Mapping[str, Json], schema: type[T], max_tokens: int) -> Answer[T]:
    """Ask until an answer validates: one larger try after a truncation, two re-asks with what was wrong.

    Raises:
        AnswerRejected: with the reason of the last try.
    """
    messages = [Message("user", prompt.render(variables))]
    usage = TokenUsage()
    limit, enlarged, reasks = max_tokens, False, 0
    while True:
        reply = await turn(Question(prompt.name, prompt.system, tuple(messages), prompt.schema, limit))
        usage += reply.usage
        if reply.stop == "truncated" and not enlarged:
            limit, enlarged = limit * 2, True
            continue
        if reply.stop != "done":
            raise AnswerRejected(reply.stop, excerpt(reply.text), usage=usage, raw=reply.text)
        try:
            return Answer(read_answer(reply.text, schema), usage, reply.text)
        except ModelAnswerError as error:
            if reasks == REASKS:
                raise AnswerRejected(error.reason, error.detail, usage=usage, raw=reply.text) from None
            reasks += 1
            messages += [Message("assistant", reply.text or "(empty)"), Message("user", _correction(error))]


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
    }.get(error.reason, f"The answer does not fit the schema: {error.detail}")
    return f"{problem} Answer again with one JSON value that fits the schema, and with nothing else."
