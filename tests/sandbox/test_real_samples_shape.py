"""Real bodies of the platforms and the sandbox's answers of the same operation and outcome parse to the same shape."""

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from linkcalls import DEMO_KEY, Reply, send
from linkways import examples
from platform_client import operations
from shapes import differences, parse, shape

from edge.sandbox.drift import load_drift

SAMPLES = Path(__file__).parents[3] / "shared" / "real" / "samples"
pytestmark = pytest.mark.skipif(not SAMPLES.exists(), reason="no captured bodies beside this checkout (../shared/real)")


@dataclass(frozen=True)
class Call:
    """The call that ends as the captured one did. `sparse` rows leave their empty fields out, in JSON too;
    of a fixture of no particular operation the `envelope` alone is compared.
    """

    operation: str
    params: Mapping[str, object] = field(default_factory=dict)
    form: str = "json"
    key: str | None = "demo"
    sparse: bool = False
    envelope: bool = False


DJ = {"cityCode": 25}
GANGNAM = {"LAWD_CD": 11680, "DEAL_YMD": 202604}
PLACE = {"sigunguCd": 11680, "bjdongCd": 10100}
KTO = {"MobileOS": "ETC", "MobileApp": "edge"}
SGIS = {"year": 2024, "accessToken": "?token"}
MID = {"tmFc": "202606150600"}
HOLIDAYS, AIR = "SpcdeInfoService.getRestDeInfo", "ArpltnInforInqireSvc.getMsrstnAcctoRltmMesureDnsty"
BIDS = {"bidKaptname": "한솔", "searchYear": "2025"}
MOVES = {
    "orgId": "101", "tblId": "DT_1B26003_A01", "itmId": "ALL", "objL1": "ALL", "objL2": "ALL", "prdSe": "M",
    "newEstPrdCnt": "1", "jsonVD": "Y",
}  # fmt: skip
PRICES = {
    "orgId": "101", "tblId": "DT_1J22003", "itmId": "T", "objL1": "ALL", "prdSe": "M", "newEstPrdCnt": "1",
    "jsonVD": "Y",
}  # fmt: skip
TRAINS = "TrainInfo.GetCtyAcctoTrainSttnList"
ECOS = {"STAT_CODE": "722Y001", "CYCLE": "M", "FROM": "202501", "TO": "202504"}
# By a part of the file's name; the first that fits. Assembly bodies name their service themselves.
CALLS: dict[str, Call] = {
    "hira-medical-detail": Call("MadmDtlInfoService2.7.getDtlInfo2.7", {"ykiho": "?hospital"}, sparse=True),
    "corporate-finance-summary": Call("GetFinaStatInfoService_V2.getSummFinaStat_V2", {"bizYear": 2024}),
    "airkorea-ctprvn": Call("ArpltnInforInqireSvc.getCtprvnRltmMesureDnsty", {"sidoName": "서울"}),
    "nts-status-authorization-header": Call("v1.status", {"b_no": "1"}, key=None),
    "nts-status-decoded-key": Call("v1.status", {"b_no": "1"}, key="wrong"),
    "ftc-public-ym": Call("publicYmList.publicYmListApi", {"jobSeCode": "0001"}, "xml"),
    "tago-bus-route": Call("BusRouteInfoInqireService.getRouteNoList", DJ, "xml"),
    "tago-bus-arrival.body.xml": Call(
        "ArvlInfoInqireService.getSttnAcctoArvlPrearngeInfoList", DJ | {"nodeId": "DJB1"}, "xml"
    ),
    "tago-bus-arrival": Call("ArvlInfoInqireService.getSttnAcctoArvlPrearngeInfoList", DJ | {"nodeId": "?stop"}, "xml"),
    "tago-bus-station": Call("BusSttnInfoInqireService.getSttnNoList", DJ, "xml"),
    "reb-stat-table": Call("rone.SttsApiTbl"),
    "mpm-public-job-g01": Call(
        "PblJobService.getList", {"Pblanc_ty": "e01", "Sort_order": 1, "Instt_se": "g01"}, "xml"
    ),
    "mpm-public-job.body": Call("PblJobService.getList", {"Pblanc_ty": "e99", "Sort_order": 1}, "xml"),
    "finance-regional-tuition": Call("FinancesService.getRegionalTuitionCrntSt", {"schlDivCd": "02"}, "xml"),
    "student-regional-foreign": Call("StudentService.getRegionalForeignStudentCrntSt", {"schlDivCd": "02"}, "xml"),
    "academyinfo-finance-servicekey": Call("FinancesService.getRegionalTuitionCrntSt", {"schlDivCd": "02"}, key=None),
    "ksd-financial-term": Call("FnTermSvc.getFinancialTermMeaning", {"term": "주식"}, "xml"),
    "bok_success_empty": Call("ecos.StatisticSearch", ECOS | {"STAT_CODE": "000Y000"}),
    "bok__error_auth": Call("ecos.StatisticTableList", key="wrong"),
    "kpubdata__bok": Call("ecos.StatisticSearch", ECOS),
    "error_invalid_request_10": Call(AIR, {"stationName": "중구", "dataTerm": "WEEK"}),
    "error_xml_auth_30": Call(TRAINS, {"cityCode": 11}, key="wrong"),
    "success_single_item": Call(HOLIDAYS, {"solYear": 2026, "solMonth": "01"}, envelope=True),
    "success_string_numerics": Call("ApHusBidPblAncInfoOfferServiceV2.getHsmpNmSearchV2", BIDS, envelope=True),
    "success_multi_page_1": Call(TRAINS, {"cityCode": 11}, envelope=True),
    "success_xml": Call(TRAINS, {"cityCode": 11}, "xml", envelope=True),
    "datago_success_empty.json": Call(TRAINS, {"cityCode": 99}),
    "bus_arrival_v2": Call("6410000.getBusArrivalListv2", {"stationId": "?gyeonggi"}),
    "apt_rent": Call("RTMSDataSvcAptRent.getRTMSDataSvcAptRent", GANGNAM),
    "building_title": Call("BldRgstHubService.getBrTitleInfo", PLACE),
    "building_floor": Call("BldRgstHubService.getBrFlrOulnInfo", PLACE),
    "building_area": Call("BldRgstHubService.getBrExposPubuseAreaInfo", PLACE),
    "mid_fcst": Call("MidFcstInfoService.getMidFcst", MID | {"stnId": 109}),
    "mid_land_fcst": Call("MidFcstInfoService.getMidLandFcst", MID | {"regId": "11B00000"}),
    "mid_ta": Call("MidFcstInfoService.getMidTa", MID | {"regId": "11B10101"}),
    "offi_rent": Call("RTMSDataSvcOffiRent.getRTMSDataSvcOffiRent", GANGNAM),
    "offi_trade": Call("RTMSDataSvcOffiTrade.getRTMSDataSvcOffiTrade", GANGNAM),
    "rh_trade": Call("RTMSDataSvcRHTrade.getRTMSDataSvcRHTrade", GANGNAM),
    "sh_trade": Call("RTMSDataSvcSHTrade.getRTMSDataSvcSHTrade", GANGNAM),
    "tour_kor_area": Call("KorService2.areaBasedList2", KTO | {"areaCode": 1}),
    "tour_kor_festival": Call("KorService2.searchFestival2", KTO | {"eventStartDate": "20260101"}),
    "tour_kor_location": Call("KorService2.locationBasedList2", KTO | {"mapX": 126.98, "mapY": 37.57, "radius": 5000}),
    "kosis_error_auth": Call("kosis.data", MOVES, key="wrong"),
    "kosis__success_empty": Call("kosis.search", {"searchNm": "없는말", "jsonVD": "Y"}),
    "kosis_success_single_page": Call("kosis.data", MOVES),
    "industrial_production": Call("kosis.data", PRICES),
    "kosis-stats__meta": Call("kosis.meta_tbl", {"jsonVD": "Y"}),
    "kosis-stats__search": Call("kosis.search", {"searchNm": "인구", "jsonVD": "Y"}),
    "law_detail": Call("law.detail", {"LM": "소득세법"}),
    "law_search": Call("law.search", {"query": "자동차"}),
    "ordin_search": Call("law.ordin_search", {"query": "조례"}),
    "lofin__error_auth": Call("lofin.FIACRV", {"fyr": 2024}, key="wrong"),
    "lofin__success_fiacrv": Call("lofin.FIACRV", {"fyr": 2024}),
    "bike_realtime": Call("seoul.bikeList"),
    "bike_rent_month": Call("seoul.tbCycleRentUseMonthInfo", {"RENT_NM": "202601"}),
    "seoul__empty_response": Call("seoulsubway.realtimeStationArrival", {"statnNm": "없는역"}),
    "seoul__error_auth": Call("seoulsubway.realtimeStationArrival", {"statnNm": "강남"}, key="wrong"),
    "subway_realtime_arrival": Call("seoulsubway.realtimeStationArrival", {"statnNm": "강남"}),
    "sgis__auth_success": Call("sgis.auth", {"consumer_secret": "secret"}),
    "sido_boundary": Call("sgis.hadmarea", SGIS | {"low_search": 1}),
    "sigungu_boundary": Call("sgis.hadmarea", SGIS | {"adm_cd": 11, "low_search": 1}),
}


