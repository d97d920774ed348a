"""The sandbox's own pages: clock, faults, statistics, operations, reset; who may call them."""

from collections.abc import Iterator

import httpx
import pytest
from running import CITIES, CITIES_ID, KEY, TRADES, client

from edge.sandbox.quotas import Quotas

NOWCAST = (
    f"/apis.data.go.kr/1360000/VilageFcstInfoService_2.0/getUltraSrtNcst?nx=60&ny=127&dataType=JSON&serviceKey={KEY}"
)
PRICES = (
    "/apis.data.go.kr/1160100/service/GetStockSecuritiesInfoService/getStockPriceInfo"
    f"?numOfRows=1&resultType=json&serviceKey={KEY}&basDt="
)


@pytest.fixture(scope="module")
def http() -> Iterator[httpx.Client]:
    with client() as made:
        yield made


@pytest.fixture(autouse=True)
def fresh(http: httpx.Client) -> None:
    assert http.post("/__sandbox__/reset").json() == {"reset": True}


def _clock(http: httpx.Client, **moment: str) -> None:
    assert http.post("/__sandbox__/clock", json=moment).status_code == 200


def _code(http: httpx.Client, path: str) -> str:
    return str(http.get(path).json()["response"]["header"]["resultCode"])


def _nowcast(day: str, time: str) -> str:
    return f"{NOWCAST}&base_date={day}&base_time={time}"


def _total(http: httpx.Client, path: str) -> int:
    return int(http.get(path).json()["response"]["body"]["totalCount"])


def test_the_clock_is_told_and_set(http: httpx.Client) -> None:
    assert http.get("/__sandbox__/clock").json() == {
        "today": "2026-06-15",
        "time": "10:35",
        "now": "2026-06-15T10:35:00+09:00",
        "seed": 7,
    }
    told = http.post("/__sandbox__/clock", json={"today": "2026-01-02"}).json()
    assert (told["today"], told["time"]) == ("2026-01-02", "10:35")
    told = http.post("/__sandbox__/clock", json={"time": "23:05"}).json()
    assert (told["today"], told["time"]) == ("2026-01-02", "23:05")
    assert http.get(CITIES).headers["date"] == "Fri, 02 Jan 2026 14:05:00 GMT"
    http.post("/__sandbox__/reset")
    assert http.get(CITIES).headers["date"] == "Mon, 15 Jun 2026 01:35:00 GMT"


def test_forecasts_exist_for_recent_base_times_alone(http: httpx.Client) -> None:
    assert _code(http, _nowcast("20260615", "1000")) == "00"
    assert _code(http, _nowcast("20260615", "1100")) == "03"
    _clock(http, time="11:20")
    assert _code(http, _nowcast("20260615", "1100")) == "00"
    _clock(http, today="2026-07-01")
    assert _code(http, _nowcast("20260615", "1000")) == "03"
    assert _code(http, _nowcast("20260701", "1100")) == "00"


def test_trades_exist_up_to_last_month(http: httpx.Client) -> None:
    june = f"{TRADES}&_type=json&DEAL_YMD=202606"
    assert (_code(http, june), _total(http, june)) == ("000", 0)
    _clock(http, today="2026-07-01")
    assert _total(http, june) > 0


def test_stock_prices_come_a_trading_day_late(http: httpx.Client) -> None:
    assert (_total(http, PRICES + "20260612") > 0, _total(http, PRICES + "20260615")) == (True, 0)
    _clock(http, today="2026-06-16")
    assert (_total(http, PRICES + "20260615") > 0, _total(http, PRICES + "20260616")) == (True, 0)


