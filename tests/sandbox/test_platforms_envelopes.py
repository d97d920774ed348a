"""Every platform answers, finds nothing, refuses and pages in its own way."""

import io
import zipfile
from xml.etree import ElementTree

import pytest
from platform_client import DEMO_KEY, call, fetch

# operation, parameters that answer, parameters that find nothing, a required one, and the codes of each outcome.
CASES = {
    "dart.company": ({"corp_code": "known"}, {"corp_code": "00000001"}, "corp_code", ("000", "013", "100", "010")),
    "neis.mealServiceDietInfo": (
        {"ATPT_OFCDC_SC_CODE": "B10", "SD_SCHUL_CODE": "known"},
        {"ATPT_OFCDC_SC_CODE": "서울특별시", "SD_SCHUL_CODE": "known"},
        "ATPT_OFCDC_SC_CODE",
        ("INFO-000", "INFO-200", "ERROR-300", "ERROR-290"),
    ),
    "assembly.nzmimeepazxkubdpn": (
        {"AGE": 22},
        {"AGE": "제22대"},
        "AGE",
        ("INFO-000", "INFO-200", "ERROR-300", "ERROR-290"),
    ),
    "seoul.CardSubwayStatsNew": (
        {"USE_YMD": "20260610"},
        {"USE_YMD": "20260614"},
        "USE_YMD",
        ("INFO-000", "INFO-200", "ERROR-300", "INFO-100"),
    ),
    "seoulsubway.realtimeStationArrival": (
        {"statnNm": "강남"},
        {"statnNm": "강남역"},
        "statnNm",
        ("INFO-000", "INFO-200", "ERROR-300", "INFO-100"),
    ),
    "topis.getRouteInfo": ({"busRouteId": "100100073"}, {"busRouteId": "472"}, "busRouteId", ("0", "4", "3", "7")),
    "ecos.StatisticItemList": (
        {"STAT_CODE": "722Y001"},
        {"STAT_CODE": "기준금리"},
        "STAT_CODE",
        ("INFO-000", "INFO-200", "ERROR-100", "INFO-100"),
    ),
    "nec.getWinnerInfoInqire": (
        {"sgId": "20240410", "sgTypecode": 2},
        {"sgId": "20200415", "sgTypecode": 2},
        "sgTypecode",
        ("INFO-00", "INFO-03", "11", "not json"),
    ),
}


def _known(name: str) -> str:
    if name.startswith("dart"):
        return call("dart.list", corp_cls="Y").rows[0]["corp_code"]
    return call("neis.schoolInfo", ATPT_OFCDC_SC_CODE="B10").rows[0]["SD_SCHUL_CODE"]


def _filled(name: str, params: dict[str, object]) -> dict[str, object]:
    return {key: _known(name) if value == "known" else value for key, value in params.items()}


@pytest.mark.parametrize("name", CASES)
def test_each_outcome_has_the_platforms_own_code(name: str) -> None:
    good, empty, required, codes = CASES[name]
    good, empty = _filled(name, dict(good)), _filled(name, dict(empty))
    without = {key: value for key, value in good.items() if key != required}
    answers = [call(name, **good), call(name, **empty), call(name, **without), call(name, key="wrong", **good)]
    assert [answer.code for answer in answers] == list(codes)
    assert [bool(answer.rows) for answer in answers] == [True, False, False, False]
    assert {answer.raw.status_code for answer in answers} == {200}


@pytest.mark.parametrize("name", CASES)
def test_xml_is_the_default_format_and_well_formed(name: str) -> None:
    good = _filled(name, dict(CASES[name][0]))
    answer = call(name, json_format=False, **good)
    assert "xml" in answer.raw.headers["content-type"]
    assert len(list(ElementTree.fromstring(answer.raw.content).iter())) > 5


def test_the_registry_is_a_zip_and_its_failure_is_xml() -> None:
    good = fetch("opendart.fss.or.kr", "/api/corpCode.xml", crtfc_key=DEMO_KEY)
    with zipfile.ZipFile(io.BytesIO(good.content)) as archive:
        assert archive.namelist() == ["CORPCODE.xml"]
        corps = ElementTree.fromstring(archive.read("CORPCODE.xml")).findall("list")
    assert 109_000 < len(corps) <= 110_000
    listed = [corp for corp in corps if (corp.findtext("stock_code") or "").strip()]
    assert 250 <= len(listed) <= 350
    bad = fetch("opendart.fss.or.kr", "/api/corpCode.xml", crtfc_key="wrong")
    assert ElementTree.fromstring(bad.content).findtext("status") == "010"


