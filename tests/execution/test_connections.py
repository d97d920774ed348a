"""Connections to real TLS servers: HTTP/2, old ciphers, certificates, addresses that change (case A24)."""

from __future__ import annotations

import asyncio
import io
import os
import socket
import ssl
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme
from h2server import authority, server_context, serving_h2
from wireserver import FAST, Reply, Seen, client, rows, serving, tool

from edge.execution.endpoint import Endpoint
from edge.execution.gateway import GatewayClient
from edge.execution.keys import Keys
from edge.settings import ExecutionSettings

GOOD = Reply(rows([{"a": "1"}], 1))
LOCAL = FAST.model_copy(update={"attempts": 1, "allowed_private": ("127.0.0.0/8", "::1/128")})
H2 = ("h2", "http/1.1")


@pytest.fixture
def trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> trustme.CA:
    """An authority that this process trusts, as people make it trust their own."""
    made, file = authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", file)
    return made


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    yield


def live(settings: ExecutionSettings = LOCAL) -> GatewayClient:
    return GatewayClient(Endpoint(), Keys({"EDGE_KEY_PORTAL": "ab+c/d=="}), settings=settings)


def at(port: int, scheme: str = "https", host: str = "localhost", **changes: Any) -> Any:
    return tool(url=f"{scheme}://{host}:{port}/B55/list", hosts=(host,), **changes)


async def test_http2_is_spoken_where_it_is_offered_and_calls_share_one_connection(trusted: trustme.CA) -> None:
    context = server_context(trusted, "localhost", alpn=H2)
    async with serving_h2(lambda _: Reply(rows([{"a": "1"}], 1), delay_s=0.02), context) as server, live() as gateway:
        first = await gateway.call(at(server.port), {"q": "서울 1/2"})
        outcomes = await asyncio.gather(*(gateway.call(at(server.port), {"q": str(n)}) for n in range(40)))
    assert first.ok
    assert all(outcome.ok for outcome in outcomes)
    assert server.connections == 1
    assert 4 <= server.peak <= 8  # the profile's concurrency, on one connection
    assert server.seen[0].target == "/B55/list?q=%EC%84%9C%EC%9A%B8%201%2F2&serviceKey=ab%2Bc%2Fd%3D%3D"
    assert server.seen[0].headers["host"] == f"localhost:{server.port}"


async def test_a_burst_on_http2_ends_on_one_connection(trusted: trustme.CA) -> None:
    context = server_context(trusted, "localhost", alpn=H2)
    async with serving_h2(lambda _: GOOD, context) as server, live() as gateway:
        outcomes = await asyncio.gather(*(gateway.call(at(server.port), {"q": str(n)}) for n in range(30)))
        kept = len(gateway._reader._transport.connections.opened)
    assert all(outcome.ok for outcome in outcomes)
    assert (kept, server.connections <= 8) == (1, True)


async def test_a_call_given_up_does_not_harm_the_others_on_its_connection(trusted: trustme.CA) -> None:
    def answer(seen: Seen) -> Reply:
        return Reply(rows([{"a": "1"}], 1), delay_s=5 if seen.query["q"] == "slow" else 0.01)

    settings = LOCAL.model_copy(update={"deadline_s": 0.3})
    async with serving_h2(answer, server_context(trusted, "localhost", alpn=H2)) as server, live(settings) as gateway:
        await gateway.call(at(server.port), {"q": "0"})
        slow, *rest = await asyncio.gather(
            gateway.call(at(server.port), {"q": "slow"}),
            *(gateway.call(at(server.port), {"q": str(n)}) for n in range(20)),
        )
        after = await gateway.call(at(server.port), {"q": "after"})
    assert slow.reason == "timeout", slow.message
    assert all(outcome.ok for outcome in (*rest, after))


async def test_size_is_capped_on_http2_as_well(trusted: trustme.CA) -> None:
    settings = LOCAL.model_copy(update={"max_response_bytes": 10_000})
    replies = {"big": Reply(b"0" * 30_000), "small": GOOD}
    context = server_context(trusted, "localhost", alpn=H2)
    async with serving_h2(lambda seen: replies[seen.query["q"]], context) as server, live(settings) as gateway:
        assert (await gateway.call(at(server.port), {"q": "big"})).reason == "too_large"
        assert (await gateway.call(at(server.port), {"q": "small"})).ok


async def test_a_host_without_http2_keeps_its_connection(trusted: trustme.CA) -> None:
    async with serving(lambda _: GOOD, server_context(trusted, "localhost")) as server, live() as gateway:
        for n in range(10):
            assert (await gateway.call(at(server.port), {"q": str(n)})).ok
        assert len(gateway._reader._transport.connections.opened) == 1


