"""`edge gc`: what a kept version refers to stays, all else goes, and a reader never sees half of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from dataset_rows import example

from edge.cli import main
from edge.datasets.catalog import build_catalog, query
from edge.datasets.parts import write_part
from edge.datasets.schemas import SCHEMAS
from edge.datasets.store import Store
from edge.datasets.sweeping import leftovers, remove
from edge.errors import StoreError

V1, V2, V3, V4 = (f"v2026112{day}T143000Z-ab12cd34" for day in (1, 2, 3, 4))
RUN_DATASETS = ("tools", "links", "trajectories", "runs")


def run_of(store: Store, version: str, datasets: tuple[str, ...] = RUN_DATASETS, graph: str = "") -> None:
    """Publish a version as a run does, with its recording and working files."""
    run_id = f"run-{version}"
    for name in datasets:
        parents = {"links": graph} if name == "links" and graph else {"tools": version} if name != "tools" else {}
        row = {**example(name), **({"run_id": run_id} if name == "runs" else {})}
        part = write_part(store.root / ".work" / run_id / "stage", name, [row])
        store.publish(name, version, [part], run_id=run_id, parents=parents)
    heard = store.root / "recordings" / version
    heard.mkdir(parents=True)
    (heard / "a.jsonl.gz").write_bytes(b"12345")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Three shipped versions; the newest went on from the links of the oldest."""
    store = Store(tmp_path)
    run_of(store, V1)
    run_of(store, V2)
    run_of(store, V3, graph=V1)
    return store


def went(store: Store, keep: int) -> set[tuple[str, str]]:
    return {(f.reason, f.path.relative_to(store.root).as_posix()) for f in leftovers(store, keep)}


def test_what_the_kept_version_was_made_from_stays(store: Store) -> None:
    gone = {path for reason, path in went(store, 1) if reason == "old_version"}
    assert gone == {f"{name}/version={v}" for name in RUN_DATASETS for v in (V1, V2)} - {f"links/version={V1}"}


def test_recordings_stay_with_the_versions_they_belong_to(store: Store) -> None:
    assert ("old_recording", f"recordings/{V2}") in went(store, 1)
    assert ("old_recording", f"recordings/{V1}") not in went(store, 1)  # its links are still referred to
    (store.root / "recordings" / V4).mkdir()  # of a run that is under way or was cut off
    assert not [path for _, path in went(store, 1) if V4 in path]


def test_work_of_runs_that_were_not_published_stays(store: Store) -> None:
    (store.root / ".work" / "another").mkdir()
    assert {path for reason, path in went(store, 3) if reason == "finished_work"} == {
        f".work/run-{version}" for version in (V1, V2, V3)
    }


def test_what_an_interrupted_publish_left_goes(store: Store) -> None:
    (store.folder("tools", V4)).mkdir()
    (store.folder("tools", V4) / "part-1.parquet").write_bytes(b"half")
    (store.folder("tools", V3) / ".x.tmp").write_bytes(b"half")
    found = went(store, 3)
    assert ("unpublished", f"tools/version={V4}") in found
    assert ("not_listed", f"tools/version={V3}/.x.tmp") in found


def test_the_newest_version_of_every_dataset_stays(store: Store) -> None:
    run_of(store, V4, ("tools", "links"))  # an exploration alone
    gone = went(store, 1)
    assert not {path for _, path in gone if V4 in path or path == f"trajectories/version={V3}"}


def test_a_dataset_that_ships_nothing_yet_keeps_its_newest(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for version in (V1, V2):
        run_of(store, version, ("tools",))
    assert {path for reason, path in went(store, 1) if reason == "old_version"} == {f"tools/version={V1}"}


def test_removed_is_what_was_found_and_what_is_kept_still_reads(store: Store) -> None:
    build_catalog(store.root)
    found = leftovers(store, 1)
    remove(found)
    assert not any(leftover.path.exists() for leftover in found)
    assert leftovers(store, 1) == []
    assert query(store.root, "SELECT DISTINCT version FROM trajectories_all")[1] == [(V3,)]
    assert {v for name in SCHEMAS for v in store.versions(name)} == {V1, V3}
    assert store.check("links", V1) == store.check("trajectories", V3) == []


def test_the_command_says_what_would_go_and_then_lets_it_go(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["gc", "--keep", "1", "--outputs", str(store.root)]
    assert main([*options, "--dry-run"]) == 0
    would = capsys.readouterr().out.splitlines()
    assert f"old_version: trajectories/version={V2} (0.0 MB)" in would
    assert "would go" in would[-1]
    assert store.folder("trajectories", V2).exists()
    assert main(options) == 0
    assert capsys.readouterr().out.splitlines()[:-1] == would[:-1]
    assert not store.folder("trajectories", V2).exists()


def test_nothing_is_swept_while_another_process_writes(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    script = "import sys; from pathlib import Path; from edge.datasets.store import Store\n"
    script += "with Store(Path(sys.argv[1])).writer(): print('held', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", script, str(store.root)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        assert main(["gc", "--keep", "1", "--outputs", str(store.root)]) == 1
        assert f"is being written by process {other.pid}" in capsys.readouterr().err
        other.communicate("")
    assert store.folder("trajectories", V1).exists()


def test_wrong_usage_is_one_clear_line(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["gc", "--keep", "0"])
    with pytest.raises(StoreError, match="at least one"):
        leftovers(store, 0)
    assert main(["gc", "--outputs", str(store.root / "nope")]) == 2
    assert "is not a folder of outputs" in capsys.readouterr().err


def test_work_of_a_run_that_is_made_again_just_now_stays(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    script = "import sys; from pathlib import Path; from edge.stages.claims import claim\n"
    script += "claim(Path(sys.argv[1]), sys.argv[2]); print('held', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", script, str(store.root), f"run-{V2}"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        assert main(["gc", "--keep", "3", "--outputs", str(store.root)]) == 0
        other.communicate("")
    assert {path.name for path in (store.root / ".work").iterdir()} == {f"run-{V2}"}
