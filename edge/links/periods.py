"""Moments of one call -> moments that agree: in the year given, begun before they end, written as the cycle says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from edge.links.evidence_rules import words
from edge.specs.model import Kind, Parameter, Tool
from edge.text import compact

DEFAULT_FORMATS: dict[Kind, str] = {
    "date": "%Y%m%d",
    "month": "%Y%m",
    "year": "%Y",
    "datetime": "%Y%m%d%H%M",
    "time": "%H%M",
}
_SPANS: dict[Kind, int] = {"year": 1, "month": 2, "date": 3, "datetime": 4}  # how fine; a time of day is of any day
_BEGIN = frozenset({"bgn", "begin", "start", "from", "fr"})
_END = frozenset({"end", "to", "ed"})
_BEGIN_LABEL, _END_LABEL = ("시작", "부터"), ("종료", "까지", "끝")
_CYCLES: dict[str, Kind | None] = {
    **dict.fromkeys(("연", "년", "연간", "annual", "yearly", "year"), "year"),
    **dict.fromkeys(("월", "월간", "monthly", "month"), "month"),
    **dict.fromkeys(("일", "일간", "daily", "day"), "date"),
    **dict.fromkeys(("반년", "반기", "분기", "반월", "주", "주간", "quarterly", "quarter", "weekly", "week"), None),
}


def fineness(parameter: Parameter) -> int:
    """Return how fine a moment is, from 1 for a year; 0 for what is no moment."""
    return _SPANS.get(parameter.kind, 0)


def pattern_of(parameter: Parameter) -> str | None:
    """Return the strftime format of a moment; None for what is no moment."""
    written = parameter.format if parameter.format and "%" in parameter.format else None
    return written or DEFAULT_FORMATS.get(parameter.kind)


def range_end(parameter: Parameter) -> Literal["begin", "end"] | None:
    """Which end of a period a date parameter is, told by its name or label."""
    parts = set(words(parameter.name))
    if parts & _BEGIN or any(w in parameter.label for w in _BEGIN_LABEL):
        return "begin"
    if parts & _END or any(w in parameter.label for w in _END_LABEL):
        return "end"
    return None


def in_cycle(tool: Tool, parameter: Parameter, given: Mapping[str, str]) -> Parameter:
    """Return a moment as the cycle that is given wants it: a year for yearly figures, a day for daily ones.

    A cycle is an enumeration of which three labels or more are words for it. Quarters and the like are written in as
    many ways as there are platforms: there the document's own format stays.
    """
    for other in tool.offered:
        if other.name not in given or parameter.kind not in _SPANS:
            continue
        said = {e.value: compact(e.label) for e in other.enum if compact(e.label) in _CYCLES}
        kind = _CYCLES[said[given[other.name]]] if len(said) > 2 and given[other.name] in said else None
        if kind is not None and kind != parameter.kind:
            return replace(parameter, kind=kind, format=None)
    return parameter


def anchor(tool: Tool, parameter: Parameter, given: Mapping[str, str], now: datetime) -> datetime:
    """Return the moment before which a value is looked for: the end of the year, month or period given, at most now.

    What one moment says binds another where it is coarser or the other end of the same period.
    """
    for other, moment in _moments(tool, parameter, given):
        if range_end(parameter) == range_end(other) is not None or not _binds(other, parameter):
            continue
        now = min(now, _last_of(other, moment))
    return now


def agrees(tool: Tool, parameter: Parameter, given: Mapping[str, str], value: str) -> bool:
    """Whether a value lies in the year or month given, and does not end a period before it begins."""
    mine = read_moment(parameter, value)
    if mine is None:
        return True
    end = range_end(parameter)
    for other, moment in _moments(tool, parameter, given):
        theirs = range_end(other)
        if end is not None and theirs is not None and end != theirs:
            if (mine < moment) if end == "end" else (mine > moment):
                return False
        elif end is None and _binds(other, parameter) and not moment <= mine <= _last_of(other, moment):
            return False
    return True


def read_moment(parameter: Parameter, value: str) -> datetime | None:
    """Return the moment a value says, with its year; None where it says none."""
    pattern = pattern_of(parameter)
    if pattern is None or "%Y" not in pattern or parameter.kind not in _SPANS:
        return None
    try:
        return datetime.strptime(value, pattern)
    except ValueError:
        return None


def _binds(other: Parameter, parameter: Parameter) -> bool:
    if range_end(other) is None and range_end(parameter) is None:
        return _SPANS[other.kind] < _SPANS[parameter.kind]
    return range_end(other) == "end" and range_end(parameter) == "begin"


def _moments(tool: Tool, parameter: Parameter, given: Mapping[str, str]) -> list[tuple[Parameter, datetime]]:
    """The other moments of a call that are known."""
    if parameter.kind not in _SPANS:
        return []
    others = [in_cycle(tool, p, given) for p in tool.offered if p.name in given and p.name != parameter.name]
    read = ((other, read_moment(other, given[other.name])) for other in others)
    return [(other, moment) for other, moment in read if moment is not None]


def _last_of(parameter: Parameter, moment: datetime) -> datetime:
    """The last minute of a year, month or day; a moment itself."""
    match parameter.kind:
        case "year":
            return moment.replace(month=12, day=31, hour=23, minute=59)
        case "month":
            following = (moment.replace(day=28) + timedelta(days=4)).replace(day=1)
            return following - timedelta(minutes=1)
        case "date":
            return moment.replace(hour=23, minute=59)
        case _:
            return moment
