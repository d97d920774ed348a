"""Frames of any size -> Parquet parts: for datasets of text and numbers with too many rows to handle one by one."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from edge.datasets.columns import Column, Schema
from edge.datasets.files import write_atomic
from edge.datasets.parts import PartRef, encode_frame
from edge.datasets.schemas import schema_of
from edge.errors import StoreError
from edge.ids import digest_bytes


def write_frame(directory: Path, dataset: str, rows: pl.DataFrame) -> PartRef:
    """Write a frame, in its order, as one part and return its reference.

    Columns that are missing are null; text is put in NFC. Measured columns have no place here.

    Raises:
        StoreError: a column is unknown, of another type, or null where it may not be; or the disk refused.
    """
    schema = schema_of(dataset)
    data = encode_frame(_typed(schema, rows))
    sha = digest_bytes(data)
    path = directory / f"part-{sha[:24]}.parquet"
    write_atomic(path, data)
    return PartRef(dataset, path.as_posix(), rows.height, len(data), sha)


def _typed(schema: Schema, rows: pl.DataFrame) -> pl.DataFrame:
    unknown = sorted(set(rows.columns) - {c.name for c in schema.stored})
    if unknown:
        raise StoreError(f"{schema.dataset}: unknown column {', '.join(map(repr, unknown))}")
    try:
        typed = rows.select([_column(schema, c, rows) for c in schema.stored])
    except pl.exceptions.PolarsError as error:
        raise StoreError(f"{schema.dataset}: {str(error).splitlines()[0]}") from error
    for c in schema.stored:
        if not c.nullable and typed[c.name].null_count():
            raise StoreError(f"{schema.dataset}: null in column {c.name!r}, which has no nulls")
    return typed


def _column(schema: Schema, column: Column, rows: pl.DataFrame) -> pl.Expr:
    missing = pl.lit(schema.version if column.name == "schema_version" else None)
    own = (pl.col(column.name) if column.name in rows.columns else missing).cast(column.polars)
    return (own.str.normalize("NFC") if column.kind == "text" else own).alias(column.name)
