"""Call -> permission to send it: concurrency and spacing per host, and platforms parked until their quota day turns."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from edge.execution.endpoint import KST


class HostGate:
    """Lets at most `concurrency` requests to one host run, starts them `spacing_s` apart and can be paused."""

    def __init__(self, concurrency: int, spacing_s: float = 0.0) -> None:
        """Open a gate; it belongs to the event loop it is first used in."""
        self._slots = asyncio.Semaphore(max(1, concurrency))
        self._spacing_s = spacing_s
        self._next_start = 0.0

    def pause(self, seconds: float) -> None:
        """Start no further request for this long: one refused caller slows all callers of the host."""
        self._next_start = max(self._next_start, time.monotonic() + seconds)

    @asynccontextmanager
    async def slot(self) -> AsyncGenerator[None]:
        """Hold a slot; waits for one, and for the next allowed start."""
        async with self._slots:
            await self._turn()
            yield

    async def _turn(self) -> None:
        now = time.monotonic()
        start = max(now, self._next_start)
        if self._spacing_s:
            self._next_start = start + self._spacing_s  # taken before sleeping, so that no two callers share a start
        if start > now:
            await asyncio.sleep(start - now)


class QuotaBoard:
    """Remembers which platforms refused for the day (case A08); a platform opens again at 00:00 in Korea."""

    def __init__(self, now: Callable[[], datetime] | None = None) -> None:
        """Use `now` as the clock; the default is the machine's."""
        self._now = now or (lambda: datetime.now(KST))
        self._until: dict[str, datetime] = {}

    def park(self, platform: str) -> None:
        """Stop calling `platform` until its quota day turns."""
        tomorrow = self._now().astimezone(KST) + timedelta(days=1)
        self._until[platform] = tomorrow.replace(hour=0, minute=0, second=0, microsecond=0)

    def parked(self, platform: str) -> bool:
        """Whether `platform` must not be called now."""
        until = self._until.get(platform)
        if until is None:
            return False
        if self._now() < until:
            return True
        del self._until[platform]
        return False

    @property
    def platforms(self) -> tuple[str, ...]:
        """The platforms parked now."""
        return tuple(sorted(platform for platform in tuple(self._until) if self.parked(platform)))


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
