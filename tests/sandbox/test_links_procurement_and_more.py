"""Labelled links of tenders, libraries, job postings, the depository, facilities and single registers, one by one."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import httpx
import pytest
from platform_client import DEMO_KEY, base_url, operations

from edge.sandbox.catalogue import load_platforms

FACTS = Path(__file__).parents[3] / "shared" / "facts" / "labelled_links.json"
Row = dict[str, Any]
PLATFORMS = {
    "pps", "nlk", "data4library", "mpm", "ksd", "mois_facilities", "bisco", "airkorea_statistics", "fsc_statements",
    "molit_register", "nfa_statistics", "ftc_groups", "koroad", "mois_ages",
}  # fmt: skip
SAMPLE = 5


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


@dataclass(frozen=True)
class Way:
    """How a link is followed: the call of its source, what else its target needs, and the value's transform."""

    source: Row
    needs: Callable[[Row], Row] = field(default=lambda _row: {})
    value: Callable[[str], str] = field(default=lambda text: text)
    # Not every record has something at the other end, as on the platform.
    sparse: bool = False


JUNE: Row = {"inqryDiv": 1, "inqryBgnDt": "202606010000", "inqryEndDt": "202606102359", "numOfRows": 40}
BY_NUMBER: Row = {"inqryDiv": 2}
DISTRICT: Row = {"locatadd_nm": "서울특별시 강남구"}
PAGE: Row = {"pageNo": 1, "numOfRows": 10}


def _always(params: Row) -> Callable[[Row], Row]:
    return lambda _row: params


@cache
def _won_tender() -> Row:
    found = ask("BidPublicInfoService.getBidPblancListInfoServcPPSSrch", **JUNE).rows[0]
    return {"inqryDiv": 1, "bidNtceNo": found["bidNtceNo"]}


def _posting() -> Way:
    return Way({"Pblanc_ty": "e01", "Sort_order": 1})


def _half(row: Row) -> Row:
    return {"siDo": row["region_cd"][:2], "searchYearCd": 2024}


BOOK, BID = "BookInformationService_v2.", "BidPublicInfoService.getBidPblancListInfo"
WAYS: dict[tuple[str, str], Way] = {
    (f"{BOOK}getbookList_v2", f"{BOOK}getOfflineBookSubjectList_v2"): Way(PAGE),
    (f"{BOOK}getbookList_v2", f"{BOOK}getOfflineBookAuthorList_v2"): Way(PAGE),
    (f"{BOOK}getElectronicBookList_v2", f"{BOOK}getOfflineBookAuthorList_v2"): Way(PAGE),
    ("PblJobService.getList", "PblJobService.getItemPosition"): _posting(),
    ("PblJobService.getList", "PblJobService.getItemFile"): _posting(),
    ("PblJobService.getList", "PblJobService.getItem"): _posting(),
    ("PblJobService.getInsttList", "PblJobService.getList"): Way(PAGE, _always({"Pblanc_ty": "e01", "Sort_order": 1})),
    (f"{BID}ServcPPSSrch", f"{BID}LicenseLimit"): Way(JUNE, _always(BY_NUMBER), sparse=True),
    (f"{BID}ServcPPSSrch", f"{BID}EorderAtchFileInfo"): Way(JUNE, _always(BY_NUMBER), sparse=True),
    (f"{BID}CnstwkPPSSrch", f"{BID}ChgHstryCnstwk"): Way(JUNE, _always(BY_NUMBER), sparse=True),
    (f"{BID}ThngPPSSrch", f"{BID}ThngBsisAmount"): Way(JUNE, _always(BY_NUMBER), sparse=True),
    (f"{BID}ServcPPSSrch", "CntrctProcssIntgOpenService.getCntrctProcssIntgOpenServc"): Way(
        JUNE, lambda row: {"inqryDiv": 1, "bidNtceNo": row["bidNtceNo"]}
    ),
    ("CntrctProcssIntgOpenService.getCntrctProcssIntgOpenServc",) * 2: Way({}, _always(BY_NUMBER)),
    # The switch stays at 1 in the wrong link: the number is there, the days are not.
    ("CntrctProcssIntgOpenService.getCntrctProcssIntgOpenServc", f"{BID}Servc"): Way({}, _always({"inqryDiv": 1})),
    ("PubDataOpnStdService.getDataSetOpnStdScsbidInfo", "v1.status"): Way(
        {"bsnsDivCd": 5}, value=lambda text: text.replace("-", ""), sparse=True
    ),
    ("StanReginCd.getStanReginCdList", "stdgSexdAgePpltn.selectStdgSexdAgePpltn"): Way(
        DISTRICT, _always({"srchFrYm": "202604", "srchToYm": "202604", "lv": 3, "regSeCd": 1})
    ),
    ("StanReginCd.getStanReginCdList", "frequentzoneLg.getRestFrequentzoneLg"): Way(
        DISTRICT, _half, lambda text: text[2:5]
    ),
    ("StanReginCd.getStanReginCdList", "FcltsSafetyInfoService2025.getFcltsInfoSearch_4"): Way(
        DISTRICT,
        lambda row: {"fclts_nm": "어린이집", "ldong_addr_mgpl_dg_cd": row["region_cd"][:2]},
        lambda text: text[2:5],
    ),
    (
        "FcltsSafetyInfoService2025.getFcltsInfoSearch_4",
        "FcltsSafetyInfoService2025.getTrditMrktSafetyInfoSearch_4",
    ): Way({"fclts_nm": "전통시장"}),
    ("StockSvc.getShotnByMartN1", "StockSvc.getStkIsinByShortIsinN1"): Way({"martTpcd": 12}),
    ("StockSvc.getStkIsinByNmN1", "StockSvc.getStkIsinByShortIsinN1"): Way({"secnNm": "전자"}),
    ("careBusiness.careBusinessList", "careBusiness.careBusinessView"): Way(PAGE),
    (
        "EmergencyStatisticsService.get119EmgencyActivityStats",
        "EmergencyInformationService.getEmgencyActivityInfo",
    ): Way(
        {"sidoHqOgidNm": "서울소방재난본부", "rcptYm": "202604"},
        lambda row: {"sidoHqOgidNm": row["sidoHqOgidNm"], "rsacGutFsttOgidNm": row["rsacGutFsttOgidNm"]},
    ),
    ("openData_3.CntrwkList", "openData_3.CntrwkDetail"): Way({"startdate": "20260101", "enddate": "20260601"}),
    ("BldRgstHubService.getBrTitleInfo", "addrlink.addrLinkApi"): Way({"sigunguCd": "11680", "bjdongCd": "10100"}),
    ("publicYmList.publicYmListApi", "appnGroupSttusList.appnGroupSttusListApi"): Way({}, sparse=True),
    ("GetCorpBasicInfoService_V2.getCorpOutline_V2", "GetFinaStatInfoService_V2.getBs_V2"): Way(
        {"corpNm": "전자"}, _always({"bizYear": 2024}), sparse=True
    ),
    ("data4library.srchBooks", "data4library.libSrchByBook"): Way({"keyword": "역사"}, _always({"region": 31})),
    ("data4library.srchBooks", "data4library.bookExist"): Way({"keyword": "역사"}, _always({"libCode": 111001})),
    ("addrlink.addrLinkApi", "BldRgstHubService.getBrTitleInfo"): Way(
        {"keyword": "강남구 역삼동"}, lambda row: {"sigunguCd": row["admCd"][:5]}, lambda text: text[5:]
    ),
    ("RTMSDataSvcAptTradeDev.getRTMSDataSvcAptTradeDev", "BldRgstHubService.getBrTitleInfo"): Way(
        {"LAWD_CD": 11680, "DEAL_YMD": 202604}, lambda row: {"sigunguCd": row["sggCd"], "bjdongCd": row["umdCd"]}
    ),
    ("ArpltnStatsSvc.getCtprvnMesureSidoLIst", "MsrstnInfoInqireSvc.getMsrstnList"): Way(
        {"sidoName": "경기", "searchCondition": "HOUR"}
    ),
    ("MsrstnInfoInqireSvc.getMsrstnList", "RltmKhaiInfoSvc.getMsrstnKhaiRltmDnsty"): Way({"addr": "부산"}),
    ("PubDocsService.getPblctLtrtreList", "PubDocsService.getPblctLtrtreDetail"): Way(PAGE),
    ("ParkingInfoService_v2.getParkingList_v2", "ParkingInfoService_v2.getParkingInfoList_v2"): Way(PAGE),
}


