"""an OpenAPI 3.x document -> tools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from edge.specs.building import Notice, ParameterDraft, Reading
from edge.specs.catalogue_words import says_yes
from edge.specs.dialects import Answer, Body, answers
from edge.specs.documents import Document, list_of, mapping_of, text_of
from edge.specs.drafts import body_drafts, draft_of, parameter_draft
from edge.specs.inline import plain_type
from edge.specs.nodes import decided
from edge.specs.operations import read_operations
from edge.specs.plain import Plain
from edge.specs.profiles import Facts, ProfileBook
from edge.specs.refs import Source, escape
from edge.specs.urls import Base, base_of_server

# Of several forms of a body the first of these is sent.
_FORMS = ("application/json", "json", "application/x-www-form-urlencoded", "multipart/form-data")
# OpenAPI has these described elsewhere: as media types and security schemes.
_NO_PARAMETERS = frozenset({"accept", "content-type"})


def read_openapi3(document: Document, book: ProfileBook, spec_file: str, beside: Facts | None = None) -> Reading:
    """Return the tools of an OpenAPI 3.x document. `beside` is the profile lying in its folder."""
    reading = read_operations(document, book, spec_file, beside, _OpenApi3())
    hooks = mapping_of(document.tree.get("webhooks"))
    if hooks:
        detail = f"{len(hooks)} webhooks are calls that the provider makes; no tools come of them"
        reading.notices.append(Notice(spec_file, "", "webhooks_ignored", detail))
    return reading


class _OpenApi3:
    """How OpenAPI 3.x says things."""

    def bases(self, root: dict[str, Plain], item: dict[str, Plain], operation: dict[str, Plain]) -> list[Base]:
        """Return the servers of the operation, else of the path, else of the document."""
        servers = list_of(next((node["servers"] for node in (operation, item, root) if node.get("servers")), None))
        own = text_of(root.get("$self"))
        found: list[Base] = []
        for server in map(mapping_of, servers or [{}]):
            variables = mapping_of(server.get("variables"))
            values = {name: _default(mapping_of(variable)) for name, variable in variables.items()}
            found.append(base_of_server(text_of(server.get("url")), values, own))
        return found

    def parameters(self, source: Source, raw: list[tuple[Plain, str]]) -> list[ParameterDraft]:
        """Return the parameters; an optional cookie is left out."""
        drafts: list[ParameterDraft] = []
        for node, where in raw:
            parameter = source.resolve(node, where)
            place, name = text_of(parameter.get("in")), text_of(parameter.get("name"))
            if place == "cookie" and not says_yes(parameter.get("required")):
                continue
            if place == "header" and name.casefold() in _NO_PARAMETERS:
                continue
            drafts += _drafts(source, parameter, where)
        return drafts

    def body(self, source: Source, operation: dict[str, Plain], raw: list[tuple[Plain, str]], at: str) -> Body:
        """Return the top-level fields of the request body and the form in which it is sent."""
        if "requestBody" not in operation:
            return Body([], "")
        at = f"{at}/requestBody"
        body = source.resolve(operation["requestBody"], at)
        content = mapping_of(body.get("content"))
        media = next((name for form in _FORMS for name in content if form in name.casefold()), next(iter(content), ""))
        if not media:
            return Body([], "")
        schema = mapping_of(content[media]).get("schema")
        where = f"{at}/content/{escape(media)}/schema"
        return Body(body_drafts(source, schema, says_yes(body.get("required")) is True, where), media)

    def answer(self, source: Source, operation: dict[str, Plain], at: str, success: Sequence[str]) -> Answer | None:
        """Return the schema of the first successful answer that has one, JSON before other forms."""
        for key, response in answers(source, operation, at, success):
            content = mapping_of(response.get("content"))
            for media in sorted(content, key=lambda name: "json" not in name):
                members = mapping_of(content[media])
                schema = members.get("schema") or members.get("itemSchema")
                if schema:
                    return Answer(schema, f"{at}/responses/{key}/content/{escape(media)}/schema", "xml" in media)
        return None

    def schemes(self, root: dict[str, Plain]) -> dict[str, Plain]:
        """Return `components.securitySchemes`."""
        return mapping_of(mapping_of(root.get("components")).get("securitySchemes"))


def _default(variable: dict[str, Plain]) -> str:
    """Return the default of a server variable, else the first value it may have."""
    return text_of(variable.get("default")) or next(map(text_of, list_of(variable.get("enum"))), "")


def _drafts(source: Source, parameter: dict[str, Plain], where: str) -> Iterator[ParameterDraft]:
    """Yield a parameter; an object in the query is sent member by member, so each member is one."""
    content = mapping_of(parameter.get("content"))
    media = mapping_of(next(iter(content.values()), None))
    schema = parameter.get("schema") or media.get("schema")
    draft = parameter_draft(source, parameter, schema, where)
    flat = decided(source, source.flat(schema, f"{where}/schema"), where) if draft.location == "query" else {}
    deep = text_of(parameter.get("style")) == "deepObject"
    apart = deep or text_of(parameter.get("explode")) != "false"
    members = mapping_of(flat.get("properties")) if not content and apart else {}
    if not members or plain_type(source, flat, where) != "object":
        yield draft
        return
    needed = {text_of(name) for name in list_of(flat.get("required"))} if draft.evidence.required else set[str]()
    for name, child in members.items():
        written = f"{draft.evidence.name}[{name}]" if deep else name
        yield draft_of(source, written, {}, child, "query", name in needed, f"{where}/schema/properties/{name}")
