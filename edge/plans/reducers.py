"""Records become the few that matter, deterministically (Outcome -> chosen records)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from edge.calls import Record
from edge.links.moments import parse_date
from edge.links.paths import get_path, scalar
from edge.plans.model import Reducer

_NUMBER = re.compile(r"^\s*(-?\d[\d,]*(?:\.\d+)?|-?\.\d+)\s*([^\d\s\-.,:/~]\S{0,6})?\s*$")


class NotUnique(Exception):
    """The reducer does not single out what it must; `reason` says how: tie, no_match, many, no_value."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def number(value: object) -> float | None:
    """Read a number as the platforms write it ("125,000", "650.2 Kcal", "1,710원"); None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    match = _NUMBER.match(value) if isinstance(value, str) else None
    return float(match.group(1).replace(",", "")) if match else None


def moment(value: object) -> datetime | None:
    """Read a date or time stamp; None for anything else."""
    text = str(value) if isinstance(value, int) else value
    return parse_date(text) if isinstance(text, str) else None


def reduce_records(reducer: Reducer, records: Sequence[Record]) -> tuple[int, ...]:
    """Return the positions of the records that the reducer leaves, in record order.

    Raises:
        NotUnique: where "only" meets several records, a filter matches none or several, or an extreme is shared.
    """
    if reducer.kind in ("all", "count"):
        return tuple(range(len(records)))
    if reducer.kind == "only":
        if len(records) != 1:
            raise NotUnique("many" if records else "no_match")
        return (0,)
    if reducer.kind == "filter":
        return (_matching(reducer, records),)
    if reducer.kind in ("max", "min", "latest", "earliest"):
        return (_extreme(reducer, records),)
    raise NotUnique("no_value")


def _matching(reducer: Reducer, records: Sequence[Record]) -> int:
    wanted = (reducer.value or "").strip()
    hits = [i for i, r in enumerate(records) if (scalar(get_path(r, reducer.field or "")) or "").strip() == wanted]
    if len(hits) != 1:
        raise NotUnique("many" if hits else "no_match")
    return hits[0]


def _extreme(reducer: Reducer, records: Sequence[Record]) -> int:
    read = number if reducer.kind in ("max", "min") else moment
    values = [(read(get_path(r, reducer.field or "")), i) for i, r in enumerate(records)]
    known = [(_ordinal(v), i) for v, i in values if v is not None]
    if not known:
        raise NotUnique("no_value")
    best = (max if reducer.kind in ("max", "latest") else min)(v for v, _ in known)
    holders = [i for v, i in known if v == best]
    if len(holders) != 1:
        raise NotUnique("tie")
    return holders[0]


def _ordinal(value: float | datetime) -> float:
    """Times have no zone here: `timestamp` would read them in that of the machine, where an hour can come twice."""
    return (value - datetime.min).total_seconds() if isinstance(value, datetime) else value


def unique_values(records: Sequence[Record], path: str) -> dict[str, int]:
    """Return the values that exactly one record has at `path`, each with that record's position."""
    texts = [(scalar(get_path(r, path)) or "").strip() for r in records]
    counts = Counter(texts)
    return {text: i for i, text in enumerate(texts) if text and counts[text] == 1}
