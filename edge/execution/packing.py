"""Takes of a store <-> one file that travels with a dataset: a plain ZIP archive, replayed as it is."""

from __future__ import annotations

import uuid
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from edge.datasets.files import place
from edge.errors import StoreError, UsageError
from edge.execution.segments import Segment
from edge.execution.takes import PACKED, Take, takes_at

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same takes give the same file
_CHUNK = 1 << 20


def pack(takes: Sequence[Take], out: Path) -> None:
    """Write takes to one file; segments are compressed already and are stored as they are.

    Raises:
        UsageError: the name does not end in .zip.
        StoreError: it cannot be written.
    """
    if out.suffix != PACKED:
        raise UsageError(f"{out}: recordings are packed as {PACKED}; name the file so")
    temporary = out.absolute().parent / f".{uuid.uuid4().hex}.tmp"

    def fill() -> None:
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_STORED) as archive:
            for take in takes:
                for segment in take.segments:
                    entry = zipfile.ZipInfo(f"{take.name}/{segment.name}", _EPOCH)
                    entry.external_attr = 0o644 << 16
                    with archive.open(entry, "w", force_zip64=segment.size >= 1 << 31) as target:
                        for chunk in _chunks(segment):
                            target.write(chunk)

    place(out.absolute(), temporary, fill)


def unpack(packed: Path, store: Path) -> list[Take]:
    """Add the takes of a packed file to a store; segments that are there already stay. Return the takes.

    Raises:
        UsageError: it is no packed recording.
        StoreError: the store cannot be written.
    """
    takes = takes_at(packed)
    for take in takes:
        for segment in take.segments:
            target = store / take.name / segment.name
            if not target.exists():
                _copy(segment, target)
    return takes


def _copy(segment: Segment, target: Path) -> None:
    temporary = target.parent / f".{uuid.uuid4().hex}.tmp"

    def fill() -> None:
        with temporary.open("wb") as file:
            for chunk in _chunks(segment):
                file.write(chunk)

    place(target, temporary, fill)


def _chunks(segment: Segment) -> Iterator[bytes]:
    try:
        with segment.path.open("rb") as file:
            file.seek(segment.start)
            left = segment.size
            while left and (chunk := file.read(min(left, _CHUNK))):
                left -= len(chunk)
                yield chunk
    except OSError as error:
        raise StoreError(f"cannot read {segment.path}: {error.strerror or error}") from error
