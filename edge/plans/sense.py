"""Does a chain of calls that runs also make sense? (link, records -> verdict)

Execution proves that a call returns records, not that they are the records a person means: half a region code, a name
that two things share, a period that the platform cuts short. What can be told from signatures and answers is told here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from edge.calls import Record
from edge.links.model import Link
from edge.links.moments import parse_date
from edge.links.paths import get_path, scalar
from edge.links.periods import range_end
from edge.plans.reducers import moment
from edge.specs.model import Kind, Parameter, Tool

_LEVELS = (re.compile("시도"), re.compile("시군구|구시군|구군"), re.compile("읍면동|법정동"))
_ABSOLUTE = ("5", "8", "10")  # codes of these lengths carry the levels above them
_SLACK = timedelta(days=10)
_FEW = 10
_ID_LENGTH = 5
PLACED: frozenset[Kind] = frozenset({"longitude", "latitude", "grid", "projected_x", "projected_y"})


def hangs_in_the_air(link: Link, target: Tool) -> bool:
    """Whether a link binds a lower region level and leaves out the level above it that the target also takes.

    A district's name or three-digit code exists in several provinces.
    """
    bound = {b.target_parameter for b in link.bindings}
    for parameter in target.offered:
        level = _level(parameter)
        if parameter.name not in bound or level in (None, 0) or parameter.format in _ABSOLUTE:
            continue
        above = [p for p in target.offered if _level(p) == (level or 0) - 1]
        if above and not any(p.name in bound for p in above):
            return True
    return False


def _level(parameter: Parameter) -> int | None:
    if parameter.kind not in ("code", "name", "unknown", "text"):
        return None
    return next((n for n, pattern in enumerate(_LEVELS) if pattern.search(parameter.label)), None)


def around_itself(link: Link, source: Tool, target: Tool) -> bool:
    """Whether a link leads from a place to what else of its kind lies around: the chemists around a chemist."""
    placed = [p for b in link.bindings if (p := target.parameter(b.target_parameter)) and p.kind in PLACED]
    return len(placed) > 1 and bool(source.noun) and source.noun == target.noun


def other_identity(source: Record, records: Sequence[Record], codes: Sequence[str]) -> bool:
    """Whether the records are about another thing: they share an identifier field with the source but not its value.

    `codes` are the paths of the target's code fields.
    """
    for path in codes:
        wanted = (scalar(get_path(source, path)) or "").strip()
        if len(wanted) < _ID_LENGTH:
            continue
        found = {(scalar(get_path(r, path)) or "").strip() for r in records} - {""}
        if found and wanted not in found:
            return True
    return False


def other_name(link: Link, source: Tool, target: Tool, record: Record, records: Sequence[Record]) -> bool:
    """Whether one key gives things of two names: tables of codes count from 1 each, so that 1 is in all of them.

    Told only where both tools have key and name at the same paths, and the key is handed on as it is.
    """
    same_key = any(b.transform is None and target.output(b.source_path) is not None for b in link.bindings)
    if not same_key or source.name_field is None or source.name_field != target.name_field:
        return False
    keyed = [b.source_path for b in link.bindings if target.output(b.source_path) is not None]
    name = (scalar(get_path(record, source.name_field)) or "").strip()
    same = [r for r in records if all(scalar(get_path(r, p)) == scalar(get_path(record, p)) for p in keyed)]
    names = {(scalar(get_path(r, source.name_field)) or "").strip() for r in same} - {""}
    return len(same) == len(records) == 1 and bool(name) and bool(names) and name not in names


def cut_short(tool: Tool, arguments: Mapping[str, str], records: Sequence[Record]) -> bool:
    """Whether a period was asked for and the records end well before its end: the platform gave only the first part."""
    last = next((arguments[p.name] for p in tool.offered if p.name in arguments and range_end(p) == "end"), None)
    end = parse_date(last) if last else None
    if end is None or len(records) < _FEW:
        return False
    for field in tool.outputs:
        if field.kind in ("date", "datetime", "month"):
            seen = [m for r in records if (m := moment(get_path(r, field.path))) is not None]
            if len(seen) >= _FEW and len(set(seen)) >= _FEW:
                return max(seen) < end - _SLACK
    return False


def in_future(value: object, now: datetime) -> bool:
    """Whether a date lies after today: "the most recent" is no word for it."""
    when = moment(value)
    return when is not None and when > now
