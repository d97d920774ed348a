"""body values and lists -> how they go on the wire: JSON, a form, or the one value that is the whole body."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast
from urllib.parse import urlencode

from edge.ids import Json
from edge.specs.model import Parameter, Tool

FORM = "application/x-www-form-urlencoded"


def typed(parameter: Parameter | None, value: str) -> Json:
    """Return a body value in its JSON type; a text that does not fit stays a text for the platform to judge."""
    kind = parameter.type if parameter else "string"
    if kind == "array" and not value.lstrip().startswith("["):
        return list(pieces(value))
    if kind == "string":
        return value
    try:
        parsed: Json = json.loads(value)
    except ValueError:
        return value
    return parsed


def pieces(value: str) -> tuple[str, ...]:
    """Return the elements of a list written as JSON or with commas: '["a","b"]' and "a, b" give ("a", "b")."""
    if value.lstrip().startswith("["):
        try:
            parsed: object = json.loads(value)
        except ValueError:
            parsed = None
        if isinstance(parsed, list):
            return tuple(map(_text, cast("list[object]", parsed)))
    return tuple(piece.strip() for piece in value.split(",") if piece.strip())


def encoded(tool: Tool, values: Mapping[str, Json], headers: dict[str, str]) -> bytes | None:
    """Return the body of a request, None where there is none, and say in `headers` what it is.

    A form is sent where the tool's headers say so; a value of style "whole" is the body itself; else all is one object.
    """
    if tool.method.upper() == "GET" or not values:
        return None
    if headers.get("Content-Type", "").partition(";")[0].strip().lower() == FORM:
        return urlencode([pair for name, value in values.items() for pair in _pairs(tool, name, value)]).encode()
    headers.setdefault("Content-Type", "application/json")
    whole = next((p.name for p in tool.parameters if p.style == "whole" and p.name in values), None)
    return json.dumps(dict(values) if whole is None else values[whole], ensure_ascii=False).encode()


def _pairs(tool: Tool, name: str, value: Json) -> list[tuple[str, str]]:
    parameter = tool.parameter(name)
    if not isinstance(value, list):
        return [(name, _text(value))]
    if parameter is not None and parameter.style == "repeated":
        return [(name, _text(item)) for item in value]
    return [(name, ",".join(map(_text, value)))]


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
