"""Manifests -> `outputs/edge.duckdb`, views and macros only: what analysts, notebooks and `edge sql` read."""

from __future__ import annotations

import uuid
from importlib.resources import files
from pathlib import Path

import duckdb

from edge.datasets.files import place
from edge.datasets.remotes import Remote
from edge.datasets.schemas import SCHEMAS
from edge.datasets.store import Store
from edge.datasets.views import quote, root_macro, view_statements
from edge.errors import StoreError, UsageError
from edge.ids import digest

CATALOG = "edge.duckdb"
_STATE_VIEW = "edge_catalog"


def build_catalog(root: Path) -> Path:
    """Write `<root>/edge.duckdb` anew from the manifests and return its path.

    `<name>` shows the newest complete version of a dataset, `<name>_all` every complete version with a `version`
    column; a dataset without a version has empty, typed views. Only files that manifests list are read, beside the
    catalog wherever it is opened. The macros of `macros.sql` come with it. A mirror passes it on to its place.

    Raises:
        StoreError: the disk refused, or a listed file is spoilt.
    """
    path = _build(root.resolve())
    remote = Remote.of(root)
    if remote is not None:
        remote.push_files(root, [root / CATALOG])
    return path


def _build(root: Path) -> Path:
    path = root / CATALOG
    temporary = root / f".{CATALOG}.{uuid.uuid4().hex}.tmp"
    try:
        place(path, temporary, lambda: _fill(temporary, root))
    except duckdb.Error as error:
        raise StoreError(f"cannot build {path}: {_first_line(error)}") from error
    return path


def catalog_state(root: Path) -> str:
    """Return a hash of what a catalog of `root` must show: its complete versions, and how it shows them."""
    return digest(_statements(root.resolve()))


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
        connection = _open(_build(root.resolve()))
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute(f"SET allowed_directories = [{quote(str(root.resolve()))}]")
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
    statements = _statements(root)
    with duckdb.connect(path) as connection:
        state = f"CREATE VIEW {_STATE_VIEW} AS SELECT {quote(digest(statements))} AS state"
        # One transaction: hundreds of them would be synced to the disk one by one.
        connection.execute(";\n".join(["BEGIN", root_macro(root), *statements, state, "COMMIT"]))


def _statements(root: Path) -> list[str]:
    store = Store(root)
    published = {name: store.manifests(name) for name in SCHEMAS}
    macros = files("edge.datasets").joinpath("macros.sql").read_text("utf-8")
    return [*view_statements(store, published), macros]


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


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
