"""A page as it was read <-> what a recording keeps of it: the seam between the gateway and recordings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from edge.execution.decoding import Decoded
from edge.execution.failures import Verdict
from edge.execution.paging import PageRead
from edge.execution.recording import current_place
from edge.execution.tally import Tally
from edge.execution.transport import Exchange
from edge.ids import Json
from edge.specs.model import Tool


@dataclass(frozen=True, slots=True)
class Turn:
    """Which reading of a page this is: the `number`-th of the same request in one place of a run."""

    identity: str
    place: str
    number: int


@dataclass(frozen=True, slots=True)
class Heard:
    """What one attempt brought: a response with its decoded body, or None where nothing came; and how it was judged."""

    exchange: Exchange | None
    decoded: Decoded | None
    verdict: Verdict
    body_hash: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """The page that was asked for, without its key."""

    tool: Tool
    arguments: Mapping[str, str]
    request: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Kept:
    """A page as it was read.

    `settled` is the verdict where the last response does not decide it: nothing came, or nothing was asked. Else
    `body` or, where the body held what may not be stored, `decoded` is judged again.
    """

    attempts: int
    status: int | None
    body_hash: str
    settled: Verdict | None = None
    content_type: str = ""
    body: bytes = b""
    decoded: Decoded | None = None


class Tape(Protocol):
    """Keeps the pages that a gateway reads, or gives those that were kept."""

    @property
    def closed(self) -> bool:
        """Whether nothing but what is on the tape may be asked for."""
        ...

    def find(self, turn: Turn) -> Kept | None:
        """Return the page that was kept for a turn."""
        ...

    def keep(self, turn: Turn, asked: Asked, heard: Sequence[Heard], read: PageRead) -> None:
        """Keep a page."""
        ...


class Turns:
    """Counts how often a request was made in each place."""

    def __init__(self) -> None:
        self._made = Tally()

    def next(self, identity: str) -> Turn:
        """Return the turn of the next reading of a request, in the place where the code stands."""
        place = current_place()
        return Turn(identity, place, self._made.add(place, identity))

    def close(self) -> None:
        """Forget what was counted."""
        self._made.close()
