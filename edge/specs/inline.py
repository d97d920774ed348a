"""a schema of a document -> the same as JSON Schema 2020-12 text without references, small enough for a model."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import cast

from edge.ids import Json, canonical_json
from edge.specs.documents import list_of, mapping_of, text_of
from edge.specs.model import JsonType
from edge.specs.nodes import decided, is_nullable, prose_of, type_of
from edge.specs.plain import Plain
from edge.specs.refs import Source, variants

_DEPTHS = (8, 6, 4, 3, 2, 1)  # tried in turn: a schema too large for a model is cut at the same depth everywhere
_MAX_PARTS = 300
_MAX_TEXT = 300  # of a description
_MAX_PATTERN = 200
_MAX_VALUES = 200
_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
SCALAR_LIMITS = frozenset({*_NUMBERS, *_COUNTS[:2], "pattern", "format"})
_NULL: dict[str, Json] = {"type": "null"}


class _Full(Exception):
    """The schema has more parts than may be shown."""


def json_schema(source: Source, schema: Plain, at: str) -> str | None:
    """Return the schema of a value that is sent as canonical JSON text, None where its type says it all.

    Of an array or object that is the whole of it; of a scalar its type and limits ("minimum", "pattern", "format").

    Where a schema stands inside itself, and below what there is room for, anything goes ("{}"). Spellings of Swagger
    2.0 and OpenAPI 3.0 ("nullable", exclusiveMinimum as a flag) become those of JSON Schema; what a caller cannot
    send (readOnly) is left out; "oneOf" becomes "anyOf", because documents seldom keep alternatives apart.

    Raises:
        Unresolved: a reference leads nowhere.
        TooLarge: the schema's parts multiply.
    """
    return source.once("inline", schema, lambda: _json_schema(source, schema, at))


def _json_schema(source: Source, schema: Plain, at: str) -> str | None:
    flat = source.flat(schema, at)
    kind = plain_type(source, flat, at)
    if kind not in ("array", "object"):
        return _scalar(source, flat, at, kind)
    for depth in _DEPTHS[-2:] if source.tight else _DEPTHS:
        try:
            built = _Builder(source, depth).build(schema, at, ())
        except _Full:
            continue
        return canonical_json(_not_null(built, kind))
    return canonical_json({"type": kind})


def _scalar(source: Source, flat: dict[str, Plain], at: str, kind: JsonType | None) -> str | None:
    """Return type and limits of a scalar; where it may be several things, only the limits of all of them."""
    only = decided(source, flat, at) if len(list(variants(flat))) == 1 else flat
    limits = {key: value for key, value in _own_words(only).items() if key in SCALAR_LIMITS}
    return canonical_json({"type": kind or "string", **limits}) if limits else None


def plain_type(source: Source, flat: Mapping[str, Plain], at: str, depth: int = 0) -> JsonType | None:
    """Return the type of a flat schema, else that of its first alternative, else what its members imply."""
    stated = type_of(flat)
    if stated is None and "properties" in flat:
        return "object"
    if stated is None and "items" in flat:
        return "array"
    first = next(variants(flat), None)
    if stated is None and first is not None and depth < _DEPTHS[0]:
        return plain_type(source, source.flat(first[0], f"{at}/{first[1]}"), at, depth + 1)
    return stated


def _not_null(schema: dict[str, Json], kind: JsonType) -> dict[str, Json]:
    """Return the schema of an argument: one that may be null need not be given at all."""
    options = schema.get("anyOf")
    if isinstance(options, list):
        schema = {**schema, "anyOf": [option for option in options if option != _NULL]}
    return {**schema, "type": kind}


class _Builder:
    """Builds one schema to one depth."""

    def __init__(self, source: Source, depth: int) -> None:
        self._source = source
        self._depth = depth
        self._parts = 0

    def build(self, schema: Plain, at: str, inside: tuple[str, ...]) -> dict[str, Json]:
        """Return the JSON Schema of one place. `inside` are the references that lead here, "" for a level without."""
        reference = text_of(mapping_of(schema).get("$ref"))
        if len(inside) > self._depth or (reference and reference in inside):
            return {}
        self._parts += 1
        if self._parts > _MAX_PARTS:
            raise _Full
        flat = self._source.flat(schema, at)
        inside = (*inside, reference)
        built = _own_words(flat)
        options: list[Json] = [self.build(option, f"{at}/{place}", inside) for option, place in variants(flat)]
        if len(options) == 1:
            built = {**cast("dict[str, Json]", options[0]), **built}
        elif options:
            built["anyOf"] = options
        kind = type_of(flat) or ("object" if "properties" in flat else "array" if "items" in flat else None)
        if kind == "object" or "properties" in flat:
            self._take_members(built, flat, at, inside)
        if kind == "array":
            items = flat.get("items")
            built["items"] = self.build(items, f"{at}/items", inside) if isinstance(items, dict) else {"type": "string"}
        if kind:
            built["type"] = kind
        return _with_null(built) if is_nullable(flat) else built

    def _take_members(
        self, built: dict[str, Json], flat: Mapping[str, Plain], at: str, inside: tuple[str, ...]
    ) -> None:
        members: dict[str, Json] = {
            name: self.build(child, f"{at}/properties/{name}", inside)
            for name, child in self._source.members(flat, at).items()
            if not is_read_only(child)
        }
        if members:
            built["properties"] = members
        required = [name for name in dict.fromkeys(map(text_of, list_of(flat.get("required")))) if name in members]
        if required:
            built["required"] = required
        more = flat.get("additionalProperties")
        if isinstance(more, dict):
            built["additionalProperties"] = self.build(more, f"{at}/additionalProperties", inside)
        elif text_of(more) in ("true", "false"):
            built["additionalProperties"] = text_of(more) == "true"


def is_read_only(schema: Plain) -> bool:
    """Whether only the provider writes this field."""
    return text_of(mapping_of(schema).get("readOnly")) == "true"


def _with_null(built: dict[str, Json]) -> dict[str, Json]:
    """Return a schema that also allows null; an enumeration must list it, alternatives must have it among them."""
    kind, values, options = built.get("type"), built.get("enum"), built.get("anyOf")
    if isinstance(values, list) and None not in values:
        built["enum"] = [*values, None]
    if isinstance(options, list) and kind is None:
        built["anyOf"] = [*options, _NULL]
    return {**built, "type": [kind, "null"]} if isinstance(kind, str) and kind != "null" else built


def _own_words(flat: Mapping[str, Plain]) -> dict[str, Json]:
    """Return the keywords that need no other schema."""
    built: dict[str, Json] = {}
    kind = type_of(flat)
    description = prose_of(flat, ("description", "title"))
    if description:
        built["description"] = " ".join(description.split())[:_MAX_TEXT]
    stated = [flat["const"]] if "const" in flat else list_of(flat.get("enum"))
    scalars = (item for item in stated[:_MAX_VALUES] if not isinstance(item, list | dict))
    values: list[Json] = list(dict.fromkeys(_typed(item, kind) for item in scalars))
    if values:
        built["enum"] = values
    default = flat.get("default")
    if isinstance(default, str | bool) and len(str(default)) <= _MAX_TEXT:
        built["default"] = _typed(default, kind)
    for key in ("format", "pattern"):
        text = text_of(flat.get(key))
        if text and len(text) <= _MAX_PATTERN and (key == "format" or _is_regex(text)):
            built[key] = text
    built.update(_limits(flat))
    return built


def _limits(flat: Mapping[str, Plain]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for key in _NUMBERS:
        number = _number(text_of(flat.get(key)))
        if number is not None and (key != "multipleOf" or number > 0):
            found[key] = number
    for key in _COUNTS:
        number = _number(text_of(flat.get(key)))
        if isinstance(number, int) and number >= 0:
            found[key] = number
    # In Swagger 2.0 and OpenAPI 3.0 these are flags beside the bound.
    for key, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if text_of(flat.get(key)) == "true" and bound in found:
            found[key] = found.pop(bound)
    if text_of(flat.get("uniqueItems")) == "true":
        found["uniqueItems"] = True
    return found


def _typed(value: bool | str | None, kind: JsonType | None) -> bool | int | float | str | None:
    """Return a scalar in its JSON type: the reader keeps numbers, and YAML truth values too, as they were written."""
    if not isinstance(value, str):
        return value
    if kind == "boolean" and value in ("true", "false"):
        return value == "true"
    number = _number(value) if kind in ("integer", "number") else None
    return value if number is None else number


def _number(text: str) -> int | float | None:
    """Return a finite number; None for what is none, or is too long for one."""
    try:
        number = float(text) if 0 < len(text) <= 40 else math.nan
        return None if not math.isfinite(number) else int(text) if re.fullmatch(r"-?\d+", text) else number
    except ValueError:
        return None


def _is_regex(text: str) -> bool:
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError):
        return False
    return True
