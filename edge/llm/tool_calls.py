"""Tool calls of a model -> calls that may run: offered tools only, unique ids, values of the declared types."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

from edge.errors import ModelAnswerError
from edge.ids import Json, canonical_json
from edge.llm.json_answers import decode_arguments, read_answer
from edge.llm.protocol import T

V = TypeVar("V")

_INTEGER = re.compile(r"[+-]?(?:0|[1-9]\d*)")
_NUMBER = re.compile(r"[+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call as a service hands it on; nothing of it is checked yet."""

    id: str | None
    name: str
    arguments: object


@dataclass(frozen=True, slots=True)
class CheckedCall:
    """A call of an offered tool: an id of its own, arguments of the declared types, `notes` on what was repaired."""

    id: str
    name: str
    arguments: dict[str, Json]
    notes: tuple[str, ...] = ()


def read_calls(calls: Sequence[ToolCall], offered: Mapping[str, Mapping[str, Json]]) -> list[CheckedCall]:
    """Return the calls of one turn in their order. `offered` are the JSON schemas of the arguments by tool.

    Raises:
        ModelAnswerError: `unknown_tool`, `truncated`, `malformed_arguments` or `wrong_type`, of the first such call.
    """
    checked: list[CheckedCall] = []
    for identity, call in zip(unique_ids([call.id for call in calls]), calls, strict=True):
        schema = offered_tool(call.name, offered)
        decoded = decode_arguments(call.arguments, required=bool(schema.get("required")))
        coerced = coerce_arguments(decoded.values, schema)
        notes = (*decoded.notes, *(f"{name}: {note}" for name, note in coerced.notes.items()))
        checked.append(CheckedCall(identity, call.name, coerced.values, notes))
    return checked


def called_answer(calls: Sequence[ToolCall], offered: Mapping[str, Mapping[str, Json]], schema: type[T]) -> T:
    """Return the answer that calls of the offered answer tool give.

    Raises:
        ModelAnswerError: as `read_calls`; `ambiguous` when two calls say different things; `schema`.
    """
    said = {canonical_json(call.arguments) for call in read_calls(calls, offered)}
    if len(said) > 1:
        raise ModelAnswerError("ambiguous", f"{len(said)} calls give different answers")
    return read_answer(said.pop(), schema)


@dataclass(frozen=True, slots=True)
class Coerced:
    """Arguments of the declared types; `notes` say by argument what was changed."""

    values: dict[str, Json]
    notes: dict[str, str] = field(default_factory=dict[str, str])


def offered_tool(name: str, offered: Mapping[str, V]) -> V:
    """Return the offered tool of that name; there is no other place where a name is looked up.

    Raises:
        ModelAnswerError: `unknown_tool`.
    """
    try:
        return offered[name]
    except KeyError:
        raise ModelAnswerError("unknown_tool", name[:80]) from None


def unique_ids(ids: Sequence[str | None]) -> list[str]:
    """Return ids that pair each result with its own call: call_1, call_2 ... wherever one is absent or shared."""
    given = [identity or "" for identity in ids]
    if all(given) and len(set(given)) == len(given):
        return given
    return [f"call_{position}" for position in range(1, len(given) + 1)]


def coerce_arguments(arguments: Mapping[str, Json], schema: Mapping[str, Json]) -> Coerced:
    """Return the arguments with text numbers and booleans in their declared types.

    `schema` is the JSON schema of the parameters. A number where text is declared is refused: zeros may be lost.

    Raises:
        ModelAnswerError: `wrong_type`.
    """
    values: dict[str, Json] = {}
    notes: dict[str, str] = {}
    for name, value in arguments.items():
        types = _types(schema, name)
        values[name] = _coerce(name, value, types)
        if not same_json(values[name], value):
            notes[name] = f"{type(value).__name__} read as {type(values[name]).__name__}"
    return Coerced(values, notes)


def same_json(left: Json, right: Json) -> bool:
    """Return whether two JSON values are the same, types included: true, 1 and "1" are three values."""
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(same_json(left[key], right[key]) for key in left)
    if _is_list(left) and _is_list(right):
        ours, theirs = cast("Sequence[Json]", left), cast("Sequence[Json]", right)
        return len(ours) == len(theirs) and all(same_json(a, b) for a, b in zip(ours, theirs, strict=True))
    return type(left) is type(right) and left == right


def _is_list(value: Json) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _types(schema: Mapping[str, Json], name: str) -> tuple[str, ...]:
    properties = schema.get("properties")
    shape = properties.get(name) if isinstance(properties, Mapping) else None
    declared = shape.get("type") if isinstance(shape, Mapping) else None
    if isinstance(declared, str):
        return (declared,)
    return tuple(str(item) for item in declared) if isinstance(declared, Sequence) else ()


def _coerce(name: str, value: Json, types: tuple[str, ...]) -> Json:
    if not types or _fits(value, types):
        return value
    if isinstance(value, str):
        read = _read(value.strip(), types)
        if read is not None:
            return read
    if isinstance(value, float) and value.is_integer() and "integer" in types:
        return int(value)
    if isinstance(value, bool | int) and types == ("boolean",) and value in (0, 1):
        return bool(value)
    raise ModelAnswerError("wrong_type", f"{name}: {type(value).__name__} where {' or '.join(types)} is declared")


def _fits(value: Json, types: tuple[str, ...]) -> bool:
    if isinstance(value, bool):
        return "boolean" in types
    if isinstance(value, int):
        return "integer" in types or "number" in types
    if isinstance(value, float):
        return "number" in types
    kind = (
        "null"
        if value is None
        else "string"
        if isinstance(value, str)
        else "object"
        if isinstance(value, Mapping)
        else "array"
    )
    return kind in types


def _read(text: str, types: tuple[str, ...]) -> Json:
    """Return text as the declared number or boolean; None when it is none."""
    if "integer" in types and _INTEGER.fullmatch(text):
        return int(text)
    if "number" in types and _NUMBER.fullmatch(text):
        return float(text)
    if "boolean" in types and text.lower() in ("true", "false"):
        return text.lower() == "true"
    return None
