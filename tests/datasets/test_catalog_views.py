"""The catalog: typed views of what manifests list, for plain DuckDB in any folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import polars as pl
import pytest
from dataset_rows import NOW, example, ledger

from edge.datasets.catalog import build_catalog, catalog_state, connect, query
from edge.datasets.manifests import MANIFEST
from edge.datasets.parts import write_part
from edge.datasets.schemas import SCHEMAS
from edge.datasets.store import Store
from edge.errors import StoreError, UsageError

V1, V2, V3 = "v20261129T143000Z-ab12cd34", "v20261129T143001Z-ab12cd34", "v20261129T143002Z-ab12cd34"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "it's outputs" / "version=x")  # quotes and a misleading folder name
    store.root.mkdir(parents=True)
    return store


def publish(store: Store, version: str, dataset: str, *rows: dict[str, object]) -> None:
    store.publish(dataset, version, [write_part(store.root / ".work", dataset, rows)], run_id="r1")


def test_without_versions_every_view_is_there_typed_and_empty(store: Store) -> None:
    with connect(store.root) as connection:
        names = {str(row[0]) for row in connection.execute("SHOW TABLES").fetchall()}
        assert names >= {view for name in SCHEMAS for view in (name, f"{name}_all")}
        for name, schema in SCHEMAS.items():
            rows = connection.execute(f"DESCRIBE {name}").fetchall()
            assert [row[:2] for row in rows] == [(c.name, c.sql) for c in schema.columns]
            assert connection.execute(f"FROM {name}").fetchall() == []
            labelled = [row[0] for row in connection.execute(f"DESCRIBE {name}_all").fetchall()]
            assert labelled.count("version") == 1


@pytest.mark.parametrize("dataset", SCHEMAS)
def test_views_show_every_column_of_a_row(store: Store, dataset: str) -> None:
    publish(store, V1, dataset, example(dataset))
    columns, rows = query(store.root, f"FROM {dataset}")
    assert columns == [c.name for c in SCHEMAS[dataset].columns]
    wanted = store.rows(dataset)[0]
    found = dict(zip(columns, rows[0], strict=True))
    assert found == wanted


def test_newest_version_and_all_versions(store: Store) -> None:
    publish(store, V1, "stage_ledger", ledger("a", 1.5), ledger("b"))
    publish(store, V2, "stage_ledger", ledger("a", 7.0))
    assert query(store.root, "SELECT stage, seconds FROM stage_ledger")[1] == [("a", 7.0)]
    found = query(store.root, "SELECT version, stage, seconds FROM stage_ledger_all ORDER BY ALL")[1]
    assert found == [(V1, "a", 1.5), (V1, "b", None), (V2, "a", 7.0)]


def test_runs_of_every_version_know_their_version(store: Store) -> None:
    for version in (V1, V2):
        publish(store, version, "runs", example("runs", version=None))
    assert query(store.root, "SELECT version FROM runs_all ORDER BY 1")[1] == [(V1,), (V2,)]
    assert query(store.root, "SELECT version, started_at FROM runs")[1] == [(V2, NOW)]


def test_rows_with_null_keys_keep_their_measurements(store: Store) -> None:
    rows = [example("outcomes", i, task_id=None, step_id=None, latency_ms=float(i)) for i in range(3)]
    publish(store, V1, "outcomes", *rows)
    assert query(store.root, "SELECT latency_ms FROM outcomes ORDER BY 1")[1] == [(0.0,), (1.0,), (2.0,)]


def test_only_listed_files_are_read(store: Store) -> None:
    publish(store, V1, "stage_ledger", ledger("a"))
    folder = store.folder("stage_ledger", V1)
    (folder / "part-00001.parquet").write_bytes(b"")
    half = store.folder("stage_ledger", V2)
    half.mkdir()
    (half / "part-00000.parquet").write_bytes(b"PAR1")
    assert query(store.root, "SELECT count(*) FROM stage_ledger_all")[1] == [(1,)]


def test_c12_an_incomplete_version_hides_behind_the_one_before(store: Store) -> None:
    publish(store, V1, "stage_ledger", ledger("a"))
    publish(store, V2, "stage_ledger", ledger("b"))
    (store.folder("stage_ledger", V2) / store.manifest("stage_ledger").parts[0].path).unlink()
    assert query(store.root, "SELECT stage FROM stage_ledger")[1] == [("a",)]


def test_parts_of_an_older_release_lack_columns_and_still_read(store: Store) -> None:
    publish(store, V1, "stage_ledger", ledger("old"))
    manifest = store.manifest("stage_ledger")
    path = store.folder("stage_ledger", V1) / manifest.parts[0].path
    pl.read_parquet(path, hive_partitioning=False).drop("dropped").write_parquet(path)
    text = (path.parent / MANIFEST).read_text()
    size = f'"bytes":{manifest.parts[0].bytes}'
    (path.parent / MANIFEST).write_text(text.replace(size, f'"bytes":{path.stat().st_size}'))
    publish(store, V2, "stage_ledger", ledger("new"))
    found = query(store.root, "SELECT stage, dropped FROM stage_ledger_all ORDER BY version")[1]
    assert found == [("old", None), ("new", '{"empty":1}')]


def test_plain_duckdb_opens_it_from_another_folder_and_zone(store: Store) -> None:
    publish(store, V1, "runs", example("runs"))
    path = build_catalog(store.root)
    script = "import duckdb, sys; print(duckdb.connect(sys.argv[1], read_only=True).execute(sys.argv[2]).fetchall())"
    sql = (
        "SELECT version, strftime(started_at AT TIME ZONE 'Asia/Seoul', '%Y-%m-%d %H:%M'), config->>'lawdCd' FROM runs"
    )
    for zone in ("UTC", "Asia/Seoul"):
        done = subprocess.run(
            [sys.executable, "-c", script, str(path), sql],
            env={**os.environ, "TZ": zone},
            cwd="/",
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == f"[('{V1}', '2026-11-29 23:30', '01110')]"


def test_query_sees_new_versions(store: Store) -> None:
    publish(store, V1, "stage_ledger", ledger("a"))
    assert query(store.root, "SELECT stage FROM stage_ledger")[1] == [("a",)]
    state = catalog_state(store.root)
    publish(store, V2, "stage_ledger", ledger("b"))
    assert catalog_state(store.root) != state
    assert query(store.root, "SELECT stage FROM stage_ledger")[1] == [("b",)]
    (store.root / "edge.duckdb").write_bytes(b"spoilt")
    assert query(store.root, "SELECT stage FROM stage_ledger")[1] == [("b",)]


@pytest.mark.parametrize("opened", ["absolute", "relative", "attached"])
def test_a_moved_folder_is_read_where_it_is(store: Store, opened: str, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(store, V1, "stage_ledger", ledger("a", 1.5))
    build_catalog(store.root)
    moved = store.root.rename(store.root.parent / "moved elsewhere")
    store.root.mkdir()  # an empty folder where it was: nothing may be looked for there
    monkeypatch.chdir(moved.parent)
    catalog = {"absolute": str(moved / "edge.duckdb"), "relative": "moved elsewhere/edge.duckdb"}.get(opened)
    with duckdb.connect(catalog or ":memory:", read_only=catalog is not None) as reader:
        if catalog is None:
            reader.execute("ATTACH 'moved elsewhere/edge.duckdb' AS edge (READ_ONLY)")
            reader.execute("SET VARIABLE edge_root = 'moved elsewhere'")
            reader.execute("USE edge")
        assert reader.execute("SELECT stage, seconds FROM stage_ledger").fetchall() == [("a", 1.5)]
        assert reader.execute("SELECT stage FROM funnel()").fetchall() == [("a",)]


def test_an_attached_catalog_that_did_not_move_needs_no_variable(store: Store) -> None:
    publish(store, V1, "stage_ledger", ledger("a"))
    path = str(build_catalog(store.root)).replace("'", "''")
    with duckdb.connect() as reader:
        reader.execute(f"ATTACH '{path}' AS edge (READ_ONLY)")
        assert reader.execute("SELECT stage FROM edge.stage_ledger").fetchall() == [("a",)]


def test_every_view_and_column_says_what_it_is(store: Store) -> None:
    with connect(store.root) as connection:
        views = dict(connection.execute("SELECT view_name, comment FROM duckdb_views() WHERE NOT internal").fetchall())
        columns = connection.execute(
            "SELECT table_name, column_name, comment FROM duckdb_columns() WHERE NOT internal"
        ).fetchall()
    assert all(len(views[view] or "") > 10 for name in SCHEMAS for view in (name, f"{name}_all"))
    assert [row[:2] for row in columns if row[0] != "edge_catalog" and not row[2]] == []


def test_rebuilding_does_not_disturb_a_reader_and_leaves_no_scraps(store: Store) -> None:
    publish(store, V1, "stage_ledger", ledger("a"))
    path = build_catalog(store.root)
    with duckdb.connect(path, read_only=True) as reader:
        publish(store, V2, "stage_ledger", ledger("b"))
        build_catalog(store.root)
        assert reader.execute("SELECT stage FROM stage_ledger").fetchall() == [("a",)]
    assert {p.name for p in store.root.iterdir()} == {".work", ".lock", "stage_ledger", "edge.duckdb"}


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELEC 1", "SQL: Parser Error"),
        ("SELECT nope FROM runs", "SQL: Binder Error"),
        ("SELECT * FROM nope", "SQL: Catalog Error"),
        ("SELECT 'a'::INT", "SQL: Conversion Error"),
        ("", "one SQL statement"),
        ("SELECT 1; SELECT 2", "one SQL statement"),
        ("CREATE TABLE t (i INT)", "only statements that read"),
        ("COPY (SELECT 1) TO '/tmp/x.csv'", "only statements that read"),
        ("SELECT * FROM read_text('/etc/hostname')", "SQL: Permission Error"),
    ],
)
def test_wrong_sql_is_one_clear_line(store: Store, sql: str, message: str) -> None:
    with pytest.raises(UsageError, match=f"^{message}") as caught:
        query(store.root, sql)
    assert "\n" not in str(caught.value)


def test_a_folder_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a folder of outputs"):
        query(tmp_path / "nope", "SELECT 1")


def test_a_listed_part_that_is_spoilt_is_one_clear_line(store: Store) -> None:
    publish(store, V1, "stage_ledger", ledger("a"))
    path = store.folder("stage_ledger", V1) / store.manifest("stage_ledger").parts[0].path
    path.write_bytes(bytes(path.stat().st_size))
    with pytest.raises(StoreError, match="cannot build"):
        build_catalog(store.root)
    assert [p.name for p in store.root.glob("*.tmp")] == []
