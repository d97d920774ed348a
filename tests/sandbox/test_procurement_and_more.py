"""Tenders, libraries, job postings, the depository, facilities and single registers, one story after the other."""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import httpx
import pytest
from platform_client import DEMO_KEY, base_url, operations

Row = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """rows is empty for refusals; `body` is what came, parsed where it is JSON."""

    rows: list[Row]
    body: Any
    text: str

    @property
    def code(self) -> str:
        head = next(iter(self.body.values())).get("header", {}) if isinstance(self.body, dict) else {}
        return str(head.get("resultCode", ""))


def ask(name: str, **params: object) -> Answer:
    """One call in JSON where the operation has it; the tax service takes its list as a POST body."""
    operation = operations()[name]
    url = f"{base_url()}/{operation.host}{operation.path}"
    query: dict[str, str] = {operation.key.names[0]: DEMO_KEY}
    if operation.format.param:
        query[operation.format.param] = "json"
    with httpx.Client(timeout=30, trust_env=False) as http:
        if name == "v1.status":
            raw = http.post(f"{url}?serviceKey={quote(DEMO_KEY, safe='')}", json={"b_no": [params["b_no"]]})
            # A number nobody registered is a row too, without a state.
            body = raw.json()
            return Answer([row for row in body.get("data", []) if row["b_stt_cd"]], body, raw.text)
        raw = http.get(url, params=query | {key: str(value) for key, value in params.items()})
    if "json" in raw.headers["content-type"]:
        body = raw.json()
        return Answer(_json_rows(body), body, raw.text)
    element = operation.options.get("element", "item")
    found = ElementTree.fromstring(raw.text).iter(element)
    return Answer([{child.tag: child.text or "" for child in row} for row in found], None, raw.text)


def _json_rows(body: Row) -> list[Row]:
    if "StanReginCd" in body:
        return body["StanReginCd"][1]["row"]
    if "results" in body:
        return body["results"]["juso"] or []
    if "Response" in body:
        return _listed(body["Response"].get("items"))
    inner = body.get("response", body)
    for plural, single in (("docs", "doc"), ("libs", "lib")):
        if plural in inner:
            return [row[single] for row in inner[plural]]
    if "rsMsg" in inner:
        return _listed(inner["list"])
    if "result" in inner:
        return [inner["result"]]
    inner = inner.get("body", inner)
    return _listed(inner.get("items") or inner.get("item"))


def _listed(value: Any) -> list[Row]:
    if isinstance(value, dict) and "item" in value:
        value = value["item"]
    return value if isinstance(value, list) else [value] if value else []


JUNE: Row = {"inqryDiv": 1, "inqryBgnDt": "202606010000", "inqryEndDt": "202606102359", "numOfRows": 40}
BOOK, BID = "BookInformationService_v2.", "BidPublicInfoService.getBidPblancListInfo"


@cache
def _won_tender() -> Row:
    found = ask("BidPublicInfoService.getBidPblancListInfoServcPPSSrch", **JUNE).rows[0]
    return {"inqryDiv": 1, "bidNtceNo": found["bidNtceNo"]}


def test_wrong_links_work_once_they_are_mended() -> None:
    process = ask("CntrctProcssIntgOpenService.getCntrctProcssIntgOpenServc", **_won_tender()).rows[0]
    refused = ask(f"{BID}Servc", inqryDiv=1, bidNtceNo=process["bidNtceNo"])
    assert refused.code == "08"
    assert list(refused.body) == ["nkoneps.com.response.ResponseError"]
    assert ask(f"{BID}Servc", inqryDiv=2, bidNtceNo=process["bidNtceNo"]).rows
    online = ask(f"{BOOK}getElectronicBookList_v2").rows[0]["BIBLIO_ID"]
    assert ask(f"{BOOK}getOnlineElectronicBookAuthorList_v2", controlNumber=online).rows
    place = {"sigunguCd": "11680", "bjdongCd": "10100"}
    assert ask("BldRgstHubService.getBrTitleInfo", **place, platGbCd=0).rows
    assert not ask("BldRgstHubService.getBrTitleInfo", **place, platGbCd=1).rows


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"inqryDiv": 1, "inqryBgnDt": "20260601", "inqryEndDt": "20260610"}, "06"),
        ({"inqryDiv": 1, "inqryBgnDt": "202604010000", "inqryEndDt": "202606010000"}, "07"),
        ({"inqryDiv": 9, "inqryBgnDt": "202606010000", "inqryEndDt": "202606020000"}, "07"),
        ({"inqryDiv": 1, "inqryBgnDt": "202606010000"}, "08"),
        ({"inqryDiv": 2, "inqryBgnDt": "202606010000", "inqryEndDt": "202606020000"}, "08"),
        ({"inqryBgnDt": "202606010000", "inqryEndDt": "202606020000"}, "08"),
    ],
)
def test_the_switch_decides_what_is_missing(params: Row, code: str) -> None:
    assert ask(f"{BID}Thng", **params).code == code


