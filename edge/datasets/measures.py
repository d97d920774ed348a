"""Sidecars of measured columns -> one per version, and back onto the rows that they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from edge.datasets.columns import Schema
from edge.datasets.rows import Cell, Row, cast_columns
from edge.errors import StoreError

_Key = tuple[Cell, ...]


def merge_measured(
    schema: Schema,
    version: str,
    stored: Sequence[Row],
    sidecars: Sequence[Row],
    extra: Iterable[Mapping[str, object]],
) -> list[Row]:
    """Return one sidecar row for each stored row that has a measured value, in the order of the stored rows.

    Later values win, `extra` last. A measured column called `version` gets the version published: a row cannot know it.

    Raises:
        StoreError: `extra` does not fit the sidecar's columns, or belongs to no row.
    """
    if not schema.measured:
        if list(extra):
            raise StoreError(f"{schema.dataset} has no measured columns")
        return []
    values: dict[_Key, Row] = {}
    for row in (*sidecars, *cast_columns(schema.dataset, schema.sidecar, extra)):
        given = {c.name: row[c.name] for c in schema.measured if row[c.name] is not None}
        values.setdefault(_key(schema, row), {}).update(given)
    if any(c.name == "version" for c in schema.measured):
        for row in stored:
            values.setdefault(_key(schema, row), {})["version"] = version
    keys = [_key(schema, row) for row in stored]
    strangers = set(values) - set(keys)
    if strangers:
        raise StoreError(f"{schema.dataset}: measured values for {next(iter(strangers))!r}, which is no row")
    return [_sidecar_row(schema, key, values[key]) for key in keys if key in values]


def join_measured(schema: Schema, rows: Sequence[Row], sidecar: Sequence[Row]) -> list[Row]:
    """Return the rows with all declared columns in their order; columns without a value are None."""
    values = {_key(schema, row): row for row in sidecar}
    empty: Row = {}
    joined: list[Row] = []
    for row in rows:
        measured = values.get(_key(schema, row), empty)
        joined.append({c.name: (measured if c.measured else row).get(c.name) for c in schema.columns})
    return joined


def _key(schema: Schema, row: Row) -> _Key:
    return tuple(row.get(name) for name in schema.key)


def _sidecar_row(schema: Schema, key: _Key, values: Row) -> Row:
    row: Row = dict(zip(schema.key, key, strict=True))
    row.update({c.name: values.get(c.name) for c in schema.measured})
    return row
