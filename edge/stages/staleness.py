"""Published revalidations -> how far each platform has moved away from what was shipped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from edge.datasets.store import Store

VERDICTS = ("holds", "refreshed", "stale", "unreached")
_REASONS = 3


@dataclass(slots=True)
class Moved:
    """What became of the rows that call a platform; one that calls two counts in both."""

    platform: str
    verdicts: Counter[str] = field(default_factory=Counter[str])
    reasons: Counter[str] = field(default_factory=Counter[str])

    @property
    def rows(self) -> int:
        """How many rows call it."""
        return self.verdicts.total()

    def said(self) -> dict[str, str]:
        """Return a row of a table: counts by verdict, and the most frequent reasons of all that did not hold."""
        why = ", ".join(f"{reason} {number}" for reason, number in self.reasons.most_common(_REASONS))
        counts = {verdict: str(self.verdicts[verdict]) for verdict in VERDICTS}
        return {"platform": self.platform, "rows": str(self.rows), **counts, "why": why}


def moved(rows: Iterable[Mapping[str, object]]) -> list[Moved]:
    """Return what became of each platform's rows, the one with the smallest share of rows that hold first."""
    found: dict[str, Moved] = {}
    for row in rows:
        for platform in cast("list[str]", row["platforms"]) or ["(no call)"]:
            one = found.setdefault(platform, Moved(platform))
            one.verdicts[str(row["verdict"])] += 1
            if row["verdict"] != "holds":
                one.reasons[str(row["reason"])] += 1
    return sorted(found.values(), key=lambda one: (one.verdicts["holds"] / one.rows, one.platform))


def found_in(outputs: Path, version: str) -> dict[str, int]:
    """Return how many rows got each verdict in a published revalidation, those that none got left out."""
    counts = Counter(str(row["verdict"]) for row in Store(outputs).rows("revalidations", version))
    return {verdict: counts[verdict] for verdict in VERDICTS if counts[verdict]}


def staleness(outputs: Path, version: str) -> list[dict[str, str]]:
    """Return the table of a published revalidation."""
    return [one.said() for one in moved(Store(outputs).rows("revalidations", version))]
