"""Rows -> a Parquet part named by its content, and back: the same rows always give the same bytes."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from edge.datasets.columns import Column, Schema
from edge.datasets.files import read_bytes, write_atomic
from edge.datasets.rows import Row, cast_rows, frame
from edge.datasets.schemas import schema_of
from edge.errors import StoreError
from edge.ids import digest_bytes

# Fixed on purpose: the bytes of a part depend on them, so a new library default must not change old hashes.
_ROW_GROUP_ROWS = 16_384
_ZSTD_LEVEL = 3
# Parts of one version are put together up to this size: enough for quick scans, small enough for the memory.
_PART_ROWS = 100_000
_PART_BYTES = 64 * 2**20


@dataclass(frozen=True, slots=True)
class PartRef:
    """Where a part is and what is in it. It is small and travels between tasks in place of the rows.

    `path` is the folder as given to the writer plus the file name (relative to the store's root for parts of a
    `WorkDir`, relative to the version's folder in a manifest). `bytes` counts bytes, `sha256` is of the file, 64 hex
    digits. `measured` is the path of the sidecar with the measured columns, in the same way; None where all are null.
    """

    dataset: str
    path: str
    rows: int
    bytes: int
    sha256: str
    measured: str | None = None


def write_part(
    directory: Path, dataset: str, rows: Iterable[Mapping[str, object]], *, name: str | None = None
) -> PartRef:
    """Write rows, in the order given, as one part and return its reference.

    Args:
        directory: folder of the part; it is made.
        dataset: a declared dataset; rows are cast to its schema.
        rows: measured columns in them go to a sidecar beside the part. No rows give a typed empty part.
        name: file name; by default `part-<first 24 hex digits of the content's SHA-256>.parquet`.

    Raises:
        StoreError: a row does not fit the schema, or the disk refused.
    """
    schema = schema_of(dataset)
    typed = cast_rows(schema, rows)
    data = encode(schema.stored, typed)
    sha = digest_bytes(data)
    path = directory / (name or f"part-{sha[:24]}.parquet")
    measured = _write_sidecar(schema, path, typed)
    write_atomic(path, data)
    return PartRef(dataset, path.as_posix(), len(typed), len(data), sha, measured)


def read_part(path: Path) -> list[Row]:
    """Return the rows of one part.

    Raises:
        StoreError: the file is missing, cut off or not Parquet.
    """
    return rows_of(read_frame([path]))


def read_parts(dataset: str, paths: Sequence[Path]) -> list[Row]:
    """Return the rows of parts, in order; no parts give no rows. Raises StoreError as `read_part` does."""
    schema_of(dataset)
    return rows_of(read_frame(paths)) if paths else []


def read_frame(paths: Sequence[Path], columns: Sequence[str] | None = None) -> pl.DataFrame:
    """Return parts of one dataset as one frame, in order; columns that older parts lack are null there.

    `columns` names those that are read; by default all are.

    Raises:
        StoreError: a file is missing, cut off or not Parquet.
    """
    return pl.concat([_read(path, columns) for path in paths], how="diagonal")


def rows_of(data: pl.DataFrame) -> list[Row]:
    """Return a frame read from parts as plain rows."""
    rows: list[Row] = data.to_dicts()
    return rows


def encode(columns: Sequence[Column], rows: Sequence[Row]) -> bytes:
    """Return the Parquet bytes of rows: a function of the columns and the values only."""
    return encode_frame(frame(columns, rows))


def encode_frame(data: pl.DataFrame) -> bytes:
    """Return the Parquet bytes of a frame of declared columns: a function of the values only."""
    buffer = io.BytesIO()
    # In one piece, as pages follow the pieces that a frame happens to consist of.
    data.rechunk().write_parquet(
        buffer, compression="zstd", compression_level=_ZSTD_LEVEL, row_group_size=_ROW_GROUP_ROWS
    )
    return buffer.getvalue()


def grouped(parts: Sequence[PartRef]) -> list[list[PartRef]]:
    """Return parts in order as groups of neighbours that make one file each."""
    groups: list[list[PartRef]] = []
    for part in parts:
        fits = groups and (
            sum(p.rows for p in groups[-1]) + part.rows <= _PART_ROWS
            and sum(p.bytes for p in groups[-1]) + part.bytes <= _PART_BYTES
        )
        if fits:
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


def sidecar_rows(schema: Schema, rows: Iterable[Row]) -> list[Row]:
    """Return key and measured columns of the rows that have any measured value."""
    if not schema.measured:
        return []
    return [
        {c.name: row[c.name] for c in schema.sidecar}
        for row in rows
        if any(row[c.name] is not None for c in schema.measured)
    ]


def _write_sidecar(schema: Schema, part: Path, rows: Sequence[Row]) -> str | None:
    measured = sidecar_rows(schema, rows)
    if not measured:
        return None
    # A leading underscore keeps it out of every reader's part-*.parquet.
    path = part.with_name(f"_measured-{part.name}")
    write_atomic(path, encode(schema.sidecar, measured))
    return path.as_posix()


def _read(path: Path, columns: Sequence[str] | None = None) -> pl.DataFrame:
    names = None if columns is None else list(columns)
    try:
        return pl.read_parquet(io.BytesIO(read_bytes(path)), hive_partitioning=False, columns=names)
    except pl.exceptions.PolarsError as error:
        reason = str(error).splitlines()[0]
        raise StoreError(f"{path} is not a whole Parquet part: {reason}") from error
