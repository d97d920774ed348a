"""plain tree of a platform file -> checked blocks: where a mistake in specs/ becomes one clear line."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator

from edge.calls import OutcomeClass
from edge.errors import SpecError
from edge.specs.model import EnumValue, JsonType, Kind, Location, Style

_Model = TypeVar("_Model", bound="Block")
_SHOWN = 4  # mistakes of one block told at once


def _pairs(value: object) -> object:
    """Accept {"01": 상급종합병원} and [Y, N] alike."""
    if isinstance(value, list):
        return {item: item for item in value}  # pyright: ignore[reportUnknownVariableType]
    return value


Values = Annotated[dict[str, str], BeforeValidator(_pairs)]


class Block(BaseModel):
    """A mapping in a platform file: unknown keys are mistakes, not extensions."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _listed(value: object) -> object:
    """Accept one mapping for a list of one."""
    return [value] if isinstance(value, dict) else value  # pyright: ignore[reportUnknownVariableType]


Variable = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")]


class TokenBlock(Block):
    """`auth.token:`"""

    url: str = Field(pattern=r"^https?://")
    parameters: dict[str, Variable] = Field(min_length=1)
    value: str = Field(min_length=1)
    ttl_s: float = Field(default=3600.0, gt=0)


class AuthBlock(Block):
    """`auth:`, or one of its list."""

    parameter: str
    location: Location
    env: Variable | None = None
    prefix: str = ""
    token: TokenBlock | None = None

    @model_validator(mode="after")
    def _has_one_source(self) -> Self:
        if (self.env is None) == (self.token is None):
            raise ValueError("a key comes from env or from token, from one of them")
        return self


class QuotaBlock(Block):
    """`quota:`"""

    per_day: int | None = Field(default=None, ge=1)
    each: Literal["platform", "service"] = "platform"
    resets: str = Field(default="00:00", pattern=r"^([01]\d|2[0-3]):[0-5]\d$")


class PagingBlock(Block):
    """`paging:`"""

    style: Literal["page", "range"]
    page: str
    size: str
    page_size: int = Field(ge=1)
    max_size: int = Field(ge=1)
    first: int = Field(default=1, ge=0)
    max_pages: int = Field(default=1000, ge=1)


class CodeBlock(Block):
    """One line of `envelope.codes`; `ambiguous` is the other reason that the platform says the same with."""

    outcome: OutcomeClass
    reason: str
    code: str | None = None
    pattern: str | None = None
    status: int | None = Field(default=None, ge=100, le=599)
    ambiguous: str = ""

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, value: str | None) -> str | None:
        try:
            re.compile(value or "")
        except re.error as error:
            raise ValueError(f"not a regular expression: {error}") from None
        return value

    @model_validator(mode="after")
    def _settles(self) -> Self:
        if self.ambiguous and self.outcome not in ("structural", "environmental"):
            raise ValueError("only a structural or environmental rule is ambiguous; an empty answer blames nobody")
        return self


class EnvelopeBlock(Block):
    """`envelope:`; `own_codes` are read before `codes`, so that a service says only what it means differently."""

    records: tuple[str, ...]
    total: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    message: tuple[str, ...] = ()
    success: tuple[str, ...] = ()
    codes: tuple[CodeBlock, ...] = ()
    own_codes: tuple[CodeBlock, ...] = ()
    missing: tuple[str, ...] = ("", "-")
    empty_without_records: bool = True
    ambiguous_empty: bool = False
    archive: Literal["none", "zip"] = "none"


class CatalogueBlock(Block):
    """`catalogue:`, where the services of a catalogue without addresses live; {code} stands for a service's code."""

    base_url: str = Field(pattern=r"^https?://")
    path: str = "/{code}"
    root: str = ""
    key: str = ""
    service: str = ""
    provider: str = ""
    domain: str = ""


