"""What no Korean would write is found, and what one would is not; nouns that are counted, labels that are asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.llm.offline.ko.labels import summed
from edge.llm.offline.ko.particles import attach
from edge.llm.offline.ko.soundness import askworthy, countable, odd

HANGUL = st.text(alphabet=st.characters(min_codepoint=ord("가"), max_codepoint=ord("힣")), min_size=2, max_size=8)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("교육 업종 소분류 중 업종 소분류를 알려 주세요.", "twice"),
        ("그 법령의 법령 중 이름에 '신에너지'가 들어가는 법령의 이름이 궁금해요.", "twice"),
        ("가용금액이 가장 작은 기초금액의 기초금액을 알려 줘.", "twice"),
        ("의원 이력의 의원 이력과 활동기간이 궁금해요.", "twice"),
        ("각 학교마다 각 학급의 학년 확인 바람.", "twice"),
        ("검색어를 말씀해 주시면 바로 찾아볼게요.", "technical"),
        ("그 계약의 조회구분이 입찰공고번호인 참가 가능 지역을 알려 줘.", "technical"),
        ("그 시군의 지역별 인구가 모두 몇 건인지 알려 줘.", "uncountable"),
        ("그 통계의 병력별 통계 건수 확인 바람.", "uncountable"),
        ("경기하남시를 먼저 찾고 [조회 요청]\n1. 채무액", "broken"),
        ("전파법 개정안을 찾고 있어요. 아래 내용을 찾고 있어요.", "broken"),
        ("- 의 추정가격이 6,000만 원 이상이면", "broken"),
        ("값를 알려 주세요.", "particle"),
        ("두 회사의 직원 수 합계 합계를 비교해 주세요.", "twice"),
        ("강남역와 서울역을 비교해 주세요.", "particle"),
        ("그 아파트의 지상층수을 알려 줘.", "particle"),
    ],
)
def test_what_nobody_writes(text: str, kind: str) -> None:
    found = odd(text)
    assert found is not None and found.startswith(kind), found


@pytest.mark.parametrize(
    "text",
    [
        "강남구에서 신고된 거래 중 거래금액이 가장 큰 거래의 단지명을 알려 주세요.",
        "'법령 중 법령'의 소관 부처가 궁금해요.",  # somebody's name
        "가온병원의 병상수와 한빛병원의 병상수를 비교해 주세요.",
        "그 지역의 인구가 3,000명 이상이면 세대수를 알려 줘.",
        "마을과 노을공원, 효과와 결과를 알려 주세요.",
        "수영한옥마을 근처 약국과 구미시을 선거구의 의원을 가을 기준으로 알려 주세요.",
        "버스 노선 중 길이가 가장 긴 노선을 찾고 있어요. 그 노선의 배차간격을 알려 주세요.",
        "총 인구 수와 재학생 수를 알려 주세요.",
    ],
)
def test_what_people_do_write(text: str) -> None:
    assert odd(text) is None


@given(HANGUL, st.sampled_from(["을를", "과와", "은는", "이가", "으로로"]))
def test_right_particles_are_never_odd(word: str, pair: str) -> None:
    found = odd(f"자료에서 {attach(word, pair)} 알려 주세요.")
    assert found is None or not found.startswith("particle")


@given(HANGUL)
def test_a_wrong_particle_is_found(word: str) -> None:
    wrong = {"을": "", "를": "을"}[attach(word, "을를")[-1]] or "를"
    found = odd(f"자료에서 {word}{wrong} 알려 주세요.")
    assert (wrong == "을" and word[-1] in "가겨고노마구시") or found is not None  # 마을 and 가을 are words


def test_things_are_counted_and_figures_are_not() -> None:
    things = ("아파트 매매 거래", "병원", "위임 사항", "계류 법안", "버스 노선", "건물", "유기동물", "구급활동")
    figures = (
        *("지역별 인구", "병력별 통계", "분야별 세출", "일별 주식 시세", "배당 순위", "행정구역", "간호등급"),
        *("교통편", "읍면동 기준좌표", "대학 휴학생 수", "측정소 실시간 측정값"),
    )
    assert [noun for noun in things if not countable(noun)] == []
    assert [noun for noun in figures if countable(noun)] == []


def test_people_ask_for_some_labels_only() -> None:
    asked = ("거래금액", "단지명", "사용승인일", "전문의 수", "도로명주소", "공고일시", "접수일자", "공포일자")
    dull = (
        *("비고 1", "지번 본번", "구역 구분", "최하위 지역명", "등록일시", "기준일자", "회계 구분 2 세출"),
        *("분류축명", "오늘 시작시간", "지역 전체 이름", "데이터기준일자"),
    )
    assert [label for label in asked if not askworthy(label)] == []
    assert [label for label in dull if askworthy(label)] == []


def test_a_sum_is_called_one_once() -> None:
    assert summed("이송환자 수") == "이송환자 수 합계"
    assert [summed(label) for label in ("직원 수 합계", "총계")] == ["직원 수 합계", "총계"]
