"""Lines -> a file that only grows, and back: one gzip member a page, so that what was written survives a killed run.

A segment belongs to one writer and is never changed afterwards; `zcat` shows its lines. A file for each body would take
a block of the disk and a synced write; a member costs some hundred bytes. A member cut off at the end is left out.
"""

from __future__ import annotations

import mmap
import os
import threading
import time
import uuid
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from edge.errors import StoreError

SUFFIX = ".jsonl.gz"
_LEVEL = 3  # the next levels take half as long again for a tenth less
_GZIP = 16 + zlib.MAX_WBITS
_CHUNK = 1 << 16
_MAX_MEMBER = 512_000_000  # plain bytes of one page with all that was tried for it; more is no recording of ours


@dataclass(frozen=True, slots=True)
class Segment:
    """Where a segment is: a file of its own, or a stretch of a packed one."""

    name: str
    path: Path
    start: int
    size: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where a member is."""

    segment: Segment
    offset: int


class SegmentWriter:
    """Appends members to a new file in `folder`; it is made with the first of them. Threads may share it."""

    def __init__(self, folder: Path, head: bytes) -> None:
        """Prepare a writer; `head` is the first line of the file."""
        self._folder = folder
        self._head = head
        self._handle: int | None = None
        self._size = 0
        self._lock = threading.Lock()

    def append(self, lines: Sequence[bytes]) -> None:
        """Write lines as one member.

        Raises:
            StoreError: the operating system refused; what was written before stays whole.
        """
        member = packed(lines)
        with self._lock:
            try:
                if self._handle is None:
                    self._open()
                self._write(member)
            except OSError as error:
                raise StoreError(f"cannot record in {self._folder}: {error.strerror or error}") from error

    def close(self) -> None:
        """Bring what was written to the disk."""
        with self._lock:
            handle, self._handle = self._handle, None
            if handle is None:
                return
            try:
                os.fsync(handle)
            except OSError as error:
                raise StoreError(f"cannot record in {self._folder}: {error.strerror or error}") from error
            finally:
                os.close(handle)

    def _open(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        name = f"{time.time_ns():020d}-{uuid.uuid4().hex[:8]}{SUFFIX}"  # names sort by age
        self._handle = os.open(self._folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        self._write(packed([self._head]))

    def _write(self, member: bytes) -> None:
        assert self._handle is not None  # noqa: S101
        left = memoryview(member)
        try:
            while left:
                left = left[os.write(self._handle, left) :]
        except OSError:
            with suppress(OSError):  # later members must not follow half a one
                os.ftruncate(self._handle, self._size)
                os.lseek(self._handle, self._size, os.SEEK_SET)
            raise
        self._size += len(member)


def packed(lines: Sequence[bytes]) -> bytes:
    """Return lines as a gzip member; the same lines give the same bytes."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    return packer.compress(b"".join(line + b"\n" for line in lines)) + packer.flush()


def members(segment: Segment) -> Iterator[tuple[Place, list[bytes]]]:
    """Yield the members of a segment with their lines, up to the first that is damaged or not whole.

    Raises:
        StoreError: the file cannot be read.
    """
    with _Mapped(segment) as data:
        offset = 0
        while offset < segment.size:
            found = _member(data, segment, offset)
            if found is None:
                return
            plain, end = found
            yield Place(segment, offset), plain.split(b"\n")[:-1]
            offset = end


def lines_at(place: Place) -> list[bytes]:
    """Return the lines of one member.

    Raises:
        StoreError: the file cannot be read, or is damaged there.
    """
    with _Mapped(place.segment) as data:
        found = _member(data, place.segment, place.offset)
    if found is None:
        raise StoreError(f"{place.segment.path} is damaged; take the recording from its source again")
    return found[0].split(b"\n")[:-1]


class _Mapped:
    """The bytes of the file a segment is in, for the length of a `with` block."""

    def __init__(self, segment: Segment) -> None:
        self._segment = segment

    def __enter__(self) -> mmap.mmap:
        try:
            with self._segment.path.open("rb") as file:
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise StoreError(f"cannot read {self._segment.path}: {error}") from error
        return self._data

    def __exit__(self, *_: object) -> None:
        self._data.close()


def _member(data: mmap.mmap, segment: Segment, offset: int) -> tuple[bytes, int] | None:
    unpacker = zlib.decompressobj(_GZIP)
    pieces: list[bytes] = []
    position, end, room = segment.start + offset, segment.start + segment.size, _MAX_MEMBER
    try:
        while not unpacker.eof:
            chunk = unpacker.unconsumed_tail or data[position : min(position + _CHUNK, end)]
            position += 0 if unpacker.unconsumed_tail else len(chunk)
            if not chunk or room <= 0:
                return None
            pieces.append(unpacker.decompress(chunk, room))
            room -= len(pieces[-1])
    except zlib.error:
        return None
    return b"".join(pieces), position - len(unpacker.unused_data) - segment.start
