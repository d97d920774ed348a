"""Wire request -> status, headers and body: one HTTP exchange, without redirects, within size and time."""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from edge.execution.endpoint import Endpoint, address_allowed, host_allowed
from edge.execution.failures import Verdict, transport_verdict
from edge.execution.request import WireRequest
from edge.settings import ExecutionSettings
from edge.specs.model import Profile


@dataclass(frozen=True, slots=True)
class Exchange:
    """A complete response. `latency_ms` runs from sending to the last byte."""

    status: int
    content_type: str
    retry_after: str
    body: bytes
    latency_ms: float


class _TooLarge(Exception):
    pass


class Transport:
    """Keeps HTTP/1.1 connections per host, with the host's own TLS context (case A24).

    Each kept connection is a pool of one, lent to one request at a time: a shared pool looks through all of its
    connections on every request, which halves the calls per second at sixteen connections.
    """

    def __init__(self, endpoint: Endpoint, settings: ExecutionSettings) -> None:
        """Open nothing yet; pools are made when a host is first called."""
        self._endpoint = endpoint
        self._settings = settings
        self._headers = {
            "User-Agent": settings.user_agent,
            "Accept": "*/*",
            "Accept-Encoding": "gzip, deflate",
        }
        self._idle: dict[tuple[str, str | None], list[httpx.AsyncHTTPTransport]] = {}
        self._opened: list[httpx.AsyncHTTPTransport] = []
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
        started = time.perf_counter()
        try:
            async with asyncio.timeout(self._settings.deadline_s):
                return await self._exchange(request, profile, started)
        except _TooLarge:
            limit = self._settings.max_response_bytes
            return Verdict("environmental", "too_large", f"the response is larger than {limit} bytes")
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, TimeoutError, OSError) as error:
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

    async def _exchange(self, request: WireRequest, profile: Profile, started: float) -> Exchange:
        url = self._endpoint.wire_url(request.url)
        headers = httpx.Headers(self._headers)
        headers.update(request.headers)  # without regard to case: a profile may name its own User-Agent
        wire = httpx.Request(
            request.method,
            url,
            headers=headers,
            content=request.body,
            extensions={"timeout": self._timeouts(profile)},
        )
        idle = self._idle.setdefault((f"{wire.url.scheme}://{wire.url.netloc.decode()}", profile.ciphers), [])
        connection = idle.pop() if idle else self._open(url, profile)
        try:
            response = await connection.handle_async_request(wire)
            response.request = wire
            try:
                body = await self._read(response)
            finally:
                await response.aclose()
        finally:
            idle.append(connection)
        return Exchange(
            status=response.status_code,
            content_type=response.headers.get("content-type", ""),
            retry_after=response.headers.get("retry-after", ""),
            body=body,
            latency_ms=(time.perf_counter() - started) * 1000,
        )

    async def _read(self, response: httpx.Response) -> bytes:
        chunks: list[bytes] = []
        size = 0
        async for chunk in response.aiter_bytes():  # unpacked, so that the cap also holds for compressed bodies
            size += len(chunk)
            if size > self._settings.max_response_bytes:
                raise _TooLarge
            chunks.append(chunk)
        return b"".join(chunks)

    def _timeouts(self, profile: Profile) -> dict[str, float | None]:
        read = self._settings.read_timeout_s or profile.timeout_s
        return {"connect": self._settings.connect_timeout_s, "read": read, "write": read, "pool": None}

    def _open(self, url: str, profile: Profile) -> httpx.AsyncHTTPTransport:
        connection = httpx.AsyncHTTPTransport(
            verify=self._context(profile.ciphers),
            limits=httpx.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=4.0),
            proxy=self._proxy(url),
            http2=False,
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
