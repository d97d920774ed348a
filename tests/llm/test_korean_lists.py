"""Requests for several things: what they share is said once, a condition comes last, nothing is said twice."""

from __future__ import annotations

import re
from typing import Any

import pytest
from brief_examples import Json, ask, brief, given, reduced, step

from edge.llm.offline.brief import read_brief
from edge.llm.offline.ko.frames import STYLES
from edge.llm.offline.ko.request import compose
from edge.llm.offline.ko.soundness import odd

REGION = step(1, "지역", "demographics", reducer=reduced("filter", "지역주소명", "경기도 하남시", True, "name"))
YEAR = given("회계연도", "2024년", "year", "{v}")
TERM = given("대수", "제22대", "code", "{v} 국회의")
RADIUS = given("반경", "500", "number", "반경 {v}미터 안의")


def every(case: Json, seeds: int = 10) -> list[str]:
    return [
        compose(read_brief({**case, "style": style, "seed": seed})).query for style in STYLES for seed in range(seeds)
    ]


def counted(number: int, noun: str, *inputs: Json, parent: int = 1, **more: Any) -> Json:
    return {**step(number, noun, "culture", *inputs, reducer=reduced("count"), parent=parent), **more}


FOUR = brief(REGION, counted(2, "도서관"), counted(3, "공원"), counted(4, "약국"), counted(5, "병원"))


def test_what_all_is_asked_of_is_said_once_and_counts_are_nouns() -> None:
    for query in every(FOUR):
        assert query.count("하남시") == 1 and "그 지역" not in query, query
        assert all(f"{noun} 수" in query for noun in ("도서관", "공원", "약국", "병원")), query
        assert "몇 곳인지" not in query and odd(query) is None, query


def test_what_all_is_asked_of_may_be_what_a_record_leads_to() -> None:
    sitting = step(1, "국회 일정", "politics", reducer=reduced("filter", "일정명", "제3차 교육위원회", True, "name"))
    of = [counted(n, noun, via="위원회") for n, noun in ((2, "국회의원"), (3, "계류의안"), (4, "부의안건"))]
    for query in every(brief(sitting, *of)):
        assert len(re.findall(r"(?<!교육)위원회", query)) == 1 and "국회 일정" in query, query


def test_no_opening_runs_into_a_heading() -> None:
    for query in every(FOUR, 30):
        assert not re.search(r"(?:먼저 찾고|확인 후|찾아서) ?(?:\[|요청|대상|확인 요청)", query), query


def test_a_condition_beside_other_askings_is_the_last_item() -> None:
    when = {"step": "s4", "label": None, "operator": ">=", "value": "7", "text": "7"}
    case = {
        **brief(
            REGION,
            counted(2, "도서관"),
            counted(3, "공원"),
            counted(4, "건물"),
            counted(5, "약국", when={**when, "truth": True}),
        ),
        "untaken": [counted(6, "병원", when={**when, "truth": False})],
    }
    for query in every(case):
        assert re.search(r"건물이 7동 이상이면 약국 수, (?:아니면|그렇지 않으면|아닌 경우에는) 병원 수", query), query
        assert query.index("도서관 수") < query.index("공원 수") < query.index("7동 이상이면"), query


def test_what_is_found_by_coordinates_lies_around() -> None:
    library = step(1, "도서관", "culture", reducer=reduced("filter", "도서관명", "수정도서관", True, "name"))
    around = brief(library, counted(2, "상가업소", beside=True))
    within = brief(library, counted(2, "주변 정류소", RADIUS, beside=True))
    district = brief(
        library, {**counted(2, "행정구역", beside=True), "reducer": reduced("only"), "asks": [ask("시도")]}
    )
    for query in every(around):
        assert re.search(r"(?:수정도서관|그 도서관) 주변 상가업소", query), query
    for query in every(within):
        assert re.search(r"(?:수정도서관|그 도서관) 반경 500미터 안의 정류소", query), query
    for query in every(district):
        assert re.search(r"(?:수정도서관이|그 도서관이) 있는 행정구역", query), query


def test_the_nearest_in_a_district_is_nearest_to_the_place_itself() -> None:
    diner = step(1, "맛집", "commerce", reducer=reduced("filter", "음식점명", "큰나무 쌈밥", True, "name"))
    animal = {
        **step(2, "유기동물", "public safety", parent=1, reducer={**reduced("nearest"), "near_step": "s1"}),
        "asks": [ask("품종")],
        "via": "시군",
    }
    for query in every(brief(diner, animal)):
        assert re.search(r"유기동물 (?:중|가운데|중에서) 그 맛집에서 가장 가까운", query), query


