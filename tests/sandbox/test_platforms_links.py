"""Links that are known to work do work here, and links that are known to be wrong fail or come back empty."""

import io
import json
import zipfile
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from later_operations import LATER
from platform_client import DEMO_KEY, Answer, call, fetch, operations

FACTS = Path(__file__).parents[3] / "shared" / "facts" / "labelled_links.json"
SAMPLE = 4
Record = dict[str, Any]

# How a source is called; sources not listed need nothing.
SOURCES: dict[str, Record] = {
    "seoul.CardBusStatisticsServiceNew": {"USE_YMD": "20260610"},
    "dart.company": {"corp_code": "listed"},
    "dart.list": {"corp_cls": "Y"},
    "topis.getBusPosByRtid": {"busRouteId": "100100073"},
    "topis.getStaionByRoute": {"busRouteId": "100100073"},
    "topis.getBusRouteList": {"strSrch": "472"},
    "topis.getStationByName": {"stSrch": "역"},
    "law.search": {"query": "자동차"},
    "law.detail": {"LM": "소득세법"},
    "assembly.nzmimeepazxkubdpn": {"AGE": 22},
    "assembly.nktulghcadyhmiqxi": {"DEPT_CD": "9700512"},
    "assembly.ALLBILL": {"BILL_NO": "promulgated"},
    "ecos.StatisticItemList": {"STAT_CODE": "722Y001"},
    "nec.getWinnerInfoInqire": {"sgId": "20220601", "sgTypecode": 3},
    "seoulsubway.realtimeStationArrival": {"statnNm": "강남"},
    "neis.acaInsTiInfo": {"ATPT_OFCDC_SC_CODE": "B10"},
}
# Parameters of a target that come from the same record (or are constants of the caller), by target.
SCHOOL = {"ATPT_OFCDC_SC_CODE": "ATPT_OFCDC_SC_CODE", "SD_SCHUL_CODE": "SD_SCHUL_CODE"}
COMPANIONS: dict[str, dict[str, str]] = {
    "neis.SchoolSchedule": SCHOOL,
    "neis.mealServiceDietInfo": SCHOOL,
    "neis.hisTimetable": SCHOOL,
    "neis.classInfo": SCHOOL,
    "neis.schoolMajorinfo": SCHOOL | {"ATPT_OFCDC_SC_CODE": "=B10"},
    "topis.getArrInfoByRoute": {"stId": "station", "busRouteId": "busRouteId"},
    "topis.getStationByPos": {"tmY": "tmY", "radius": "=500"},
    "nec.getWinnerInfoInqire": {"sgId": "sgId"},
    "nec.getCnddtElecPrmsInfoInqire": {"sgId": "sgId", "sgTypecode": "sgTypecode"},
    "dart.fnlttSinglAcnt": {"bsns_year": "=2024", "reprt_code": "=11011"},
    "seoul.CardSubwayStatsNew": {"USE_YMD": "=20260610"},
    "seoul.SearchSTNTimeTableByIDService": {"WEEK_TAG": "=1", "INOUT_TAG": "=1"},
    "law.article": {"ID": "법령ID"},
    "assembly.nzmimeepazxkubdpn": {"AGE": "=22"},
}
PERIODS = {"A": ("2022", "2025"), "Q": ("2024Q1", "2026Q1"), "M": ("202501", "202604"), "D": ("20260601", "20260612")}
# The stated transform of a valid link, or the reason why an answer may be empty for some records.
SPARSE = {
    ("dart.list", "dart.majorstock"), ("assembly.nwvrqwxyaytdsfvhu", "assembly.NAMEMBERLEGIPTT"),
    ("topis.getBusPosByRtid", "topis.getLowArrInfoByStId"), ("law.search", "law.prec_search"),
    ("nec.getCommonSgCodeList", "nec.getWinnerInfoInqire"), ("ecos.StatisticTableList", "ecos.StatisticSearch"),
    ("dart.corpCode", "dart.list"), ("topis.getStaionByRoute", "topis.getArrInfoByRoute"),
    ("ex.trafficAmountByRealtime", "ex.locationinfoRest"), ("law.search", "law.article_history"),
}  # fmt: skip


