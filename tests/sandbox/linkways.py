"""How each labelled link is followed: where its records come from, what else its target needs, how the value changes.

Values of needs: `=text` is a constant, `?name` an example that is looked up first, `field` or `field:change` is taken
from the same record. Entries may be keyed by (source, target) or by one operation; the narrowest counts.
"""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from functools import cache
from typing import Any

from linkcalls import fetch_rows

from edge.sandbox.world.coordinates import kma_grid

Row = dict[str, Any]
Needs = Mapping[str, str]

_SHORT = {"서울특별시": "서울", "경기도": "경기", "부산광역시": "부산"}


def _trading_day_before(day: str) -> str:
    before = date.fromisoformat(day) - timedelta(days=1)
    while before.weekday() > 4:
        before -= timedelta(days=1)
    return f"{before:%Y%m%d}"


CHANGE: dict[str, Callable[[str], str]] = {
    "": str,
    "first2": lambda text: text[:2],
    "first5": lambda text: text[:5],
    "first8": lambda text: text[:8],
    "third_to_fifth": lambda text: text[2:5],
    "from_sixth": lambda text: text[5:],
    "year": lambda text: text[:4],
    "month": lambda text: text[4:6],
    "without_a": lambda text: text.removeprefix("A"),
    "short": lambda text: _SHORT.get(text, text),
    "digits": lambda text: "".join(char for char in text if char.isdigit()),
    "strip": str.strip,
    "trading_day_before": _trading_day_before,
    "cycle": lambda text: {"년": "Y", "분기": "Q", "월": "M"}.get(text, text),
    "first_cycle": lambda text: text.split(",")[0],
    "cycle_start": lambda text: {"A": "2022", "Q": "2024Q1", "M": "202501", "D": "20260601"}.get(text or "M", "2022"),
    "cycle_end": lambda text: {"A": "2025", "Q": "2026Q1", "M": "202604", "D": "20260612"}.get(text or "M", "2025"),
    "or_monthly": lambda text: text or "M",
}


# Examples that a caller finds before.
def _stop_with_buses() -> str:
    for row in fetch_rows("BusSttnInfoInqireService.getSttnNoList", cityCode=25, numOfRows=80):
        if fetch_rows("ArvlInfoInqireService.getSttnAcctoArvlPrearngeInfoList", cityCode=25, nodeId=row["nodeid"]):
            return row["nodeid"]
    raise AssertionError("no stop of 대전 has a bus on the way")


def _gyeonggi_stop() -> str:
    route = fetch_rows("6410000.getBusRouteListv2", keyword=1)[0]["routeId"]
    return str(fetch_rows("6410000.getBusRouteStationListv2", routeId=route)[-1]["stationId"])


def _listed_company() -> str:
    return next(row["corp_code"] for row in fetch_rows("dart.corpCode") if row["stock_code"])


def _company_with(name: str, **params: object) -> Callable[[], str]:
    """A listed company of which an operation knows something."""

    def found() -> str:
        listed = (row["corp_code"] for row in fetch_rows("dart.corpCode") if row["stock_code"])
        return next(code for code in listed if fetch_rows(name, corp_code=code, **params))

    return found


def _first(name: str, field: str, **params: object) -> Callable[[], str]:
    return lambda: str(fetch_rows(name, **params)[0][field])


SERVICE = "BidPublicInfoService.getBidPblancListInfo"
JUNE: Row = {"inqryDiv": 1, "inqryBgnDt": "202606010000", "inqryEndDt": "202606102359", "numOfRows": 40}
_EXAMPLES: dict[str, Callable[[], str]] = {
    "?stop": _stop_with_buses,
    "?route": _first("BusRouteInfoInqireService.getRouteNoList", "routeid", cityCode=25),
    "?gyeonggi": _gyeonggi_stop,
    "?line": _first("gj_bis.lineInfo", "LINE_ID"),
    "?listed": _listed_company,
    "?promulgated": _first("assembly.ncocpgfiaoituanbr", "BILL_NO", AGE=22),
    "?tender": _first(f"{SERVICE}ServcPPSSrch", "bidNtceNo", **JUNE),
    "?token": lambda: str(fetch_rows("sgis.auth", consumer_secret="s")[0]["accessToken"]),
    "?hospital": _first("hospInfoServicev2.getHospBasisList", "ykiho", sidoCd=110000, clCd="11"),
    "?index": _first("rone.SttsApiTbl", "STATBL_ID"),
    "?table": _first("kosis.search", "TBL_ID", searchNm="시도별 이동자수", jsonVD="Y"),
    "?bond": _company_with("dart.cvbdIsDecsn", bgn_de="20250101", end_de="20260615"),
    "?held": _company_with("dart.majorstock"),
}


