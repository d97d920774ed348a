"""Table of models -> `ModelProfile`: what a model can do and costs, looked up in files that people may edit."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import yaml
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from edge.errors import UsageError
from edge.llm.prices import Price

BUNDLED = Path(__file__).with_name("models.yaml")
HOSTED: Mapping[str, str] = {"openai": "api.openai.com", "anthropic": "api.anthropic.com"}

ToolMode = Literal["native", "json_schema"]
LimitField = Literal["max_tokens", "max_completion_tokens"]


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """What one model can do where it is served. `context` and `max_output` are tokens; None: not known.

    `outlined`: its requests are written from an outline in words from the first try on (docs/design/writers.md).
    """

    structured_output: bool = True
    tool_mode: ToolMode = "json_schema"
    parallel_calls: bool = False
    batch: bool = False
    outlined: bool = False
    context: int | None = None
    max_output: int | None = None
    limit_field: LimitField = "max_tokens"
    request: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    price: Price | None = None
    source: str = ""
    as_of: datetime.date | None = None
    third_party: bool = False

    def price_said(self) -> str:
        """Return where the price comes from, in words; empty where the table does not say."""
        if self.price is None or not self.source:
            return ""
        by = " (somebody else's report, not the provider's page)" if self.third_party else ""
        return f"prices read on {self.as_of or 'a day not stated'} at {self.source}{by}"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _PriceEntry(_Strict):
    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached_input: float | None = Field(None, ge=0)
    cache_write: float | None = Field(None, ge=0)
    batch_input: float | None = Field(None, ge=0)
    batch_output: float | None = Field(None, ge=0)


class _Entry(_Strict):
    """One entry of a table: whom it is about, and the facts that it states."""

    provider: Literal["openai", "anthropic"]
    match: list[str] = Field(min_length=1)
    hosts: list[str] = ["*"]
    structured_output: bool | None = None
    tool_mode: ToolMode | None = None
    parallel_calls: bool | None = None
    batch: bool | None = None
    outlined: bool | None = None
    context: int | None = Field(None, gt=0)
    max_output: int | None = Field(None, gt=0)
    limit_field: LimitField | None = None
    request: dict[str, JsonValue] | None = None
    price: _PriceEntry | None = None
    source: str | None = None
    as_of: datetime.date | None = None
    third_party: bool | None = None

    def about(self, provider: str, model: str, host: str) -> bool:
        """Whether this entry is about a model of a provider at a host."""
        return (
            self.provider == provider
            and any(fnmatchcase(model, pattern) for pattern in self.match)
            and any(fnmatchcase(host, pattern) for pattern in self.hosts)
        )

    def facts(self) -> dict[str, object]:
        """Return the facts that are stated."""
        every = self.model_dump(exclude={"provider", "match", "hosts", "price"}, exclude_unset=True)
        stated = {name: value for name, value in every.items() if value is not None}
        if self.price is None:
            return stated
        # Where a price was read goes with it: what an earlier entry says of its own price is not about this one.
        price = Price(**self.price.model_dump())
        return {"source": "", "as_of": None, "third_party": False, **stated, "price": price}


class _Table(_Strict):
    models: list[_Entry] = []


def host_of(provider: str, base_url: str | None) -> str:
    """Return the host that serves a provider's models: the provider's own, or that of `base_url`."""
    return HOSTED.get(provider, "") if base_url is None else (urlsplit(base_url).hostname or "")


def service_of(provider: str, base_url: str | None) -> str:
    """Return the name under which everybody in a process asks one service: host and port are one pace."""
    return f"{provider} {HOSTED.get(provider, '') if base_url is None else urlsplit(base_url).netloc}"


def kind_of(provider: str, base_url: str | None) -> str:
    """Return what kind of place serves a model: "hosted", "local" (any port of this machine) or the name of a host."""
    host = host_of(provider, base_url)
    if host == HOSTED.get(provider):
        return "hosted"
    try:
        return "local" if ip_address(host).is_loopback else host
    except ValueError:
        return "local" if host == "localhost" else host


def find_profile(provider: str, model: str, base_url: str | None = None, table: Path | None = None) -> ModelProfile:
    """Return what is known of a model: the bundled entries that match, with those of `table` over them.

    Raises:
        UsageError: the table cannot be read.
    """
    host = host_of(provider, base_url)
    entries: Iterable[_Entry] = [*_entries(BUNDLED), *(_entries(table) if table is not None else ())]
    facts: dict[str, object] = {}
    for entry in entries:
        if entry.about(provider, model, host):
            facts |= entry.facts()
    return ModelProfile(**facts)  # type: ignore[arg-type]  # the fields of an entry are those of a profile


@cache
def _entries(path: Path) -> Sequence[_Entry]:
    try:
        raw: object = yaml.safe_load(path.read_text(encoding="utf-8"))
        return tuple(_Table.model_validate(raw or {}).models)
    except OSError as error:
        raise UsageError(f"the table of models {path} cannot be read: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"the table of models {path}: {where}: {first['msg']}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UsageError(f"the table of models {path} is not YAML: {' '.join(str(error).split())[:200]}") from None
