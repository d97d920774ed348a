"""Faults by name: what a client sees of each, over real sockets."""

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import httpx
import pytest
from gateway_client import base_url
from running import CITIES, CITIES_ID, TRADES, client

from edge.sandbox.faults import FAULT_KINDS, PASSING_KINDS, read_fault

JSON_TRADES = f"{TRADES}&DEAL_YMD=202605&_type=json"
NEIS = "/open.neis.go.kr/hub/schoolInfo?Type=json&KEY=edge%2Bsandbox%2Fkey%3D%3D"


def _get(path: str, fault: str) -> httpx.Response:
    headers = {"X-Sandbox-Fault": fault}
    return httpx.get(f"{base_url()}{path}", headers=headers, timeout=20, trust_env=False)


@pytest.mark.parametrize(
    ("fault", "status", "content_type", "text"),
    [
        ("throttled", 429, "text/plain", "API rate limit exceeded"),
        ("server_error", 503, "text/html", "시스템 점검"),
        ("server_error=502", 502, "text/plain", "Error forwarding request to backend server"),
        ("html", 200, "text/html", "<h1>"),
        ("html=400", 400, "text/html", "<h1>"),
        ("redirect=307", 307, "text/html", ""),
        ("quota", 200, "text/xml", "<returnReasonCode>22</returnReasonCode>"),
        ("quota=429", 429, "text/xml", "<returnReasonCode>22</returnReasonCode>"),
        ("rate", 200, "text/xml", "<returnReasonCode>23</returnReasonCode>"),
        ("key_invalid=401", 401, "text/xml", "<returnReasonCode>30</returnReasonCode>"),
        ("retired", 200, "text/xml", "<returnReasonCode>12</returnReasonCode>"),
        ("content_type=text/plain", 200, "text/plain", '"citycode":11'),
        ("latency=1", 200, "application/json", '"citycode":11'),
        ("drip=40", 200, "application/json", '"citycode":11'),
        ("euc_kr", 200, "application/json;charset=EUC-KR", '"citycode":11'),
    ],
)
def test_a_fault_can_be_asked_for(fault: str, status: int, content_type: str, text: str) -> None:
    """A05, A08: faults in XML though JSON was asked for, plain text, pages, redirects without a body."""
    answer = _get(CITIES, fault)
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith(content_type)
    assert text in answer.text


def test_waits_are_told_and_kept() -> None:
    assert _get(CITIES, "throttled").headers["retry-after"] == "1"
    assert _get(CITIES, "throttled=30").headers["retry-after"] == "30"
    started = time.monotonic()
    assert _get(CITIES, "latency=300").status_code == 200
    assert time.monotonic() - started >= 0.3


def test_refusals_are_in_the_words_of_the_platform() -> None:
    assert _get(NEIS, "quota").json()["RESULT"]["CODE"] == "ERROR-337"
    assert '"E0007"' in _get("/business.juso.go.kr/addrlink/addrLinkApi.do?resultType=json", "rate").text


def test_a_reset_is_one() -> None:
    parts = urlsplit(base_url())
    with socket.create_connection((str(parts.hostname), int(parts.port or 0))) as raw:
        raw.sendall(f"GET {CITIES} HTTP/1.1\r\nHost: localhost\r\nX-Sandbox-Fault: reset\r\n\r\n".encode())
        with pytest.raises(ConnectionResetError):
            raw.recv(1)
    assert _get(CITIES, "latency=0").status_code == 200


def test_a_truncated_body_ends_before_its_length() -> None:
    with pytest.raises(httpx.RemoteProtocolError, match="peer closed connection"):
        _get(CITIES, "truncated")


@pytest.mark.parametrize("path", [CITIES, CITIES.replace("_type=json", "_type=xml"), JSON_TRADES, NEIS])
def test_a_malformed_body_has_its_length_but_no_end(path: str) -> None:
    answer = _get(path, "malformed")
    assert int(answer.headers["content-length"]) == len(answer.content) > 50
    with pytest.raises((ValueError, ElementTree.ParseError)):
        answer.json() if "json" in answer.headers["content-type"] else ElementTree.fromstring(answer.content)


