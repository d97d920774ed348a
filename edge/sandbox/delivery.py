"""A response in, bytes on the wire out, in the way a fault wants them: whole, slowly, in part or not at all."""

import asyncio
import socket
import struct
from typing import cast

from edge.sandbox.faults import Fault
from edge.sandbox.model import Response
from edge.sandbox.wire import Message, Send

_PIECES = 20


async def deliver(response: Response, fault: Fault | None, date: bytes, send: Send) -> None:
    """Send a response; a truncated one stops in the middle, a dripping one takes the time its fault says."""
    headers = [
        (b"date", date),
        (b"content-type", response.content_type.encode()),
        (b"content-length", str(len(response.body)).encode()),
    ]
    headers += [(name.encode(), value.encode()) for name, value in response.headers]
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    kind = fault.kind if fault else ""
    if kind == "truncated":
        # Returning before the promised length is reached makes the server drop the connection.
        half = response.body[: len(response.body) // 2]
        await send({"type": "http.response.body", "body": half, "more_body": True})
        return
    if fault is not None and kind == "drip":
        await _drip(response.body, fault.seconds / _PIECES, send)
        return
    await send({"type": "http.response.body", "body": response.body})


async def _drip(body: bytes, pause: float, send: Send) -> None:
    size = -(-len(body) // _PIECES) or 1
    for start in range(0, len(body), size):
        await send({"type": "http.response.body", "body": body[start : start + size], "more_body": True})
        await asyncio.sleep(pause)
    await send({"type": "http.response.body", "body": b""})


def reset(scope: Message) -> None:
    """Drop the connection with a TCP reset instead of an answer."""
    state = cast("dict[str, object]", scope.get("state") or {})
    transport = state.get("transport")
    if isinstance(transport, asyncio.Transport):
        # Lingering for no time turns the close into a reset: the client sees it at once, and not as an end.
        connection = cast("socket.socket", transport.get_extra_info("socket"))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()
