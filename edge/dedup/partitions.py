"""More rows than memory holds -> parts of whole gates on disk, judged one by one (or elsewhere), then settled together.

Every step takes and gives files, so that a task runner may run `judge_part` anywhere and in any order. Which part a row
falls into never shows in the result.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from edge.dedup.pipeline import judge_gates, settle
from edge.dedup.records import DedupSettings
from edge.dedup.table import gate_names
from edge.embedding import Embedder


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of whole gates on disk; `files` hold the columns of `records.COLUMNS`."""

    number: int
    files: tuple[Path, ...]


def split(batches: Iterable[pl.DataFrame], folder: Path, parts: int) -> list[Part]:
    """Write rows to `parts` parts under `folder`, all rows of a gate to one; at most one batch is in memory.

    Args:
        batches: rows in the columns of `records.COLUMNS`.
        folder: it is made; files of an earlier attempt are replaced.
        parts: their number, 1 or more.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[int, list[Path]] = {number: [] for number in range(parts)}
    for order, batch in enumerate(batches):
        for (number,), rows in (
            batch.with_columns(part=part_numbers(batch, parts))
            .partition_by("part", as_dict=True, include_key=False)
            .items()
        ):
            path = folder / f"rows-{int(str(number)):05d}-{order:06d}.arrow"
            rows.write_ipc(path, compression="lz4")
            files[int(str(number))].append(path)
    return [Part(number, tuple(paths)) for number, paths in files.items() if paths]


def part_numbers(rows: pl.DataFrame, parts: int) -> pl.Series:
    """Return which of `parts` parts each row belongs to: the same for all rows of a gate, in every process.

    Args:
        rows: the columns of `records.COLUMNS`.
        parts: their number, 1 or more.
    """
    names = gate_names(rows).to_list()
    return pl.Series("part", [zlib.crc32(name.encode()) % parts for name in names], dtype=pl.Int32)


def judge_part(part: Part, folder: Path, settings: DedupSettings, embedder: Embedder) -> Path:
    """Judge the gates of one part and return the file of what was decided, for `settle_parts`.

    Raises:
        UsageError, ModelAnswerError: as `edge.dedup.pipeline.judge`.
    """
    rows = pl.concat([pl.read_ipc(path) for path in part.files])
    path = folder / f"judged-{part.number:05d}.arrow"
    judge_gates(rows, settings, embedder).write_ipc(path, compression="lz4")
    return path


def settle_parts(judged: Iterable[Path], settings: DedupSettings) -> pl.DataFrame:
    """Return the decisions on the rows of all parts, by id.

    Raises:
        UsageError: an id comes twice.
    """
    return settle([pl.read_ipc(path) for path in sorted(judged)], settings)


def judge_in_parts(
    batches: Iterable[pl.DataFrame], count: int, folder: Path, settings: DedupSettings, embedder: Embedder
) -> pl.DataFrame:
    """Return the decisions on `count` rows: at once while they are few, by way of `folder` where they are many."""
    parts = -(-count // settings.partition_rows)
    if parts <= 1:
        rows = list(_some(batches))
        return settle([judge_gates(pl.concat(rows), settings, embedder)] if rows else [], settings)
    written = split(batches, folder, parts)
    return settle_parts([judge_part(part, folder, settings, embedder) for part in written], settings)


def _some(batches: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    return (batch for batch in batches if batch.height)
