"""The typed tool that every reader produces and every later stage consumes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from edge.calls import OutcomeClass

Location = Literal["query", "path", "header", "body"]
Style = Literal["joined", "repeated", "whole"]
JsonType = Literal["string", "integer", "number", "boolean", "array", "object"]
Kind = Literal[
    "date", "month", "year", "datetime", "time", "longitude", "latitude", "projected_x", "projected_y", "grid",
    "code", "name", "address", "text", "number", "count", "amount", "flag", "url", "unknown",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class EnumValue:
    """One allowed value of a parameter and what people call it."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool.

    `kind` is the semantic type that could be told from name, label, example and prose. `format` refines it: a strptime
    pattern for dates ("%Y%m%d"), a digit count for codes ("10"), the system of coordinates ("EPSG:5179"), the level of
    regions' names ("province"). `filled_by` "server" marks what the gateway fills in (key, format, paging, fixed
    switches) and hides from the model. `phrase` is how a person states the value in a request, with {v} for the value
    ("{v}에 있는"); None leaves it to the writer. `schema` is the JSON Schema of an array or object as canonical JSON
    text without references, of a scalar the limits that the document states with their type, None where `type` says it
    all. `style` is how a list goes on the wire: joined by commas, or with its name repeated; "whole" is a value that is
    the body itself.
    """

    name: str
    label: str
    description: str = ""
    type: JsonType = "string"
    required: bool = False
    location: Location = "query"
    kind: Kind = "unknown"
    format: str | None = None
    default: str | None = None
    enum: tuple[EnumValue, ...] = ()
    examples: tuple[str, ...] = ()
    filled_by: Literal["model", "server"] = "model"
    phrase: str | None = None
    schema: str | None = None
    style: Style = "joined"


@dataclass(frozen=True, slots=True)
class OutputField:
    """One field of a record. `path` is relative to a record: names joined by dots, "[]" after a repeating name."""

    path: str
    label: str
    type: JsonType = "string"
    kind: Kind = "unknown"
    format: str | None = None
    unit: str | None = None
    repeats: bool = False
    private: bool = False
    values: tuple[EnumValue, ...] = ()


@dataclass(frozen=True, slots=True)
class Paging:
    """How a platform pages. `style` "page" counts pages from `first`; "range" sends first and last record numbers."""

    style: Literal["page", "range"]
    page: str
    size: str
    page_size: int
    max_size: int
    first: int = 1
    max_pages: int = 1000


@dataclass(frozen=True, slots=True)
class Token:
    """The call that gives out a key for a while. `parameters` are its parameters, by the variable that holds each.

    `value` is the path of the token in the answer; `ttl_s` is how long a token lives.
    """

    url: str
    parameters: Mapping[str, str]
    value: str
    ttl_s: float = 3600.0


@dataclass(frozen=True, slots=True)
class Auth:
    """Where a key goes. `prefix` precedes it in a header ("KakaoAK ").

    The key is in the environment variable `env`, or it comes from the `token` call.
    """

    parameter: str
    location: Location
    env: str = ""
    prefix: str = ""
    token: Token | None = None

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables without which there is no key."""
        return tuple(self.token.parameters.values()) if self.token else (self.env,)


@dataclass(frozen=True, slots=True)
class Quota:
    """How many calls a key may make in a day; None where nobody says.

    `each` is what the platform counts: all calls of the key, or those to one service. `resets` is the time of day in
    Korea at which it begins again.
    """

    per_day: int | None = None
    each: Literal["platform", "service"] = "platform"
    resets: str = "00:00"


@dataclass(frozen=True, slots=True)
class CodeRule:
    """What a result code, message or HTTP status means: outcome class and reason. `pattern` is matched in the message.

    `ambiguous` is the other reason that the platform says the same with: of a structural rule one that passes, of an
    environmental rule one that lasts. The gateway then looks a second time (docs/design/gateway.md).
    """

    outcome: OutcomeClass
    reason: str
    code: str | None = None
    pattern: str | None = None
    status: int | None = None
    ambiguous: str = ""


@dataclass(frozen=True, slots=True)
class Envelope:
    """Where a platform puts what. Paths are dotted, with [n] for list positions and {root} for the operation's root.

    `records` are tried in order; the first that exists wins. `missing` are texts that mean "no value" in a field.
    `documented` is the place that the operation's own document names, "" for the root, None where it names none.
    `ambiguous_empty` says that the platform at times answers sound calls with nothing.
    """

    records: tuple[str, ...]
    total: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    message: tuple[str, ...] = ()
    success: tuple[str, ...] = ()
    codes: tuple[CodeRule, ...] = ()
    missing: tuple[str, ...] = ("", "-")
    empty_without_records: bool = True
    ambiguous_empty: bool = False
    archive: Literal["none", "zip"] = "none"
    documented: str | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """Facts about the platform (or one service of it) that serves a tool: wire, not meaning.

    `control` is the URL of a call that the platform answers while it is up: what tells an outage from a refusal.
    """

    platform: str
    title: str
    hosts: tuple[str, ...]
    auth: Auth | None
    envelope: Envelope
    paging: Paging | None = None
    fixed: Mapping[str, str] = field(default_factory=dict[str, str])  # sent with every call: format switches
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    timeout_s: float = 20.0
    concurrency: int = 8
    per_second: float | None = None
    quota: Quota = Quota()
    ciphers: str | None = None  # OpenSSL cipher list for hosts that need an older one; verification stays on
    languages: tuple[str, ...] = ("ko",)
    control: str = ""
    more_auth: tuple[Auth, ...] = ()  # keys that every call carries beside the first, as an id beside a secret

    @property
    def keys(self) -> tuple[Auth, ...]:
        """All keys that a call carries, the first one first."""
        return (self.auth, *self.more_auth) if self.auth else ()


@dataclass(frozen=True, slots=True)
class Tool:
    """One callable operation.

    `tool_id` is also the function name offered to models (at most 64 of [a-zA-Z0-9_-]). `url` is the full URL with
    {placeholders}. `noun` says what one record is ("병원"), `name_field` which output names it to people.
    `root` is the envelope's root name where it differs by operation. A tool without `outputs` answers nobody knows
    what; `declared` are the outputs of the document where a live answer showed others. `original` is the document's
    description where a model wrote a better one. What changes state (`read_only` False) is compiled, never called.
    """

    tool_id: str
    operation_key: str
    platform: str
    service: str
    provider: str
    domain: str
    title: str
    description: str
    method: str
    url: str
    parameters: tuple[Parameter, ...]
    outputs: tuple[OutputField, ...]
    profile: Profile
    noun: str = ""
    name_field: str | None = None
    root: str = ""
    spec_file: str = ""
    spec_hash: str = ""
    read_only: bool = True
    declared: tuple[OutputField, ...] | None = None
    original: str = ""

    @property
    def name(self) -> str:
        """The function name offered to models."""
        return self.tool_id

    @property
    def offered(self) -> tuple[Parameter, ...]:
        """The parameters a model may fill."""
        return tuple(p for p in self.parameters if p.filled_by == "model")

    @property
    def required(self) -> tuple[Parameter, ...]:
        """The offered parameters without which the call is refused."""
        return tuple(p for p in self.offered if p.required)

    @property
    def paginated(self) -> bool:
        """Whether answers come in pages."""
        return self.profile.paging is not None

    def parameter(self, name: str) -> Parameter | None:
        """Return the parameter with this wire name."""
        return next((p for p in self.parameters if p.name == name), None)

    def output(self, path: str) -> OutputField | None:
        """Return the output field at this path."""
        return next((f for f in self.outputs if f.path == path), None)
