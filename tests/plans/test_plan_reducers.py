"""Records become the few that matter, whatever order, zone or spelling they come in."""

from __future__ import annotations

import math
import os
import random
import time
from dataclasses import replace
from datetime import datetime
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from edge.plans.model import Point, Reducer
from edge.plans.reducers import NotUnique, computed, metres, moment, number, reduce_records, unique_values


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
KINDS = st.sampled_from(
    ["only", "filter", "max", "min", "latest", "earliest", "count", "all", "sum", "mean", "distinct", "top", "bottom",
     "at_least", "at_most", "contains"]
)  # fmt: skip
MANY = ("all", "count", "sum", "mean", "distinct", "top", "bottom", "at_least", "at_most", "contains")


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
    if not isinstance(before, str) and kind not in MANY:
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


# -- against naive references, in any order --------------------------------------------------------------------------

AMOUNTS = st.decimals(-(10**9), 10**9, places=2).map(str) | st.integers(-(10**12), 10**12).map(lambda n: f"{n:,}")
TABLES = st.lists(AMOUNTS, min_size=1, max_size=12).map(lambda vs: [{"v": v, "id": str(i)} for i, v in enumerate(vs)])
WITHIN = st.none() | st.builds(Reducer, st.sampled_from(["at_least", "at_most"]), st.just("v"), AMOUNTS)


def naive(row: dict[str, str]) -> Fraction:
    return Fraction(row["v"].replace(",", ""))


def kept(within: Reducer | None, rows: list[dict[str, str]]) -> list[dict[str, str]]:
    if within is None:
        return rows
    limit = Fraction((within.value or "").replace(",", ""))
    return [r for r in rows if (naive(r) >= limit if within.kind == "at_least" else naive(r) <= limit)]


@given(TABLES, WITHIN, st.sampled_from(["sum", "mean", "distinct", "count"]), st.randoms(use_true_random=False))
def test_computed_values_are_those_of_a_naive_reference(
    rows: list[dict[str, str]], within: Reducer | None, kind: str, rng: random.Random
) -> None:
    reducer = Reducer(kind, None if kind == "count" else "v", within=within)  # type: ignore[arg-type]
    left = kept(within, rows)
    made: list[str] = []
    for order in (rows, rng.sample(rows, len(rows))):
        if not left:
            with pytest.raises(NotUnique, match="no_match"):
                reduce_records(reducer, order)  # type: ignore[arg-type]
            return
        chosen = reduce_records(reducer, order)  # type: ignore[arg-type]
        assert {order[i]["id"] for i in chosen} == {r["id"] for r in left}
        made.append(computed(reducer, order, chosen))  # type: ignore[arg-type]
    assert made[0] == made[1]
    values = [naive(r) for r in left]
    exactly = {"sum": sum(values), "count": len(values), "distinct": len({r["v"] for r in left})}
    if kind == "mean":
        assert abs(Fraction(made[0]) - sum(values) / len(values)) <= Fraction(1, 200)
    else:
        assert Fraction(made[0]) == exactly[kind]


@given(TABLES, WITHIN, st.integers(1, 5), st.booleans(), st.randoms(use_true_random=False))
def test_top_and_bottom_are_the_sorted_ends_and_ties_are_refused(
    rows: list[dict[str, str]], within: Reducer | None, k: int, top: bool, rng: random.Random
) -> None:
    reducer = Reducer("top" if top else "bottom", "v", k=k, within=within)
    ranked = sorted(kept(within, rows), key=naive, reverse=top)
    front = [naive(r) for r in ranked[: k + 1]]
    for order in (rows, rng.sample(rows, len(rows))):
        if len(ranked) < k or len(set(front)) < len(front):
            with pytest.raises(NotUnique):
                reduce_records(reducer, order)  # type: ignore[arg-type]
        else:
            assert [order[i]["id"] for i in reduce_records(reducer, order)] == [r["id"] for r in ranked[:k]]  # type: ignore[arg-type]


@given(st.lists(st.text("가나다 A", max_size=5), max_size=8), st.text("가나A", max_size=2))
def test_a_word_leaves_the_records_that_have_it(names: list[str], word: str) -> None:
    wanted = [i for i, n in enumerate(names) if word and word in n]
    reducer = Reducer("contains", "n", word)
    if wanted:
        assert list(reduce_records(reducer, [{"n": n} for n in names])) == wanted
    else:
        with pytest.raises(NotUnique, match="no_match"):
            reduce_records(reducer, [{"n": n} for n in names])


PLACES = st.tuples(st.floats(33, 39), st.floats(124, 131))


