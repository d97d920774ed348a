"""A Prefect API for one run from the shell: the configured one, else a server that lives as long as the run.

Prefect would start such a server itself, but in our process group, where Ctrl-C kills it before the run can report to
it, and `kill -9` of the run leaves it behind. This one is a session of its own and ends when the pipe to its parent
closes.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import IO

from edge.errors import RunError

START_SECONDS = 180.0
STOP_SECONDS = 10.0
HOST = "127.0.0.1"
_SERVER = {"PREFECT_UI_ENABLED": "0", "PREFECT__SERVER_EPHEMERAL": "1", "PREFECT__SERVER_FINAL": "1"}


@contextmanager
def local_api() -> Generator[None]:
    """Run the block with a Prefect API.

    Raises:
        RunError: the server did not start.
    """
    from prefect.events.worker import EventsWorker
    from prefect.settings import PREFECT_API_URL, get_current_settings, temporary_settings

    settings = get_current_settings()
    if settings.api.url is not None:
        yield
        return
    environment = {**os.environ, **settings.to_environment_variables(exclude_unset=True), **_SERVER}
    port = _free_port()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        server = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-m", "tasks.local_api", str(port)],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            env=environment,
            start_new_session=True,
        )
        try:
            _wait(server, port, log)
            with temporary_settings({PREFECT_API_URL: f"http://{HOST}:{port}/api"}):
                try:
                    yield
                finally:
                    # What happened is reported in the background; without its server the report would fail loudly.
                    # That some of it is still on its way is no news (a logger outside Prefect's own levels says so).
                    logging.getLogger(EventsWorker.__name__).setLevel(logging.ERROR)
                    EventsWorker.drain_all(timeout=STOP_SECONDS, at_exit=False)
        finally:
            _stop(server)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _wait(server: subprocess.Popen[bytes], port: int, log: IO[str]) -> None:
    import httpx

    end = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < end:
        try:
            # No proxy from the environment may stand between us and loopback.
            if httpx.get(f"http://{HOST}:{port}/api/health", timeout=2, trust_env=False).is_success:
                return
        except httpx.HTTPError:
            time.sleep(0.1)
    log.seek(0)
    lines = [line.strip() for line in log.read().splitlines() if line.strip()]
    raise RunError(f"Prefect's server did not start: {lines[-1] if lines else 'no message'}")


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
    if server.stdin is not None:
        server.stdin.close()


def _serve(port: int) -> None:
    import uvicorn

    threading.Thread(target=_end_with_parent, daemon=True).start()
    factory = "prefect.server.api.server:create_app"
    uvicorn.run(factory, factory=True, host=HOST, port=port, log_level="error", lifespan="on")


def _end_with_parent() -> None:
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    _serve(int(sys.argv[1]))
