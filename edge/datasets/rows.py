"""Rows of any stage -> rows of the declared schema: cast strictly, never inferred, or refused by name."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NoReturn, TypeAlias, cast

import polars as pl

from edge.datasets.columns import Column, Kind, Schema
from edge.errors import StoreError
from edge.ids import canonical_json
from edge.text import clean

Cell: TypeAlias = "bool | int | float | str | list[str] | datetime | None"
Row: TypeAlias = "dict[str, Cell]"


class _Refused(Exception):
    """A value does not fit its column; turned into a StoreError that names dataset, row and column."""


def cast_rows(schema: Schema, rows: Iterable[Mapping[str, object]]) -> list[Row]:
    """Return the rows with exactly the schema's columns, in its order, text cleaned and JSON canonical.

    Missing nullable columns become None; `schema_version` is filled in.

    Raises:
        StoreError: unknown key, missing value, wrong type, NaN or infinity, bad JSON, time without a zone.
    """
    version: dict[str, object] = {"schema_version": schema.version}
    rows = ({**version, **row} for row in rows)
    typed = cast_columns(schema.dataset, schema.columns, rows)
    for number, row in enumerate(typed):
        if row["schema_version"] != schema.version:
            raise StoreError(f"{schema.dataset} row {number}: schema_version is not {schema.version}")
    return typed


def cast_columns(dataset: str, columns: Sequence[Column], rows: Iterable[Mapping[str, object]]) -> list[Row]:
    """Return the rows cast to these columns; see `cast_rows`. `dataset` names them in errors."""
    known = {c.name: c for c in columns}
    return [_cast_row(dataset, known, number, row) for number, row in enumerate(rows)]


def frame(columns: Sequence[Column], rows: Sequence[Row]) -> pl.DataFrame:
    """Return the rows as a frame with these columns and declared types, whatever the values; no rows, same types."""
    data = [pl.Series(c.name, [row[c.name] for row in rows], dtype=c.polars, strict=True) for c in columns]
    return pl.DataFrame(data)


def _cast_row(dataset: str, known: Mapping[str, Column], number: int, row: Mapping[str, object]) -> Row:
    unknown = sorted(set(row) - set(known))
    if unknown:
        raise StoreError(f"{dataset} row {number}: unknown column {', '.join(map(repr, unknown))}")
    out: Row = {}
    for name, column in known.items():
        try:
            out[name] = _cast(column, row.get(name), absent=name not in row)
        except _Refused as error:
            raise StoreError(f"{dataset} row {number}, column {name!r}: {error}") from None
    return out


def _cast(column: Column, value: object, *, absent: bool) -> Cell:
    if value is None:
        if column.nullable:
            return None
        raise _Refused("missing" if absent else "null in a column that has no nulls")
    return _CASTS[column.kind](value)


def _refuse(value: object, wanted: str) -> NoReturn:
    raise _Refused(f"{type(value).__name__} given where {wanted} is declared")


def _text(value: object) -> str:
    # Numbers are not turned into text: 1110 may once have been the code "01110".
    return clean(value) if isinstance(value, str) else _refuse(value, "text")


def _json(value: object) -> str:
    """Text is taken as JSON text, anything else as the value itself; both come out canonical."""
    try:
        data = _parse_json(value) if isinstance(value, str) else value
        text = canonical_json(data)
        if not _is_clean(text):
            text = canonical_json(json.loads(clean(text)))
    except (ValueError, TypeError, RecursionError) as error:
        raise _Refused(f"not JSON ({error})") from None
    return text


def _parse_json(text: str) -> object:
    return cast("object", json.loads(text, parse_constant=_no_constant))


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _is_clean(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return unicodedata.is_normalized("NFC", text)


def _int(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        if not -(2**63) <= value < 2**63:
            raise _Refused("outside 64 bits")
        return value
    return _refuse(value, "a whole number")


def _float(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _refuse(value, "a number")
    if not math.isfinite(value):
        raise _Refused(f"{value} is not a number; leave it null")
    return float(value)


def _flag(value: object) -> bool:
    return value if isinstance(value, bool) else _refuse(value, "true or false")


def _texts(value: object) -> list[str]:
    if not isinstance(value, list | tuple):
        return _refuse(value, "a list of text")
    return [_text(item) for item in cast("Sequence[object]", value)]


def _time(value: object) -> datetime:
    if not isinstance(value, datetime):
        return _refuse(value, "a time")
    if value.tzinfo is None:
        raise _Refused("a time without a zone")
    return value.astimezone(UTC)


_CASTS: dict[Kind, Callable[[object], Cell]] = {
    "text": _text,
    "json": _json,
    "int": _int,
    "float": _float,
    "flag": _flag,
    "texts": _texts,
    "time": _time,
}
