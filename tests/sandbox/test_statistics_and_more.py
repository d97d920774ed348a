"""Shapes, refusals and sizes of the statistics, road and exchange platforms, and of lists too long to hold."""

import json
from xml.etree import ElementTree

import httpx
import pytest
from later_operations import LATER
from platform_client import DEMO_KEY, base_url, call, fetch, operations

from edge.sandbox.world import World
from edge.sandbox.world.lazy import LazyRows
from edge.sandbox.world.old_bills import old_bill, old_bill_at, old_count

MOVES = {"format": "json", "jsonVD": "Y", "orgId": "101", "tblId": "DT_1B26003_A01", "itmId": "T20", "prdSe": "M"}
BOX = {"minX": 126.9, "maxX": 127.2, "minY": 37.3, "maxY": 37.6}
# Parameters that views read for themselves.
EVERYWHERE = ("BILL_ID", "CONF_ID", "newEstPrdCnt", "startPrdDe", "endPrdDe", "adm_cd", "pbanYr", "stdHour", "MST")
SEA = {"minX": 124.0, "maxX": 124.1, "minY": 34.0, "maxY": 34.1}


def test_lazy_rows_make_only_what_is_looked_at() -> None:
    made: list[int] = []

    def make(number: int) -> dict[str, object]:
        made.append(number)
        return {"n": number}

    rows = LazyRows(100_000, make)
    assert len(rows) == 100_000
    assert [row["n"] for row in rows[99_998:100_050]] == [99_998, 99_999]
    assert rows[-1] == {"n": 99_999}
    assert made == [99_998, 99_999, 99_999]
    with pytest.raises(IndexError):
        rows[100_000]


def test_every_old_bill_is_found_by_both_of_its_numbers() -> None:
    world = World()
    numbers = set()
    for order in range(0, old_count(), 1009):
        bill = old_bill_at(world, order)
        numbers.add(bill["bill_no"])
        assert old_bill(world, bill_id=str(bill["bill_id"])) == bill
        assert old_bill(world, bill_no=str(bill["bill_no"])) == bill
    assert len(numbers) == len(range(0, old_count(), 1009))
    # An ID with another letter is nobody's, whatever number its digits spell.
    identifier = str(old_bill_at(world, 7)["bill_id"])
    changed = identifier[:4] + ("A" if identifier[4] != "A" else "B") + identifier[5:]
    assert old_bill(world, bill_id=changed) is None


def test_the_longest_lists_have_their_real_length_and_a_last_page() -> None:
    received = call("assembly.BILLRCP", pSize=1000, pIndex=100)
    assert received.total > 116_000
    assert len(received.rows) == 1000
    last = call("assembly.VCONFBILLLIST", pSize=1000, pIndex=188)
    assert (last.total, len(last.rows)) == (187_373, 373)
    assert call("assembly.VCONFBILLLIST", pSize=1000, pIndex=189).code == "INFO-200"
    assert call("law.nts_expc_search").total == 135_765


def test_a_term_of_the_past_leads_from_its_list_to_its_meetings() -> None:
    bill = call("assembly.BILLRCP", ERACO="제19대", pIndex=3).rows[0]
    assert bill["BILL_NO"].startswith("19")
    whole = call("assembly.ALLBILL", BILL_NO=bill["BILL_NO"]).rows[0]
    assert whole["BILL_ID"] == bill["BILL_ID"]
    meetings = call("assembly.VCONFBILLLIST", BILL_ID=bill["BILL_ID"]).rows
    assert meetings
    detail = call("assembly.VCONFDETAIL", CONF_ID=meetings[0]["CONF_ID"]).rows[0]
    assert detail["ERACO"] == "제19대"
    agenda = call("assembly.VCONFBILLLIST", CONF_ID=meetings[0]["CONF_ID"]).rows
    assert bill["BILL_ID"] in {row["BILL_ID"] for row in agenda}


