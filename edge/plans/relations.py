"""How a date lies to today, where people have a word for it (wire value, today -> "month-1")."""

from __future__ import annotations

from datetime import datetime

from edge.plans.reducers import moment
from edge.specs.model import Parameter

_DAYS = range(-2, 2)  # the day before yesterday to tomorrow
_MONTHS = (-1, 0)
_YEARS = (-2, -1, 0)


def relation_of(parameter: Parameter, value: str, now: datetime) -> str | None:
    """Return the relation of a date, month or year to today: "day-1" is yesterday, "month-1" last month; else None."""
    when = moment(f"{value}0101" if parameter.kind == "year" and len(value) == 4 else value)
    if when is None:
        return None
    if parameter.kind == "year":
        return _relation("year", when.year - now.year, _YEARS)
    if parameter.kind == "month":
        return _relation("month", (when.year - now.year) * 12 + when.month - now.month, _MONTHS)
    if parameter.kind == "date":
        return _relation("day", (when.date() - now.date()).days, _DAYS)
    return None


def _relation(unit: str, steps: int, known: range | tuple[int, ...]) -> str | None:
    return f"{unit}{steps:+d}" if steps in known else None
