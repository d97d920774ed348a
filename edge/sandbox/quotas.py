"""Accepted calls in, refusals out: so many a day and a second, for each key and service as on the platforms."""

import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from edge.sandbox.model import OutcomeKind

_SECOND = 1.0


@dataclass(slots=True)
class Quotas:
    """Limits that are off at 0. A day is one of the world's clock, a second one of the machine's."""

    per_day: int = 0
    per_second: int = 0
    timer: Callable[[], float] = time.monotonic
    days: Counter[tuple[str, str, str]] = field(default_factory=Counter[tuple[str, str, str]])
    seconds: dict[tuple[str, str], deque[float]] = field(default_factory=dict[tuple[str, str], "deque[float]"])

    @property
    def off(self) -> bool:
        """Whether nothing is limited, and nothing has to be counted."""
        return not self.per_day and not self.per_second

    def refusal(self, key: str, service: str, day: str) -> OutcomeKind | None:
        """What a call meets; only a call that meets nothing counts against the limits."""
        if self.per_day and self.days[key, service, day] >= self.per_day:
            return "quota"
        if self.per_second and not self._fits(key, service):
            return "rate"
        self.days[key, service, day] += 1
        return None

    def _fits(self, key: str, service: str) -> bool:
        now = self.timer()
        recent = self.seconds.setdefault((key, service), deque())
        while recent and now - recent[0] >= _SECOND:
            recent.popleft()
        if len(recent) >= self.per_second:
            return False
        recent.append(now)
        return True