async def test_a24_a_host_with_an_old_cipher_is_reached_through_its_profile_alone(trusted: trustme.CA) -> None:
    context = server_context(trusted, "localhost")
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers("AES128-GCM-SHA256")  # the one suite that a client author saw at OpenDART
    async with serving(lambda _: GOOD, context) as server, live() as gateway:
        refused = await gateway.call(at(server.port), {})
        reached = await gateway.call(at(server.port, ciphers="DEFAULT"), {})
    assert (refused.outcome, refused.reason) == ("environmental", "tls")
    assert "ciphers" in refused.message
    assert reached.ok, reached.message


@pytest.mark.parametrize("ciphers", [None, "DEFAULT"])
async def test_a24_a_certificate_nobody_vouches_for_is_refused_and_said(ciphers: str | None) -> None:
    context = server_context(trustme.CA(), "localhost")
    async with serving(lambda _: GOOD, context) as server, live() as gateway:
        outcome = await gateway.call(at(server.port, ciphers=ciphers), {})
    assert (outcome.outcome, outcome.reason, server.seen) == ("environmental", "tls", [])
    assert "certificate is not trusted" in outcome.message
    assert "SSL_CERT_FILE" in outcome.message


async def test_a24_a_certificate_of_another_name_is_refused(trusted: trustme.CA) -> None:
    async with serving(lambda _: GOOD, server_context(trusted, "elsewhere.example")) as server, live() as gateway:
        outcome = await gateway.call(at(server.port), {})
    assert (outcome.reason, server.seen) == ("tls", [])


async def test_a_name_that_leads_elsewhere_when_asked_again_reaches_what_was_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = ["127.0.0.2", "127.0.0.1"]
    asked: list[str] = []
    resolve = socket.getaddrinfo

    def changing(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host == "changes.example":
            asked.append(host)
            host = answers[min(len(asked), len(answers)) - 1]
        return resolve(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", changing)
    settings = LOCAL.model_copy(update={"allowed_private": ("127.0.0.2/32",)})
    async with serving(lambda _: GOOD) as inner:
        open_ = await asyncio.start_server(_answering, "127.0.0.2", inner.port)
        async with open_:
            changed = at(inner.port, "http", "changes.example")
            async with live(settings) as gateway:
                assert (await gateway.call(changed, {})).ok
            async with live(settings) as gateway:
                refused = await gateway.call(changed, {})
    assert (refused.outcome, refused.reason, inner.seen) == ("environmental", "private_address", [])
    assert "127.0.0.1" in refused.message
    assert len(asked) == 2  # once a connection: nothing is asked between the look and the call


async def _answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(GOOD.encoded())
    await writer.drain()
    writer.close()


async def test_one_private_address_among_public_ones_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    def mixed(*_: Any, **__: Any) -> Any:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 80)) for address in ("8.8.8.8", "127.0.0.1")]

    monkeypatch.setattr(socket, "getaddrinfo", mixed)
    async with live(FAST) as gateway:
        outcome = await gateway.call(at(80, "http", "mixed.example"), {})
    assert (outcome.reason, outcome.attempts) == ("private_address", 1)


async def test_an_unknown_name_is_no_connection() -> None:
    async with live() as gateway:
        outcome = await gateway.call(at(80, "http", "nobody.invalid"), {})
    assert (outcome.outcome, outcome.reason) == ("environmental", "connect")


async def test_the_users_agent_is_sent() -> None:
    settings = FAST.model_copy(update={"user_agent": "school-project (me@example.org)"})
    async with serving(lambda _: GOOD) as server, client(server, settings) as gateway, client(server) as usual:
        await gateway.call(tool(), {})
        await usual.call(tool(), {})
    agents = [seen.headers["user-agent"] for seen in server.seen]
    assert agents == ["school-project (me@example.org)", ExecutionSettings().user_agent]


@pytest.mark.parametrize("location", ["http://127.0.0.1:{port}/other", "//evil.example/x", "/same/host"])
async def test_no_redirect_is_followed(location: str) -> None:
    async with serving(lambda _: GOOD) as other:
        target = location.format(port=other.port)
        reply = Reply(status=307, headers={"Location": target})
        async with serving(lambda _: reply) as server, client(server) as gateway:
            outcome = await gateway.call(tool(), {})
    assert (outcome.reason, len(server.seen), other.seen) == ("redirected", 1, [])


async def test_a_packed_document_is_capped() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("list.xml", b"<a>" + b"0" * 3_000_000 + b"</a>")
    settings = FAST.model_copy(update={"max_archive_bytes": 100_000})
    async with serving(lambda _: Reply(packed.getvalue())) as server, client(server, settings) as gateway:
        outcome = await gateway.call(tool(), {})
    assert (outcome.outcome, outcome.reason, outcome.attempts) == ("environmental", "too_large", 1)
