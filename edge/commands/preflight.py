"""Checks made before any work, so that a run that cannot end well does not begin."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from edge.errors import RunError, UsageError

if TYPE_CHECKING:
    from edge.stages.params import RunParams

MIN_FREE_BYTES = 200 * 2**20
MODEL_KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}


def check_held_out(sources: Sequence[str]) -> None:
    """Check that evaluation sets can be read.

    Raises:
        UsageError: one cannot, or holds no request.
    """
    from edge.dedup.corpora import held_out_rows

    for source in sources:
        held_out_rows(source)


def writable_outputs(path: Path) -> Path:
    """Create `path` where it is absent and return it absolute.

    Raises:
        UsageError: it is no folder, or nothing can be written there.
        RunError: the disk under it is nearly full.
    """
    absolute = path.absolute()
    free = free_bytes(absolute)
    if free < MIN_FREE_BYTES:
        needed = MIN_FREE_BYTES // 2**20
        raise RunError(f"only {free // 2**20} MB are free under {absolute}, a run needs {needed} MB; make room")
    try:
        absolute.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=absolute):
            pass
    except FileExistsError:
        raise UsageError(f"--outputs {path} is a file, not a folder") from None
    except OSError as error:
        raise UsageError(f"--outputs {path} cannot be written: {error.strerror}") from None
    return absolute


def free_bytes(path: Path) -> int:
    """Return the free bytes of the disk that holds `path`, or would."""
    return shutil.disk_usage(next(p for p in (path, *path.parents) if p.exists())).free


def free_port(port: int, host: str = "127.0.0.1") -> None:
    """Check that `port` can be bound on loopback.

    Raises:
        UsageError: something else listens there.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise UsageError(f"--port {port} cannot be used: {error.strerror}; choose another, or 0 for any") from None


def check_replay(endpoint: str, recordings: Path) -> None:
    """Check that there is something to replay where a run replays.

    Raises:
        UsageError: nothing is recorded there.
    """
    if endpoint == "replay":
        from edge.execution.takes import takes_at

        takes_at(recordings)


def check_links(params: RunParams) -> None:
    """Check that the stored links that a run is to start from are there.

    Raises:
        UsageError: they are not.
    """
    from edge.stages.graphs import graph_of

    graph_of(params, params.endpoint)


def check_llm(backend: str, model: str, has_base_url: bool) -> None:
    """Check that the model chosen can be asked at all.

    Raises:
        UsageError: no model is named, or the service's key is not set.
    """
    if backend == "offline":
        return
    if not model:
        raise UsageError(f"--llm {backend} needs --model (or EDGE_LLM_MODEL)")
    variable = MODEL_KEYS[backend]
    if not has_base_url and not os.environ.get(variable):
        raise UsageError(f"--llm {backend} needs a key in {variable}, or --llm-base-url for a service of your own")
