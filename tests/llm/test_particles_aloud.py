"""Particles behind numbers, initials and names, held against a reading aloud that is made another way."""

from __future__ import annotations

import re

import pytest
from brief_examples import ask, brief, given, reduced, step
from hypothesis import given as hypothesis_given
from hypothesis import settings
from hypothesis import strategies as st

from edge.llm.offline.brief import read_brief
from edge.llm.offline.ko.frames import STYLES
from edge.llm.offline.ko.particles import particle
from edge.llm.offline.ko.request import compose

_DIGITS = "영일이삼사오육칠팔구"
_NAMES = (
    *("에이", "비", "시", "디", "이", "에프", "지", "에이치", "아이", "제이", "케이", "엘", "엠"),
    *("엔", "오", "피", "큐", "알", "에스", "티", "유", "브이", "더블유", "엑스", "와이", "제트"),
)
_LETTERS = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", _NAMES, strict=True))
_PAIRS = {
    "은는": ("은", "는"),
    "이가": ("이", "가"),
    "을를": ("을", "를"),
    "과와": ("과", "와"),
    "으로로": ("으로", "로"),
}


def aloud(number: int) -> str:
    """Read a number in full: 1,203,000 is 백이십만 삼천."""
    if number == 0:
        return "영"
    said = ""
    for place in range(len(str(number)) - 1, -1, -1):
        digit = number // 10**place % 10
        group = number // 10 ** (place // 4 * 4) % 10_000
        if digit:
            said += ("" if digit == 1 and place % 4 else _DIGITS[digit]) + ("", "십", "백", "천")[place % 4]
        if place % 4 == 0 and group:
            said += ("", "만", "억", "조", "경")[place // 4]
    return said


def fitting(syllable: str, pair: str) -> str:
    """The particle behind a syllable, by its final consonant."""
    final = (ord(syllable) - ord("가")) % 28
    closed, opened = _PAIRS[pair]
    return opened if final == 0 or (pair == "으로로" and final == 8) else closed


@hypothesis_given(st.integers(0, 10**20 - 1), st.sampled_from(sorted(_PAIRS)), st.booleans())
def test_behind_a_number(number: int, pair: str, grouped: bool) -> None:
    word = f"{number:,}" if grouped else str(number)
    assert particle(word, pair) == fitting(aloud(number)[-1], pair)


@hypothesis_given(st.integers(0, 9999), st.integers(0, 999), st.sampled_from(sorted(_PAIRS)))
def test_behind_a_decimal(whole: int, part: int, pair: str) -> None:
    word = f"{whole}.{part}"
    assert particle(word, pair) == fitting(_DIGITS[int(word[-1])], pair)


@hypothesis_given(st.text(alphabet=sorted(_LETTERS), min_size=1, max_size=6), st.sampled_from(sorted(_PAIRS)))
def test_behind_initials(word: str, pair: str) -> None:
    assert particle(word, pair) == fitting(_LETTERS[word[-1]][-1], pair)


@pytest.mark.parametrize(
    ("text", "last"),
    [("12억 5,000만 원", "원"), ("85.5%", "트"), ("2026년 5월", "월"), ("오전 9시 30분", "분"), ("1,234.56㎡", "터"),
     ("(주)한빛", "빛"), ("한빛(주)", "빛"), ("3건", "건"), ("KBS2", "이"), ("제22대", "대"), ("5호선", "선"),
     ("'은마'", "마"), ("역삼1동", "동"), ("30km/h", "터")],
)  # fmt: skip
@pytest.mark.parametrize("pair", sorted(_PAIRS))
def test_behind_what_requests_say(text: str, last: str, pair: str) -> None:
    assert particle(text, pair) == fitting(last, pair)


NAMES = st.one_of(
    st.text(alphabet=st.characters(min_codepoint=ord("가"), max_codepoint=ord("힣")), min_size=2, max_size=5),
    st.text(alphabet="ABCDEFGHIKLMNOPQRSTUVWXYZ", min_size=2, max_size=4),
    st.builds(lambda n, m: f"{_LETTERS[n][0]}나{m}", st.sampled_from("ABKLMN"), st.integers(1, 999)),
)
_BEHIND = r"'?(을|를|은|는|와|과)(?= )"


@settings(max_examples=60)
@hypothesis_given(NAMES, st.sampled_from(STYLES), st.integers(0, 10**6))
def test_behind_names_in_whole_requests(name: str, style: str, seed: int) -> None:
    company = step(1, "회사", "finance", reducer=reduced("filter", "회사명", name, True, "name"))
    yearly = given("사업연도", "2025년", "year", "{v}")
    wanted = [ask("매출액", "amount", "원"), ask("임원 수", "count", "명")]
    figures = step(2, "사업 실적", "finance", yearly, reducer=reduced("only"), parent=1, asks=wanted)
    count = step(3, "공시", "finance", reducer=reduced("count"), parent=1)
    officers = step(4, "임원", "finance", reducer=reduced("count"), parent=1)
    for case in (brief(company, figures), brief(company, figures, count, officers)):
        query = compose(read_brief({**case, "style": style, "seed": seed})).query
        spoken = _LETTERS[name[-1]] if name[-1] in _LETTERS else aloud(int(re.sub(r"\D", "", name) or 0))
        last = name[-1] if "가" <= name[-1] <= "힣" else spoken[-1]
        for found in re.finditer(re.escape(name) + _BEHIND, query):
            pair = next(p for p in _PAIRS if found.group(1) in _PAIRS[p])
            assert found.group(1) == fitting(last, pair), query
