"""Outcomes of a version -> how the calls to each platform ended, and why: whose fault a thin run was (case A07)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from edge.datasets.catalog import query

CLASSES = ("ok", "empty", "structural", "environmental")


@dataclass(slots=True)
class PlatformCalls:
    """The calls to one platform by class, and the reasons of those that were refused or failed, most frequent first."""

    platform: str
    ended: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CLASSES, 0))
    reasons: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])

    @property
    def calls(self) -> int:
        """How many calls were made."""
        return sum(self.ended.values())

    def say(self, outcome: str) -> str:
        """Return the reasons of a class as "quota 3, timeout 1"."""
        return ", ".join(f"{reason} {number}" for reason, number in self.reasons.get(outcome, {}).items())


def calls_by_platform(root: Path, version: str) -> list[PlatformCalls]:
    """Return how the calls of a version ended, by platform; the numbers add up to the outcomes."""
    found: dict[str, PlatformCalls] = {}
    wanted = version.replace("'", "''")
    sql = f"""
        SELECT coalesce(t.platform, 'unknown') AS platform, o.outcome, o.reason, count(*) AS n
        FROM outcomes_all o LEFT JOIN tools_all t ON t.tool_id = o.tool_id AND t.version = o.version
        WHERE o.version = '{wanted}' GROUP BY 1, 2, 3 ORDER BY 1, 4 DESC, 3"""  # noqa: S608
    for platform, outcome, reason, number in query(root, sql)[1]:
        calls = found.setdefault(str(platform), PlatformCalls(str(platform)))
        count = int(str(number))
        calls.ended[str(outcome)] += count
        if outcome in ("structural", "environmental"):
            calls.reasons.setdefault(str(outcome), {})[str(reason)] = count
    return list(found.values())