def test_kosis_answers_a_list_or_an_error_object() -> None:
    good = call("kosis.data", **MOVES, objL1="11", objL2="ALL", newEstPrdCnt=2)
    assert isinstance(good.body, list)
    assert {row["C1"] for row in good.rows} == {"11"}
    assert len({row["C2"] for row in good.rows}) == 18
    assert len({row["PRD_DE"] for row in good.rows}) == 2
    assert {type(row["DT"]) for row in good.rows} == {str}
    assert call("kosis.data", **MOVES, objL1="11", newEstPrdCnt=1).code == "20"
    assert call("kosis.data", **MOVES, objL1="11", objL2="00", objL3="00", newEstPrdCnt=1).code == "21"
    assert call("kosis.data", **MOVES | {"prdSe": "D"}, objL1="11", objL2="00", newEstPrdCnt=1).code == "30"
    every = MOVES | {"itmId": "ALL", "orgId": "101", "tblId": "DT_1B26003_A01"}
    span = {"startPrdDe": "202101", "endPrdDe": "202604"}
    assert call("kosis.data", **every, objL1="ALL", objL2="ALL", **span).code == "31"
    assert call("kosis.data", key="wrong", **MOVES, objL1="11", objL2="00", newEstPrdCnt=1).code == "11"


def test_kosis_keys_lose_their_quotes_without_json_vd() -> None:
    params = {"method": "getList", "apiKey": DEMO_KEY, "format": "json", "searchNm": "인구"}
    bare = fetch("kosis.kr", "/openapi/statisticsSearch.do", **params).text
    assert bare.startswith("[{ORG_ID:")
    with pytest.raises(ValueError, match="Expecting"):
        json.loads(bare)
    quoted = fetch("kosis.kr", "/openapi/statisticsSearch.do", **params, jsonVD="Y").json()
    assert quoted[0]["STAT_DB_CNT"] == str(len(quoted))


def test_net_migration_is_what_came_less_what_went() -> None:
    rows = call("kosis.data", **MOVES | {"itmId": "ALL"}, objL1="11", objL2="21", newEstPrdCnt=1).rows
    came, went, net = (int(row["DT"]) for row in rows)
    assert abs(came - went - net) <= 1


def test_regions_need_a_token_first() -> None:
    token = call("sgis.auth", consumer_secret="secret").rows[0]["accessToken"]
    assert call("sgis.hadmarea", year=2023).code == "-401"
    assert call("sgis.hadmarea", year=2023, accessToken="made-up").code == "-401"
    provinces = call("sgis.hadmarea", year=2023, accessToken=token).rows
    assert len(provinces) == 17
    districts = call("sgis.hadmarea", year=2023, accessToken=token, adm_cd="11").rows
    # The statistics office has its own number for the district that the registry calls 11680.
    assert {row["adm_cd"] for row in districts if row["adm_nm"].endswith("강남구")} == {"11230"}
    assert call("sgis.hadmarea", year=2023, accessToken=token, adm_cd="11680").code == "-100"


def test_a_box_is_all_that_cuts_road_answers() -> None:
    traffic = call("its.trafficInfo", **BOX, type="all")
    assert traffic.total == len(traffic.rows) > 300
    assert call("its.trafficInfo", **SEA, type="all").body["body"] == {"totalCount": 0, "items": {}}
    assert call("its.trafficInfo", type="all", **{k: v for k, v in BOX.items() if k != "maxY"}).code == "4002"
    refused = call("its.eventInfo", key="wrong", **BOX, type="all", eventType="all")
    assert (refused.raw.status_code, refused.code) == (401, "4005")
    cameras = call("its.cctvInfo", **BOX, type="ex", cctvType=1)
    assert ElementTree.fromstring(cameras.raw.content).find("data/cctvname") is not None


def test_the_exchange_is_closed_on_a_saturday_and_to_strangers() -> None:
    assert len(call("krx.stk_bydd_trd", basDd="20260612").rows) > 80
    assert call("krx.stk_bydd_trd", basDd="20260613").body == {"OutBlock_1": []}
    url = f"{base_url()}/data-dbg.krx.co.kr/svc/apis/sto/stk_bydd_trd"
    with httpx.Client(trust_env=False) as client:
        answer = client.get(url, params={"basDd": "20260612", "AUTH_KEY": DEMO_KEY})
    assert (answer.status_code, answer.json()["respMsg"]) == (401, "Unauthorized Key")


def test_the_two_codes_of_the_exchange_have_one_name() -> None:
    listed = call("krx.stk_isu_base_info", basDd="20260612").rows[0]
    traded = {row["ISU_CD"] for row in call("krx.stk_bydd_trd", basDd="20260612").rows}
    assert len(listed["ISU_CD"]) == 12
    assert listed["ISU_SRT_CD"] in traded
    assert listed["ISU_CD"] not in traded


