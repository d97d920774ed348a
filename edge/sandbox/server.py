"""Sockets in, answers of the replica out: a plain ASGI callable behind uvicorn, on loopback only."""

import asyncio
import os
import socket
from types import FrameType

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from edge.sandbox.admin import administer
from edge.sandbox.delivery import deliver, reset
from edge.sandbox.engine import Routed
from edge.sandbox.faults import Fault, instead, read_fault, spoilt
from edge.sandbox.index import index_page
from edge.sandbox.model import Request, Response
from edge.sandbox.replica import Replica, Settings
from edge.sandbox.wire import MAX_BODY, BodyTooLarge, Message, Receive, Send, read_request

LOOPBACK = "127.0.0.1"
FAULT_HEADER = "x-sandbox-fault"
_TEXT = "text/plain; charset=utf-8"
_TOO_LARGE = Response(413, _TEXT, f"a body may have {MAX_BODY} bytes".encode(), (("connection", "close"),))


class Sandbox:
    """The ASGI application over one replica."""

    def __init__(self, settings: Settings) -> None:
        self.replica = Replica(settings)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
            return
        replica = self.replica
        try:
            request, body = await read_request(scope, receive, replica.engine.serves)
        except BodyTooLarge:
            await deliver(_TOO_LARGE, None, replica.date_header, send)
            return
        if request.host == "__sandbox__":
            answer = administer(replica, request, body)
            await deliver(answer, None, replica.date_header, send)
        elif request.host == "":
            await deliver(index_page(replica.engine), None, replica.date_header, send)
        else:
            await self._call(request, scope, send)

    async def _call(self, request: Request, scope: Message, send: Send) -> None:
        """Answer a call to a platform, or fail as its fault says."""
        replica = self.replica
        routed = replica.engine.route(request)
        fault = replica.plan.next(routed.id, f"/{request.host}{request.path}")
        if forced := request.headers.get(FAULT_HEADER):
            try:
                fault = read_fault(forced)
            except ValueError as error:
                wrong = Response(400, _TEXT, f"X-Sandbox-Fault: {error}".encode())
                await deliver(wrong, None, replica.date_header, send)
                return
        delay = replica.latency_s + (fault.seconds if fault and fault.kind == "latency" else 0)
        if delay:
            await asyncio.sleep(delay)
        if fault is not None and fault.kind == "reset":
            replica.statistics.record(routed.id, None, fault.kind)
            reset(scope)
            return
        await deliver(self._answer(routed, fault), fault, replica.date_header, send)

    def _answer(self, routed: Routed, fault: Fault | None) -> Response:
        engine, statistics = self.replica.engine, self.replica.statistics
        if fault is not None:
            other = instead(fault, lambda kind: engine.fault(routed, kind))
            if other is not None:
                statistics.record(routed.id, None, fault.kind)
                return other
        response, outcome = engine.answer(routed)
        statistics.record(routed.id, outcome, fault.kind if fault else None)
        return spoilt(fault, response) if fault else response


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
            http=_Protocol,
            timeout_graceful_shutdown=1,
        )
        _Server(config, listener.getsockname()[1], exit_with_parent).run(sockets=[listener])


class _Protocol(H11Protocol):
    """Uvicorn's protocol with the connection within reach of the application, which may have to reset it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.app_state = {**self.app_state, "transport": transport}


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
