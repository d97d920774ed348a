"""Operations and guide.yaml in; titles, parameters and a call that works in this world out, for people."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import cast

from edge.sandbox.catalogue import Operation, Platform, read_yaml
from edge.sandbox.engine import DEMO_KEY, Engine
from edge.sandbox.matching import project
from edge.sandbox.model import Request, Row

_FILE = Path(__file__).parent / "guide.yaml"
# now, a day or a month back, the hour before: `now:%Y%m%d`, `now-1d:%Y%m%d`, `now-1m:%Y%m`, `now-1h:%H00`.
_CLOCK = re.compile(r"now(?:-(\d+)([hdmy]))?:(.+)")
_HOURS = {"h": 1, "d": 24}
_MONTHS = {"m": 1, "y": 12}
_ROWS = 24
_SOURCES = 6


@dataclass(frozen=True, slots=True)
class Guide:
    """What declarations do not say: a title, parameters that only a view reads, and values where none can be found."""

    titles: Mapping[str, str] = field(default_factory=dict[str, str])
    takes: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, "Mapping[str, str]"])


@cache
def load_guide() -> Guide:
    """The file beside this module; `values` are by platform or by operation."""
    node = cast("dict[str, dict[str, object]]", read_yaml(_FILE))
    takes = {name: str(text).split() for name, text in node["takes"].items()}
    values = cast("dict[str, dict[str, object]]", node["values"])
    return Guide(
        titles={name: str(title) for name, title in node["titles"].items()},
        takes={name: tuple(names) for name, names in takes.items()},
        values={name: {key: str(value) for key, value in given.items()} for name, given in values.items()},
    )


def parameters(operation: Operation) -> tuple[str, ...]:
    """Everything an operation looks at but its key: what it needs first, then what narrows it, then paging."""
    near = operation.near
    paging = operation.paging
    named = (
        *operation.required,
        *operation.fixed,
        *operation.filters,
        *((near.x, near.y, near.radius) if near else ()),
        *load_guide().takes.get(operation.id, ()),
        *((paging.page, paging.size) if paging.style != "none" else ()),
        operation.format.param,
    )
    return tuple(dict.fromkeys(name for name in named if name))


def example(engine: Engine, platform: Platform, operation: Operation) -> Request | None:
    """A request that the operation answers with rows, with the demo key; None where none was found."""
    values = load_guide().values
    own = values.get(operation.id, {})
    known = (*parameters(operation), *(operation.pattern.groupindex if operation.pattern else ()))
    shared = {name: value for name, value in values.get(platform.name, {}).items() if name in known}
    given = {name: _at(engine.world.now, value) for name, value in {**shared, **own}.items()}
    plain = {name: value for name, value in given.items() if not value.startswith("@")}
    wanted = [name for name in operation.required if name not in given]
    found = chain(
        _given_rows(engine, operation, given) if len(plain) < len(given) else [{}],
        _own_rows(engine, operation, wanted),
        _other_rows(engine, platform, operation, wanted),
    )
    for values_found in found:
        request = _request(operation, {**values_found, **plain})
        if engine.page(operation, request).kind == "ok":
            return request
    return None


def _request(operation: Operation, params: Mapping[str, str]) -> Request:
    """The request as a client would send it, placeholders of the path among its parameters."""
    defaults = {name: value.partition("|")[0] for name, value in operation.fixed.items()}
    paging = operation.paging
    if paging.style != "none":
        defaults |= {paging.page: "1", paging.size: str(min(paging.default, paging.max))}
    if operation.format.param:
        defaults[operation.format.param] = "json"
    sent = defaults | dict(params)
    headers = {name.lower(): sent.pop(name) for name in tuple(sent) if name.startswith("X-")}
    if operation.key.place == "header":
        headers[operation.key.names[0].lower()] = f"{operation.key.prefix} {DEMO_KEY}".strip()
    elif operation.key.place != "none":
        sent[operation.key.names[0]] = DEMO_KEY
    return Request(operation.method or "GET", operation.host, operation.path, sent, headers)


def _at(now: datetime, text: str) -> str:
    """A value as it is, or a moment of the world's clock."""
    found = _CLOCK.fullmatch(text)
    if found is None:
        return text
    number, unit = int(found[1] or 0), found[2] or "h"
    if unit in _HOURS:
        return f"{now - timedelta(hours=number * _HOURS[unit]):{found[3]}}"
    months = now.year * 12 + now.month - 1 - number * _MONTHS[unit]
    return f"{now.replace(year=months // 12, month=months % 12 + 1, day=1):{found[3]}}"


def _given_rows(engine: Engine, operation: Operation, given: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Values of `@table.column`, all columns of a table from one row; rows that the operation itself leaves out too."""
    places = {name: value[1:].split(".") for name, value in given.items() if value.startswith("@")}
    rows = {table: _spread(engine, operation, table) for table, _ in places.values()}
    for number in range(max(len(found) for found in rows.values())):
        picked = {table: found[number % len(found)] for table, found in rows.items() if found}
        yield _texts({name: picked.get(table, {}).get(column) for name, (table, column) in places.items()})


def _own_rows(engine: Engine, operation: Operation, wanted: Sequence[str]) -> Iterator[dict[str, str]]:
    """Values that rows of the operation's own table have for its filters."""
    if not operation.table or operation.parts:
        return
    near = operation.near
    for row in _spread(engine, operation):
        held = {name: row.get(operation.filters[name].column) for name in wanted if name in operation.filters}
        if near is not None:
            held |= {near.x: row.get("lon"), near.y: row.get("lat"), near.radius: 1000}
        yield _texts({name: value for name, value in held.items() if name in wanted})


def _other_rows(
    engine: Engine, platform: Platform, operation: Operation, wanted: Sequence[str]
) -> Iterator[dict[str, str]]:
    """Values that operations beside it answer with under the names wanted, those that hold most of them first."""
    keys = {name.lower(): name for name in wanted}
    scored = [(len(keys.keys() & {name.lower() for name, _ in one.fields}), one) for one in platform.operations]
    sources = [one for score, one in sorted(scored, key=lambda pair: -pair[0]) if score and one.table and not one.parts]
    for source in islice((one for one in sources if one.id != operation.id), _SOURCES):
        for row in project(_spread(engine, source), source):
            yield _texts({keys[name.lower()]: value for name, value in row.items() if name.lower() in keys})


def _spread(engine: Engine, operation: Operation, table: str = "") -> list[Row]:
    """Some rows from all over a table, of those that the operation does not leave out."""
    rows: Sequence[Row] = engine.world.table(table or operation.table)
    for column, value in operation.where.items():
        rows = [row for row in rows if str(row.get(column, value)) == value]
    return list(rows[:: max(1, len(rows) // _ROWS)])[:_ROWS]


def _texts(held: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in held.items() if value not in (None, "")}