def test_dripping_takes_its_time_and_comes_in_pieces() -> None:
    async def arrivals() -> list[float]:
        async with httpx.AsyncClient(trust_env=False) as http:
            request = http.stream("GET", f"{base_url()}{JSON_TRADES}", headers={"X-Sandbox-Fault": "drip=400"})
            async with request as answer:
                return [time.monotonic() async for _ in answer.aiter_raw()]

    times = asyncio.run(arrivals())
    assert len(times) >= 10
    assert times[-1] - times[0] >= 0.3


def test_cp949_goes_out_under_the_name_of_euc_kr() -> None:
    """A18: syllables outside KS X 1001 are sent all the same, and only a CP949 reader gets them."""
    path = "/business.juso.go.kr/addrlink/addrLinkApi.do?keyword=똠&confmKey=edge%2Bsandbox%2Fkey%3D%3D&resultType=json"
    answer = _get(path, "euc_kr")
    assert answer.content.decode("cp949") == httpx.get(f"{base_url()}{path}", trust_env=False).text
    xml = _get(CITIES.replace("_type=json", "_type=xml"), "euc_kr").content
    assert xml.startswith(b'<?xml version="1.0" encoding="EUC-KR"')
    assert "서울".encode("cp949") in xml


def test_a_byte_order_mark_can_come_first() -> None:
    """A20."""
    answer = _get(CITIES, "bom")
    assert answer.content.startswith(b"\xef\xbb\xbf{")
    assert json.loads(answer.content.decode("utf-8-sig"))["response"]


def test_every_kind_has_a_test_here() -> None:
    text = Path(__file__).read_text("utf-8")
    assert [kind for kind in FAULT_KINDS if f'"{kind}' not in text] == []
    assert set(PASSING_KINDS) < set(FAULT_KINDS)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("fire", "unknown fault 'fire'"),
        ("reset=1", "reset takes no value"),
        ("latency=soon", "latency takes milliseconds"),
        ("latency=99999999999999999999", "latency takes milliseconds"),
        ("server_error=200", "a status like 502"),
        ("html=204", "an HTTP error status"),
        ("redirect=200", "one of 301"),
        ("content_type=x\ny", "a media type"),
    ],
)
def test_a_fault_nobody_knows_is_said(fault: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_fault(fault)
    if "\n" not in fault:
        answer = _get(CITIES, fault)
        assert answer.status_code == 400
        assert words in answer.text
        assert answer.text.startswith("X-Sandbox-Fault: ")


@pytest.fixture(scope="module")
def own() -> Iterator[httpx.Client]:
    options = ("--fault-rate", "0.5", "--fault-kinds", "html,rate,throttled=3,server_error=500", "--seed", "5")
    with client(*options) as http:
        yield http


def _fates(http: httpx.Client, path: str, calls: int) -> list[tuple[int, str]]:
    answers = [http.get(path) for _ in range(calls)]
    return [(answer.status_code, answer.headers["content-type"]) for answer in answers]


def test_the_same_calls_meet_the_same_faults_whatever_comes_between(own: httpx.Client) -> None:
    alone = _fates(own, CITIES, 30)
    assert own.post("/__sandbox__/reset").json() == {"reset": True}
    between: list[tuple[int, str]] = []
    for _ in range(30):
        between += _fates(own, CITIES, 1)
        _fates(own, NEIS, 2)
    assert between == alone
    assert len(set(alone)) >= 4
    faults = own.get("/__sandbox__/statistics").json()["operations"][CITIES_ID]["faults"]
    assert set(faults) == {"html", "rate", "throttled", "server_error"}
    assert 5 <= sum(faults.values()) <= 25