class ProfileBlock(Block):
    """`profile.yaml`, after the service's and the operation's `profile:` were merged over it."""

    platform: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    title: str
    hosts: tuple[str, ...]
    auth: Annotated[tuple[AuthBlock, ...], BeforeValidator(_listed)] | None = None
    envelope: EnvelopeBlock
    paging: PagingBlock | None = None
    fixed: dict[str, str] = {}
    hidden: tuple[str, ...] = ()
    headers: dict[str, str] = {}
    timeout_s: float = Field(default=20.0, gt=0)
    concurrency: int = Field(default=8, ge=1)
    per_second: float | None = Field(default=None, gt=0)
    quota: QuotaBlock = QuotaBlock()
    ciphers: str | None = None
    languages: tuple[str, ...] = ("ko",)
    control: str = Field(default="", pattern=r"^(https?://.*)?$")
    catalogue: CatalogueBlock | None = None


class ParameterBlock(Block):
    """One line of `parameters:`"""

    name: str = Field(min_length=1)
    label: str = ""
    description: str = ""
    type: JsonType | None = None
    required: bool | None = None
    location: Location | None = None
    kind: Kind | None = None
    format: str | None = None
    default: str | None = None
    enum: Values = {}
    examples: tuple[str, ...] = ()
    filled_by: Literal["model", "server"] | None = None
    phrase: str | None = None
    style: Style = "joined"


class OutputBlock(Block):
    """One line of `outputs:`"""

    path: str = Field(min_length=1)
    label: str = ""
    description: str = ""
    type: JsonType | None = None
    kind: Kind | None = None
    format: str | None = None
    unit: str | None = None
    repeats: bool | None = None
    private: bool | None = None
    values: Values = {}
    examples: tuple[str, ...] = ()


class OperationBlock(Block):
    """One entry of `operations:`"""

    key: str | None = None
    path: str
    method: Literal["GET", "POST"] = "GET"
    title: str
    description: str
    noun: str = ""
    name_field: str | None = None
    root: str = ""
    fixed: dict[str, str] = {}
    profile: dict[str, object] = {}
    parameters: tuple[ParameterBlock, ...] = ()
    outputs: tuple[OutputBlock, ...] = ()


class ServiceBlock(Block):
    """One entry of `services:`; its operations are checked one by one, so that a mistake costs one operation."""

    service: str = Field(min_length=1)
    provider: str = ""
    domain: str
    base_url: str = Field(pattern=r"^https?://")
    profile: dict[str, object] = {}
    operations: tuple[object, ...]

    @property
    def listed(self) -> list[dict[str, object]]:
        """The entries of `operations` that are mappings, unchecked."""
        return [cast("dict[str, object]", entry) for entry in self.operations if isinstance(entry, dict)]


class ServicesFile(Block):
    """A service file; its services are checked one by one, so that a mistake costs one service."""

    services: tuple[object, ...]


def checked(model: type[_Model], tree: object, where: str = "") -> _Model:
    """Return `tree` as `model`.

    Raises:
        SpecError: naming the wrong keys by their paths below `where`, a few of them where there are many.
    """
    try:
        return model.model_validate(tree)
    except ValidationError as error:
        # A misspelt key also makes the right one missing: the key that is there is what to look at.
        faults = sorted(error.errors(), key=lambda fault: fault["type"] != "extra_forbidden")
        said = [_fault(model, where, fault["type"], fault["loc"], fault["msg"]) for fault in faults[:_SHOWN]]
        more = f" (and {len(faults) - _SHOWN} more)" if len(faults) > _SHOWN else ""
        raise SpecError("; ".join(said) + more) from None


def _fault(model: type[Block], where: str, kind: str, loc: tuple[int | str, ...], message: str) -> str:
    path = where
    for step in loc:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
    if kind == "extra_forbidden":
        known = f"; known keys: {', '.join(model.model_fields)}" if len(loc) == 1 else ""
        return f"{path}: unknown key{known}"
    return f"{path}: {message[:1].lower()}{message[1:]}"


def enum_values(values: dict[str, str]) -> tuple[EnumValue, ...]:
    """Return a block's values in the order they were written."""
    return tuple(EnumValue(value, label) for value, label in values.items())
