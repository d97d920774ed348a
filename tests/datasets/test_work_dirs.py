"""Batches: done means that the file is there and whole; keys change with everything that decides the rows."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
from dataset_rows import example, ledger

from edge.datasets.parts import read_part
from edge.datasets.work import WorkDir, batch_key
from edge.errors import StoreError

ROOT = Path(__file__).parents[2]
KEY = batch_key(stage="execute", prompt="v1", span=[0, 50])


@pytest.fixture
def work(tmp_path: Path) -> WorkDir:
    return WorkDir(tmp_path, "run1", "execute")


def test_a_batch_is_done_once_it_is_put(work: WorkDir) -> None:
    assert work.get(KEY) is None
    part = work.put(KEY, "stage_ledger", [ledger("a", 1.0)])
    assert WorkDir(work.root, "run1", "execute").get(KEY) == part
    assert part.path == f".work/run1/execute/{KEY}.stage_ledger.parquet"
    assert len(read_part(work.root / part.path)) == 1
    assert WorkDir(work.root, "run2", "execute").get(KEY) is None


def test_batches_of_several_datasets_commit_together(work: WorkDir) -> None:
    rows = {"outcomes": [example("outcomes")], "rejects": []}
    batch = work.put_batch(KEY, rows, {"calls": 3})
    assert work.get_batch(KEY) == batch
    assert (batch.part("rejects").rows, batch.part("outcomes").rows, batch.figures) == (0, 1, {"calls": 3})
    assert work.get(KEY) is None
    with pytest.raises(StoreError, match="has no part of tools"):
        batch.part("tools")


@pytest.mark.parametrize("keep", [0, 10, -1])
def test_c12_a_cut_off_file_is_not_done(work: WorkDir, keep: int) -> None:
    part = work.put(KEY, "rejects", [example("rejects")])
    path = work.root / part.path
    path.write_bytes(path.read_bytes()[:keep])
    assert work.get(KEY) is None
    assert work.put(KEY, "rejects", [example("rejects")]) == part
    assert work.get(KEY) == part


def test_a_deleted_file_or_spoilt_entry_is_not_done(work: WorkDir) -> None:
    part = work.put(KEY, "stage_ledger", [ledger("a", 1.0)])
    assert part.measured is not None
    (work.root / part.measured).unlink()
    assert work.get(KEY) is None
    work.put(KEY, "stage_ledger", [ledger("a", 1.0)])
    (work.root / part.path).unlink()
    assert work.get(KEY) is None
    work.put(KEY, "stage_ledger", [ledger("a", 1.0)])
    entry = work.folder / f"{KEY}.json"
    entry.write_text(entry.read_text()[:-5])
    assert work.get(KEY) is None


def test_c13_a_batch_run_twice_leaves_one_file_of_each_kind(work: WorkDir) -> None:
    first = work.put(KEY, "rejects", [example("rejects")])
    (work.folder / f"{KEY}.json").unlink()  # killed between the part and its commit
    assert work.get(KEY) is None
    assert work.put(KEY, "rejects", [example("rejects")]) == first
    assert len(list(work.folder.iterdir())) == 2


def test_an_entry_of_another_batch_does_not_count(work: WorkDir) -> None:
    work.put("other", "rejects", [])
    (work.folder / "other.json").rename(work.folder / f"{KEY}.json")
    assert work.get(KEY) is None


def test_clear_forgets(work: WorkDir) -> None:
    work.clear()
    work.put(KEY, "rejects", [])
    work.clear()
    assert (work.get(KEY), work.folder.exists()) == (None, False)


@pytest.mark.parametrize("name", ["", "..", "a/b", "a b"])
def test_names_stay_inside_the_folder(work: WorkDir, name: str) -> None:
    with pytest.raises(StoreError, match="not usable"):
        WorkDir(work.root, name, "s")
    with pytest.raises(StoreError, match="not a batch key"):
        work.get(name)


def test_c16_one_byte_of_an_input_changes_the_key() -> None:
    keys = {batch_key(stage="s", prompt=p, n=n, x=x) for p in ("a", "b") for n in (1, 2) for x in ({}, {"t": None})}
    assert len(keys) == 8
    assert batch_key(a=1, b={"c": 2, "d": 3}) == batch_key(b={"d": 3, "c": 2}, a=1)


@pytest.mark.parametrize("bad", [{1, 2}, math.nan, object()])
def test_inputs_whose_text_differs_between_processes_are_refused(bad: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        batch_key(x=bad)


def test_keys_are_the_same_in_every_process() -> None:
    script = "from edge.datasets.work import batch_key; print(batch_key(stage='execute', prompt='v1', span=[0, 50]))"
    for seed in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == KEY
