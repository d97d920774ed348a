"""A small platform on loopback: six operations, each with a habit of real ones."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import parse_qsl, unquote, urlsplit

from linkparts import make_link, make_tool

from edge.execution.endpoint import Endpoint
from edge.execution.gateway import GatewayClient
from edge.execution.keys import Keys
from edge.links.model import Link
from edge.settings import ExecutionSettings
from edge.specs.model import EnumValue, OutputField, Parameter, Tool

FAST = ExecutionSettings(attempts=1, backoff_base_s=0.001, backoff_cap_s=0.002)
CORPS = [{"corp": f"C{n:03}", "share": f"S{n:03}", "name": f"회사{n}", "region": f"1168{n:02}00"} for n in range(12)]
FILINGS = {c["corp"]: [{"no": f"F{n}{c['corp']}", "corp": c["corp"]} for n in range(3)] for c in CORPS}


class Platform:
    """What a test talks to; `asked` counts requests by target, `down` is the operation that always fails."""

    def __init__(self) -> None:
        self.base = ""
        self.asked: Counter[str] = Counter()

    def answer(self, operation: str, query: dict[str, str]) -> tuple[int, list[dict[str, str]]]:
        """Return status and records."""
        if operation == "corps":
            return 200, CORPS
        if operation == "filings":
            return 200, FILINGS.get(query.get("corp", ""), [])
        if operation == "prices":  # on a closed day nobody has any
            known = query.get("corp", "") in FILINGS and query.get("day") != "closed"
            return 200, [{"price": "100", "corp": query["corp"]}] if known else []
        if operation == "news":  # knows no parameter and says nothing about it
            return 200, [{"headline": "소식", "no": "N1"}]
        if operation == "shares":  # asks for the share code; another system's code finds nothing
            return 200, [c for c in CORPS if c["share"] == query.get("share")]
        return (404 if operation == "retired" else 503), []


@asynccontextmanager
async def platform() -> AsyncIterator[Platform]:
    """Serve the platform on a free port."""
    made = Platform()
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                target = head.split(" ", 2)[1]
                made.asked[unquote(target)] += 1
                parts = urlsplit(target)
                status, records = made.answer(parts.path.rsplit("/", 1)[-1], dict(parse_qsl(parts.query)))
                await asyncio.sleep(0.001 * (sum(target.encode()) % 5))  # answers overtake one another
                body = json.dumps({"code": "00", "message": "", "items": records, "total": len(records)}).encode()
                lines = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
                writer.write(lines.encode() + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    made.base = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    try:
        yield made
    finally:
        listener.close()
        for writer in writers:
            writer.close()
        await listener.wait_closed()
        await asyncio.sleep(0)


def client(served: Platform) -> GatewayClient:
    """Return a gateway client for the platform."""
    return GatewayClient(Endpoint.parse(served.base), Keys.demo(), settings=FAST)


def _text(*names: str) -> list[OutputField]:
    return [OutputField(name, name, kind="code") for name in names]


def _need(name: str) -> list[Parameter]:
    return [Parameter(name, name, kind="code", required=True)]


DAY = Parameter(
    "day", "day", kind="code", required=True, enum=tuple(EnumValue(d, d) for d in ("closed", "monday", "tuesday"))
)
TOOLS: list[Tool] = [
    make_tool("corps", _text("corp", "share", "name", "region")),
    make_tool("filings", _text("no", "corp"), _need("corp")),
    make_tool("news", _text("headline", "no"), [Parameter("about", "about", kind="code")]),
    make_tool("shares", _text("corp", "share", "name"), _need("share")),
    make_tool("prices", _text("price", "corp"), [*_need("corp"), DAY]),
    make_tool("broken", _text("no"), _need("no")),
]
LINKS: dict[str, Link] = {
    "right": make_link("corps", "filings", ("corp", "corp")),
    "onward": make_link("shares", "filings", ("corp", "corp")),
    "share": make_link("corps", "shares", ("share", "share")),
    "foreign id": make_link("corps", "shares", ("corp", "share")),
    "name as id": make_link("corps", "filings", ("name", "corp")),
    "no field": make_link("corps", "filings", ("ghost", "corp")),
    "price": make_link("corps", "prices", ("corp", "corp")),
    "price by name": make_link("corps", "prices", ("name", "corp")),
    "price by share": make_link("corps", "prices", ("share", "corp")),
    "ignored": make_link("corps", "news", ("corp", "about")),
    "broken": make_link("filings", "broken", ("no", "no")),
    "broken too": make_link("corps", "broken", ("corp", "no")),
    "never reached": make_link("broken", "filings", ("no", "corp")),
}