@cache
def example(name: str) -> str:
    return _EXAMPLES[name]()


# Operations that answer about one thing at a time: several examples show more of their fields.
_SEVERAL: dict[str, Callable[[], list[str]]] = {
    "?hospital": lambda: [
        row["ykiho"]
        for group in ("1", "11", "31")
        for row in fetch_rows("hospInfoServicev2.getHospBasisList", sidoCd=110000, clCd=group)[:4]
    ],
}


@cache
def examples(name: str) -> list[str]:
    return _SEVERAL[name]() if name in _SEVERAL else [example(name)]


JUSO = {name: name for name in ("admCd", "rnMgtSn", "udrtYn", "buldMnnm", "buldSlno")}
TAX: Row = {"bsnsDivCd": 1, "opengBgnDt": "202606010000", "opengEndDt": "202606052359", "numOfRows": 30}
BOX = {"minX": 126.8, "maxX": 127.2, "minY": 37.4, "maxY": 37.7}

# What every operation of a service wants, by the service.
COMMON: dict[str, Row] = {"KorService2": {"MobileOS": "ETC", "MobileApp": "edge"}}
# The call that gives the records of a source; what is not named is called with no parameter.
START: dict[str | tuple[str, str], Row] = {
    "6410000.getBusRouteListv2": {"keyword": "1"},
    "6410000.getBusStationViaRouteListv2": {"stationId": "?gyeonggi"},
    "ApHusBidPblAncInfoOfferServiceV2.getHsmpNmSearchV2": {"bidKaptname": "한솔", "searchYear": "2025"},
    "AptAccnutReportService2.getAccnutReportList2": {"bjdCode": "11680"},
    "ArpltnInforInqireSvc.getCtprvnRltmMesureDnsty": {"sidoName": "서울"},
    "ArpltnStatsSvc.getCtprvnMesureSidoLIst": {"sidoName": "경기", "searchCondition": "HOUR"},
    "ArvlInfoInqireService.getSttnAcctoArvlPrearngeInfoList": {"cityCode": 25, "nodeId": "?stop"},
    "BldRgstHubService.getBrTitleInfo": {"sigunguCd": "11680", "bjdongCd": "10100"},
    "BusLcInfoInqireService.getRouteAcctoBusLcList": {"cityCode": 25, "routeId": "?route"},
    "BusRouteInfoInqireService.getRouteNoList": {"cityCode": 25},
    "BusSttnInfoInqireService.getCrdntPrxmtSttnList": {"gpsLati": 36.355, "gpsLong": 127.384, "numOfRows": 60},
    "BusSttnInfoInqireService.getSttnNoList": {"cityCode": 25, "numOfRows": 60},
    "BusSttnInfoInqireService.getSttnThrghRouteList": {"cityCode": 25, "nodeid": "?stop"},
    "CntrctProcssIntgOpenService.getCntrctProcssIntgOpenServc": {"inqryDiv": 1, "bidNtceNo": "?tender"},
    "DrbEasyDrugInfoService.getDrbEasyDrugList": {"itemName": "정"},
    "EmergencyInformationService.getEmgVehicleInfo": {"rsacGutFsttOgidNm": "강남소방서"},
    "EmergencyStatisticsService.get119EmgencyActivityStats": {"sidoHqOgidNm": "서울소방재난본부", "rcptYm": "202604"},
    "ErmctInfoInqireService.getEgytListInfoInqire": {"Q0": "서울특별시", "numOfRows": 50},
    "ErmctInfoInqireService.getEmrrmRltmUsefulSckbdInfoInqire": {"STAGE1": "서울특별시", "STAGE2": "강남구"},
    "ErmctInsttInfoInqireService.getParmacyListInfoInqire": {"Q0": "서울특별시", "Q1": "강남구"},
    "EvCharger.getChargerInfo": {"zcode": 11},
    "FcltsSafetyInfoService2025.getFcltsInfoSearch_4": {"fclts_nm": "전통시장"},
    "GetCorpBasicInfoService_V2.getCorpOutline_V2": {"corpNm": "전자"},
    "GetKrxListedInfoService.getItemInfo": {"numOfRows": 5},
    "HsptlAsembySearchService.getHsptlMdcncListInfoInqire": {"Q0": "서울특별시", "Q1": "강남구"},
    "ImpactInfoServiceV2.getHWImpactValueV2": {"tm": "20260614"},
    "addrlink.addrLinkApi": {"keyword": "강남구 역삼동"},
    "assembly.ncwgseseafwbuheph": {"DAE_NUM": 22, "CONF_DATE": "2026"},
    "assembly.nqfvrbsdafrmuzixe": {"AGE": 22, "DT": "2026-06-11"},
    "assembly.PTTRCP": {"ERACO": "제22대"},
    "building_sanitation.info": {"pageNo": 1, "numOfRows": 100},
    "KorService2.areaBasedList2": {"areaCode": 1},
    "KorService2.searchFestival2": {"eventStartDate": "20260501", "numOfRows": 80},
    "KorService2.searchKeyword2": {"keyword": "공원", "numOfRows": 20},
    "MidFcstInfoService.getMidLandFcst": {"regId": "11B00000", "tmFc": "202606150600"},
    "MidFcstInfoService.getMidTa": {"regId": "11B10101", "tmFc": "202606150600"},
    "MsrstnInfoInqireSvc.getMsrstnList": {"addr": "서울"},
    "MsrstnInfoInqireSvc.getNearbyMsrstnList": {"tmX": 200089.1, "tmY": 453946.4},
    "MsrstnInfoInqireSvc.getTMStdrCrdnt": {"umdName": "혜화동"},
    "NpsBplcInfoInqireServiceV2.getBassInfoSearchV2": {"wkplNm": "전자"},
    "PblJobService.getList": {"Pblanc_ty": "e01", "Sort_order": 1},
    "PubDataOpnStdService.getDataSetOpnStdScsbidInfo": TAX,
    "RTMSDataSvcAptTradeDev.getRTMSDataSvcAptTradeDev": {"LAWD_CD": "11680", "DEAL_YMD": "202605"},
    "SchoolInfoService.getSchoolInfo": {"svyYr": "2025", "schlKrnNm": "대학"},
    "SpcdeInfoService.getRestDeInfo": {"solYear": 2026, "solMonth": "05"},
    "StanReginCd.getStanReginCdList": {"locatadd_nm": "서울특별시 강남구", "numOfRows": 50},
    "StockSvc.getShotnByMartN1": {"martTpcd": 12},
    "StockSvc.getStkIsinByNmN1": {"secnNm": "전자"},
    "SubwayInfo.GetKwrdFndSubwaySttnList": {"subwayStationName": "서울"},
    "TrainInfo.GetCtyAcctoTrainSttnList": {"cityCode": 11},
    "TrainInfo.GetStrtpntAlocFndTrainInfo": {
        "depPlaceId": "NAT010000",
        "arrPlaceId": "NAT011668",
        "depPlandTime": "20260616",
    },
    "VilageFcstInfoService_2.0.getUltraSrtFcst": {
        "base_date": "20260615",
        "base_time": "0930",
        "nx": 60,
        "ny": 127,
    },
    "WthrWrnInfoService.getWthrWrnList": {"numOfRows": 30},
    "assembly.ALLBILL": {"BILL_NO": "?promulgated"},
    "assembly.nktulghcadyhmiqxi": {"DEPT_CD": "9700512"},
    "assembly.nzmimeepazxkubdpn": {"AGE": 22},
    "data4library.srchBooks": {"keyword": "역사"},
    "dart.company": {"corp_code": "?listed"},
    "dart.cvbdIsDecsn": {"bgn_de": "20250601", "end_de": "20260615", "corp_code": "?bond"},
    "dart.fnlttSinglAcnt": {"corp_code": "?listed", "bsns_year": 2024, "reprt_code": "11011"},
    "dart.list": {"corp_cls": "Y"},
    "dart.majorstock": {"corp_code": "?held"},
    "ecos.StatisticItemList": {"STAT_CODE": "722Y001"},
    "gj_bis.lineStationInfo": {"LINE_ID": "?line"},
    "hospInfoServicev2.getHospBasisList": {"sidoCd": 110000, "clCd": "11", "numOfRows": 30},
    "its.eventInfo": BOX | {"type": "all", "eventType": "all"},
    "its.trafficInfo": BOX | {"type": "all"},
    "its.vdsInfo": BOX,
    "kosis.list": {"vwCd": "MT_ZTITLE", "parentListId": "A", "jsonVD": "Y"},
    "kosis.meta_itm": {"orgId": "101", "tblId": "?table", "jsonVD": "Y"},
    "kosis.meta_prd": {"orgId": "101", "tblId": "?table", "jsonVD": "Y"},
    "kosis.search": {"searchNm": "인구", "jsonVD": "Y"},
    "krx.stk_isu_base_info": {"basDd": "20260611"},
    "law.detail": {"LM": "소득세법"},
    "law.linked_ordin_by_law": {"query": "자동차"},
    "law.search": {"query": "자동차"},
    "local.coord2regioncode": {"x": 127.047, "y": 37.517},
    "local.searchAddress": {"query": "강남구 역삼동"},
    "local.searchKeyword": {"query": "강남 약국"},
    "lofin.AJGCF": {"fyr": 2025},
    "lofin.JFIED": {"fyr": 2025},
    "neis.acaInsTiInfo": {"ATPT_OFCDC_SC_CODE": "B10"},
    "nec.getWinnerInfoInqire": {"sgId": "20220601", "sgTypecode": 3},
    "openData_3.CntrwkList": {"startdate": "20260101", "enddate": "20260601"},
    "publicYmList.publicYmListApi": {"jobSeCode": "0001"},
    "rone.SttsApiTblData": {"STATBL_ID": "?index", "DTACYCLE_CD": "MM"},
    "schoolinfo.openApi": {"apiType": "0", "sidoCode": "11", "sggCode": "11680", "schulKndCode": "03"},
    "sdsc2.middleUpjongList": {"indsLclsCd": "I2"},
    "sdsc2.smallUpjongList": {"indsLclsCd": "I2"},
    "sdsc2.storeListInDong": {"divId": "signguCd", "key": "11680"},
    "sdsc2.storeZoneInRadius": {"cx": "127.0276", "cy": "37.4979", "radius": "2000"},
    "seoul.CardBusStatisticsServiceNew": {"USE_YMD": "20260610"},
    "seoulsubway.realtimeStationArrival": {"statnNm": "강남"},
    "sgis.auth": {"consumer_secret": "secret"},
    "topis.getBusPosByRtid": {"busRouteId": "100100073"},
    "topis.getBusRouteList": {"strSrch": "472"},
    "topis.getStaionByRoute": {"busRouteId": "100100073"},
    "topis.getStationByName": {"stSrch": "역"},
    f"{SERVICE}CnstwkPPSSrch": JUNE,
    f"{SERVICE}ServcPPSSrch": JUNE,
    f"{SERVICE}ThngPPSSrch": JUNE,
    ("assembly.nzmimeepazxkubdpn", "assembly.BILLJUDGECONF"): {"AGE": 22, "PROC_RESULT": "원안가결"},
    ("local.searchAddress", "seoul.SPOP_LOCAL_RESD_DONG"): {"query": "강남구 테헤란로"},
    ("local.searchKeyword", "6410000.getBusStationAroundListv2"): {"query": "팔달 병원"},
    ("dart.list", "dart.fnlttXbrl"): {"pblntf_ty": "A", "corp_cls": "Y", "bgn_de": "20260301", "end_de": "20260331"},
    ("neis.schoolInfo", "neis.hisTimetable"): {"SCHUL_KND_SC_NM": "고등학교"},
}

