"""Public Python clients, written by others for the platforms, read the sandbox as they read those.

None of them is a dependency: each test is skipped where its client is not installed. To run them all:
pip install OpenDartReader dart-fss PublicDataReader neispy kpubdata
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from running import started

# Keys of platforms that carry them in the path have no slash, and some clients do not quote them.
KEY = "EDGEFOREIGNCLIENT0000"
APARTMENTS = {"sigungu_code": "11680", "year_month": "202604"}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[str]:
    with started("--key", KEY, "--exit-with-parent") as (url, _):
        yield url


@pytest.fixture
def redirected(sandbox: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Every address that requests is given leads to the sandbox, where the host is the first piece of a path."""
    requests = pytest.importorskip("requests")
    send = requests.adapters.HTTPAdapter.send

    def to_sandbox(adapter: Any, request: Any, **options: Any) -> Any:
        parts = urlsplit(request.url)
        query = f"?{parts.query}" if parts.query else ""
        request.url = f"{sandbox}/{parts.netloc}{parts.path}{query}"
        return send(adapter, request, **options | {"proxies": {}})

    monkeypatch.setattr(requests.adapters.HTTPAdapter, "send", to_sandbox)
    monkeypatch.chdir(tmp_path)
    return sandbox


def test_open_dart_reader(redirected: str) -> None:
    reader = pytest.importorskip("OpenDartReader")
    dart = reader(KEY)
    assert dart.find_corp_code("005930") == "00126380"
    assert dart.company("005930")["jurir_no"] == "1301110006246"
    filings = dart.list("005930", start="2024-01-01", end="2026-06-15")
    assert {"rcept_no", "report_nm", "rcept_dt"} <= set(filings.columns)
    statement = dart.finstate("005930", 2024)
    assert {"매출액", "영업이익"} <= set(statement.account_nm)
    assert len(dart.finstate_all("005930", 2024)) > 10
    assert "현금배당금총액(백만원)" in set(dart.report("005930", "배당", 2024).se)
    assert dart.document(filings.rcept_no.iloc[0]).startswith("<?xml")


def test_dart_fss(redirected: str) -> None:
    dart = pytest.importorskip("dart_fss")
    # It tries the key on the example company of the documents.
    dart.set_api_key(api_key=KEY)
    assert dart.api.filings.get_corp_info("00126380")["stock_code"] == "005930"
    assert dart.api.finance.fnltt_singl_acnt("00126380", "2024", "11011")["list"]
    found = dart.filings.search(bgn_de="20260601", end_de="20260615", corp_cls="Y")
    assert found.total_count > 0
    with pytest.raises(dart.errors.errors.NoDataReceived):
        dart.api.issue.piic_decsn("00126380", "19990101", "19990102")


