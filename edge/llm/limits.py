"""Turns of all workers -> a pace that a service bears: one limiter a service, shared by everything in a process.

Two signals are kept apart. A service that asks for fewer requests (429, 529) slows everybody: half as many at a time,
and none until the wait that it asked for is over. Any other failure that can pass is tried again by who met it.
Waits longer than the cap are not slept through here: `ModelUnavailable` says how long, and the run's scheduler waits.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache

from edge.errors import ModelUnavailable, RateLimited
from edge.llm.asking import Reply

_MINUTE = 60.0
_POLL_S = 0.02  # how soon a place that came free is noticed; nothing here belongs to an event loop
_FIRST_WAIT_S = 1.0


@dataclass(frozen=True, slots=True)
class Limits:
    """How a service may be asked. Rates are per minute, None: as fast as answers come."""

    concurrency: int = 8
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    attempts: int = 4
    wait_cap_s: float = 60.0


@dataclass(slots=True)
class _Sent:
    """One request of the last minute; its tokens are an estimate until it is answered."""

    at: float
    tokens: int


class Limiter:
    """Paces requests to one service."""

    def __init__(
        self,
        limits: Limits,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._limits = limits
        self._clock = clock
        self._sleep = sleep
        self._width = float(limits.concurrency)
        self._busy = 0
        self._recent: deque[_Sent] = deque()
        self._closed_until = 0.0
        self._slowed_at = float("-inf")
        self._refused = 0  # refusals in a row
        self._rng = random.Random()  # spreads retries; no row depends on it

    @property
    def width(self) -> float:
        """How many requests may be under way now."""
        return self._width

    async def run(self, send: Callable[[], Awaitable[Reply]], tokens: int) -> Reply:
        """Send when there is room, and again after what can pass. `tokens` is an estimate of what it will take.

        Raises:
            ModelUnavailable: the last failure, or the wait that the service asks for is too long to sleep through.
        """
        for attempt in range(1, self._limits.attempts + 1):
            sent, wait = await self._admitted(tokens), 0.0
            try:
                reply = await send()
                self._speed_up(sent, reply)
                return reply
            except RateLimited as error:
                self._slow_down(sent, error)
                if attempt == self._limits.attempts or (error.retry_after or 0) > self._limits.wait_cap_s:
                    raise
            except ModelUnavailable as error:
                wait = self._wait_after(attempt, error.retry_after)
                if attempt == self._limits.attempts or wait > self._limits.wait_cap_s:
                    raise
            finally:
                self._busy -= 1
            await self._sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    async def _admitted(self, tokens: int) -> _Sent:
        slept = 0.0
        while True:
            now = self._clock()
            closed = self._closed_until - now
            if closed > self._limits.wait_cap_s or slept > self._limits.wait_cap_s * self._limits.attempts:
                raise ModelUnavailable(f"the service asks to wait {max(closed, 0):.0f} s", retry_after=max(closed, 0))
            if closed > 0:
                slept += closed
                await self._sleep(closed)
            elif self._busy >= max(1, int(self._width)):
                await self._sleep(_POLL_S)
            elif (wait := self._until_room(tokens, now)) > 0:
                await self._sleep(wait)
            else:
                self._busy += 1
                self._recent.append(_Sent(now, tokens))
                return self._recent[-1]

    def _until_room(self, tokens: int, now: float) -> float:
        """Return the seconds until a request fits into the last minute, 0 for now."""
        while self._recent and self._recent[0].at <= now - _MINUTE:
            self._recent.popleft()
        if not self._recent:
            return 0.0  # also a request larger than a whole minute's tokens goes, alone
        requests, most = self._limits.requests_per_minute, self._limits.tokens_per_minute
        full = requests is not None and len(self._recent) >= requests
        full |= most is not None and sum(sent.tokens for sent in self._recent) + tokens > most
        return max(_POLL_S, self._recent[0].at + _MINUTE - now) if full else 0.0

    def _slow_down(self, sent: _Sent, error: RateLimited) -> None:
        now = self._clock()
        if sent.at >= self._slowed_at:  # requests that were under way together are one signal
            self._width = max(1.0, self._width / 2)
            self._slowed_at = now
            self._refused += 1
        self._closed_until = max(self._closed_until, now + self._wait_after(self._refused, error.retry_after))

    def _speed_up(self, sent: _Sent, reply: Reply) -> None:
        self._refused = 0
        self._width = min(float(self._limits.concurrency), self._width + 1 / self._width)
        sent.tokens = reply.usage.input_tokens + reply.usage.output_tokens or sent.tokens

    def _wait_after(self, failures: int, asked: float | None) -> float:
        if asked is not None:
            return asked
        return min(self._limits.wait_cap_s, _FIRST_WAIT_S * 2 ** max(0, failures - 1)) * self._rng.uniform(0.5, 1.0)


@cache
def shared_limiter(service: str, limits: Limits) -> Limiter:
    """Return the one limiter of this process for a service: stages that follow each other know what it said."""
    return Limiter(limits)