def test_school_disclosure_tells_faults_apart_by_words_only() -> None:
    where = {"schulKndCode": "04", "sggCode": "11680"}
    good = call("schoolinfo.openApi", apiType="62", pbanYr="2025", **where)
    assert good.code == "success"
    missing = call("schoolinfo.openApi", apiType="62", **where)
    nowhere = call("schoolinfo.openApi", apiType="0", schulKndCode="04", sggCode="99999")
    assert missing.code == nowhere.code == "fail"
    assert missing.body["resultMsg"] != nowhere.body["resultMsg"]


def test_each_expressway_service_names_its_own_list() -> None:
    gates = call("ex.locationinfoUnit", type="json", numOfRows=30).rows
    ends = {"iStartUnitCode": gates[0]["unitCode"].strip(), "iEndUnitCode": gates[20]["unitCode"].strip()}
    times = call("ex.realUnitTrtm", type="json", **ends)
    assert "realUnitTrtmVO" in times.body
    assert "list" not in times.body
    assert max(row["stdTime"] for row in times.rows) <= "07:35"
    messages = call("ex.realTimeSms", type="json")
    assert "code" not in messages.body
    assert all(120 < float(row["altitude"]) < 132 for row in messages.body["realTimeSMSList"])


def test_gyeonggi_puts_a_version_into_its_head() -> None:
    answer = call("gg.RegionMnyFacltStus", SIGUN_NM="수원시")
    assert answer.body["RegionMnyFacltStus"][0]["head"][2] == {"api_version": "1.0"}
    assert {row["SIGUN_NM"] for row in answer.rows} == {"수원시"}
    assert isinstance(call("gg.AgeAcctoPopltn").rows[0]["LEGALDONG_CD"], int)


def test_counting_puts_candidates_side_by_side_and_sums_first() -> None:
    answer = call("nec.getXmntckSttusInfoInqire", sgId="20220601", sgTypecode=3, sdName="서울특별시", numOfRows=100)
    whole, *parts = answer.rows
    assert whole["wiwName"] == "합계"
    assert int(whole["dugsu01"]) == sum(int(row["dugsu01"]) for row in parts)
    assert {f"jd{n:02d}" for n in range(1, 51)} <= set(whole)
    assert call("nec.getXmntckSttusInfoInqire", sgId="20260615", sgTypecode=3).code == "INFO-03"


def test_ten_years_of_rulings_are_searched_by_title() -> None:
    found = call("law.nts_expc_search", query="소득세법", display=100)
    assert 1000 < found.total < 135_765
    assert all("소득세법" in row["안건명"] for row in found.rows)


def test_officers_and_ratios_follow_the_report() -> None:
    listed = call("dart.list", pblntf_ty="A", bgn_de="20260301", end_de="20260401").rows[0]["corp_code"]
    report = {"corp_code": listed, "bsns_year": 2025, "reprt_code": "11011"}
    totals = {row["se"]: row for row in call("dart.stockTotqySttus", **report).rows}
    assert totals["보통주"]["istc_totqy"] == totals["합계"]["istc_totqy"]
    assert call("dart.fnlttSinglIndx", **report, idx_cl_code="M210000").rows
    assert call("dart.fnlttSinglIndx", **report, idx_cl_code="수익성").code == "100"
    many = ",".join(["00126380"] * 101)
    assert call("dart.fnlttMultiAcnt", **report | {"corp_code": many}).code == "021"
    assert call("dart.exctvSttus", **report).rows[0]["ofcps"] == "대표이사"


@pytest.mark.parametrize(
    "text", ["²²²²²²²", "N²²²²²²", "-1", "99999999", "PRC_A²S4S5S5N1U0R8U1B5I9U7H9A9X1L8", "2024", "20260230"]
)
def test_no_text_that_looks_like_a_number_breaks_an_operation(text: str) -> None:
    for name in sorted(LATER & set(operations())):
        operation = operations()[name]
        asked = dict.fromkeys([*operation.required, *operation.filters, *operation.parts, *EVERYWHERE], text)
        assert call(name, **asked | dict(operation.fixed) | {"jsonVD": "Y"}).raw.status_code in (200, 400, 401), name
