"""What one operation says, another does not contradict: numbers, names and places agree across platforms."""

from platform_client import call


def test_a_company_is_the_same_in_every_report() -> None:
    filing = next(row for row in call("dart.list", corp_cls="Y", page_count=100).rows)
    code = filing["corp_code"]
    company = call("dart.company", corp_code=code).body
    assert company["stock_code"] == filing["stock_code"]
    assert (len(company["jurir_no"]), len(company["bizr_no"])) == (13, 10)
    annual = [
        row for row in call("dart.list", corp_code=code, page_count=100).rows if "사업보고서 (2024" in row["report_nm"]
    ]
    receipts = {row["rcept_no"] for row in annual}
    year = {"corp_code": code, "bsns_year": 2024, "reprt_code": "11011"}
    for name in ("fnlttSinglAcnt", "empSttus", "hyslrSttus", "accnutAdtorNmNdAdtOpinion", "alotMatter"):
        assert {row["rcept_no"] for row in call(f"dart.{name}", **year).rows} <= receipts
    accounts = {(r["fs_div"], r["account_nm"]): r["thstrm_amount"] for r in call("dart.fnlttSinglAcnt", **year).rows}
    whole, debt, equity = (int(accounts["CFS", n].replace(",", "")) for n in ("자산총계", "부채총계", "자본총계"))
    assert whole == debt + equity


def test_last_year_follows_from_this_year() -> None:
    code = call("dart.list", corp_cls="K").rows[0]["corp_code"]
    by_year = {
        year: call("dart.fnlttSinglAcnt", corp_code=code, bsns_year=year, reprt_code="11011").rows
        for year in (2023, 2024)
    }
    assert [row["thstrm_amount"] for row in by_year[2023]] == [row["frmtrm_amount"] for row in by_year[2024]]


def test_votes_add_up() -> None:
    vote = call("assembly.ncocpgfiaoituanbr", AGE=22).rows[3]
    members = call("assembly.nojepdqqaweusdfbi", AGE=22, BILL_ID=vote["BILL_ID"], pSize=1000).rows
    counts = [sum(row["RESULT_VOTE_MOD"] == mark for row in members) for mark in ("찬성", "반대", "기권")]
    assert counts == [vote["YES_TCNT"], vote["NO_TCNT"], vote["BLANK_TCNT"]]
    assert sum(counts) == vote["VOTE_TCNT"]


def test_seats_add_up_and_members_won_them() -> None:
    parties = call("assembly.nepjpxkkabqiqpbvk").rows
    assert sum(row["N3"] for row in parties) == 300
    member = next(m for m in call("assembly.nwvrqwxyaytdsfvhu").rows if m["ORIG_NM"].startswith("서울"))
    winner = call(
        "nec.getWinnerInfoInqire", sgId="20240410", sgTypecode=2, sdName="서울특별시", sggName=member["ORIG_NM"][3:]
    ).rows[0]
    assert (winner["name"], winner["jdName"]) == (member["HG_NM"], member["POLY_NM"])


def test_a_promulgated_bill_is_the_law_of_that_number() -> None:
    bill = call("assembly.ALLBILL", BILL_NO=call("assembly.ncocpgfiaoituanbr", AGE=22).rows[0]["BILL_NO"]).rows[0]
    law = call("law.search", ancNo=bill["PROM_NO"], knd="A0002").rows[0]
    assert law["법령명한글"] == bill["PROM_LAW_NM"]
    assert law["공포일자"] == bill["PROM_DT"].replace("-", "")


def test_pledges_exist_for_executive_offices_only() -> None:
    codes = {(row["sgId"], row["sgTypecode"]) for row in call("nec.getCommonSgCodeList", numOfRows=100).rows}
    for election, kind in sorted(codes - {("20220601", "0"), ("20240410", "0")}):
        winner = call("nec.getWinnerInfoInqire", sgId=election, sgTypecode=kind).rows[0]
        pledges = call("nec.getCnddtElecPrmsInfoInqire", sgId=election, sgTypecode=kind, cnddtId=winner["huboid"]).rows
        assert bool(pledges) == (kind in ("3", "4", "11"))


