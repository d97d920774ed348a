"""Host -> connection to it: its own TLS context, a proxy where one is set, a checked address, HTTP/2 where offered."""

from __future__ import annotations

import asyncio
import importlib.util
import socket
import ssl
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore
import httpx

from edge.execution.endpoint import Endpoint, address_allowed

_KEPT_S = 4.0  # an idle connection older than this may be closed at the other end already
_HTTP2 = importlib.util.find_spec("h2") is not None  # the `http2` extra


class PrivateAddress(Exception):
    """A host name leads to an address that must not be called."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where connections can be shared: the same origin with the same TLS context."""

    scheme: str
    netloc: str
    ciphers: str | None


class Connections:
    """Connections by place. Each is a pool of one, lent to one request at a time; one of HTTP/2 is lent to all.

    A shared pool of many would look through all of its connections on every request.
    """

    def __init__(self, endpoint: Endpoint, allowed_private: Sequence[str]) -> None:
        """Open nothing yet; live connections lead to public addresses and to the networks in `allowed_private`."""
        self._endpoint = endpoint
        self._checked = CheckedBackend(allowed_private) if endpoint.live else None
        self._idle: dict[Place, list[httpcore.AsyncConnectionPool]] = {}
        self._shared: dict[Place, httpcore.AsyncConnectionPool] = {}
        self._contexts: dict[str | None, ssl.SSLContext] = {}
        self.opened: list[httpcore.AsyncConnectionPool] = []

    def take(self, place: Place) -> httpcore.AsyncConnectionPool:
        """Return a connection to send one request on."""
        shared = self._shared.get(place)
        if shared is not None:
            return shared
        idle = self._idle.setdefault(place, [])
        return idle.pop() if idle else self._open(place)

    async def give(self, place: Place, connection: httpcore.AsyncConnectionPool, http2: bool | None) -> None:
        """Take a connection back; `http2` tells what the answer was, None that there was none."""
        shared = self._shared.setdefault(place, connection) if http2 else self._shared.get(place)
        if http2 and shared is not connection:
            self.opened.remove(connection)  # opened before it was known that one is enough
            await connection.aclose()
        elif http2 is False and shared is connection:
            del self._shared[place]
        if not http2 and (http2 is False or shared is not connection):
            self._idle.setdefault(place, []).append(connection)

    async def aclose(self) -> None:
        """Close every connection."""
        opened, self.opened = self.opened, []
        self._idle.clear()
        self._shared.clear()
        for connection in opened:
            await connection.aclose()

    def _open(self, place: Place) -> httpcore.AsyncConnectionPool:
        proxy = self._proxy(f"{place.scheme}://{place.netloc}")
        secure = place.scheme == "https"
        connection = httpcore.AsyncConnectionPool(
            ssl_context=self._context(place.ciphers) if secure else None,
            proxy=httpcore.Proxy(proxy) if proxy else None,
            max_connections=1,
            keepalive_expiry=_KEPT_S,
            http2=secure and _HTTP2,
            network_backend=None if proxy else self._checked,  # a proxy resolves names itself
        )
        self.opened.append(connection)
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


class CheckedBackend(httpcore.AsyncNetworkBackend):
    """Opens connections to the very addresses that were checked: a name may lead elsewhere when it is asked again."""

    def __init__(self, allowed_private: Sequence[str]) -> None:
        self._allowed = allowed_private
        self._inner = cast("httpcore.AsyncNetworkBackend", httpcore.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's signature
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first address of `host` that answers, once all of them may be called.

        Raises:
            PrivateAddress: one of them may not.
        """
        addresses = await self._addresses(host, port, timeout)
        refused = next((address for address in addresses if not address_allowed(address, self._allowed)), None)
        if refused is not None:
            raise PrivateAddress(f"{host} resolves to {refused}")
        share = timeout / len(addresses) if timeout else None
        failure: Exception = httpcore.ConnectError(f"{host} has no address")
        for address in addresses:
            try:
                return await self._inner.connect_tcp(address, port, share, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)

    async def _addresses(self, host: str, port: int, limit_s: float | None) -> list[str]:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(limit_s):
                found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except TimeoutError:
            raise httpcore.ConnectTimeout(f"the name {host} is not resolved in time") from None
        except OSError as error:
            raise httpcore.ConnectError(f"{host}: {error}") from error
        return list(dict.fromkeys(str(entry[4][0]) for entry in found))
