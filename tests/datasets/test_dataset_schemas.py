"""The declared schemas are the contract of DATA_MODEL.md, and rows are cast to them strictly or refused by name."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from dataset_rows import CASES, example, ledger

from edge.datasets.columns import declare
from edge.datasets.rows import cast_rows
from edge.datasets.schemas import SCHEMAS, schema_of
from edge.errors import StoreError

CONTRACT = CASES.parents[1] / "design" / "DATA_MODEL.md"
LEDGER = SCHEMAS["stage_ledger"]


@pytest.mark.skipif(not CONTRACT.exists(), reason="../shared is not here")
def test_every_view_of_the_contract_is_declared_with_its_columns() -> None:
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$", CONTRACT.read_text(encoding="utf-8"), re.MULTILINE)
    wanted = {name: re.sub(r"\([^)]*\)", "", columns).replace(" ", "").split(",") for name, columns in rows}
    assert set(wanted) <= set(SCHEMAS)  # the contract may be added to
    for name, columns in wanted.items():
        declared = [c.name for c in SCHEMAS[name].columns]
        assert set(columns) <= set(declared), name
        assert declared[-1] == "schema_version"


@pytest.mark.parametrize("dataset", SCHEMAS)
def test_an_example_fits(dataset: str) -> None:
    (row,) = cast_rows(schema_of(dataset), [example(dataset)])
    assert list(row) == [c.name for c in schema_of(dataset).columns]
    assert cast_rows(schema_of(dataset), [row]) == [row]


def test_c05_a_late_unknown_key_is_refused_by_name() -> None:
    rows = [ledger(str(i)) for i in range(500)] + [{**ledger("x"), "error": "timeout"}]
    with pytest.raises(StoreError, match=r"stage_ledger row 500: unknown column 'error'"):
        cast_rows(LEDGER, rows)


def test_missing_keys_are_null_only_where_nulls_are_allowed() -> None:
    row = ledger("a")
    del row["seconds"]
    assert cast_rows(LEDGER, [row])[0]["seconds"] is None
    del row["rows_in"]
    with pytest.raises(StoreError, match=r"column 'rows_in': missing"):
        cast_rows(LEDGER, [row])
    with pytest.raises(StoreError, match=r"column 'rows_in': null"):
        cast_rows(LEDGER, [{**row, "rows_in": None}])


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, np.float64("nan")])
def test_c21_nan_is_refused_in_numbers_and_in_json(number: float) -> None:
    with pytest.raises(StoreError, match="leave it null"):
        cast_rows(LEDGER, [ledger("a", seconds=number)])
    with pytest.raises(StoreError, match="not JSON"):
        cast_rows(LEDGER, [{**ledger("a"), "dropped": {"score": number}}])
    with pytest.raises(StoreError, match="not JSON"):
        cast_rows(LEDGER, [{**ledger("a"), "dropped": '{"score": NaN}'}])


def test_c21_lone_surrogates_are_replaced_everywhere() -> None:
    row = example("trajectories", query="\ud83d 날씨", junctions=["\udc00"], messages=[{"content": "a\ud83d"}])
    (cast,) = cast_rows(schema_of("trajectories"), [row])
    assert (cast["query"], cast["junctions"]) == ("\ufffd 날씨", ["\ufffd"])
    assert cast["messages"] == '[{"content":"a\ufffd"}]'
    assert (
        str(cast_rows(schema_of("trajectories"), [{**row, "messages": r'["\ud83d"]'}])[0]["messages"]) == '["\ufffd"]'
    )


def test_d10_text_is_stored_composed() -> None:
    nfd = "\u1109\u1165\u110b\u116e\u11af"
    (cast,) = cast_rows(schema_of("trajectories"), [example("trajectories", query=nfd, plan={nfd: nfd})])
    assert cast["query"] == "서울"
    assert cast["plan"] == '{"서울":"서울"}'


def test_c07_json_keeps_empty_objects_and_differing_keys_apart() -> None:
    arguments = [{"a": 1}, {"b": "x"}, {}, {"b": 1, "a": [None]}]
    rows = cast_rows(schema_of("outcomes"), [example("outcomes", i, arguments=a) for i, a in enumerate(arguments)])
    assert [row["arguments"] for row in rows] == ['{"a":1}', '{"b":"x"}', "{}", '{"a":[null],"b":1}']


def test_json_text_comes_out_canonical_and_bad_json_is_refused() -> None:
    (row,) = cast_rows(LEDGER, [{**ledger("a"), "dropped": '{ "b": 2,\n"a": "\\uac15" }'}])
    assert row["dropped"] == '{"a":"강","b":2}'
    for bad in ("not json", "", {"a": {1, 2}}, '{"a": 1e999}'):
        with pytest.raises(StoreError, match="column 'dropped': not JSON"):
            cast_rows(LEDGER, [{**ledger("a"), "dropped": bad}])


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("status_code", "200"),
        ("status_code", True),
        ("status_code", 2.0),
        ("status_code", 2**63),
        ("tool_id", 1110),
        ("complete", 1),
        ("latency_ms", "3"),
        ("latency_ms", True),
    ],
)
def test_c09_nothing_is_turned_into_another_type(column: str, value: object) -> None:
    with pytest.raises(StoreError, match=f"column '{column}'"):
        cast_rows(schema_of("outcomes"), [example("outcomes", **{column: value})])


@pytest.mark.parametrize("value", ["FAN", {"a": 1}, [1], [None]])
def test_lists_are_lists_of_text(value: object) -> None:
    with pytest.raises(StoreError, match="junctions"):
        cast_rows(schema_of("trajectories"), [example("trajectories", junctions=value)])


def test_c15_times_are_utc_and_need_a_zone() -> None:
    seoul = datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=9)))
    (row,) = cast_rows(schema_of("runs"), [example("runs", started_at=seoul)])
    assert row["started_at"] == datetime(2025, 12, 31, 15, tzinfo=UTC)
    for bad in (datetime(2026, 1, 1), "2026-01-01T00:00:00Z"):
        with pytest.raises(StoreError, match="started_at"):
            cast_rows(schema_of("runs"), [example("runs", started_at=bad)])


def test_rows_of_another_schema_version_are_refused() -> None:
    with pytest.raises(StoreError, match="schema_version is not 1"):
        cast_rows(LEDGER, [{**ledger("a"), "schema_version": 2}])


def test_bad_declarations_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown kind"):
        declare("x", "a", "a number")
    with pytest.raises(ValueError, match="twice"):
        declare("x", "a", "a text\na int")
    with pytest.raises(ValueError, match="key"):
        declare("x", "b", "a text\nb time~")
    with pytest.raises(StoreError, match="unknown dataset 'nope'"):
        schema_of("nope")
    with pytest.raises(StoreError, match="no column 'nope'"):
        LEDGER.column("nope")
