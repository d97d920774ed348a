"""Particles, numbers and dates of the Korean pack."""

from __future__ import annotations

from datetime import date, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.llm.offline.ko.dates import (
    format_date,
    format_time,
    parse_date,
    parse_time,
    relative_day,
    relative_month,
    relative_year,
)
from edge.llm.offline.ko.labels import counter, criterion, own_label, spoken, spoken_all, superlative, word_of
from edge.llm.offline.ko.numbers import grouped, measured, with_unit, won_text, won_value
from edge.llm.offline.ko.particles import PARTICLES, attach, fill, join, particle

HANGUL = st.text(alphabet=st.characters(min_codepoint=ord("가"), max_codepoint=ord("힣")), min_size=1, max_size=8)


@given(HANGUL, st.sampled_from(["은는", "이가", "을를", "과와", "이라라", "아야", "이에요예요"]))
def test_particles_follow_the_final_consonant(word: str, pair: str) -> None:
    closed, opened = PARTICLES[pair]
    assert particle(word, pair) == (closed if (ord(word[-1]) - 0xAC00) % 28 else opened)


@given(HANGUL)
def test_ro_treats_rieul_as_open(word: str) -> None:
    assert particle(word, "으로로") == ("로" if (ord(word[-1]) - 0xAC00) % 28 in (0, 8) else "으로")


@given(HANGUL, st.sampled_from(["'{}'", "「{}」", "{}(주)", "{} (ABC)", "“{}”", "{}[12]", "{}.", "{}㈜ (서울)"]))
def test_brackets_and_quotes_are_not_read(word: str, wrapping: str) -> None:
    expected = "는" if "㈜" in wrapping else particle(word, "은는")
    assert particle(wrapping.format(word), "은는") == expected


@pytest.mark.parametrize(
    ("word", "topic", "by"),
    [
        ("1", "은", "로"),
        ("2", "는", "로"),
        ("3", "은", "으로"),
        ("6", "은", "으로"),
        ("7", "은", "로"),
        ("8", "은", "로"),
        ("10", "은", "으로"),
        ("100", "은", "으로"),
        ("1,000,000", "은", "으로"),
        ("1000000000000", "는", "로"),
        ("3.14", "는", "로"),
        ("007", "은", "로"),
        ("PM10", "은", "으로"),
        ("PM2.5", "는", "로"),
        ("LG", "는", "로"),
        ("KTL", "은", "로"),
        ("SKT", "는", "로"),
        ("NAVER", "은", "로"),
        ("IBM", "은", "으로"),
        ("Naver", "는", "로"),
        ("Google", "은", "로"),
        ("84.5㎡", "는", "로"),
        ("30%", "는", "로"),
        ("5km", "는", "로"),
        ("12kg", "은", "으로"),
        ("0.03ppm", "은", "으로"),
        ("35㎍/㎥", "는", "로"),
        ("25℃", "는", "로"),
        ("㈜한빛", "은", "으로"),
        ("", "는", "로"),
    ],
)
def test_digits_letters_and_units_are_read_in_korean(word: str, topic: str, by: str) -> None:
    assert (particle(word, "은는"), particle(word, "으로로")) == (topic, by)


@given(
    st.text(alphabet=st.characters(exclude_characters="{}")), st.text(alphabet=st.characters(exclude_characters="{}"))
)
def test_fill_leaves_no_braces(value: str, name: str) -> None:
    filled = fill("{name}의 '{v}'{josa:이가} 있는 {v}{josa:으로로}", v=value, name=name)
    assert "{" not in filled and "}" not in filled and filled.startswith(name)


def test_fill_never_reads_values_as_templates() -> None:
    assert fill("{v}{josa:을}", v="{name}") == "{name}을" or fill("{v}{josa:을}", v="{name}") == "{name}를"
    with pytest.raises(ValueError, match="no value"):
        fill("{x}")
    with pytest.raises(ValueError, match="unknown particle"):
        fill("{v}{josa:ㅋㅋ}", v="가")


@pytest.mark.parametrize("alias", ["이가", "이/가", "가/이", "이(가)", "이", "가"])
def test_particle_pairs_have_the_names_people_use(alias: str) -> None:
    assert attach("한빛", alias) == "한빛이"


def test_enumerations() -> None:
    assert [join(words) for words in ([], ["가"], ["값", "면적"], ["가", "나", "값", "면적"])] == [
        "",
        "가",
        "값과 면적",
        "가, 나, 값과 면적",
    ]


@given(st.dates(min_value=date(1000, 1, 1)), st.sampled_from(["%Y%m%d", "%Y%m", "%Y"]))
def test_dates_come_back(day: date, pattern: str) -> None:
    wire = day.strftime(pattern)
    assert parse_date(format_date(wire)) == wire
    assert parse_date(format_date(wire), pattern) == wire


