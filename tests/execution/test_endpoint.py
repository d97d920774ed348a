"""docs/design/wire.md: how the pipeline reaches an endpoint."""

from __future__ import annotations

from datetime import date

import pytest
from wireserver import FAST, Reply, client, rows, serving, tool

from edge.errors import EndpointError, UsageError
from edge.execution.endpoint import Endpoint, address_allowed, date_of, endpoint_today, host_allowed
from edge.execution.gateway import GatewayClient
from edge.execution.keys import Keys


@pytest.mark.parametrize(
    ("endpoint", "url", "wire"),
    [
        ("live", "https://apis.data.go.kr/B551182/x", "https://apis.data.go.kr/B551182/x"),
        (
            "http://127.0.0.1:8700",
            "https://apis.data.go.kr/B551182/x",
            "http://127.0.0.1:8700/apis.data.go.kr/B551182/x",
        ),
        (
            "http://127.0.0.1:8700/",
            "http://openapi.seoul.go.kr:8088/k/json",
            "http://127.0.0.1:8700/openapi.seoul.go.kr:8088/k/json",
        ),
        ("http://replica:1/under", "https://h.kr/a?b=c", "http://replica:1/under/h.kr/a?b=c"),
    ],
)
def test_the_host_moves_into_the_path(endpoint: str, url: str, wire: str) -> None:
    assert Endpoint.parse(endpoint).wire_url(url) == wire


@pytest.mark.parametrize(
    "text", ["", "sandbox", "ftp://h", "http://", "http://h?x=1", "http://u:p@h", "127.0.0.1:8700"]
)
def test_anything_else_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        Endpoint.parse(text)
    assert "\n" not in str(caught.value)


def test_loopback_is_told_from_the_address() -> None:
    assert Endpoint.parse("http://127.0.0.1:1").loopback
    assert Endpoint.parse("http://localhost:1").loopback
    assert Endpoint.parse("http://[::1]:1").loopback
    assert not Endpoint.parse("http://10.0.0.1:1").loopback
    assert not Endpoint.parse("live").loopback


async def test_the_call_arrives_under_its_host() -> None:
    async with serving(lambda _: Reply(rows([{"a": "1"}]))) as server, client(server) as gateway:
        outcome = await gateway.call(
            tool(url="http://openapi.seoul.go.kr:8088/x/y", hosts=("openapi.seoul.go.kr:8088",)), {}
        )
    assert outcome.ok
    assert server.seen[0].target.startswith("/openapi.seoul.go.kr:8088/x/y?")
    assert outcome.request["url"] == "http://openapi.seoul.go.kr:8088/x/y"  # the row does not depend on the endpoint


async def test_a_host_outside_the_profile_is_never_called() -> None:
    async with serving(lambda _: Reply(rows([{"a": "1"}]))) as server, client(server) as gateway:
        outcome = await gateway.call(tool(url="https://evil.example/x"), {})
    assert (outcome.outcome, outcome.reason, server.seen) == ("structural", "host_not_allowed", [])


@pytest.mark.parametrize(("platform", "reason"), [("portal", "ok"), ("other", "host_not_allowed")])
async def test_settings_name_further_hosts_of_a_platform(platform: str, reason: str) -> None:
    named = FAST.model_copy(update={"hosts": {platform: ("mirror.example",)}})
    async with (
        serving(lambda _: Reply(rows([{"a": "1"}]))) as server,
        client(server, settings=named) as gateway,
    ):
        outcome = await gateway.call(tool(url="https://mirror.example/x"), {})
    assert (outcome.reason, len(server.seen)) == (reason, int(reason == "ok"))


async def test_a_redirect_is_not_followed() -> None:
    async with (
        serving(lambda _: Reply(status=302, headers={"Location": "http://evil.example/"})) as server,
        client(server) as gateway,
    ):
        outcome = await gateway.call(tool(), {})
    assert (outcome.outcome, outcome.reason, outcome.status_code) == ("environmental", "redirected", 302)
    assert len(server.seen) == 1


async def test_live_calls_do_not_reach_private_addresses() -> None:
    async with serving(lambda _: Reply(rows([{"a": "1"}]))) as server:
        local = tool(url=f"http://127.0.0.1:{server.port}/x")
        keys = Keys({"EDGE_KEY_PORTAL": "0123456789"})
        async with GatewayClient(Endpoint(), keys, settings=FAST) as gateway:
            refused = await gateway.call(local, {})
        allowed = FAST.model_copy(update={"allowed_private": ("127.0.0.0/8",)})
        async with GatewayClient(Endpoint(), keys, settings=allowed) as gateway:
            reached = await gateway.call(local, {})
    assert (refused.outcome, refused.reason) == ("environmental", "private_address")
    assert reached.ok
    assert len(server.seen) == 1


def test_hosts_and_addresses() -> None:
    assert host_allowed("A.kr:8088", ["a.kr:8088"])
    assert host_allowed("a.kr:8088", ["a.kr"])
    assert not host_allowed("a.kr:9", ["a.kr:8088"])
    assert not host_allowed("a.kr.evil.com", ["a.kr"])
    assert address_allowed("8.8.8.8", ())
    assert not address_allowed("169.254.169.254", ())
    assert not address_allowed("::1", ())
    assert address_allowed("10.1.2.3", ("10.0.0.0/8",))


async def test_today_is_the_korean_date_of_the_endpoints_clock() -> None:
    late = {"Date": "Sun, 03 May 2026 15:30:00 GMT"}  # half past midnight in Seoul
    async with serving(lambda _: Reply(status=404, headers=late)) as server:
        assert await endpoint_today(Endpoint.parse(server.base)) == date(2026, 5, 4)
    assert date_of("nonsense") == date_of(None)


async def test_an_endpoint_that_does_not_answer_is_one_clear_line() -> None:
    with pytest.raises(EndpointError) as caught:
        await endpoint_today(Endpoint.parse("http://127.0.0.1:9"))
    assert "127.0.0.1:9" in str(caught.value)
    assert "\n" not in str(caught.value)
