"""How shops, city buses, the tax and pension services, warnings, courts and universities answer, quirks included."""

import json

import pytest
from service_client import fetch_rows, rows_of, send

from edge.sandbox.world import World
from edge.sandbox.world.licenses import old_metres

TABLES = ("shops", "gyeonggi_route_stops", "pension_workplaces", "warning_codes", "medicines", "fire_vehicles")
TABLES += ("cleaning_firms", "universities", "court_decisions", "apartment_bids", "subway_exit_buses")
STATION = {"resultType": "json", "rsacGutFsttOgidNm": "강남소방서"}


@pytest.fixture(scope="module")
def world() -> World:
    return World()


@pytest.mark.parametrize("name", TABLES)
def test_tables_depend_on_the_seed_and_on_nothing_else(name: str) -> None:
    first = World(seed=3).table(name)
    assert first == World(seed=3).table(name)
    assert first != World(seed=4).table(name)


def test_shops_hang_on_trades_dongs_and_zones(world: World) -> None:
    shops = world.table("shops")
    assert len(shops) > 10_000
    assert {shop["small"] for shop in shops} <= {row["small"] for row in world.table("trade_small")}
    assert {shop["zone"] for shop in shops} - {""} <= {zone["zone"] for zone in world.table("shop_zones")}
    legal = {dong["code10"] for dong in world.table("dongs")}
    assert {shop["code10"] for shop in shops} <= legal
    assert not {shop["shop"] for shop in shops} & {row["b_no"] for row in world.table("tax_status")}


def test_the_same_bus_has_two_identities(world: World) -> None:
    tago = {row["node_id"] for row in world.table("tago_stops")}
    stops = world.table("gyeonggi_stops")
    assert {stop["node_id"] for stop in stops} <= tago
    assert len({stop["stop"] for stop in stops}) == len(stops)
    assert not {str(stop["stop"]) for stop in stops} & tago


def test_a_shop_level_that_does_not_exist_is_refused_and_no_shop_is_03() -> None:
    wrong = send("sdsc2.storeListInDong", {"divId": "dongCd", "key": "11680"}).json()
    assert wrong["header"]["resultCode"] == "10"
    nothing = send("sdsc2.storeListInDong", {"divId": "signguCd", "key": "99999"}).json()
    assert (nothing["header"]["resultCode"], nothing["body"]["items"]) == ("03", [])


def test_gyeonggi_counts_no_result_as_four_and_sends_a_single_row_as_an_object() -> None:
    none = send("6410000.getBusStationListv2", {"keyword": "없는이름"}).json()["response"]
    assert none["msgHeader"]["resultCode"] == 4
    assert "msgBody" not in none
    missing = send("6410000.getBusStationListv2", {}).json()["response"]
    assert missing["msgHeader"]["resultCode"] == 5
    stop = fetch_rows("6410000.getBusStationAroundListv2", {"x": 127.03, "y": 37.26})[0]
    one = send("6410000.getBusStationListv2", {"keyword": stop["mobileNo"]}).json()["response"]["msgBody"]
    assert one["busStationList"]["stationId"] == stop["stationId"]


def test_gwangju_needs_its_format_and_says_success() -> None:
    body = send("gj_bis.stationInfo", {"resultType": "json"}).json()["RESPONSE"]
    assert body["RESULT_CODE"] == "SUCCESS"
    assert body["ROW_COUNT"] == len(body["ITEMS"]) > 100
    text = send("gj_bis.stationInfo", {"resultType": "xml"}, form="xml").text
    assert text.count("<ITEM>") == body["ROW_COUNT"]


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        ({}, 411, "REQUEST_DATA_MALFORMED"),
        ({"b_no": "1248100998"}, 411, "REQUEST_DATA_MALFORMED"),
        ({"b_no": ["1"] * 101}, 413, "TOO_LARGE_REQUEST"),
    ],
)
def test_tax_states_come_for_a_list_of_at_most_a_hundred(body: object, status: int, word: str) -> None:
    raw = send("v1.status", {}, body=body)
    assert (raw.status_code, raw.json()["status_code"]) == (status, word)


def test_an_unregistered_number_is_a_row_without_a_state(world: World) -> None:
    known = str(world.table("companies")[0]["bizr_no"])
    body = send("v1.status", {}, body={"b_no": [known, "0000000000"]}).json()
    assert (body["request_cnt"], body["match_cnt"]) == (2, 1)
    assert [row["b_stt_cd"] for row in body["data"]] == ["01", ""]
    assert "등록되지 않은" in body["data"][1]["tax_type"]
    owner = world.table("companies")[0]
    true = {"b_no": known, "start_dt": owner["est_date"], "p_nm": owner["ceo"]}
    valid = send("v1.validate", {}, body={"businesses": [true, true | {"p_nm": "다른이"}]}).json()["data"]
    assert [row["valid"] for row in valid] == ["01", "02"]


def test_a_pension_number_lives_for_one_load_and_shows_six_digits(world: World) -> None:
    name = world.table("companies")[0]["formal_name"]
    # A namesake in another province has the name as a part of its own.
    found = fetch_rows("NpsBplcInfoInqireServiceV2.getBassInfoSearchV2", {"wkplNm": name})
    rows = [row for row in found if row["wkplNm"] == name]
    assert len({row["seq"] for row in rows}) == len(rows) == 2
    assert [row["dataCrtYm"] for row in rows] == [202605, 202604]
    assert rows[0]["bzowrRgstNo"].endswith("****")


