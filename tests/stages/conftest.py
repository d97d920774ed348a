"""Stages find the scripted model server and the loopback platform beside the tests of those layers."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.extend(str(Path(__file__).parents[1] / name) for name in ("llm", "execution"))

from stageruns import Finished, calls_counted, run_stages, small_params

from edge.sandbox_process import SandboxProcess


@pytest.fixture(scope="session")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """A whole small run whose sandbox is gone. Take a copy: it is made once for all files of tests."""
    with SandboxProcess() as sandbox:
        done = asyncio.run(run_stages(small_params(tmp_path_factory.mktemp("small")), sandbox.url))
        return replace(done, calls=calls_counted(sandbox.url))
