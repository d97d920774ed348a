"""What the labelled links say in their notes: why a wrong one fails, and what makes it right."""

from xml.etree import ElementTree

from linkcalls import fetch_rows, send
from linkfollow import value_at

BOX = {"minX": 126.9, "maxX": 127.2, "minY": 37.3, "maxY": 37.6}


def test_closed_day_has_no_price_and_the_end_is_exclusive() -> None:
    price = "GetStockSecuritiesInfoService.getStockPriceInfo"
    holiday = str(fetch_rows("SpcdeInfoService.getRestDeInfo", solYear=2026, solMonth="06")[0]["locdate"])
    assert holiday == "20260603"
    assert not fetch_rows(price, basDt=holiday)
    assert fetch_rows(price, basDt="20260602")
    assert not fetch_rows(price, beginBasDt=holiday, endBasDt=holiday)
    days = {row["basDt"] for row in fetch_rows(price, endBasDt=holiday, numOfRows=1000)}
    assert "20260602" in days
    assert holiday not in days


def test_only_the_legal_dong_row_of_a_coordinate_leads_on() -> None:
    legal, administrative = fetch_rows("local.coord2regioncode", x=127.047, y=37.517)
    assert (legal["region_type"], administrative["region_type"]) == ("B", "H")
    complexes = "AptListService3.getLegaldongAptList3"
    assert fetch_rows(complexes, bjdCode=legal["code"])
    assert not fetch_rows(complexes, bjdCode=administrative["code"])
    named = fetch_rows("StanReginCd.getStanReginCdList", locatadd_nm=legal["address_name"])
    assert [row["region_cd"] for row in named] == [legal["code"]]
    coded = send("StanReginCd.getStanReginCdList", {"locatadd_nm": legal["code"]})
    assert coded.raw.json()["RESULT"]["resultCode"] == "INFO-3"


def test_a_cut_legal_code_is_no_administrative_code() -> None:
    legal, administrative = fetch_rows("local.coord2regioncode", x=127.047, y=37.517)
    when = {"STDR_DE_ID": "20260601", "TMZON_PD_SE": "00"}
    assert not fetch_rows("seoul.SPOP_LOCAL_RESD_DONG", ADSTRD_CODE_SE=legal["code"][:8], **when)
    assert fetch_rows("seoul.SPOP_LOCAL_RESD_DONG", ADSTRD_CODE_SE=administrative["code"][:8], **when)


def test_old_area_code_is_no_legal_dong_code() -> None:
    places, who = "KorService2.areaBasedList2", {"MobileOS": "ETC", "MobileApp": "edge"}
    row = fetch_rows(places, areaCode=1, numOfRows=1, **who)[0]
    assert row["areacode"] == "1"
    assert not fetch_rows(places, lDongRegnCd=row["areacode"], **who)
    assert fetch_rows(places, lDongRegnCd=row["lDongRegnCd"], **who)


def test_the_wrong_article_link_works_after_its_transform() -> None:
    law = fetch_rows("law.detail", LM="소득세법")[0]
    for unit in law["조문"]["조문단위"][:4]:
        jo = f"{int(unit['조문번호']):04d}{int(unit.get('조문가지번호', 0)):02d}"
        article = fetch_rows("law.article", ID=law["기본정보"]["법령ID"], JO=jo)[0]
        assert article["조문"]["조문단위"][0]["조문제목"] == unit["조문제목"]


def test_an_administrative_code_works_with_its_two_noughts() -> None:
    shops = fetch_rows("sdsc2.storeListInDong", divId="signguCd", key="11680")
    for code in {row["adongCd"] for row in shops}:
        asked = {"time": "2026061506"}
        assert not fetch_rows("LivingWthrIdxServiceV5.getUVIdxV5", areaNo=code, **asked)
        assert fetch_rows("LivingWthrIdxServiceV5.getUVIdxV5", areaNo=f"{code}00", **asked)


def test_a_ground_code_one_lower_finds_the_building() -> None:
    deals = fetch_rows("RTMSDataSvcAptTradeDev.getRTMSDataSvcAptTradeDev", LAWD_CD="11680", DEAL_YMD="202605")
    place = {"sigunguCd": "sggCd", "bjdongCd": "umdCd", "bun": "bonbun", "ji": "bubun"}

    def buildings(deal: dict[str, str], ground: int) -> bool:
        where = {name: deal[field] for name, field in place.items()}
        return bool(fetch_rows("BldRgstHubService.getBrTitleInfo", **where, platGbCd=ground))

    assert not any(buildings(deal, int(deal["landCd"])) for deal in deals)
    assert any(buildings(deal, int(deal["landCd"]) - 1) for deal in deals)


def test_the_whole_business_number_comes_from_the_corporate_outline() -> None:
    workplace = fetch_rows("NpsBplcInfoInqireServiceV2.getBassInfoSearchV2", wkplNm="전자")[0]
    company = fetch_rows("GetCorpBasicInfoService_V2.getCorpOutline_V2", corpNm=workplace["wkplNm"])[0]
    assert str(company["bzno"]).startswith(str(workplace["bzowrRgstNo"]).rstrip("*"))
    states = fetch_rows("v1.status", b_no=company["bzno"])
    assert states[0]["b_stt"] in ("계속사업자", "휴업자", "폐업자")


def test_stations_join_by_id_and_not_by_a_parameter() -> None:
    # No argument carries this value; every open station is in both lists.
    known = {row["RENT_ID"] for row in fetch_rows("seoul.tbCycleStationInfo", END=1000)}
    shown = fetch_rows("seoul.bikeList", END=500)
    assert len(shown) == 500
    assert {row["stationId"] for row in shown} <= known
    assert fetch_rows("seoul.bikeList", END=500, stationId="ST-0") == shown


def test_an_event_filing_has_no_xbrl_and_says_014() -> None:
    event = fetch_rows("dart.list", pblntf_ty="I")[0]["rcept_no"]
    refused = send("dart.fnlttXbrl", {"rcept_no": event, "reprt_code": "11011"})
    assert ElementTree.fromstring(refused.raw.content).findtext("status") == "014"
    assert fetch_rows("dart.document", rcept_no=event)[0]["file"].endswith(".xml")


def test_the_right_ids_work_where_the_look_alikes_did_not() -> None:
    meeting = fetch_rows("assembly.ncwgseseafwbuheph", DAE_NUM=22, CONF_DATE="2026-05")[0]
    assert fetch_rows("assembly.VCONFDETAIL", CONF_ID=meeting["CONF_ID"])[0]["CONF_DT"] == meeting["CONF_DATE"]
    petition = fetch_rows("assembly.PTTRCP", ERACO="제22대")[0]
    assert fetch_rows("assembly.PTTINFODETAIL", PTT_ID=petition["PTT_ID"])[0]["PTT_NO"] == petition["PTT_NO"]
    event = fetch_rows("its.eventInfo", **BOX, type="ex", eventType="all")[0]
    assert fetch_rows("ex.locationinfoRest", type="json", routeNo=f"{int(event['roadNo']) * 10:04d}")


def test_a_value_is_found_inside_and_where_it_lies_already() -> None:
    assert value_at({"address": {"h_code": "1"}}, "address.h_code") == "1"
    assert value_at({"조문번호": "3"}, "조문.조문단위[].조문번호") == "3"
