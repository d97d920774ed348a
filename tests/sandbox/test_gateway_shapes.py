"""Bodies as the providers send them: formats, empty, one and many rows, numbers, paging and wrong parameters."""

import json
from xml.etree import ElementTree

import pytest
from gateway_client import ask, fetch

TRADE = {"LAWD_CD": "11680", "DEAL_YMD": "202605"}
BUS_STOPS = "BusSttnInfoInqireService.getSttnNoList"


def _body(answer: object) -> dict[str, object]:
    return json.loads(answer.raw.text)["response"]["body"]  # type: ignore[attr-defined]


def test_xml_is_the_default_and_other_format_names_are_ignored() -> None:
    answer = ask("hospInfoServicev2.getHospBasisList", form="xml", sgguCd="110001", type="json", dataType="JSON")
    root = ElementTree.fromstring(answer.raw.text)
    assert root.findtext("header/resultCode") == "00"
    assert root.find("body/items/item/ykiho") is not None
    assert (
        ask("hospInfoServicev2.getHospBasisList", sgguCd="110001")
        .raw.headers["content-type"]
        .startswith("application/json")
    )


def test_emergency_rooms_answer_xml_whatever_is_asked() -> None:
    name = "ErmctInfoInqireService.getEgytListInfoInqire"
    assert ask(name, Q0="서울특별시", _type="json").raw.headers["content-type"].startswith("text/xml")


def test_none_one_and_many() -> None:
    holidays = "SpcdeInfoService.getRestDeInfo"
    none, one, many = (ask(holidays, solYear=2026, solMonth=month) for month in ("07", "12", "05"))
    assert _body(none)["items"] == ""
    assert isinstance(_body(one)["items"]["item"], dict)  # type: ignore[index]
    assert isinstance(_body(many)["items"]["item"], list)  # type: ignore[index]
    assert ask(holidays, form="xml", solYear=2026, solMonth="07").raw.text.count("<items/>") == 1


def test_numbers_follow_the_provider() -> None:
    routes = ask("BusRouteInfoInqireService.getRouteNoList", cityCode=25, numOfRows=50).rows
    assert {type(row["routeno"]) for row in routes} == {int, str}
    assert all(isinstance(row["startvehicletime"], str) for row in routes)
    trade = ask("RTMSDataSvcAptTrade.getRTMSDataSvcAptTrade", **TRADE).rows[0]
    assert isinstance(trade["dealYear"], int)
    assert "," in trade["dealAmount"]
    price = ask("GetStockSecuritiesInfoService.getStockPriceInfo", numOfRows=1).rows[0]
    assert all(isinstance(value, str) for value in price.values())


@pytest.mark.parametrize(
    ("name", "params", "path"),
    [
        ("ArpltnInforInqireSvc.getCtprvnRltmMesureDnsty", {"sidoName": "서울"}, ("response", "body", "items", 0)),
        ("AptListService3.getSigunguAptList3", {"sigunguCode": "11680"}, ("response", "body", "items", 0)),
        ("AptBasisInfoServiceV4.getAphusBassInfoV4", {"kaptCode": "A10000035"}, ("response", "body", "item")),
        ("StanReginCd.getStanReginCdList", {"locatadd_nm": "역삼동"}, ("StanReginCd", 1, "row", 0)),
        ("EvCharger.getChargerInfo", {"zcode": "11"}, ("items", "item", 0)),
        ("DSSP.DSSP-IF-00247", {}, ("body", 0)),
        ("addrlink.addrLinkApi", {"keyword": "역삼동"}, ("results", "juso", 0)),
        ("local.searchKeyword", {"query": "강남역"}, ("documents", 0)),
        ("KorService2.areaBasedList2", {}, ("response", "body", "items", "item", 0)),
    ],
)
def test_rows_lie_where_the_platform_puts_them(name: str, params: dict[str, str], path: tuple[str | int, ...]) -> None:
    node = json.loads(ask(name, **params).raw.text)
    for step in path:
        node = node[step]
    assert isinstance(node, dict)


