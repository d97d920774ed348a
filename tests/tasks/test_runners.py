"""One setting says where tasks are executed; what is not installed is named, with the extra that brings it."""

from __future__ import annotations

import importlib.util
import sys

import pytest
from prefect.task_runners import ProcessPoolTaskRunner, ThreadPoolTaskRunner

from edge.errors import MissingExtra
from edge.ids import digest
from edge.settings import TaskSettings
from edge.stages.sequence_generation import piece_of
from tasks.runners import task_runner


def test_threads_are_the_default_and_processes_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(task_runner(), ThreadPoolTaskRunner)
    monkeypatch.setenv("EDGE_TASK_RUNNER", "process")
    monkeypatch.setenv("EDGE_TASK_WORKERS", "3")
    runner = task_runner()
    assert isinstance(runner, ProcessPoolTaskRunner)
    assert runner._max_workers == 3


@pytest.mark.parametrize("runner", ["dask", "ray"])
def test_a_runner_that_is_not_installed_names_its_extra(runner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, f"prefect_{runner}", None)  # as if it were not there
    settings = TaskSettings.model_validate({"runner": runner})
    with pytest.raises(MissingExtra, match=rf"pip install 'edge-synthesis\[{runner}\]'"):
        task_runner(settings)


@pytest.mark.parametrize("runner", ["dask", "ray"])
def test_a_cluster_is_used_by_its_address(runner: str) -> None:
    if importlib.util.find_spec(f"prefect_{runner}") is None:
        pytest.skip(f"the extra {runner} is not installed")
    address = {"dask": "tcp://127.0.0.1:8786", "ray": "ray://127.0.0.1:10001"}[runner]
    made = task_runner(TaskSettings.model_validate({"runner": runner, "address": address}))
    assert getattr(made, "address", None) == address


@pytest.mark.parametrize("pieces", [1, 2, 7])
def test_pieces_share_all_requests_evenly(pieces: int) -> None:
    ids = [digest(["task", n]) for n in range(700)]
    sizes = [sum(piece_of(i, pieces) == piece for i in ids) for piece in range(pieces)]
    assert sum(sizes) == len(ids)
    assert min(sizes) > 0.6 * len(ids) / pieces