# Services that refuse a call without this: the captured bodies are such refusals, named by their title alone.
REFUSED = {
    "국회의원_본회의_표결정보": "nojepdqqaweusdfbi", "국회의원_청원현황": "NAMEMBERLEGIPTT",
    "본회의_회의록": "nzbyfwhwaoanttzje", "역대_국회의원_현황": "npffdutiapkzbfyvr",
    "위원회_계류법률안": "ndiwuqmpambgvnfsj", "의안_상세정보": "BILLINFODETAIL",
    "의안_위원회심사_회의정보_조회": "BILLJUDGECONF", "의안별_회의록_목록": "VCONFBILLCONFLIST",
    "처리_의안통계_총괄_": "BILLCNTMAIN", "청원_상세정보": "PTTINFODETAIL", "청원_접수목록": "PTTRCP",
    "회의록별_상세정보": "VCONFDETAIL", "청원_소개의원_정보": "PTTINFOPPSR",
    "국회의원_상임위_활동": "nuvypcdgahexhvrjt",
    "국회의원_연구단체_등록현황": "numwhpyndakjdhvdy", "지출집행현황_세부사업별_": "nkalemivaqmoibxro",
    "청원_통계": "PTTCNTMAIN",
}  # fmt: skip
# What an Assembly service needs to give rows.
ASSEMBLY: dict[str, Mapping[str, object]] = {
    "nzmimeepazxkubdpn": {"AGE": 22}, "ncocpgfiaoituanbr": {"AGE": 22}, "BILLRCP": {"ERACO": "제22대"},
    "VCONFBILLLIST": {}, "nwbpacrgavhjryiph": {"AGE": 22}, "TVBPMBILL11": {"AGE": 22},
}  # fmt: skip
_GATEWAY = "written by hand as a provider's answer; the gateway answers with OpenAPI_ServiceResponse (facts, probes)"
_LAW = "written by hand, without the wrapper and the nesting that the platform sends (facts)"
_ARRIVALS = "written by hand; the platform sends errorMessage and realtimeArrivalList side by side (facts)"
# Where a real body and ours differ, with the reason: part of the file's name, then how the paths begin.
EXCEPTIONS: dict[str, dict[str, str]] = {
    "academyinfo-finance-servicekey": {"": "a known key without approval for this service, which no key here is"},
    "nts-status-decoded-key": {".code": "an error of the server behind; a wrong key has a code of its own (facts)"},
    "assembly__bills": {
        ".nzmimeepazxkubdpn[].row[].PUBL_MONA_CD": "captured before the service named the members' codes",
        ".nzmimeepazxkubdpn[].row[].RST_MONA_CD": "captured before the service named the members' codes",
    },
    "bok_success_empty": {"": "written by hand; the platform answers RESULT with INFO-200 (facts)"},
    "error_xml_auth_30": {"": _GATEWAY},
    "error_rate_limit_22": {"": _GATEWAY},
    "industrial_production": {
        f"[].{name}": "the tables here have no English names"
        for name in ("C1_NM_ENG", "C1_OBJ_NM_ENG", "ITM_NM_ENG", "UNIT_NM_ENG")
    },
    "kosis__success_empty": {"": "written by hand; the platform answers err 30 in an object (facts)"},
    "kpubdata__law": {"": _LAW},
    "subway_realtime_arrival": {"": _ARRIVALS},
    "seoul__empty_response": {"": _ARRIVALS},
    "seoul__error_auth": {"": _ARRIVALS},
}


