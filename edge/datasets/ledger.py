"""Stage -> counts: what went in either came out or was dropped for a named reason; nothing else can be recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from edge.errors import StoreError
from edge.ids import canonical_json


@dataclass(frozen=True, slots=True)
class StageCount:
    """Rows of one stage: `rows_in == rows_out + sum(dropped.values())`, `dropped` by reason.

    Raises:
        StoreError: a count is negative, or the counts do not add up.
    """

    stage: str
    rows_in: int
    rows_out: int
    dropped: dict[str, int] = field(default_factory=dict[str, int])

    def __post_init__(self) -> None:
        if min(self.rows_in, self.rows_out, *self.dropped.values(), 0) < 0:
            raise StoreError(f"stage {self.stage}: a count is negative")
        lost = self.rows_in - self.rows_out - sum(self.dropped.values())
        if lost:
            raise StoreError(
                f"stage {self.stage}: {self.rows_in} rows in, {self.rows_out} out, "
                f"{sum(self.dropped.values())} dropped; {abs(lost)} {'unaccounted for' if lost > 0 else 'too many'}"
            )

    @classmethod
    def of(cls, stage: str, rows_in: int, dropped: Mapping[str, int]) -> StageCount:
        """Return the count of a stage whose only losses are `dropped`."""
        kept = {reason: count for reason, count in sorted(dropped.items()) if count}
        return cls(stage, rows_in, rows_in - sum(kept.values()), kept)

    def row(self, run_id: str, seconds: float | None = None) -> dict[str, object]:
        """Return the row of `stage_ledger`; `seconds` is wall-clock time and is stored apart from the part."""
        return {
            "run_id": run_id,
            "stage": self.stage,
            "rows_in": self.rows_in,
            "rows_out": self.rows_out,
            "dropped": canonical_json(self.dropped),
            "seconds": seconds,
        }