@given(st.datetimes(min_value=datetime(1000, 1, 1)))
def test_times_come_back(moment: datetime) -> None:
    wire = moment.strftime("%Y-%m-%d %H:%M")
    assert parse_date(format_date(wire)) == moment.strftime("%Y%m%d%H%M")


def test_spoken_dates() -> None:
    assert format_date("20260503") == "2026년 5월 3일"
    assert format_date("202605") == "2026년 5월"
    assert format_date("2026-05-03 14:00") == "2026년 5월 3일 오후 2시"
    assert format_date("2026050318") == "2026년 5월 3일 오후 6시"
    assert [format_date(text) for text in ("20261350", "가나다", "", "99")] == ["20261350", "가나다", "", "99"]
    assert (parse_date("2026년 5월 3일 오후 2시 30분"), parse_date("오늘"), parse_date("2026년", "%Y%m")) == (
        "202605031430",
        None,
        None,
    )
    times = ("0600", "14:30", "1200", "0010", "2400", "99:99")
    assert [format_time(t) for t in times] == ["오전 6시", "오후 2시 30분", "낮 12시", "0시 10분", "24시", "99:99"]


@given(st.times())
def test_times_of_day_come_back(moment: time) -> None:
    assert parse_time(format_time(moment.strftime("%H:%M"))) == moment.strftime("%H%M")


def test_relative_dates_only_when_they_match() -> None:
    assert relative_month("2026년 5월", "2026-06-15") == "지난달"
    assert relative_month("2026년 6월", "2026-06-15") == "이번 달"
    assert relative_month("2026년 4월", "2026-06-15") is None
    assert relative_day("2026년 6월 16일", "2026-06-15") == "내일"
    assert relative_day("2026년 5월", "2026-06-15") is None
    assert [relative_year(f"{year}년", "2026-06-15") for year in (2026, 2025, 2020)] == ["올해", "작년", None]


@given(st.integers(min_value=-(10**19), max_value=10**19))
def test_amounts_come_back(value: int) -> None:
    assert won_value(won_text(value)) == value


def test_numbers() -> None:
    assert won_text(125000, "만원") == "12억 5,000만 원"
    assert (grouped(1234567), grouped("-1234.50"), grouped("12가")) == ("1,234,567", "-1,234.50", "12가")
    assert (with_unit("12", "명"), with_unit("좋음", "명"), with_unit("12명", "명"), with_unit("3", None)) == (
        "12명",
        "좋음",
        "12명",
        "3",
    )


@pytest.mark.parametrize(
    ("text", "unit", "said"),
    [
        ("125,000", "만원", "12억 5,000만 원"),
        ("1234", "백만원", "12억 3,400만 원"),
        ("12345678", "원", "1,234만 5,678원"),
        ("361", "원", "361원"),
        ("0", "만원", "0원"),
        ("12.5", "만원", "12만 5,000원"),
        ("1234.56", "㎡", "1,234.56㎡"),
        ("-3.2", "%", "-3.2%"),
        ("53004", "명", "53,004명"),
        ("비공개", "만원", "비공개"),
        ("3.14159", "원", "3.14159원"),
        ("82714867907.25", "원", "827억 1,486만 7,907.25원"),
        ("125000000.5", "원", "1억 2,500만 0.5원"),
    ],
)
def test_measures(text: str, unit: str, said: str) -> None:
    assert measured(text, unit) == said


def test_labels_do_not_say_the_noun_again() -> None:
    assert own_label("시설물 주소", "시설물") == "주소"
    assert own_label("병원명", "병원 상세 정보") == "이름"
    assert own_label("아파트명", "아파트 매매 거래") == "아파트명"
    assert own_label("층", "아파트 매매 거래") == "층수"


def test_labels() -> None:
    assert spoken("미세먼지(PM10) 농도") == "미세먼지 농도"
    assert spoken("도로명/지번") == "도로명·지번"
    assert spoken_all(["농도(PM10)", "농도(PM2.5)", "시도"]) == ["농도(PM10)", "농도(PM2.5)", "시도"]
    assert (criterion("진료과목코드명"), criterion("종별코드"), criterion("명")) == ("진료과목", "종별", "명")
    assert (superlative("전용면적", "number", True), superlative("거리", None, False)) == ("넓은", "가까운")
    assert (superlative("거래금액", "amount", True), superlative("의사총수", "count", True)) == ("큰", "많은")
    assert [counter(noun) for noun in ("아파트 매매 거래", "병원", "국회의원", "버스 노선")] == ["건", "곳", "명", "개"]
    assert [
        word_of(noun) for noun in ("아파트 매매 거래", "측정소 실시간 측정값", "하루 평균 농도", "병원 상세 정보")
    ] == [
        "거래",
        "측정소",
        "날",
        "병원",
    ]
