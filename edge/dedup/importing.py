"""Anybody's rows -> the columns that judging reads, and a reject for every row that has no usable request."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias, cast

import orjson
import polars as pl

from edge.dedup.calls import calls_keys
from edge.dedup.records import COLUMNS
from edge.errors import UsageError
from edge.ids import Json
from edge.plans.codec import plan_from_json
from edge.plans.rows import argument_values, arguments_key, signature_of

# plan, args, operator (None: nobody knows it), values
Keys: TypeAlias = "tuple[str | None, str | None, str | None, list[str]]"

NAMES = {"id": "trajectory_id", "text": "query", "quality": "quality", "operator": "operator"}
_KEYS = {key: COLUMNS[key] for key in ("plan", "args", "operator", "values")}
_UNKNOWN: Keys = (None, None, None, [])


def imported(frame: pl.DataFrame) -> pl.DataFrame:
    """Return rows in the columns of `COLUMNS`.

    `trajectory_id` and `query` must be there. `plan` and `arguments` may be any text, JSON, structs or lists: JSON is
    compared as a value, so spacing and the order of keys do not matter. A plan of this project, or a list of calls in
    `golden_calls`, is read for what it is: ids and order of its steps do not matter, and its operators are known.

    Raises:
        UsageError: a column is missing, or is of a type that it cannot be.
    """
    for name in ("trajectory_id", "query"):
        if name not in frame.columns:
            raise UsageError(f"the column {name} is missing; there are {', '.join(frame.columns) or 'none'}")
    plain = {own: pl.col(name) for own, name in NAMES.items() if name in frame.columns}
    out = frame.select(**plain)
    if "plan" in frame.columns or "golden_calls" in frame.columns:
        out = out.with_columns(_keys(frame, out))
    missing = [pl.lit(None, dtype=kind).alias(name) for name, kind in COLUMNS.items() if name not in out.columns]
    try:
        return out.with_columns(missing).select([pl.col(name).cast(kind) for name, kind in COLUMNS.items()])
    except pl.exceptions.PolarsError as error:
        raise UsageError(f"a column cannot be read: {str(error).splitlines()[0]}") from None


def _keys(frame: pl.DataFrame, out: pl.DataFrame) -> list[pl.Series]:
    """Return plan, args, operator and values: from the plan, else from plan and arguments, else from the calls."""
    text = pl.col("text").str.strip_chars()
    values = pl.when(text.is_not_null()).then(pl.concat_list(text))
    own = _read(frame, "plan", _of_plan, {"plan": pl.when(text != "").then(text)})
    given = _read(frame, "arguments", _of_arguments, {"args": text, "values": values})
    called = _read(frame, "golden_calls", _of_calls, {})
    whole = pl.concat(
        [side.select(pl.all().name.suffix(f"_{n}")) for n, side in enumerate((own, given, called))], how="horizontal"
    )
    planned, told = pl.col("plan_0").is_not_null(), pl.col("args_0").is_not_null()

    def chosen(name: str) -> pl.Expr:
        return pl.when(told).then(f"{name}_0").when(planned).then(f"{name}_1").otherwise(f"{name}_2").alias(name)

    found = whole.select(pl.coalesce("plan_0", "plan_2").alias("plan"), *map(chosen, ("args", "operator", "values")))
    if "operator" in out.columns:
        stated = out["operator"].cast(pl.String)
        found = found.with_columns(operator=pl.coalesce(pl.lit(stated), "operator"))
    return found.get_columns()


def _read(frame: pl.DataFrame, name: str, read: Callable[[str], Keys], plain: Mapping[str, pl.Expr]) -> pl.DataFrame:
    """Return what a column tells, each distinct text read once; nulls where the column is not there.

    Args:
        frame: the rows.
        name: the column.
        read: reads a text that may be JSON.
        plain: what any other text, `text`, tells.
    """
    texts = pl.Series("text", _texts(frame, name), dtype=pl.String).to_frame()
    nested = texts["text"].str.contains(r"^\s*[\[{]").fill_null(value=False)
    distinct = texts.filter(nested).unique()
    read_keys = [read(text) for text in distinct["text"].to_list()]
    columns = [pl.Series(k, [keys[at] for keys in read_keys], dtype=_KEYS[k]) for at, k in enumerate(_KEYS)]
    told = texts.join(distinct.with_columns(columns), on="text", how="left", maintain_order="left")
    said = texts.select([plain.get(key, pl.lit(None)).cast(kind).alias(key) for key, kind in _KEYS.items()])
    return told.select([pl.when(pl.lit(nested)).then(key).otherwise(pl.lit(said[key])).alias(key) for key in _KEYS])


def _texts(frame: pl.DataFrame, name: str) -> Sequence[str | None] | pl.Series:
    """Return the cells of a column as text, JSON where they are nested; nulls where it is not there."""
    if name not in frame.columns:
        return [None] * frame.height
    column = frame[name]
    if column.dtype.is_nested():
        return [None if cell is None else orjson.dumps(cell, default=str).decode() for cell in column.to_list()]
    return column.cast(pl.String)


def _of_plan(text: str) -> Keys:
    value = _json(text)
    if isinstance(value, dict) and "steps" in value:
        try:
            plan = plan_from_json(cast("Mapping[str, Json]", value))
            return signature_of(plan), arguments_key(plan), "", argument_values(plan)
        except (ValueError, KeyError):
            pass  # somebody else's plan
    if isinstance(value, list) and (keys := calls_keys(cast("Sequence[object]", value))):
        return keys.plan, keys.arguments, None, list(keys.values)
    return text.strip() if value is None else _canonical(cast("object", value)), None, None, []


def _of_calls(text: str) -> Keys:
    value = _json(text)
    keys = calls_keys(cast("Sequence[object]", value)) if isinstance(value, list) else None
    return (keys.plan, keys.arguments, None, list(keys.values)) if keys else _UNKNOWN


def _of_arguments(text: str) -> Keys:
    value = _json(text)
    if value is None:
        return None, text.strip(), None, [text.strip()]
    return None, _canonical(value), None, sorted(_leaves("", value))


def tools_called(text: str) -> list[str]:
    """Return the tools of a JSON list of calls, in order; none where it is anything else."""
    calls = _json(text)
    listed = cast("list[object]", calls) if isinstance(calls, list) else []
    return [str(cast("dict[str, object]", call).get("tool", "")) for call in listed if isinstance(call, dict)]


def _json(text: str) -> object | None:
    """Return the object or list that a text is as JSON; None for any other text."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return cast("object", orjson.loads(text))
    except orjson.JSONDecodeError:
        return None


def _canonical(value: object) -> str:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def _leaves(path: str, value: object) -> Iterator[str]:
    """Give the values within JSON as "path=value"; places in a list do not count."""
    if isinstance(value, dict):
        for name, inner in cast("dict[str, object]", value).items():
            yield from _leaves(f"{path}.{name}" if path else name, inner)
    elif isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from _leaves(path, inner)
    else:
        yield f"{path}={value if isinstance(value, str) else json.dumps(value)}"