_CITY: Needs = {"cityCode": "=25"}
_MID: Needs = {"tmFc": "=202606150600"}
_SCHOOL: Needs = {"ATPT_OFCDC_SC_CODE": "ATPT_OFCDC_SC_CODE", "SD_SCHUL_CODE": "SD_SCHUL_CODE"}
_PAGE: Needs = {"pageNo": "=1", "numOfRows": "=10"}
_BY_NUMBER: Needs = {"inqryDiv": "=2"}
_POSTINGS: Needs = {"Pblanc_ty": "=e01", "Sort_order": "=1"}
_BOX: Needs = {name: f"={value}" for name, value in BOX.items()}
_TABLE: Needs = {"orgId": "=101", "tblId": "=?table", "jsonVD": "=Y", "prdSe": "=Y", "newEstPrdCnt": "=1"}
_FIGURES: Needs = _TABLE | {"itmId": "=ALL", "objL1": "=ALL", "objL2": "=ALL"}
_RADIUS: Needs = {"radius": "=3000"}

# What else a target needs; never the parameter that is being fed.
# Keyed by (source, target), by (source, parameter) or by the target.
NEEDS: dict[str | tuple[str, str], Needs] = {
    "6410000.getBusArrivalItemv2": {"stationId": "=?gyeonggi", "staOrder": "staOrder"},
    "6410000.getBusStationAroundListv2": {"y": "y"},
    "AptAccnutReportService2.getHsmpAccnutReportInfoV5": {"audtYear": "audtYear"},
    "ArpltnInforInqireSvc.getMsrstnAcctoRltmMesureDnsty": {"dataTerm": "=DAILY"},
    "ArpltnStatsSvc.getMsrstnAcctoRDyrg": {"inqBginDt": "=20260601", "inqEndDt": "=20260603"},
    "ArvlInfoInqireService.getSttnAcctoArvlPrearngeInfoList": _CITY,
    ("ArvlInfoInqireService.getCtyCodeList", "ArvlInfoInqireService.getSttnAcctoArvlPrearngeInfoList"): {
        "nodeId": "=?stop"
    },
    ("BusSttnInfoInqireService.getCrdntPrxmtSttnList", "ArvlInfoInqireService.getSttnAcctoArvlPrearngeInfoList"): {
        "cityCode": "citycode",
        "nodeId": "nodeid",
    },
    "BldRgstHubService.getBrTitleInfo": {"sigunguCd": "sggCd", "bjdongCd": "umdCd", "bun": "bonbun", "ji": "bubun"},
    ("addrlink.addrLinkApi", "BldRgstHubService.getBrTitleInfo"): {"sigunguCd": "admCd:first5"},
    "BusLcInfoInqireService.getRouteAcctoBusLcList": _CITY,
    "BusLcInfoInqireService.getRouteAcctoSpcifySttnAccesBusLcInfo": _CITY | {"nodeId": "nodeid"},
    "BusRouteInfoInqireService.getRouteInfoIem": _CITY,
    "BusSttnInfoInqireService.getSttnThrghRouteList": _CITY,
    ("KorService2.searchFestival2", "BusSttnInfoInqireService.getCrdntPrxmtSttnList"): {"gpsLong": "mapx"},
    ("local.searchKeyword", "BusSttnInfoInqireService.getCrdntPrxmtSttnList"): {"gpsLati": "y"},
    "CntrctProcssIntgOpenService.getCntrctProcssIntgOpenServc": _BY_NUMBER,
    (f"{SERVICE}ServcPPSSrch", "CntrctProcssIntgOpenService.getCntrctProcssIntgOpenServc"): {
        "inqryDiv": "=1",
        "bidNtceNo": "bidNtceNo",
    },
    "DSSP.DSSP-IF-00247": {"crtDt": "=20260501"},
    "EmergencyInformationService.getEmgVehicleDispatchInfo": {"stmtYm": "=202604"},
    "EmergencyInformationService.getEmgencyActivityInfo": {"rsacGutFsttOgidNm": "rsacGutFsttOgidNm"},
    "ErmctInfoInqireService.getEgytLcinfoInqire": {"WGS84_LON": "x", "WGS84_LAT": "y"},
    "ErmctInfoInqireService.getEmrrmRltmUsefulSckbdInfoInqire": {"STAGE1": "siNm", "STAGE2": "sggNm"},
    "ErmctInsttInfoInqireService.getParmacyLcinfoInqire": {"WGS84_LAT": "y"},
    ("HsptlAsembySearchService.getHsptlMdcncListInfoInqire", "ErmctInsttInfoInqireService.getParmacyLcinfoInqire"): {
        "WGS84_LAT": "wgs84Lat",
    },
    "FcltsSafetyInfoService2025.getFcltsInfoSearch_4": {
        "fclts_nm": "=어린이집",
        "ldong_addr_mgpl_dg_cd": "region_cd:first2",
    },
    "FinancesService.getComparisonTuitionCrntSt": {"svyYr": "svyYr"},
    "BasicInformationService_1.getUniversityMajorCode": {"svyYr": "svyYr"},
    "GetFinaStatInfoService_V2.getBs_V2": {"bizYear": "=2024"},
    "GetFinaStatInfoService_V2.getSummFinaStat_V2": {"bizYear": "=2025"},
    # The bound is exclusive: from a day up to the same day there is none.
    ("SpcdeInfoService.getRestDeInfo", "endBasDt"): {"beginBasDt": "locdate"},
    "hospAsmInfoService1.getHospAsmInfo1": _PAGE,
    "hospInfoServicev2.getHospBasisList": {"xPos": "x", "radius": "=2000"},
    "KorService2.areaBasedList2": {"lDongRegnCd": "region_cd:first2"},
    ("KorService2.areaBasedList2", "KorService2.areaBasedList2"): {},
    "KorService2.detailIntro2": {"contentId": "contentid", "contentTypeId": "contenttypeid"},
    ("KorService2.searchKeyword2", "KorService2.locationBasedList2"): _RADIUS | {"mapY": "mapy"},
    ("local.searchKeyword", "KorService2.locationBasedList2"): _RADIUS | {"mapX": "x"},
    ("addrlink.addrCoordApi", "KorService2.locationBasedList2"): _RADIUS | {"mapY": "entY"},
    ("building_sanitation.info", "KorService2.locationBasedList2"): _RADIUS | {"mapY": "CRD_INFO_Y:strip"},
    "LivingWthrIdxServiceV5.getUVIdxV5": {"time": "=2026061506"},
    "MidFcstInfoService.getMidSeaFcst": _MID,
    "MidFcstInfoService.getMidTa": _MID,
    "MsrstnInfoInqireSvc.getNearbyMsrstnList": {"tmX": "tmX"},
    ("hospInfoServicev2.getHospBasisList", "pharmacyInfoService.getParmacyBasisList"): {},
    "PblJobService.getList": _POSTINGS,
    "RTMSDataSvcAptRent.getRTMSDataSvcAptRent": {"DEAL_YMD": "=202605"},
    "RTMSDataSvcAptTrade.getRTMSDataSvcAptTrade": {"DEAL_YMD": "=202605"},
    "SpcdeInfoService.getRestDeInfo": {"solYear": "eventstartdate:year"},
    "SubwayInfo.GetSubwaySttnAcctoSchdulList": {"dailyTypeCode": "=01", "upDownTypeCode": "=U"},
    "TrainInfo.GetStrtpntAlocFndTrainInfo": {
        "depPlaceId": "=NAT014445",
        "arrPlaceId": "=NAT014445",
        "depPlandTime": "=20260616",
    },
    ("TrainInfo.GetStrtpntAlocFndTrainInfo",) * 2: {"depPlaceId": "=NAT010000", "arrPlaceId": "=NAT011668"},
    "VilageFcstInfoService_2.0.getVilageFcst": {"base_date": "=20260615", "base_time": "=0800"},
    ("VilageFcstInfoService_2.0.getUltraSrtFcst", "VilageFcstInfoService_2.0.getVilageFcst"): {
        "base_date": "baseDate",
        "nx": "nx",
        "ny": "ny",
    },
    "WthrWrnInfoService.getWthrWrnMsg": {"stnId": "stnId"},
    "addrlink.addrCoordApi": JUSO,
    "assembly.ALLBILL": {"BILL_NO": "BILL_NO"},
    "assembly.nttmdfdcaakvibdar": {"UNIT_CD": "=100022"},
    "assembly.nzmimeepazxkubdpn": {"AGE": "=22"},
    "data4library.bookExist": {"libCode": "=111001"},
    "data4library.libSrchByBook": {"region": "=31"},
    "dart.fnlttMultiAcnt": {"bsns_year": "=2024", "reprt_code": "=11011"},
    "dart.fnlttSinglAcnt": {"bsns_year": "=2024", "reprt_code": "=11011"},
    "dart.fnlttXbrl": {"reprt_code": "=11011"},
    "ecos.StatisticSearch": {
        "STAT_CODE": "STAT_CODE",
        "CYCLE": "CYCLE:or_monthly",
        "FROM": "CYCLE:cycle_start",
        "TO": "CYCLE:cycle_end",
    },
    "ex.trafficIc": {"tmType": "=1", "inoutType": "=0"},
    "ex.realUnitTrtm": {"iEndUnitCode": "=103", "iStartEndStdTypeCode": "=1"},
    "frequentzoneLg.getRestFrequentzoneLg": {"siDo": "region_cd:first2", "searchYearCd": "=2024"},
    "its.trafficInfo": _BOX | {"type": "=its"},
    "kosis.data": _FIGURES,
    "kosis.list": {"vwCd": "=MT_ZTITLE", "jsonVD": "=Y"},
    "kosis.meta_itm": {"tblId": "TBL_ID", "jsonVD": "=Y"},
    "law.article": {"ID": "법령ID"},
    "local.coord2regioncode": {"y": "coordY"},
    ("seoul.AccInfo", "local.coord2regioncode"): {"y": "grs80tm_y"},
    "lofin.QWGJK": {"fyr": "=2025", "exe_ymd": "=20250630"},
    "nec.getCnddtElecPrmsInfoInqire": {"sgId": "sgId", "sgTypecode": "sgTypecode"},
    "nec.getWinnerInfoInqire": {"sgId": "sgId"},
    "neis.SchoolSchedule": _SCHOOL,
    "neis.classInfo": _SCHOOL,
    "neis.hisTimetable": _SCHOOL,
    "neis.mealServiceDietInfo": _SCHOOL,
    ("schoolinfo.openApi", "neis.mealServiceDietInfo"): {"ATPT_OFCDC_SC_CODE": "=B10"},
    "neis.schoolMajorinfo": {"ATPT_OFCDC_SC_CODE": "=B10"},
    "rone.SttsApiTblData": {"STATBL_ID": "STATBL_ID"},
    "sdsc2.storeListInRadius": {"cx": "=127.0276", "cy": "=37.4979", "radius": "=3000"},
    ("local.searchAddress", "sdsc2.storeListInRadius"): {"cy": "y", "radius": "=1500"},
    "seoul.CardSubwayStatsNew": {"USE_YMD": "=20260610"},
    "seoul.SPOP_LOCAL_RESD_DONG": {"STDR_DE_ID": "=20260608", "TMZON_PD_SE": "=09"},
    "seoul.SearchSTNTimeTableByIDService": {"WEEK_TAG": "=1", "INOUT_TAG": "=1"},
    "sgis.hadmarea": {"year": "=2024", "accessToken": "accessToken"},
    "stdgSexdAgePpltn.selectStdgSexdAgePpltn": {
        "srchFrYm": "=202604",
        "srchToYm": "=202604",
        "lv": "=3",
        "regSeCd": "=1",
    },
    "topis.getArrInfoByRoute": {"stId": "station", "busRouteId": "busRouteId"},
    "topis.getStationByPos": {"tmY": "tmY", "radius": "=500"},
    ("local.searchKeyword", "topis.getStationByPos"): {"tmY": "y", "radius": "=500"},
    ("topis.getStationByName", "topis.getStationByPos"): {"tmY": "posY", "radius": "=500"},
    f"{SERVICE}ChgHstryCnstwk": _BY_NUMBER,
    f"{SERVICE}EorderAtchFileInfo": _BY_NUMBER,
    f"{SERVICE}LicenseLimit": _BY_NUMBER,
    # The wrong link leaves the switch at 1: the number is there, the days are not.
    f"{SERVICE}Servc": {"inqryDiv": "=1"},
    f"{SERVICE}ThngBsisAmount": _BY_NUMBER,
}

