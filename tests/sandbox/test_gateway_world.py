"""One world behind many services: the same thing is the same everywhere, under different numbers."""

import pytest
from gateway_client import ask

from edge.sandbox.world import World
from edge.sandbox.world.companies import isin
from edge.sandbox.world.coordinates import distance_m, kma_grid, tm_middle, utm_k


@pytest.fixture(scope="module")
def world() -> World:
    return World()


def test_projections_agree_with_published_points() -> None:
    assert kma_grid(126.9816417, 37.57037778) == (60, 127)
    assert kma_grid(126.4983, 33.4856) == (52, 38)
    x, y = tm_middle(127.0010, 37.5866)
    assert (x, y) == (pytest.approx(200088.3, abs=60), pytest.approx(454130, abs=120))
    x, y = utm_k(127.036167, 37.500167)
    assert (x, y) == (pytest.approx(958990, abs=60), pytest.approx(1944630, abs=120))
    assert distance_m(127.0, 37.0, 127.0, 38.0) == pytest.approx(111_195, rel=0.001)


def test_isin_check_digit() -> None:
    assert isin("005930") == "KR7005930003"


def test_same_seed_same_rows_and_tables_do_not_depend_on_order() -> None:
    first, second = World(seed=3), World(seed=3)
    second.table("weather_warnings")
    for name in ("companies", "tago_stops", "weather_warnings"):
        assert first.table(name) == second.table(name)
        assert World(seed=4).table(name) != first.table(name)


def test_codes_look_alike_and_differ(world: World) -> None:
    dongs = world.table("dongs")
    legal = {row["code10"] for row in dongs}
    assert len(dongs) == len(legal) > 600
    assert len(world.table("districts")) >= 60
    assert len({row["code2"] for row in dongs}) == 17
    towns = [row for row in dongs if str(row["dong"]).endswith(("읍", "면"))]
    assert all(row["admin_code"] == row["code10"] for row in towns)
    assert not {row["admin_code"] for row in dongs if row not in towns} & legal
    gangnam = world.find("districts", "code5", "11680")[0]
    assert (gangnam["hira"], gangnam["kto_area"], gangnam["tago_bus"]) == ("110001", "1", "")
    chuncheon = world.find("districts", "code5", "51110")[0]
    assert chuncheon["sido"] == "강원특별자치도"


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("hospitals", "ykiho"),
        ("hospitals", "hpid"),
        ("pharmacies", "hpid"),
        ("companies", "corp_code"),
        ("companies", "crno"),
        ("companies", "bizr_no"),
        ("apartments", "kapt_code"),
        ("attractions", "content_id"),
        ("tago_stops", "node_id"),
        ("tago_routes", "route_id"),
        ("air_stations", "name"),
        ("disaster_messages", "sn"),
        ("places", "id"),
    ],
)
def test_identifiers_are_unique(world: World, table: str, column: str) -> None:
    values = [row[column] for row in world.table(table)]
    assert len(values) == len(set(values))


def test_one_hospital_two_identities() -> None:
    there = ask("HsptlAsembySearchService.getHsptlMdcncListInfoInqire", Q0="서울특별시", Q1="강남구", QZ="A").rows[0]
    here = ask("hospInfoServicev2.getHospBasisList", yadmNm=there["dutyName"]).rows[0]
    assert (here["addr"], here["XPos"]) == (there["dutyAddr"], there["wgs84Lon"])
    assert here["ykiho"] != there["hpid"]
    places = ask("local.searchKeyword", query=there["dutyName"]).rows
    assert float(places[0]["x"]) == there["wgs84Lon"]
    address = ask("addrlink.addrLinkApi", keyword=there["dutyAddr"]).rows[0]
    assert address["roadAddr"] == there["dutyAddr"]


def test_weather_agrees_between_services() -> None:
    grid = {"base_date": "20260615", "nx": 60, "ny": 127}
    now = {
        r["category"]: r["obsrValue"]
        for r in ask("VilageFcstInfoService_2.0.getUltraSrtNcst", base_time="1000", **grid).rows
    }
    rows = ask("VilageFcstInfoService_2.0.getVilageFcst", base_time="0800", numOfRows=1000, **grid).rows
    ahead = {r["category"]: r["fcstValue"] for r in rows if (r["fcstDate"], r["fcstTime"]) == ("20260615", "1000")}
    assert float(ahead["TMP"]) == pytest.approx(float(now["T1H"]), abs=0.51)
    assert (ahead["PTY"], ahead["REH"]) == (now["PTY"], now["REH"])


def test_arrivals_come_from_buses_on_the_route() -> None:
    routes = ask("BusRouteInfoInqireService.getRouteNoList", cityCode=25, numOfRows=50).rows
    for route in routes:
        buses = ask("BusLcInfoInqireService.getRouteAcctoBusLcList", cityCode=25, routeId=route["routeid"]).rows
        stops = ask(
            "BusRouteInfoInqireService.getRouteAcctoThrghSttnList", cityCode=25, routeId=route["routeid"], numOfRows=99
        ).rows
        last = max(stops, key=lambda row: row["nodeord"])
        coming = ask(
            "ArvlInfoInqireService.getSttnAcctoArvlPrearngeInfoList", cityCode=25, nodeId=last["nodeid"], numOfRows=99
        )
        left = {row["arrprevstationcnt"] for row in coming.rows if row["routeid"] == route["routeid"]}
        assert left == {last["nodeord"] - bus["nodeord"] for bus in buses} - {0}


def test_a_company_keeps_its_numbers() -> None:
    item = ask("GetKrxListedInfoService.getItemInfo", numOfRows=1).rows[0]
    outline = ask("GetCorpBasicInfoService_V2.getCorpOutline_V2", crno=item["crno"]).rows
    assert len(outline) == 1
    price = ask("GetStockSecuritiesInfoService.getStockPriceInfo", likeSrtnCd=item["srtnCd"][1:], numOfRows=2).rows
    assert price[0]["isinCd"] == item["isinCd"]
    assert int(price[0]["clpr"]) - int(price[0]["vs"]) == int(price[1]["clpr"])
    years = ask("GetFinaStatInfoService_V2.getSummFinaStat_V2", crno=item["crno"], numOfRows=50).rows
    assert {row["bizYear"] for row in years} == {"2021", "2022", "2023", "2024", "2025"}
    assert all(int(r["enpTastAmt"]) == int(r["enpTdbtAmt"]) + int(r["enpTcptAmt"]) for r in years)


def test_districts_add_up_to_their_province() -> None:
    month = {"srchFrYm": "202605", "srchToYm": "202605", "regSeCd": "1", "numOfRows": 100}
    name = "stdgPpltnHhStus.selectStdgPpltnHhStus"
    whole = ask(name, stdgCd="1100000000", lv=1, **month).rows[0]
    parts = ask(name, stdgCd="1100000000", lv=2, **month).rows
    assert len(parts) == 25
    assert int(whole["totNmprCnt"]) == sum(int(row["totNmprCnt"]) for row in parts)