def test_public_data_reader_over_a_proxy(sandbox: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = pytest.importorskip("PublicDataReader")
    # Its addresses are plain http: the sandbox is simply the proxy.
    monkeypatch.setenv("http_proxy", sandbox)
    monkeypatch.setenv("no_proxy", "")
    trades = reader.TransactionPrice(KEY).get_data(property_type="아파트", trade_type="매매", **APARTMENTS)
    assert len(trades) > 10
    assert trades["거래금액"].min() > 1000
    leases = reader.TransactionPrice(KEY).get_data(property_type="아파트", trade_type="전월세", **APARTMENTS)
    assert {"보증금액", "월세금액"} <= set(leases.columns)
    buildings = reader.BuildingLedger(KEY).get_data(
        ledger_type="표제부", sigungu_code="11680", bdong_code="10300", bun="", ji=""
    )
    assert len(buildings) > 0
    rates = reader.Ecos(KEY).get_statistic_search(
        통계표코드="722Y001", 주기="M", 검색시작일자="202501", 검색종료일자="202604", 통계항목코드1="0101000"
    )
    assert len(rates) == 16
    shops = reader.SmallShop(KEY).get_data("반경상가", radius="500", cx="127.0276", cy="37.4979")
    assert len(shops) > 0


def test_public_data_reader_elsewhere(redirected: str) -> None:
    reader = pytest.importorskip("PublicDataReader")
    kosis = reader.Kosis(KEY)
    assert len(kosis.get_data("KOSIS통합검색", searchNm="인구")) > 3
    moves = kosis.get_data(
        "통계자료",
        orgId="101",
        tblId="DT_1B26003_A01",
        itmId="ALL",
        objL1="ALL",
        objL2="ALL",
        prdSe="M",
        newEstPrdCnt=1,
    )
    assert len(moves) > 500
    assert list(reader.Nts(KEY).status(b_no=["0000000000"]).b_no) == ["0000000000"]


def test_neispy(sandbox: str, monkeypatch: pytest.MonkeyPatch) -> None:
    neispy = pytest.importorskip("neispy")
    monkeypatch.setattr(neispy.client.NeispyRequest, "BASE", f"{sandbox}/open.neis.go.kr/hub")

    async def ask() -> tuple[Any, Any, Any]:
        async with neispy.Neispy(KEY=KEY) as client:
            found = await client.schoolInfo(ATPT_OFCDC_SC_CODE="B10", SCHUL_NM="고등학교")
            school = found.schoolInfo[1].row[0]
            codes = {name: getattr(school, name) for name in ("ATPT_OFCDC_SC_CODE", "SD_SCHUL_CODE")}
            meals = await client.mealServiceDietInfo(**codes, MLSV_YMD="20260615")
            lessons = await client.hisTimetable(**codes, ALL_TI_YMD="20260616", GRADE="1", CLASS_NM="1")
            with pytest.raises(neispy.error.DataNotFound):
                await client.schoolInfo(SCHUL_NM="없는학교")
            return school, meals.mealServiceDietInfo[1].row, lessons.hisTimetable[1].row

    school, meals, lessons = asyncio.run(ask())
    assert school.SCHUL_KND_SC_NM == "고등학교"
    assert meals[0].CAL_INFO.endswith(" Kcal")
    assert [lesson.PERIO for lesson in lessons] == [str(number) for number in range(1, len(lessons) + 1)]


# What its own list of data sets calls verified against the live platforms, and a few more.
KPUBDATA: dict[str, dict[str, str]] = {
    "datago.air_quality": {"sidoName": "서울"},
    "datago.air_station": {"stationName": "중구", "dataTerm": "DAILY"},
    "datago.apt_trade": {"LAWD_CD": "11680", "DEAL_YMD": "202604"},
    "datago.apt_rent": {"LAWD_CD": "11680", "DEAL_YMD": "202604"},
    "datago.offi_trade": {"LAWD_CD": "11680", "DEAL_YMD": "202604"},
    "datago.hospital_info": {"sidoCd": "110000"},
    "datago.tour_kor_area": {"areaCode": "1", "MobileOS": "ETC", "MobileApp": "edge"},
    "datago.tour_kor_keyword": {"keyword": "공원", "MobileOS": "ETC", "MobileApp": "edge"},
    "datago.tour_kor_festival": {"eventStartDate": "20260501", "MobileOS": "ETC", "MobileApp": "edge"},
    "datago.ultra_srt_ncst": {"base_date": "20260615", "base_time": "0900", "nx": "60", "ny": "127"},
    "datago.village_fcst": {"base_date": "20260615", "base_time": "0800", "nx": "60", "ny": "127"},
    "datago.mid_ta": {"regId": "11B10101", "tmFc": "202606150600"},
    "bok.base_rate": {"start_date": "202501", "end_date": "202604"},
    "lofin.fiscal_independence": {"fyr": "2025"},
    "lofin.revenue_by_source": {"fyr": "2025"},
    "seoul.bike_realtime": {},
    "sgis.boundary.sigungu": {"adm_cd": "11"},
}


@pytest.mark.parametrize("name", KPUBDATA)
def test_kpubdata(name: str, sandbox: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kpubdata = pytest.importorskip("kpubdata")
    import httpx

    handle = httpx.HTTPTransport.handle_request

    def to_sandbox(transport: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
        request.url = httpx.URL(f"{sandbox}/{request.url.netloc.decode()}{request.url.raw_path.decode()}")
        return handle(transport, request)

    monkeypatch.setattr(httpx.HTTPTransport, "handle_request", to_sandbox)
    keys = dict.fromkeys(("datago", "bok", "lofin", "seoul"), KEY) | {"sgis": f"{KEY}:secret"}
    client = kpubdata.Client(provider_keys=keys, max_retries=0)
    assert list(client.dataset(name).list(**KPUBDATA[name]).items)
