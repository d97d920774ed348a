"""A field's value becomes the value a parameter wants, or nothing; never an exception."""

from __future__ import annotations

import unicodedata
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.links.transforms import (
    PROVINCES,
    TRANSFORMS,
    apply,
    companion,
    get_path,
    kma_grid,
    known,
    parse_date,
    scalar,
    with_arguments,
)

NAMED = ("slice:0:5", "slice:2:5", "slice:5:10", "slice:3:3", "date:%Y%m%d", "date:%H:%M", "date:%Y", "pad:4", "pad:0",
         "drop_letter", "strip", "digits", "province_short", "province_full", "first_word", "last_word", "kma_nx:y",
         "kma_ny:y", "kma_nx:없음")  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


def made(transform: str | None, value: Any, **more: Any) -> str | None:
    return apply(transform, {"x": value, **more}, "x")


@pytest.mark.parametrize(
    ("transform", "value", "expected"),
    [
        (None, "1168010100", "1168010100"),
        (None, 126.5, "126.5"),
        (None, 11.0, "11"),
        (None, "", None),
        (None, None, None),
        (None, True, None),
        (None, ["1"], None),
        ("slice:0:5", "1168010100", "11680"),
        ("slice:0:2", "1168010100", "11"),
        ("slice:2:5", "11680", "680"),
        ("slice:5:10", "1168010100", "10100"),
        ("slice:5:10", "11680", None),
        ("slice:0:8", 20260615123000, "20260615"),
        ("slice:3:3", "11680", None),
        ("date:%Y%m%d", "2026-06-15", "20260615"),
        ("date:%Y%m", "2026년 6월 15일", "202606"),
        ("date:%Y-%m-%d", "20260615", "2026-06-15"),
        ("date:%Y.%m.%d", "2026/6/5", "2026.06.05"),
        ("date:%H:%M", "202606151230", "12:30"),
        ("date:%Y%m%d", "어제", None),
        ("date:%Y%m%d", "20261345", None),
        ("pad:4", "7", "0007"),
        ("pad:2", "11680", "11680"),
        ("pad:6", "A7", None),
        ("drop_letter", "A005930", "005930"),
        ("drop_letter", "005930", None),
        ("drop_letter", "AB0593", None),
        ("drop_letter", "A", None),
        ("strip", "  서울 ", "서울"),
        ("strip", "  ", None),
        ("digits", "제22대", "22"),
        ("digits", "의안", None),
        ("province_short", "서울특별시", "서울"),
        ("province_short", "서울특별시 강남구", "서울"),
        ("province_short", "강원도", "강원"),
        ("province_short", "전라북도", "전북"),
        ("province_short", "강남구", None),
        ("province_full", "전북", "전북특별자치도"),
        ("province_full", "세종", "세종특별자치시"),
        ("province_full", "서울특별시", None),
        ("first_word", "경기도 성남시 분당구", "경기도"),
        ("last_word", "경기도 성남시 분당구", "분당구"),
        ("last_word", "경기도 ", None),
    ],
)
def test_values(transform: str | None, value: Any, expected: str | None) -> None:
    assert made(transform, value) == expected


@pytest.mark.parametrize(
    ("longitude", "latitude", "cell"),
    [
        (126.9784, 37.5665, (60, 127)),  # Seoul City Hall
        (129.0756, 35.1796, (98, 76)),  # Busan City Hall
        (126.5312, 33.4996, (53, 38)),  # Jeju City
        (127.3845, 36.3504, (67, 100)),  # Daejeon City Hall
        (126.0, 38.0, (43, 136)),  # the origin
    ],
)
def test_known_cells_of_the_weather_grid(longitude: float, latitude: float, cell: tuple[int, int]) -> None:
    assert kma_grid(longitude, latitude) == cell
    record = {"x": str(longitude), "y": latitude}
    assert (apply("kma_nx:y", record, "x"), apply("kma_ny:x", record, "y")) == tuple(map(str, cell))


@pytest.mark.parametrize(
    "record", [{"x": "127"}, {"x": "0", "y": "0"}, {"x": "동", "y": "37"}, {"x": "nan", "y": "37"}]
)
def test_no_cell_without_a_place_in_korea(record: dict[str, Any]) -> None:
    assert apply("kma_nx:y", record, "x") is None


@pytest.mark.parametrize("short", PROVINCES)
def test_province_names_round_trip(short: str) -> None:
    full = made("province_full", short)
    assert full is not None and made("province_short", full) == short


