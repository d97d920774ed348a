"""Two recordings, or a recording and an endpoint -> the operations whose answers no longer have the same shape."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from edge.calls import Record
from edge.execution.answers import Answers
from edge.execution.decoding import decode_body
from edge.execution.failures import judge
from edge.execution.takes import Index, PageEntry
from edge.execution.tapes import read_page
from edge.specs.differences import ENOUGH_RECORDS, Difference
from edge.specs.model import Tool
from edge.specs.observing import Observed, observe

_PAGES = 5  # of one operation; the same questions tell most
_CONCURRENCY = 8


@dataclass(frozen=True, slots=True)
class Drift:
    """One operation that answers in another way; `difference` says then (declared) and now (observed)."""

    operation: str
    difference: Difference


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of a comparison. `unreached` counts operations that gave no answer now, for reasons of their own."""

    operations: int
    drifts: tuple[Drift, ...]
    unreached: int = 0


@dataclass(frozen=True, slots=True)
class _Seen:
    """The records of some answers of an operation; `tells`: their format writes fields without a value as well."""

    records: tuple[Record, ...]
    tells: bool


def compare_takes(then: Index, now: Index, tools: Sequence[Tool]) -> Compared:
    """Compare what two recorded runs heard, on the same questions where both asked them."""
    drifts: list[Drift] = []
    compared = 0
    for tool in tools:
        earlier, later = (_first(index.operations.get(tool.operation_key, ())) for index in (then, now))
        good = {identity: entry for identity, entry in earlier.items() if entry.outcome == "ok"}
        if not good or not later:
            continue
        compared += 1
        both = [identity for identity in good if identity in later]
        if both:
            drifts += _refused(tool, [later[identity] for identity in both])
            both = [one for one in both if later[one].outcome == "ok" and later[one].body_hash != good[one].body_hash]
            pairs = ([good[one] for one in both[:_PAGES]], [later[one] for one in both[:_PAGES]])
        else:
            pairs = (list(good.values())[:_PAGES], [e for e in later.values() if e.outcome == "ok"][:_PAGES])
        if all(pairs):
            drifts += _differ(tool, _seen(then, tool, pairs[0]), _seen(now, tool, pairs[1]))
    return Compared(compared, _sorted(drifts))


async def compare_endpoint(then: Index, answers: Answers, tools: Sequence[Tool]) -> Compared:
    """Ask one recorded question of every operation again and compare the answers."""
    gate = asyncio.Semaphore(_CONCURRENCY)

    async def again(tool: Tool) -> list[Drift] | None:
        entries = _first(then.operations.get(tool.operation_key, ()))
        good = [entry for entry in entries.values() if entry.outcome == "ok"][:1]
        if not good:
            return []
        arguments = cast("Mapping[str, str] | None", read_page(then, good[0].place)[0].get("arguments"))
        async with gate:
            look = await answers.look(tool, arguments or {})
        outcome = look.outcome
        if outcome.outcome == "structural":
            return [_answers(tool, outcome.reason)]
        if not outcome.ok or look.decoded is None:
            return None
        now = _Seen(outcome.records, look.decoded.kind == "json")
        return _differ(tool, _seen(then, tool, good), now)

    known = [tool for tool in tools if tool.operation_key in then.operations]
    found = await asyncio.gather(*(again(tool) for tool in known))
    drifts = [drift for listed in found if listed for drift in listed]
    return Compared(len(known), _sorted(drifts), sum(listed is None for listed in found))


def _first(entries: Sequence[PageEntry]) -> dict[str, PageEntry]:
    """Return the first page of every question."""
    found: dict[str, PageEntry] = {}
    for entry in entries:
        found.setdefault(entry.identity, entry)
    return found


def _refused(tool: Tool, entries: Sequence[PageEntry]) -> list[Drift]:
    """Return the drift of an operation that no longer understands what it was asked then."""
    if any(entry.outcome in ("ok", "empty") for entry in entries):
        return []
    reason = next((entry.reason for entry in entries if entry.outcome == "structural"), "")
    return [_answers(tool, reason)] if reason else []


def _answers(tool: Tool, reason: str) -> Drift:
    return Drift(tool.operation_key, Difference("missing_wrapper", "", "ok", reason, "no records any more"))


def _seen(index: Index, tool: Tool, entries: Sequence[PageEntry]) -> _Seen:
    records: list[Record] = []
    tells = True
    for entry in entries:
        _, kept = read_page(index, entry.place)
        if kept is None or kept.settled is not None:
            continue
        decoded = kept.decoded or decode_body(kept.body, kept.content_type)
        tells = tells and decoded.kind == "json"
        records += judge(tool, kept.status or 0, decoded).records
    return _Seen(tuple(records), tells)


def _differ(tool: Tool, then: _Seen, now: _Seen) -> list[Drift]:
    if not then.records or not now.records:
        return []
    before, after = ({one.path: one for one in observe(seen.records)} for seen in (then, now))
    found = [*_changed(before, after, then.tells and now.tells)]
    if _tells_missing(now):
        found += [Difference("missing_field", p, _kind(o), "") for p, o in before.items() if _gone(p, o, after)]
    if _tells_missing(then):
        found += [Difference("extra_field", p, "", _kind(o)) for p, o in after.items() if _gone(p, o, before)]
    return [Drift(tool.operation_key, difference) for difference in found]


def _tells_missing(seen: _Seen) -> bool:
    """Whether a field that is not there is gone: XML leaves out fields without a value."""
    return seen.tells or len(seen.records) >= ENOUGH_RECORDS


def _gone(path: str, observed: Observed, others: Mapping[str, Observed]) -> bool:
    return observed.type is not None and path not in others and _other_repeats(path, others) is None


def _changed(before: Mapping[str, Observed], after: Mapping[str, Observed], tells: bool) -> Iterator[Difference]:
    for path, observed in before.items():
        other = after.get(path)
        if other is None:
            repeated = _other_repeats(path, after)
            if repeated is not None and tells:
                yield Difference("repeats_differ", path, path, repeated)
        elif observed.type and other.type and _kind(observed) != _kind(other):
            yield Difference("wrong_type", path, _kind(observed), _kind(other))


def _other_repeats(path: str, others: Mapping[str, Observed]) -> str | None:
    bare = path.replace("[]", "")
    return next((other for other in others if other != path and other.replace("[]", "") == bare), None)


def _kind(observed: Observed) -> str:
    """Return the JSON type; a whole number is a number that happens to be whole."""
    return "number" if observed.type == "integer" else observed.type or "null"


def _sorted(drifts: Sequence[Drift]) -> tuple[Drift, ...]:
    return tuple(sorted(drifts, key=lambda one: (one.operation, one.difference.kind, one.difference.path)))


def rows_of(compared: Compared) -> Iterator[tuple[str, ...]]:
    """Yield a row for each drift: operation, kind, path, then, now."""
    for drift in compared.drifts:
        one = drift.difference
        yield drift.operation, one.kind, one.path, one.declared, one.observed
