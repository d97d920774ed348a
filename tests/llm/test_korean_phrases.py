"""How requests in Korean name things: no noun said twice, no figures between the reader and the thing, few 의."""

from __future__ import annotations

import re
from typing import Any

import pytest
from brief_examples import Json, ask, brief, given, reduced, step

from edge.llm.offline.brief import read_brief
from edge.llm.offline.ko.frames import STYLES
from edge.llm.offline.ko.reading import clumsiness
from edge.llm.offline.ko.request import compose


def every(case: Json, seeds: int = 12) -> list[str]:
    return [
        compose(read_brief({**case, "style": style, "seed": seed})).query for style in STYLES for seed in range(seeds)
    ]


def named(noun: str, name: str, number: int = 1, *inputs: Json, **more: Any) -> Json:
    pick = reduced("filter", "이름", name, True, "name")
    return {**step(number, noun, "demographics", *inputs, reducer=pick), **more}


YEAR = given("회계연도", "2024년", "year", "{v} 회계연도")

# noun of the look-up, its name, then the request must have the one and may not have the other
CASES: dict[str, tuple[Json, str, str]] = {
    "figures are called by what they are about": (
        brief(
            named("자치단체 채무비율", "경기안양시", 1, YEAR),
            step(2, "재원별 세입", "demographics", YEAR, reducer=reduced("count"), parent=1),
        ),
        r"경기안양시의 (?:작년|재작년)?\(?2024년\)? 재원별 세입|그 지역의 .*2024년\)? 재원별 세입",
        "채무비율|회계연도",
    ),
    "an address lies in a district": (
        brief(
            step(1, "주소", "demographics", given("주소", "테헤란로 152", "address", "{v}"), reducer=reduced("only")),
            {
                **step(2, "아파트 매매 거래", "real estate", reducer=reduced("count"), parent=1),
                "via": "시군구",
            },
        ),
        r"(?:테헤란로 152가|그 주소가) 속한 시군구",
        "152의 시군구",
    ),
    "a label does not say the noun again": (
        brief(
            named("지역", "서울특별시"),
            step(
                2,
                "시설물",
                "public safety",
                reducer=reduced("max", "높이", None, False, "number"),
                parent=1,
                asks=[ask("시설물명", "name"), ask("시설물 주소", "address")],
            ),
        ),
        r"이름과 주소",
        "시설물명|시설물 주소",
    ),
    "what is asked is the thing itself": (
        brief(
            named("업종 대분류", "교육"),
            step(2, "업종 소분류", "culture", reducer=reduced("all"), parent=1, asks=[ask("업종 소분류", "name")]),
        ),
        r"업종 소분류",
        "업종 소분류의 업종 소분류",
    ),
    "the largest value needs no second value": (
        brief(
            named("통계표", "경기종합지수"),
            step(2, "통계값", "finance", reducer=reduced("max", "값"), parent=1, asks=[ask("시점", "text")]),
        ),
        r"가장 (?:큰|높은) 통계값",
        "값이 가장",
    ),
    "a period is said from its beginning": (
        brief(
            step(
                1,
                "공사",
                "procurement",
                given("종료일", "2026년 6월 14일", "date", "{v}까지"),
                given("시작일", "2026년 6월 1일", "date", "{v}부터"),
                reducer=reduced("max", "공사금액", None, False, "amount"),
                asks=[ask("업체명", "name")],
            )
        ),
        r"2026년 6월 1일부터 2026년 6월 14일까지",
        "까지 2026년 6월 1일부터",
    ),
    "figures of a region are asked of the region": (
        brief(
            named("지역", "서울특별시"),
            {
                **named("지역 성·연령 인구", "개봉동", 2, given("통계월", "2026년 4월", "month", "{v}")),
                "parent": "s1",
                "asks": [ask("20대 남자 인구", "count", "명")],
            },
        ),
        r"(?:서울특별시|그 지역) 개봉동의 2026년 4월 20대 남자 인구",
        "성·연령",
    ),
    "what a record leads to is not lost with the noun": (
        brief(
            step(1, "주소", "demographics", given("주소", "테헤란로 152", "address", "{v}"), reducer=reduced("only")),
            {
                **step(2, "지역 인구 현황", "demographics", reducer=reduced("only"), parent=1),
                "asks": [ask("세대수", "count")],
                "via": "행정구역",
            },
        ),
        r"속한 행정구역.* 세대수",
        "현황",
    ),
    "a count is of what meets its condition": (
        brief(
            named("지역", "부산광역시"),
            step(
                2,
                "지역 인구 현황",
                "demographics",
                reducer={**reduced("count"), "within": reduced("at_least", "세대수", "6,000", False, "count")},
                parent=1,
            ),
        ),
        r"세대수가 6,000 이상인 지역.* 몇 곳",
        "몇 건",
    ),
    "yes or no is asked as such": (
        brief(
            named("주차장", "해운대환승주차장"),
            step(2, "주차장 상세", "transport", reducer=reduced("only"), parent=1, asks=[ask("주차료 무료", "flag")]),
        ),
        r"주차료 무료 여부",
        "무료는",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_people_say_it_so(name: str) -> None:
    case, wanted, unwanted = CASES[name]
    for query in every(case):
        assert re.search(wanted, query), query
        assert not re.search(unwanted, query), query


def test_each_of_two_quoted_names_has_its_own_quotes() -> None:
    phrase = "제목에 '{v}'{josa:이가} 들어가는"
    titled = [
        step(n, "도서", "culture", given("제목", name, "name", phrase), reducer=reduced("count"))
        for n, name in ((1, "요리 이야기"), (2, "예술의 온도"))
    ]
    compared = {"steps": ["s1", "s2"], "kind": "max", "names": ["요리 이야기", "예술의 온도"]}
    for query in every({**brief(*titled), "comparison": compared}):
        assert "제목에 '요리 이야기'와 '예술의 온도'가 들어가는 도서" in query, query


def test_heavy_sentences_cost_more() -> None:
    light = "강남구에서 신고된 거래의 거래금액을 알려 주세요."
    chained = "강남구의 거래의 단지의 주소의 법정동을 알려 주세요."
    echoed = "자료가 필요. 강남구 거래 확인 필요."
    assert clumsiness(light, ["거래"]) == 0 < clumsiness(chained, ["거래"])
    assert clumsiness(echoed, []) > 0
    assert clumsiness(light + " " + light, ["거래"]) > clumsiness(light, ["거래"])


def test_the_same_date_is_near_only_with_the_date_itself() -> None:
    case = brief(
        named("지역", "서울특별시"),
        step(2, "거래", "real estate", given("계약월", "2026년 5월", "month", "{v}에 신고된"), reducer=reduced("count"),
             parent=1),
    )  # fmt: skip
    queries = every(case, 40)
    near = [q for q in queries if "지난달" in q]
    assert near and len(near) < len(queries)
    assert all("지난달(2026년 5월)" in q for q in near)
    stated = [q for q in queries if "2026년 6월 15일" in q]
    assert stated and all("지난달(2026년 5월)" in q for q in stated)
