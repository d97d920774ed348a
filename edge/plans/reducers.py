"""Records become the few that matter, or the one value made of them, deterministically (Outcome -> chosen, value)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal, localcontext
from math import asin, cos, radians, sin, sqrt

from edge.calls import Record
from edge.links.moments import parse_date
from edge.links.paths import get_path, scalar
from edge.plans.model import Point, Reducer

_NUMBER = re.compile(r"^\s*(-?\d[\d,]*(?:\.\d+)?|-?\.\d+)\s*([^\d\s\-.,:/~]\S{0,6})?\s*$")
_EARTH = 6_371_008.8  # mean radius in metres
_SAME_PLACE = 1.0  # metres: nobody can tell which of two is nearer
_PLACES = Decimal("0.01")  # of a mean
_DIGITS = 400  # kept while adding up: no record holds a longer number, so that sums are exact in any order


class NotUnique(Exception):
    """The reducer does not single out what it must; `reason` says how: tie, no_match, many, no_value."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def exact(value: object) -> Decimal | None:
    """Read a number as the platforms write it ("125,000", "650.2 Kcal", "1,710원"), exactly; None for anything else."""
    if isinstance(value, bool):
        return None
    text = str(value) if isinstance(value, int | float) else value
    match = _NUMBER.match(text) if isinstance(text, str) else None
    if match:
        return Decimal(match.group(1).replace(",", ""))
    return _finite(value) if isinstance(value, float) else None


def _finite(value: float) -> Decimal | None:
    found = Decimal(str(value))
    return found if found.is_finite() else None


def number(value: object) -> float | None:
    """Read a number like `exact`, as a float."""
    found = exact(value)
    return None if found is None else float(found)


def plain(value: Decimal) -> str:
    """Return a number without exponent and without zeros at its end: "1200", "0.5"."""
    return format(value.normalize() if value else Decimal(0), "f")


def moment(value: object) -> datetime | None:
    """Read a date or time stamp; None for anything else."""
    text = str(value) if isinstance(value, int) else value
    return parse_date(text) if isinstance(text, str) else None


def reduce_records(reducer: Reducer, records: Sequence[Record]) -> tuple[int, ...]:
    """Return the positions of the records that the reducer leaves, in record order (top and bottom: best first).

    Of a computing reducer they are the records that the value is made of. `near` must be resolved to degrees.

    Raises:
        NotUnique: where "only" meets several records, a filter matches none or several, or an extreme is shared.
    """
    pool = _narrowed(reducer.within, records) if reducer.within else tuple(range(len(records)))
    match reducer.kind:
        case "all" | "count":
            return pool
        case "only":
            return _single(pool)
        case "filter":
            return _single(_equal(reducer, records, pool))
        case "max" | "min" | "latest" | "earliest":
            return _extreme(reducer, records, pool, 1)
        case "top" | "bottom":
            return _extreme(reducer, records, pool, reducer.k or 1)
        case "nearest":
            return _nearest(reducer, records, pool)
        case "at_least" | "at_most" | "contains":
            return _narrowed(reducer, records)
        case "sum" | "mean" | "distinct":
            _values(reducer, records, pool)
            return pool


def computed(reducer: Reducer, records: Sequence[Record], chosen: Sequence[int]) -> str:
    """Return the value that a computing reducer makes of the chosen records; a mean has two decimals at most.

    Raises:
        NotUnique: a record has no value in the field.
    """
    if reducer.kind == "count":
        return str(len(chosen))
    values = _values(reducer, records, chosen)
    if reducer.kind == "distinct":
        return str(len(set(values)))
    with localcontext(prec=_DIGITS):
        total = sum((exact(v) or Decimal(0) for v in values), Decimal(0))
        made = total if reducer.kind == "sum" else (total / len(values)).quantize(_PLACES, ROUND_HALF_UP)
        return plain(made)


def _values(reducer: Reducer, records: Sequence[Record], chosen: Sequence[int]) -> list[str]:
    """The texts in the field of every chosen record; a sum or mean over records without a number would be another."""
    texts = [(scalar(get_path(records[i], reducer.field or "")) or "").strip() for i in chosen]
    if not texts or not all(texts):
        raise NotUnique("no_value")
    if reducer.kind != "distinct" and any(exact(t) is None for t in texts):
        raise NotUnique("no_value")
    return texts


def _single(found: Sequence[int]) -> tuple[int, ...]:
    if len(found) != 1:
        raise NotUnique("many" if found else "no_match")
    return (found[0],)


def _equal(reducer: Reducer, records: Sequence[Record], pool: Sequence[int]) -> tuple[int, ...]:
    wanted = (reducer.value or "").strip()
    return tuple(i for i in pool if (scalar(get_path(records[i], reducer.field or "")) or "").strip() == wanted)


