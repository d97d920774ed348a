"""Call -> permission to send it now: how many run to a host at a time, how far apart they start, how long one waits."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SLOW_S = 0.5  # answers faster than this are never taken for a sign of too many calls
_SLOWER = 2.0
_RECENT = 0.3  # weight of the newest answer in the average that notices, and below in the one that remembers
_USUAL = 0.02


class Width:
    """How many requests to a host may run: one more a round while all goes well, half when the host cannot keep up.

    It begins at its ceiling, the profile's word. A host cannot keep up when it refuses for the rate, does not answer in
    time, or answers twice as slowly as it used to. The requests that were on their way at a cut tell nothing new, so
    one round has one cut.
    """

    __slots__ = ("_deaf", "_recent_s", "_usual_s", "_width", "ceiling")

    def __init__(self, ceiling: int) -> None:
        self.ceiling = max(1, ceiling)
        self._width = float(self.ceiling)
        self._deaf = 0
        self._recent_s = 0.0
        self._usual_s = 0.0

    @property
    def limit(self) -> int:
        """Requests that may run now: from 1 to the ceiling."""
        return int(self._width)

    def well(self, latency_s: float) -> None:
        """Take note of an answer."""
        self._usual_s += (latency_s - self._usual_s) * (_USUAL if self._usual_s else 1.0)
        self._recent_s += (latency_s - self._recent_s) * (_RECENT if self._recent_s else 1.0)
        if self._recent_s > _SLOW_S and self._recent_s > _SLOWER * self._usual_s:
            self.refused()
            return
        self._deaf = max(0, self._deaf - 1)
        if self._width < self.ceiling:
            self._width = min(float(self.ceiling), self._width + 1.0 / self._width)

    def refused(self) -> None:
        """Take note that the host could not keep up."""
        if self._deaf:
            self._deaf -= 1
            return
        self._deaf = self.limit - 1
        self._width = max(1.0, self._width / 2.0)


Reserve = Callable[[float, float], float]


class Pace:
    """Gives out the moments at which requests to a host may start, at least `spacing_s` apart.

    `reserve` takes the earliest start and the spacing and returns the start: several processes may share it.
    """

    def __init__(
        self, spacing_s: float = 0.0, *, reserve: Reserve | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._spacing_s = spacing_s
        self._reserve = reserve or self._own
        self._clock = clock
        self._next = 0.0
        self._paused = 0.0

    def wait_s(self) -> float:
        """Take the next start and return the seconds until then: taken at once, so that no two callers share it."""
        now = self._clock()
        start = max(now, self._paused)
        if self._spacing_s:
            start = self._reserve(start, self._spacing_s)
        return start - now

    def pause(self, seconds: float) -> None:
        """Start nothing for this long: one refused caller slows all callers of the host."""
        self._paused = max(self._paused, self._clock() + seconds)

    def _own(self, earliest: float, spacing_s: float) -> float:
        start = max(earliest, self._next)
        self._next = start + spacing_s
        return start


class HostGate:
    """Lets as many requests to one host run as its width says, at its pace, in the order in which they came."""

    def __init__(self, concurrency: int, pace: Pace | None = None) -> None:
        """Open a gate; it belongs to the event loop it is first used in."""
        self.width = Width(concurrency)
        self.pace = pace or Pace()
        self._running = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def slot(self) -> AsyncGenerator[None]:
        """Hold a slot; waits for one, and for the next allowed start."""
        await self._enter()
        try:
            wait_s = self.pace.wait_s()
            if wait_s > 0:
                await asyncio.sleep(wait_s)
            yield
        finally:
            self._running -= 1
            self._admit()

    async def _enter(self) -> None:
        if self._running < self.width.limit and not self._waiting:
            self._running += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # admitted and cancelled at once: the slot goes to the next
                self._running -= 1
                self._admit()
            raise

    def _admit(self) -> None:
        while self._waiting and self._running < self.width.limit:
            turn = self._waiting.popleft()
            if not turn.done():
                self._running += 1
                turn.set_result(None)


class Backoff:
    """Exponential waits with full jitter, reproducible for a seed and a call."""

    def __init__(self, seed: int, call: str, *, base_s: float, cap_s: float) -> None:
        """Draw from a generator of this call alone, so that concurrency does not change the waits."""
        self._random: random.Random | None = None
        self._seed = f"{seed}:{call}"
        self._base_s = base_s
        self._cap_s = cap_s

    def wait_s(self, attempt: int) -> float:
        """Return the wait after the attempt with this number (from 1)."""
        self._random = self._random or random.Random(self._seed)
        ceiling: float = min(self._cap_s, self._base_s * 2.0 ** (attempt - 1))
        return self._random.uniform(0.0, ceiling)


def asked_wait_s(retry_after: str, date: str = "", *, now: datetime | None = None) -> float:
    """Return the seconds that a Retry-After header asks for; 0 where it cannot be read or has passed.

    A moment is counted from the answer's own Date, where it has one: clocks differ.
    """
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    until = _moment(text)
    since = _moment(date) or now or datetime.now(UTC)
    return max(0.0, (until - since).total_seconds()) if until else 0.0


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
