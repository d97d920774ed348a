"""Small Korean requests with plans and arguments, and strategies that make many of them."""

from __future__ import annotations

from hypothesis import strategies as st

from edge.dedup.records import DedupRow

TEMPLATES = (
    "{0}의 2024년 {1}월 아파트 실거래가 평균을 알려줘",
    "{0} 아파트 2024년 {1}월 실거래 평균 가격이 얼마인가요?",
    "{0}의 2024년 {1}월 아파트  실거래가 평균을 알려주세요!",
    "2024년 {1}월 {0} 미세먼지 농도가 어땠는지 궁금합니다",
    "날씨",
    "?!",
    "",
)
PLACES = ("서울시 강남구", "서울시 강북구", "부산시 해운대구")


def row(name: str, text: str, plan: str | None = None, args: str | None = None, **given: object) -> DedupRow:
    return DedupRow(name, text, plan, args, **given)  # type: ignore[arg-type]


def _build(numbers: tuple[int, int, int, int, int, bool]) -> DedupRow:
    name, template, place, month, quality, known = numbers
    text = TEMPLATES[template].format(PLACES[place], month)
    plan, args = ("plan" + str(template // 3), f"{place}/{month}") if known else (None, None)
    return DedupRow(f"t{name:03d}", text, plan, args, "", float(quality), (f"place={place}", f"month={month}"))


ROWS = st.lists(
    st.tuples(
        st.integers(0, 999),
        st.integers(0, len(TEMPLATES) - 1),
        st.integers(0, 2),
        st.integers(1, 4),
        st.integers(0, 3),
        st.booleans(),
    ),
    max_size=40,
    unique_by=lambda numbers: numbers[0],
).map(lambda many: [_build(numbers) for numbers in many])
