"""Held-out sets and public benchmarks -> rows to compare with (files -> the columns of `records.COLUMNS`)."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import orjson
import polars as pl

from edge.dedup.importing import imported
from edge.dedup.records import COLUMNS
from edge.errors import UsageError

BFCL = "bfcl"
_PACKAGE = "bfcl_eval"
_HELD = {**COLUMNS, "links": pl.List(pl.String)}
_READ = {".parquet", ".json", ".jsonl"}


def held_out_rows(source: str) -> pl.DataFrame:
    """Return the requests of an evaluation set, ids as "<file>#<id>", with their `links` where they are told.

    Where rows say that they are of a split "train", they are no evaluation and left out.

    Args:
        source: a Parquet file (trajectory_id or task_id, and query), a file of JSON lines (id, and query or the
            `question` of BFCL), a folder of these, an outputs folder, or "bfcl" for the data of the package bfcl-eval.

    Raises:
        UsageError: there is no such file, the package is not installed, or nothing in it is a request.
    """
    root = _folder_of_bfcl() if source == BFCL else Path(source)
    if not root.exists():
        raise UsageError(f"{source}: no such file or folder")
    versions = sorted((root / "trajectories").glob("version=*"))
    root = versions[-1] if versions else root  # an outputs folder: what it ships, not what it removed
    files = sorted(p for p in root.rglob("*") if p.suffix in _READ and p.is_file()) if root.is_dir() else [root]
    read = [pl.DataFrame(schema=_HELD), *(_rows(path) for path in files)]
    found = pl.concat(read).unique("id", keep="first", maintain_order=True)
    if found.is_empty():
        raise UsageError(f"{source} holds no request: wanted are Parquet files or JSON lines with a query or question")
    return found


def _folder_of_bfcl() -> Path:
    spec = importlib.util.find_spec(_PACKAGE)  # found, never imported: only its data is of use
    if spec is None or spec.origin is None:
        raise UsageError("bfcl-eval is not installed (pip install bfcl-eval), or name a folder with its data")
    return Path(spec.origin).parent / "data"


def _rows(path: Path) -> pl.DataFrame:
    frame = _parquet(path) if path.suffix == ".parquet" else _lines(path)
    if not frame.height:
        return pl.DataFrame(schema=_HELD)
    links = frame["link_ids"].cast(pl.List(pl.String)) if "link_ids" in frame.columns else pl.lit(None)
    held = frame["split"].cast(pl.String).ne_missing("train") if "split" in frame.columns else pl.lit(value=True)
    named = pl.format("{}#{}", pl.lit(path.name), pl.col("id"))
    rows = imported(frame).with_columns(links=links).filter(held).drop_nulls(["id", "text"])
    return rows.with_columns(id=named).cast(_HELD)  # pyright: ignore[reportArgumentType]


def _parquet(path: Path) -> pl.DataFrame:
    try:
        frame = pl.read_parquet(path, hive_partitioning=False)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise UsageError(f"{path} is not a Parquet file: {str(error).splitlines()[0]}") from None
    if "trajectory_id" not in frame.columns and "task_id" in frame.columns:
        frame = frame.rename({"task_id": "trajectory_id"})
    return frame if {"trajectory_id", "query"} <= set(frame.columns) else frame.clear(0).select([])


def _lines(path: Path) -> pl.DataFrame:
    rows = [(str(row.get("id", number)), text) for number, row in _objects(path) if (text := _request(row))]
    return pl.DataFrame(rows, schema={"trajectory_id": pl.String(), "query": pl.String()}, orient="row")


def _objects(path: Path) -> Iterator[tuple[int, dict[str, object]]]:
    """Give the objects of a file of JSON lines, or of one JSON list; what is neither is passed over."""
    data = path.read_bytes()
    try:
        whole = cast("object", orjson.loads(data))
        listed = cast("list[object]", whole) if isinstance(whole, list) else [whole]
    except orjson.JSONDecodeError:
        listed = [_object(line) for line in data.splitlines()]
    for number, one in enumerate(listed):
        if isinstance(one, dict):
            yield number, cast("dict[str, object]", one)


def _object(line: bytes) -> object:
    try:
        return cast("object", orjson.loads(line))
    except orjson.JSONDecodeError:
        return None


def _request(row: dict[str, object]) -> str:
    """Return what a user asks in a row: its query, or all user messages of its question."""
    query = row.get("query")
    return query.strip() if isinstance(query, str) else " ".join(_said(row.get("question"))).strip()


def _said(message: object) -> Iterator[str]:
    if isinstance(message, str):
        yield message
    elif isinstance(message, list):
        for inner in cast("list[object]", message):
            yield from _said(inner)
    elif isinstance(message, dict):
        one = cast("dict[str, object]", message)
        if one.get("role") == "user" and isinstance(one.get("content"), str):
            yield str(one["content"])
