"""Starts the sandbox as a process of its own and stops it: the pipeline meets it over HTTP alone."""

from __future__ import annotations

import contextlib
import queue
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from types import TracebackType
from typing import IO

from edge.errors import EndpointError

_READY = re.compile(r"listening on (http://\S+)")
_STOP_SECONDS = 5.0


class SandboxProcess:
    """A sandbox for the length of a `with` block; `url` is its base URL.

    It listens on a free loopback port. It is a session of its own, so that Ctrl-C reaches the run first and the last
    calls still get answers; it ends by itself when this process dies.
    """

    def __init__(
        self,
        *,
        seed: int | None = None,
        today: str | None = None,
        timeout_s: float = 60.0,
        arguments: tuple[str, ...] = (),
    ) -> None:
        self._command = [sys.executable, "-m", "edge.sandbox", "--port", "0", "--exit-with-parent", *arguments]
        if seed is not None:
            self._command += ["--seed", str(seed)]
        if today is not None:
            self._command += ["--today", today]
        self._timeout_s = timeout_s
        self._process: subprocess.Popen[str] | None = None
        self._errors: IO[str] | None = None
        self.url = ""

    def __enter__(self) -> SandboxProcess:
        """Start it and wait until it listens.

        Raises:
            EndpointError: it died or was not ready in time.
        """
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        try:
            self.url = self._wait()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop it."""
        self.stop()

    @property
    def pid(self) -> int | None:
        """Its process id, while it runs."""
        return self._process.pid if self._process else None

    def stop(self) -> None:
        """Ask it to end; after five seconds, make it."""
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._errors is not None:
            self._errors.close()
            self._errors = None

    def _wait(self) -> str:
        process = self._process
        if process is None or process.stdout is None:
            raise EndpointError("the sandbox was not started")
        lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=_drain, args=(process.stdout, lines), daemon=True).start()
        end = time.monotonic() + self._timeout_s
        while (left := end - time.monotonic()) > 0:
            with contextlib.suppress(queue.Empty):
                line = lines.get(timeout=left)
                if line is None:
                    raise EndpointError(f"the sandbox ended before it was ready: {self._last_error()}")
                if found := _READY.search(line):
                    return found.group(1)
        raise EndpointError(f"the sandbox was not ready within {self._timeout_s:g} s: {self._last_error()}")

    def _last_error(self) -> str:
        if self._errors is None:
            return "no message"
        self._errors.seek(0)
        lines = [line.strip() for line in self._errors.read().splitlines() if line.strip()]
        return lines[-1] if lines else "no message"


@contextlib.contextmanager
def serving(endpoint: str, *, seed: int | None = None, today: str | None = None) -> Generator[tuple[str, bool]]:
    """Give the address that answers for `endpoint`, and whether it is a sandbox started here for the block.

    Raises:
        EndpointError: "sandbox" was asked for and did not start.
    """
    if endpoint != "sandbox":  # an address, or "live" and "replay", which need none
        yield endpoint, False
        return
    with SandboxProcess(seed=seed, today=today) as sandbox:
        yield sandbox.url, True


def _drain(stream: IO[str], lines: queue.Queue[str | None]) -> None:
    """Keep reading, so that a chatty child never blocks on a full pipe; None marks the end."""
    with stream:
        for line in stream:
            if lines.qsize() < 100:
                lines.put(line)
    lines.put(None)
