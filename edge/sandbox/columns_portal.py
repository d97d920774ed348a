"""Column functions of procurement and portal services: padded amounts, halves of a stamp, parts of codes."""

from edge.sandbox.model import Row
from edge.sandbox.registry import column


@column("padded")
def padded(value: object, _row: Row) -> object:
    """An amount as fifteen digits, so that it can be compared as text."""
    return str(value).zfill(15)


@column("stamp_day")
def stamp_day(value: object, _row: Row) -> object:
    """2026-06-15 10:00:00 -> 2026-06-15."""
    return str(value)[:10]


@column("stamp_time")
def stamp_time(value: object, _row: Row) -> object:
    """2026-06-15 10:00:00 -> 10:00."""
    return str(value)[11:16]


@column("stamp_minutes")
def stamp_minutes(value: object, _row: Row) -> object:
    """2026-06-15 10:00:00 -> 2026-06-15 10:00."""
    return str(value)[:16]


@column("year_of")
def year_of(value: object, _row: Row) -> object:
    """20260615 -> 2026."""
    return str(value)[:4]
