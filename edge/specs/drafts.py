"""a documented parameter, form field or body -> drafts of parameters, each with the schema of what it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from edge.specs.building import ParameterDraft, Refused
from edge.specs.catalogue_words import says_yes
from edge.specs.documents import list_of, mapping_of, text_of
from edge.specs.inline import is_read_only, json_schema, plain_type
from edge.specs.model import EnumValue, Location
from edge.specs.nodes import decided, examples_of, label_of, prose_of, unknown_type, values_of
from edge.specs.plain import Plain
from edge.specs.refs import Source
from edge.specs.typing import Evidence

LOCATIONS: dict[str, Location] = {"query": "query", "path": "path", "header": "header", "formData": "body"}
BODY = "body"  # what the one parameter of a body without fields is called
_LONGEST_DEFAULT = 500
_MAX_PARAMETERS = 1_000


def check_number(parameters: int) -> None:
    """Refuse an operation with more parameters than any real one has.

    Raises:
        Refused: there are too many.
    """
    if parameters > _MAX_PARAMETERS:
        raise Refused("too_many_parameters", f"{parameters} parameters, more than the {_MAX_PARAMETERS} that are read")


def parameter_draft(source: Source, parameter: dict[str, Plain], schema: Plain, where: str) -> ParameterDraft:
    """Return one parameter; `schema` is where its type stands (itself in Swagger 2.0).

    Raises:
        Refused: it has no name or stands where the gateway cannot put it.
        Unresolved: its schema refers to nothing.
    """
    name = text_of(parameter.get("name"))
    place = text_of(parameter.get("in"))
    if not name:
        raise Refused("invalid_parameter", f"{where}: parameter without a name")
    if place not in LOCATIONS:
        raise Refused("unsupported_parameter", f"{where}: parameter {name!r} is in {place or 'nowhere'!r}")
    required = says_yes(parameter.get("required"))
    draft = draft_of(source, name, parameter, schema, LOCATIONS[place], required, where)
    if text_of(parameter.get("type")) == "file" and place != "formData":
        draft = replace(draft, unread=f"a file cannot stand in the {place}; text is sent")
    return replace(draft, style="repeated") if draft.evidence.type == "array" and _repeats(parameter, place) else draft


def _repeats(parameter: Mapping[str, Plain], place: str) -> bool:
    """Whether a list is sent with its name before every element: what OpenAPI 3 does unless told otherwise."""
    if "schema" not in parameter:
        return text_of(parameter.get("collectionFormat")) == "multi"
    usual = text_of(parameter.get("style")) in ("", "form") and text_of(parameter.get("explode")) != "false"
    return usual and place == "query"


def draft_of(
    source: Source,
    name: str,
    stated: Mapping[str, Plain],
    schema: Plain,
    location: Location,
    required: bool | None,
    at: str,
) -> ParameterDraft:
    """Return the draft of one value that is sent; what `stated` says of it stands before its schema's words."""
    flat = decided(source, source.flat(schema, at), at)
    array = plain_type(source, flat, at) == "array"
    element = _element(source, flat, at) if array else flat
    text = prose_of(stated) or prose_of(flat)
    examples = tuple(dict.fromkeys((*examples_of(stated), *examples_of(flat))))
    default = text_of(flat.get("default"))
    evidence = Evidence(
        name=name,
        label=label_of(stated) or label_of(flat) or name,
        description=text,
        examples=examples,
        type=plain_type(source, flat, at),
        stated_format=text_of(element.get("format")) or None,
        enum=_enum(flat, element, text),
        default=default if 0 < len(default) <= _LONGEST_DEFAULT else None,
        required=required,
    )
    word = unknown_type(flat) or unknown_type(element)
    unread = f"type {word!r} is not known; {evidence.type or 'string'} is taken" if word else ""
    return ParameterDraft(evidence, location, schema=json_schema(source, schema, at), unread=unread)


def _element(source: Source, flat: dict[str, Plain], at: str) -> dict[str, Plain]:
    return decided(source, source.flat(mapping_of(flat.get("items")), f"{at}/items"), at)


def _enum(flat: Mapping[str, Plain], element: Mapping[str, Plain], text: str) -> tuple[EnumValue, ...]:
    return values_of(flat, text) or values_of(element, text)


def body_drafts(source: Source, schema: Plain, required: bool, at: str) -> list[ParameterDraft]:
    """Return the top-level fields of a body as parameters; a body that is no object is one parameter.

    Raises:
        Unresolved: its schema refers to nothing.
    """
    flat = decided(source, source.flat(schema, at), at)
    fields = source.members(flat, at)
    check_number(len(fields))
    if not fields:
        return [replace(draft_of(source, BODY, {}, schema, "body", required, at), style="whole")]
    needed = {text_of(name) for name in list_of(flat.get("required"))} if required else set[str]()
    return [
        draft_of(source, name, {}, child, "body", name in needed, f"{at}/properties/{name}")
        for name, child in fields.items()
        if not is_read_only(child)
    ]
