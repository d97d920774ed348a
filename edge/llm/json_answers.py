"""Text of an answer -> validated value: JSON found in spite of fences, prose, byte-order marks and stray examples."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from pydantic import ValidationError

from edge.errors import ModelAnswerError
from edge.ids import Json, canonical_json
from edge.llm.protocol import T

_MOST_CANDIDATES = 64  # an answer with more JSON openings than this is not an answer
EXCERPT = 300


def read_answer(text: str, schema: type[T]) -> T:
    """Return the one JSON value in `text` that validates.

    Raises:
        ModelAnswerError: `empty`, `unparsable` (no JSON in it), `schema` (none validates) or `ambiguous` (two different
            ones do).
    """
    if not text.strip():
        raise ModelAnswerError("empty")
    valid: dict[str, T] = {}
    complaint = ""
    for candidate in candidates(text):
        try:
            value = schema.model_validate_json(json.dumps(candidate, ensure_ascii=False))
        except ValidationError as error:
            complaint = complaint or complaints(error)
        else:
            valid[canonical_json(value.model_dump(mode="json"))] = value
    if len(valid) > 1:
        raise ModelAnswerError("ambiguous", f"{len(valid)} different answers validate: {excerpt(text)}")
    if not valid:
        raise ModelAnswerError("schema", complaint) if complaint else ModelAnswerError("unparsable", excerpt(text))
    return next(iter(valid.values()))


def candidates(text: str) -> Iterator[Json]:
    """Yield the JSON objects and arrays in a text, outermost first; the whole text alone where it is JSON.

    What a model thought aloud before its answer (up to the last `</think>`) is no part of it.
    """
    body = text.replace("\ufeff", "").rpartition("</think>")[2].strip()
    try:
        yield _decoded(body)
        return
    except ValueError:
        pass
    decoder = json.JSONDecoder(parse_constant=_refused)
    position, found = 0, 0
    while found < _MOST_CANDIDATES:
        starts = [at for at in (body.find("{", position), body.find("[", position)) if at >= 0]
        if not starts:
            return
        found += 1
        position = min(starts)
        try:
            value, position = cast("tuple[Json, int]", decoder.raw_decode(body, position))
            yield value
        except (ValueError, RecursionError):
            position += 1


def complaints(error: ValidationError, limit: int = 5) -> str:
    """Return what is wrong in the words that a re-ask gives back: path and message, without the input."""
    lines: list[str] = []
    for item in error.errors(include_url=False, include_input=False, include_context=False)[:limit]:
        lines.append(f"{'.'.join(str(part) for part in item['loc']) or '(root)'}: {item['msg']}")
    return "; ".join(lines)


def excerpt(text: str) -> str:
    """Return the beginning of a text on one line, for a reject row."""
    line = " ".join(text.split())
    return line if len(line) <= EXCERPT else line[:EXCERPT] + "…"


@dataclass(frozen=True, slots=True)
class Arguments:
    """Decoded arguments of a call; `notes` say what had to be repaired."""

    values: dict[str, Json]
    notes: tuple[str, ...] = ()


def decode_arguments(raw: object, *, required: bool) -> Arguments:
    """Return the arguments of a tool call that arrive as an object, as JSON text, or as JSON text in JSON text.

    `required`: the tool has a required parameter, so that no arguments at all are an error.

    Raises:
        ModelAnswerError: `truncated` when the text breaks off, `malformed_arguments` otherwise.
    """
    notes: list[str] = []
    value: object = raw
    for depth in range(3):
        if not isinstance(value, str):
            break
        if depth:
            notes.append("arguments were JSON text inside JSON text")
        value, stray = _decode_text(value)
        if stray:
            notes.append(f"stray text after the arguments: {stray}")
    if value is None and not required:
        return Arguments({}, (*notes, "null read as no arguments"))
    if not isinstance(value, dict):
        raise ModelAnswerError("malformed_arguments", f"{type(value).__name__} where an object belongs")
    return Arguments(cast("dict[str, Json]", value), tuple(notes))


def _decode_text(text: str) -> tuple[object, str]:
    body = text.replace("\ufeff", "").strip()
    try:
        value, end = cast("tuple[object, int]", json.JSONDecoder(parse_constant=_refused).raw_decode(body))
    except (ValueError, RecursionError) as error:
        broken = body.startswith(("{", "[", '"')) and not body.endswith(("}", "]", '"'))
        raise ModelAnswerError("truncated" if broken else "malformed_arguments", excerpt(body)) from error
    rest = body[end:].strip()
    if rest.strip("\"'` "):
        raise ModelAnswerError("malformed_arguments", f"text after the arguments: {excerpt(rest)}")
    return value, rest


def _decoded(text: str) -> Json:
    try:
        return cast("Json", json.loads(text, parse_constant=_refused))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _refused(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def as_mapping(value: object) -> dict[str, Any]:
    """Return a JSON object as a dictionary, an empty one for anything else: for reading foreign documents."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
