"""An operation, its request and the world in; the matching rows, in the platform's order, out."""

import math
from collections.abc import Callable, Mapping, Sequence

from edge.sandbox.catalogue import Field, Filter, Match, Near, Operation
from edge.sandbox.model import Refusal, Request, Row
from edge.sandbox.registry import functions, views
from edge.sandbox.world import World
from edge.sandbox.world.coordinates import distance_m
from edge.sandbox.world.lazy import kept

_METRES_PER_DEGREE = 111_000.0

_TESTS: Mapping[Match, Callable[[str, str], bool]] = {
    "equals": lambda have, want: have == want,
    "contains": lambda have, want: want in have,
    "prefix": lambda have, want: have.startswith(want),
    "range_from": lambda have, want: have >= want,
    "range_to": lambda have, want: have <= want,
    "before": lambda have, want: have < want,
    "one_of": lambda have, want: have in want.split(","),
    # The column holds several codes joined by commas.
    "within": lambda have, want: want in have.split(","),
}


def wanted(operation: Operation, request: Request) -> list[tuple[Filter, str]]:
    """The filters a request really uses, each with its converted value; unknown parameters are simply not here."""
    pairs: list[tuple[Filter, str]] = []
    for name, rule in operation.filters.items():
        value = request.get(name)
        if value:
            pairs.append((rule, str(functions[rule.convert](value, {})) if rule.convert else value))
    return pairs


def _candidates(operation: Operation, world: World, pairs: list[tuple[Filter, str]], request: Request) -> list[Row]:
    """The smallest list at hand: one part, one index entry, or the whole table."""
    if operation.parts:
        return world.part(operation.table, *(request.get(name) for name in operation.parts))
    exact = [(rule.column, value) for rule, value in pairs if rule.match == "equals"]
    exact += list(operation.where.items())
    if not exact:
        return world.table(operation.table)
    return min((world.find(operation.table, column, value) for column, value in exact), key=len)


def _passes(row: Row, pairs: list[tuple[Filter, str]]) -> bool:
    return all(_TESTS[rule.match](str(row.get(rule.column, "")), value) for rule, value in pairs)


def _degrees(request: Request, name: str) -> float | None:
    text = request.get(name)
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        raise Refusal("bad_parameter", name) from None


def _by_distance(rows: Sequence[Row], rule: Near, request: Request) -> Sequence[Row]:
    """Rows inside the radius, nearest first, each with its distance in metres; all rows when no point was given."""
    lon, lat = _degrees(request, rule.x), _degrees(request, rule.y)
    if lon is None or lat is None:
        return rows
    radius = (_degrees(request, rule.radius) if rule.radius else None) or rule.default_m
    # A box first: the exact distance is dear and most of the country is far away. Metres sent as degrees
    # land outside every box, which is how the platforms behave: no error, no rows.
    reach_lat = radius / _METRES_PER_DEGREE * 1.01
    reach_lon = reach_lat / max(0.1, math.cos(math.radians(min(abs(lat), 85.0))))
    found: list[tuple[float, Row]] = []
    for row in rows:
        x, y = row.get("lon"), row.get("lat")
        if not isinstance(x, float) or not isinstance(y, float):
            continue
        if abs(x - lon) <= reach_lon and abs(y - lat) <= reach_lat:
            metres = distance_m(lon, lat, x, y)
            if metres <= radius:
                found.append((metres, row))
    found.sort(key=lambda pair: pair[0])
    return [row | {rule.into: metres} for metres, row in found]


def sort_rows(rows: Sequence[Row], keys: tuple[str, ...]) -> Sequence[Row]:
    """Rows by the given columns, as text; a leading minus turns the order of that column."""
    for key in reversed(keys):
        name = key.removeprefix("-")
        rows = sorted(rows, key=lambda row: str(row.get(name, "")), reverse=key.startswith("-"))
    return rows


def select(operation: Operation, request: Request, world: World) -> Sequence[Row]:
    """All rows that answer the request, before paging. Raises Refusal where the platform would."""
    pairs = wanted(operation, request)
    rows: Sequence[Row]
    if operation.view:
        rows = views[operation.view](world, request)
    else:
        rows = _candidates(operation, world, pairs, request)
        pairs += [(Filter(column), value) for column, value in operation.where.items()]
    if pairs:
        rows = kept(rows, lambda row: _passes(row, pairs))
    if operation.near is not None:
        rows = _by_distance(rows, operation.near, request)
    return sort_rows(rows, operation.sort) if operation.sort else rows


def project(rows: Sequence[Row], operation: Operation) -> list[Row]:
    """The provider's spelling of the rows; a view without declared fields already has it."""
    if operation.fields:
        rows = [{name: _value(rule, row) for name, rule in operation.fields} for row in rows]
    if operation.changes:
        rows = [_changed(row, operation) for row in rows]
    return rows if isinstance(rows, list) else list(rows)


def _value(rule: Field, row: Row) -> object:
    if rule.constant is not None:
        return rule.constant
    value = row.get(rule.column, "")
    return functions[rule.function](value, row) if rule.function else value


def _changed(row: Row, operation: Operation) -> Row:
    """A row as it is really sent, where that is no longer what the document says."""
    changes = {change.field: change for change in operation.changes}
    out: Row = {}
    for name, value in row.items():
        change = changes.get(name)
        if change is None:
            out[name] = value
        elif change.name:
            out[change.name] = functions[change.function](value, row) if change.function else value
    return out
