"""Manifests -> `outputs/edge.duckdb`, views only: what analysts, notebooks and `edge sql` read."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path

import duckdb

from edge.datasets.columns import Column, Schema
from edge.datasets.files import place
from edge.datasets.manifests import Manifest
from edge.datasets.schemas import SCHEMAS
from edge.datasets.store import Store
from edge.errors import StoreError, UsageError
from edge.ids import digest

CATALOG = "edge.duckdb"
_STATE_VIEW = "edge_catalog"


def build_catalog(root: Path) -> Path:
    """Write `<root>/edge.duckdb` anew from the manifests and return its path.

    `<name>` shows the newest complete version of a dataset, `<name>_all` every complete version with a `version`
    column; a dataset without a version has empty, typed views. Only files that manifests list are read. The views
    hold absolute paths, so that the catalog works from any working folder: build it again after moving the folder.

    Raises:
        StoreError: the disk refused, or a listed file is spoilt.
    """
    root = root.resolve()
    path = root / CATALOG
    temporary = root / f".{CATALOG}.{uuid.uuid4().hex}.tmp"
    try:
        place(path, temporary, lambda: _fill(temporary, root))
    except duckdb.Error as error:
        raise StoreError(f"cannot build {path}: {_first_line(error)}") from error
    return path


def catalog_state(root: Path) -> str:
    """Return a hash of what a catalog of `root` must show: the folder and its complete versions."""
    return _state(root.resolve(), _published(Store(root)))


def connect(root: Path) -> duckdb.DuckDBPyConnection:
    """Open the catalog for reading only, in UTC, after building it if it is missing or out of date.

    The connection can read files under `root` and nothing else.

    Raises:
        UsageError: there is no such folder.
        StoreError: the catalog cannot be built or opened.
    """
    if not root.is_dir():
        raise UsageError(f"{root} is not a folder of outputs; run: edge synthesize --outputs {root}")
    connection = _open_current(root / CATALOG, catalog_state(root))
    if connection is None:
        connection = _open(build_catalog(root))
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute(f"SET allowed_directories = [{_quote(str(root.resolve()))}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


def query(root: Path, sql: str) -> tuple[list[str], list[tuple[object, ...]]]:
    """Run one reading statement over the catalog and return the column names and the rows.

    Raises:
        UsageError: the SQL is wrong, is more than one statement, or would change something.
        StoreError: the catalog cannot be built or opened.
    """
    with connect(root) as connection:
        try:
            statements = connection.extract_statements(sql)
            if len(statements) != 1:
                raise UsageError(f"one SQL statement is wanted, {len(statements)} are given")
            if statements[0].type not in (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN):
                raise UsageError("only statements that read are run here, such as SELECT, DESCRIBE or SHOW TABLES")
            cursor = connection.execute(statements[0])
            rows: list[tuple[object, ...]] = cursor.fetchall()
            return [str(column[0]) for column in cursor.description or ()], rows
        except duckdb.Error as error:
            raise UsageError(f"SQL: {_first_line(error)}") from None


def _fill(path: Path, root: Path) -> None:
    store = Store(root)
    published = _published(store)
    with duckdb.connect(path) as connection:
        for name, schema in SCHEMAS.items():
            manifests = published[name]
            connection.execute(f"CREATE VIEW {name} AS {_select(store, schema, manifests[-1:], labelled=False)}")
            connection.execute(f"CREATE VIEW {name}_all AS {_select(store, schema, manifests, labelled=True)}")
        connection.execute(f"CREATE VIEW {_STATE_VIEW} AS SELECT {_quote(_state(root, published))} AS state")


def _published(store: Store) -> dict[str, list[Manifest]]:
    return {name: store.manifests(name) for name in SCHEMAS}


def _state(root: Path, published: dict[str, list[Manifest]]) -> str:
    shown = {name: [(m.version, m.content) for m in manifests] for name, manifests in published.items()}
    return digest([str(root), {name: schema.version for name, schema in SCHEMAS.items()}, shown])


def _open_current(path: Path, state: str) -> duckdb.DuckDBPyConnection | None:
    """Open the catalog if it shows this state; None if it is missing, out of date, of an older release or spoilt."""
    if not path.is_file():
        return None
    try:
        connection = _open(path)
        if connection.execute(f"FROM {_STATE_VIEW}").fetchall() == [(state,)]:
            return connection
        connection.close()
    except (duckdb.Error, StoreError):
        return None
    return None


def _open(path: Path) -> duckdb.DuckDBPyConnection:
    try:
        return duckdb.connect(path, read_only=True)
    except duckdb.Error as error:
        raise StoreError(f"cannot open {path}: {_first_line(error)}") from error


def _select(store: Store, schema: Schema, manifests: Sequence[Manifest], *, labelled: bool) -> str:
    """Return the query of a view. `labelled` adds the version, which some datasets have as a column anyway."""
    names = [f"{'m' if c.measured else 'p'}.{c.name}" for c in schema.columns]
    if labelled and all(c.name != "version" for c in schema.columns):
        names.append("p.edge_version AS version")
    parts = [store.folder(schema.dataset, m.version) / part.path for m in manifests for part in m.parts]
    source = f"SELECT {', '.join(names)} FROM {_scan(schema.stored, parts)} p"  # noqa: S608
    if not schema.measured:
        return source
    sidecars = [store.folder(schema.dataset, m.version) / m.measured.path for m in manifests if m.measured]
    # Keys may be null (a call outside any task), so plain equality would lose their measurements.
    same = " AND ".join(f"p.{key} IS NOT DISTINCT FROM m.{key}" for key in (*schema.key, "edge_version"))
    return f"{source} LEFT JOIN {_scan(schema.sidecar, sidecars)} m ON {same}"


def _scan(columns: Sequence[Column], paths: Sequence[Path]) -> str:
    """Return a table of exactly these columns and types over the files, with each row's version.

    The typed empty table in front gives the types when there are no files, and nulls for columns that older parts lack.
    """
    typed = ", ".join(f"NULL::{c.sql} AS {c.name}" for c in columns)
    empty = f"SELECT {typed}, NULL::VARCHAR AS edge_version WHERE false"
    if not paths:
        return f"({empty})"
    files = ", ".join(_quote(str(path)) for path in paths)
    options = "union_by_name = true, hive_partitioning = false, filename = true"
    label = "regexp_extract(filename, 'version=([A-Za-z0-9_-]+)/[^/]+$', 1) AS edge_version"
    read = f"SELECT * EXCLUDE (filename), {label} FROM read_parquet([{files}], {options})"  # noqa: S608
    return f"({empty} UNION ALL BY NAME {read})"


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
