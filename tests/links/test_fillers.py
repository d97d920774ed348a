"""Arguments that no link feeds: the clock, enumerations, examples and what worked before."""

from __future__ import annotations

import random
from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linkparts import make_tool

from edge.links.fillers import Filler, ValuePool, clock_values, statically_fillable, switched
from edge.specs.model import EnumValue, OutputField, Parameter

NOW = datetime(2026, 6, 15, 10, 35)
MOMENTS = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1))


def wanted(name: str = "x", label: str = "값", **more: Any) -> Parameter:
    return Parameter(name, label, required=True, **more)


def filler(pool: ValuePool | None = None, now: datetime = NOW) -> Filler:
    return Filler(now, pool or ValuePool(), lambda p, v: f"{p.label} {v}")


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        (wanted(kind="date"), ["20260615", "20260614", "20260612", "20260608", "20260601"]),
        (
            wanted(kind="date", format="%Y-%m-%d"),
            ["2026-06-15", "2026-06-14", "2026-06-12", "2026-06-08", "2026-06-01"],
        ),
        (wanted(kind="month"), ["202605", "202604", "202603", "202602"]),
        (wanted(kind="month", format="%m"), ["05", "04", "03", "02"]),
        (wanted(kind="year"), ["2025", "2024", "2023", "2026"]),
        (wanted("bgn_de", "시작일", kind="date"), ["20260516", "20260601", "20250615"]),
        (wanted("end_de", "종료일", kind="date"), ["20260614", "20260615"]),
        (wanted("fromTmFc", "시각(부터)", kind="date"), ["20260516", "20260601", "20250615"]),
        (wanted("until", "조회 끝 날짜", kind="date"), ["20260614", "20260615"]),
        (wanted(kind="code"), []),
        (wanted(kind="date", format="8"), ["20260615", "20260614", "20260612", "20260608", "20260601"]),
    ],
)
def test_clock_values(parameter: Parameter, expected: list[str]) -> None:
    assert clock_values(parameter, NOW) == expected


def test_bulletin_times() -> None:
    assert clock_values(wanted(kind="datetime"), NOW) == [
        "202606150600", "202606141800", "202606151000", "202606150930", "202606150900", "202606150830",
    ]  # fmt: skip
    assert clock_values(wanted(kind="time"), NOW)[0] == "0600"


@given(MOMENTS)
def test_issue_times_are_never_in_the_future(now: datetime) -> None:
    values = [datetime.strptime(v, "%Y%m%d%H%M") for v in clock_values(wanted(kind="datetime"), now)]
    assert values and all(v <= now for v in values)
    times = clock_values(wanted(kind="time"), now)
    assert times and all(t <= now.strftime("%H%M") for t in times), "beside today's date, too"


@given(MOMENTS)
def test_months_and_years_have_ended_but_for_the_last(now: datetime) -> None:
    months = clock_values(wanted(kind="month"), now)
    assert len(months) == 4 and all(m < now.strftime("%Y%m") for m in months)
    assert clock_values(wanted(kind="year"), now) == [str(now.year - n) for n in (1, 2, 3, 0)]


@given(MOMENTS, st.sampled_from(("date", "begin_date", "end_date")))
def test_dates_are_not_in_the_future_and_ranges_are_not_reversed(now: datetime, name: str) -> None:
    days = [datetime.strptime(v, "%Y%m%d").date() for v in clock_values(wanted(name, kind="date"), now)]
    assert days and len(set(days)) == len(days) and max(days) <= now.date()
    ends = [datetime.strptime(v, "%Y%m%d").date() for v in clock_values(wanted("end_date", kind="date"), now)]
    if name == "begin_date":
        assert max(days) < min(ends)


def test_leap_days_have_no_say_in_years() -> None:
    assert clock_values(wanted(kind="year"), datetime(2024, 12, 31)) == ["2023", "2022", "2021", "2024"]
    assert clock_values(wanted(kind="month"), datetime(2024, 3, 31))[0] == "202402"
    assert date(2024, 2, 29) <= date(2024, 3, 31)


@pytest.mark.parametrize(
    ("parameter", "fillable"),
    [
        (wanted(default="1"), True),
        (wanted(enum=(EnumValue("1", "하나"),), kind="code"), True),
        (wanted(kind="date"), True),
        (wanted(kind="name", examples=("서울",)), True),
        (wanted(kind="code", examples=("11680",)), False),
        (wanted(kind="name"), False),
        (wanted(kind="longitude", examples=("127.0",)), False),
    ],
)
def test_what_needs_no_call(parameter: Parameter, fillable: bool) -> None:
    assert statically_fillable(parameter) is fillable


def test_options_and_how_they_are_said() -> None:
    pool = ValuePool()
    pool.add_output("t", "corp_name", "삼성전자")
    tool = make_tool("t", [OutputField("corp_name", "회사명", kind="name")], name_field="corp_name")
    name = wanted("q", "회사명", kind="name", examples=("카카오",))
    found = filler(pool).options(tool, name)
    assert [(f.value, f.origin, f.sayable, f.text) for f in found] == [
        ("카카오", "example", True, "회사명 카카오"),
        ("삼성전자", "pool", True, "삼성전자"),
    ]
    kind = wanted("t", "종류", kind="code", enum=(EnumValue("1", "하나"), EnumValue("2", "둘")), examples=("9",))
    assert [(f.value, f.origin, f.text) for f in filler().options(tool, kind)] == [
        ("1", "enum", "하나"),
        ("2", "enum", "둘"),
    ]
    year = filler().options(tool, wanted("y", "연도", kind="year"))
    assert {f.origin for f in year} == {"clock"} and year[0].text == "연도 2025"


