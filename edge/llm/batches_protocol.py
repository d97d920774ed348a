"""Lines of a batch -> what a service made of each: the four things that both batch APIs can do, and what they give."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from edge.errors import ModelUnavailable, RunError
from edge.ids import Json, digest
from edge.llm.asking import Question
from edge.llm.protocol import TokenUsage

CANCELED, EXPIRED, NOTHING = -1, -2, -3  # in place of a status: nobody answered
_PASSING = frozenset({EXPIRED, NOTHING, 408, 409, 425, 429})
_FIRST_LASTING, _FIRST_SERVER = 400, 500


@dataclass(frozen=True, slots=True)
class Line:
    """One request of a batch.

    `line_id` says what is asked, of whom and which try of it; it is the same in every batch and every process.
    """

    line_id: str
    body: Mapping[str, Json]

    @property
    def size(self) -> int:
        """The bytes of the request, about."""
        return len(str(self.body).encode("utf-8", "replace"))


def line_id(place: Sequence[str], body: Mapping[str, Json], question: Question) -> str:
    """Return the id of a line: the hash of its content, and behind it the row that it is asked for (case L22)."""
    row = digest([question.prompt_hash, question.draw], 8)
    return f"{digest([list(place), body], 32)}-{row}"


def custom_id(line: str, token: str) -> str:
    """Return what a line is called in a batch: 54 letters, digits and dashes. Both services take up to 64."""
    return f"{line}-{token}"


def named(lines: Sequence[Line], token: str) -> dict[str, Line]:
    """Return the lines by their ids in the batch.

    Raises:
        RunError: two would have the same one; a service may answer both with the answer to one (case L22).
    """
    found: dict[str, Line] = {}
    for line in lines:
        name = custom_id(line.line_id, token)
        if name in found:
            raise RunError(f"two requests of a batch have the id {name}; it is not sent")
        found[name] = line
    return found


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a line: the body of the answer, or None with a status (HTTP or one of the above) and a message."""

    custom_id: str
    body: Mapping[str, Json] | None
    status: int = 200
    message: str = ""

    @property
    def passing(self) -> bool:
        """Whether the same line may be answered in another batch."""
        return passing(self.status)


def passing(status: int) -> bool:
    """Whether a line that failed with this status may be answered in another batch."""
    return status in _PASSING or status >= _FIRST_SERVER or 0 <= status < _FIRST_LASTING


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a batch is.

    `status` and `message` are for the lines that have no result: why the batch was refused or ended early. `gone`: the
    service knows no such batch.
    """

    ended: bool
    said: str = ""
    status: int = NOTHING
    message: str = ""
    gone: bool = False


class Torn(ModelUnavailable):
    """A line of the results cannot be read: they were cut off on the way, or are so at the service."""


UNKNOWN = Progress(False, "the service knows no such batch", message="the service forgot the batch", gone=True)


@dataclass(frozen=True, slots=True)
class Found:
    """What became of a batch whose submission broke off: its id, None where there is none, or not yet to be told."""

    batch_id: str | None = None
    undecided: bool = False


class BatchService(Protocol):
    """A provider's batches. Lines are told apart by custom ids alone; results come in any order."""

    @property
    def most_lines(self) -> int:
        """How many lines a batch takes."""
        ...

    @property
    def most_bytes(self) -> int:
        """How many bytes a batch takes."""
        ...

    async def submit(self, token: str, lines: Mapping[str, Line]) -> str:
        """Send the lines as one batch that can be found again by its token; return the service's id of it.

        Raises:
            ModelUnavailable: nobody knows whether it arrived.
            UsageError: it was refused.
        """
        ...

    async def find(self, token: str, planned_at: float, lines: Collection[str], known: Collection[str]) -> Found:
        """Look for a batch that may have arrived; `known` are the ids of all others.

        Raises:
            ModelUnavailable, UsageError: as always.
        """
        ...

    async def look(self, batch_id: str) -> Progress:
        """Return how far a batch is.

        Raises:
            ModelUnavailable, UsageError: as always.
        """
        ...

    def results(self, batch_id: str) -> AsyncIterator[Result]:
        """Yield what came of the lines of a batch that has ended.

        Raises:
            Torn: a line cannot be read; raised after all that can.
            ModelUnavailable, UsageError: as always.
        """
        ...

    def usage(self, body: Mapping[str, Json]) -> tuple[TokenUsage, bool]:
        """Return the tokens that an answer took, and whether the service told any.

        Raises:
            ModelUnavailable: it is no answer.
        """
        ...