def by_cosines(a: tuple[float, float], b: tuple[float, float]) -> float:
    """The distance in metres by unit vectors: another formula than the one under test."""

    def unit(p: tuple[float, float]) -> tuple[float, float, float]:
        north, east = math.radians(p[0]), math.radians(p[1])
        return math.cos(north) * math.cos(east), math.cos(north) * math.sin(east), math.sin(north)

    chord = math.dist(unit(a), unit(b))
    return 2 * 6_371_008.8 * math.asin(chord / 2)


@given(PLACES, PLACES)
def test_distances_are_those_of_another_formula(a: tuple[float, float], b: tuple[float, float]) -> None:
    assert metres(a, b) == pytest.approx(by_cosines(a, b), rel=1e-6, abs=0.01)
    assert metres(a, b) == metres(b, a)


def test_a_known_distance() -> None:
    seoul, busan = (37.5547, 126.9706), (35.1151, 129.0415)  # the two stations
    assert metres(seoul, busan) == pytest.approx(328_000, rel=0.01)


@given(st.lists(PLACES, min_size=1, max_size=8), PLACES, st.randoms(use_true_random=False))
def test_the_nearest_is_the_nearest_in_any_order(
    places: list[tuple[float, float]], here: tuple[float, float], rng: random.Random
) -> None:
    rows = [{"lat": str(a), "lon": str(b), "id": str(i)} for i, (a, b) in enumerate(places)]
    reducer = Reducer("nearest", "lat", longitude="lon", near=Point(str(here[0]), str(here[1])))
    ranked = sorted(by_cosines(here, p) for p in places)
    assume(len(ranked) == 1 or not 0.9 < ranked[1] - ranked[0] < 1.1)
    for order in (rows, rng.sample(rows, len(rows))):
        if len(ranked) > 1 and ranked[1] - ranked[0] < 1:
            with pytest.raises(NotUnique, match="tie"):
                reduce_records(reducer, order)  # type: ignore[arg-type]
            continue
        (left,) = reduce_records(reducer, order)  # type: ignore[arg-type]
        assert by_cosines(here, places[int(order[left]["id"])]) == pytest.approx(ranked[0], abs=0.01)


@pytest.mark.parametrize(
    ("reducer", "rows", "reason"),
    [
        (Reducer("sum", "v"), [{"v": "1"}, {"v": None}], "no_value"),
        (Reducer("mean", "v"), [{"v": "1"}, {"v": "비공개"}], "no_value"),
        (Reducer("mean", "v"), [], "no_value"),
        (Reducer("distinct", "v"), [{"v": "1"}, {"v": ""}], "no_value"),
        (Reducer("at_least", "v", "많이"), [{"v": "1"}], "no_value"),
        (Reducer("at_least", "v", "5"), [{"v": "1"}, {"v": None}], "no_match"),
        (Reducer("max", "v", within=Reducer("max", "v")), [{"v": "1"}], "no_value"),
        (Reducer("nearest", "lat", longitude="lon", near=Point("37", "127")), [{"lat": "0", "lon": "0"}], "no_value"),
        (Reducer("nearest", "lat", longitude="lon", near=Point("x", "127")), [{"lat": "37", "lon": "127"}], "no_value"),
        (Reducer("nearest", "lat", longitude="lon"), [{"lat": "37", "lon": "127"}], "no_value"),
    ],
)
def test_what_cannot_be_made_is_refused(reducer: Reducer, rows: list[dict[str, str | None]], reason: str) -> None:
    with pytest.raises(NotUnique) as caught:
        reduce_records(reducer, rows)  # type: ignore[arg-type]
    assert caught.value.reason == reason


def test_a_mean_has_two_decimals_rounded_half_up_and_sums_are_exact() -> None:
    assert computed(Reducer("mean", "v"), [{"v": "0.01"}, {"v": "0.02"}], (0, 1)) == "0.02"
    assert computed(Reducer("mean", "v"), [{"v": "100"}, {"v": "200"}], (0, 1)) == "150"
    assert computed(Reducer("sum", "v"), [{"v": "0.1"}] * 3, (0, 1, 2)) == "0.3"
    assert computed(Reducer("sum", "v"), [{"v": 10**30}, {"v": 1}], (0, 1)) == str(10**30 + 1)


def test_what_a_request_must_state() -> None:
    within = Reducer("at_least", "v", "1000", "1,000만원")
    assert Reducer("top", "v", k=3, within=within).texts == ("1,000만원", "3")
    assert Reducer("top", "v", k=3, within=replace(within, field="w")).fields == ("w", "v")
