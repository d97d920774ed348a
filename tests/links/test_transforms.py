"""A field's value becomes the value a parameter wants, or nothing; never an exception."""

from __future__ import annotations

import unicodedata
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.links.moments import parse_date
from edge.links.transforms import TRANSFORMS, apply, chain, companion, known
from edge.links.wording import PROVINCES, mapping
from edge.text import fold

NAMED = ("slice:0:5", "slice:2:5", "slice:5:10", "slice:3:3", "date:%Y%m%d", "date:%H:%M", "date:%Y", "pad:4", "pad:0",
         "date_shift:1:%Y%m%d", "date_shift:-999:%Y", "floor:0200,0500,2300", "floor:12", "unpad", "number", "add:-1",
         "add:999999", "wrap:제:대", "wrap::00", "unwrap:제:대", "unwrap:A:", "no_brackets", "map:주의=1,경보=2",
         "map:a%3Db=%2C", "in_province", "word:0", "word:1", "first_item", "project_x:5179:WGS84:y",
         "project_y:WGS84:KATEC:y", "project_x:KATEC:5174:y", "project_y:5186:5186:없음", "province_short|wrap::특별시",
         "digits|add:1|pad:3|wrap:10:", "drop_letter", "strip", "digits", "province_short", "province_full",
         "first_word", "last_word", "kma_nx:y", "kma_ny:y", "kma_nx:없음")  # fmt: skip
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
        ("word:1", "경기도 성남시 분당구", "성남시"),
        ("word:3", "경기도 성남시 분당구", None),
        ("word:0", " ", None),
        ("first_item", "AB12, CD34", "AB12"),
        ("first_item", ", CD34", None),
        ("in_province", "서울특별시 강남구 역삼동", "강남구 역삼동"),
        ("in_province", "서울특별시강남구", "강남구"),
        ("in_province", "경기 성남시 분당구", "성남시 분당구"),
        ("in_province", "부산진구", None),
        ("in_province", "광주시 북구", None),
        ("in_province", "경기도", None),
        ("unpad", "003800", "3800"),
        ("unpad", "000", "0"),
        ("unpad", "A01", None),
        ("number", "1,234명", "1234"),
        ("number", "-1,234,567.50 원", "-1234567.50"),
        ("number", "12.5㎞", "12.5"),
        ("number", 35, "35"),
        ("number", "1,23명", None),
        ("number", "010-1234-5678", None),
        ("number", "약 3명", None),
        ("add:-1", "1", "0"),
        ("add:-1", "01", "0"),
        ("add:1", "가", None),
        ("add:1", "²", None),
        ("wrap:제:대", 22, "제22대"),
        ("wrap::00", "11680640", "1168064000"),
        ("wrap:1000:", "22", "100022"),
        ("unwrap:제:대", "제22대", "22"),
        ("unwrap:제:대", "22", None),
        ("unwrap:제:대", "제대", None),
        ("no_brackets", "서울역(1호선) [환승]", "서울역"),
        ("no_brackets", "(1호선)", None),
        ("map:주의=1,경보=2", "경보", "2"),
        ("map:주의=1,경보=2", " 주의 ", "1"),
        ("map:주의=1,경보=2", "심각", None),
        ("map:k=코스닥", "K", "코스닥"),
        ("date_shift:1:%Y%m%d", "2026-02-28", "20260301"),
        ("date_shift:-1:%Y-%m-%d", "20260101", "2025-12-31"),
        ("date_shift:1:%Y-%m-%d %H:%M", "202606152330", "2026-06-16 23:30"),
        ("date_shift:1:%Y%m%d", "어제", None),
        ("date_shift:999:%Y%m%d", "99991231", None),
        ("floor:0200,0500,2300", "0430", "0200"),
        ("floor:0200,0500,2300", "05:00", "0500"),
        ("floor:2300,0500,0200", "2359", "2300"),
        ("floor:0200,0500,2300", "0130", None),
        ("floor:0200,0500,2300", "저녁", None),
        ("pad:4|wrap::00", "38", "003800"),
        ("drop_letter|pad:6", "A00001", "000001"),
        ("province_short|map:서울=11,부산=26", "부산광역시", "26"),
        ("province_short|map:서울=11", "강남구", None),
    ],
)
def test_values(transform: str | None, value: Any, expected: str | None) -> None:
    assert made(transform, value) == expected


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
     "date:\x00", "date:%", "pad", "pad:x", "pad:999999999", "kma_nx", "kma_nx:", "strip:now", "strip:", "digits:3",
     "date_shift:%Y", "date_shift:1.5:%Y", "floor:2,3", "floor:가",
     "add:x", "add:²", "wrap::", "wrap:a", "wrap:a:b:c", "map:", "map:a", "map:a=", "map:a=1,", "map:a=%zz", "word:-1",
     "project_x:5179:WGS84:", "project_x:4326:5179:y", "project_x:TM:WGS84:y", "project_x:5179:y", "digits|", "|digits",
     "digits|upper", "digits||pad:3", "digits | pad:3", "map:" + "a=1," * 3000 + "b=2"],
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
    assert companion("project_y:5179:WGS84:entX") == "entX" == companion("strip|project_y:5179:WGS84:entX|number")
    assert companion("slice:0:5") is None and companion(None) is None