# How the value of a sound link changes on its way, by source and parameter; wrong links send it as it is.
CHANGES: dict[tuple[str, str], str] = {
    ("GetKrxListedInfoService.getItemInfo", "likeSrtnCd"): "without_a",
    ("KorService2.searchFestival2", "solMonth"): "month",
    ("PubDataOpnStdService.getDataSetOpnStdScsbidInfo", "b_no"): "digits",
    ("SpcdeInfoService.getRestDeInfo", "basDt"): "trading_day_before",
    ("StanReginCd.getStanReginCdList", "LAWD_CD"): "first5",
    ("StanReginCd.getStanReginCdList", "guGun"): "third_to_fifth",
    ("StanReginCd.getStanReginCdList", "lDongRegnCd"): "first2",
    ("StanReginCd.getStanReginCdList", "lDongSignguCd"): "third_to_fifth",
    ("StanReginCd.getStanReginCdList", "ldong_addr_mgpl_sggu_cd"): "third_to_fifth",
    ("StanReginCd.getStanReginCdList", "sigunguCode"): "first5",
    ("StanReginCd.getStanReginCdList", "zcode"): "first2",
    ("StanReginCd.getStanReginCdList", "zscode"): "first5",
    ("WthrWrnInfoService.getWthrWrnList", "toTmFc"): "first8",
    ("addrlink.addrLinkApi", "bjdongCd"): "from_sixth",
    ("addrlink.addrLinkApi", "sidoName"): "short",
    ("ex.locationinfoUnit", "iStartUnitCode"): "strip",
    ("ex.locationinfoUnit", "unitCode"): "strip",
    ("local.coord2regioncode", "LAWD_CD"): "first5",
    ("local.searchAddress", "ADSTRD_CODE_SE"): "first8",
    ("rone.SttsApiTbl", "DTACYCLE_CD"): "first_cycle",
}

