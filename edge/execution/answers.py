"""A call -> its outcome and the body behind it: from the gateway, or from recorded answers, judged as it judges."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from edge.calls import Arguments, Outcome
from edge.errors import UsageError
from edge.execution.decoding import Decoded, decode_body
from edge.execution.failures import Verdict, judge
from edge.execution.recording import outcome_id
from edge.execution.takes import Index, PageEntry, holds_takes, takes_at
from edge.execution.tapes import read_page
from edge.ids import canonical_json, digest_bytes
from edge.specs.model import Tool

_SUFFIXES = (".json", ".xml", ".body")
_MAX_BYTES = 20_000_000  # one body, as the gateway limits it


@dataclass(frozen=True, slots=True)
class Look:
    """What came of a call, with the decoded body where one came."""

    outcome: Outcome
    decoded: Decoded | None = None


class Answers(Protocol):
    """Gives the first page of a call with its body: the gateway client, or a recording."""

    async def look(self, tool: Tool, arguments: Arguments) -> Look:
        """Execute the first page of a call; failures are outcomes, never exceptions."""
        ...


@dataclass(frozen=True, slots=True)
class Recorded:
    """One recorded response; `decoded` and `body_hash` where the body itself was not kept."""

    body: bytes
    status: int = 200
    content_type: str = ""
    decoded: Decoded | None = None
    body_hash: str = ""


class Recording:
    """Recorded responses by operation; whatever is asked, an operation gives its best one."""

    def __init__(self, bodies: Mapping[str, Iterable[Recorded]]) -> None:
        """Keep `bodies` by operation key or tool id; they are read when an operation is asked about."""
        self._bodies = bodies

    @classmethod
    def read(cls, path: Path) -> Recording:
        """Read recorded runs (a store or a packed file), a folder of bodies or a JSON-lines file.

        Bodies in a folder are named <operation key>.json, .xml or .body. A line of a file is an object of
        "operation_key" and "body" (text, or JSON itself), and may hold "status" and "content_type".

        Raises:
            UsageError: the path cannot be read, a line is not such an object, or nothing is recorded.
        """
        bodies: dict[str, list[Recorded]] = defaultdict(list)
        try:
            if holds_takes(path):
                return cls(_recorded_runs(path))
            for key, recorded in _folder(path) if path.is_dir() else _lines(path):
                bodies[key].append(recorded)
        except OSError as error:
            raise UsageError(f"{error.filename or path} cannot be read: {error.strerror or error}") from None
        if not bodies:
            raise UsageError(f"{path} holds no recorded response; name files <operation key>.json, .xml or .body")
        return cls(dict(bodies))

    def __len__(self) -> int:
        """Return the number of operations recorded."""
        return len(self._bodies)

    def holds(self, tool: Tool) -> bool:
        """Whether there is a response of this tool."""
        return tool.operation_key in self._bodies or tool.tool_id in self._bodies

    async def look(self, tool: Tool, arguments: Arguments) -> Look:
        """Return the first recorded response with records, else the first of any kind."""
        recorded = self._bodies.get(tool.operation_key) or self._bodies.get(tool.tool_id) or []
        first: Look | None = None
        for one in recorded:
            look = _look(tool, arguments, one)
            if look.outcome.ok:
                return look
            first = first or look
        return first or Look(_outcome(tool, arguments, Verdict("environmental", "not_recorded"), None, ""))


@dataclass(frozen=True, slots=True)
class _Pages:
    """The recorded pages of an operation, those with records first; a body is read when its turn comes."""

    index: Index
    entries: Sequence[PageEntry]

    def __iter__(self) -> Iterator[Recorded]:
        for entry in sorted(self.entries, key=lambda entry: entry.outcome != "ok"):
            _, kept = read_page(self.index, entry.place)
            if kept is not None and kept.settled is None:
                yield Recorded(kept.body, kept.status or 0, kept.content_type, kept.decoded, kept.body_hash)


def _recorded_runs(path: Path) -> dict[str, Iterable[Recorded]]:
    """Return the pages of the newest run that has an operation."""
    found: dict[str, Iterable[Recorded]] = {}
    for take in takes_at(path):
        index = Index.of(take)
        found |= {operation: _Pages(index, entries) for operation, entries in index.operations.items()}
    return found


def _folder(path: Path) -> Iterator[tuple[str, Recorded]]:
    for file in sorted(path.iterdir()):
        if file.suffix in _SUFFIXES and file.is_file():
            if file.stat().st_size > _MAX_BYTES:
                raise UsageError(f"{file} is larger than {_MAX_BYTES // 1_000_000} MB; record one page only")
            kind = {".json": "application/json", ".xml": "text/xml"}.get(file.suffix, "")
            yield file.stem, Recorded(file.read_bytes(), content_type=kind)


def _lines(path: Path) -> Iterator[tuple[str, Recorded]]:
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(_MAX_BYTES + 1), b""), start=1):
            if len(line) > _MAX_BYTES:
                raise UsageError(f"{path} line {number} is larger than {_MAX_BYTES // 1_000_000} MB; record one page")
            if line.strip():
                yield _line(line, f"{path} line {number}")


def _line(line: bytes, where: str) -> tuple[str, Recorded]:
    try:
        raw: object = json.loads(line)
    except (ValueError, RecursionError):
        raise UsageError(f"{where} is not JSON; write one object a line") from None
    row = cast("dict[str, object]", raw) if isinstance(raw, dict) else {}
    key, status, body = row.get("operation_key"), row.get("status", 200), row.get("body")
    if not isinstance(key, str) or not isinstance(status, int) or body is None:
        raise UsageError(f'{where} is not {{"operation_key": "...", "status": 200, "body": "..."}}')
    text = body if isinstance(body, str) else canonical_json(body)
    return key, Recorded(text.encode("utf-8", "surrogatepass"), status, str(row.get("content_type") or ""))


def _look(tool: Tool, arguments: Arguments, recorded: Recorded) -> Look:
    decoded = recorded.decoded or decode_body(recorded.body, recorded.content_type)
    verdict = judge(tool, recorded.status, decoded)
    body_hash = recorded.body_hash or digest_bytes(recorded.body)
    return Look(_outcome(tool, arguments, verdict, recorded.status, body_hash), decoded)


def _outcome(tool: Tool, arguments: Arguments, verdict: Verdict, status: int | None, body_hash: str) -> Outcome:
    return Outcome(
        outcome_id=outcome_id(tool.tool_id, arguments, False, "", 0),
        tool_id=tool.tool_id,
        arguments=dict(arguments),
        outcome=verdict.outcome,
        reason=verdict.reason,
        message=verdict.message,
        code=verdict.code,
        status_code=status,
        attempts=0,
        records=verdict.records,
        total=verdict.total if verdict.total is not None else len(verdict.records),
        pages=int(verdict.read),
        response_hash=body_hash,
    )
