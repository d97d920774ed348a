"""Outcome -> rows of the `outcomes` dataset, with the place in the run where each call was made."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

from edge.calls import Arguments, Outcome
from edge.ids import Json, canonical_json, digest

OUTCOME_COLUMNS = (
    "outcome_id", "run_id", "task_id", "step_id", "tool_id", "request", "status_code", "outcome", "reason", "attempts",
    "latency_ms", "n_records", "pages", "response_hash",
)  # fmt: skip


class Recorder(Protocol):
    """Is told every outcome of a gateway."""

    def record(self, outcome: Outcome) -> None:
        """Take note of an executed call."""
        ...


def outcome_id(tool_id: str, arguments: Arguments, all_pages: bool, place: str, ordinal: int) -> str:
    """Return an identity that does not depend on the run: the `ordinal`-th execution of a call in its place."""
    return digest(["outcome", tool_id, dict(sorted(arguments.items())), all_pages, place, ordinal])


def outcome_row(outcome: Outcome, run_id: str, task_id: str = "", step_id: str = "") -> dict[str, Json]:
    """Return the `outcomes` row of an executed call; `request` is canonical JSON without the key."""
    return {
        "outcome_id": outcome.outcome_id,
        "run_id": run_id,
        "task_id": task_id,
        "step_id": step_id,
        "tool_id": outcome.tool_id,
        "request": canonical_json(outcome.request),
        "status_code": outcome.status_code,
        "outcome": outcome.outcome,
        "reason": outcome.reason,
        "attempts": outcome.attempts,
        "latency_ms": outcome.latency_ms,
        "n_records": len(outcome.records),
        "pages": outcome.pages,
        "response_hash": outcome.response_hash,
    }


@dataclass(frozen=True, slots=True)
class _Place:
    task_id: str = ""
    step_id: str = ""


_NOWHERE = _Place()
_PLACE: ContextVar[_Place] = ContextVar("edge_execution_place", default=_NOWHERE)


def current_place() -> str:
    """Return where in the run the code stands: "<task>/<step>", "/" outside of all."""
    place = _PLACE.get()
    return f"{place.task_id}/{place.step_id}"


@contextmanager
def placed(task_id: str, step_id: str = "") -> Generator[None]:
    """Let calls made inside, and in asyncio tasks started inside, belong to this task and step."""
    token = _PLACE.set(_Place(task_id, step_id))
    try:
        yield
    finally:
        _PLACE.reset(token)


class RunLog:
    """Collects the outcome rows of a run, in an order that does not depend on which call came back first."""

    def __init__(self, run_id: str) -> None:
        """Start an empty log."""
        self.run_id = run_id
        self._rows: list[dict[str, Json]] = []

    def step(self, task_id: str, step_id: str = "") -> AbstractContextManager[None]:
        """Note calls made inside under this task and step; see `placed`."""
        return placed(task_id, step_id)

    def record(self, outcome: Outcome) -> None:
        """Add the row of an executed call."""
        place = _PLACE.get()
        self._rows.append(outcome_row(outcome, self.run_id, place.task_id, place.step_id))

    def rows(self) -> list[dict[str, Json]]:
        """Return the rows, sorted by task, step and outcome."""
        return sorted(
            self._rows, key=lambda row: tuple(str(row[name]) for name in ("task_id", "step_id", "outcome_id"))
        )

    def __len__(self) -> int:
        """Return the number of calls noted."""
        return len(self._rows)