# Parameters whose name here differs from the documents' (positional paths have none).
PARAMETERS = {"통계표코드": "STAT_CODE", "통계항목코드1": "ITEM1"}
# Where a label names one field and means another of the same record.
FIELDS = {("local.coord2regioncode", "locatadd_nm"): "address_name"}
# Rows that a label speaks of: {field: value, or "!value" for any other}, by (source, parameter, soundness).
ROWS: dict[tuple[str, str, bool], Row] = {
    ("ArvlInfoInqireService.getCtyCodeList", "cityCode", True): {"citycode": "25"},
    # Of a hundred thousand companies only the listed ones file for certain.
    ("dart.corpCode", "corp_code", True): {"stock_code": "!"},
    ("kosis.meta_itm", "itmId", True): {"OBJ_ID": "ITEM"},
    ("kosis.meta_itm", "objL1", True): {"OBJ_ID": "!ITEM"},
    ("local.coord2regioncode", "LAWD_CD", True): {"region_type": "B"},
    ("local.coord2regioncode", "bjdCode", False): {"region_type": "H"},
    ("local.coord2regioncode", "locatadd_nm", True): {"region_type": "B"},
    ("local.coord2regioncode", "ADSTRD_CODE_SE", False): {"region_type": "B"},
}


def projected(row: Row) -> Row:
    """Degrees of a record as a square of the weather grid; the two numbers go together."""
    lon, lat = (float(row[name]) for name in (("x", "y") if "x" in row else ("mapx", "mapy")))
    nx, ny = kma_grid(lon, lat)
    return {"nx": nx, "ny": ny}


