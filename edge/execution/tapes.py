"""The two tapes of a gateway: one that leaves what is read in a take, one that gives back what takes hold."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from edge.calls import OutcomeClass
from edge.execution.decoding import Decoded
from edge.execution.failures import Verdict
from edge.execution.keys import Redactor
from edge.execution.paging import PageRead
from edge.execution.scrubbing import NotStorable, read_stored, store_body
from edge.execution.segments import Place, SegmentWriter, lines_at
from edge.execution.takes import Index, RecordedRun, Take
from edge.execution.tape import Asked, Heard, Kept, Turn
from edge.ids import Json, canonical_json

_REMEMBERED = 10_000  # names of bodies, so that memory stays flat; one that comes again after them is stored twice


class RecordingTape:
    """Keeps every page in a take; use it as a context manager.

    Where the run goes on with an `earlier` take that was cut off, answers in it are not asked for again.
    """

    closed = False

    def __init__(self, folder: Path, run: RecordedRun, redactor: Redactor, earlier: Index | None = None) -> None:
        """Prepare a tape; `folder` is the take's."""
        self._writer = SegmentWriter(folder, run.head())
        self._redactor = redactor
        self._earlier = earlier
        self._stored: OrderedDict[tuple[str, str], str] = OrderedDict()

    def __enter__(self) -> Self:
        """Return the tape."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Bring everything to the disk."""
        self._writer.close()

    def find(self, turn: Turn) -> Kept | None:
        """Return what the run that was cut off was answered in this turn; failures that may pass are asked again."""
        if self._earlier is None:
            return None
        place = self._earlier.turns.get((turn.identity, turn.place, turn.number))
        if place is None:
            return None
        row, kept = read_page(self._earlier, place)
        return kept if row["outcome"] != "environmental" else None

    def keep(self, turn: Turn, asked: Asked, heard: Sequence[Heard], read: PageRead) -> None:
        """Keep a page with everything that was heard for it.

        Raises:
            StoreError: it cannot be written.
        """
        bodies: list[bytes] = []
        responses = [self._response(asked, one, bodies) for one in heard]
        verdict = read.verdict
        judged = bool(heard) and heard[-1].verdict is verdict and ("body" in responses[-1] or verdict.outcome == "ok")
        settled: Json = {"message": verdict.message, "code": verdict.code, "doubt": verdict.doubt}
        row: dict[str, Json] = {
            "page": turn.identity,
            "place": turn.place,
            "n": turn.number,
            "tool": asked.tool.tool_id,
            "operation": asked.tool.operation_key,
            **self._question(asked),
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "attempts": read.attempts,
            "status": read.status,
            "hash": read.body_hash,
            "outcome": verdict.outcome,
            "reason": verdict.reason,
            "settled": None if judged else settled,
            "responses": responses,
        }
        self._writer.append([canonical_json(row).encode("utf-8", "replace"), *bodies])

    def _question(self, asked: Asked) -> dict[str, Json]:
        question: dict[str, Json] = {"arguments": dict(asked.arguments), "request": dict(asked.request)}
        return {} if self._redactor.hides(canonical_json(question)) else question

    def _response(self, asked: Asked, heard: Heard, bodies: list[bytes]) -> dict[str, Json]:
        if heard.exchange is None:
            return {"failure": heard.verdict.reason, "message": heard.verdict.message}
        response: dict[str, Json] = {
            "status": heard.exchange.status,
            "type": self._redactor.scrub(heard.exchange.content_type[:200]),
            "hash": heard.body_hash,
        }
        known = (heard.body_hash, asked.tool.tool_id)  # what is private depends on the tool
        if known not in self._stored:
            try:
                stored = store_body(asked.tool, heard, self._redactor)
            except NotStorable:
                return {**response, "withheld": True}
            bodies.append(stored.line)
            self._stored[known] = stored.name
            if len(self._stored) > _REMEMBERED:
                self._stored.popitem(last=False)
        return {**response, "body": self._stored[known]}


@dataclass(slots=True)
class ReplayingTape:
    """Gives what was recorded in the run that is replayed, else in the other runs; asks for nothing.

    The turn itself comes first, then the last answer in the same place, the last in the run, and the last in another
    run of the same endpoint and day: always an answer to this very request.
    """

    run: Take
    others: tuple[Take, ...] = ()
    _indexes: dict[str, Index] = field(default_factory=dict[str, Index])

    closed = True

    def find(self, turn: Turn) -> Kept | None:
        """Return the page that was kept for a turn, or for the same request at another time."""
        for take in (self.run, *reversed(self.others)):
            index = self.index(take)
            place = (
                index.turns.get((turn.identity, turn.place, turn.number))
                or index.places.get((turn.identity, turn.place))
                or index.requests.get(turn.identity)
            )
            kept = read_page(index, place)[1] if place is not None else None
            if kept is not None:
                return kept
        return None

    def keep(self, turn: Turn, asked: Asked, heard: Sequence[Heard], read: PageRead) -> None:
        """Keep nothing: nothing was asked."""

    def index(self, take: Take) -> Index:
        """Return the index of a take, read when first wanted."""
        if take.name not in self._indexes:
            self._indexes[take.name] = Index.of(take)
        return self._indexes[take.name]


def read_page(index: Index, place: Place) -> tuple[dict[str, Json], Kept | None]:
    """Return the recorded line of a page, and the page; None where its body was withheld or is damaged.

    Raises:
        StoreError: the file is damaged or gone.
    """
    lines = lines_at(place)
    row = cast("dict[str, Json]", json.loads(lines[0]))
    try:
        return row, _kept(index, row, lines[1:])
    except (KeyError, ValueError, TypeError, IndexError):
        return row, None


def _kept(index: Index, row: dict[str, Json], bodies: list[bytes]) -> Kept:
    attempts, status = int(str(row["attempts"])), cast("int | None", row["status"])
    settled = cast("dict[str, str] | None", row["settled"])
    if settled is not None:
        outcome = cast("OutcomeClass", row["outcome"])
        verdict = Verdict(outcome, str(row["reason"]), settled["message"], settled["code"], doubt=settled["doubt"])
        return Kept(attempts, status, str(row["hash"]), verdict)
    last = cast("list[dict[str, str]]", row["responses"])[-1]
    body, decoded = _body(index, last["body"], bodies)
    return Kept(attempts, status, str(row["hash"]), None, last["type"], body, decoded)


def _body(index: Index, name: str, beside: list[bytes]) -> tuple[bytes, Decoded | None]:
    head = f'{{"body":"{name}"'.encode()
    line = next((one for one in beside if one.startswith(head)), None)
    if line is None:
        line = next((one for one in lines_at(index.bodies[name])[1:] if one.startswith(head)), b"")
    return read_stored(json.loads(line))
