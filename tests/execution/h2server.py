"""A loopback server that speaks HTTP/2 over TLS, and certificates made on the spot."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trustme
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import ConnectionTerminated, RequestReceived
from wireserver import Handler, Reply, Seen, Server


def authority(folder: Path) -> tuple[trustme.CA, str]:
    """Return an authority and the file that makes a client trust it."""
    made = trustme.CA()
    file = folder / "authority.pem"
    made.cert_pem.write_to_path(str(file))
    return made, str(file)


def server_context(made: trustme.CA, name: str, alpn: tuple[str, ...] = ("http/1.1",)) -> ssl.SSLContext:
    """Return the TLS side of a server; its RSA key can serve old ciphers too."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.issue_cert(name, key_type=trustme.KeyType.RSA).configure_cert(context)
    context.set_alpn_protocols(list(alpn))
    return context


class H2Server(Server):
    """Counts connections; `peak` counts streams that wait at the same time."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.connections = 0


@asynccontextmanager
async def serving_h2(handler: Handler, context: ssl.SSLContext) -> AsyncIterator[H2Server]:
    """Serve `handler` over HTTP/2 on a free loopback port."""
    server: H2Server
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server.connections += 1
        speaking = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        speaking.initiate_connection()
        writer.write(speaking.data_to_send())
        try:
            while data := await reader.read(65536):
                for event in speaking.receive_data(data):
                    if isinstance(event, RequestReceived):
                        task = asyncio.create_task(_answer(speaking, writer, event, handler, server))
                        tasks.add(task)
                        task.add_done_callback(tasks.discard)
                    elif isinstance(event, ConnectionTerminated):
                        return
                writer.write(speaking.data_to_send())
        except ConnectionError:
            pass
        finally:
            writer.close()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    server = H2Server(listener.sockets[0].getsockname()[1])
    try:
        yield server
    finally:
        listener.close()
        for task in tasks:
            task.cancel()
        await asyncio.sleep(0.01)


async def _answer(
    speaking: H2Connection, writer: asyncio.StreamWriter, event: RequestReceived, handler: Handler, server: H2Server
) -> None:
    headers = {str(name): str(value) for name, value in event.headers or ()}
    seen = Seen(headers[":method"], headers[":path"], {**headers, "host": headers.get(":authority", "")})
    server.seen.append(seen)
    server.running += 1
    server.peak = max(server.peak, server.running)
    made = handler(seen)
    reply = made if isinstance(made, Reply) else await made
    await asyncio.sleep(reply.delay_s)
    server.running -= 1
    head, _, body = reply.encoded().partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    fields = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]
    stream = event.stream_id
    assert stream is not None
    speaking.send_headers(stream, [(":status", status.split()[1]), *fields])
    for start in range(0, len(body), 16_384):  # the largest frame
        speaking.send_data(stream, body[start : start + 16_384])
    speaking.end_stream(stream)
    writer.write(speaking.data_to_send())
