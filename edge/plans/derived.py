"""Values that no response holds: how one is written as a path, and made again from it (path, calls -> value).

`count(records[*])`, `sum(records[0,3].salesAmt)`, `mean(...)`, `distinct(...)` work on the records of one call, "*"
being all of them. `max(c3:records[0].popCnt;c4:sum(records[*].popCnt))` works on values of several calls. "total" is
the number of records, `records[3].popCnt` the value that a record holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import cast

from edge.links.paths import get_path, scalar
from edge.plans.model import Comparison, Reducer, ReducerKind
from edge.plans.reducers import NotUnique, computed, exact
from edge.plans.runner import ExecutedCall, Execution

_COMPUTED = re.compile(r"(count|sum|mean|distinct)\(records\[(\*|\d+(?:,\d+)*|)\](?:\.(.+))?\)")
_COMPARED = re.compile(r"(max|min)\((c\d+:.+)\)")
_HELD = re.compile(r"records\[(\d+)\]\.(.+)")
_BETWEEN = re.compile(r";(?=c\d+:)")


def computed_path(reducer: Reducer, call: ExecutedCall) -> str:
    """Return how the value of a computing reducer is made from the call's records."""
    count = len(call.outcome.records)
    if reducer.kind == "count" and len(call.chosen) == count:
        return "total"
    which = "*" if len(call.chosen) == count else ",".join(map(str, sorted(call.chosen)))
    behind = f".{reducer.field}" if reducer.kind != "count" and reducer.field else ""
    return f"{reducer.kind}(records[{which}]{behind})"


def compared_path(
    comparison: Comparison, reducers: Mapping[str, Reducer], execution: Execution
) -> tuple[str, ExecutedCall]:
    """Return the path of a comparison's winning value, and the call that wins; `reducers` are those of its steps.

    Raises:
        ValueError: a value is missing or is no number, or two calls share the best one.
    """
    calls = [c for step in comparison.steps for c in execution.of(step)]
    paths = [_compared(comparison, reducers[c.step_id], c) for c in calls]
    values = [exact(read_path(p, c)) for p, c in zip(paths, calls, strict=True)]
    known = [v for v in values if v is not None]
    if len(known) != len(calls) or len(calls) < 2:
        raise ValueError("no_value")
    best = max(known) if comparison.kind == "max" else min(known)
    if known.count(best) != 1:
        raise ValueError("tie")
    parts = ";".join(f"{c.call_id}:{p}" for c, p in zip(calls, paths, strict=True))
    return f"{comparison.kind}({parts})", calls[known.index(best)]


def _compared(comparison: Comparison, reducer: Reducer, call: ExecutedCall) -> str:
    if comparison.field is None:
        if not reducer.computes:
            raise ValueError("no_value")
        return computed_path(reducer, call)
    if len(call.chosen) != 1:
        raise ValueError("many")
    return f"records[{call.chosen[0]}].{comparison.field}"


def read_path(path: str, call: ExecutedCall, execution: Execution | None = None) -> str | None:
    """Return the value at a path of a call, made again where it is computed; None where it leads nowhere."""
    if path == "total":
        return str(len(call.outcome.records))
    if made := _COMPUTED.fullmatch(path):
        return _made(made.group(1), made.group(2), made.group(3), call)
    if compared := _COMPARED.fullmatch(path):
        return _best(compared.group(1), _BETWEEN.split(compared.group(2)), call, execution)
    held = _HELD.fullmatch(path)
    if held is None or int(held.group(1)) >= len(call.outcome.records):
        return None
    return scalar(get_path(call.outcome.records[int(held.group(1))], held.group(2)))


def _made(kind: str, which: str, field: str | None, call: ExecutedCall) -> str | None:
    count = len(call.outcome.records)
    chosen = range(count) if which == "*" else [int(i) for i in which.split(",") if i]
    if any(i >= count for i in chosen):
        return None
    try:
        return computed(Reducer(cast("ReducerKind", kind), field), call.outcome.records, list(chosen))
    except NotUnique:
        return None


def _best(kind: str, parts: Sequence[str], winner: ExecutedCall, execution: Execution | None) -> str | None:
    """The best of several calls' values; None unless it is the winner's alone."""
    if execution is None:
        return None
    texts: dict[str, str | None] = {}
    for part in parts:
        call_id, _, path = part.partition(":")
        call = next((c for c in execution.calls if c.call_id == call_id), None)
        texts[call_id] = read_path(path, call) if call else None
    values = {c: exact(t) for c, t in texts.items()}
    own = values.get(winner.call_id)
    if own is None or any(v is None for v in values.values()):
        return None
    others = [v for c, v in values.items() if c != winner.call_id and v is not None]
    wins = all(own > v if kind == "max" else own < v for v in others)
    return texts[winner.call_id] if wins else None
