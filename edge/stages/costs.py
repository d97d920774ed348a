"""Usage rows of a version -> what its models cost, by stage, and beside it the price by hand (usage -> ledger)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from edge.datasets.store import Store
from edge.llm.estimates import Saving
from edge.llm.prices import dollars


@dataclass(frozen=True, slots=True)
class StageCost:
    """What a stage asked of a model. `usd` is None where no price is known."""

    stage: str
    model: str
    calls: int
    cached_calls: int
    input_tokens: int
    output_tokens: int
    usd: float | None

    def said(self) -> str:
        """Return the cost in one line."""
        kept = f", {self.cached_calls:,} of them from kept answers" if self.cached_calls else ""
        cost = "no price known" if self.usd is None else dollars(self.usd)
        tokens = f"{self.input_tokens:,} tokens in, {self.output_tokens:,} out"
        return f"{self.stage} ({self.model}): {self.calls:,} prompts{kept}; {tokens}; {cost}"


def costs_of(root: Path, version: str) -> list[StageCost]:
    """Return what the models of a version were asked, by stage; nothing where all was written offline."""
    rows = [row for row in Store(root).rows("usage", version) if row["provider"] != "offline"]
    return [
        StageCost(
            str(row["stage"]),
            str(row["model"]),
            *(int(str(row[name])) for name in ("calls", "cached_calls", "input_tokens", "output_tokens")),
            usd=None if row["cost_usd"] is None else float(str(row["cost_usd"])),
        )
        for row in rows
    ]


def saving_of(costs: list[StageCost], rows: int, usd_a_row_by_hand: float) -> Saving | None:
    """Return the ledger of a version; None where a cost is not known, or no model was asked."""
    known = [cost.usd for cost in costs if cost.usd is not None]
    return Saving(rows, sum(known), usd_a_row_by_hand) if costs and len(known) == len(costs) else None
