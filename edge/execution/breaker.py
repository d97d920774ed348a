"""What came of the last requests to a platform -> whether the next one is sent: a dead platform is left alone."""

from __future__ import annotations

import time
from collections.abc import Callable

_SPREAD = 3  # operations that must fail before answers of the kind 5xx mean the platform and not one of them


class Breaker:
    """Opens after `failures` failures in a row; after `pause_s` one probe at a time decides whether it closes again.

    A platform that answers 5xx for one operation is alive: such failures count when they come from `_SPREAD` operations
    and nothing succeeds between. What never got an answer counts at once.

    Every request takes a ticket and gives it back with what came of it. Tickets of an earlier state tell nothing of the
    present one: requests that were on their way when the breaker opened neither close it nor count again.
    """

    __slots__ = ("_clock", "_failures", "_operations", "_pause_s", "_probing", "_row", "_silent", "_state", "_until")

    def __init__(self, failures: int, pause_s: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._failures = failures
        self._pause_s = pause_s
        self._clock = clock
        self._state = 0  # counts changes: even is closed, odd is open
        self._row = 0
        self._silent = 0  # of the row: those without any answer
        self._operations: set[str] = set()  # of the row: those that answered with a failure
        self._until = 0.0
        self._probing = False

    @property
    def open(self) -> bool:
        """Whether requests are held back, but for a probe."""
        return self._state % 2 == 1

    def take(self) -> int | None:
        """Return the ticket of a request, or None where none may be sent."""
        if self.open:
            if self._probing or self._clock() < self._until:
                return None
            self._probing = True
        return self._state

    def give(self, ticket: int, failed: bool | None, operation: str | None = None) -> None:
        """Give a ticket back.

        Args:
            ticket: What `take` gave.
            failed: None for a request that was given up and tells nothing.
            operation: Where an answer came that is a failure; None where none came.
        """
        if ticket != self._state:
            return
        self._probing = False
        if failed is None:
            return
        if self.open:
            self._change() if not failed else self._wait()
            return
        if not failed:
            self._clear()
            return
        self._row += 1
        self._silent += operation is None
        self._operations |= {operation} if operation is not None else set()
        spread = self._row >= self._failures and len(self._operations) >= _SPREAD
        if spread or self._silent >= self._failures:
            self._change()
            self._wait()

    def _change(self) -> None:
        self._state += 1
        self._clear()

    def _clear(self) -> None:
        self._row = 0
        self._silent = 0
        self._operations = set()

    def _wait(self) -> None:
        self._until = self._clock() + self._pause_s
