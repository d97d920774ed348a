"""Labelled links of shops, city buses, ambulances, pensions, warnings, courts, universities and the like, executed."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from service_client import fetch_rows, rows_of, send

from edge.sandbox.catalogue import load_platforms

FACTS = Path(__file__).parents[3] / "shared" / "facts" / "labelled_links.json"
Row = dict[str, Any]
# Platforms of this group; links with one end among them are followed here.
GROUP = {
    "semas", "gyeonggi_bus", "gwangju_bus", "nps", "nts", "ftc_months", "tago_more", "molit_apartments", "kma_notices",
    "mfds", "hira_nursing", "nfa", "mois_licenses", "kcue", "ccourt_cases",
}  # fmt: skip
SAMPLE = 4


@dataclass(frozen=True)
class How:
    """Source parameters, what else the target needs ("=constant" or a field of the record), and the stated change."""

    source: Mapping[str, object] = field(default_factory=dict)
    needs: Mapping[str, str] = field(default_factory=dict)
    change: Callable[[str], str] = str
    # Some records of the source lead nowhere on the platform too.
    sparse: bool = False


def _digits(value: str) -> str:
    return "".join(char for char in value if char.isdigit())


SCHOOL = {"svyYr": "2025", "schlKrnNm": "대학"}
STATION = {"resultType": "=json"}
POINT = {"query": "강남구 역삼동"}
MONTHS = {"sidoHqOgidNm": "서울", "resultType": "json", "rcptYm": "202604"}
DEALS = {"LAWD_CD": "11680", "DEAL_YMD": "202605"}
# By the field of the source and the operation it feeds.
HOW: dict[tuple[str, str], How] = {
    ("indsLclsCd", "sdsc2.middleUpjongList"): How(),
    ("indsMclsCd", "sdsc2.smallUpjongList"): How({"indsLclsCd": "I2"}),
    ("indsSclsCd", "sdsc2.storeListInRadius"): How(
        {"indsLclsCd": "I2"}, {"cx": "=127.0276", "cy": "=37.4979", "radius": "=3000"}, sparse=True
    ),
    ("trarNo", "sdsc2.storeListInArea"): How(
        {"cx": "127.0276", "cy": "37.4979", "radius": "2000"}
    ),
    ("x", "sdsc2.storeListInRadius"): How(POINT, {"cy": "y", "radius": "=1500"}),
    ("adongCd", "LivingWthrIdxServiceV5.getUVIdxV5"): How(
        {"divId": "signguCd", "key": "11680"}, {"time": "=2026061506"}
    ),
    ("bizesId", "v1.status"): How({"divId": "signguCd", "key": "11680"}),
    ("x", "6410000.getBusStationAroundListv2"): How({"query": "팔달 병원"}, {"y": "y"}, sparse=True),
    ("routeId", "6410000.getBusLocationListv2"): How({"keyword": "1"}),
    ("routeId", "6410000.getBusRouteStationListv2"): How({"keyword": "1"}),
    ("routeId", "6410000.getBusArrivalItemv2"): How(
        {"stationId": "?stop"}, {"stationId": "=?stop", "staOrder": "staOrder"}, sparse=True
    ),
    ("BUSSTOP_ID", "gj_bis.arriveInfo"): How(
        {"LINE_ID": "?line", "resultType": "json"}, STATION, sparse=True
    ),
    ("rcptYm", "EmergencyInformationService.getEmgencyActivityInfo"): How(
        MONTHS, STATION | {"rsacGutFsttOgidNm": "rsacGutFsttOgidNm"}
    ),
    ("rsacGutFsttOgidNm", "EmergencyInformationService.getEmgVehicleDispatchInfo"): How(
        {"resultType": "json", "rsacGutFsttOgidNm": "강남소방서"}, STATION | {"stmtYm": "=202604"}
    ),
    ("seq", "NpsBplcInfoInqireServiceV2.getDetailInfoSearchV2"): How(
        {"wkplNm": "전자"}
    ),
    ("seq", "NpsBplcInfoInqireServiceV2.getPdAcctoSttusInfoSearchV2"): How(
        {"wkplNm": "전자"}
    ),
    ("bzowrRgstNo", "v1.status"): How({"wkplNm": "전자"}),
    ("fnlSucsfCorpBizrno", "v1.status"): How(
        {"bsnsDivCd": "1", "opengBgnDt": "202606010000", "opengEndDt": "202606052359", "numOfRows": 30}, change=_digits
    ),
    ("othbcYm", "appnGroupSttusList.appnGroupSttusListApi"): How({"jobSeCode": "0001"}),
    ("aptCode", "AptBasisInfoServiceV4.getAphusBassInfoV4"): How(
        {"bidKaptname": "한솔", "searchYear": "2025"}
    ),
    ("kaptCode", "AptAccnutReportService2.getHsmpAccnutReportInfoV5"): How(
        {"bjdCode": "11680"}, {"audtYear": "audtYear"}
    ),
    ("sggCd", "RTMSDataSvcAptRent.getRTMSDataSvcAptRent"): How(
        DEALS, {"DEAL_YMD": "=202605"}
    ),
    ("landCd", "BldRgstHubService.getBrTitleInfo"): How(
        DEALS, {"sigunguCd": "sggCd", "bjdongCd": "umdCd", "bun": "bonbun", "ji": "bubun"}
    ),
    ("subwayStationId", "SubwayInfo.GetSubwaySttnAcctoSchdulList"): How(
        {"subwayStationName": "강남"}, {"dailyTypeCode": "=01", "upDownTypeCode": "=U"}
    ),
    ("subwayStationId", "TrainInfo.GetStrtpntAlocFndTrainInfo"): How(
        {"subwayStationName": "서울"}, {"arrPlaceId": "=NAT014445", "depPlandTime": "=20260616"}
    ),
    ("routeid", "BusLcInfoInqireService.getRouteAcctoSpcifySttnAccesBusLcInfo"): How(
        {"cityCode": "25", "nodeId": "?node"}, {"cityCode": "=25", "nodeId": "nodeid"}
    ),
    ("stnId", "WthrWrnInfoService.getWthrInfo"): How(),
    ("areaCode", "MidFcstInfoService.getMidTa"): How({}, {"tmFc": "=202606150600"}),
    ("clsfc", "ImpactInfoServiceV2.getHWCntrmsrMthdV2"): How({"tm": "20260614"}),
    ("itemName", "DrbEasyDrugInfoService.getDrbEasyDrugList"): How(
        {"itemName": "정"}
    ),
    ("ykiho", "MadmDtlInfoService2.7.getNursigGrdInfo2.7"): How(
        {"sidoCd": "110000", "clCd": "11"}
    ),
    ("schlId", "BasicInformationService_1.getUniversityMajorCode"): How(
        SCHOOL, {"svyYr": "svyYr"}
    ),
    ("schlId", "FinancesService.getComparisonTuitionCrntSt"): How(
        SCHOOL, {"svyYr": "svyYr"}
    ),
    ("seqNo", "PrecedentInfomationService.getOcprOutlineDetail"): How(),
    ("CRD_INFO_X", "KorService2.locationBasedList2"): How(
        {"pageNo": 1, "numOfRows": 20},
        {"mapY": "CRD_INFO_Y", "radius": "=3000", "MobileOS": "=ETC", "MobileApp": "=edge"},
        change=str.strip,
    ),
}  # fmt: skip


@cache
def _served() -> tuple[set[str], set[str]]:
    mine = {op.id for platform in load_platforms() if platform.name in GROUP for op in platform.operations}
    return mine, {op.id for platform in load_platforms() for op in platform.operations}


@cache
def _links() -> list[Row]:
    if not FACTS.exists():
        return []
    mine, every = _served()
    links = json.loads(FACTS.read_text(encoding="utf-8"))
    return [link for link in links if (ends := {link["source_op"], link["target_op"]}) & mine and ends <= every]


pytestmark = pytest.mark.skipif(not FACTS.exists(), reason="the labelled links of ../shared are not here")


@cache
def _example(mark: str) -> str:
    """Ids that a caller finds first: a stop of Gyeonggi or Daejeon with buses, a line of Gwangju."""
    if mark == "?line":
        return str(fetch_rows("gj_bis.lineInfo", {"resultType": "json"})[0]["LINE_ID"])
    if mark == "?stop":
        route = fetch_rows("6410000.getBusRouteListv2", {"keyword": "1"})[0]["routeId"]
        return str(fetch_rows("6410000.getBusRouteStationListv2", {"routeId": route})[-1]["stationId"])
    for stop in fetch_rows("BusSttnInfoInqireService.getSttnNoList", {"cityCode": 25, "numOfRows": 80}):
        where = {"cityCode": 25, "nodeId": stop["nodeid"]}
        if fetch_rows("ArvlInfoInqireService.getSttnAcctoArvlPrearngeInfoList", where):
            return str(stop["nodeid"])
    raise AssertionError("no stop has a bus on the way")


def _filled(value: object) -> object:
    return _example(value) if isinstance(value, str) and value.startswith("?") else value


def _how(link: Row) -> How:
    return HOW[link["source_field"], link["target_op"]]


def _records(link: Row) -> list[Row]:
    """A few records of the source that have the field, spread over the answer."""
    params = {name: _filled(value) for name, value in _how(link).source.items()}
    rows = [row for row in fetch_rows(link["source_op"], params) if row.get(link["source_field"]) not in (None, "")]
    assert rows, f"{link['source_op']} gives no record to start from"
    return rows[:: max(1, len(rows) // SAMPLE)][:SAMPLE]


def _follow(link: Row, record: Row, value: str) -> list[Row]:
    params: Row = {}
    for name, where in _how(link).needs.items():
        params[name] = _filled(where[1:]) if where.startswith("=") else str(record[where]).strip()
    if link["target_op"] == "v1.status":
        return rows_of(send("v1.status", {}, body={link["target_param"]: [value]}))
    return fetch_rows(link["target_op"], params | {link["target_param"]: value})


def _name(link: Row) -> str:
    return f"{link['source_op']}.{link['source_field']}-{link['target_op']}.{link['target_param']}"


@pytest.mark.parametrize("link", [link for link in _links() if link["valid"]], ids=_name)
def test_a_known_link_works(link: Row) -> None:
    how = _how(link)
    answers = [_follow(link, record, how.change(str(record[link["source_field"]]))) for record in _records(link)]
    assert any(answers)
    assert how.sparse or all(answers)


@pytest.mark.parametrize("link", [link for link in _links() if not link["valid"]], ids=_name)
def test_a_known_wrong_link_yields_nothing(link: Row) -> None:
    how = _how(link)
    for record in _records(link):
        assert not _follow(link, record, how.change(str(record[link["source_field"]])))


def _wrong(source: str, target: str) -> Row:
    return next(link for link in _links() if (link["source_op"], link["target_op"]) == (source, target))


def test_an_administrative_code_works_with_its_two_noughts() -> None:
    link = _wrong("sdsc2.storeListInDong", "LivingWthrIdxServiceV5.getUVIdxV5")
    for record in _records(link):
        assert _follow(link, record, f"{record['adongCd']}00")


def test_a_ground_code_one_lower_finds_the_building() -> None:
    source, target = "RTMSDataSvcAptTradeDev.getRTMSDataSvcAptTradeDev", "BldRgstHubService.getBrTitleInfo"
    if target not in _served()[1]:
        pytest.skip("the building register is not served")
    link = _wrong(source, target)
    assert any(_follow(link, record, str(int(record["landCd"]) - 1)) for record in _records(link))


def test_the_whole_business_number_comes_from_the_corporate_outline() -> None:
    outline = "GetCorpBasicInfoService_V2.getCorpOutline_V2"
    workplace = fetch_rows("NpsBplcInfoInqireServiceV2.getBassInfoSearchV2", {"wkplNm": "전자"})[0]
    company = fetch_rows(outline, {"corpNm": workplace["wkplNm"]})[0]
    assert str(company["bzno"]).startswith(str(workplace["bzowrRgstNo"]).rstrip("*"))
    states = rows_of(send("v1.status", {}, body={"b_no": [company["bzno"]]}))
    assert states[0]["b_stt"] in ("계속사업자", "휴업자", "폐업자")