def test_several_records_of_one_name_are_asked_each() -> None:
    school = step(
        1, "학교", "education", given("학교명", "성북중학교", "name", "이름이 '{v}'인"), reducer=reduced("all")
    )
    of = [{**counted(n, noun), "junction": "FAN"} for n, noun in ((2, "학급"), (3, "동아리"), (4, "교실"))]
    for query in every(brief(school, *of)):
        assert re.search(r"이름이 '성북중학교'인 학교 각각|성북중학교라는 이름의 학교 각각", query), query


def test_a_term_of_parliament_goes_before_whose_meetings_they_are() -> None:
    committee = step(1, "위원회", "politics", reducer=reduced("filter", "위원회명", "교육위원회", True, "name"))
    for query in every(brief(committee, counted(2, "전체회의", TERM))):
        assert re.search(r"제22대 국회에서 (?:교육위원회|그 위원회)의 전체회의", query), query


def test_records_of_one_noun_with_another_have_to_do_with_it() -> None:
    law = step(1, "법령", "law", reducer=reduced("filter", "법령명", "주차장법 시행령", True, "name"))
    word = {**reduced("contains", "법령명", "주차", True, "name")}
    other = step(2, "법령", "law", reducer=word, parent=1, asks=[ask("법령명", "name"), ask("공포일자", "date")])
    for query in every(brief(law, other)):
        assert re.search(r"[과와] 관련된 법령", query) and odd(query) is None, query


def test_a_region_named_whole_needs_no_word_for_the_one_above() -> None:
    above = step(1, "시군", "demographics", reducer=reduced("filter", "이름", "남양주시", True, "name"))
    below = {
        **step(2, "지역별 인구", "demographics", parent=1,
               reducer=reduced("filter", "행정구역명", "경기도 남양주시 호평동", True, "name")),
        "asks": [ask("총인구수", "count", "명")],
    }  # fmt: skip
    for query in every(brief(above, below)):
        assert query.count("남양주시") == 1 and "시군" not in query and "경기도 남양주시 호평동" in query, query


@pytest.mark.parametrize("names", [("종각역", "강남역", "수하동도서관"), ("세종로.시청", "서울역버스환승센터")])
def test_each_of_the_names_set_side_by_side_is_quoted_for_itself(names: tuple[str, ...]) -> None:
    steps: list[Json] = []
    for n, name in enumerate(names):
        stop = step(2 * n + 1, "정류소", "transport", reducer=reduced("filter", "정류소명", name, True, "name"))
        steps += [stop, counted(2 * n + 2, "버스 노선", parent=2 * n + 1)]
    compared = {"steps": [s["id"] for s in steps[1::2]], "kind": "max", "names": list(names)}
    for query in every({**brief(*steps), "comparison": compared}, 6):
        assert all(f"'{name}'" in query for name in names), query
        assert not re.search(r"'[^']*, [^']*'", query.replace("', '", " ")), query


def test_an_extreme_that_is_all_that_is_asked_is_asked_alone() -> None:
    case = brief(
        step(1, "종목", "finance", reducer=reduced("filter", "종목명", "가온소프트", True, "name")),
        step(2, "일별 주식 시세", "finance", parent=1, reducer=reduced("min", "거래량", field="count"),
             asks=[ask("거래량", "count", "주")]),
    )  # fmt: skip
    for query in every(case):
        assert re.search(r"시세 (?:중|가운데|중에서) 가장 적은 거래량", query), query


def test_things_are_ordered_by_their_figures_not_the_figures_by_themselves() -> None:
    ranked = {**reduced("top", "채무비율", field="number"), "k": 3, "unit": "%"}
    case = brief(
        step(1, "지역", "demographics", reducer=reduced("filter", "이름", "전북정읍시", True, "name")),
        step(2, "자치단체 채무비율", "local government", parent=1, reducer=ranked,
             asks=[ask("자치단체", "name"), ask("채무비율", "number", "%")]),
    )  # fmt: skip
    for query in every(case):
        assert re.search(r"자치단체 (?:중|가운데|중에서) 채무비율[이 ]", query) and odd(query) is None, query


def test_a_record_called_like_what_is_asked_of_it() -> None:
    case = brief(
        step(1, "용역 입찰공고", "procurement", reducer=reduced("filter", "공고명", "청사 청소 용역", True, "name")),
        step(2, "용역 기초금액", "procurement", parent=1, reducer=reduced("min", "가용금액", field="amount"),
             asks=[ask("기초금액", "amount", "원"), ask("개찰일", "date")]),
    )  # fmt: skip
    for query in every(case):
        assert "기초금액의 기초금액" not in query and "가용금액이 가장 작은 것" in query, query