def test_the_same_moment_is_the_same_world(http: httpx.Client) -> None:
    path = f"{TRADES}&DEAL_YMD=202604"
    before = http.get(path).content
    _clock(http, today="2026-08-01")
    _clock(http, today="2026-06-15")
    assert http.get(path).content == before


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"today": "2020-01-01"}', "from 2025-01-01 to 2027-12-31"),
        (b'{"today": "tomorrow"}', "today must be like 2026-06-15, not 'tomorrow'"),
        (b'{"time": 5}', "time must be like 10:35"),
        (b'{"date": "2026-06-15"}', "unknown 'date'; use today and time"),
        (b"[]", "must be a JSON object"),
        (b"\xff", "no JSON"),
        (b"[" * 100_000, "no JSON"),
    ],
)
def test_a_wrong_moment_is_said_and_changes_nothing(http: httpx.Client, body: bytes, words: str) -> None:
    answer = http.post("/__sandbox__/clock", content=body)
    assert answer.status_code == 400
    assert words in answer.json()["error"]
    assert http.get("/__sandbox__/clock").json()["today"] == "2026-06-15"


def test_faults_are_told_set_and_cleared(http: httpx.Client) -> None:
    assert http.get("/__sandbox__/faults").json()["rate"] == 0
    told = http.post("/__sandbox__/faults", content="rate: 1\nkinds: [server_error=504]\n").json()
    assert (told["rate"], told["kinds"], told["seed"]) == (1, ["server_error=504"], 7)
    assert http.get(CITIES).status_code == 504
    assert http.post("/__sandbox__/faults", json={"rate": 7}).status_code == 400
    assert http.get(CITIES).status_code == 504
    assert http.delete("/__sandbox__/faults").json()["rate"] == 0
    assert http.get(CITIES).status_code == 200


def test_a_reset_forgets_everything(http: httpx.Client) -> None:
    http.post("/__sandbox__/faults", json={"rate": 1, "kinds": ["html"]})
    http.get(CITIES)
    assert http.get("/__sandbox__/statistics").json() == {
        "calls": 1,
        "outcomes": {},
        "faults": {"html": 1},
        "operations": {CITIES_ID: {"calls": 1, "outcomes": {}, "faults": {"html": 1}}},
    }
    http.post("/__sandbox__/reset")
    assert http.get("/__sandbox__/statistics").json()["calls"] == 0
    assert http.get(CITIES).status_code == 200


def test_other_pages_and_methods_are_said(http: httpx.Client) -> None:
    assert "/__sandbox__/operations" in http.get("/__sandbox__/stats").json()["error"]
    answer = http.get("/__sandbox__/reset")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize(
    "headers",
    [{"Host": "sandbox.example"}, {"Origin": "https://site.example"}, {"Origin": "null"}, {"Host": "[", "Origin": ""}],
)
def test_pages_of_other_sites_are_kept_out(http: httpx.Client, headers: dict[str, str]) -> None:
    assert http.post("/__sandbox__/reset", headers=headers).status_code == 403
    assert http.post("/__sandbox__/reset", headers={"Host": "localhost:8700"}).status_code == 200


@pytest.mark.parametrize(("option", "limit", "code"), [("--quota-per-day", 3, "22"), ("--quota-per-second", 2, "23")])
def test_quotas_are_kept_for_each_key_and_service(option: str, limit: int, code: str) -> None:
    with client(option, str(limit), "--key", "another") as own:
        texts = [own.get(CITIES).text for _ in range(limit + 2)]
        refused = [f"<returnReasonCode>{code}</returnReasonCode>" in text for text in texts]
        assert refused == [False] * limit + [True, True]
        assert "citycode" in own.get(CITIES.replace(KEY, "another")).text
        assert "<resultCode>000" in own.get(f"{TRADES}&DEAL_YMD=202605").text
        if code == "22":
            own.post("/__sandbox__/clock", json={"today": "2026-06-16"})
            assert "citycode" in own.get(CITIES).text


def test_a_second_has_its_own_measure() -> None:
    now = 100.0
    quotas = Quotas(per_second=2, timer=lambda: now)
    assert [quotas.refusal("k", "s", "d") for _ in range(3)] == [None, None, "rate"]
    now += 0.99
    assert quotas.refusal("k", "s", "d") == "rate"
    now += 0.02
    assert quotas.refusal("k", "s", "d") is None


def test_refused_calls_do_not_count() -> None:
    quotas = Quotas(per_day=2, per_second=1, timer=lambda: 5.0)
    assert [quotas.refusal("k", "s", "d") for _ in range(4)] == [None, "rate", "rate", "rate"]
    assert quotas.days["k", "s", "d"] == 1
