"""Manifests -> the SQL of the catalog's views: typed, over listed files only, wherever the folder lies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from edge.datasets.columns import Column, Schema
from edge.datasets.manifests import Manifest
from edge.datasets.schemas import SCHEMAS
from edge.datasets.store import Store

# Where DuckDB keeps temporary files is beside the catalog it opened (`<catalog>.tmp`), and it is the one setting that a
# view can read: so the views find their files wherever the folder is moved or mounted. A catalog that is attached to
# another database has no such neighbour and takes `SET VARIABLE edge_root = ...`, or the folder it was built in.
_ROOT = """
CREATE MACRO edge_root() AS coalesce(
    getvariable('edge_root'),
    CASE WHEN current_setting('temp_directory') LIKE '%.duckdb.tmp'
         THEN coalesce(nullif(parse_dirpath(current_setting('temp_directory')), ''), '.')
         ELSE {built_in} END)
"""


def root_macro(root: Path) -> str:
    """Return the macro `edge_root()`, the folder of outputs; `root` is where the catalog is built."""
    return _ROOT.format(built_in=quote(root.as_posix()))


def view_statements(store: Store, published: dict[str, list[Manifest]]) -> Iterator[str]:
    """Yield what creates `<name>` and `<name>_all` of every dataset, with comments on views and columns."""
    for name, schema in SCHEMAS.items():
        manifests = published[name]
        yield f"CREATE VIEW {name} AS {_select(store, schema, manifests[-1:], labelled=False)}"
        yield f"CREATE VIEW {name}_all AS {_select(store, schema, manifests, labelled=True)}"
        yield f"COMMENT ON VIEW {name} IS {quote(f'{schema.about} Newest complete version.')}"
        yield f"COMMENT ON VIEW {name}_all IS {quote(f'{schema.about} Every complete version.')}"
        for column in schema.columns:
            for view in (name, f"{name}_all"):
                yield f"COMMENT ON COLUMN {view}.{column.name} IS {quote(column.about)}"
        if "version" not in {column.name for column in schema.columns}:
            yield f"COMMENT ON COLUMN {name}_all.version IS 'version the row was published in'"


def quote(text: str) -> str:
    """Return the text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def _select(store: Store, schema: Schema, manifests: Sequence[Manifest], *, labelled: bool) -> str:
    """Return the query of a view. `labelled` adds the version, which some datasets have as a column anyway."""
    names = [f"{'m' if c.measured else 'p'}.{c.name}" for c in schema.columns]
    if labelled and all(c.name != "version" for c in schema.columns):
        names.append("p.edge_version AS version")
    parts = [_inside(store, m, part.path) for m in manifests for part in m.parts]
    source = f"SELECT {', '.join(names)} FROM {_scan(schema.stored, parts)} p"  # noqa: S608
    if not schema.measured:
        return source
    sidecars = [_inside(store, m, m.measured.path) for m in manifests if m.measured]
    # Keys may be null (a call outside any task), so plain equality would lose their measurements.
    same = " AND ".join(f"p.{key} IS NOT DISTINCT FROM m.{key}" for key in (*schema.key, "edge_version"))
    return f"{source} LEFT JOIN {_scan(schema.sidecar, sidecars)} m ON {same}"


def _inside(store: Store, manifest: Manifest, name: str) -> str:
    folder = store.folder(manifest.dataset, manifest.version)
    return (folder / name).relative_to(store.root).as_posix()


def _scan(columns: Sequence[Column], paths: Sequence[str]) -> str:
    """Return a table of exactly these columns and types over the files, with each row's version.

    The typed empty table in front gives the types when there are no files, and nulls for columns that older parts lack.
    """
    typed = ", ".join(f"NULL::{c.sql} AS {c.name}" for c in columns)
    empty = f"SELECT {typed}, NULL::VARCHAR AS edge_version WHERE false"
    if not paths:
        return f"({empty})"
    files = ", ".join(f"edge_root() || {quote('/' + path)}" for path in paths)
    options = "union_by_name = true, hive_partitioning = false, filename = true"
    label = "regexp_extract(filename, 'version=([A-Za-z0-9_-]+)/[^/]+$', 1) AS edge_version"
    read = f"SELECT * EXCLUDE (filename), {label} FROM read_parquet([{files}], {options})"  # noqa: S608
    return f"({empty} UNION ALL BY NAME {read})"