def start_of(source: str, target: str) -> Row:
    """The call whose records feed this target."""
    return COMMON.get(source.split(".")[0], {}) | START.get((source, target), START.get(source, {}))


def needs_of(source: str, target: str, parameter: str) -> Needs:
    """What the target needs beside the parameter: the narrowest entry counts."""
    found = NEEDS.get((source, parameter), NEEDS.get((source, target), NEEDS.get(target, {})))
    common = {name: f"={value}" for name, value in COMMON.get(target.split(".")[0], {}).items()}
    return {name: text for name, text in (common | dict(found)).items() if name != parameter}


# Sound links of which some records lead nowhere, on the platforms too: no bus on the way, no such paper, a day at sea.
SPARSE = {
    ("6410000.getBusStationViaRouteListv2", "6410000.getBusArrivalItemv2"),
    ("BusSttnInfoInqireService.getCrdntPrxmtSttnList", "ArvlInfoInqireService.getSttnAcctoArvlPrearngeInfoList"),
    ("BusSttnInfoInqireService.getSttnNoList", "BusSttnInfoInqireService.getSttnThrghRouteList"),
    ("ErmctInfoInqireService.getEgytListInfoInqire", "ErmctInfoInqireService.getEmrrmSrsillDissMsgInqire"),
    ("KorService2.searchFestival2", "BusSttnInfoInqireService.getCrdntPrxmtSttnList"),
    ("KorService2.searchFestival2", "SpcdeInfoService.getRestDeInfo"),
    ("StanReginCd.getStanReginCdList", "LivingWthrIdxServiceV5.getUVIdxV5"),
    ("TrainInfo.GetCtyAcctoTrainSttnList", "TrainInfo.GetStrtpntAlocFndTrainInfo"),
    ("TrainInfo.GetCtyCodeList", "TrainInfo.GetCtyAcctoTrainSttnList"),
    ("assembly.nxrvzonlafugpqjuh", "assembly.nttmdfdcaakvibdar"),
    ("ecos.StatisticTableList", "ecos.StatisticSearch"),
    ("law.search", "law.prec_search"),
    ("local.searchKeyword", "6410000.getBusStationAroundListv2"),
    ("local.searchKeyword", "BusSttnInfoInqireService.getCrdntPrxmtSttnList"),
    ("local.searchKeyword", "topis.getStationByPos"),
    ("lofin.JFIED", "lofin.QWGJK"),
    ("nec.getCommonSgCodeList", "nec.getWinnerInfoInqire"),
    (f"{SERVICE}CnstwkPPSSrch", f"{SERVICE}ChgHstryCnstwk"),
    (f"{SERVICE}ServcPPSSrch", f"{SERVICE}EorderAtchFileInfo"),
    (f"{SERVICE}ServcPPSSrch", f"{SERVICE}LicenseLimit"),
}
