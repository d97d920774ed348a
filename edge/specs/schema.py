"""Tool -> the function schema that models are offered."""

from __future__ import annotations

import json
from typing import cast

from edge.ids import Json
from edge.specs.model import JsonType, Parameter, Tool
from edge.specs.typing import fits

_MAX_DESCRIPTION = 1024  # what providers of models accept for a function
_MAX_LISTED = 40  # labels beyond that would drown the description
_SCALARS = ("integer", "number", "boolean")
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_LIMITS = {"string": ("minLength", "maxLength", "pattern"), "integer": _BOUNDS, "number": _BOUNDS}
_ISO = "%Y-%m-%d"
_DATE_WORDS = {
    "%Y": "YYYY",
    "%m": "MM",
    "%d": "DD",
    "%H": "HH",
    "%M": "MM",
    "%S": "SS",
    "%y": "YY",
    "%f": "ffffff",
}
_OTHER_FORMS = {
    "epoch_s": "1970년부터 센 초",
    "epoch_ms": "1970년부터 센 밀리초",
    "province": "시도 이름",
    "district": "시군구 이름",
    "town": "읍면동 이름",
}


def function_schema(tool: Tool) -> dict[str, Json]:
    """Return the OpenAI function tool of `tool`: only what a model may fill, described in Korean.

    Shape: {"type": "function", "function": {"name", "description", "parameters"}}, `parameters` being a valid JSON
    Schema of an object without additional properties.
    """
    properties: dict[str, Json] = {parameter.name: _property(parameter) for parameter in tool.offered}
    parameters: dict[str, Json] = {
        "type": "object",
        "properties": properties,
        "required": [parameter.name for parameter in tool.required],
        "additionalProperties": False,
    }
    # A title that is but the tool's own name says nothing that the description of an MCP tool does not.
    named = tool.title in tool.description or (" " not in tool.title and tool.title in tool.operation_key)
    description = tool.description if named and tool.description else f"{tool.title}. {tool.description}"
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": description[:_MAX_DESCRIPTION],
            "parameters": parameters,
        },
    }


def offered_type(parameter: Parameter) -> JsonType:
    """Return the type in which models give a parameter: listed values are text (01, Y), but for numbers in a body."""
    exact = parameter.location == "body" and all(fits(value.value, parameter.type) for value in parameter.enum)
    return parameter.type if exact or not parameter.enum else "string"


def json_value(text: str, kind: JsonType) -> Json:
    """Return what a text means in a JSON type; what would not be the same (leading zeros, commas) stays text."""
    return json.loads(text) if kind in _SCALARS and fits(text, kind) else text


def _property(parameter: Parameter) -> dict[str, Json]:
    stated = cast("dict[str, Json]", json.loads(parameter.schema)) if parameter.schema else {}
    if stated.get("type") in ("array", "object"):  # an enumeration of elements stands in it, too
        return {**stated, "description": _describe(parameter)}
    kind = offered_type(parameter)
    schema: dict[str, Json] = {"type": kind, "description": _describe(parameter)}
    if kind == "array":
        schema["items"] = {"type": "string"}
    elif parameter.enum:
        schema["enum"] = list(dict.fromkeys(json_value(value.value, kind) for value in parameter.enum))
    else:
        schema |= _limits(stated, parameter.format or "", kind)
    if parameter.default is not None and kind not in ("array", "object") and fits(parameter.default, kind):
        default = json_value(parameter.default, kind)
        if "enum" not in schema or default in (json_value(value.value, kind) for value in parameter.enum):
            schema["default"] = default
    return schema


def _limits(stated: dict[str, Json], form: str, kind: JsonType) -> dict[str, Json]:
    """Return the stated limits that are limits of what is offered: text has no minimum, YYYYMMDD is no "date"."""
    keys, word = _LIMITS.get(kind, ()), stated.get("format")
    fitting = {key: value for key, value in stated.items() if key in keys}
    if stated.get("type") == kind != word and (word not in ("date", "date-time") or form.startswith(_ISO)):
        fitting["format"] = word
    return {key: value for key, value in fitting.items() if value is not None}


def _describe(parameter: Parameter) -> str:
    """Return label, explanation, form, meaning of values, example and default in one line."""
    described = " ".join(parameter.description.split())
    # A label may be the first words of the description.
    parts = [described] if described.startswith(parameter.label) else [parameter.label, described]
    lead, form = _form(parameter)
    if form and form not in " ".join(parts):
        parts.append(f"{lead}{form}")
    labelled = [f"{v.value}: {v.label}" for v in parameter.enum if v.label and v.label != v.value]
    if labelled and not all(value.label in parameter.description for value in parameter.enum):
        parts.append("; ".join(labelled[:_MAX_LISTED]))
    said = " ".join(parts)
    if not parameter.enum and not all(example in said for example in parameter.examples[:3]):
        parts.append(f"예: {', '.join(parameter.examples[:3])}")
    if parameter.default is not None:
        parts.append(f"기본값: {parameter.default}")
    return ". ".join(part.rstrip(". ") for part in parts if part)


def _form(parameter: Parameter) -> tuple[str, str]:
    """Return how a value is written, after a leading word: "YYYYMMDD", "8자리", the system of a coordinate."""
    form = parameter.format or ""
    if form in _OTHER_FORMS:
        return "", _OTHER_FORMS[form]
    if parameter.kind in ("longitude", "latitude", "projected_x", "projected_y"):
        return "좌표계 ", form
    if "%" not in form:
        return "형식 ", f"{form}자리" if form.isdecimal() else ""
    for directive, word in _DATE_WORDS.items():
        form = form.replace(directive, word)
    return "형식 ", form
