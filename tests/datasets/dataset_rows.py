"""One plausible row for every dataset, made from its declaration."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from edge.datasets.columns import Column, Schema
from edge.datasets.schemas import schema_of

CASES = Path(__file__).parents[3] / "shared" / "hard-inputs" / "cases.json"
NOW = datetime(2026, 11, 29, 14, 30, tzinfo=UTC)


def example(dataset: str, number: int = 0, **given: object) -> dict[str, object]:
    """A full row of the dataset; rows of different numbers have different keys."""
    schema = schema_of(dataset)
    row = {c.name: _value(schema, c, number) for c in schema.columns if c.name != "schema_version"}
    return {**row, **given}


def ledger(stage: str, seconds: float | None = None) -> dict[str, object]:
    return {"run_id": "r1", "stage": stage, "rows_in": 3, "rows_out": 2, "dropped": {"empty": 1}, "seconds": seconds}


def _value(schema: Schema, column: Column, number: int) -> object:
    values: dict[str, object] = {
        "text": f"{column.name}-{number}" if column.name in schema.key else "강남구",
        "json": {"lawdCd": "01110", "n": number},
        "int": number,
        "float": number / 3,
        "flag": True,
        "texts": ["FAN", "DRV"],
        "time": NOW,
    }
    return values[column.kind]
