"""What a call is and what came of it: the vocabulary that all stages share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from edge.ids import Json, digest

if TYPE_CHECKING:
    from edge.specs.model import Tool

OutcomeClass = Literal["ok", "empty", "structural", "environmental"]
Record: TypeAlias = "dict[str, Json]"
Arguments: TypeAlias = "Mapping[str, str]"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One executed call.

    `arguments` are the arguments given by the caller, by wire name, as text. `request` is the redacted wire request
    (method, url, query). `records` are the normalised records over all pages read; `total` is the number the platform
    states (or the number of records where it states none); `complete` says whether all `total` records are here.
    `reason` is a short stable code: "ok", "no_data", "quota", "timeout", "missing_parameter" ...
    """

    outcome_id: str
    tool_id: str
    arguments: dict[str, str]
    outcome: OutcomeClass
    reason: str
    message: str = ""
    code: str | None = None
    request: dict[str, Json] = field(default_factory=dict[str, Json])
    status_code: int | None = None
    attempts: int = 1
    latency_ms: float = 0.0
    records: tuple[Record, ...] = ()
    total: int = 0
    pages: int = 0
    complete: bool = True
    response_hash: str = ""

    @property
    def ok(self) -> bool:
        """Whether the call returned at least one record."""
        return self.outcome == "ok"


def call_key(tool_id: str, arguments: Arguments, all_pages: bool) -> str:
    """Return the identity of a call: same tool, same arguments, same reading depth."""
    return digest([tool_id, dict(sorted(arguments.items())), all_pages])


class Caller(Protocol):
    """Executes calls. The gateway client implements it; stages receive it and never build one."""

    async def call(self, tool: Tool, arguments: Arguments, *, all_pages: bool = False) -> Outcome:
        """Execute one call; failures are outcomes, never exceptions. `all_pages` reads every page up to the ceiling."""
        ...
