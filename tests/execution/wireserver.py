"""A loopback HTTP server for tests: real sockets, scripted answers, the raw request kept."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qs

from edge.execution.endpoint import Endpoint
from edge.execution.gateway import GatewayClient
from edge.execution.keys import Keys
from edge.settings import ExecutionSettings
from edge.specs.model import Auth, CodeRule, Envelope, OutputField, Paging, Parameter, Profile, Tool

FAST = ExecutionSettings(backoff_base_s=0.001, backoff_cap_s=0.002)


@dataclass
class Seen:
    """A request as it came in."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes = b""

    @property
    def query(self) -> dict[str, str]:
        return {name: values[-1] for name, values in parse_qs(self.target.partition("?")[2], True).items()}


@dataclass
class Reply:
    """An answer; `raw` replaces everything, `drop` closes the connection without a word."""

    body: bytes | str | dict[str, Any] | list[Any] = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    drop: bool = False
    raw: bytes | None = None

    def encoded(self) -> bytes:
        if self.raw is not None:
            return self.raw
        body = self.body if isinstance(self.body, bytes) else self.body.encode() if isinstance(self.body, str) else None
        body = json.dumps(self.body, ensure_ascii=False).encode() if body is None else body
        headers = {"Content-Type": "application/json", "Content-Length": str(len(body))} | self.headers
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"HTTP/1.1 {self.status} X\r\n{lines}\r\n".encode() + body


Handler = Callable[[Seen], Reply | Awaitable[Reply]]


class Server:
    """What a test talks to: `seen` holds every request."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.base = f"http://127.0.0.1:{port}"
        self.seen: list[Seen] = []
        self.running = 0
        self.peak = 0


@asynccontextmanager
async def serving(handler: Handler, tls: ssl.SSLContext | None = None) -> AsyncIterator[Server]:
    """Serve `handler` on a free loopback port."""
    server: Server
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        try:
            while await _once(reader, writer, handler, server):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    server = Server(listener.sockets[0].getsockname()[1])
    try:
        yield server
    finally:
        listener.close()
        for writer in writers:
            writer.close()
        await listener.wait_closed()
        await asyncio.sleep(0)


async def _once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, handler: Handler, server: Server) -> bool:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *rest = head.strip().split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, value in (line.split(":", 1) for line in rest)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    seen = Seen(method, target, headers, body)
    server.seen.append(seen)
    server.running += 1
    server.peak = max(server.peak, server.running)
    try:
        made = handler(seen)
        reply = made if isinstance(made, Reply) else await made
        await asyncio.sleep(reply.delay_s)
    finally:
        server.running -= 1
    if reply.drop:
        writer.transport.abort()
        return False
    writer.write(reply.encoded())
    await writer.drain()
    return True


ENVELOPE = Envelope(
    records=("response.body.items.item", "response.body.items"),
    total=("response.body.totalCount",),
    code=(
        "response.header.resultCode",
        "OpenAPI_ServiceResponse.cmmMsgHeader.returnReasonCode",
        "RESULT.CODE",
        "status",
    ),
    message=(
        "response.header.resultMsg",
        "OpenAPI_ServiceResponse.cmmMsgHeader.returnAuthMsg",
        "RESULT.MESSAGE",
        "message",
    ),
    success=("00", "0", "000", "0000", "INFO-000"),
    codes=(
        CodeRule("environmental", "rate_limit", pattern="LIMITED_NUMBER.*PER_SECOND"),
        CodeRule("environmental", "quota", pattern="LIMITED_NUMBER"),
        CodeRule("environmental", "key_rejected", pattern="SERVICE_KEY"),
        CodeRule("empty", "no_data", code="03"),
        CodeRule("empty", "no_data", code="013"),
        CodeRule("empty", "no_data", code="INFO-200"),
        CodeRule("structural", "invalid_parameter", code="10"),
        CodeRule("structural", "unknown_operation", code="12"),
        CodeRule("environmental", "quota", code="020"),
        CodeRule("environmental", "quota", code="22"),
        CodeRule("environmental", "key_rejected", code="30"),
    ),
)
PROFILE = Profile(
    platform="portal",
    title="포털",
    hosts=("apis.data.go.kr", "127.0.0.1"),
    auth=Auth("serviceKey", "query", "EDGE_KEY_PORTAL"),
    envelope=ENVELOPE,
    timeout_s=5.0,
)
PAGING = Paging("page", "pageNo", "numOfRows", page_size=100, max_size=1000)
TOOL = Tool(
    tool_id="portal_list",
    operation_key="svc.list",
    platform="portal",
    service="svc",
    provider="기관",
    domain="test",
    title="목록",
    description="",
    method="GET",
    url="https://apis.data.go.kr/B55/svc/getList",
    parameters=(Parameter("q", "검색어"),),
    outputs=(OutputField("a", "가"),),
    profile=PROFILE,
)


def tool(**changes: Any) -> Tool:
    """Return the test tool; names of profile and envelope fields are changed where they belong."""
    envelope = {name: changes.pop(name) for name in list(changes) if name in Envelope.__slots__}
    profile = {
        name: changes.pop(name)
        for name in list(changes)
        if name in Profile.__slots__ and name not in ("platform", "title", "envelope")
    }
    if "platform" in changes:
        profile["platform"] = changes["platform"]
    made = replace(PROFILE, envelope=replace(ENVELOPE, **envelope), **profile)
    return replace(TOOL, profile=made, **changes)


def rows(items: Any, total: Any = None, code: str = "00") -> dict[str, Any]:
    """Return an envelope of the common shape."""
    body: dict[str, Any] = {"items": items}
    if total is not None:
        body["totalCount"] = total
    return {"response": {"header": {"resultCode": code, "resultMsg": "NORMAL SERVICE."}, "body": body}}


def client(server: Server, settings: ExecutionSettings = FAST, **options: Any) -> GatewayClient:
    """Return a client for the server, with the demo key."""
    return GatewayClient(Endpoint.parse(server.base), options.pop("keys", Keys.demo()), settings=settings, **options)
