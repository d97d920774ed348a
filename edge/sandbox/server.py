"""Sockets in, engine answers out: a plain ASGI callable behind uvicorn, on loopback only."""

import asyncio
import json
import os
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from datetime import UTC, date
from email.utils import format_datetime
from types import FrameType
from typing import cast
from urllib.parse import parse_qsl, unquote

import uvicorn

from edge.sandbox.engine import Engine
from edge.sandbox.faults import DELAY_S, FaultPlan, fault_response
from edge.sandbox.index import index_page
from edge.sandbox.model import Request, Response
from edge.sandbox.rendering import json_response
from edge.sandbox.world import World

Message = MutableMapping[str, object]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

LOOPBACK = "127.0.0.1"
_NOT_FOUND = Response(404, "text/plain; charset=utf-8", b"not found")


class Sandbox:
    """The ASGI application: one engine, one fault plan, one fixed clock."""

    def __init__(self, seed: int, today: date, fault_rate: float, latency_ms: int, keys: frozenset[str]) -> None:
        self._make = lambda: Engine(World(seed, today), keys)
        self.engine = self._make()
        self._seed = seed
        self._rate = fault_rate
        self._faults = FaultPlan(seed, fault_rate)
        self._latency = latency_ms / 1000
        self._date = format_datetime(self.engine.world.now.astimezone(UTC), usegmt=True).encode()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
            return
        request = await _read(scope, receive)
        if request.host in ("", "__sandbox__"):
            await self._send(self._own_page(request), send)
            return
        if self._latency:
            await asyncio.sleep(self._latency)
        kind = self._faults.next_kind(request.headers.get("x-edge-fault", ""))
        if kind == "closed":
            await self._cut(send)
            return
        if kind == "delay":
            await asyncio.sleep(DELAY_S)
        response = fault_response(self.engine, request, kind) if kind is not None else None
        await self._send(response or self.engine.answer(request), send)

    def _own_page(self, request: Request) -> Response:
        if request.host == "":
            return index_page(self.engine)
        if request.path == "/stats":
            return json_response(dict(sorted(self.engine.counts.items())))
        if request.path == "/reset":
            self.engine = self._make()
            self._faults = FaultPlan(self._seed, self._rate)
            return json_response({"reset": True})
        return _NOT_FOUND

    def _headers(self, content_type: str, length: int) -> list[tuple[bytes, bytes]]:
        return [
            (b"date", self._date),
            (b"content-type", content_type.encode()),
            (b"content-length", str(length).encode()),
        ]

    async def _send(self, response: Response, send: Send) -> None:
        headers = self._headers(response.content_type, len(response.body))
        headers += [(name.encode(), value.encode()) for name, value in response.headers]
        await send({"type": "http.response.start", "status": response.status, "headers": headers})
        await send({"type": "http.response.body", "body": response.body})

    async def _cut(self, send: Send) -> None:
        """Promise more than is sent and return: uvicorn then drops the connection in the middle of the body."""
        await send({"type": "http.response.start", "status": 200, "headers": self._headers("text/xml", 1000)})
        await send({"type": "http.response.body", "body": b"<", "more_body": True})


def create_app(
    seed: int = 7,
    today: date = date(2026, 6, 15),
    fault_rate: float = 0.0,
    latency_ms: int = 0,
    keys: frozenset[str] = frozenset(),
) -> Sandbox:
    """The application for one world; `keys` are accepted beside the demo key."""
    return Sandbox(seed, today, fault_rate, latency_ms, keys)


def serve(app: Sandbox, port: int, exit_with_parent: bool = False) -> None:
    """Listen on loopback until SIGTERM or SIGINT. Raises OSError when the port is taken."""
    # Named TCP, or asyncio leaves Nagle's algorithm on and every second small answer waits 40 ms.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
        config = uvicorn.Config(
            app,  # pyright: ignore[reportArgumentType]  # starlette's scope types are wider than ours
            log_level="critical",
            access_log=False,
            date_header=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        _Server(config, listener.getsockname()[1], exit_with_parent).run(sockets=[listener])


class _Server(uvicorn.Server):
    """Uvicorn that says when it is ready and, if asked, leaves with its parent."""

    def __init__(self, config: uvicorn.Config, port: int, exit_with_parent: bool) -> None:
        super().__init__(config)
        self._port = port
        self._parent = os.getppid() if exit_with_parent else None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        print(f"EDGE sandbox listening on http://{LOOPBACK}:{self._port}", flush=True)  # noqa: T201

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # Not recorded as captured: uvicorn would raise the signal again and a clean stop would look like a crash.
        self.force_exit = self.should_exit
        self.should_exit = True

    async def on_tick(self, counter: int) -> bool:
        # Ticks come ten times a second; once a second is soon enough to notice an orphan.
        if self._parent is not None and counter % 10 == 0 and os.getppid() != self._parent:
            self.should_exit = True
        return await super().on_tick(counter)


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


def _text(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


async def _read(scope: Message, receive: Receive) -> Request:
    """Path and query decoded once; a form or JSON body adds parameters."""
    raw = _text(scope.get("raw_path") or scope["path"]).partition("?")[0]
    host, _, path = raw.lstrip("/").partition("/")
    params = dict(parse_qsl(_text(scope.get("query_string", b"")), keep_blank_values=True))
    pairs = cast("list[tuple[bytes, bytes]]", scope["headers"])
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in pairs}
    # A slash inside a segment (a key, a category like 전시/미술) stays %2F until the engine has matched the path.
    path = "/".join(unquote(segment).replace("/", "%2F") for segment in path.split("/"))
    method = str(scope["method"])
    if method == "POST":
        params |= await _body_params(receive, headers.get("content-type", ""))
    return Request(method, unquote(host).lower(), f"/{path}", params, headers)


async def _body_params(receive: Receive, content_type: str) -> dict[str, str]:
    body = b""
    while True:
        message = await receive()
        chunk = message.get("body", b"")
        body += chunk if isinstance(chunk, bytes) else b""
        if not message.get("more_body"):
            break
    if "json" in content_type:
        try:
            loaded: object = json.loads(body or b"{}")
        except ValueError:
            return {}
        if not isinstance(loaded, dict):
            return {}
        # Lists and objects inside a body travel on as the JSON they were, for the view of that operation.
        items = cast("dict[str, object]", loaded).items()
        return {name: json.dumps(v) if isinstance(v, list | dict) else str(v) for name, v in items}
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