def test_a_tender_is_one_story_from_notice_to_contract() -> None:
    contracts = ask(
        "PubDataOpnStdService.getDataSetOpnStdCntrctInfo",
        cntrctCnclsBgnDate="20260501",
        cntrctCnclsEndDate="20260525",
        numOfRows=900,
    ).rows
    contract = next(row for row in contracts if row["bsnsDivNm"] == "용역")
    notice = ask(f"{BID}Servc", inqryDiv=2, bidNtceNo=contract["bidNtceNo"]).rows[0]
    process = ask(
        "CntrctProcssIntgOpenService.getCntrctProcssIntgOpenServc",
        inqryDiv=2,
        bfSpecRgstNo=notice["bfSpecRgstNo"],
    ).rows[0]
    assert contract["rprsntCorpBizrno"] in process["bidwinrInfoList"]
    assert contract["cntrctNo"] in process["cntrctInfoList"]
    assert notice["opengDt"][:10] < contract["cntrctCnclsDate"]
    number = contract["rprsntCorpBizrno"].replace("-", "")
    corporation = ask("GetCorpBasicInfoService_V2.getCorpOutline_V2", corpNm=contract["rprsntCorpNm"]).rows
    assert number in {row["bzno"] for row in corporation}


def test_libraries_count_provinces_their_own_way() -> None:
    isbn = ask("data4library.srchBooks", keyword="우주").rows[0]["isbn13"]
    assert not ask("data4library.libSrchByBook", isbn=isbn, region=41).rows
    found = ask("data4library.libSrchByBook", isbn=isbn, region=31, pageSize=100).rows
    assert {row["address"][:3] for row in found} == {"경기도"}
    held = ask("data4library.bookExist", isbn13=isbn, libCode=found[0]["libCode"]).rows[0]
    assert held["hasBook"] == "Y"
    assert ask("data4library.bookExist", isbn13=isbn, libCode="000000").rows[0]["hasBook"] == "N"
    assert "error" in ask("data4library.libSrchByBook", isbn=isbn).body["response"]


def test_a_facility_is_known_to_one_kind_of_operation_only() -> None:
    service = "FcltsSafetyInfoService2025."
    market = ask(f"{service}getFcltsInfoSearch_4", fclts_nm="전통시장").rows[0]
    details = [name for name in operations() if name.startswith(service) and "getFclts" not in name]
    knowing = [name for name in details if ask(name, fclts_cd=market["fcltyCd"]).rows]
    assert knowing == [f"{service}getTrditMrktSafetyInfoSearch_4"]
    assert len(details) == 30


def test_accident_codes_belong_to_the_generation_of_the_year() -> None:
    def spots(year: int, sido: int) -> int:
        return len(ask("frequentzoneLg.getRestFrequentzoneLg", searchYearCd=year, siDo=sido, guGun="110").rows)

    assert spots(2022, 42) and spots(2023, 51)
    assert not spots(2022, 51)
    assert not spots(2023, 42)


def test_a_group_month_is_no_year() -> None:
    name = "appnGroupSttusList.appnGroupSttusListApi"
    assert ask(name, presentnYear="202605").rows
    assert not ask(name, presentnYear="2026").rows
    assert "<resultCode>97</resultCode>" in ask(name).text