@cache
def _links() -> list[Record]:
    if not FACTS.exists():
        return []
    mine = {name for name in operations() if name.partition(".")[0] in PLATFORMS} - LATER
    return [link for link in json.loads(FACTS.read_text()) if {link["source_op"], link["target_op"]} <= mine]


PLATFORMS = {"dart", "neis", "assembly", "law", "seoul", "seoulsubway", "topis", "ecos", "lofin", "ex", "nec"}
pytestmark = pytest.mark.skipif(not FACTS.exists(), reason="the labelled links of ../shared are not here")


@cache
def _registry() -> list[Record]:
    raw = fetch("opendart.fss.or.kr", "/api/corpCode.xml", crtfc_key=DEMO_KEY)
    with zipfile.ZipFile(io.BytesIO(raw.content)) as archive:
        corps = ElementTree.fromstring(archive.read("CORPCODE.xml")).findall("list")
    return [
        {child.tag: child.text or "" for child in corp} for corp in corps if (corp.findtext("stock_code") or "").strip()
    ]


@cache
def _records(source: str, target: str) -> list[Record]:
    if source == "dart.corpCode":
        return _registry()
    params = dict(SOURCES.get(source, {}))
    if params.get("corp_code") == "listed":
        params["corp_code"] = _registry()[0]["corp_code"]
    if params.get("BILL_NO") == "promulgated":
        params["BILL_NO"] = call("assembly.ncocpgfiaoituanbr", AGE=22).rows[0]["BILL_NO"]
    if (source, target) == ("neis.schoolInfo", "neis.hisTimetable"):
        params["SCHUL_KND_SC_NM"] = "고등학교"
    rows = call(source, **params).rows
    if source == "law.detail":
        head = rows[0]["기본정보"]
        return [unit | {"법령ID": head["법령ID"]} for unit in rows[0]["조문"]["조문단위"]]
    return rows


def _follow(link: Record, record: Record) -> Answer:
    value = record[link["source_field"].split(".")[-1]]
    params: Record = {}
    for name, where in COMPANIONS.get(link["target_op"], {}).items():
        params[name] = where[1:] if where.startswith("=") else record.get(where)
    if link["target_op"] == "ecos.StatisticSearch":
        cycle = record["CYCLE"] or "M"
        params |= {"STAT_CODE": record["STAT_CODE"], "CYCLE": cycle, "FROM": PERIODS[cycle][0], "TO": PERIODS[cycle][1]}
    # The parameter names of positional paths are the documents' own; here they have short ones.
    name = {"통계표코드": "STAT_CODE", "통계항목코드1": "ITEM1"}.get(link["target_param"], link["target_param"])
    params[name] = value
    return call(link["target_op"], **{key: item for key, item in params.items() if item is not None})


def _sample(link: Record) -> list[Record]:
    records = [r for r in _records(link["source_op"], link["target_op"]) if r.get(link["source_field"].split(".")[-1])]
    step = max(1, len(records) // SAMPLE)
    return records[::step][:SAMPLE]


def _label(link: Record) -> str:
    return f"{link['source_op']}.{link['source_field']}-{link['target_op']}.{link['target_param']}"


@pytest.mark.parametrize("link", [link for link in _links() if link["valid"]], ids=_label)
def test_a_known_link_works(link: Record) -> None:
    answers = [_follow(link, record) for record in _sample(link)]
    worked = sum(bool(answer.rows) for answer in answers)
    assert worked, [answer.code for answer in answers]
    if (link["source_op"], link["target_op"]) not in SPARSE:
        assert worked == len(answers), [answer.code for answer in answers]


@pytest.mark.parametrize("link", [link for link in _links() if not link["valid"]], ids=_label)
def test_a_known_wrong_link_yields_nothing(link: Record) -> None:
    answers = [_follow(link, record) for record in _sample(link)]
    assert answers
    assert not [answer.body for answer in answers if answer.rows]


def test_the_wrong_article_link_works_after_its_transform() -> None:
    units = _records("law.detail", "law.article")
    link = {"source_op": "law.detail", "source_field": "조문번호", "target_op": "law.article", "target_param": "JO"}
    for unit in units[:4]:
        jo = f"{int(unit['조문번호']):04d}{int(unit.get('조문가지번호', 0)):02d}"
        answer = _follow(link, unit | {"조문번호": jo})
        assert answer.rows[0]["조문"]["조문단위"][0]["조문제목"] == unit["조문제목"]
