"""Every labelled link whose ends the sandbox serves: sound ones carry a value across, wrong ones come back empty."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from gateway_client import Answer, ask_any, operations
from later_operations import LATER

from edge.sandbox.catalogue import load_platforms
from edge.sandbox.world.coordinates import kma_grid

FACTS = Path(__file__).parents[3] / "shared" / "facts" / "labelled_links.json"
Row = dict[str, Any]

SHORT = {"서울특별시": "서울", "경기도": "경기", "부산광역시": "부산"}
TRANSFORMS: dict[str, Callable[[str], str]] = {
    "": lambda v: v,
    "first2": lambda v: v[:2],
    "first5": lambda v: v[:5],
    "digits345": lambda v: v[2:5],
    "first8": lambda v: v[:8],
    "year": lambda v: v[:4],
    "month": lambda v: v[4:6],
    "bare": lambda v: v.removeprefix("A"),
    "short": lambda v: SHORT.get(v, v),
    "words3": lambda v: " ".join(v.split()[:3]),
}

# How to get records from a source operation: parameter sets, tried in turn.
SOURCES: dict[str, list[Row]] = {
    "StanReginCd.getStanReginCdList": [{"locatadd_nm": "서울특별시 강남구", "numOfRows": 50}],
    "WthrWrnInfoService.getWthrWrnList": [{"numOfRows": 30}],
    "GetKrxListedInfoService.getItemInfo": [{"numOfRows": 5}],
    "BusSttnInfoInqireService.getCtyCodeList": [{}],
    "BusRouteInfoInqireService.getCtyCodeList": [{}],
    "ArvlInfoInqireService.getCtyCodeList": [{}],
    "BusSttnInfoInqireService.getSttnNoList": [{"cityCode": 25, "numOfRows": 60}],
    "BusSttnInfoInqireService.getSttnThrghRouteList": [{"cityCode": 25, "nodeid": "?stop"}],
    "BusSttnInfoInqireService.getCrdntPrxmtSttnList": [{"gpsLati": 36.355, "gpsLong": 127.384, "numOfRows": 60}],
    "BusRouteInfoInqireService.getRouteNoList": [{"cityCode": 25}],
    "BusLcInfoInqireService.getRouteAcctoBusLcList": [{"cityCode": 25, "routeId": "?route"}],
    "ArvlInfoInqireService.getSttnAcctoArvlPrearngeInfoList": [{"cityCode": 25, "nodeId": "?stop"}],
    "local.coord2regioncode": [{"x": 127.047, "y": 37.517}, {"x": 127.03, "y": 37.51}],
    "local.searchKeyword": [{"query": "둔산 병원"}, {"query": "강남 약국"}, {"query": "둔산"}],
    "local.searchAddress": [{"query": "강남구 역삼동"}],
    "KorService2.searchKeyword2": [{"keyword": "공원", "numOfRows": 20}],
    "KorService2.searchFestival2": [{"eventStartDate": "20260501", "numOfRows": 80}],
    "KorService2.areaBasedList2": [{"areaCode": 1}],
    "ErmctInfoInqireService.getEmrrmRltmUsefulSckbdInfoInqire": [{"STAGE1": "서울특별시", "STAGE2": "강남구"}],
    "ErmctInfoInqireService.getEgytListInfoInqire": [{"Q0": "서울특별시", "numOfRows": 50}],
    "TrainInfo.GetCtyCodeList": [{}],
    "TrainInfo.GetCtyAcctoTrainSttnList": [{"cityCode": 11}],
    "TrainInfo.GetStrtpntAlocFndTrainInfo": [
        {"depPlaceId": "NAT010000", "arrPlaceId": "NAT011668", "depPlandTime": "20260616"}
    ],
    "ArpltnInforInqireSvc.getUnityAirEnvrnIdexSnstiveAboveMsrstnList": [{}],
    "ArpltnInforInqireSvc.getCtprvnRltmMesureDnsty": [{"sidoName": "서울"}],
    "MsrstnInfoInqireSvc.getMsrstnList": [{"addr": "서울"}],
    "MsrstnInfoInqireSvc.getTMStdrCrdnt": [{"umdName": "혜화동"}],
    "MsrstnInfoInqireSvc.getNearbyMsrstnList": [{"tmX": 200089.1, "tmY": 453946.4}],
    "addrlink.addrLinkApi": [{"keyword": "강남구 역삼동"}],
    "hospInfoServicev2.getHospBasisList": [{"sidoCd": 110000, "clCd": "11", "numOfRows": 30}],
    "HsptlAsembySearchService.getHsptlMdcncListInfoInqire": [{"Q0": "서울특별시", "Q1": "강남구"}],
    "ErmctInsttInfoInqireService.getParmacyListInfoInqire": [{"Q0": "서울특별시", "Q1": "강남구"}],
    "EvCharger.getChargerInfo": [{"zcode": 11}],
    "SpcdeInfoService.getRestDeInfo": [{"solYear": 2026, "solMonth": "05"}],
    "GetCorpBasicInfoService_V2.getCorpOutline_V2": [{"corpNm": "전자"}],
    "dart.company": [{"corp_code": "?listed"}],
    "MidFcstInfoService.getMidTa": [{"regId": "11B10101", "tmFc": "202606150600"}],
    "MidFcstInfoService.getMidLandFcst": [{"regId": "11B00000", "tmFc": "202606150600"}],
    "VilageFcstInfoService_2.0.getUltraSrtFcst": [{"base_date": "20260615", "base_time": "0930", "nx": 60, "ny": 127}],
    "addrlink.addrCoordApi": [{"admCd": "?", "rnMgtSn": "?", "udrtYn": "?", "buldMnnm": "?", "buldSlno": "?"}],
}

# What else a target needs: "=constant", or "field" / "field:transform" of the same source record.
Needs = dict[str, str]
NOW = {"base_date": "=20260615", "base_time": "=0800"}
TERM = {"dataTerm": "=DAILY"}
DAYS = {"inqBginDt": "=20260601", "inqEndDt": "=20260603"}
CITY = {"cityCode": "=25"}
JUSO = {name: name for name in ("admCd", "rnMgtSn", "udrtYn", "buldMnnm", "buldSlno")}
OTHER_NEEDS: dict[tuple[str, str], Needs] = {
    ("getWthrWrnMsg", "toTmFc"): {"stnId": "stnId"},
    ("getWthrWrnMsg", "fromTmFc"): {"stnId": "stnId"},
    ("getMsrstnAcctoRltmMesureDnsty", ""): TERM,
    ("getMsrstnAcctoRDyrg", ""): DAYS,
    ("getRouteAcctoBusLcList", ""): CITY,
    ("getRouteInfoIem", ""): CITY,
    ("getSttnThrghRouteList", ""): CITY,
    ("getSttnAcctoArvlPrearngeInfoList", "nodeId"): CITY,
    ("getUVIdxV5", ""): {"time": "=2026061506"},
    ("getRTMSDataSvcAptTrade", ""): {"DEAL_YMD": "=202605"},
    ("addrCoordApi", ""): JUSO,
    ("DSSP-IF-00247", ""): {"crtDt": "=20260501"},
    ("getEgytLcinfoInqire", ""): {"WGS84_LON": "x", "WGS84_LAT": "y"},
    ("getSummFinaStat_V2", ""): {"bizYear": "=2025"},
    ("getMidSeaFcst", ""): {"tmFc": "=202606150600"},
    ("getMidTa", ""): {"tmFc": "=202606150600"},
    ("getVilageFcst", "base_time"): {"base_date": "baseDate", "nx": "nx", "ny": "ny"},
    ("detailIntro2", "contentId"): {"contentTypeId": "contenttypeid"},
    ("detailIntro2", "contentTypeId"): {"contentId": "contentid"},
    ("GetStrtpntAlocFndTrainInfo", "depPlaceId"): {"arrPlaceId": "=NAT014445", "depPlandTime": "=20260616"},
    ("GetStrtpntAlocFndTrainInfo", "arrPlaceId"): {"depPlaceId": "=NAT014445", "depPlandTime": "=20260616"},
    ("GetStrtpntAlocFndTrainInfo", "depPlandTime"): {"depPlaceId": "=NAT010000", "arrPlaceId": "=NAT011668"},
    ("getRestDeInfo", "solMonth"): {"solYear": "eventstartdate:year"},
    ("getHospAsmInfo1", ""): {"pageNo": "=1", "numOfRows": "=10"},
}
# Needs that also depend on the source operation.
PAIR_NEEDS: dict[tuple[str, str], Needs] = {
    ("getCrdntPrxmtSttnList", "cityCode"): {"nodeId": "nodeid"},
    ("ArvlInfoInqireService.getCtyCodeList", "cityCode"): {"nodeId": "?node"},
    ("searchKeyword2", "mapX"): {"mapY": "mapy", "radius": "=3000"},
    ("local.searchKeyword", "mapY"): {"mapX": "x", "radius": "=3000"},
    ("addrCoordApi", "mapX"): {"mapY": "entY", "radius": "=3000"},
    ("local.searchKeyword", "gpsLong"): {"gpsLati": "y"},
    ("searchFestival2", "gpsLati"): {"gpsLong": "mapx"},
    ("local.searchKeyword", "WGS84_LON"): {"WGS84_LAT": "y"},
    ("getHsptlMdcncListInfoInqire", "WGS84_LON"): {"WGS84_LAT": "wgs84Lat"},
    ("getTMStdrCrdnt", "tmY"): {"tmX": "tmX"},
    ("local.searchAddress", "yPos"): {"xPos": "x", "radius": "=2000"},
    ("getHospBasisList", "xPos"): {"yPos": "YPos", "radius": "=2000"},
    ("addrLinkApi", "STAGE1"): {"STAGE2": "sggNm"},
    ("addrLinkApi", "STAGE2"): {"STAGE1": "siNm"},
    ("getStanReginCdList", "lDongSignguCd"): {"lDongRegnCd": "region_cd:first2"},
    ("local.searchAddress", "nx"): NOW | {"ny": "@y"},
    ("searchFestival2", "nx"): NOW | {"ny": "@mapy"},
}
# The transform of the linked value itself; links not named here pass it as it is.
VALUE: dict[tuple[str, str], str] = {
    ("getWthrWrnList", "toTmFc"): "first8",
    ("getStanReginCdList", "LAWD_CD"): "first5",
    ("getStanReginCdList", "zscode"): "first5",
    ("getStanReginCdList", "sigunguCode"): "first5",
    ("getStanReginCdList", "zcode"): "first2",
    ("getStanReginCdList", "lDongRegnCd"): "first2",
    ("getStanReginCdList", "lDongSignguCd"): "digits345",
    ("local.coord2regioncode", "LAWD_CD"): "first5",
    ("searchFestival2", "solMonth"): "month",
    ("addrLinkApi", "sidoName"): "short",
    ("getItemInfo", "likeSrtnCd"): "bare",
    ("getNearbyMsrstnList", "keyword"): "",
}
ALIASES = {
    "fsc.getItemInfo": "GetKrxListedInfoService.getItemInfo",
    "fsc.getCorpOutline_V2": "GetCorpBasicInfoService_V2.getCorpOutline_V2",
    "fsc.getStockPriceInfo": "GetStockSecuritiesInfoService.getStockPriceInfo",
    "kakao.coord2regioncode": "local.coord2regioncode",
}
# Wrong links that need more than "the answer is empty".
DIFFERENT = {
    ("KorService2.areaBasedList2", "lDongRegnCd"): "old area code 1 is no legal-dong code: empty",
    ("SpcdeInfoService.getRestDeInfo", "endBasDt"): "an exclusive bound: the day itself is missing",
    ("SpcdeInfoService.getRestDeInfo", "basDt"): "a closed day gives nothing; the step back does",
    ("local.coord2regioncode", "bjdCode"): "wrong for the administrative row only",
    ("local.coord2regioncode", "locatadd_nm"): "the service takes the name of the row, not its code",
}
TRIED_ROWS, TRIED_WRONG = 60, 6


def _labels() -> list[Row]:
    if not FACTS.exists():
        return []
    served, found = operations(), []
    here = {
        operation.id for platform in load_platforms() if platform.name in COVERED for operation in platform.operations
    }
    for label in json.loads(FACTS.read_text(encoding="utf-8")):
        if {label["source_op"], label["target_op"]} & (LATER - set(ALIASES)):
            continue
        source, target = (ALIASES.get(label[end], label[end]) for end in ("source_op", "target_op"))
        # Elections share the gateway's host but are another platform, with links of its own.
        gateway = {name for name, op in served.items() if op.host in GATEWAY and not name.startswith("nec.")}
        if {source, target} <= here and (source in gateway or target in gateway):
            found.append(label | {"source_op": source, "target_op": target})
    return found


# Declarations whose links among each other are followed here; the test files of later groups follow theirs.
COVERED = {
    "airkorea", "assembly", "ev", "opendart", "ecos", "ex", "fsc", "hira", "kasi", "juso", "kakao", "kapt", "law",
    "lofin", "nec", "neis", "nemc", "rtms", "datagokr", "mois", "safetydata", "seoul", "tago", "topis", "kto", "kma",
}  # fmt: skip
GATEWAY = {"apis.data.go.kr", "business.juso.go.kr", "dapi.kakao.com", "www.safetydata.go.kr"}
LABELS = _labels()


@cache
def _stop() -> str:
    for row in ask_any("BusSttnInfoInqireService.getSttnNoList", cityCode=25, numOfRows=80).rows:
        if ask_any("ArvlInfoInqireService.getSttnAcctoArvlPrearngeInfoList", cityCode=25, nodeId=row["nodeid"]).ok:
            return str(row["nodeid"])
    raise AssertionError("no stop of 대전 has an arrival")


@cache
def _listed() -> str:
    item = ask_any("GetKrxListedInfoService.getItemInfo", numOfRows=1).rows[0]
    return str(ask_any("GetCorpBasicInfoService_V2.getCorpOutline_V2", crno=item["crno"]).rows[0]["fssCorpUnqNo"])


@cache
def _records(source: str) -> tuple[Row, ...]:
    if source == "addrlink.addrCoordApi":
        first = ask_any("addrlink.addrLinkApi", keyword="강남구 역삼동").rows[0]
        return tuple(ask_any(source, **{name: first[name] for name in JUSO}).rows)
    rows: list[Row] = []
    for params in SOURCES[source]:
        filled = {k: _stop() if v == "?stop" else _listed() if v == "?listed" else v for k, v in params.items()}
        if filled.get("routeId") == "?route":
            filled["routeId"] = ask_any("BusRouteInfoInqireService.getRouteNoList", cityCode=25).rows[0]["routeid"]
        rows += ask_any(source, **filled).rows
    assert rows, f"{source} gives no record to start from"
    return tuple(rows)


def _short(name: str) -> str:
    return name if name.startswith("local.") or name.endswith(".getCtyCodeList") else name.split(".", 1)[1]


def _operation(name: str) -> str:
    return name.rsplit(".", 1)[1] if not name.endswith("2.7") else name.split("7.", 1)[1]


def _arguments(label: Row, row: Row) -> Row | None:
    source, target, param = _short(label["source_op"]), _operation(label["target_op"]), label["target_param"]
    source = (
        source.removesuffix(".getCtyCodeList") if source not in ("ArvlInfoInqireService.getCtyCodeList",) else source
    )
    needs = PAIR_NEEDS.get((source, param)) or OTHER_NEEDS.get((target, param)) or OTHER_NEEDS.get((target, "")) or {}
    if label["source_field"] not in row:
        return None
    value = str(row[label["source_field"]])
    arguments = {name: _need(row, text) for name, text in needs.items() if name != param}
    if param == "nx":
        lon, lat = (float(row[n]) for n in (("x", "y") if "x" in row else ("mapx", "mapy")))
        arguments["nx"], arguments["ny"] = kma_grid(lon, lat)
    else:
        how = VALUE.get((source, param), "") if label["valid"] else ""
        arguments[param] = TRANSFORMS[how](value)
    return arguments


def _need(row: Row, text: str) -> str:
    if text.startswith("="):
        return text[1:]
    if text == "?node":
        return _stop()
    name, _, how = text.removeprefix("@").partition(":")
    return TRANSFORMS[how](str(row.get(name, "")))


def _follow(label: Row, limit: int) -> list[Answer]:
    answers: list[Answer] = []
    for row in _records(label["source_op"])[:limit]:
        arguments = _arguments(label, row)
        if arguments is not None:
            answers.append(ask_any(label["target_op"], **arguments))
            if answers[-1].ok:
                break
    return answers


def _name(label: Row) -> str:
    return f"{label['source_op']}.{label['source_field']}->{label['target_op']}.{label['target_param']}"


@pytest.mark.skipif(not LABELS, reason="the labelled links are not beside this checkout (../shared/facts)")
def test_labels_are_there() -> None:
    assert sum(1 for label in LABELS if label["valid"]) > 70
    assert sum(1 for label in LABELS if not label["valid"]) > 15


def _special(label: Row) -> bool:
    return (label["source_op"], label["target_param"]) in DIFFERENT


@pytest.mark.parametrize("label", [x for x in LABELS if x["valid"] and not _special(x)], ids=_name)
def test_sound_link_works(label: Row) -> None:
    answers = _follow(label, TRIED_ROWS)
    assert answers and answers[-1].ok, answers[-1].raw.text[:300] if answers else "no record has the field"


@pytest.mark.parametrize("label", [x for x in LABELS if not x["valid"] and not _special(x)], ids=_name)
def test_wrong_link_gives_nothing(label: Row) -> None:
    answers = _follow(label, TRIED_WRONG)
    assert answers
    assert not answers[-1].ok, answers[-1].raw.text[:300]


def test_closed_day_has_no_price_and_the_end_is_exclusive() -> None:
    price = "GetStockSecuritiesInfoService.getStockPriceInfo"
    holiday = str(ask_any("SpcdeInfoService.getRestDeInfo", solYear=2026, solMonth="06").rows[0]["locdate"])
    assert holiday == "20260603"
    assert not ask_any(price, basDt=holiday).ok
    assert ask_any(price, basDt="20260602").ok
    assert not ask_any(price, beginBasDt=holiday, endBasDt=holiday).ok
    days = {row["basDt"] for row in ask_any(price, endBasDt=holiday, numOfRows=1000).rows}
    assert "20260602" in days
    assert holiday not in days


def test_only_the_legal_dong_row_of_a_coordinate_leads_on() -> None:
    legal, administrative = ask_any("local.coord2regioncode", x=127.047, y=37.517).rows
    assert (legal["region_type"], administrative["region_type"]) == ("B", "H")
    complexes = "AptListService3.getLegaldongAptList3"
    assert ask_any(complexes, bjdCode=legal["code"]).ok
    assert not ask_any(complexes, bjdCode=administrative["code"]).ok
    named = ask_any("StanReginCd.getStanReginCdList", locatadd_nm=legal["address_name"])
    assert [row["region_cd"] for row in named.rows] == [legal["code"]]
    assert ask_any("StanReginCd.getStanReginCdList", locatadd_nm=legal["code"]).code == "INFO-3"


def test_old_area_code_is_no_legal_dong_code() -> None:
    row = ask_any("KorService2.areaBasedList2", areaCode=1, numOfRows=1).rows[0]
    assert row["areacode"] == "1"
    assert not ask_any("KorService2.areaBasedList2", lDongRegnCd=row["areacode"]).ok
    assert ask_any("KorService2.areaBasedList2", lDongRegnCd=row["lDongRegnCd"]).ok
