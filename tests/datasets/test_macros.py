"""The catalog's macros: what analysts ask again and again, checked against counting by hand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import duckdb
import pytest
from dataset_rows import example
from hypothesis import given, settings
from hypothesis import strategies as st

from edge.datasets.catalog import connect, query
from edge.datasets.parts import write_part
from edge.datasets.store import Store

V1 = "v20261129T143000Z-ab12cd34"


def publish(root: Path, dataset: str, *rows: dict[str, object]) -> None:
    store = Store(root)
    store.publish(dataset, V1, [write_part(root / ".work", dataset, rows)], run_id="r1")


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("empty")


@pytest.fixture(scope="module")
def catalog(empty: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with connect(empty) as connection:
        yield connection


@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_pass_at_k_and_pass_hat_k_equal_counting_every_choice(
    data: st.DataObject, catalog: duckdb.DuckDBPyConnection
) -> None:
    n = data.draw(st.integers(1, 7))
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    chosen = list(combinations([True] * c + [False] * (n - c), k))
    wanted = (sum(map(any, chosen)) / len(chosen), sum(map(all, chosen)) / len(chosen))
    found = catalog.execute(f"SELECT pass_at_k({n}, {c}, {k}), pass_hat_k({n}, {c}, {k})").fetchall()[0]
    assert found == pytest.approx(wanted)


def test_more_tries_than_attempts_say_nothing(catalog: duckdb.DuckDBPyConnection) -> None:
    assert catalog.execute("SELECT pass_at_k(2, 1, 3), pass_hat_k(2, 1, 3)").fetchall() == [(None, None)]


def test_the_funnel_is_in_the_order_of_the_run(tmp_path: Path) -> None:
    rows = [
        {"run_id": "r", "stage": stage, "rows_in": 4, "rows_out": 3, "dropped": {"empty": 1}, "seconds": 2.0}
        for stage in ("deduplication", "link_candidates", "spec_compilation", "another")
    ]
    publish(tmp_path, "stage_ledger", *rows)
    _, found = query(tmp_path, "FROM funnel()")
    assert [row[0] for row in found] == ["spec_compilation", "link_candidates", "deduplication", "another"]
    assert found[0][1:5] == (4, 3, 1, 0.75)


def test_reasons_are_counted_with_an_example(tmp_path: Path) -> None:
    lost = [("b", "empty", "x"), ("a", "detour", "z"), ("a", "detour", "y"), ("a", "empty", "w")]
    rows = [example("rejects", i, stage=s, reason=r, detail=d) for i, (s, r, d) in enumerate(lost)]
    publish(tmp_path, "rejects", *rows)
    assert query(tmp_path, "FROM drop_reasons()")[1] == [("a", "detour", 2, "y"), ("a", "empty", 1, "w"),
                                                         ("b", "empty", 1, "x")]  # fmt: skip


def test_a_platform_is_covered_by_tools_links_and_uses(tmp_path: Path) -> None:
    tools = [example("tools", i, tool_id=f"t{i}", platform="p" if i < 3 else "q") for i in range(4)]
    publish(tmp_path, "tools", *tools)
    publish(tmp_path, "tool_shapes", *(example("tool_shapes", i, tool_id=f"t{i}", served=i != 1) for i in range(2)))
    ends = [("t0", "t2", "verified"), ("t0", "t3", "verified"), ("t1", "t2", "pruned")]
    links = [example("links", i, source_tool=s, target_tool=t, status=state) for i, (s, t, state) in enumerate(ends)]
    publish(tmp_path, "links", *links)
    uses = [["t0", "t0", "t2"], ["t0"]]
    rows = [example("trajectories", i, golden_calls=[{"tool": t} for t in used]) for i, used in enumerate(uses)]
    publish(tmp_path, "trajectories", *rows)
    columns, found = query(tmp_path, "FROM platform_coverage()")
    assert columns == ["platform", "tools", "served_tools", "linked_tools", "verified_link_ends", "used_tools",
                       "uses_in_trajectories"]  # fmt: skip
    assert found == [("p", 3, 1, 2, 3, 2, 3), ("q", 1, 0, 1, 1, 0, 0)]


@pytest.mark.parametrize("key", ["t1", "key-1", "name-1"])
def test_a_tool_is_found_by_id_key_or_name(tmp_path: Path, key: str) -> None:
    rows = [example("tools", i, tool_id=f"t{i}", operation_key=f"key-{i}", name=f"name-{i}") for i in range(3)]
    publish(tmp_path, "tools", *rows)
    ends = [("t0", "t1"), ("t1", "t2"), ("t0", "t2")]
    publish(tmp_path, "links", *(example("links", i, source_tool=s, target_tool=t) for i, (s, t) in enumerate(ends)))
    _, found = query(tmp_path, f"SELECT direction, other_tool FROM link_neighbourhood('{key}')")
    assert found == [("fed by it", "name-2"), ("feeds it", "name-0")]
