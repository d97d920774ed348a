"""What a field is taken to be: kinds, formats, values, types (C09)."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.specs.compile import CompileReport
from edge.specs.enumerations import enumeration
from edge.specs.kinds import kind_of
from edge.specs.model import EnumValue, Kind, Parameter
from edge.specs.schema import function_schema
from edge.specs.typing import Evidence, infer


@pytest.mark.parametrize(
    ("name", "label", "examples", "kind"),
    [
        ("sidoCd", "시도코드", (), "code"),
        ("ykiho", "암호화된 요양기호", (), "code"),
        ("LAWD_CD", "법정동코드 앞5자리", ("11680",), "code"),
        ("crno", "법인등록번호 13자리", (), "code"),
        ("rcept_no", "접수번호", (), "code"),
        ("stock_code", "상장회사인 경우 주식의 종목코드", (), "code"),
        ("cond[OPN_ATMY_GRP_CD::EQ]", "개방자치단체코드", (), "code"),
        ("사건번호", "", (), "code"),
        ("prdctClsfcNoNm", "품명", (), "name"),
        ("clCdNm", "종별코드명", (), "name"),
        ("BPLC_NM", "사업장명", (), "name"),
        ("query", "병원명(UTF-8 인코딩 필요)", (), "name"),
        ("Q0", "주소(시도)", ("서울특별시",), "name"),
        ("CURR_COMMITTEE", "소관위원회", (), "name"),
        ("iscmp_cpt", "발행회사(자본금)", (), "amount"),
        ("bgd", "청구기간(시작일)", (), "date"),
        ("nt", "발행회사(국적)", (), "unknown"),
        ("DEAL_YMD", "계약년월 YYYYMM", ("202401",), "month"),
        ("startYmd", "시작연월일(YYYYMMDD)", (), "date"),
        ("svyYr", "공시년도", (), "year"),
        ("tmFc", "발표시각 YYYYMMDDHHMM", (), "datetime"),
        ("base_time", "발표시각(필수)", ("0630",), "time"),
        ("inqryBgnDt", "조회시작일시", ("202507010000",), "datetime"),
        ("nx", "예보지점 X 좌표", ("55",), "grid"),
        ("mapx", "", (), "longitude"),
        ("XPos", "x좌표", (), "longitude"),
        ("gpslati", "정류소 Y좌표", ("36.293125",), "latitude"),
        ("WGS84_LON", "병원경도", (), "longitude"),
        ("dmX", "위도", (), "latitude"),
        ("tmX", "TM_X 좌표", ("244148.546388",), "projected_x"),
        ("tmX", "경도", ("127.0276",), "longitude"),
        ("x", "x", ("160710.37729",), "projected_x"),
        ("entY", "출입구 Y(UTM-K)", ("1944580.3",), "projected_y"),
        ("addr", "주소", (), "address"),
        ("cntrctAmt", "계약금액", (), "amount"),
        ("min_de", "발생건수", (), "count"),
        ("pnursCnt", "조산사 인원수", (), "count"),
        ("emyNgtYn", "야간 응급실 운영여부", (), "flag"),
        ("telno", "전화번호", (), "text"),
        ("imageUrl1", "첨부파일명", (), "url"),
        ("ltdtl", "대차거래 내역", (), "unknown"),
        ("bidContent", "내용", (), "text"),
        ("val", "지표값", (), "number"),
    ],
)
def test_kinds(name: str, label: str, examples: tuple[str, ...], kind: str) -> None:
    assert infer(Evidence(name, label, label, examples), output=False).kind == kind


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("01:직접입찰 02:전자입찰", ["01", "02"]),
        ("법인구분 : Y(유가), K(코스닥), N(코넥스), E(기타)", ["Y", "K", "N", "E"]),
        ("1대통령 2국회의원 10교육의원 11교육감", ["1", "2", "10", "11"]),
        ("언어 구분(한글:KO, 영문:EN)", ["KO", "EN"]),
        ("1분기보고서 : 11013 반기보고서 : 11012 사업보고서 : 11011", ["11013", "11012", "11011"]),
        ("사용여부(Y/N)", ["Y", "N"]),
        ("(1.보건(일반인), 2.보건(취약인), 3.산업)", ["1", "2", "3"]),
        ("1 HLS 실시간,2 동영상,3 정지영상", ["1", "2", "3"]),
        ("기본값: 10, 최대값: 300", []),
        ("21년 7월 6일 18시 발표", []),
        ("번(4자리 0채움)", []),
        ("업무구분코드가 1이면 물품, 2면 외자", []),
        ("예: 1: 서울, 2: 부산 등", []),
        ("시도코드", []),
    ],
)
def test_enumerations_in_prose(text: str, codes: list[str]) -> None:
    assert [value.value for value in enumeration(text)] == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("0=전체|1=일부|2=없음", ["0", "1", "2"]),
        ("1：대형，2：소형", ["1", "2"]),
        ("[01] 정기, [02] 임시", ["01", "02"]),
        ("① 일 ② 월", ["1", "2"]),
        ("① 2019년 12월 8일까지 사용됨\n② 2019년 12월 9일부터 추가됨", []),
        ("A-최우수, B-우수", ["A", "B"]),
        ("U 상행 D 하행", ["U", "D"]),
        ("오름차순(asc), 내림차순(desc)\n※ 기본값 : desc", ["asc", "desc"]),
        ("IOS (아이폰), ETC(기타)", ["IOS", "ETC"]),
        ("01 : 서울\n02 : 부산\n", ["01", "02"]),
        ("데이터 형식(XML/JSON)", ["XML", "JSON"]),
        ("Possible values: open, closed or all.", ["open", "closed", "all"]),
        ("Must be one of: asc, desc", ["asc", "desc"]),
        ("공개여부(O/X)", ["O", "X"]),
        ("true/false", ["true", "false"]),
        ("여부(1/0)", ["1", "0"]),
        ("06:30, 18:30", []),
        ("1:1, 2:1 비율", []),
        ("(1:가형 2:나형 3:다형", []),
        ("11:서울, 26:부산 등", []),
        ("- text block : 제목\n- X : 금액\n- (X): 음수\n- Y : 주식", []),
        ("비중(%)(A/B)", []),
    ],
)
def test_more_spellings_of_enumerations(text: str, codes: list[str]) -> None:
    assert [value.value for value in enumeration(text)] == codes


@pytest.mark.parametrize(
    ("text", "examples"),
    [
        ("지역코드 예) 11, 26", ("11", "26")),
        ("ex) 20210101", ("20210101",)),
        ("시도명 (예: 서울)", ("서울",)),
        ("예시 : 서울 또는 부산", ("서울", "부산")),
        ("Country, e.g. KR", ("KR",)),
        ("(11:서울, 26:부산 등)", ("11", "26")),
        ("예를 들어 종로, 강남 등", ("종로", "강남")),
        ("1: 예, 0: 아니오", ()),
        ("((확)확정가격, (예)예정가격)", ()),
        ("ex) 재무상태표 출력", ()),
        ("시도코드", ()),
    ],
)
def test_examples_in_prose_stay_examples(text: str, examples: tuple[str, ...]) -> None:
    typed = infer(Evidence("q", "검색", text), output=False)
    assert typed.examples == examples
    assert not examples or not typed.enum


def test_examples_of_the_document_come_before_those_in_its_prose() -> None:
    assert infer(Evidence("q", "검색", "예) 나", ("가",)), output=False).examples == ("가",)


def test_formats() -> None:
    assert infer(Evidence("corp_code", "고유번호", "공시대상회사의 고유번호(8자리)"), output=False).format == "8"
    assert infer(Evidence("startYmd", "시작연월일"), output=False).format == "%Y%m%d"
    assert infer(Evidence("msurDt", "측정일", "", ("2020-10-01",)), output=True).format == "%Y-%m-%d"
    assert infer(Evidence("routeCode", "노선", "", ("0010",)), output=True).format == "4"


@pytest.mark.parametrize(
    ("prose", "examples", "form"),
    [
        ("12자리 표준코드. 6자리 단축코드를 넣으면 안 된다.", (), "12"),
        ("7자리 의안번호가 아니다.", (), None),
        ("(5자리 행정코드+00, 10자리 아님)", ("1111000",), "7"),
        ("2자리 또는 5자리", (), None),
        ("최대 12자리", (), None),
        ("A+6자리", ("A005930",), None),
        ("a 10-digit code", (), "10"),
    ],
)
def test_digit_counts_of_codes(prose: str, examples: tuple[str, ...], form: str | None) -> None:
    assert infer(Evidence("someCd", "코드", prose, examples), output=False).format == form


@pytest.mark.parametrize(
    ("word", "kind", "form"),
    [
        ("date", "date", "%Y-%m-%d"),
        ("date-time", "datetime", "%Y-%m-%dT%H:%M:%SZ"),
        ("yyyyMMdd", "date", "%Y%m%d"),
        ("uuid", "code", None),
        ("uri", "url", None),
        ("email", "text", None),
        ("int64", "unknown", None),
    ],
)
def test_the_documents_own_format_word(word: str, kind: str, form: str | None) -> None:
    typed = infer(Evidence("thing", "thing", stated_format=word), output=False)
    assert (typed.kind, typed.format) == (kind, form)


def test_prose_says_how_a_stated_date_is_really_written() -> None:
    written = Evidence("regDt", "등록일", "YYYYMMDD", stated_format="date")
    assert infer(written, output=False).format == "%Y%m%d"


@pytest.mark.parametrize(
    ("label", "required"),
    [
        ("발표시각(필수)", True),
        ("시도코드 [필수]", True),
        ("시도코드, 필수값", True),
        ("필수여부: O", True),
        ("시도코드 - 필수", True),
        ("Station id. Required.", False),
        ("(required) Station id", True),
        ("This parameter is required", True),
        ("시도코드(선택)", False),
        ("필수여부: X", False),
        ("필수 아님", False),
        ("optional; required if q is absent", False),
        ("시도코드, 시군구코드 둘 중 하나 필수", False),
        ("개찰완료일 경우 필수 입력 항목임", False),
        ("공시연도(0번 외 필수)", False),
        ("필수 영양소", False),
    ],
)
def test_required_from_prose(label: str, required: bool) -> None:
    assert infer(Evidence("x", label), output=False).required is required


@pytest.mark.parametrize(
    ("name", "label", "private"),
    [
        ("phoneNumber", "Phone number", True),
        ("contact_email", "Contact", True),
        ("first_name", "First name", True),
        ("date_of_birth", "Date of birth", True),
        ("ptntNm", "환자명", True),
        ("rrno", "주민등록번호", True),
        ("email_verified", "Email verified", False),
        ("phone_count", "Number of phones", False),
        ("full_name", "Full name of the repository", False),
        ("hotel", "호텔", False),
        ("hotelno", "호텔번호", False),
        ("MobileOS", "OS 구분", False),
        ("instNm", "기관명", False),
        ("company_name", "Company name", False),
    ],
)
def test_personal_data_but_not_the_names_of_institutions(name: str, label: str, private: bool) -> None:
    assert infer(Evidence(name, label), output=True).private is private


def test_c09_codes_stay_text_whatever_was_declared() -> None:
    assert infer(Evidence("LAWD_CD", "법정동코드", type="integer"), output=False).type == "string"
    assert infer(Evidence("year", "연도", type="number"), output=True).type == "string"
    assert infer(Evidence("bbb", "구분", "0: 전체, 1: 일부", type="integer"), output=False).type == "string"


def test_responses_declared_string_are_numbers_by_kind() -> None:
    assert infer(Evidence("drTotCnt", "의사총수", type="string"), output=True).type == "integer"
    assert infer(Evidence("amt", "금액(원)", type="string"), output=True).unit == "원"
    assert infer(Evidence("radius", "반경", type="string"), output=False).type == "string"


def test_what_is_stated_wins() -> None:
    stated = Evidence(
        "sidoCd", "시도코드 2자리", "1: 서울, 2: 부산 (필수)", type="integer", kind="number", format="x",
        enum=(EnumValue("9", "아홉"),), default="9", required=False, unit="개", private=True,
    )  # fmt: skip
    typed = infer(stated, output=True)
    assert (typed.kind, typed.format, typed.default, typed.required) == ("number", "x", "9", False)
    assert (typed.type, typed.enum, typed.unit, typed.private) == ("integer", (EnumValue("9", "아홉"),), "개", True)


def test_private_and_required_from_prose() -> None:
    assert infer(Evidence("telno", "전화번호"), output=True).private
    assert infer(Evidence("ofclEmail", "담당자 이메일"), output=True).private
    assert not infer(Evidence("yadmNm", "병원명"), output=True).private
    assert infer(Evidence("base_time", "발표시각(필수)"), output=False).required


anything = st.text(max_size=60)
korean = st.text(alphabet="가나코드명수일자원(: )123,YN/%abc\n[]_:", max_size=60)


@given(anything | korean, anything | korean, anything | korean, st.lists(anything | korean, max_size=3), st.booleans())
def test_typing_never_raises(name: str, label: str, text: str, examples: list[str], output: bool) -> None:
    typed = infer(Evidence(name, label, text, tuple(examples)), output=output)
    codes = [value.value for value in typed.enum]
    assert len(codes) == len(set(codes))
    assert typed.kind == infer(Evidence(name, label, text, tuple(examples)), output=output).kind
    kind_of(name, label, tuple(examples))


marks = st.sampled_from(list("-/.: TZ년월일시()%~"))
tokens = st.sampled_from(["YYYY", "YY", "yyyy", "MM", "mm", "DD", "HH24", "HH", "hh", "MI", "SS", ".SSS", "'T'"])
remarks = st.sampled_from(
    ["8자리", "6자리", "14자리", "ISO 8601", "RFC 3339 time", "예) 20240709", "예) 0930", "ex) 2024-07", "년월일시분"]
)
spellings = st.lists(marks | tokens | tokens | remarks, max_size=12).map("".join)


@given(
    spellings, st.sampled_from(["regDt", "startTm", "stdrYm", "year", "x"]), st.sampled_from(["일자", "시각", "값", ""])
)
def test_date_patterns_are_written_and_read_alike(text: str, name: str, label: str) -> None:
    form = infer(Evidence(name, label, text), output=False).format
    if form and "%" in form:
        written = datetime(2024, 7, 9, 13, 45, 56).strftime(form)
        assert datetime.strptime(written, form).strftime(form) == written


@pytest.mark.parametrize(
    ("kind", "form", "said"),
    [
        ("date", "%Y%m%d", "값. 형식 YYYYMMDD"),
        ("datetime", "%Y-%m-%dT%H:%M:%SZ", "값. 형식 YYYY-MM-DDTHH:MM:SSZ"),
        ("code", "8", "값. 형식 8자리"),
        ("name", "province", "값. 시도 이름"),
        ("projected_x", "EPSG:5179", "값. 좌표계 EPSG:5179"),
        ("number", "epoch_ms", "값. 1970년부터 센 밀리초"),
        ("code", "x", "값"),
    ],
)
def test_models_are_told_how_a_value_is_written(bundled: CompileReport, kind: Kind, form: str, said: str) -> None:
    tool = replace(bundled.tools[0], parameters=(Parameter("q", "값", kind=kind, format=form),))
    schema = function_schema(tool)["function"]
    assert isinstance(schema, dict)
    assert schema["parameters"]["properties"]["q"]["description"] == said


@pytest.mark.parametrize(
    "piece", ["1가 2나 ", "가 가가 ", "1: 가 ", "(", "[01]가", "one of ", "a[a", "yyyy", "가(asc", " "]
)
def test_endless_texts_cost_little(piece: str) -> None:
    long = piece * 20_000
    start = time.process_time()
    infer(Evidence(long, long, f"{long}.{long}", (long,)), output=False)
    assert time.process_time() - start < 1
