"""Parts: the same rows give the same bytes, whole files only, and every type survives."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import polars as pl
import pytest
from dataset_rows import example, ledger
from hypothesis import given, settings
from hypothesis import strategies as st

from edge.datasets.files import write_atomic
from edge.datasets.parts import PartRef, read_part, read_parts, write_part
from edge.datasets.rows import cast_rows
from edge.datasets.schemas import SCHEMAS, schema_of
from edge.errors import StoreError
from edge.ids import digest_bytes

ROOT = Path(__file__).parents[2]

_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
_OUTCOMES = st.builds(
    lambda text, code, n, json, ms: example(
        "outcomes", tool_id=text, code=code, total=n, arguments={"a": json}, latency_ms=ms, message=text
    ),
    st.text(st.characters()),  # lone surrogates among them
    st.none() | st.from_regex(r"0[0-9]{4}", fullmatch=True),
    st.none() | st.integers(-(2**63), 2**63 - 1),
    _JSON,
    st.none() | st.floats(allow_nan=False, allow_infinity=False),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(_OUTCOMES, max_size=5))
def test_round_trip_is_exact_and_deterministic(rows: list[dict[str, object]]) -> None:
    schema = schema_of("outcomes")
    with tempfile.TemporaryDirectory() as folder:
        first = write_part(Path(folder) / "a", "outcomes", rows)
        second = write_part(Path(folder) / "b", "outcomes", iter(rows))
        assert (first.sha256, first.bytes, first.rows) == (second.sha256, second.bytes, len(rows))
        assert digest_bytes(Path(first.path).read_bytes()) == first.sha256
        wanted = cast_rows(schema, rows)
        stored = [{c.name: row[c.name] for c in schema.stored} for row in wanted]
        assert read_part(Path(first.path)) == stored
        assert cast_rows(schema, read_part(Path(first.path))) == [{**row, "latency_ms": None} for row in wanted]


@pytest.mark.parametrize("threads", ["1", "2"])
def test_bytes_do_not_depend_on_process_or_threads(tmp_path: Path, threads: str) -> None:
    rows = [example("trajectories", i) for i in range(2000)]
    here = write_part(tmp_path / "here", "trajectories", rows)
    script = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[2]); "
        "from dataset_rows import example; from edge.datasets.parts import write_part; "
        "print(write_part(Path(sys.argv[1]), 'trajectories', [example('trajectories', i) for i in range(2000)]).sha256)"
    )
    there = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "there"), str(Path(__file__).parent)],
        env={**os.environ, "POLARS_MAX_THREADS": threads, "PYTHONHASHSEED": threads, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert there.stdout.strip() == here.sha256


def test_name_is_the_hash_and_nothing_else_is_left(tmp_path: Path) -> None:
    part = write_part(tmp_path, "rejects", [example("rejects")])
    assert [path.name for path in tmp_path.iterdir()] == [f"part-{part.sha256[:24]}.parquet"]
    assert write_part(tmp_path, "rejects", [example("rejects")]) == part


@pytest.mark.parametrize("dataset", SCHEMAS)
def test_c02_no_rows_still_have_the_full_schema(tmp_path: Path, dataset: str) -> None:
    schema = schema_of(dataset)
    empty, full = write_part(tmp_path, dataset, []), write_part(tmp_path, dataset, [example(dataset)])
    types = {c.name: c.polars for c in schema.stored}
    assert pl.read_parquet_schema(empty.path) == pl.read_parquet_schema(full.path) == types
    assert len(read_parts(dataset, [Path(empty.path), Path(full.path)])) == 1
    # plain DuckDB must read them side by side too
    assert duckdb.sql(f"SELECT count(*) FROM read_parquet(['{empty.path}', '{full.path}'])").fetchall() == [(1,)]


def test_c01_all_null_columns_keep_their_type(tmp_path: Path) -> None:
    nulls = write_part(tmp_path, "call_sequences", [example("call_sequences", 0, offered=None)])
    lists = write_part(tmp_path, "call_sequences", [example("call_sequences", 1, offered=["x"])])
    rows = read_parts("call_sequences", [Path(nulls.path), Path(lists.path)])
    assert [row["offered"] for row in rows] == [None, ["x"]]
    found = duckdb.sql(f"SELECT offered FROM read_parquet(['{nulls.path}', '{lists.path}'])").fetchall()
    assert found == [(None,), (["x"],)]


def test_c09_codes_keep_their_zeros(tmp_path: Path) -> None:
    part = write_part(tmp_path, "outcomes", [example("outcomes", code="00", arguments={"lawdCd": "01110"})])
    (row,) = read_part(Path(part.path))
    assert (row["code"], row["arguments"]) == ("00", '{"lawdCd":"01110"}')


def test_measured_columns_do_not_change_the_part(tmp_path: Path) -> None:
    slow, fast = (write_part(tmp_path / str(s), "stage_ledger", [ledger("a", seconds=s)]) for s in (9.5, 0.1))
    none = write_part(tmp_path / "none", "stage_ledger", [ledger("a")])
    assert slow.sha256 == fast.sha256 == none.sha256
    assert none.measured is None
    assert slow.measured is not None
    assert read_part(Path(slow.measured)) == [{"run_id": "r1", "stage": "a", "seconds": 9.5}]
    assert not Path(slow.measured).match("part-*.parquet")


@pytest.mark.parametrize("keep", [0, 4, 100, -1])
def test_c11_a_cut_off_part_is_an_error_and_a_retry_heals_it(tmp_path: Path, keep: int) -> None:
    part = write_part(tmp_path, "rejects", [example("rejects")])
    path = Path(part.path)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(StoreError, match="is not a whole Parquet part"):
        read_part(path)
    assert write_part(tmp_path, "rejects", [example("rejects")]) == part
    assert len(read_part(path)) == 1


def test_a_missing_part_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot read .*part-x.parquet: No such file") as caught:
        read_part(tmp_path / "part-x.parquet")
    assert "\n" not in str(caught.value)


def test_a_folder_that_cannot_be_made_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot write"):
        write_part(tmp_path / "file" / "deeper", "rejects", [])


def test_a_full_disk_is_one_clear_line_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    """The kernel's file-size limit fails a write half way, as a full disk does."""
    script = (
        "import resource, sys; from pathlib import Path; from edge.datasets.files import write_atomic; "
        "from edge.errors import StoreError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try: write_atomic(Path(sys.argv[1]) / 'big', bytes(5000))\n"
        "except StoreError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == f"cannot write {tmp_path / 'big'}: File too large"
    assert list(tmp_path.iterdir()) == []


def test_readers_never_see_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    write_atomic(path, b"old")
    before = path.open("rb")
    write_atomic(path, b"new" * 1000)
    assert before.read() == b"old"
    before.close()
    assert path.read_bytes() == b"new" * 1000


def test_part_refs_are_small_and_plain() -> None:
    ref = PartRef("rejects", "a", 1, 2, "c")
    with pytest.raises(AttributeError):
        ref.rows = 5  # type: ignore[misc]
