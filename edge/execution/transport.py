"""Wire request -> status, headers and body: one HTTP exchange, without redirects, within size and time."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self, cast
from urllib.parse import urlsplit

import httpcore

from edge.execution.connections import Connections, Place, PrivateAddress
from edge.execution.endpoint import Endpoint, host_allowed
from edge.execution.failures import Verdict, transport_verdict
from edge.execution.request import WireRequest
from edge.execution.unpacking import ACCEPTED, TooLarge, Unpacker
from edge.settings import ExecutionSettings
from edge.specs.model import Profile

_FAILURES = (
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProxyError,
    httpcore.ProtocolError,
    httpcore.UnsupportedProtocol,
    zlib.error,
    TimeoutError,
    OSError,
)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A complete response. `latency_ms` runs from sending to the last byte."""

    status: int
    content_type: str
    retry_after: str
    body: bytes
    latency_ms: float
    date: str = ""


class Transport:
    """Sends one request at a time on kept connections: HTTP/2 where a host offers it over TLS, else HTTP/1.1.

    It speaks through httpcore, the layer below httpx: targets go out byte for byte as they were built, connections lead
    to checked addresses, and a call costs less.
    """

    def __init__(self, endpoint: Endpoint, settings: ExecutionSettings) -> None:
        """Open nothing yet; connections are made when a host is first called."""
        self._endpoint = endpoint
        self._settings = settings
        self.connections = Connections(endpoint, settings.allowed_private)

    async def __aenter__(self) -> Self:
        """Return the transport."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close every connection."""
        await self.connections.aclose()

    async def send(self, request: WireRequest, profile: Profile) -> Exchange | Verdict:
        """Return the response, or the environmental verdict on why there is none."""
        try:
            async with asyncio.timeout(self._settings.deadline_s):
                return await self._exchange(request, profile)
        except TooLarge:
            limit = self._settings.max_response_bytes
            return Verdict("environmental", "too_large", f"the response is larger than {limit} bytes")
        except PrivateAddress as error:
            advice = "if that is meant, name its network in EDGE_EXECUTION_ALLOWED_PRIVATE"
            return Verdict("environmental", "private_address", f"{error}; {advice}")
        except _FAILURES as error:
            return transport_verdict(error)

    def refusal(self, request: WireRequest, profile: Profile) -> Verdict | None:
        """Return why this host must not be called, or None.

        Only hosts named in the profile or, for its platform, in the settings are called, so that a document cannot send
        keys elsewhere. Where a name leads is looked at when a connection is made.
        """
        hosts = (*profile.hosts, *self._settings.hosts.get(profile.platform, ()))
        if not host_allowed(request.host, hosts) or not request.url.startswith(("http://", "https://")):
            return Verdict("structural", "host_not_allowed", f"{request.host} is no host of {profile.platform}")
        return None

    async def _exchange(self, request: WireRequest, profile: Profile) -> Exchange:
        started = time.perf_counter()
        scheme, _, rest = self._endpoint.wire_url(request.url).partition("://")
        netloc, _, tail = rest.partition("/")
        place = Place(scheme, netloc, profile.ciphers)
        connection = self.connections.take(place)
        http2: bool | None = None
        try:
            response = await connection.handle_async_request(self._wire(request, profile, scheme, netloc, f"/{tail}"))
            told = cast("dict[str, object]", response.extensions)  # pyright: ignore[reportUnknownMemberType]
            http2 = told.get("http_version") == b"HTTP/2"
            try:
                headers = {name.lower(): value.decode("latin-1") for name, value in response.headers}
                body = await self._read(response, headers.get(b"content-encoding", ""))
            finally:
                await response.aclose()
        finally:
            await self.connections.give(place, connection, http2)
        return Exchange(
            status=response.status,
            content_type=headers.get(b"content-type", ""),
            retry_after=headers.get(b"retry-after", ""),
            body=body,
            latency_ms=(time.perf_counter() - started) * 1000,
            date=headers.get(b"date", ""),
        )

    def _wire(self, request: WireRequest, profile: Profile, scheme: str, netloc: str, target: str) -> httpcore.Request:
        parts = urlsplit(f"//{netloc}")
        headers = {
            "host": netloc,
            "user-agent": self._settings.user_agent,
            "accept": "*/*",
            "accept-encoding": ACCEPTED,
        }
        headers |= {name.lower(): value for name, value in request.headers.items()}
        if request.body is not None:
            headers["content-length"] = str(len(request.body))
        return httpcore.Request(
            request.method,
            httpcore.URL(scheme=scheme, host=parts.hostname or "", port=parts.port, target=target),
            headers=list(headers.items()),
            content=request.body,
            extensions={"timeout": self._timeouts(profile)},
        )

    async def _read(self, response: httpcore.Response, encoding: str) -> bytes:
        unpacker = Unpacker(encoding, self._settings.max_response_bytes)
        async for chunk in cast("AsyncIterator[bytes]", response.stream):
            unpacker.feed(chunk)
        return unpacker.body()

    def _timeouts(self, profile: Profile) -> dict[str, float | None]:
        read = self._settings.read_timeout_s or profile.timeout_s
        return {"connect": self._settings.connect_timeout_s, "read": read, "write": read, "pool": None}
