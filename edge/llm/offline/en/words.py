"""Wire values <-> how they are written in English, and what must be heard in an English request."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from edge.llm.offline.plain import distance, wire_moment

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_SPOKEN = re.compile(
    rf"(?:(?:(?P<day>\d{{1,2}}) )?(?P<month>{'|'.join(_MONTHS)}) )?(?P<year>\d{{4}})"
    r"(?: at (?P<hour>\d{2}):(?P<minute>\d{2}))?"
)
_CLOCK = re.compile(r"([01]\d|2[0-4]):?([0-5]\d)(?::?[0-5]\d)?")


def date_of(value: str) -> str:
    """Return "3 May 2026", "May 2026", "2026" or "3 May 2026 at 14:30"; other text unchanged."""
    read = wire_moment(value)
    if read is None:
        return value
    moment, kind = read
    month = f"{_MONTHS[moment.month - 1]} {moment.year:04d}"
    if kind in ("year", "month"):
        return month if kind == "month" else f"{moment.year:04d}"
    return f"{moment.day} {month}" + (f" at {moment:%H:%M}" if kind == "datetime" else "")


def read_date(text: str, pattern: str | None = None) -> str | None:
    """Return the wire form of a written date, by `pattern` (strptime) if there is one; None for other text."""
    match = _SPOKEN.fullmatch(text.strip())
    if match is None:
        return None
    day, month, hour = match["day"], match["month"], match["hour"]
    wanted = pattern or ("%Y%m%d%H%M" if hour else "%Y%m%d" if day else "%Y%m" if month else "%Y")
    if ("%d" in wanted and not day) or ("%m" in wanted and not month) or ("%H" in wanted and not hour):
        return None
    try:
        moment = datetime(
            int(match["year"]), _MONTHS.index(month) + 1 if month else 1, int(day or 1), int(hour or 0),
            int(match["minute"] or 0),
        )  # fmt: skip
    except ValueError:
        return None
    return moment.strftime(wanted)


def time_of(value: str) -> str:
    """Return "14:30" for "1430"; other text unchanged."""
    match = _CLOCK.fullmatch(value.strip())
    return f"{match[1]}:{match[2]}" if match else value


def read_time(text: str) -> str | None:
    """Return the wire form of a written time of day; None for other text."""
    match = _CLOCK.fullmatch(text.strip())
    return f"{match[1]}{match[2]}" if match else None


def measure(text: str, unit: str | None) -> str:
    """Return a number grouped, with its unit behind a space (a sign like % or a degree directly)."""
    plain = text.replace(",", "").strip()
    if not re.fullmatch(r"[+-]?\d+(?:\.\d+)?", plain):
        return text
    whole, point, fraction = plain.partition(".")
    sign = whole[0] if whole[0] in "+-" else ""
    grouped = f"{sign}{int(whole.removeprefix(sign)):,}{point}{fraction}"
    return grouped if not unit else f"{grouped}{'' if unit in '%℃°' else ' '}{unit}"


def near_month(text: str, today: str) -> str | None:
    """Return "last month", "this month" or "next month" where the written month is that."""
    away = distance(read_date(text), today, "month")
    return None if away is None else {0: "this month", -1: "last month", 1: "next month"}.get(away)


def near_day(text: str, today: str) -> str | None:
    """Return "yesterday", "today" or "tomorrow" where the written date is that."""
    away = distance(read_date(text), today, "date")
    return None if away is None else {0: "today", -1: "yesterday", 1: "tomorrow"}.get(away)


def near_year(text: str, today: str) -> str | None:
    """Return "last year", "this year" or "next year" where the written year is that."""
    away = distance(read_date(text), today, "year")
    return None if away is None else {0: "this year", -1: "last year", 1: "next year"}.get(away)


def names_moment(label: str) -> bool:
    """Whether a label names a date."""
    return bool(re.search(r"\b(?:date|month|year|as of)$", label, re.IGNORECASE))


def people(domain: str) -> tuple[str, ...]:
    """Return who plausibly asks about a domain."""
    return _PEOPLE.get(domain, ("a civil servant", "a journalist", "a student"))


def asked(label: str, noun: str) -> tuple[str, ...]:
    """Return the ways to ask for a value: its label, without remarks in brackets."""
    return (label, re.sub(r"\s*\([^)]*\)", "", label).strip() or label)


_PEOPLE: Mapping[str, tuple[str, ...]] = {
    "real estate": ("someone looking for a flat", "an estate agent"),
    "healthcare": ("a carer", "a paramedic"),
    "education": ("a parent", "a teacher"),
    "finance": ("a private investor", "an auditor"),
    "law": ("an in-house lawyer", "a law student"),
    "transport": ("a commuter", "a traveller"),
}
CRITERIA: Mapping[str, str] = {
    "max": r"highest|largest|most|maximum|biggest|top",
    "min": r"lowest|smallest|least|minimum|fewest",
    "latest": r"latest|most recent|newest|last",
    "earliest": r"earliest|first|oldest",
    "nearest": r"nearest|closest",
    "count": r"how many|number of|count|\bany\b|at least|more than",
    "sum": r"total|sum|altogether",
    "mean": r"average|mean",
    "distinct": r"different|distinct|unique",
    "top": r"highest|largest|top|most",
    "bottom": r"lowest|smallest|bottom|fewest|least",
    "at_least": r"at least|or more|no less|over|above|from",
    "at_most": r"at most|or less|no more|under|below|up to",
    "contains": r"contain|with|includ|in (?:its|the) name",
}
BRANCHING = r"\bif\b|in case|otherwise"
COMPARING = r"compar|which|than|more|most|least|fewe"
REQUESTING = r"\?|please|tell me|know|look up|find out|confirm|check|request|needed|ask|let me|show|give"
RELATIVE = r"\b(?:last|this|next) (?:day|week|month|year)\b|\byesterday\b|\btoday\b|\btomorrow\b"
