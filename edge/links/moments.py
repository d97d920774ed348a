"""Dates and times in the spellings of the platforms become those that a parameter wants (text -> text)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta

from edge.ids import Json

_DATE = re.compile(
    r"^(?P<Y>\d{4})[-./년 ]*(?:(?P<m>\d{1,2})[-./월 ]*)?(?:(?P<d>\d{1,2})[일.]?)?"
    r"(?:[T ]*(?P<H>\d{2}):?(?P<M>\d{2})(?::?\d{2}(?:\.\d+)?)?)?$"
)


def parse_date(text: str) -> datetime | None:
    """Parse the date spellings of the platforms: digits only, dashes, dots, slashes, with or without day and time."""
    compact = text.strip()
    if compact.isdigit() and len(compact) in (6, 8, 10, 12, 14):
        compact = f"{compact[:4]}-{compact[4:6]}" + (f"-{compact[6:8]}" if len(compact) > 6 else "")
        tail = text.strip()[8:12]
        compact += f" {tail[:2]}:{tail[2:] or '00'}" if tail else ""
    match = _DATE.match(compact)
    if match is None:
        return None
    parts = {key: int(value) for key, value in match.groupdict().items() if value}
    hour = parts.get("H", 0)  # measurements of a whole day are stamped 24:00 of that day
    try:
        return datetime(parts["Y"], parts.get("m", 1), parts.get("d", 1), 0 if hour == 24 else hour, parts.get("M", 0))
    except ValueError:
        return None


def rewritten(value: str, _: Mapping[str, Json], args: tuple[str, ...]) -> str | None:
    """Write a date by the strftime pattern `args`; a colon in the pattern has parted it."""
    moment = parse_date(value)
    return moment.strftime(":".join(args)) if moment else None


def shifted(value: str, _: Mapping[str, Json], args: tuple[str, ...]) -> str | None:
    """Write the date `args[0]` days later: platforms ask for the first day that is not meant any more."""
    moment = parse_date(value)
    try:
        return (moment + timedelta(days=int(args[0]))).strftime(":".join(args[1:])) if moment else None
    except OverflowError:
        return None


def floored(value: str, _: Mapping[str, Json], args: tuple[str, ...]) -> str | None:
    """Return the latest of the issue times in `args` that is not after the value's; None before the first of a day."""
    time = value.strip().replace(":", "")
    return max((slot for slot in args[0].split(",") if len(slot) == len(time) and slot <= time), default=None)
