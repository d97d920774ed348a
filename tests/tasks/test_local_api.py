"""The API of a run from the shell: there for the block, silent, and gone afterwards."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from edge.errors import RunError
from tasks import local_api as module
from tasks.local_api import local_api

pytestmark = pytest.mark.prefect


def test_a_flow_runs_and_the_server_is_gone_afterwards(tmp_path: Path) -> None:
    code = """
import asyncio, os
from prefect import flow, task
from prefect.settings import get_current_settings
from tasks.local_api import local_api

@task
async def double(n): return 2 * n

@flow
async def answer(): return await double(21)

with local_api():
    url = get_current_settings().api.url
    print(url, asyncio.run(answer()))
"""
    environment = {
        **os.environ,
        "PREFECT_HOME": str(tmp_path),
        "PREFECT_LOGGING_LEVEL": "CRITICAL",
        "PREFECT_LOGGING_INTERNAL_LEVEL": "CRITICAL",
        "PYTHONPATH": str(Path(module.__file__).parents[1]),
    }
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=240, env=environment, check=True
    )
    url, answer = result.stdout.split()
    assert answer == "42"
    assert result.stderr == ""

    import httpx

    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/health")


def test_a_configured_api_is_used_as_it_is() -> None:
    from prefect.settings import PREFECT_API_URL, get_current_settings, temporary_settings

    with temporary_settings({PREFECT_API_URL: "http://127.0.0.1:9/api"}), local_api():
        assert get_current_settings().api.url == "http://127.0.0.1:9/api"


def test_a_server_that_cannot_start_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from prefect.settings import PREFECT_API_URL, temporary_settings

    monkeypatch.setattr(module, "_free_port", lambda: 99999)
    with (
        temporary_settings(restore_defaults={PREFECT_API_URL}),  # another test of this process may have an API running
        pytest.raises(RunError, match="did not start"),
        local_api(),
    ):
        pass


def test_the_block_may_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of the run goes through; asyncio is left as it was."""
    from prefect.settings import PREFECT_API_URL, temporary_settings

    with (
        temporary_settings({PREFECT_API_URL: "http://127.0.0.1:9/api"}),
        pytest.raises(RunError, match="mine"),
        local_api(),
    ):
        raise RunError("mine")
    assert asyncio.run(asyncio.sleep(0, "ok")) == "ok"
