"""drafts of parameters and outputs -> the parts of a Tool: what is offered, what the gateway fills, what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from edge.errors import SpecError
from edge.specs.model import Location, OutputField, Parameter, Profile, Style, Tool
from edge.specs.names import Identity
from edge.specs.typing import Evidence, infer
from edge.specs.urls import placeholders


@dataclass(frozen=True, slots=True)
class Skip:
    """What was not compiled. `operation` is "" for a whole file; `reason` is a short code, `detail` one line."""

    file: str
    operation: str
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Notice:
    """What a reader had to assume or change; the operation compiled. `kind` is a short code, `detail` one line."""

    file: str
    operation: str
    kind: str
    detail: str


@dataclass(slots=True)
class Reading:
    """What one document gave: tools without their final names, skips and notices."""

    tools: list[Tool] = field(default_factory=list[Tool])
    skipped: list[Skip] = field(default_factory=list[Skip])
    notices: list[Notice] = field(default_factory=list[Notice])


class Refused(SpecError):
    """One operation cannot be compiled; `reason` is the short code of its skip."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class ParameterDraft:
    """A parameter as a document states it."""

    evidence: Evidence
    location: Location | None = None
    filled_by: Literal["model", "server"] | None = None
    phrase: str | None = None
    schema: str | None = None
    style: Style = "joined"
    unread: str = ""  # what the document says of it that nobody understands


def build_parameters(
    drafts: Sequence[ParameterDraft], url: str, profile: Profile, hidden: frozenset[str]
) -> tuple[Parameter, ...]:
    """Return the parameters of an operation in the order given.

    Raises:
        Refused: two parameters share a name, or a {placeholder} of the URL is filled by nothing.
    """
    places = placeholders(url)
    parameters = tuple(_parameter(draft, places, hidden) for draft in drafts)
    names = [parameter.name for parameter in parameters]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise Refused("duplicate_parameter", f"parameter {twice[0]!r} is declared twice")
    filled = {*names, *hidden, *_filled_by_gateway(profile)}
    empty = [place for place in places if place not in filled]
    if empty:
        raise Refused("undeclared_placeholder", f"nothing fills {{{empty[0]}}} in {url}; declare it as a parameter")
    return parameters


def _filled_by_gateway(profile: Profile) -> set[str]:
    paging = {profile.paging.page, profile.paging.size} if profile.paging else set[str]()
    # A key in the path is written {KEY} whatever its variable is called.
    auth = {profile.auth.parameter, "KEY"} if profile.auth else set[str]()
    return paging | auth | set(profile.fixed)


def _parameter(draft: ParameterDraft, places: tuple[str, ...], hidden: frozenset[str]) -> Parameter:
    stated = draft.evidence
    location: Location = draft.location or ("path" if stated.name in places else "query")
    typed = infer(stated, output=False, exact=location == "body")
    return Parameter(
        name=stated.name,
        label=stated.label or stated.name,
        description=stated.description,
        type=typed.type,
        required=typed.required or (location == "path" and stated.required is None),
        location=location,
        kind=typed.kind,
        format=typed.format,
        default=typed.default,
        enum=typed.enum,
        examples=typed.examples,
        filled_by=draft.filled_by or ("server" if stated.name in hidden else "model"),
        phrase=draft.phrase,
        schema=draft.schema,
        style=draft.style,
    )


def build_output(stated: Evidence) -> OutputField:
    """Return an output field; `stated.name` is its path."""
    typed = infer(stated, output=True)
    return OutputField(
        path=stated.name,
        label=stated.label or stated.name,
        type=typed.type,
        kind=typed.kind,
        format=typed.format,
        unit=typed.unit,
        repeats="[]" in stated.name,
        private=typed.private,
        values=typed.enum,
    )


def operation_of(tool: Tool) -> str:
    """Return the operation part of a tool's key: "hospInfoServicev2.getHospBasisList" gives "getHospBasisList"."""
    for prefix in (tool.service, tool.platform):
        if prefix and tool.operation_key.startswith(f"{prefix}."):
            return tool.operation_key.removeprefix(f"{prefix}.")
    return tool.operation_key


def identity_of(tool: Tool) -> Identity:
    """Return what a tool is named by."""
    return Identity(tool.platform, tool.service, operation_of(tool), tool.method, tool.url)


def renamed(tool: Tool, name: str) -> Tool:
    """Return `tool` under its final name."""
    return replace(tool, tool_id=name)
