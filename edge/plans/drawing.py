"""Reducers that leave several records or make one value of many, as a person would say them (records -> Sayable)."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from itertools import pairwise

from edge.calls import Record
from edge.links.paths import get_path, scalar
from edge.plans.model import Reducer, ReducerKind
from edge.plans.reducers import NotUnique, exact, plain, reduce_records
from edge.plans.sense import PLACED
from edge.plans.utterable import askworthy, countable, machine_like
from edge.specs.model import Kind, OutputField, Tool

MEASURED: frozenset[Kind] = frozenset({"amount", "count", "number"})
ADDED = 30  # records over which a person would still want a sum or a mean made by reading
_TELLING, _ROUNDED = Decimal(1000), Decimal("0.0001")
_LENGTHS = ("m", "km")
_PIECE = re.compile(r"[^\W\d_]{2,}")
_PIECES = (2, 3, 4)  # characters of a word that names have in common
Say = Callable[[OutputField, str], str]


@dataclass(frozen=True, slots=True)
class Sayable:
    """A reducer together with how natural it is (weight) in a request."""

    reducer: Reducer
    weight: float


def quantity(field: OutputField) -> bool:
    """Whether a field is a quantity: a number without a unit is a rank, a version or a position more often than one."""
    return field.kind in MEASURED and (field.kind != "number" or bool(field.unit))


def distance_to_here(tool: Tool, field: OutputField) -> bool:
    """Whether a field tells how far a record is from the place that was asked about: nobody wants the farthest."""
    around = sum(p.kind in PLACED for p in tool.offered) >= 2
    return around and (field.unit or "").lower() in _LENGTHS


def measured(tool: Tool, records: Sequence[Record]) -> list[OutputField]:
    """Return the fields that are a quantity in every record, and not the same in all: those worth comparing by."""
    found: list[OutputField] = []
    for field in tool.outputs:
        if field.private or field.repeats or "[]" in field.path or not field.label:
            continue
        if not quantity(field) or not askworthy(field):
            continue
        values = [v for r in records if (v := exact(get_path(r, field.path))) is not None]
        if len(values) == len(records) and (len(values) < 2 or len(set(values)) > 1) and comparable(values):
            found.append(field)
    return found


def row_numbers(tool: Tool, records: Sequence[Record]) -> frozenset[str]:
    """Return the paths of the fields that only number the records of an answer."""
    found: set[str] = set()
    for field in tool.outputs:
        if field.kind in MEASURED and "[]" not in field.path:
            values = [v for r in records if (v := exact(get_path(r, field.path))) is not None]
            if len(values) == len(records) and numbers_rows(values):
                found.add(field.path)
    return frozenset(found)


def numbers_rows(values: Sequence[Decimal]) -> bool:
    """Whether values are the numbers of the records, one more or less from each to the next: nobody asks for those."""
    steps = {b - a for a, b in pairwise(values)}
    return len(values) > 2 and steps in ({Decimal(1)}, {Decimal(-1)})


def holds_total(values: Sequence[Decimal]) -> bool:
    """Whether one value is the sum of all others: a total row, which is no largest one and counts twice in a sum.

    Told of four rows and amounts from a thousand on; of fewer and smaller ones chance does the same.
    """
    most = max(values, default=Decimal(0))
    return len(values) > 3 and most >= _TELLING and abs(sum(values) - 2 * most) <= most * _ROUNDED


def comparable(values: Sequence[Decimal]) -> bool:
    """Whether it means something to compare the values of a field, or to add them."""
    return not numbers_rows(values) and not holds_total(values)


def several(
    tool: Tool, records: Sequence[Record], rng: random.Random, say: Say, *, most: int, word: bool = True
) -> list[Sayable]:
    """Return reducers that leave two to `most` records: the top or bottom k, beyond a threshold, with a word."""
    found: list[Sayable] = []
    for field in measured(tool, records):
        far = distance_to_here(tool, field)
        for kind, weight in (("bottom", 1.0),) if far else (("top", 1.0), ("bottom", 0.4)):
            k = rng.randint(2, most)
            if k < len(records):
                found.append(Sayable(Reducer(kind, field.path, k=k), weight))  # type: ignore[arg-type]
    found += [Sayable(r, 0.6) for r in thresholds(tool, records, rng, say, least=2, most=most)]
    if word:
        found += [Sayable(r, 0.5) for r in words(tool, records, rng, least=2, most=most)]
    return [s for s in found if _works(s.reducer, records)]


def narrowings(tool: Tool, records: Sequence[Record], rng: random.Random, say: Say) -> list[Reducer]:
    """Return what may be applied before another reducer: it leaves at least two records and leaves some out."""
    most = len(records) - 1
    return [*thresholds(tool, records, rng, say, least=2, most=most), *words(tool, records, rng, least=2, most=most)]


def thresholds(
    tool: Tool, records: Sequence[Record], rng: random.Random, say: Say, *, least: int, most: int
) -> list[Reducer]:
    """Return "at least" and "at most" by round numbers that leave between `least` and `most` records."""
    found: list[Reducer] = []
    for field in measured(tool, records):
        values = sorted(v for r in records if (v := exact(get_path(r, field.path))) is not None)
        both = (("at_least", values[::-1]), ("at_most", values))
        for kind, ordered in both[1:] if distance_to_here(tool, field) else both:
            position = rng.randint(least, max(least, min(most, len(ordered)))) - 1
            if position >= len(ordered):
                continue
            limit = round_number(ordered[position], up=kind == "at_most")
            left = sum(v >= limit if kind == "at_least" else v <= limit for v in values)
            if limit > 0 and least <= left <= most:
                text = plain(limit)
                found.append(Reducer(kind, field.path, text, say(field, text)))  # type: ignore[arg-type]
    return found


def words(tool: Tool, records: Sequence[Record], rng: random.Random, *, least: int, most: int) -> list[Reducer]:
    """Return "has the word ... in its name" by pieces that between `least` and `most` of the names have in common."""
    field = tool.output(tool.name_field) if tool.name_field else None
    if field is None or field.kind not in ("name", "text"):
        return []
    names = [(scalar(get_path(r, field.path)) or "").strip() for r in records]
    if any(map(machine_like, names)):
        return []
    counts = Counter(piece for name in names for piece in _pieces(name))
    fitting = sorted(p for p, n in counts.items() if least <= n <= most and n == sum(p in name for name in names))
    longest = [p for p in fitting if not any(p != q and p in q and counts[q] == counts[p] for q in fitting)]
    picked = rng.sample(longest, min(2, len(longest)))
    return [Reducer("contains", field.path, piece, piece) for piece in picked]


def _pieces(name: str) -> set[str]:
    """The first word of a name, its beginnings, and the last word: what people remember of it."""
    found = _PIECE.findall(name)
    return {*(found[0][:n] for n in _PIECES if n <= len(found[0])), found[0], found[-1]} if found else set()


def computing(tool: Tool, records: Sequence[Record], rng: random.Random, say: Say) -> list[Sayable]:
    """Return sums, means and numbers of different values over all records, or over those that a narrowing leaves."""
    if not 2 < len(records) <= ADDED:
        return []
    found: list[Sayable] = []
    narrowed: list[Reducer | None] = [None, *narrowings(tool, records, rng, say)]
    for field in measured(tool, records):
        within = rng.choice(narrowed)
        if within is not None and within.field == field.path:
            within = None
        if additive(field):
            found.append(Sayable(Reducer("sum", field.path, within=within), 0.6))
        if field.unit:
            found.append(Sayable(Reducer("mean", field.path, within=within), 0.6))
    found += [Sayable(Reducer("distinct", f.path), 0.4) for f in _sorts(tool, records)]
    if countable(tool):
        found += [Sayable(Reducer("count", within=w), 0.5) for w in narrowed if w is not None]
    return [s for s in found if _works(s.reducer, records)]


def additive(field: OutputField) -> bool:
    """Whether values of a field can be added up: amounts of money and numbers of things, not rates, ages or sizes."""
    return field.kind == "amount" or (field.kind == "count" and bool(field.unit))


def _sorts(tool: Tool, records: Sequence[Record]) -> list[OutputField]:
    """Fields that sort records: names of something else that several records share, but not all."""
    found: list[OutputField] = []
    for field in tool.outputs:
        if field.kind != "name" or field.path == tool.name_field or field.private or "[]" in field.path:
            continue
        values = [(scalar(get_path(r, field.path)) or "").strip() for r in records]
        if all(values) and 1 < len(set(values)) <= len(values) // 2:
            found.append(field)
    return found


def nearest(tool: Tool, records: Sequence[Record], origin: Reducer | None) -> list[Sayable]:
    """Return "the nearest to the record of an earlier step", where both have coordinates; `origin` holds its place."""
    paths = coordinates(tool)
    if origin is None or paths is None or len(records) < 3:
        return []
    return [Sayable(Reducer("nearest", paths[0], text=origin.text, longitude=paths[1], near=origin.near), 1.5)]


def coordinates(tool: Tool) -> tuple[str, str] | None:
    """Return the paths of latitude and longitude (WGS 84 degrees), where a tool's records have both once."""
    north = [f.path for f in tool.outputs if f.kind == "latitude" and "[]" not in f.path]
    east = [f.path for f in tool.outputs if f.kind == "longitude" and "[]" not in f.path]
    return (north[0], east[0]) if len(north) == len(east) == 1 else None


def round_number(value: Decimal, *, up: bool) -> Decimal:
    """Return the round number next to a value as people say thresholds: one leading digit, or two from 10 on by halves.

    It is never on the wrong side of the value: "at most" rounds up, "at least" down.
    """
    if value == 0:
        return Decimal(0)
    step = Decimal(5).scaleb(value.adjusted() - 1)  # 1234 -> 50
    if abs(value) < 20 and value == value.to_integral_value():
        step = Decimal(1)
    whole = (value / step).quantize(Decimal(1), ROUND_HALF_UP)
    if up and whole * step < value:
        whole += 1
    if not up and whole * step > value:
        whole -= 1
    return whole * step


def ordered(found: Sequence[Sayable], rng: random.Random) -> list[Reducer]:
    """Return the reducers shuffled by weight: the order in which to try them."""

    def key(s: Sayable) -> tuple[float, ReducerKind, str]:
        return (-(rng.random() ** (1.0 / s.weight)), s.reducer.kind, s.reducer.field or "")

    return [s.reducer for s in sorted(found, key=key)]


def _works(reducer: Reducer, records: Sequence[Record]) -> bool:
    try:
        left = reduce_records(reducer, records)
    except NotUnique:
        return False
    return reducer.computes or len(left) > 1