def test_arrivals_come_from_the_vehicles_on_the_road() -> None:
    route = {"busRouteId": "100100073"}
    vehicles = {row["vehId"] for row in call("topis.getBusPosByRtid", **route).rows}
    arrivals = call("topis.getArrInfoByRouteAll", **route).rows
    assert {row["vehId1"] for row in arrivals} - {"0"} <= vehicles
    stops = call("topis.getStaionByRoute", **route).rows
    assert [row["seq"] for row in stops] == [str(n) for n in range(1, len(stops) + 1)]
    stop = next(row for row in stops[5:] if row["arsId"] != "0")
    assert len(stop["arsId"]) == 5
    here = call("topis.getStationByUid", arsId=stop["arsId"]).rows
    assert any(row["rtNm"] == "472" and row["traTime1"] == arrivals[int(stop["seq"]) - 1]["traTime1"] for row in here)
    near = call("topis.getStationByPos", tmX=stop["gpsX"], tmY=stop["gpsY"], radius=300).rows
    assert near[0]["stationId"] == stop["station"]


def test_timetables_exist_for_the_schools_own_kind() -> None:
    services = {"초등학교": "elsTimetable", "중학교": "misTimetable", "고등학교": "hisTimetable"}
    for kind in services:
        school = call("neis.schoolInfo", SCHUL_KND_SC_NM=kind, pSize=3).rows[1]
        codes = {key: school[key] for key in ("ATPT_OFCDC_SC_CODE", "SD_SCHUL_CODE")}
        found = {name for name, service in services.items() if call(f"neis.{service}", pSize=5, **codes).rows}
        assert found == {kind}


def test_meals_fall_on_school_days() -> None:
    school = call("neis.schoolInfo", SCHUL_KND_SC_NM="초등학교", pSize=2).rows[0]
    codes = {key: school[key] for key in ("ATPT_OFCDC_SC_CODE", "SD_SCHUL_CODE")}
    may = call("neis.mealServiceDietInfo", MLSV_FROM_YMD="20260501", MLSV_TO_YMD="20260531", **codes).rows
    days = {row["MLSV_YMD"] for row in may}
    assert not days & {"20260502", "20260503", "20260505", "20260525"}
    assert 17 <= len(days) <= 20
    assert all("<br/>" in row["DDISH_NM"] and row["CAL_INFO"].endswith(" Kcal") for row in may)
    assert call("neis.mealServiceDietInfo", MLSV_YMD="20260525", **codes).code == "INFO-200"


def test_cycles_of_a_statistic_agree() -> None:
    monthly = call("ecos.StatisticSearch", STAT_CODE="721Y001", CYCLE="M", FROM="202501", TO="202503", ITEM1="5020000")
    quarter = call("ecos.StatisticSearch", STAT_CODE="721Y001", CYCLE="Q", FROM="2025Q1", TO="2025Q1", ITEM1="5020000")
    mean = sum(float(row["DATA_VALUE"]) for row in monthly.rows) / 3
    assert abs(mean - float(quarter.rows[0]["DATA_VALUE"])) < 0.02
    wrong = call("ecos.StatisticSearch", STAT_CODE="721Y001", CYCLE="M", FROM="20250101", TO="20250301")
    assert wrong.code == "INFO-200"


def test_level_one_revenue_is_the_sum_of_level_two() -> None:
    rows = call("lofin.FIACRV", fyr=2024, laf_cd="1168000").rows
    total = [row["tott_sum_amt"] for row in rows if row["lvl_no"] == "1"]
    assert total == [sum(row["tott_sum_amt"] for row in rows if row["lvl_no"] == "2")]
    assert call("lofin.FIACRV", fyr=2024, laf_cd="11680").code == "INFO-200"


def test_no_contact_details_leave_the_replica() -> None:
    banned = {"TEL_NO", "E_MAIL", "ASSEM_TEL", "ASSEM_EMAIL", "STAFF", "SECRETARY", "phn_no", "fax_no"}
    for name, params in (
        ("assembly.nwvrqwxyaytdsfvhu", {}),
        ("assembly.nktulghcadyhmiqxi", {}),
        ("neis.schoolInfo", {}),
        ("dart.company", {"corp_code": call("dart.list").rows[0]["corp_code"]}),
    ):
        answer = call(name, **params)
        assert not banned & set(answer.rows[0])
        assert "@" not in answer.raw.text
    # A public client needs a school's number to be there: it is of an exchange that nobody has.
    assert all("-000-" in row["ORG_TELNO"] for row in call("neis.schoolInfo").rows)