def test_nothing_found_differs_by_platform() -> None:
    assert ask("StanReginCd.getStanReginCdList", locatadd_nm="없는동네").code == "INFO-3"
    assert json.loads(ask("DSSP.DSSP-IF-00247", rgnNm="없는동네").raw.text)["body"] is None
    assert json.loads(ask("addrlink.addrLinkApi", keyword="없는동네").raw.text)["results"]["juso"] is None
    assert ask("local.searchKeyword", query="없는동네").raw.status_code == 200
    assert ask("MidFcstInfoService.getMidTa", regId="11B00000", tmFc="202606150600").code == "03"
    assert ask("RTMSDataSvcAptTrade.getRTMSDataSvcAptTrade", LAWD_CD="42110", DEAL_YMD="202605").code == "000"


def test_paging_covers_everything_once_and_caps_silently() -> None:
    first = ask(BUS_STOPS, cityCode=25, numOfRows=50)
    seen = [row["nodeid"] for row in first.rows]
    for page in range(2, first.total // 50 + 2):
        seen += [row["nodeid"] for row in ask(BUS_STOPS, cityCode=25, numOfRows=50, pageNo=page).rows]
    assert len(seen) == len(set(seen)) == first.total
    assert ask(BUS_STOPS, cityCode=25, numOfRows=50, pageNo=999).rows == []
    assert len(ask("KorService2.areaBasedList2", numOfRows=99999).rows) == 1000


def test_only_45_places_can_be_paged_to() -> None:
    pages = [ask("local.searchKeyword", query="약국", page=page) for page in range(1, 5)]
    assert pages[0].total > 45
    assert [len(page.rows) for page in pages] == [15, 15, 15, 0]
    assert len({row["id"] for page in pages for row in page.rows}) == 45


def test_rows_are_numbered_through_all_pages() -> None:
    name = "HsptlAsembySearchService.getHsptlMdcncListInfoInqire"
    numbers = [row["rnum"] for page in (1, 2) for row in ask(name, Q0="서울특별시", numOfRows=4, pageNo=page).rows]
    assert numbers == list(range(1, 9))


def test_misspelt_parameters_look_like_success() -> None:
    assert len(ask(BUS_STOPS, cityCode=25, numbersOfRows=3).rows) == 10


def test_missing_parameters_and_paths() -> None:
    assert ask("RTMSDataSvcAptTrade.getRTMSDataSvcAptTrade", LAWD_CD="11680").code == "11"
    assert ask(BUS_STOPS).code == "99"
    assert ask("addrlink.addrLinkApi").code == "E0005"
    assert ask("addrlink.addrLinkApi", keyword="서울특별시").code == "E0006"
    assert ask("local.searchKeyword").raw.status_code == 400
    retired = fetch("apis.data.go.kr", "/1613000/TrainInfoService/getCtyCodeList")
    assert "<returnReasonCode>12</returnReasonCode>" in retired.text
    assert fetch("no.such.host", "/x").status_code == 404


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"base_time": "0800"}, "00"),
        ({"base_time": "1100"}, "03"),  # not out at 10:35
        ({"base_time": "0930"}, "03"),  # no such slot
        ({"base_time": "0800", "base_date": "20260601"}, "03"),
        ({"base_time": "08:00"}, "10"),
        ({"base_time": "0800", "nx": "126.98"}, "10"),
        ({"base_time": "0800", "nx": "900"}, "03"),
    ],
)
def test_forecast_clock(params: dict[str, str], code: str) -> None:
    query = {"base_date": "20260615", "nx": "60", "ny": "127"} | params
    answer = ask("VilageFcstInfoService_2.0.getVilageFcst", **query)
    assert answer.code == code
    assert (answer.total > 742) is (code == "00")


def test_other_clocks() -> None:
    trades = "RTMSDataSvcAptTrade.getRTMSDataSvcAptTrade"
    assert ask(trades, LAWD_CD="11680", DEAL_YMD="202606").total == 0
    assert ask("GetStockSecuritiesInfoService.getStockPriceInfo", basDt="20260615").total == 0
    assert ask("GetStockSecuritiesInfoService.getStockPriceInfo", basDt="20260612").total == 300
    day = {"dataCd": "ASOS", "dateCd": "DAY", "startDt": "20260614", "stnIds": "108"}
    assert ask("AsosDalyInfoService.getWthrDataList", endDt="20260614", **day).ok
    assert ask("AsosDalyInfoService.getWthrDataList", endDt="20260615", **day).code == "99"