def test_a_filing_search_is_limited() -> None:
    assert call("dart.list", bgn_de="20250101", end_de="20260101").code == "100"
    page = call("dart.list", page_count=500)
    assert page.body["page_count"] == 100
    assert len(page.rows) == 100
    assert page.body["total_page"] == -(-page.total // 100)
    second = call("dart.list", page_count=100, page_no=2)
    assert not {row["rcept_no"] for row in page.rows} & {row["rcept_no"] for row in second.rows}


def test_law_lists_change_shape_with_their_size() -> None:
    many = call("law.search", query="소득세법", display=5)
    one = call("law.search", query="소득세법 시행령")
    none = call("law.search", query="그런 법은 없음")
    assert isinstance(many.body["LawSearch"]["law"], list)
    assert isinstance(one.body["LawSearch"]["law"], dict)
    assert "law" not in none.body["LawSearch"]
    assert [one.body["LawSearch"]["totalCnt"], none.body["LawSearch"]["totalCnt"]] == ["1", "0"]


def test_law_refuses_with_pages_and_sentences() -> None:
    unknown = call("law.detail", MST="999999")
    assert "일치하는 법령이 없습니다" in unknown.body["Law"]
    assert "text/html" in call("law.search", key="wrong", query="민법").raw.headers["content-type"]
    assert (
        "text/html" in fetch("www.law.go.kr", "/DRF/lawSearch.do", OC=DEMO_KEY, target="nope").headers["content-type"]
    )
    assert call("law.detail", ID="1", json_format=False).raw.text.count("<Law>") == 1


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("neis.schoolInfo", "ERROR-336"),
        ("assembly.BILLRCP", "ERROR-336"),
        ("lofin.JFIED", "ERROR-336"),
    ],
)
def test_more_than_a_thousand_rows_are_refused(name: str, code: str) -> None:
    assert call(name, pSize=1001).code == code
    assert len(call(name, pSize=1000).rows) > 800


def test_seoul_counts_rows_in_its_path() -> None:
    assert call("seoul.CardBusStatisticsServiceNew", USE_YMD="20260610", START=1, END=1001).code == "ERROR-336"
    first = call("seoul.CardBusStatisticsServiceNew", USE_YMD="20260610", START=1, END=1000)
    start = first.total // 1000 * 1000 + 1
    last = call("seoul.CardBusStatisticsServiceNew", USE_YMD="20260610", START=start, END=start + 999)
    assert (len(first.rows), len(last.rows)) == (1000, first.total % 1000)
    skipped = call("seoul.SearchSTNBySubwayLineInfo", STATION_NM="강남")
    assert [row["STATION_CD"] for row in skipped.rows] == ["0222"]
    assert call("seoul.culturalEventInfo", CODENAME="전시/미술").rows


def test_small_caps_cut_silently() -> None:
    assert len(call("ex.trafficAmountByRealtime", numOfRows=1000).rows) == 99
    assert len(call("nec.getWinnerInfoInqire", sgId="20240410", sgTypecode=2, numOfRows=500).rows) == 100
    assert len(call("law.admrul_search", display=1000).rows) == 100


def test_neis_without_a_key_shows_five_rows() -> None:
    answer = fetch("open.neis.go.kr", "/hub/schoolInfo", Type="json").json()
    assert len(answer["schoolInfo"][1]["row"]) == 5
    missing = fetch("open.neis.go.kr", "/hub/classInfo", Type="json").json()
    assert missing["RESULT"]["CODE"] == "ERROR-300"


def test_expressway_and_local_finance_have_their_own_refusals() -> None:
    assert call("ex.locationinfoRest", key="wrong").code == "INVALID_KEY"
    assert call("ex.restBestfoodList", stdRestCd="A00001").body["count"] == 0
    assert isinstance(call("lofin.JFIED", key="wrong").body["RESULT"], list)
    assert fetch("data.ex.co.kr", "/openapi/gone", key=DEMO_KEY).status_code == 404


def test_services_that_do_not_exist() -> None:
    wrong_case = fetch("open.neis.go.kr", "/hub/schoolinfo", KEY=DEMO_KEY, Type="json").json()
    assert wrong_case["RESULT"]["CODE"] == "ERROR-310"
    assert fetch("opendart.fss.or.kr", "/api/nope.json", crtfc_key=DEMO_KEY).json()["status"] == "101"


def test_bus_headers_keep_quiet_about_counts() -> None:
    many = call("topis.getBusRouteList", strSrch="472")
    assert [row["busRouteNm"] for row in many.rows] == ["472", "472A"]
    assert many.body["msgHeader"]["itemCount"] == 0
    assert isinstance(call("topis.getRouteInfo", busRouteId="100100073").body["msgBody"]["itemList"], dict)
    assert call("topis.getRouteInfo", busRouteId="1").body["msgBody"]["itemList"] is None
