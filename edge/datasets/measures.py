"""Sidecars of measured columns -> one per version, and back onto the rows that they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from edge.datasets.columns import Schema
from edge.datasets.rows import Cell, Row, cast_columns, frame
from edge.errors import StoreError

_Key = tuple[Cell, ...]


def merge_measured(
    schema: Schema,
    version: str,
    keys: pl.DataFrame,
    sidecars: Sequence[pl.DataFrame],
    extra: Iterable[Mapping[str, object]],
) -> pl.DataFrame:
    """Return one sidecar row for each stored row that has a measured value, in the order of the stored rows.

    Later values win, `extra` last. A measured column called `version` gets the version published: a row cannot know it.

    Args:
        schema: of a dataset with measured columns.
        version: the version published.
        keys: the key columns of the stored rows, one row each.
        sidecars: key and measured columns of the parts.
        extra: further rows of such columns.

    Raises:
        StoreError: `extra` does not fit the sidecar's columns, or belongs to no row.
    """
    by, names = list(schema.key), [c.name for c in schema.measured]
    added = frame(schema.sidecar, cast_columns(schema.dataset, schema.sidecar, extra))
    given = pl.concat([*sidecars, added]).group_by(by, maintain_order=True).agg(pl.col(names).drop_nulls().last())
    strangers = given.join(keys, on=by, how="anti", nulls_equal=True)
    if strangers.height:
        raise StoreError(f"{schema.dataset}: measured values for {strangers.row(0)!r}, which is no row")
    joined = keys.join(given, on=by, how="left", nulls_equal=True, maintain_order="left")
    if "version" in names:
        joined = joined.with_columns(pl.lit(version).alias("version"))
    return joined.filter(pl.any_horizontal(pl.col(names).is_not_null())).select(*by, *names)


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
