"""What a batch leaves to the next comes back from its file as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from edge.calls import Outcome
from edge.datasets.parts import read_parts, write_part
from edge.links.fillers import ValuePool
from edge.links.freshness import Carried
from edge.links.model import Evidence
from edge.links.progress import ExplorerState
from edge.stages.exploration_state import answer_rows, progress_of, progress_rows

WORDS = st.text(max_size=4)
JSONISH: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=5,
)
RECORDS = st.lists(st.dictionaries(WORDS, JSONISH, max_size=3), max_size=4).map(tuple)
OUTCOMES = st.builds(
    Outcome,
    WORDS,
    WORDS,
    st.dictionaries(WORDS, WORDS, max_size=2),
    st.sampled_from(["ok", "empty", "structural"]),
    WORDS,
    code=st.none() | WORDS,
    records=RECORDS,
    total=st.integers(0, 9),
    response_hash=WORDS,
)
EVIDENCE = st.builds(
    Evidence, st.floats(1, 9), st.floats(1, 9), successes=st.integers(0, 9), cardinalities=st.none() | st.just([3, 4])
)
CARRIED = st.builds(Carried, EVIDENCE, EVIDENCE, st.none() | WORDS, WORDS)
STATES = st.builds(
    ExplorerState, records=st.dictionaries(WORDS, JSONISH, max_size=2), figures=st.just({"rounds": 3, "seconds": 0.5})
)


@given(
    STATES,
    st.dictionaries(st.text("ab", max_size=3), OUTCOMES, max_size=3),
    st.dictionaries(st.text("cd", max_size=3), CARRIED, max_size=3),
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("fg"), WORDS), max_size=6),
)
def test_progress_comes_back(
    state: ExplorerState, answers: dict[str, Outcome], carried: dict[str, Carried], values: list[tuple[str, str, str]]
) -> None:
    pool = ValuePool()
    for value in values:
        pool.add_output(*value)
    rows, told = list(progress_rows(state, pool, carried)), list(answer_rows(answers, {}, records=60))
    assert all(row["value"].isascii() for row in [*rows, *told])
    back = progress_of(rows, told)
    assert (back.state, back.pool, back.carried) == (state, pool, carried)
    assert list(back.answers.values()) == list(answers.values())
    assert [list(v) for v in back.pool.outputs.values()] == [list(v) for _, v in sorted(pool.outputs.items())]


def test_it_survives_the_file_and_only_new_answers_are_written(tmp_path: Path) -> None:
    state = ExplorerState(figures={"rounds": 4})
    broken = Outcome("o", "t", {"q": "\ud800"}, "ok", "ok", records=({"이름": "e\u0301\ud83d", "n": 10**20},), total=1)
    pool = ValuePool()
    pool.add_accepted("도구", "e\u0301", "\ud800값")
    stored: dict[str, list[Any]] = {}
    for dataset, rows in (
        ("exploration_state", progress_rows(state, pool, {})),
        ("exploration_answers", answer_rows({"k": broken}, {}, records=60)),
    ):
        part = write_part(tmp_path, dataset, rows)
        stored[dataset] = read_parts(dataset, [tmp_path / part.path])
    back = progress_of(stored["exploration_state"], stored["exploration_answers"])
    assert (back.state, back.pool, back.answers) == (state, pool, {"k": broken})
    assert list(answer_rows({"k": broken}, {"k": broken}, records=60)) == []


def test_of_a_long_answer_an_even_sample_is_enough() -> None:
    """An explorer looks at sixty records of an answer at most; of those sixty it takes all."""
    long = Outcome("o", "t", {}, "ok", "ok", records=tuple({"n": n} for n in range(1000)), total=1000)
    rows = list(answer_rows({"k": long}, {}, records=60))
    kept = progress_of([], rows).answers["k"]
    assert [record["n"] for record in kept.records] == [16 * n for n in range(60)]
    assert kept.total == 1000
    assert list(answer_rows({"k": kept}, {}, records=60)) == rows
