"""an OpenAPI 3.x document -> tools."""

from __future__ import annotations

import re

from edge.specs.building import ParameterDraft, Reading
from edge.specs.documents import Document, is_true, list_of, mapping_of, resolve, text_of
from edge.specs.operations import read_operations
from edge.specs.plain import Plain
from edge.specs.profiles import Facts, ProfileBook
from edge.specs.swagger2 import body_fields, parameter_draft, responses
from edge.specs.urls import Base, base_of

_FORMS = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data")


def read_openapi3(document: Document, book: ProfileBook, spec_file: str, beside: Facts | None = None) -> Reading:
    """Return the tools of an OpenAPI 3.x document. `beside` is the profile lying in its folder."""
    return read_operations(document, book, spec_file, beside, _OpenApi3())


class _OpenApi3:
    """How OpenAPI 3.x says things."""

    def base(self, root: dict[str, Plain], operation: dict[str, Plain]) -> Base:
        """Return the first server of the operation, else of the document, its variables at their defaults."""
        servers = list_of(operation.get("servers")) or list_of(root.get("servers"))
        server = mapping_of(servers[0]) if servers else {}
        variables = mapping_of(server.get("variables"))
        url = re.sub(
            r"\{([^{}]+)\}",
            lambda found: text_of(mapping_of(variables.get(found.group(1))).get("default")),
            text_of(server.get("url")),
        )
        return base_of("", url) if url.startswith("/") else base_of(url)

    def parameters(self, root: dict[str, Plain], raw: list[tuple[Plain, str]], at: str) -> list[ParameterDraft]:
        """Return the parameters; an optional cookie is left out."""
        drafts: list[ParameterDraft] = []
        for node, where in raw:
            parameter = resolve(root, node, where)
            if text_of(parameter.get("in")) == "cookie" and not is_true(parameter.get("required")):
                continue
            content = mapping_of(parameter.get("content"))
            media = mapping_of(next(iter(content.values()), None))
            schema = resolve(root, parameter.get("schema") or media.get("schema"), f"{where}/schema")
            drafts.append(parameter_draft(root, parameter, _plainest(root, schema, where), where))
        return drafts

    def body(self, root: dict[str, Plain], operation: dict[str, Plain], at: str) -> list[ParameterDraft]:
        """Return the top-level fields of the request body."""
        if "requestBody" not in operation:
            return []
        body = resolve(root, operation["requestBody"], f"{at}/requestBody")
        content = mapping_of(body.get("content"))
        media = next((name for name in _FORMS if name in content), next(iter(content), ""))
        schema = mapping_of(content.get(media)).get("schema")
        return body_fields(root, schema, f"{at}/requestBody/content/{media.replace('/', '~1')}/schema")

    def response(self, root: dict[str, Plain], operation: dict[str, Plain], at: str) -> tuple[Plain, str]:
        """Return the schema of the first successful answer that has one, JSON before other forms."""
        for key, response, where in responses(root, operation, at):
            content = mapping_of(response.get("content"))
            for media in sorted(content, key=lambda name: "json" not in name):
                schema = mapping_of(content[media]).get("schema")
                if schema:
                    return schema, f"{where}/responses/{key}/content/{media.replace('/', '~1')}/schema"
        return None, ""

    def schemes(self, root: dict[str, Plain]) -> dict[str, Plain]:
        """Return `components.securitySchemes`."""
        return mapping_of(mapping_of(root.get("components")).get("securitySchemes"))


def _plainest(root: dict[str, Plain], schema: dict[str, Plain], where: str) -> dict[str, Plain]:
    """Return a parameter's schema with its parts laid together: all of allOf, the first of oneOf or anyOf."""
    merged = dict(schema)
    choices = [*list_of(schema.get("oneOf")), *list_of(schema.get("anyOf"))]
    real = [choice for choice in choices if text_of(mapping_of(choice).get("type")) != "null"]
    for part in (*list_of(schema.get("allOf")), *real[:1]):
        merged = {**resolve(root, part, f"{where}/schema"), **merged}
    return merged
