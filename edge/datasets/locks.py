"""Many processes -> one writer of an outputs folder, by a lock that dies with its holder."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from edge.errors import StoreError

_LOCK_FILE = ".lock"
_POLL_S = 0.05


@dataclass(slots=True)
class _Held:
    handle: int
    count: int


_guard = threading.Lock()
_held: dict[Path, _Held] = {}


@contextmanager
def writing(root: Path, wait_s: float = 0.0) -> Generator[None]:
    """Hold the right to write under `root`; code of the same process that asks again shares it.

    `flock` and not a lock file with an owner: it is gone when the process is, also after kill -9.

    Args:
        root: the outputs folder; it is made.
        wait_s: seconds to wait for another process.

    Raises:
        StoreError: another process writes there.
    """
    path = root.resolve()
    _acquire(path, time.monotonic() + wait_s)
    try:
        yield
    finally:
        _release(path)


def _acquire(root: Path, deadline: float) -> None:
    while True:
        with _guard:
            if root in _held:
                _held[root].count += 1
                return
            handle = _try_lock(root)
            if handle is not None:
                _held[root] = _Held(handle, 1)
                return
        if time.monotonic() >= deadline:
            raise StoreError(f"{root} is being written by process {_owner(root)}; wait for it or use other --outputs")
        time.sleep(_POLL_S)


def _try_lock(root: Path) -> int | None:
    try:
        root.mkdir(parents=True, exist_ok=True)
        handle = os.open(root / _LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StoreError(f"cannot write in {root}: {error.strerror or error}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    os.ftruncate(handle, 0)
    os.pwrite(handle, str(os.getpid()).encode(), 0)
    return handle


def _release(root: Path) -> None:
    with _guard:
        held = _held[root]
        held.count -= 1
        if held.count == 0:
            del _held[root]
            os.close(held.handle)


def _owner(root: Path) -> str:
    try:
        return (root / _LOCK_FILE).read_text() or "unknown"
    except OSError:
        return "unknown"
