"""The sandbox as a child process: ready when it says so, gone when the block ends, clear when it cannot start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

import edge
from edge.errors import EndpointError
from edge.sandbox_process import SandboxProcess


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z" if Path("/proc").is_dir() else True


def test_serves_while_the_block_runs() -> None:
    with SandboxProcess(today="2026-03-02") as sandbox:
        pid = sandbox.pid
        assert pid is not None
        assert httpx.get(sandbox.url).headers["date"].startswith(("Mon, 02 Mar 2026", "Sun, 01 Mar 2026"))
    assert not _alive(pid)
    assert sandbox.pid is None
    sandbox.stop()  # again changes nothing


def test_says_why_it_could_not_start() -> None:
    with pytest.raises(EndpointError, match="--nonsense"), SandboxProcess(arguments=("--nonsense",)):
        pass


def test_gives_up_on_a_silent_child(monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = SandboxProcess(timeout_s=0.3)
    monkeypatch.setattr(sandbox, "_command", [sys.executable, "-c", "import time; time.sleep(60)"])
    with pytest.raises(EndpointError, match="not ready within"):
        sandbox.__enter__()
    assert sandbox.pid is None


def test_ends_with_its_parent() -> None:
    code = (
        "import time\nfrom edge.sandbox_process import SandboxProcess\n"
        "with SandboxProcess() as s:\n    print(s.pid, flush=True)\n    time.sleep(60)"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(edge.__file__).parents[1])}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=env) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
    end = time.monotonic() + 20
    while _alive(pid) and time.monotonic() < end:
        time.sleep(0.2)
    assert not _alive(pid)
