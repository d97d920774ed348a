"""Briefs of every plan shape, with the labels of the bundled platforms."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def given(label: str, text: str, kind: str = "name", phrase: str | None = None) -> Json:
    return {"name": "p", "label": label, "kind": kind, "text": text, "phrase": phrase}


def ask(label: str, kind: str = "text", unit: str | None = None) -> Json:
    return {"label": label, "unit": unit, "kind": kind}


def reduced(
    kind: str, label: str | None = None, text: str | None = None, names: bool = False, field: str | None = None
) -> Json:
    return {"kind": kind, "label": label, "text": text, "names_record": names, "field_kind": field}


def step(
    number: int,
    noun: str,
    domain: str,
    *inputs: Json,
    reducer: Json,
    asks: list[Json] | None = None,
    parent: int | None = None,
    junction: str | None = None,
    title: str = "",
) -> Json:
    return {
        "id": f"s{number}",
        "title": title or f"{noun} 조회",
        "noun": noun,
        "domain": domain,
        "parent": f"s{parent}" if parent else None,
        "junction": junction or ("SEQ" if parent else None),
        "inputs": list(inputs),
        "reducer": reducer,
        "asks": asks or [],
    }


def brief(*steps: Json, style: str = "polite", seed: int = 0, persona: str = "") -> Json:
    return {
        "today": "2026-06-15",
        "language": "ko",
        "style": style,
        "persona": persona,
        "seed": seed,
        "steps": list(steps),
    }


def _region(name: str) -> Json:
    return step(
        1,
        "지역",
        "demographics",
        given("지역주소명", name, phrase="{v}"),
        reducer=reduced("filter", "지역주소명", name, True, "name"),
    )


def _company(name: str) -> Json:
    return step(1, "회사", "finance", reducer=reduced("filter", "정식명칭", name, True, "name"))


def _school(name: str) -> Json:
    return step(
        1,
        "학교",
        "education",
        given("학교명", name, phrase="이름이 '{v}'인"),
        reducer=reduced("filter", "학교명", name, True, "name"),
    )


_MONTH = given("계약년월", "2026년 5월", "month", "{v}에 신고된")
_DAY = given("급식일자", "2026년 6월 16일", "date", "{v}")

BRIEFS: dict[str, Json] = {
    "region_trades_max": brief(
        _region("서울특별시 강남구"),
        step(
            2,
            "아파트 매매 거래",
            "real estate",
            _MONTH,
            reducer=reduced("max", "거래금액", field="amount"),
            parent=1,
            junction="DRV",
            asks=[ask("아파트명", "name"), ask("거래금액", "amount", "만원")],
        ),
    ),
    "region_trades_count": brief(
        _region("경기도 성남시 분당구"),
        step(2, "오피스텔 전월세 거래", "real estate", _MONTH, reducer=reduced("count"), parent=1, junction="DRV"),
    ),
    "company_dividend": brief(
        _company("한빛전자"),
        step(
            2,
            "배당 항목",
            "finance",
            given("사업연도", "2025년", "year", "{v}"),
            given("보고서 종류", "사업보고서", "code", "{v} 기준"),
            reducer=reduced("filter", "구분", "주당 현금배당금(원)", False, "name"),
            parent=1,
            asks=[ask("당기", "amount", "원")],
        ),
    ),
    "company_profile": brief(
        _company("가온바이오"),
        step(
            2,
            "기업 개황",
            "finance",
            reducer=reduced("only"),
            parent=1,
            asks=[ask("대표자명", "name"), ask("설립일", "date")],
        ),
    ),
    "company_disclosure_then_parties": brief(
        _company("누리홀딩스"),
        step(
            2,
            "공시",
            "finance",
            given("시작일", "2026년 5월 1일", "date", "{v}부터 접수된"),
            given("종료일", "2026년 5월 31일", "date", "{v}까지 접수된"),
            reducer=reduced("latest", "접수일자", field="date"),
            parent=1,
            junction="DRV",
            asks=[ask("보고서명", "name"), ask("접수일자", "date")],
        ),
    ),
    "station_air": brief(
        step(
            1,
            "대기질 측정소",
            "air quality",
            given("주소", "서울 종로구", phrase="{v}에 있는"),
            reducer=reduced("filter", "측정소명", "종로구", True, "name"),
        ),
        step(
            2,
            "시간별 측정값",
            "air quality",
            given("데이터 기간", "하루", "code", "최근 {v} 동안의"),
            reducer=reduced("latest", "측정일시", field="datetime"),
            parent=1,
            junction="DRV",
            asks=[ask("미세먼지(PM10) 농도", "number", "㎍/㎥"), ask("초미세먼지(PM2.5) 농도", "number", "㎍/㎥")],
        ),
    ),
    "hospitals_departments_fan": brief(
        step(
            1,
            "병원",
            "healthcare",
            given("시군구", "서울특별시 강남구", phrase="{v}에 있는"),
            given("종별코드", "상급종합병원", "code"),
            reducer=reduced("all"),
        ),
        step(
            2,
            "진료과목",
            "healthcare",
            reducer=reduced("all"),
            parent=1,
            junction="FAN",
            asks=[ask("진료과목명", "name"), ask("전문의수", "count", "명")],
        ),
    ),
    "hospitals_beds_fan_max": brief(
        step(
            1,
            "병원",
            "healthcare",
            given("병원명", "한빛", phrase="이름에 '{v}'{josa:이가} 들어가는"),
            reducer=reduced("all"),
        ),
        step(
            2,
            "세부 정보",
            "healthcare",
            reducer=reduced("only"),
            parent=1,
            junction="FAN",
            asks=[ask("일반입원실 병상수", "count", "개")],
        ),
    ),
    "school_meal": brief(
        _school("가락고등학교"),
        step(
            2,
            "급식",
            "education",
            _DAY,
            reducer=reduced("filter", "식사명", "중식", False, "name"),
            parent=1,
            asks=[ask("요리명", "text"), ask("칼로리정보", "text")],
        ),
    ),
    "school_meal_timetable_sem": brief(
        _school("한빛중학교"),
        step(
            2,
            "급식",
            "education",
            _DAY,
            reducer=reduced("only"),
            parent=1,
            junction="SEM",
            asks=[ask("요리명", "text")],
        ),
        step(
            3,
            "시간표",
            "education",
            given("시간표일자", "2026년 6월 16일", "date", "{v}"),
            given("학년", "1학년", "number", "{v}"),
            given("반", "2반", "text", "{v}"),
            reducer=reduced("all"),
            parent=1,
            junction="SEM",
            asks=[ask("수업내용", "text")],
        ),
    ),
    "bill_proposers": brief(
        step(
            1,
            "의안",
            "politics",
            given("대수", "제22대", "number", "{v} 국회"),
            given("의안명", "개인정보 보호법", phrase="이름에 '{v}'{josa:이가} 들어가는"),
            reducer=reduced("latest", "제안일자", field="date"),
        ),
        step(2, "발의자", "politics", reducer=reduced("count"), parent=1, junction="DRV"),
    ),
    "law_article": brief(
        step(
            1,
            "법령",
            "law",
            given("검색어", "개인정보 보호", "text", "'{v}'{josa:이가} 들어간"),
            reducer=reduced("filter", "법령명한글", "개인정보 보호법", True, "name"),
        ),
        step(
            2,
            "조문",
            "law",
            reducer=reduced("filter", "조문번호", "15", False, "number"),
            parent=1,
            asks=[ask("조문제목", "text"), ask("조문내용", "text")],
        ),
    ),
    "route_stops": brief(
        step(1, "도시", "transport", reducer=reduced("filter", "도시명", "세종특별시", True, "name")),
        step(
            2,
            "버스 노선",
            "transport",
            given("노선번호", "991", "text", "{v}번"),
            reducer=reduced("filter", "노선번호", "991", True, "text"),
            parent=1,
        ),
        step(
            3,
            "경유 정류소",
            "transport",
            reducer=reduced("max", "정류소순번", field="number"),
            parent=2,
            junction="DRV",
            asks=[ask("정류소명", "name")],
        ),
    ),
    "four_steps_place": brief(
        step(
            1,
            "주소",
            "geocoding",
            given("주소", "성남시 분당구 정자일로 95", "address", "{v}"),
            reducer=reduced("only"),
        ),
        step(2, "주변 정류소", "transport", reducer=reduced("nearest"), parent=1),
        step(3, "버스 노선", "transport", reducer=reduced("all"), parent=2),
        step(4, "경유 정류소", "transport", reducer=reduced("count"), parent=3, junction="FAN"),
    ),
    "five_steps": brief(
        _region("부산광역시 해운대구"),
        step(
            2, "아파트 단지", "real estate", reducer=reduced("max", "세대수", field="count"), parent=1, junction="DRV"
        ),
        step(
            3,
            "단지 기본정보",
            "real estate",
            reducer=reduced("only"),
            parent=2,
            asks=[ask("난방방식", "text"), ask("사용승인일", "date")],
        ),
        step(
            4,
            "관리비",
            "real estate",
            given("발생년월", "2026년 4월", "month", "{v}"),
            reducer=reduced("only"),
            parent=2,
            junction="SEM",
            asks=[ask("청소비", "amount", "원")],
        ),
    ),
    "stock_compare_cmp": brief(
        _company("한빛전자"),
        {**_company("누리홀딩스"), "id": "s2"},
        step(
            3,
            "직원 현황",
            "finance",
            given("사업연도", "2025년", "year", "{v}"),
            reducer=reduced("only"),
            parent=1,
            junction="CMP",
            asks=[ask("1인평균 급여액", "amount", "원")],
        ),
        step(
            4,
            "직원 현황",
            "finance",
            given("사업연도", "2025년", "year", "{v}"),
            reducer=reduced("only"),
            parent=2,
            junction="CMP",
            asks=[ask("1인평균 급여액", "amount", "원")],
        ),
    ),
    "province_air_worst_then_history": brief(
        step(
            1,
            "측정소 실시간 측정값",
            "air quality",
            given("시도명", "서울", "code", "{v} 지역"),
            reducer=reduced("max", "미세먼지(PM10) 농도", field="number"),
            asks=[ask("측정소명", "name")],
        ),
        step(
            2,
            "하루 평균 농도",
            "air quality",
            given("시작일", "2026년 6월 1일", "date", "{v}부터"),
            given("종료일", "2026년 6월 7일", "date", "{v}까지"),
            reducer=reduced("max", "오존 평균농도", field="number"),
            parent=1,
            junction="DRV",
            asks=[ask("측정일", "date"), ask("오존 평균농도", "number", "ppm")],
        ),
    ),
    "committee_bills_oldest": brief(
        step(1, "위원회", "politics", reducer=reduced("filter", "위원회명", "교육위원회", True, "name")),
        step(
            2,
            "계류 의안",
            "politics",
            reducer=reduced("earliest", "제안일자", field="date"),
            parent=1,
            junction="DRV",
            asks=[ask("의안명", "name"), ask("제안자", "name")],
        ),
    ),
    "single_holiday": brief(
        step(
            1,
            "공휴일",
            "special days/holidays",
            given("연월", "2026년 10월", "month", "{v}"),
            reducer=reduced("all"),
            asks=[ask("공휴일명", "name"), ask("날짜", "date")],
        ),
    ),
    "bids_largest": brief(
        step(
            1,
            "입찰 공고",
            "procurement",
            given("공고 시작일", "2026년 6월 1일", "date", "{v}부터 게시된"),
            given("공고 종료일", "2026년 6월 7일", "date", "{v}까지 게시된"),
            given("공고명", "통학로", phrase="이름에 '{v}'{josa:이가} 들어가는"),
            reducer=reduced("max", "추정가격", field="amount"),
        ),
        step(
            2,
            "개찰 결과",
            "procurement",
            reducer=reduced("only"),
            parent=1,
            asks=[ask("낙찰업체명", "name"), ask("최종낙찰금액", "amount", "원")],
        ),
    ),
}
