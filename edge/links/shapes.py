"""Records that a tool answered -> which fields they hold, and whether that is still what it answered before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from edge.calls import Record
from edge.ids import Json

ENOUGH_RECORDS = 10  # a field that all of so many records held and none of so many holds is gone; few prove nothing
_SAMPLE = 60
_ELEMENTS = 5  # of one list inside a record
_DEPTH = 6
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Shape:
    """What was seen of a tool's records: in how many of `records` each path had a value, and of which JSON kinds.

    Kinds are number, boolean, digits and text: what is told by the form of a value, in XML as well. Paths are spelled
    without "[]": XML gives a list of one as a single value.
    """

    records: int = 0
    holds: Mapping[str, int] = field(default_factory=dict[str, int])
    kinds: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def joined(self, other: Shape) -> Shape:
        """Return what both have seen."""
        holds = Counter(self.holds) + Counter(other.holds)
        paths = {*self.kinds, *other.kinds}
        kinds = {p: self.kinds.get(p, frozenset()) | other.kinds.get(p, frozenset()) for p in sorted(paths)}
        return Shape(self.records + other.records, dict(sorted(holds.items())), kinds)

    def plain(self) -> dict[str, Json]:
        """Return the shape as JSON: path -> [records that hold it, kinds]."""
        return {path: [number, sorted(self.kinds[path])] for path, number in self.holds.items()}

    @classmethod
    def of(cls, records: int, plain: Mapping[str, Json]) -> Shape:
        """Return the shape that such JSON says."""
        told = {path: cast("tuple[int, list[str]]", value) for path, value in plain.items()}
        kinds = {path: frozenset(found) for path, (_, found) in told.items()}
        return cls(records, {path: number for path, (number, _) in told.items()}, kinds)


def shape_of(records: Sequence[Record]) -> Shape:
    """Return the shape of records, of many an even sample; arguments of the call ("@name") are no part of it."""
    sample = records[:: max(1, len(records) // _SAMPLE)][:_SAMPLE]
    holds: Counter[str] = Counter()
    kinds: dict[str, set[str]] = {}
    for record in sample:
        seen: dict[str, set[str]] = {}
        for path, kind in _values({k: v for k, v in record.items() if not k.startswith("@")}, "", 0):
            seen.setdefault(path, set()).add(kind)
        holds.update(seen.keys())
        for path, found in seen.items():
            kinds.setdefault(path, set()).update(found)
    ordered = sorted(holds)
    return Shape(len(sample), {p: holds[p] for p in ordered}, {p: frozenset(kinds[p]) for p in ordered})


def drift(then: Shape, now: Shape) -> str:
    """Return what changed in a few words, "" where nothing did for sure.

    A field that is sometimes absent is no change, nor is one that has other kinds beside the known ones, nor a new one,
    on which nothing rests yet: only what all records had and none has, and values of no kind that was seen before.
    """
    found = [
        f"{path} was {_said(before)} and is {_said(now.kinds[path])}"
        for path, before in then.kinds.items()
        if path in now.kinds and _differ(before, now.kinds[path], min(then.holds[path], now.holds[path]))
    ]
    if min(then.records, now.records) >= ENOUGH_RECORDS:
        found += [f"{path} is gone" for path in _always(then) if path not in now.holds]
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return "; ".join(found[:_SHOWN]) + more


def _always(shape: Shape) -> list[str]:
    return [path for path, number in shape.holds.items() if number == shape.records]


def _differ(before: frozenset[str], after: frozenset[str], values: int) -> bool:
    """Whether no kind is shared; digits and other text are told apart only where `values` are many."""
    if values >= ENOUGH_RECORDS:
        return not before & after
    return not {_coarse(kind) for kind in before} & {_coarse(kind) for kind in after}


def _coarse(kind: str) -> str:
    return "text" if kind == "digits" else kind


def _said(kinds: frozenset[str]) -> str:
    return " or ".join(sorted(kinds))


def _values(value: Json, path: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield path and kind of every value that is there."""
    if isinstance(value, Mapping):
        if depth < _DEPTH:
            for name, item in value.items():
                yield from _values(item, f"{path}.{name}" if path else name, depth + 1)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for item in value[:_ELEMENTS]:
            yield from _values(item, path, depth + 1)
    elif value is not None:
        yield path, _kind(value)


def _kind(value: bool | float | str) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "digits" if value.isdecimal() else "text"
    return "number"