SPELLINGS = ("%Y%m%d", "%Y-%m-%d", "%Y.%m.%d", "%Y/%m/%d", "%Y.%m.%d.", "%Y. %m. %d.", "%Y년 %m월 %d일", "%Y년%m월%d일",
             "%Y%m%d%H%M", "%Y%m%d%H%M%S", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S",
             "%Y-%m-%d %H:%M:%S.0", "%Y.%m.%d %H:%M", "%Y%m%d%H", "%Y%m%d %H%M")  # fmt: skip
MOMENTS = st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1))


@given(MOMENTS, st.sampled_from(SPELLINGS))
def test_dates_in_all_spellings_round_trip(moment: datetime, spelling: str) -> None:
    text = moment.strftime(spelling)
    found = parse_date(text)
    assert found is not None and found.date() == moment.date()
    assert found.strftime(spelling.replace("%S", "00")) == moment.strftime(spelling.replace("%S", "00"))
    assert made(f"date:{spelling}", text) == moment.replace(second=0).strftime(spelling)


@given(MOMENTS, st.sampled_from(("%Y%m", "%Y-%m", "%Y.%m", "%Y/%m", "%Y년 %m월", "%Y. %m.")))
def test_months_are_dates_of_their_first_day(moment: datetime, spelling: str) -> None:
    assert parse_date(moment.strftime(spelling)) == datetime(moment.year, moment.month, 1)


@pytest.mark.parametrize("text", ["2026-06-15 24:00", "2026061524", "202606152400"])
def test_hour_24_belongs_to_its_day(text: str) -> None:
    assert parse_date(text) == datetime(2026, 6, 15)


@pytest.mark.parametrize(
    "text", ["", " ", "24", "00000101", "20260230", "2026061599", "2026-06-15 25:00", "x2026", "²²²²²²"]
)
def test_no_date(text: str) -> None:
    assert parse_date(text) is None


@given(JSON, JSON, st.sampled_from(NAMED))
def test_no_value_makes_a_transform_raise(value: Any, other: Any, transform: str) -> None:
    result = made(transform, value, y=other)
    assert result is None or (isinstance(result, str) and result)


@given(st.text().map(lambda t: unicodedata.normalize("NFC", t)), st.sampled_from((None, *NAMED)))
def test_nfc_stays_nfc(text: str, transform: str | None) -> None:
    result = made(transform, text, y="37.5")
    assert result is None or unicodedata.is_normalized("NFC", result)


@given(st.text(min_size=1), st.integers(0, 20), st.integers(1, 20))
def test_a_slice_has_its_length_or_is_nothing(text: str, start: int, length: int) -> None:
    result = made(f"slice:{start}:{start + length}", text)
    assert result == (text[start : start + length] if len(text) >= start + length else None)
    assert result is None or len(result) == length


@pytest.mark.parametrize("transform", [None, *NAMED])
def test_what_is_named_here_is_known(transform: str | None) -> None:
    assert known(transform)


@pytest.mark.parametrize(
    "transform",
    ["", "upper", "slice", "slice:a:b", "slice:1", "slice:-3:-1", "slice:0:5:2", "date", "date:", "date:%Q",
     "date:\x00", "date:%", "pad", "pad:x", "pad:999999999", "kma_nx", "kma_nx:", "strip:now", "digits:3"],
)  # fmt: skip
def test_invented_transforms_and_arguments_are_not_known(transform: str) -> None:
    assert not known(transform)


@given(st.sampled_from(sorted(TRANSFORMS)), st.text(max_size=8), st.text(min_size=1))
def test_what_is_known_never_raises(name: str, rest: str, value: str) -> None:
    transform = f"{name}:{rest}" if rest else name
    if known(transform):
        made(transform, value)


def test_the_second_field_of_a_transform() -> None:
    assert companion("kma_nx:place.lat") == "place.lat"
    assert companion("slice:0:5") is None and companion(None) is None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.b", "1"),
        ("rows[].n", "2"),
        ("none", None),
        ("a.b.c", None),
        ("empty[].n", None),
        ("a[].b", None),
        ("", None),
    ],
)
def test_paths(path: str, expected: str | None) -> None:
    record: dict[str, Any] = {"a": {"b": "1"}, "rows": [{"n": "2"}, {"n": "3"}], "empty": []}
    assert get_path(record, path) == expected


@given(st.dictionaries(st.text(max_size=4), JSON, max_size=3), st.text(max_size=9))
def test_a_path_never_raises_and_a_scalar_is_text(record: dict[str, Any], path: str) -> None:
    text = scalar(get_path(record, path))
    assert text is None or text


def test_arguments_of_the_call_travel_with_the_record() -> None:
    record = {"x": "1"}
    seen = with_arguments(record, {"year": "2026"})
    assert (apply(None, seen, "@year"), apply(None, seen, "x"), record) == ("2026", "1", {"x": "1"})