@cache
def _labels() -> list[Row]:
    if not FACTS.exists():
        return []
    own = {
        operation.id for platform in load_platforms() if platform.name in PLATFORMS for operation in platform.operations
    }
    labels = json.loads(FACTS.read_text(encoding="utf-8"))
    served = operations()
    return [
        label
        for label in labels
        if label["source_op"] in served
        and label["target_op"] in served
        and own & {label["source_op"], label["target_op"]}
    ]


def _name(label: Row) -> str:
    return f"{label['source_op']}.{label['source_field']}->{label['target_op']}.{label['target_param']}"


def _way(label: Row) -> Way:
    return WAYS[label["source_op"], label["target_op"]]


def _follow(label: Row) -> list[Answer]:
    way = _way(label)
    start = way.source
    if label["source_op"].startswith("CntrctProcssIntgOpenService"):
        start = _won_tender()
    rows = [row for row in ask(label["source_op"], **start).rows if row.get(label["source_field"])]
    step = max(1, len(rows) // SAMPLE)
    answers: list[Answer] = []
    for row in rows[::step][: SAMPLE * 2]:
        params = way.needs(row) | {label["target_param"]: way.value(str(row[label["source_field"]]))}
        answers.append(ask(label["target_op"], **params))
    return answers


facts = pytest.mark.skipif(
    not FACTS.exists(), reason="the labelled links are not beside this checkout (../shared/facts)"
)


@facts
def test_labels_are_there() -> None:
    assert sum(1 for label in _labels() if label["valid"]) >= 32
    assert sum(1 for label in _labels() if not label["valid"]) == 3


@pytest.mark.parametrize("label", [label for label in _labels() if label["valid"]], ids=_name)
def test_sound_link_works(label: Row) -> None:
    answers = _follow(label)
    worked = [answer for answer in answers if answer.rows]
    assert worked, answers[-1].text[:300] if answers else "no record has the field"
    assert _way(label).sparse or len(worked) == len(answers)


@pytest.mark.parametrize("label", [label for label in _labels() if not label["valid"]], ids=_name)
def test_wrong_link_gives_nothing(label: Row) -> None:
    answers = _follow(label)
    assert answers
    assert not [answer.text[:300] for answer in answers if answer.rows]


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