def test_ages_add_up_to_the_residents_of_the_other_service() -> None:
    params = {"stdgCd": "1168000000", "srchFrYm": "202604", "srchToYm": "202604", "lv": 2, "regSeCd": 1}
    ages = ask("stdgSexdAgePpltn.selectStdgSexdAgePpltn", **params).rows[0]
    whole = ask("stdgPpltnHhStus.selectStdgPpltnHhStus", **params).rows[0]
    assert sum(int(ages[name]) for name in ages if "AgeNmprCnt" in name) == int(whole["totNmprCnt"])


def test_statement_lines_repeat_the_summary_and_the_year_before() -> None:
    params = {"crno": _filing_crno(), "bizYear": 2024}
    lines = {(row["fnclDcd"], row["acitNm"]): row for row in ask("GetFinaStatInfoService_V2.getBs_V2", **params).rows}
    summary = ask("GetFinaStatInfoService_V2.getSummFinaStat_V2", **params).rows[0]
    before = ask("GetFinaStatInfoService_V2.getSummFinaStat_V2", crno=params["crno"], bizYear=2023).rows[0]
    assets = lines["FS_ifrs_ConsolidatedMember", "자산총계"]
    assert (assets["crtmAcitAmt"], assets["pvtrAcitAmt"]) == (summary["enpTastAmt"], before["enpTastAmt"])


@cache
def _filing_crno() -> str:
    return str(ask("GetKrxListedInfoService.getItemInfo", numOfRows=1).rows[0]["crno"])


def test_ambulance_runs_fall_apart_by_circumstance() -> None:
    params = {"sidoHqOgidNm": "서울소방재난본부", "rsacGutFsttOgidNm": "구로소방서", "rcptYm": "202604"}
    service = "EmergencyStatisticsService."
    total = int(ask(f"{service}get119EmgencyActivityStats", **params).rows[0]["gutCo"])
    for name in ("getEmgDispatchResultStats", "getTrasferPatientByPlaceStats", "getTrasferPatientByAgeGroupStats"):
        parts = [int(row["gutCo"]) for row in ask(f"{service}{name}", **params).rows]
        assert total - len(parts) <= sum(parts) <= total
    assert not ask(f"{service}get119EmgencyActivityStats", **params | {"rcptYm": "202606"}).rows
    # The office is matched as a fragment, the station as a whole name.
    assert ask(f"{service}get119EmgencyActivityStats", **params | {"sidoHqOgidNm": "소방재난본부"}).rows
    assert not ask(f"{service}get119EmgencyActivityStats", **params | {"rsacGutFsttOgidNm": "구로"}).rows


def test_ranks_and_codes_of_the_depository() -> None:
    ranks = ask("StockSvc.getDividendRankN1", year=2024, rankTpcd=2, listTpcd=11, numOfRows=50).rows
    rates = [float(row["divRatePval"]) for row in ranks]
    assert len(rates) > 10
    assert all(first >= second for first, second in pairwise(rates))
    share = ask("StockSvc.getStkIsinByShortIsinN1", shortIsin=ranks[0]["shotnIsin"]).rows[0]
    listed = ask("GetKrxListedInfoService.getItemInfo", isinCd=share["isin"], numOfRows=1).rows[0]
    assert listed["srtnCd"] == f"A{share['shotnIsin']}"
    assert not ask("StockSvc.getStkIsinByShortIsinN1", shortIsin=listed["srtnCd"]).rows


def test_the_court_cuts_rows_to_the_named_fields() -> None:
    answer = ask("PubDocsService.getPblctLtrtreList", fields="title,book", numOfRows=3)
    assert [set(row) for row in answer.rows] == [{"title", "book"}] * 3
    assert set(answer.body) == {"header", "body"}


def test_job_postings_run_in_the_order_asked_for() -> None:
    params = {"Pblanc_ty": "e02", "Begin_de": "2026-05-01", "numOfRows": 60}
    oldest = [int(row["idx"]) for row in ask("PblJobService.getList", **params, Sort_order=1).rows]
    newest = [int(row["idx"]) for row in ask("PblJobService.getList", **params, Sort_order=2).rows]
    assert len(oldest) > 10
    assert oldest == sorted(oldest)
    assert newest == sorted(newest, reverse=True)
    # A file has an index of its own, which opens no posting.
    file = ask("PblJobService.getItemFile", idx=oldest[0]).rows[0]
    assert file["parentidx"] == str(oldest[0])
    assert not ask("PblJobService.getItem", idx=file["idx"]).rows
