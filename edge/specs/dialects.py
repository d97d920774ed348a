"""an operation as Swagger 2.0 or OpenAPI 3.x spells it -> its place, parameters, body and answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from edge.specs.building import ParameterDraft
from edge.specs.documents import mapping_of
from edge.specs.plain import Plain
from edge.specs.refs import Source
from edge.specs.urls import Base

_ERROR_STATUS = re.compile(r"[345](?:\d\d|XX)", re.IGNORECASE)
_OK_STATUS = re.compile(r"2(?:\d\d|XX)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answer:
    """The schema of what an operation answers, its JSON pointer, and whether it describes XML."""

    schema: Plain
    at: str
    xml: bool


@dataclass(frozen=True, slots=True)
class Body:
    """The parameters that go into the request body, and the media type it is sent in ("" where there is none)."""

    drafts: list[ParameterDraft]
    media: str


class Dialect(Protocol):
    """What differs between Swagger 2.0 and OpenAPI 3.x. `raw` are parameters, each with its JSON pointer."""

    def bases(self, root: dict[str, Plain], item: dict[str, Plain], operation: dict[str, Plain]) -> list[Base]:
        """Return where an operation lives: at least one place, the document's favourite first."""
        ...

    def parameters(self, source: Source, raw: list[tuple[Plain, str]]) -> list[ParameterDraft]:
        """Return the parameters of an operation, without its body."""
        ...

    def body(self, source: Source, operation: dict[str, Plain], raw: list[tuple[Plain, str]], at: str) -> Body:
        """Return what goes into the request body."""
        ...

    def answer(self, source: Source, operation: dict[str, Plain], at: str, success: Sequence[str]) -> Answer | None:
        """Return the schema of a successful answer; `success` are the platform's own codes of success."""
        ...

    def schemes(self, root: dict[str, Plain]) -> dict[str, Plain]:
        """Return the declared security schemes."""
        ...


def answers(
    source: Source, operation: dict[str, Plain], at: str, success: Sequence[str]
) -> Iterator[tuple[str, dict[str, Plain]]]:
    """Yield the answers that may hold records, by their keys: success first, errors of HTTP never.

    Portals key answers by their own result codes, or by nothing. "default" describes an error where a success is given.
    """
    given = mapping_of(operation.get("responses"))
    fine = sorted(key for key in given if _OK_STATUS.fullmatch(key))
    own = [key for key in (*success, "") if key in given and key not in fine]
    rest = [key for key in given if key not in (*fine, *own) and not _ERROR_STATUS.fullmatch(key)]
    for key in (*fine, *own, *(key for key in rest if key != "default" or not fine)):
        yield key, source.resolve(given[key], f"{at}/responses/{key}")
