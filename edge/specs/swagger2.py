"""a Swagger 2.0 document, as the Korean portal publishes them -> tools."""

from __future__ import annotations

from collections.abc import Sequence

from edge.specs.building import ParameterDraft, Reading
from edge.specs.catalogue_words import says_yes
from edge.specs.dialects import Answer, Body, answers
from edge.specs.documents import Document, list_of, mapping_of, text_of
from edge.specs.drafts import body_drafts, parameter_draft
from edge.specs.operations import read_operations
from edge.specs.plain import Plain
from edge.specs.profiles import Facts, ProfileBook
from edge.specs.refs import Source
from edge.specs.urls import Base, base_of


def read_swagger2(document: Document, book: ProfileBook, spec_file: str, beside: Facts | None = None) -> Reading:
    """Return the tools of a Swagger 2.0 document. `beside` is the profile lying in its folder."""
    return read_operations(document, book, spec_file, beside, _Swagger2())


class _Swagger2:
    """How Swagger 2.0 says things."""

    def bases(self, root: dict[str, Plain], item: dict[str, Plain], operation: dict[str, Plain]) -> list[Base]:
        """Return host, basePath and scheme; an operation may have schemes of its own."""
        schemes = list_of(operation.get("schemes")) or list_of(root.get("schemes"))
        return [base_of(text_of(root.get("host")), text_of(root.get("basePath")), tuple(map(text_of, schemes)))]

    def parameters(self, source: Source, raw: list[tuple[Plain, str]]) -> list[ParameterDraft]:
        """Return the parameters but for the body."""
        stated = ((source.resolve(node, where), where) for node, where in raw)
        return [
            parameter_draft(source, parameter, parameter, where)
            for parameter, where in stated
            if text_of(parameter.get("in")) != "body"
        ]

    def body(self, source: Source, operation: dict[str, Plain], raw: list[tuple[Plain, str]], at: str) -> Body:
        """Return the fields of the body parameter, and the form in which bodies are sent."""
        consumes = [text_of(media) for media in list_of(operation.get("consumes") or source.root.get("consumes"))]
        for node, where in raw:
            parameter = source.resolve(node, where)
            if text_of(parameter.get("in")) == "body":
                required = says_yes(parameter.get("required")) is True
                media = next((name for name in consumes if "json" in name), next(iter(consumes), ""))
                return Body(body_drafts(source, parameter.get("schema"), required, f"{where}/schema"), media)
        forms = [name for name in consumes if "form" in name]
        in_form = any(text_of(source.resolve(node, where).get("in")) == "formData" for node, where in raw)
        return Body([], (forms[0] if forms else "application/x-www-form-urlencoded") if in_form else "")

    def answer(self, source: Source, operation: dict[str, Plain], at: str, success: Sequence[str]) -> Answer | None:
        """Return the schema of the answer that means success, else of the first that has one."""
        produces = [text_of(media) for media in list_of(operation.get("produces") or source.root.get("produces"))]
        xml = bool(produces) and all("xml" in media for media in produces)
        for key, response in answers(source, operation, at, success):
            schema = response.get("schema")
            if schema:
                return Answer(schema, f"{at}/responses/{key}/schema", xml)
        return None

    def schemes(self, root: dict[str, Plain]) -> dict[str, Plain]:
        """Return `securityDefinitions`."""
        return mapping_of(root.get("securityDefinitions"))
