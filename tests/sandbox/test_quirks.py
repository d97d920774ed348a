"""The oddities of real platforms, one test each: what a client that trusts documents trips over."""

import io
import json
import zipfile
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest
from gateway_client import ask, base_url
from platform_client import DEMO_KEY, call, fetch
from running import KEY

GATEWAY = "apis.data.go.kr"


def _raw(path: str, **params: object) -> httpx.Response:
    return fetch(GATEWAY, path, serviceKey=DEMO_KEY, **params)


def _items(body: Any) -> Any:
    return body["response"]["body"]["items"]


def test_errors_come_with_status_200() -> None:
    """A05, A08, A16: only the body says so."""
    answers = [
        _raw("/1360000/VilageFcstInfoService_2.0/getUltraSrtNcst"),
        fetch(GATEWAY, "/1360000/VilageFcstInfoService_2.0/getUltraSrtNcst"),
        fetch(GATEWAY, "/1360000/VilageFcstInfoService/getUltraSrtNcst", serviceKey=DEMO_KEY),
        fetch("opendart.fss.or.kr", "/api/company.json"),
        fetch("open.neis.go.kr", "/hub/noSuchService", Type="json", KEY=DEMO_KEY),
    ]
    assert {answer.status_code for answer in answers} == {200}
    for answer, code in zip(answers, (">11<", ">20<", ">12<", '"100"', '"ERROR-310"'), strict=True):
        assert code in answer.text


def test_gateway_faults_are_xml_whatever_was_asked_for() -> None:
    answer = fetch(GATEWAY, "/1613000/TrainInfo/GetCtyCodeList", _type="json", serviceKey="wrong")
    assert answer.headers["content-type"].startswith("text/xml")
    assert ElementTree.fromstring(answer.text).findtext(".//returnReasonCode") == "30"


def test_nothing_has_many_spellings() -> None:
    """A12, A16: "", {}, null, [], a missing key, or a body of another shape."""
    nobody = {"LAWD_CD": "99999", "DEAL_YMD": "202605"}
    assert _items(_raw("/1613000/RTMSDataSvcAptTrade/getRTMSDataSvcAptTrade", _type="json", **nobody).json()) == ""
    parking = "/B552587/ParkingInfoService_v2/getParkingInfoList_v2"
    assert _items(_raw(parking, resultType="json", pParkGCd="none").json()) is None
    assert ask("addrlink.addrLinkApi", keyword="없는길이름").raw.json()["results"]["juso"] is None
    assert ask("local.searchKeyword", query="없는곳이름").raw.json()["documents"] == []
    assert call("topis.getRouteInfo", busRouteId="0").raw.json()["msgBody"]["itemList"] is None
    assert set(call("neis.schoolInfo", SCHUL_NM="없는학교이름").body) == {"RESULT"}
    assert "law" not in call("law.search", query="그런 법은 없음").body["LawSearch"]
    assert "list" not in call("dart.company", corp_code="00000001").body


def test_one_row_is_an_object_and_two_are_a_list() -> None:
    path = "/1613000/BusRouteInfoInqireService/getRouteNoList"
    one, two = (_items(_raw(path, _type="json", cityCode=12, numOfRows=n).json())["item"] for n in (1, 2))
    assert isinstance(one, dict)
    assert isinstance(two, list)
    assert two[0] == one
    assert isinstance(_items(ask("KorService2.areaBasedList2", numOfRows=1).raw.json())["item"], list)


def test_numbers_come_as_texts_or_mixed() -> None:
    assert isinstance(
        ask("stdgPpltnHhStus.selectStdgPpltnHhStus", **MOIS).raw.json()["Response"]["head"]["totalCount"], str
    )
    law = call("law.search", query="소득세법").body["LawSearch"]
    assert isinstance(law["totalCnt"], str)
    price = ask("GetStockSecuritiesInfoService.getStockPriceInfo", numOfRows=1).rows[0]
    assert {type(value) for value in price.values()} == {str}
    hospitals = ask("HsptlAsembySearchService.getHsptlMdcncListInfoInqire", Q0="서울특별시").rows
    assert {type(row["dutyTime1s"]) for row in hospitals} | {type(row["dutyTime1c"]) for row in hospitals} == {str, int}


MOIS = {"stdgCd": "1168000000", "srchFrYm": "202604", "srchToYm": "202604", "lv": "3", "regSeCd": "1"}


