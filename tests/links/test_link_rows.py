"""Links and the value pool as rows, and back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from edge.datasets.parts import read_parts, write_part
from edge.links.fillers import ValuePool
from edge.links.freshness import History
from edge.links.model import Binding, Evidence, LearnedLink, Link, Rest
from edge.links.rows import link_of, link_row, pool_of, pool_rows, stored_of
from edge.llm.answers import RestSource

NAMES = st.text(min_size=1, max_size=8).filter(lambda t: t == t.encode("utf-8", "ignore").decode())
LINKS = st.builds(
    Link,
    NAMES,
    NAMES,
    st.lists(st.builds(Binding, NAMES, NAMES, st.none() | st.just("slice:0:5")), min_size=1, max_size=3).map(tuple),
    st.floats(0, 1),
    st.text(max_size=8),
    st.lists(st.builds(Rest, NAMES, st.sampled_from(get_args(RestSource))), max_size=2).map(tuple),
)
COUNTS = st.integers(0, 50)
TIMES = st.none() | st.just("2026-06-15T01:35:00+00:00")
EVIDENCE = st.builds(
    Evidence,
    alpha=st.floats(1, 99).map(lambda x: round(x, 6)),
    beta=st.floats(1, 99).map(lambda x: round(x, 6)),
    successes=COUNTS,
    structural_failures=COUNTS,
    environmental_failures=COUNTS,
    empties=COUNTS,
    cardinalities=st.none() | st.lists(COUNTS, max_size=4),
    first_executed_at=TIMES,
    last_executed_at=TIMES,
    status=st.sampled_from(("candidate", "verified", "pruned")),  # type: ignore[arg-type]
)


@given(LINKS, EVIDENCE)
def test_a_link_comes_back(link: Link, evidence: Evidence) -> None:
    row = link_row(LearnedLink(link, evidence), endpoint="sandbox", spec_hashes={link.source_tool: "h"}, run_id="r")
    back = link_of(row)
    assert back.link == link and back.link.rest == link.rest and back.link.link_id == link.link_id == row["link_id"]
    kept = replace(evidence, cardinalities=None)
    assert back.evidence == kept and back.evidence.trials == evidence.trials
    assert row["source_spec_hash"] == "h" and row["endpoint"] == "sandbox" and row["run_id"] == "r"


@given(LINKS, EVIDENCE, st.builds(History, st.just("2026-06-15T01:35:00+00:00"), TIMES, COUNTS, COUNTS, NAMES))
def test_what_a_later_run_starts_from_comes_back_with_the_row(link: Link, evidence: Evidence, history: History) -> None:
    told = {"field x": "1a2b3c4d", "required parameters": ""}
    hashes = {link.source_tool: "s", link.target_tool: "t"}
    learned = LearnedLink(link, evidence)
    row = link_row(learned, endpoint="e", spec_hashes=hashes, run_id="r", history=history, signature=told)
    back = stored_of(row)
    assert (back.learned.link, back.history, back.endpoint, back.signature) == (link, history, "e", told)
    assert back.learned.evidence == replace(evidence, cardinalities=evidence.cardinalities or None)
    assert back.spec_hashes == (hashes[link.source_tool], hashes[link.target_tool])


def test_rows_of_an_older_release_tell_when_links_were_tried_and_nothing_else() -> None:
    evidence = Evidence(2.0, 1.0, 1, last_executed_at="2026-06-15T01:35:00+00:00", status="verified")
    link = Link("a", "b", (Binding("x", "p"),), 0.5)
    row = link_row(LearnedLink(link, evidence), endpoint="e", spec_hashes={}, run_id="r")
    back = stored_of({k: v for k, v in row.items() if k not in ("evidence", "signature")})
    assert back.history == History("2026-06-15T01:35:00+00:00", "2026-06-15T01:35:00+00:00")
    assert (back.signature, back.spec_hashes) == ({}, (None, None))
    untried = link_row(LearnedLink(link, Evidence(1.5, 1.5)), endpoint="e", spec_hashes={}, run_id="r")
    assert stored_of(untried).history.proven_at is None


def test_identity_is_tools_and_bindings_alone() -> None:
    one = Link("a", "b", (Binding("x", "p"), Binding("y", "q", "pad:2")), 0.5, "weil")
    assert one.link_id == Link("a", "b", (Binding("y", "q", "pad:2"), Binding("x", "p")), 0.9).link_id
    others = [
        Link("b", "a", one.bindings, 0.5),
        Link("a", "b", one.bindings[:1], 0.5),
        Link("a", "b", (Binding("x", "p"), Binding("y", "q")), 0.5),
    ]
    assert len({one.link_id, *(x.link_id for x in others)}) == 4


def test_rows_of_an_older_release_say_nothing_of_the_rest() -> None:
    link = Link("a", "b", (Binding("x", "p"),), 0.5, "", (Rest("q", "clock"),))
    row = link_row(LearnedLink(link, Evidence(1.5, 1.5)), endpoint="e", spec_hashes={}, run_id="r")
    without = {name: value for name, value in row.items() if name != "rest"}
    assert link_of({**row, "rest": None}).link.rest == () == link_of(without).link.rest


def test_times_and_cardinalities_of_a_row() -> None:
    evidence = Evidence(2.0, 1.0, 3, cardinalities=[1, 9, 2], first_executed_at="2026-06-15T01:35:00+00:00")
    row = link_row(
        LearnedLink(Link("a", "b", (Binding("x", "p"),), 0.5), evidence), endpoint="e", spec_hashes={}, run_id="r"
    )
    assert (row["cardinality_median"], row["cardinality_max"], row["posterior_mean"]) == (2.0, 9, 0.666667)
    assert row["first_executed_at"] == datetime(2026, 6, 15, 1, 35, tzinfo=UTC) and row["last_executed_at"] is None
    assert row["source_spec_hash"] is None


def test_rows_survive_the_file(tmp_path: Path) -> None:
    link = LearnedLink(
        Link("a", "b", (Binding("경로", "p", "date:%Y%m"),), 0.5, "이유"), Evidence(2.5, 1.25, 1, status="verified")
    )
    pool = ValuePool()
    pool.add_output("a", "경로", "값")
    row = link_row(link, endpoint="sandbox", spec_hashes={}, run_id="r")
    part = write_part(tmp_path, "links", [row])
    values = write_part(tmp_path, "value_pool", list(pool_rows(pool, "r")))
    (back,) = read_parts("links", [tmp_path / part.path])
    assert link_of(back) == link
    assert pool_of(read_parts("value_pool", [tmp_path / values.path])) == pool


VALUES = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("fg"), st.text(max_size=3)), max_size=12)


@given(VALUES, VALUES)
def test_the_pool_comes_back_in_order(
    outputs: list[tuple[str, str, str]], accepted: list[tuple[str, str, str]]
) -> None:
    pool = ValuePool()
    for item in outputs:
        pool.add_output(*item)
    for item in accepted:
        pool.add_accepted(*item)
    rows = list(pool_rows(pool, "r"))
    back = pool_of(rows)
    assert back == pool
    assert [list(v) for _, v in sorted(back.outputs.items())] == [list(v) for _, v in sorted(pool.outputs.items())]
    assert len({(r["tool_id"], r["role"], r["field"], r["ordinal"]) for r in rows}) == len(rows)
    assert list(pool_rows(back, "r")) == rows