def test_an_impact_forecast_is_out_from_half_past_eleven() -> None:
    heat = "ImpactInfoServiceV2.getHWImpactValueV2"
    assert fetch_rows(heat, {"tm": "20260614"})
    assert send(heat, {"tm": "20260615"}).json()["response"]["header"]["resultCode"] == "03"
    assert send(heat, {"tm": "2026-06-14"}).json()["response"]["header"]["resultCode"] == "10"
    assert not fetch_rows("ImpactInfoServiceV2.getCWImpactValueV2", {"tm": "20260614"})


def test_a_leaflet_without_a_warning_says_null() -> None:
    body = send("DrbEasyDrugInfoService.getDrbEasyDrugList", {"numOfRows": 100}).json()
    assert "response" not in body
    warnings = [row["atpnWarnQesitm"] for row in body["body"]["items"]]
    assert None in warnings
    assert any(warnings)


def test_ambulance_records_stop_before_this_month_and_pages_at_a_hundred() -> None:
    name = "EmergencyInformationService.getEmgencyActivityInfo"
    body = send(name, STATION | {"gutYm": "202604", "numOfRows": 500}).json()["response"]["body"]
    assert body["numOfRows"] == 100
    assert not fetch_rows(name, STATION | {"gutYm": "202606"})
    # 중부소방서 exists in several cities; the headquarters tells them apart.
    shared = {"resultType": "json", "rsacGutFsttOgidNm": "중부소방서"}
    every = {row["sidoHqOgidNm"] for row in fetch_rows("EmergencyInformationService.getEmgVehicleInfo", shared)}
    assert len(every) > 1


def test_the_register_of_licences_keeps_old_metres_as_padded_text() -> None:
    # The city halls of Seoul and Busan in EPSG:5174, as PROJ converts them.
    assert old_metres(126.97796919, 37.56653504) == pytest.approx((197_984.0, 451_583.7), abs=10)
    assert old_metres(129.0756, 35.1796) == pytest.approx((389_004.2, 188_683.8), abs=10)
    rows = fetch_rows("building_sanitation.info", {"pageNo": 1, "numOfRows": 100})
    texts = [row["CRD_INFO_X"] for row in rows if row["CRD_INFO_X"]]
    assert all(len(text) == 20 and text.endswith(" ") for text in texts)
    past = {"pageNo": 1, "numOfRows": 100, "cond[BASE_DATE::EQ]": "20200101", "cond[OPN_ATMY_GRP_CD::EQ]": "3220000"}
    assert all(row["LCPMT_YMD"] < "20200101" for row in fetch_rows("building_sanitation.history", past))


def test_the_court_cuts_rows_to_the_fields_named() -> None:
    rows = fetch_rows(
        "PrecedentInfomationService.getKorPrcdntList", {"fields": "eventNum,eventNo", "eventType": "전체"}
    )
    assert {tuple(row) for row in rows} == {("eventNum", "eventNo")}
    # A number and its form have to come from one row.
    listed = fetch_rows("PrecedentInfomationService.getKorPrcdntList", {"panreType": "01"})[0]
    detail = "PrecedentInfomationService.getKorPrcdntDetail"
    assert fetch_rows(detail, {"eventNum": listed["eventNum"], "panreType": "01"})
    assert not fetch_rows(detail, {"eventNum": listed["eventNum"], "panreType": "02"})


def test_university_codes_belong_to_a_survey_year() -> None:
    codes = "BasicInformationService_1.getCodeByLargeSeries"
    assert [row["cdid"] for row in fetch_rows(codes, {"svyYr": "2025"})][:2] == ["01", "02"]
    assert not fetch_rows(codes, {"svyYr": "2026"})
    assert send(codes, {}).text.count("<resultCode>11</resultCode>") == 1


def test_the_regional_tuition_has_the_elements_of_the_live_answer() -> None:
    first = fetch_rows("FinancesService.getRegionalTuitionCrntSt", {"schlDivCd": "02"})[0]
    live = "fieldType1 fieldType2 fieldType3 fieldType4 fieldType5 fieldType7 fieldVal1 fieldVal2 fieldVal4 fieldVal5"
    assert list(first) == [*live.split(), "fieldVal7", "indctId", "schlDivCd"]
    assert (first["fieldVal7"], first["indctId"]) == ("전체", "38")


def test_the_months_of_groups_come_as_the_live_answer_did() -> None:
    raw = send("publicYmList.publicYmListApi", {"presentnYear": "2021", "jobSeCode": "0001"})
    head = "<publicYmList><numOfRows>10</numOfRows><pageNo>1</pageNo><resultCode>00</resultCode>"
    assert head in raw.text
    assert rows_of(raw) == [{"othbcYm": "202105", "jobSeCode": "0001"}]


def test_gateway_faults_are_xml_even_here() -> None:
    raw = send("6410000.getBusStationListv2", {"keyword": "역", "serviceKey": "wrong"})
    assert "<returnReasonCode>30</returnReasonCode>" in raw.text
    tax = send("v1.status", {"serviceKey": "wrong"}, body={"b_no": ["1"]})
    assert (tax.status_code, json.loads(tax.text)["code"]) == (401, -4)