def test_unknown_parameters_are_ignored() -> None:
    """A misspelt page size looks like success with the default number of rows."""
    answer = ask("KorService2.areaBasedList2", numbersOfRows=3, nonsense="x")
    assert len(answer.rows) == 10
    assert answer.raw.json()["response"]["body"]["numOfRows"] == 10


def test_page_sizes_are_cut_without_a_word_or_refused() -> None:
    """A15."""
    assert len(ask("KorService2.areaBasedList2", numOfRows=5000).rows) == 1000
    ambulances = {"sidoHqOgidNm": "서울소방재난본부"}
    assert ask("EmergencyStatisticsService.get119EmgencyActivityStats", numOfRows=101, **ambulances).code == "10"
    assert call("neis.schoolInfo", pSize=1001).code == "ERROR-336"


def test_xml_is_the_default() -> None:
    plain = _raw("/1613000/TrainInfo/GetCtyCodeList")
    assert plain.headers["content-type"].startswith("text/xml")
    assert ElementTree.fromstring(plain.text).findtext(".//resultCode") == "00"
    # The parameter of another service is one that nobody knows.
    assert "xml" in _raw("/1613000/TrainInfo/GetCtyCodeList", dataType="JSON").headers["content-type"]


def test_a_body_labelled_euc_kr_is_cp949() -> None:
    """A18."""
    answer = fetch(GATEWAY, "/B554729/careBusiness/careBusinessList", serviceKey=DEMO_KEY)
    assert answer.headers["content-type"] == "text/xml;charset=EUC-KR"
    assert answer.content.startswith(b'<?xml version="1.0" encoding="EUC-KR"')
    with pytest.raises(UnicodeDecodeError):
        answer.content.decode("utf-8")
    assert "<companyName>" in answer.content.decode("cp949")


@pytest.mark.parametrize(("given", "code"), [(KEY, "00"), (DEMO_KEY, "30"), (KEY.replace("%", "%25"), "30")])
def test_a_key_has_to_be_encoded_once(given: str, code: str) -> None:
    """A01: the decoding key as it is loses its plus signs, the encoding key encoded again is another key."""
    url = f"{base_url()}/{GATEWAY}/1613000/TrainInfo/GetCtyCodeList?serviceKey={given}"
    assert f">{code}</" in httpx.get(url, trust_env=False).text


def test_keys_travel_in_headers_and_paths() -> None:
    assert ask("local.searchKeyword", query="강남역").ok
    assert call("ecos.StatisticTableList").code == "INFO-000"
    assert call("seoul.SearchSTNBySubwayLineInfo", key="wrong").code == "INFO-100"


def test_a_post_takes_a_form_or_json_and_a_get_is_not_one() -> None:
    path = f"{base_url()}/api.odcloud.kr/api/nts-businessman/v1/status?serviceKey={KEY}"
    answer = httpx.post(path, json={"b_no": ["0000000000"]}, trust_env=False).json()
    assert [row["b_no"] for row in answer["data"]] == ["0000000000"]
    assert "data" not in httpx.get(f"{path}&b_no=0000000000", trust_env=False).text
    form = httpx.post(f"{base_url()}/business.juso.go.kr/addrlink/addrLinkApi.do", data=JUSO, trust_env=False).json()
    assert form["results"]["juso"]


JUSO = {"confmKey": DEMO_KEY, "keyword": "역삼동", "resultType": "json"}


def test_a_zip_may_be_the_answer_and_xml_its_refusal() -> None:
    good = fetch("opendart.fss.or.kr", "/api/corpCode.xml", crtfc_key=DEMO_KEY)
    assert zipfile.is_zipfile(io.BytesIO(good.content))
    assert fetch("opendart.fss.or.kr", "/api/corpCode.xml").text.startswith("<?xml")


def test_a_page_may_come_instead_of_data() -> None:
    answer = fetch("www.law.go.kr", "/DRF/lawSearch.do", OC="wrong", target="law", type="JSON")
    assert (answer.status_code, answer.text[:15]) == (200, "<!DOCTYPE html>")
    with pytest.raises(json.JSONDecodeError):
        answer.json()


def test_names_are_not_unique() -> None:
    names = [row["SCHUL_NM"] for row in call("neis.schoolInfo", pSize=1000).rows]
    assert len(set(names)) < len(names)


def test_a_retired_path_is_no_service() -> None:
    answer = _raw("/1613000/TrainInfoService/getCtyCodeList", _type="json")
    assert "NO_OPENAPI_SERVICE_ERROR" in answer.text
