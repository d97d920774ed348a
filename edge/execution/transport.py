"""Wire request -> status, headers and body: one HTTP exchange, without redirects, within size and time."""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self, cast
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore
import httpx

from edge.execution.endpoint import Endpoint, address_allowed, host_allowed
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


class Transport:
    """Keeps HTTP/1.1 connections per host, with the host's own TLS context (case A24).

    It speaks through httpcore, the layer below httpx, for two reasons: the request target goes out byte for byte as it
    was built, and a call costs half. Each kept connection is a pool of one, lent to one request at a time: a shared
    pool looks through all of its connections on every request.
    """

    def __init__(self, endpoint: Endpoint, settings: ExecutionSettings) -> None:
        """Open nothing yet; connections are made when a host is first called."""
        self._endpoint = endpoint
        self._settings = settings
        self._idle: dict[tuple[str, str | None], list[httpcore.AsyncConnectionPool]] = {}
        self._opened: list[httpcore.AsyncConnectionPool] = []
        self._contexts: dict[str | None, ssl.SSLContext] = {}
        self._resolved: dict[str, str] = {}

    async def __aenter__(self) -> Self:
        """Return the transport."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close every connection."""
        opened, self._opened = self._opened, []
        self._idle.clear()
        for connection in opened:
            await connection.aclose()

    async def send(self, request: WireRequest, profile: Profile) -> Exchange | Verdict:
        """Return the response, or the environmental verdict on why there is none."""
        try:
            async with asyncio.timeout(self._settings.deadline_s):
                return await self._exchange(request, profile)
        except TooLarge:
            limit = self._settings.max_response_bytes
            return Verdict("environmental", "too_large", f"the response is larger than {limit} bytes")
        except _FAILURES as error:
            return transport_verdict(error)

    async def refusal(self, request: WireRequest, profile: Profile) -> Verdict | None:
        """Return why this host must not be called, or None.

        Only hosts named in the profile are called, so that a document cannot send keys elsewhere. On the live endpoint
        a host must also resolve to public addresses (or to networks allowed in the settings).
        """
        if not host_allowed(request.host, profile.hosts) or not request.url.startswith(("http://", "https://")):
            return Verdict("structural", "host_not_allowed", f"{request.host} is no host of {profile.platform}")
        if not self._endpoint.live or self._proxy(request.url) is not None:
            return None
        if request.host not in self._resolved:
            self._resolved[request.host] = await self._private_address(request.host)
        found = self._resolved[request.host]
        return Verdict("environmental", "private_address", f"{request.host} resolves to {found}") if found else None

    async def _exchange(self, request: WireRequest, profile: Profile) -> Exchange:
        started = time.perf_counter()
        scheme, _, rest = self._endpoint.wire_url(request.url).partition("://")
        netloc, _, tail = rest.partition("/")
        idle = self._idle.setdefault((f"{scheme}://{netloc}", profile.ciphers), [])
        connection = idle.pop() if idle else self._open(scheme, netloc, profile)
        try:
            response = await connection.handle_async_request(self._wire(request, profile, scheme, netloc, f"/{tail}"))
            try:
                headers = {name.lower(): value.decode("latin-1") for name, value in response.headers}
                body = await self._read(response, headers.get(b"content-encoding", ""))
            finally:
                await response.aclose()
        finally:
            idle.append(connection)
        return Exchange(
            status=response.status,
            content_type=headers.get(b"content-type", ""),
            retry_after=headers.get(b"retry-after", ""),
            body=body,
            latency_ms=(time.perf_counter() - started) * 1000,
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

    def _open(self, scheme: str, netloc: str, profile: Profile) -> httpcore.AsyncConnectionPool:
        proxy = self._proxy(f"{scheme}://{netloc}")
        connection = httpcore.AsyncConnectionPool(
            ssl_context=self._context(profile.ciphers) if scheme == "https" else None,
            proxy=httpcore.Proxy(proxy) if proxy else None,
            max_connections=1,
            keepalive_expiry=4.0,
        )
        self._opened.append(connection)
        return connection

    def _context(self, ciphers: str | None) -> ssl.SSLContext:
        context = self._contexts.get(ciphers)
        if context is None:
            context = httpx.create_ssl_context()
            if ciphers is not None:
                context.set_ciphers(ciphers)
            self._contexts[ciphers] = context
        return context

    def _proxy(self, url: str) -> str | None:
        parts = urlsplit(url)
        if self._endpoint.loopback or proxy_bypass(parts.hostname or ""):
            return None
        return getproxies().get(parts.scheme)

    async def _private_address(self, host: str) -> str:
        """Return an address that may not be called, or "" (also where the name does not resolve: connecting tells)."""
        parts = urlsplit(f"//{host}")
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(parts.hostname or "", parts.port or 443, type=socket.SOCK_STREAM)
        except OSError:
            return ""
        addresses = [str(entry[4][0]) for entry in found]
        allowed = self._settings.allowed_private
        return next((address for address in addresses if not address_allowed(address, allowed)), "")