def test_steps_become_a_chain() -> None:
    assert chain(None, None) is None
    assert chain(None, "digits", None, "pad:3") == "digits|pad:3"


WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6).map(
    lambda t: unicodedata.normalize("NFC", t)
)
AFFIX = st.text("제대가나A01 -", max_size=3)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5), st.data())
def test_any_table_can_be_said_and_is_looked_up(pairs: list[tuple[str, str]], data: st.DataObject) -> None:
    transform = mapping(pairs)
    assert known(transform)
    left, right = data.draw(st.sampled_from(pairs))
    same = [r for name, r in pairs if fold(name) == fold(left)]
    assert made(transform, left) == same[-1]
    assert right in same


@given(st.dictionaries(st.text("가나다라", min_size=1, max_size=3), st.integers(0, 99), min_size=1, max_size=5))
def test_a_table_of_one_to_one_turns_round(table: dict[str, int]) -> None:
    pairs = [(name, f"{index:02}") for index, name in enumerate(sorted(table))]
    there, back = mapping(pairs), mapping((code, name) for name, code in pairs)
    assert all(made(back, made(there, name)) == name for name in table)


@given(st.text("가나다123 ", min_size=1), AFFIX, AFFIX)
def test_what_is_put_on_comes_off(value: str, before: str, after: str) -> None:
    if before or after:
        assert made(f"unwrap:{before}:{after}", made(f"wrap:{before}:{after}", value)) == value


@given(st.integers(0, 10**9), st.integers(0, 12))
def test_zeros_put_on_come_off(value: int, length: int) -> None:
    assert made("unpad", made(f"pad:{length}", value)) == str(value)


@given(st.integers(-(10**9), 10**9), st.sampled_from(["", "명", " 원", "%", "㎡"]))
def test_a_number_comes_out_of_its_spelling(value: int, unit: str) -> None:
    assert made("number", f"{value:,}{unit}") == str(value)


@given(st.integers(-(10**9), 10**9), st.integers(-(10**6) + 1, 10**6 - 1))
def test_what_is_added_is_taken_off(value: int, step: int) -> None:
    assert made(f"add:{-step}", made(f"add:{step}", value)) == str(value)


@given(st.dates(date(1950, 1, 1), date(2090, 1, 1)), st.integers(-999, 999))
def test_days_forth_and_back(day: date, days: int) -> None:
    there = made(f"date_shift:{days}:%Y%m%d", day.isoformat())
    assert there == (day + timedelta(days=days)).strftime("%Y%m%d")
    assert made(f"date_shift:{-days}:%Y-%m-%d", there) == day.isoformat()


@given(JSON, JSON, st.sampled_from(NAMED), st.sampled_from(NAMED))
def test_a_chain_is_its_steps(value: Any, other: Any, first: str, second: str) -> None:
    transform = f"{first}|{second}"
    assert known(transform)
    between = made(first, value, y=other)
    assert made(transform, value, y=other) == (None if between is None else made(second, between, y=other))
