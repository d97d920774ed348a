"""Who works on a run: one process at a time has its work files, and says so in a file that outlives it (Run -> claim).

Two equal runs in one outputs folder have one name and so one folder of work files; the second would clear what the
first is writing. The claim is a `flock`: it is gone when its process is, also after kill -9. What stays in the file
tells hooks of a run that has ended badly where its work is.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from edge.errors import RunError, StoreError
from edge.ids import Json

CLAIM = "claim.json"

_guard = threading.Lock()
_held: dict[Path, int] = {}


class RunTaken(RunError):
    """Another process works on the same run; waiting or other --outputs help, trying again at once does not."""


def claim(outputs: Path, run_id: str, **about: str) -> Mapping[str, Json]:
    """Take a run's work files for this process, which may ask again, until `let_go` or its end; return the last note.

    Args:
        outputs: the outputs folder.
        run_id: the run.
        about: what else to note for those who look for the work of a run, such as its flow run's id.

    Raises:
        RunTaken: another process has them.
        StoreError: the disk refuses.
    """
    path = _path(outputs, run_id)
    with _guard:
        handle = _held.get(path)
        if handle is None:
            handle = _taken(path, outputs, run_id)
            _held[path] = handle
        last = _note(path)
        me: dict[str, Json] = {"pid": str(os.getpid()), "host": socket.gethostname(), "run_id": run_id}
        note = {**last, **me, **about}
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps(note, sort_keys=True).encode(), 0)
        return last


def let_go(outputs: Path, run_id: str) -> None:
    """Give a run's work files up; the note stays. Nothing happens where this process does not have them."""
    with _guard:
        handle = _held.pop(_path(outputs, run_id), None)
        if handle is not None:
            os.close(handle)


def claims(outputs: Path) -> list[Mapping[str, Json]]:
    """Return the notes of all runs with work files, the latest claimed last; spoilt ones are left out."""
    found: list[tuple[float, Mapping[str, Json]]] = []
    for path in (outputs / ".work").glob(f"*/{CLAIM}"):
        if note := _note(path):
            found.append((path.stat().st_mtime, note))
    return [note for _, note in sorted(found, key=lambda one: one[0])]


def _path(outputs: Path, run_id: str) -> Path:
    return outputs.absolute() / ".work" / run_id / CLAIM


def _taken(path: Path, outputs: Path, run_id: str) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror or error}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        whose = f"run {run_id} is under way in {outputs}, {_owner(path)}"
        raise RunTaken(f"{whose}; wait for it, or use another seed or other --outputs") from None
    return handle


def _owner(path: Path) -> str:
    note = _note(path)
    return f"in process {note['pid']} on {note['host']}" if note else "in another process"


def _note(path: Path) -> Mapping[str, Json]:
    """Return what a claim says; nothing where it is not there or spoilt."""
    try:
        note: object = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(note, dict):
        return {}
    known = cast("Mapping[str, Json]", note)
    return known if all(name in known for name in ("pid", "host", "run_id")) else {}
