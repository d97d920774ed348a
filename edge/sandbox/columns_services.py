"""Column functions of the smaller gateway services: whole metres, clock times with a colon, padded coordinates."""

from edge.sandbox.model import Row
from edge.sandbox.registry import column


@column("whole_metres")
def whole_metres(value: object, _row: Row) -> object:
    """A distance as a whole number."""
    return round(float(str(value or 0)))


@column("colon_time")
def colon_time(value: object, _row: Row) -> object:
    """0530 -> 05:30."""
    text = str(value)
    return f"{text[:2]}:{text[2:4]}"


@column("all_of_them")
def all_of_them(value: object, _row: Row) -> object:
    """전체 and All as a filter that every row passes."""
    return "" if str(value) in ("전체", "All") else value
