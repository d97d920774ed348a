"""What passes between the parts of the sandbox: a request comes in, a page of rows is cut, a response goes out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Row = dict[str, object]

OutcomeKind = Literal[
    "ok",
    "empty",
    "missing_parameter",
    "bad_parameter",
    "key_missing",
    "key_invalid",
    "quota",
    "rate",
    "unknown_operation",
]


@dataclass(frozen=True, slots=True)
class Request:
    """One call: `path` is without the host segment, `params` are decoded once, path parameters included."""

    method: str
    host: str
    path: str
    params: Mapping[str, str]
    headers: Mapping[str, str]

    def get(self, name: str, default: str = "") -> str:
        """A parameter with blanks stripped; the default where it is absent or blank."""
        return self.params.get(name, "").strip() or default


@dataclass(frozen=True, slots=True)
class Page:
    """What a style renders. `detail` is the offending parameter name or a code of the platform's own."""

    kind: OutcomeKind
    rows: list[Row] = field(default_factory=list[Row])
    total: int = 0
    number: int = 1
    size: int = 10
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Response:
    """Bytes for the wire."""

    status: int
    content_type: str
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()


class Refusal(Exception):
    """Raised by a view or a filter: the operation answers with this outcome instead of rows."""

    def __init__(self, kind: OutcomeKind, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind: OutcomeKind = kind
        self.detail = detail
