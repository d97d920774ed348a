"""A run that is killed several times ends like one that was not; nobody sees half a version (benchmarks/crash.py)."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from crash import DRIVER, calls, ended, lifetimes, parts, small_params, start, story

from edge.datasets.store import Store
from edge.sandbox_process import SandboxProcess

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def test_kills_at_random_moments_change_nothing(tmp_path: Path) -> None:
    with SandboxProcess() as sandbox:
        began = time.monotonic()
        assert ended(start(tmp_path / "whole", sandbox.url, 5, resume=False)) == 0
        seconds, needed = time.monotonic() - began, calls(sandbox.url)
        whole = parts(tmp_path / "whole")
        told = story(tmp_path / "killed", sandbox.url, 5, whole, lifetimes(random.Random(7), seconds, 4))
    assert told.killed_in
    assert told.same
    assert told.seen == []
    assert told.looks > 10
    assert told.made - needed <= 16 * len(told.killed_in)  # asked, but killed before the answer was written


def test_two_equal_runs_at_once_are_one_run_and_one_refusal(tmp_path: Path) -> None:
    with SandboxProcess() as sandbox:
        first = start(tmp_path / "outputs", sandbox.url, 5, resume=False)
        given = tmp_path / "second.json"
        given.write_text(small_params(tmp_path / "outputs", 5, resume=False).model_dump_json(), encoding="utf-8")
        for _ in range(100):  # until the first has made itself known
            if list((tmp_path / "outputs").glob(".work/*/claim.json")):
                break
            assert first.poll() is None
            time.sleep(0.05)
        second = subprocess.run([sys.executable, str(DRIVER), str(given), sandbox.url], capture_output=True, text=True)
        assert second.returncode != 0
        assert f"is under way in {tmp_path / 'outputs'}, in process {first.pid} on " in second.stderr
        assert ended(first) == 0
    store = Store(tmp_path / "outputs")
    assert len(store.versions("runs")) == 1
    version = store.latest("runs")
    assert version is not None
    assert store.check("trajectories", version) == []
