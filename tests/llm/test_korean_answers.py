"""Answers with several records: each line says which record it is of, names stand together, nothing twice."""

from __future__ import annotations

from typing import Any

from brief_examples import Json, ask, brief, given, reduced, step

from edge.llm.offline.brief import read_brief
from edge.llm.offline.ko.answer import write_answer
from edge.llm.offline.ko.frames import STYLES

REGION = step(1, "지역", "demographics", reducer=reduced("filter", "이름", "부산광역시", True, "name"))


def told(case: Json, facts: list[Json], style: str = "formal") -> str:
    return write_answer(read_brief({**case, "style": style, "facts": facts}))


def fact(number: int, label: str, text: str, entity: str | None = None, kind: str = "name", **more: Any) -> Json:
    return {"step": f"s{number}", "entity": entity, "label": label, "text": text, "value": text, "kind": kind, **more}


LIBRARIES = step(2, "도서관", "culture", reducer=reduced("all"), parent=1,
                 asks=[ask("도서관명", "name"), ask("열람좌석 수", "count", "석")])  # fmt: skip
STATIONS = step(3, "기차역", "transport", reducer=reduced("all"), parent=1, asks=[ask("역명", "name")])
NEWEST = step(
    4, "유기동물", "public safety", reducer=reduced("latest", "공고일", field="date"), parent=1, asks=[ask("품종")]
)
SEATS = [fact(2, "도서관명", "거제도서관"), fact(2, "열람좌석 수", "313", kind="count", unit="석"),
         fact(2, "도서관명", "해운대도서관"), fact(2, "열람좌석 수", "140", kind="count", unit="석")]  # fmt: skip


def test_a_name_stands_for_its_record_and_names_alone_stand_together() -> None:
    case = brief(REGION, LIBRARIES, STATIONS)
    lines = told(case, [*SEATS, fact(3, "역명", "부산"), fact(3, "역명", "구포")]).splitlines()
    assert lines[1:] == [
        "- 도서관 2곳",
        "  - 거제도서관: 열람좌석 수 313석",
        "  - 해운대도서관: 열람좌석 수 140석",
        "- 기차역 2곳: 부산, 구포",
    ]


def test_the_only_record_of_a_step_is_called_by_what_it_is() -> None:
    case = brief(REGION, LIBRARIES, NEWEST)
    lines = told(case, [*SEATS, fact(4, "품종", "한국 고양이", kind="text")]).splitlines()
    assert lines[-1] == "- 가장 최근에 공고된 유기동물: 품종 한국 고양이"
    assert all(line.startswith(("- ", "  - ")) for line in lines[1:])


def test_lines_that_read_alike_are_said_once_with_their_number() -> None:
    reports = step(2, "회계감사보고서", "real estate", reducer=reduced("contains", "단지명", "우성빌", True, "name"),
                   parent=1, asks=[ask("도로명주소", "address")])  # fmt: skip
    facts = [fact(2, "도로명주소", "부곡로 257", "부곡우성빌", "address") for _ in range(3)]
    answer = told(brief(REGION, reports), facts)
    assert answer.count("부곡로 257") == 1 and "(3건 모두 같음)" in answer


def test_long_texts_stand_under_the_name_of_their_record() -> None:
    ruling = step(2, "법령해석례", "law", reducer=reduced("only"), parent=1, asks=[ask("질의요지"), ask("회답")])
    facts = [
        fact(2, label, f"{label}의 내용은 다음과 같다.", "시정명령의 범위", "text") for label in ("질의요지", "회답")
    ]
    lines = told(brief(REGION, ruling), facts).splitlines()
    assert lines[1:] == [
        "- 시정명령의 범위",
        "  - 질의요지: 질의요지의 내용은 다음과 같다.",
        "  - 회답: 회답의 내용은 다음과 같다.",
    ]


def test_what_hangs_on_a_condition_comes_last_behind_its_reason() -> None:
    when = {"step": "s3", "label": None, "operator": ">=", "value": "2", "text": "2", "truth": True}
    under = {**LIBRARIES, "when": when}
    case = brief(REGION, under, {**STATIONS, "reducer": reduced("count"), "asks": []}, NEWEST)
    lines = told(case, [*SEATS, fact(4, "품종", "한국 고양이", kind="text")]).splitlines()
    assert lines[1] == "- 가장 최근에 공고된 유기동물: 품종 한국 고양이"
    assert lines[2] == "기차역이 2곳 이상이어서 다음 내용을 확인했습니다."
    assert lines[3:] == ["- 도서관 2곳", "  - 거제도서관: 열람좌석 수 313석", "  - 해운대도서관: 열람좌석 수 140석"]


def test_what_lies_around_something_is_not_its_own() -> None:
    radius = given("반경", "500", "number", "반경 {v}미터 안의")
    count = [fact(2, "상가업소", "6", "수정도서관", "count")]
    near = {**step(2, "상가업소", "commerce", reducer=reduced("count"), parent=1), "beside": True}
    assert told(brief(REGION, near), count) == "수정도서관 주변 상가업소는 모두 6곳입니다."
    assert told(brief(REGION, {**near, "inputs": [radius]}), count).startswith(
        "수정도서관 반경 500미터 안의 상가업소는"
    )


def test_every_fact_is_there_in_every_style() -> None:
    case = brief(REGION, LIBRARIES, STATIONS, NEWEST)
    facts = [*SEATS, fact(3, "역명", "부산"), fact(3, "역명", "구포"), fact(4, "품종", "한국 고양이", kind="text")]
    for style in STYLES:
        answer = told(case, facts, style)
        assert all(one["text"] in answer for one in facts), answer
