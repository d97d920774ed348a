"""Labelled links of statistics, roads, schools, ordinances, filings and later Assembly lists, followed over HTTP."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import gateway_client
import pytest
from later_operations import LATER
from platform_client import DEMO_KEY, call, fetch, operations

FACTS = Path(__file__).parents[3] / "shared" / "facts" / "labelled_links.json"
Row = dict[str, Any]
SAMPLE = 4
# The same operations under the names that the gateway's declarations have for them.
ALIASES = {
    "fsc.getItemInfo": "GetKrxListedInfoService.getItemInfo",
    "fsc.getCorpOutline_V2": "GetCorpBasicInfoService_V2.getCorpOutline_V2",
    "fsc.getStockPriceInfo": "GetStockSecuritiesInfoService.getStockPriceInfo",
    "kakao.address": "local.searchAddress",
    "kakao.category": "local.searchCategory",
    "kakao.coord2regioncode": "local.coord2regioncode",
    "kakao.keyword": "local.searchKeyword",
}
BOX = {"minX": 126.9, "maxX": 127.2, "minY": 37.3, "maxY": 37.6}
KOSIS = {"format": "json", "jsonVD": "Y"}
MOVES = KOSIS | {"orgId": "101", "tblId": "DT_1B26003_A01"}
CELL = MOVES | {"itmId": "T20", "objL1": "11", "objL2": "00", "prdSe": "M", "newEstPrdCnt": 1}

# How a source is called; sources not listed need nothing.
SOURCES: dict[str, Row] = {
    "GetKrxListedInfoService.getItemInfo": {"numOfRows": 20},
    "GetCorpBasicInfoService_V2.getCorpOutline_V2": {"corpNm": "전자"},
    "local.searchAddress": {"query": "역삼로"},
    "local.searchKeyword": {"query": "강남역"},
    "local.coord2regioncode": {"x": 127.047, "y": 37.517},
    "dart.list": {"corp_cls": "Y", "pblntf_ty": "A", "bgn_de": "20260501", "end_de": "20260531"},
    "dart.majorstock": {"corp_code": "?listed"},
    "dart.cvbdIsDecsn": {"corp_code": "?convertible", "bgn_de": "20230101", "end_de": "20260615"},
    "dart.company": {"corp_code": "?listed"},
    "dart.fnlttSinglAcnt": {"corp_code": "?listed", "bsns_year": 2024, "reprt_code": "11011"},
    "kosis.meta_prd": MOVES,
    "kosis.meta_itm": MOVES,
    "kosis.list": KOSIS | {"vwCd": "MT_ZTITLE", "parentListId": "MT_ZTITLE"},
    "kosis.search": KOSIS | {"searchNm": "인구"},
    "law.decc_search": {"query": "영업정지"},
    "law.linked_ordin_by_law": {"query": "건축법"},
    "assembly.nzmimeepazxkubdpn": {"AGE": 22, "PROC_RESULT": "원안가결"},
    "assembly.ncwgseseafwbuheph": {"DAE_NUM": 22, "CONF_DATE": "2026-05"},
    "assembly.nqfvrbsdafrmuzixe": {"DT": "2026-06-10", "AGE": 22},
    "assembly.PTTRCP": {"ERACO": "제22대"},
    "assembly.VCONFBILLLIST": {"pIndex": 90, "pSize": 500},
    "its.eventInfo": BOX | {"type": "all", "eventType": "all"},
    "its.trafficInfo": BOX | {"type": "all"},
    "its.vdsInfo": BOX,
    "ex.locationinfoUnit": {"numOfRows": 99},
    "krx.stk_isu_base_info": {"basDd": "20260612"},
    "rone.SttsApiTblData": {"STATBL_ID": "A_2024_00045", "DTACYCLE_CD": "MM"},
    "schoolinfo.openApi": {"apiType": "0", "schulKndCode": "04", "sggCode": "11680"},
    "sgis.auth": {"consumer_secret": "secret"},
    "lofin.JFIED": {"fyr": 2024},
    "lofin.AJGCF": {"fyr": 2024},
}


@dataclass(frozen=True)
class How:
    """What else the target needs ("=constant" or a field of the record), the stated change, which records count."""

    needs: Mapping[str, object] = field(default_factory=dict)
    change: Callable[[str], str] = str
    only: Callable[[Row], bool] = bool
    # Some records of the source lead nowhere on the platform too.
    sparse: bool = False


def _constants(params: Mapping[str, object]) -> dict[str, object]:
    return {name: f"={value}" for name, value in params.items()}


HOW: dict[tuple[str, str], How] = {
    ("kosis.meta_prd", "prdSe"): How(_constants(CELL)),
    ("kosis.meta_itm", "itmId"): How(_constants(CELL), only=lambda row: row["OBJ_ID"] == "ITEM"),
    ("kosis.meta_itm", "objL1"): How(_constants(CELL), only=lambda row: row["OBJ_ID_SN"] == "1"),
    ("kosis.list", "tblId"): How(_constants(CELL)),
    ("kosis.list", "parentListId"): How(_constants(KOSIS | {"vwCd": "MT_ZTITLE"})),
    ("kosis.search", "orgId"): How(_constants(KOSIS) | {"tblId": "TBL_ID"}),
    ("rone.SttsApiTblData", "objL1"): How(_constants(CELL)),
    ("rone.SttsApiTbl", "DTACYCLE_CD"): How({"STATBL_ID": "STATBL_ID"}, sparse=True),
    ("dart.list", "rcept_no"): How({"reprt_code": "=11013"}),
    ("dart.fnlttSinglAcnt", "rcept_no"): How({"reprt_code": "reprt_code"}),
    ("dart.corpCode", "corp_code"): How({"bsns_year": "=2024", "reprt_code": "=11011"}),
    ("dart.company", "likeSrtnCd"): How({}),
    ("krx.stk_isu_base_info", "isinCd"): How({"basDt": "=20260612"}),
    ("ex.locationinfoUnit", "unitCode"): How({"type": "=json", "inoutType": "=0", "tmType": "=1"}),
    ("ex.locationinfoUnit", "iStartUnitCode"): How({"type": "=json", "iEndUnitCode": "=030"}, str.strip),
    ("lofin.JFIED", "laf_cd"): How({"fyr": "=2024", "exe_ymd": "=20241231"}, sparse=True),
    ("lofin.AJGCF", "laf_cd"): How({"fyr": "=2024", "exe_ymd": "=20241231"}),
    ("local.searchAddress", "ADSTRD_CODE_SE"): How(
        {"STDR_DE_ID": "=20260601", "TMZON_PD_SE": "=00"}, lambda text: text[:8]
    ),
    ("local.coord2regioncode", "ADSTRD_CODE_SE"): How({"STDR_DE_ID": "=20260601", "TMZON_PD_SE": "=00"}),
    ("local.searchKeyword", "tmX"): How({"tmY": "y", "radius": "=800"}),
    ("its.eventInfo", "x"): How({"y": "coordY"}),
    ("its.eventInfo", "routeNo"): How({"type": "=json"}),
    ("its.vdsInfo", "routeNo"): How(_constants(BOX | {"type": "all"})),
    ("seoul.AccInfo", "x"): How({"y": "grs80tm_y"}),
    ("assembly.nxrvzonlafugpqjuh", "HR_DEPT_CD"): How({"UNIT_CD": "=100022"}, sparse=True),
    ("assembly.nqfvrbsdafrmuzixe", "BILL_ID"): How({"BILL_NO": "BILL_NO"}),
    ("assembly.nexgtxtmaamffofof", "DAE_NUM"): How({"CONF_DATE": "=2026"}),
    ("schoolinfo.openApi", "SD_SCHUL_CODE"): How({"ATPT_OFCDC_SC_CODE": "=B10"}),
    ("sgis.auth", "adm_cd"): How({"accessToken": "accessToken", "year": "=2023"}),
}
# Not a parameter of the target at all, so that nothing can be carried: the two lists are joined by it instead.
NO_PARAMETER = ("seoul.tbCycleStationInfo", "seoul.bikeList")


def _served(name: str) -> str:
    return ALIASES.get(name, name)


@cache
def _links() -> list[Row]:
    if not FACTS.exists():
        return []
    found: list[Row] = []
    for link in json.loads(FACTS.read_text(encoding="utf-8")):
        ends = {link["source_op"], link["target_op"]}
        if ends & LATER and {_served(name) for name in ends} <= set(operations()):
            found.append(link)
    return found


pytestmark = pytest.mark.skipif(not FACTS.exists(), reason="the labelled links of ../shared are not here")


def _ask(name: str, **params: object) -> Any:
    if operations()[name].envelope == "datagokr":
        return gateway_client.ask(name, **params)
    return call(name, **params)


@cache
def _registry() -> tuple[Row, ...]:
    raw = fetch("opendart.fss.or.kr", "/api/corpCode.xml", crtfc_key=DEMO_KEY)
    with zipfile.ZipFile(io.BytesIO(raw.content)) as archive:
        corps = ElementTree.fromstring(archive.read("CORPCODE.xml")).findall("list")
    listed = [corp for corp in corps if (corp.findtext("stock_code") or "").strip()]
    return tuple({child.tag: child.text or "" for child in corp} for corp in listed)


@cache
def _example(mark: str) -> str:
    codes = [str(row["corp_code"]) for row in _registry()]
    if mark == "?listed":
        return codes[0]
    span = {"bgn_de": "20230101", "end_de": "20260615"}
    return next(code for code in codes if call("dart.cvbdIsDecsn", corp_code=code, **span).rows)


@cache
def _records(source: str) -> tuple[Row, ...]:
    if source == "dart.corpCode":
        return _registry()
    params = {k: _example(v) if str(v).startswith("?") else v for k, v in SOURCES.get(source, {}).items()}
    rows = _ask(source, **params).rows
    assert rows, f"{source} gives no record to start from"
    return tuple(rows)


def _value(row: Row, path: str) -> str:
    """A field by its dotted path; the outer names may have been unwrapped already."""
    value: Any = row
    for name in path.split("."):
        value = value.get(name, value) if isinstance(value, dict) else value
    return "" if isinstance(value, dict) or value is None else str(value)


def _follow(link: Row) -> list[Any]:
    source, target, name = _served(link["source_op"]), _served(link["target_op"]), link["target_param"]
    how = HOW.get((source, name), How())
    rows = [row for row in _records(source) if how.only(row) and _value(row, link["source_field"])]
    answers: list[Any] = []
    for row in rows[:: max(1, len(rows) // SAMPLE)][:SAMPLE]:
        needs = {key: str(text)[1:] if str(text).startswith("=") else row[str(text)] for key, text in how.needs.items()}
        answers.append(_ask(target, **needs | {name: how.change(_value(row, link["source_field"]))}))
    return answers


def _label(link: Row) -> str:
    return f"{link['source_op']}.{link['source_field']}->{link['target_op']}.{link['target_param']}"


def _followed(valid: bool) -> list[Row]:
    return [x for x in _links() if x["valid"] is valid and (x["source_op"], x["target_op"]) != NO_PARAMETER]


def test_labels_are_there() -> None:
    assert len(_followed(True)) >= 30
    assert len(_followed(False)) >= 14


@pytest.mark.parametrize("link", _followed(True), ids=_label)
def test_a_known_link_works(link: Row) -> None:
    answers = _follow(link)
    worked = sum(bool(answer.rows) for answer in answers)
    assert worked, [answer.raw.text[:200] for answer in answers]
    if not HOW.get((_served(link["source_op"]), link["target_param"]), How()).sparse:
        assert worked == len(answers), [answer.raw.text[:200] for answer in answers]


@pytest.mark.parametrize("link", _followed(False), ids=_label)
def test_a_known_wrong_link_yields_nothing(link: Row) -> None:
    answers = _follow(link)
    assert answers
    assert not [answer.raw.text[:200] for answer in answers if answer.rows]


def test_stations_join_by_id_and_not_by_a_parameter() -> None:
    """The label says that no argument carries this value; every open station is in both lists."""
    known = {row["RENT_ID"] for row in call("seoul.tbCycleStationInfo", END=1000).rows}
    shown = call("seoul.bikeList", END=500)
    assert shown.total == len(shown.rows) == 500
    assert {row["stationId"] for row in shown.rows} <= known


def test_a_cut_legal_code_is_no_administrative_code() -> None:
    legal, administrative = _ask("local.coord2regioncode", x=127.047, y=37.517).rows
    when = {"STDR_DE_ID": "20260601", "TMZON_PD_SE": "00"}
    assert not call("seoul.SPOP_LOCAL_RESD_DONG", ADSTRD_CODE_SE=legal["code"][:8], **when).rows
    assert call("seoul.SPOP_LOCAL_RESD_DONG", ADSTRD_CODE_SE=administrative["code"][:8], **when).rows


def test_an_event_filing_has_no_xbrl_and_says_014() -> None:
    event = call("dart.list", pblntf_ty="I").rows[0]["rcept_no"]
    refused = call("dart.fnlttXbrl", rcept_no=event, reprt_code="11011")
    assert ElementTree.fromstring(refused.raw.content).findtext("status") == "014"
    assert call("dart.document", rcept_no=event).rows[0]["text"].startswith("<?xml")


def test_the_right_ids_work_where_the_look_alikes_did_not() -> None:
    meeting = call("assembly.ncwgseseafwbuheph", DAE_NUM=22, CONF_DATE="2026-05").rows[0]
    assert call("assembly.VCONFDETAIL", CONF_ID=meeting["CONF_ID"]).rows[0]["CONF_DT"] == meeting["CONF_DATE"]
    petition = call("assembly.PTTRCP", ERACO="제22대").rows[0]
    assert call("assembly.PTTINFODETAIL", PTT_ID=petition["PTT_ID"]).rows[0]["PTT_NO"] == petition["PTT_NO"]
    event = call("its.eventInfo", **BOX, type="ex", eventType="all").rows[0]
    assert call("ex.locationinfoRest", type="json", routeNo=f"{int(event['roadNo']) * 10:04d}").rows
