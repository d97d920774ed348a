"""a Swagger 2.0 document, as the Korean portal publishes them -> tools."""

from __future__ import annotations

from edge.specs.building import ParameterDraft, Reading, Refused
from edge.specs.documents import (
    Document,
    first_text,
    is_true,
    list_of,
    mapping_of,
    resolve,
    text_of,
)
from edge.specs.model import EnumValue, Location
from edge.specs.operations import read_operations
from edge.specs.plain import Plain
from edge.specs.profiles import Facts, ProfileBook
from edge.specs.shapes import examples_of, label_of, read_schema, type_of
from edge.specs.typing import Evidence
from edge.specs.urls import Base, base_of

LOCATIONS: dict[str, Location] = {"query": "query", "path": "path", "header": "header", "formData": "body"}
# The portal keys answers by its own result codes; what means success is tried first.
_SUCCESS = ("200", "201", "2XX", "default", "00", "0", "")


def read_swagger2(document: Document, book: ProfileBook, spec_file: str, beside: Facts | None = None) -> Reading:
    """Return the tools of a Swagger 2.0 document. `beside` is the profile lying in its folder."""
    return read_operations(document, book, spec_file, beside, _Swagger2())


class _Swagger2:
    """How Swagger 2.0 says things."""

    def base(self, root: dict[str, Plain], operation: dict[str, Plain]) -> Base:
        """Return host, basePath and scheme; an operation may have schemes of its own."""
        schemes = list_of(operation.get("schemes")) or list_of(root.get("schemes"))
        return base_of(text_of(root.get("host")), text_of(root.get("basePath")), tuple(map(text_of, schemes)))

    def parameters(self, root: dict[str, Plain], raw: list[tuple[Plain, str]], at: str) -> list[ParameterDraft]:
        """Return the parameters; those of a body schema one by one."""
        drafts: list[ParameterDraft] = []
        for node, where in raw:
            parameter = resolve(root, node, where)
            if text_of(parameter.get("in")) == "body":
                drafts += body_fields(root, parameter.get("schema"), f"{where}/schema")
            else:
                drafts.append(parameter_draft(root, parameter, parameter, where))
        return drafts

    def body(self, root: dict[str, Plain], operation: dict[str, Plain], at: str) -> list[ParameterDraft]:
        """Return nothing: a body is a parameter here."""
        return []

    def response(self, root: dict[str, Plain], operation: dict[str, Plain], at: str) -> tuple[Plain, str]:
        """Return the schema of the answer that means success, else the first that has one."""
        for key, response, where in responses(root, operation, at):
            schema = response.get("schema")
            if schema:
                return schema, f"{where}/responses/{key}/schema"
        return None, ""

    def schemes(self, root: dict[str, Plain]) -> dict[str, Plain]:
        """Return `securityDefinitions`."""
        return mapping_of(root.get("securityDefinitions"))


def responses(
    root: dict[str, Plain], operation: dict[str, Plain], at: str
) -> list[tuple[str, dict[str, Plain], str]]:
    """Return the answers of an operation, success first, each with its key and the pointer of the operation."""
    answers = mapping_of(operation.get("responses"))
    order = [key for key in _SUCCESS if key in answers]
    order += [key for key in answers if key not in order]
    return [(key, resolve(root, answers[key], f"{at}/responses/{key}"), at) for key in order]


def parameter_draft(
    root: dict[str, Plain], parameter: dict[str, Plain], schema: dict[str, Plain], where: str
) -> ParameterDraft:
    """Return one parameter; `schema` is where its type stands (itself in Swagger 2.0).

    Raises:
        Refused: it has no name or stands where the gateway cannot put it.
    """
    name = text_of(parameter.get("name"))
    place = text_of(parameter.get("in"))
    if not name:
        raise Refused("invalid_parameter", f"{where}: parameter without a name")
    if place not in LOCATIONS:
        raise Refused("unsupported_parameter", f"{where}: parameter {name!r} is in {place or 'nowhere'!r}")
    array = mapping_of(schema.get("items"))
    values = list_of(schema.get("enum")) or list_of(array.get("enum"))
    evidence = Evidence(
        name=name,
        label=label_of(parameter) or name,
        description=first_text(parameter, ("description",)) or text_of(schema.get("description")),
        examples=tuple(dict.fromkeys((*examples_of(parameter), *examples_of(schema)))),
        type=type_of(schema),
        enum=tuple(EnumValue(text, text) for text in dict.fromkeys(map(text_of, values)) if text),
        default=text_of(schema.get("default")) or None,
        required=is_true(parameter["required"]) if "required" in parameter else None,
    )
    return ParameterDraft(evidence, LOCATIONS[place])


def body_fields(root: dict[str, Plain], schema: Plain, at: str) -> list[ParameterDraft]:
    """Return the top-level fields of a body schema as parameters."""
    resolved = resolve(root, schema, at)
    required = {text_of(name) for name in list_of(resolved.get("required"))}
    drafts: list[ParameterDraft] = []
    for name, node in read_schema(root, schema, at).children.items():
        evidence = Evidence(
            name=name,
            label=node.label or name,
            description=node.description,
            examples=node.examples,
            type="array" if node.repeats else node.type,
            enum=tuple(EnumValue(value, value) for value in node.values),
            required=name in required,
        )
        drafts.append(ParameterDraft(evidence, "body"))
    return drafts