def _narrowed(reducer: Reducer, records: Sequence[Record]) -> tuple[int, ...]:
    """The records that a threshold, a word or an equality leaves, of those that its own `within` leaves.

    Raises:
        NotUnique: none is left, the threshold is no number, or the reducer does not narrow.
    """
    pool = _narrowed(reducer.within, records) if reducer.within else tuple(range(len(records)))
    if reducer.kind == "filter":
        found = _equal(reducer, records, pool)
    elif reducer.kind == "contains":
        wanted = (reducer.value or "").strip()
        found = tuple(i for i in pool if wanted and wanted in (scalar(get_path(records[i], reducer.field or "")) or ""))
    elif reducer.kind in ("at_least", "at_most"):
        found = _beyond(reducer, records, pool)
    else:
        raise NotUnique("no_value")
    if not found:
        raise NotUnique("no_match")
    return found


def _beyond(reducer: Reducer, records: Sequence[Record], pool: Sequence[int]) -> tuple[int, ...]:
    limit = exact(reducer.value)
    if limit is None:
        raise NotUnique("no_value")
    values = [(i, exact(get_path(records[i], reducer.field or ""))) for i in pool]
    above = reducer.kind == "at_least"
    return tuple(i for i, v in values if v is not None and (v >= limit if above else v <= limit))


def _extreme(reducer: Reducer, records: Sequence[Record], pool: Sequence[int], k: int) -> tuple[int, ...]:
    """The k best, best first; neither two of them nor the k-th and the next may be equal."""
    read: Callable[[object], Decimal | None] = _ordinal if reducer.kind in ("latest", "earliest") else exact
    known = [(v, i) for i in pool if (v := read(get_path(records[i], reducer.field or ""))) is not None]
    if len(known) < k:
        raise NotUnique("no_value")
    known.sort(key=lambda pair: pair[0], reverse=reducer.kind in ("max", "latest", "top"))
    front = [v for v, _ in known[: k + 1]]
    if len(set(front)) != len(front):
        raise NotUnique("tie")
    return tuple(i for _, i in known[:k])


def _ordinal(value: object) -> Decimal | None:
    """Times have no zone here: `timestamp` would read them in that of the machine, where an hour can come twice."""
    when = moment(value)
    return None if when is None else Decimal((when - datetime.min).total_seconds())


def _nearest(reducer: Reducer, records: Sequence[Record], pool: Sequence[int]) -> tuple[int, ...]:
    here = degrees(reducer.near.latitude, reducer.near.longitude) if reducer.near else None
    if here is None:
        raise NotUnique("no_value")
    known = [(metres(here, there), i) for i in pool if (there := place_of(reducer, records[i])) is not None]
    if not known:
        raise NotUnique("no_value")
    known.sort()
    if len(known) > 1 and known[1][0] - known[0][0] < _SAME_PLACE:
        raise NotUnique("tie")
    return (known[0][1],)


def place_of(reducer: Reducer, record: Record) -> tuple[float, float] | None:
    """Return where a record lies, in degrees, by the two fields that a "nearest" names."""
    return degrees(get_path(record, reducer.field or ""), get_path(record, reducer.longitude or ""))


def degrees(latitude: object, longitude: object) -> tuple[float, float] | None:
    """Read a place in degrees; None for what is none, the (0, 0) of unknown places among it."""
    north, east = number(latitude), number(longitude)
    if north is None or east is None or not (-90 <= north <= 90 and -180 <= east <= 180):
        return None
    return None if north == 0 and east == 0 else (north, east)


def metres(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Return the great-circle distance of two places given as (latitude, longitude) in degrees (haversine)."""
    north_a, north_b = radians(a[0]), radians(b[0])
    half = sin((north_b - north_a) / 2) ** 2 + cos(north_a) * cos(north_b) * sin(radians(b[1] - a[1]) / 2) ** 2
    return 2 * _EARTH * asin(sqrt(min(1.0, half)))


def resolved(reducer: Reducer, place: Record | None) -> Reducer:
    """Return the reducer with its `near` in degrees, read from the record of the step that gives the place.

    Raises:
        NotUnique: that record has no place.
    """
    point = reducer.near
    if point is None or point.step is None:
        return reducer
    north, east = (scalar(get_path(place or {}, p)) for p in (point.latitude, point.longitude))
    if north is None or east is None or degrees(north, east) is None:
        raise NotUnique("no_value")
    return Reducer(
        reducer.kind, reducer.field, reducer.value, reducer.text, reducer.k, reducer.longitude,
        Point(north, east), reducer.within,
    )  # fmt: skip


def unique_values(records: Sequence[Record], path: str) -> dict[str, int]:
    """Return the values that exactly one record has at `path`, each with that record's position."""
    whole = "." not in path and "[" not in path  # lists of thousands are read for every plan
    texts = [(scalar(r.get(path) if whole else get_path(r, path)) or "").strip() for r in records]
    counts = Counter(texts)
    return {text: i for i, text in enumerate(texts) if text and counts[text] == 1}