def test_a_default_is_always_chosen() -> None:
    radius = wanted("radius", "반경", kind="number", default="500", examples=("1000",))
    chosen = {filler().choose(make_tool("t"), radius, random.Random(n)) for n in range(20)}
    assert {(f.value, f.origin, f.sayable) for f in chosen if f} == {("500", "default", False)}


def test_what_worked_before_is_preferred_but_not_alone() -> None:
    pool = ValuePool()
    pool.add_accepted("t", "y", "2023")
    year = wanted("y", "연도", kind="year")
    rng = random.Random(1)
    chosen = [f.value for _ in range(400) if (f := filler(pool).choose(make_tool("t"), year, rng))]
    assert 0.65 < chosen.count("2023") / 400 < 0.9 and len(set(chosen)) == 4


def test_days_that_name_something_come_from_what_worked() -> None:
    """An election is named by its day: none of the clock's is one."""
    pool, day = ValuePool(), wanted("sgId", "선거ID", kind="date", format="%Y%m%d")
    clock = [f.value for f in filler(pool).options(make_tool("t"), day)]
    for value in ("20220601", "20240410"):
        pool.add_accepted("t", "sgId", value)
    offered = filler(pool).options(make_tool("t"), day)
    assert [f.value for f in offered] == ["20240410", "20220601", *clock]
    assert [f.origin for f in offered] == ["pool", "pool", *["clock"] * len(clock)]
    assert all(f.sayable for f in offered)
    pool.add_accepted("t", "sgId", clock[0])
    assert [f.value for f in filler(pool).options(make_tool("t"), day)] == clock


def test_private_values_and_unfit_names_are_never_offered() -> None:
    pool = ValuePool()
    for value in ("김", "홍길동", "가" * 41, "두\n줄"):
        pool.add_output("t", "name", value)
    want = wanted("name", "성명", kind="name")
    tool = make_tool("t", [OutputField("name", "성명", kind="name")])
    hidden = make_tool("t", [OutputField("name", "성명", kind="name", private=True)], name_field="name")
    assert pool.sayable(tool, want) == ["홍길동"]
    assert pool.sayable(hidden, want) == []


def test_fill_takes_the_required_rest_or_nothing() -> None:
    tool = make_tool(
        "t",
        [],
        [wanted("code", "코드", kind="code"), wanted("y", "연도", kind="year"), Parameter("free", "자유", default="1")],
    )
    assert filler().fill(tool, (), random.Random(0)) is None
    found = filler().fill(tool, ("code",), random.Random(0))
    assert found is not None and set(found) == {"y"}
    assert filler().fill(make_tool("u"), (), random.Random(0)) == {}


@given(st.integers(0, 2**32 - 1), MOMENTS)
def test_one_seed_one_filling(seed: int, now: datetime) -> None:
    tool = make_tool(
        "t",
        [],
        [wanted("d", "일자", kind="date"), wanted("k", "종류", enum=(EnumValue("1", "하나"), EnumValue("2", "둘")))],
    )
    one, two = (filler(now=now).fill(tool, (), random.Random(seed)) for _ in range(2))
    assert one == two is not None


@given(st.lists(st.text(max_size=3), max_size=30), st.integers(1, 5))
def test_the_pool_is_limited_distinct_and_in_order(values: list[str], limit: int) -> None:
    pool = ValuePool(limit=limit)
    for value in values:
        pool.add_output("t", "f", value)
        pool.add_accepted("t", "p", value)
    expected = list(dict.fromkeys(values))[:limit]
    assert list(pool.outputs.get(("t", "f"), {})) == expected == list(pool.accepted.get(("t", "p"), {}))


SWITCH = wanted("inqryDiv", "조회구분", kind="code", enum=(EnumValue("1", "등록일시"), EnumValue("2", "입찰공고번호")))
SWITCHED = make_tool(
    "notices", (), (SWITCH, Parameter("bidNtceNo", "입찰 공고번호"), Parameter("inqryBgnDt", "등록일시"))
)


def test_a_switch_follows_the_parameter_that_is_given() -> None:
    """Whoever asks by a number must say so, or the platform asks for dates."""
    for seed in range(20):
        filled = filler().fill(SWITCHED, ("bidNtceNo",), random.Random(seed))
        assert filled is not None and filled["inqryDiv"].value == "2"
    assert [o.value for o in filler().options(SWITCHED, SWITCH, ("bidNtceNo",))] == ["2"]


@pytest.mark.parametrize("bound", [(), ("other",), ("bidNtceNo", "inqryBgnDt")])
def test_a_switch_that_nothing_or_too_much_decides_stays_open(bound: tuple[str, ...]) -> None:
    assert switched(SWITCHED, SWITCH, bound) is None
    assert [o.value for o in filler().options(SWITCHED, SWITCH, bound)] == ["1", "2"]