@cache
def _call(file: str) -> Call | None:
    """The call for a captured file; None where the sandbox does not serve its operation."""
    found = _assembly(file) if file.startswith("assembly__") else None
    if found is None:
        found = next((call for part, call in CALLS.items() if part in file), None)
    return found if found and found.operation in operations() else None


def _assembly(file: str) -> Call:
    title = unicodedata.normalize("NFC", file.removeprefix("assembly__").removesuffix(".json"))
    service = REFUSED.get(title) or next(iter(json.loads((SAMPLES / file).read_text(encoding="utf-8"))))
    params = {} if title in REFUSED else ASSEMBLY.get(service, {})
    return Call(f"assembly.{service}", params | {"pSize": 50} if title not in REFUSED else {})


def _files() -> list[str]:
    if not SAMPLES.exists():
        return []
    return sorted(f.name for f in SAMPLES.glob("*__*") if "LICENSE" not in f.name and _call(f.name))


def _live(file: str) -> bool:
    # The facts say of one repository's fixtures that they were written by hand, after real bodies.
    return not file.startswith(("kpubdata", "kskill"))


def _replies(call: Call) -> list[Reply]:
    """The answer to the call; of calls for one record of many, answers for several."""
    marks = [(name, v) for name, v in call.params.items() if isinstance(v, str) and v.startswith("?")]
    values = [examples(v) for _, v in marks] or [[]]
    key = DEMO_KEY if call.key == "demo" else call.key
    filled = [dict(zip([name for name, _ in marks], chosen, strict=False)) for chosen in zip(*values, strict=False)]
    return [send(call.operation, dict(call.params) | extra, call.form, key) for extra in filled or [{}]]


@pytest.mark.parametrize("file", _files())
def test_a_real_body_and_ours_have_one_shape(file: str) -> None:
    call = _call(file)
    assert call is not None
    text = (SAMPLES / file).read_text(encoding="utf-8-sig")
    replies = _replies(call)
    xml = text.lstrip().startswith("<")
    real, ours = shape([parse(text)], xml), shape([parse(reply.text) for reply in replies], xml)
    drift = [entry for entry in load_drift() if entry["operation"] == call.operation]
    if any(entry["kind"] == "retired" for entry in drift):
        pytest.skip("retired on purpose: drift.yaml")
    moved = {entry.get(name) for entry in drift for name in ("field", "to")}
    expected = {head for part, heads in EXCEPTIONS.items() if part in file for head in heads}
    found = {
        f"{path}: {text}"
        for path, text in differences(real, ours, optional=xml or call.sparse, invented=not _live(file))
        if path.rpartition(".")[2] not in moved and not any(path.startswith(head) for head in expected)
        if not (call.envelope and re.search(r"\.item(\[\])?\.", path))
    }
    assert not found, "\n".join([str(replies[0].raw.url), *sorted(found)])
