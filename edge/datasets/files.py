"""Bytes -> a file that is either wholly there or not there at all: the one atomic-write helper of the project."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable
from pathlib import Path

from edge.errors import StoreError
from edge.ids import digest_bytes


def write_atomic(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that readers see the old file or the whole new one, also after a crash.

    The bytes go to a sibling `.{hash}.{uuid}.tmp`, are synced, and take the name by `os.replace`. Folders are made.

    Raises:
        StoreError: the operating system refused; no temporary file is left.
    """
    temporary = path.parent / f".{digest_bytes(data, 24)}.{uuid.uuid4().hex}.tmp"

    def fill() -> None:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    place(path, temporary, fill)


def place(path: Path, temporary: Path, fill: Callable[[], None]) -> None:
    """Let `fill` make the file `temporary`, then give it the name `path` at once; see `write_atomic`.

    Raises:
        StoreError: the operating system refused; `temporary` is gone.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fill()
        temporary.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        discard(temporary)


def discard(path: Path) -> None:
    """Remove a file if it is there; a folder that cannot be reached holds no file of ours."""
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return


def read_bytes(path: Path) -> bytes:
    """Return the content of a file.

    Raises:
        StoreError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror or error}") from error


def _sync_folder(folder: Path) -> None:
    # Without this the new name itself may be lost in a power cut although the bytes are on disk.
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
