"""Versions: visible only when whole, never changed, one writer."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest
from dataset_rows import NOW, example, ledger
from hypothesis import given, settings
from hypothesis import strategies as st

from edge.datasets.ledger import StageCount
from edge.datasets.manifests import MANIFEST
from edge.datasets.parts import PartRef, grouped, write_part
from edge.datasets.schemas import SCHEMAS
from edge.datasets.store import Store
from edge.datasets.work import WorkDir
from edge.errors import StoreError

ROOT = Path(__file__).parents[2]
V1, V2 = "v20261129T143000Z-ab12cd34", "v20261129T143001Z-ab12cd34"


def parts(store: Store, dataset: str, *batches: list[dict[str, object]]) -> list[PartRef]:
    return [write_part(store.root / ".work" / "t", dataset, rows) for rows in batches]


def publish(store: Store, version: str, *stages: str) -> None:
    store.publish("stage_ledger", version, parts(store, "stage_ledger", [ledger(s) for s in stages]), run_id="r1")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "outputs")


def test_version_names_sort_by_time_and_are_no_numbers(store: Store) -> None:
    names = [store.new_version(NOW + timedelta(seconds=s), "ab12cd34ef56") for s in (0, 1, 60, 86_400)]
    assert names[0] == V1
    assert names == sorted(names)
    guessed = duckdb.execute("SELECT try_cast(? AS DOUBLE), try_cast(? AS TIMESTAMP)", [V1, V1]).fetchall()
    assert guessed == [(None, None)]


def test_a_clock_set_back_still_gives_a_newer_version(store: Store) -> None:
    publish(store, V1, "a")
    assert store.new_version(NOW, "ab12cd34") == V2
    assert store.new_version(NOW - timedelta(days=3), "ffff") == "v20261129T143001Z-ffff"
    with pytest.raises(StoreError, match="zone"):
        store.new_version(datetime(2026, 1, 1), "r")


def test_published_rows_come_back_with_their_measurements(store: Store) -> None:
    batches = parts(store, "stage_ledger", [ledger("a", 1.5), ledger("b")], [ledger("c", 2.5)])
    manifest = store.publish(
        "stage_ledger",
        V1,
        batches,
        run_id="r1",
        parents={"tools": V1},
        hashes={"spec": "s", "config": "c"},
        counts=[StageCount.of("dedup", 5, {"exact": 2})],
        measured=[{"run_id": "r1", "stage": "b", "seconds": 9.0}],
    )
    assert [(row["stage"], row["seconds"]) for row in store.rows("stage_ledger")] == [
        ("a", 1.5),
        ("b", 9.0),
        ("c", 2.5),
    ]
    assert store.manifest("stage_ledger") == manifest
    assert (manifest.rows, manifest.run_id, manifest.parents) == (3, "r1", {"tools": V1})
    assert manifest.counts == (StageCount("dedup", 5, 3, {"exact": 2}),)
    assert [part.rows for part in manifest.parts] == [3]
    assert store.check("stage_ledger", V1) == []
    assert sorted(p.name for p in store.folder("stage_ledger", V1).iterdir()) == sorted(
        [MANIFEST, "_measured.parquet", *(part.path for part in manifest.parts)]
    )


def test_a_run_learns_its_version_from_being_published(store: Store) -> None:
    row = example("runs", version=None, finished_at=None)
    for version in (V1, V2):
        refs = parts(store, "runs", [row])
        store.publish("runs", version, refs, run_id="r1", measured=[{"run_id": row["run_id"], "finished_at": NOW}])
    first, second = store.rows("runs", V1), store.rows("runs", V2)
    assert (first[0]["version"], second[0]["version"], first[0]["finished_at"]) == (V1, V2, NOW)
    assert store.manifest("runs", V1).content == store.manifest("runs", V2).content


def test_two_runs_of_one_seed_give_the_same_parts_though_clocks_differ(store: Store) -> None:
    for version, ms in ((V1, 5.0), (V2, 77.0)):
        later = NOW + timedelta(hours=ms)
        for dataset in SCHEMAS:
            row = example(dataset, latency_ms=ms) if dataset == "outcomes" else example(dataset)
            row.update({c.name: later for c in SCHEMAS[dataset].measured if c.kind == "time"})
            store.publish(dataset, version, parts(store, dataset, [row]), run_id="r1")
    for dataset in SCHEMAS:
        assert store.manifest(dataset, V1).content == store.manifest(dataset, V2).content
    assert [store.rows("outcomes", v)[0]["latency_ms"] for v in (V1, V2)] == [5.0, 77.0]


def test_publishing_again_is_nothing_and_other_content_is_refused(store: Store) -> None:
    publish(store, V1, "a")
    stamp = (store.folder("stage_ledger", V1) / MANIFEST).stat().st_mtime_ns
    publish(store, V1, "a")
    assert (store.folder("stage_ledger", V1) / MANIFEST).stat().st_mtime_ns == stamp
    with pytest.raises(StoreError, match="published with other content; versions never change"):
        publish(store, V1, "b")
    assert [row["stage"] for row in store.rows("stage_ledger")] == ["a"]


def test_writing_to_a_working_file_later_does_not_reach_what_is_published(store: Store) -> None:
    (ref,) = parts(store, "rejects", [example("rejects")])
    store.publish("rejects", V1, [ref], run_id="r1")
    Path(ref.path).write_bytes(b"spoilt")
    assert store.check("rejects", V1) == []
    with pytest.raises(StoreError, match="changed after it was written"):
        store.publish("rejects", V2, [ref], run_id="r1")


def test_c11_nothing_is_visible_before_the_manifest(store: Store) -> None:
    publish(store, V1, "a")
    folder = store.folder("stage_ledger", V2)
    folder.mkdir(parents=True)
    (folder / "part-00000.parquet").write_bytes(b"PAR1 half a file")
    (folder / ".abc.tmp").write_bytes(b"")
    assert (store.latest("stage_ledger"), store.versions("stage_ledger")) == (V1, [V1])
    assert len(store.check("stage_ledger", V2)) == 1
    publish(store, V2, "b")  # the retry succeeds and leaves nothing of the crash
    assert store.check("stage_ledger", V2) == []
    assert not (folder / ".abc.tmp").exists()
    assert store.latest("stage_ledger") == V2


def test_c12_done_means_that_the_files_match(store: Store) -> None:
    publish(store, V1, "a")
    publish(store, V2, "b")
    (part,) = store.manifest("stage_ledger", V2).parts
    path = store.folder("stage_ledger", V2) / part.path
    path.write_bytes(path.read_bytes()[:-10])
    assert (store.latest("stage_ledger"), store.published("stage_ledger")) == (V1, [V1, V2])
    assert store.check("stage_ledger", V2) == [f"{path}: content differs from the manifest"]
    path.unlink()
    assert store.check("stage_ledger", V2) == [f"{path}: missing"]
    publish(store, V2, "b")
    assert (store.check("stage_ledger", V2), store.latest("stage_ledger")) == ([], V2)


def test_check_reports_strangers_and_flipped_bits(store: Store) -> None:
    publish(store, V1, "a")
    folder = store.folder("stage_ledger", V1)
    (folder / "part-extra.parquet").write_bytes(b"x")
    path = folder / store.manifest("stage_ledger").parts[0].path
    data = bytearray(path.read_bytes())
    data[40] ^= 1
    path.write_bytes(data)
    assert [line.rpartition(": ")[2] for line in store.check("stage_ledger", V1)] == [
        "content differs from the manifest",
        "not in the manifest",
    ]


def test_c13_a_row_written_twice_is_refused(store: Store) -> None:
    twice = parts(store, "outcomes", [example("outcomes", 1)], [example("outcomes", 1, message="again")])
    with pytest.raises(StoreError, match="outcomes: 2 rows share a key"):
        store.publish("outcomes", V1, twice, run_id="r1")
    (ref,) = parts(store, "outcomes", [example("outcomes", 1)])
    with pytest.raises(StoreError, match="the same part is given twice"):
        store.publish("outcomes", V1, [ref, ref], run_id="r1")
    assert store.latest("outcomes") is None


def test_no_parts_and_empty_parts_are_a_typed_empty_version(store: Store) -> None:
    assert store.rows("rejects") == []
    assert store.publish("rejects", V1, [], run_id="r1").rows == 0
    empty = parts(store, "duplicates", [], [], [example("duplicates")])
    assert len(store.publish("duplicates", V1, empty, run_id="r1").parts) == 1
    assert (store.rows("rejects"), len(store.rows("duplicates"))) == ([], 1)
    assert store.check("rejects", V1) == []


@pytest.mark.parametrize("version", ["1", "2026", "", "v1/../../x", "v 1", "x1", "전국"])
def test_c10_versions_are_safe_folder_names_and_no_numbers(store: Store, version: str) -> None:
    with pytest.raises(StoreError, match="is not a version"):
        store.folder("tools", version)


def test_what_is_not_there_is_one_clear_line(store: Store) -> None:
    with pytest.raises(StoreError, match="holds no version of tools; run: edge synthesize"):
        store.manifest("tools")
    with pytest.raises(StoreError, match="cannot read"):
        store.rows("tools", V1)
    with pytest.raises(StoreError, match="unknown dataset"):
        store.folder("nope", V1)
    with pytest.raises(StoreError, match="not a part of tools"):
        store.publish("tools", V1, parts(store, "rejects", []), run_id="r1")


def test_measured_values_must_belong_to_a_row(store: Store) -> None:
    refs = parts(store, "stage_ledger", [ledger("a")])
    with pytest.raises(StoreError, match="which is no row"):
        store.publish("stage_ledger", V1, refs, run_id="r1", measured=[{"run_id": "r1", "stage": "z", "seconds": 1.0}])
    with pytest.raises(StoreError, match="has no measured columns"):
        store.publish("rejects", V1, [], run_id="r1", measured=[{"stage": "a"}])


def test_a_spoilt_manifest_hides_its_version_only(store: Store) -> None:
    publish(store, V1, "a")
    publish(store, V2, "b")
    (store.folder("stage_ledger", V2) / MANIFEST).write_text('{"dataset": ')
    assert store.latest("stage_ledger") == V1
    assert "is not a manifest" in store.check("stage_ledger", V2)[0]


def test_parts_of_a_work_dir_are_found_from_any_folder(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ref = WorkDir(store.root, "r1", "s").put("k", "stage_ledger", [ledger("a", 4.0)])
    monkeypatch.chdir("/")
    store.publish("stage_ledger", V1, [ref], run_id="r1")
    assert store.rows("stage_ledger")[0]["seconds"] == 4.0


def test_a_second_process_is_told_who_writes(store: Store) -> None:
    script = (
        "import sys; from pathlib import Path; from edge.datasets.store import Store\n"
        "with Store(Path(sys.argv[1])).writer(): print('held', flush=True); sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", script, str(store.root)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(StoreError, match=f"is being written by process {other.pid}; wait"), store.writer():
            pass
        other.kill()  # the lock must not outlive its holder
        other.wait()
        deadline = time.monotonic() + 5
        with store.writer(wait_s=deadline - time.monotonic()), store.writer():
            publish(store, V1, "a")


def test_counts_that_do_not_add_up_are_refused() -> None:
    assert StageCount("a", 3, 1, {"x": 1, "y": 1}).row("r", 1.0)["dropped"] == '{"x":1,"y":1}'
    assert StageCount.of("a", 3, {"x": 0, "b": 2}) == StageCount("a", 3, 1, {"b": 2})
    with pytest.raises(StoreError, match="3 rows in, 1 out, 1 dropped; 1 unaccounted for"):
        StageCount("a", 3, 1, {"x": 1})
    with pytest.raises(StoreError, match="2 too many"):
        StageCount("a", 0, 2)
    for bad in ((-1, -1, {}), (0, 1, {"x": -1})):
        with pytest.raises(StoreError, match="negative"):
            StageCount("a", *bad)


def test_times_of_versions_are_utc(store: Store) -> None:
    assert store.new_version(NOW.astimezone(), "!!") == "v20261129T143000Z-run"
    assert NOW.tzinfo is UTC


def test_however_rows_are_split_into_parts_the_published_files_are_the_same(tmp_path: Path) -> None:
    rows = [example("outcomes", i, task_id=None if i % 3 else f"t{i}") for i in range(12)]

    @settings(max_examples=25, deadline=None)
    @given(cuts=st.sets(st.integers(1, 11)))
    def check(cuts: set[int]) -> None:
        with tempfile.TemporaryDirectory(dir=tmp_path) as folder:
            store = Store(Path(folder))
            edges = [0, *sorted(cuts), len(rows)]
            split = [rows[a:b] for a, b in itertools.pairwise(edges)]
            found.add(store.publish("outcomes", V1, parts(store, "outcomes", *split), run_id="r1").content)

    found: set[tuple[str, ...]] = set()
    check()
    assert len(found) == 1
    whole = write_part(tmp_path / "whole", "outcomes", rows)
    assert found == {(whole.sha256,)}


def test_large_parts_stay_apart() -> None:
    sizes = [(60_000, 1), (40_000, 1), (1, 1), (5, 60 * 2**20), (5, 5 * 2**20), (200_000, 1), (1, 1)]
    given_parts = [PartRef("outcomes", f"{i}", rows, size, str(i)) for i, (rows, size) in enumerate(sizes)]
    assert [[int(p.path) for p in group] for group in grouped(given_parts)] == [[0, 1], [2, 3], [4], [5], [6]]
