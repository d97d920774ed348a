"""Records become the few that matter, whatever order, zone or spelling they come in."""

from __future__ import annotations

import os
import time
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.plans.model import Reducer
from edge.plans.reducers import NotUnique, moment, number, reduce_records, unique_values


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("125,000", 125000.0),
        (" 82,500 ", 82500.0),
        ("650.2 Kcal", 650.2),
        ("1,710원", 1710.0),
        ("84.97㎡", 84.97),
        ("-3.5", -3.5),
        ("-.5", -0.5),
        (".5", 0.5),
        ("12%", 12.0),
        (7, 7.0),
        (7.25, 7.25),
        (True, None),
        (None, None),
        ("", None),
        ("없음", None),
        ("3-5", None),
        ("3~5", None),
        ("12:30", None),
        ("2026.05.03", None),
        ("2026-05-03", None),
        ("3 4", None),
        (["3"], None),
    ],
)
def test_numbers_as_platforms_write_them(text: object, wanted: float | None) -> None:
    assert number(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("20260503", datetime(2026, 5, 3)),
        (20260503, datetime(2026, 5, 3)),
        ("2026-05-03", datetime(2026, 5, 3)),
        ("2026.05.03", datetime(2026, 5, 3)),
        ("2026/5/3", datetime(2026, 5, 3)),
        ("202605", datetime(2026, 5, 1)),
        ("2026-05-03 14:30", datetime(2026, 5, 3, 14, 30)),
        ("2026-05-03T14:30:00", datetime(2026, 5, 3, 14, 30)),
        ("20260503143000", datetime(2026, 5, 3, 14, 30)),
        ("20261345", None),
        ("2026-02-30", None),
        ("어제", None),
        (None, None),
        (3.5, None),
    ],
)
def test_moments_as_platforms_write_them(text: object, wanted: datetime | None) -> None:
    assert moment(text) == wanted


SALES = [
    {"n": "가", "v": "1,000", "d": "20260503"},
    {"n": "나 ", "v": "200", "d": "2026-05-02"},
    {"n": "다", "v": None},
]


@pytest.mark.parametrize(
    ("reducer", "wanted"),
    [
        (Reducer("max", "v"), (0,)),
        (Reducer("min", "v"), (1,)),
        (Reducer("latest", "d"), (0,)),
        (Reducer("earliest", "d"), (1,)),
        (Reducer("filter", "n", "나"), (1,)),
        (Reducer("filter", "n", " 다 "), (2,)),
        (Reducer("all"), (0, 1, 2)),
        (Reducer("count"), (0, 1, 2)),
    ],
)
def test_every_kind_leaves_its_records(reducer: Reducer, wanted: tuple[int, ...]) -> None:
    assert reduce_records(reducer, SALES) == wanted


@pytest.mark.parametrize(
    ("reducer", "records", "reason"),
    [
        (Reducer("only"), [], "no_match"),
        (Reducer("only"), [{}, {}], "many"),
        (Reducer("filter", "n", "라"), SALES, "no_match"),
        (Reducer("filter", "n", "가"), [{"n": "가"}, {"n": " 가"}], "many"),
        (Reducer("max", "v"), [{"v": "10"}, {"v": "10.0"}], "tie"),
        (Reducer("latest", "d"), [{"d": "20260503"}, {"d": "2026-05-03"}], "tie"),
        (Reducer("max", "v"), [{"v": None}, {"v": "비공개"}, {}], "no_value"),
        (Reducer("latest", "d"), [], "no_value"),
        (Reducer("nearest", "d"), SALES, "no_value"),
    ],
)
def test_what_is_not_unique_is_refused(reducer: Reducer, records: list[dict[str, object]], reason: str) -> None:
    with pytest.raises(NotUnique) as caught:
        reduce_records(reducer, records)  # type: ignore[arg-type]
    assert caught.value.reason == reason


def test_only_leaves_the_one() -> None:
    assert reduce_records(Reducer("only"), [{"v": 1}]) == (0,)


def test_names_shared_by_several_records_are_no_unique_values() -> None:
    assert unique_values([{"n": "가"}, {"n": "가 "}, {"n": "나"}, {"n": None}, {}], "n") == {"나": 2}


def test_times_do_not_depend_on_the_zone_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [{"d": "2026-03-08 02:30"}, {"d": "2026-03-08 03:30"}, {"d": "0001-01-01"}]
    zone = os.environ.get("TZ")
    try:
        monkeypatch.setenv("TZ", "America/New_York")  # where that hour is skipped: both would be one moment
        time.tzset()
        assert reduce_records(Reducer("latest", "d"), records) == (1,)
        assert reduce_records(Reducer("earliest", "d"), records) == (2,)
    finally:
        monkeypatch.undo()
        time.tzset()
    assert os.environ.get("TZ") == zone


VALUES = st.none() | st.integers(-50, 50).map(str) | st.sampled_from(["비공개", "20260101", "20260102", "1,000"])
RECORDS = st.lists(st.fixed_dictionaries({"v": VALUES, "other": st.none() | st.text(max_size=4)}), max_size=8)
KINDS = st.sampled_from(["only", "filter", "max", "min", "latest", "earliest", "count", "all"])


def outcome(reducer: Reducer, records: list[dict[str, str | None]]) -> tuple[int, ...] | str:
    try:
        return reduce_records(reducer, list(records))  # type: ignore[arg-type]
    except NotUnique as error:
        return error.reason


@given(RECORDS, KINDS, st.sampled_from(["1", "20260101", "비공개"]), st.text(max_size=3))
def test_only_the_field_it_reads_decides(
    records: list[dict[str, str | None]], kind: str, value: str, noise: str
) -> None:
    reducer = Reducer(kind, "v", value)  # type: ignore[arg-type]
    before = outcome(reducer, records)
    after = outcome(reducer, [{**r, "other": noise, "more": noise} for r in records])
    assert before == after
    if not isinstance(before, str) and kind not in ("all", "count"):
        assert len(before) == 1


@given(RECORDS, KINDS, st.randoms(use_true_random=False))
def test_the_record_left_does_not_depend_on_the_order(records: list[dict[str, str | None]], kind: str, rng) -> None:  # type: ignore[no-untyped-def]
    reducer = Reducer(kind, "v", "1")  # type: ignore[arg-type]
    numbered = [{**r, "id": str(i)} for i, r in enumerate(records)]
    shuffled = list(numbered)
    rng.shuffle(shuffled)
    left, right = outcome(reducer, numbered), outcome(reducer, shuffled)
    if isinstance(left, str) or isinstance(right, str):
        assert left == right
    else:
        assert {numbered[i]["id"] for i in left} == {shuffled[i]["id"] for i in right}
