"""Settings in; engine, clock, fault plan and statistics of one running replica out, changeable while it runs."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, date, time
from email.utils import format_datetime

from edge.sandbox.engine import Engine
from edge.sandbox.quotas import Quotas
from edge.sandbox.timeline import FaultPlan
from edge.sandbox.world import World
from edge.sandbox.world.store import CLOCK

# The world's calendar knows the holidays of these years, and its laws and bills begin before them.
FIRST_DAY, LAST_DAY = date(2025, 1, 1), date(2027, 12, 31)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a replica starts with and returns to when it is reset."""

    seed: int = 7
    today: date = date(2026, 6, 15)
    clock: time = CLOCK
    latency_ms: int = 0
    keys: frozenset[str] = frozenset()
    quota_per_day: int = 0
    quota_per_second: int = 0
    plan: FaultPlan = field(default_factory=FaultPlan)


@dataclass(slots=True)
class Statistics:
    """Calls by operation: how many, how the platform answered them, and which faults were put in."""

    calls: Counter[str] = field(default_factory=Counter[str])
    outcomes: dict[str, Counter[str]] = field(default_factory=dict[str, "Counter[str]"])
    faults: dict[str, Counter[str]] = field(default_factory=dict[str, "Counter[str]"])

    def record(self, operation: str, outcome: str | None, fault: str | None) -> None:
        """Count one call; `outcome` is None where a fault took the place of the platform's answer."""
        self.calls[operation] += 1
        if outcome is not None:
            self.outcomes.setdefault(operation, Counter())[outcome] += 1
        if fault is not None:
            self.faults.setdefault(operation, Counter())[fault] += 1

    def row(self) -> dict[str, object]:
        """Totals, then one entry an operation, sorted by name."""
        return {
            "calls": self.calls.total(),
            "outcomes": _totals(self.outcomes),
            "faults": _totals(self.faults),
            "operations": {
                name: {
                    "calls": self.calls[name],
                    "outcomes": _sorted(self.outcomes.get(name, {})),
                    "faults": _sorted(self.faults.get(name, {})),
                }
                for name in sorted(self.calls)
            },
        }


class Replica:
    """Everything of a sandbox that can change while it runs."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.reset()

    def reset(self) -> None:
        """Back to the start: the clock and the faults of the settings, nothing counted, no quota used."""
        settings = self._settings
        self.plan = settings.plan.again()
        self.statistics = Statistics()
        self.latency_s = settings.latency_ms / 1000
        self._quotas = Quotas(settings.quota_per_day, settings.quota_per_second)
        self.set_clock(settings.today, settings.clock)

    def set_clock(self, today: date, clock: time) -> None:
        """Move to another moment, in which the world is built anew. Raises ValueError outside the calendar."""
        if not FIRST_DAY <= today <= LAST_DAY:
            raise ValueError(f"today must be from {FIRST_DAY} to {LAST_DAY}, not {today}")
        self.engine = Engine(World(self._settings.seed, today, clock), self._settings.keys, self._quotas)
        self.date_header = format_datetime(self.engine.world.now.astimezone(UTC), usegmt=True).encode()


def _totals(counters: dict[str, Counter[str]]) -> dict[str, int]:
    return _sorted(sum(counters.values(), Counter[str]()))


def _sorted(counter: Counter[str] | dict[str, int]) -> dict[str, int]:
    return dict(sorted(counter.items()))
