"""URL of a document -> its bytes: the one way in which stage 1 reaches the network, and only hosts the user named."""

from __future__ import annotations

import socket
import time
from collections.abc import Collection
from ipaddress import ip_address
from types import TracebackType
from typing import Self
from urllib.parse import SplitResult, urljoin, urlsplit

import httpx

from edge.errors import SpecError, UsageError
from edge.execution.endpoint import address_allowed
from edge.settings import ExecutionSettings

MAX_BYTES = 32 * 1024 * 1024
_DEADLINE_S = 30.0
_REDIRECTS = 3
_PORTS = {"http": 80, "https": 443}


class Fetcher:
    """Fetches documents and the parts they refer to; use it as a context manager. Nothing is asked for twice.

    References in a document are as untrusted as the document: they may only lead to `hosts`, entries like
    "api.example.org" (the usual ports) or "127.0.0.1:8080". A name must resolve to public addresses or to networks of
    `allowed_private`; an address that is itself an entry is the user's own choice.
    """

    def __init__(self, hosts: Collection[str], settings: ExecutionSettings | None = None) -> None:
        """Prepare a fetcher; connections are made when something is fetched."""
        self._hosts = frozenset(host.strip().lower() for host in hosts)
        self._settings = settings or ExecutionSettings.model_validate({})
        self._fetched: dict[str, bytes] = {}
        self._client = httpx.Client(
            timeout=httpx.Timeout(_DEADLINE_S, connect=self._settings.connect_timeout_s),
            headers={"User-Agent": self._settings.user_agent},
            follow_redirects=False,
        )

    def __enter__(self) -> Self:
        """Return the fetcher."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        self._client.close()

    def __call__(self, url: str) -> bytes:
        """Return the body at `url`, fragment aside.

        Raises:
            SpecError: the host is not allowed, does not answer, answers with an error, or with too much.
        """
        url = url.partition("#")[0]
        if url not in self._fetched:
            self._fetched[url] = self._follow(url, time.monotonic() + _DEADLINE_S)
        return self._fetched[url]

    def _follow(self, url: str, deadline: float) -> bytes:
        for _ in range(_REDIRECTS + 1):
            self._check(url)
            try:
                with self._client.stream("GET", url) as response:
                    if response.is_redirect:
                        url = urljoin(url, response.headers.get("location", ""))
                        continue
                    if not response.is_success:
                        raise SpecError(f"{_shown(url)} answers HTTP {response.status_code}")
                    return self._body(url, response, deadline)
            except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
                why = " ".join(str(error).split())[:120] or type(error).__name__
                raise SpecError(f"{_shown(url)} cannot be fetched ({why})") from None
        raise SpecError(f"{_shown(url)} is redirected more than {_REDIRECTS} times")

    def _body(self, url: str, response: httpx.Response, deadline: float) -> bytes:
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > MAX_BYTES:
                raise SpecError(f"{_shown(url)} is larger than {MAX_BYTES} bytes")
            if time.monotonic() > deadline:
                raise SpecError(f"{_shown(url)} takes longer than {_DEADLINE_S:.0f} s")
        return bytes(body)

    def _check(self, url: str) -> None:
        """Refuse a URL that leads where nobody said that documents are."""
        parts, host, port = _split(url)
        named = f"{host}:{port}" in self._hosts or (port == _PORTS[parts.scheme] and host in self._hosts)
        if not named:
            given = host if port == _PORTS[parts.scheme] else f"{host}:{port}"
            raise SpecError(f"{_shown(url)}: {given} is not an allowed host; if you trust it, add --allow-host {given}")
        private = self._private(host, port)
        if private:
            raise SpecError(f"{_shown(url)}: {host} resolves to {private}, which is not a public address")

    def _private(self, host: str, port: int) -> str:
        """Return an address of `host` that may not be asked, or ""; an unknown name is for the request to find out."""
        if host in ("localhost", "::1") or _is_address(host):
            return ""  # written out by the user
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError:
            return ""
        allowed = self._settings.allowed_private
        return next((a for a in (str(entry[4][0]) for entry in found) if not address_allowed(a, allowed)), "")


def host_entry(url: str) -> str:
    """Return the entry that allows a URL's host: what the user typed as a document's address is allowed by that.

    Raises:
        UsageError: no http(s) URL.
    """
    try:
        parts, host, port = _split(url)
    except SpecError as error:
        raise UsageError(str(error)) from None
    return host if port == _PORTS[parts.scheme] else f"{host}:{port}"


def fetching(urls: Collection[str], hosts: Collection[str], settings: ExecutionSettings | None = None) -> Fetcher:
    """Return a fetcher for documents at `urls` whose references may also lead to `hosts`."""
    return Fetcher([*hosts, *(host_entry(url) for url in urls)], settings)


def _split(url: str) -> tuple[SplitResult, str, int]:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise SpecError(f"{_shown(url)} is not a URL") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise SpecError(f"{_shown(url)} is not an http or https URL")
    if parts.username is not None or parts.password is not None:
        raise SpecError(f"{parts.scheme}://{parts.hostname}: a URL must not contain a user name or password")
    return parts, parts.hostname.lower().rstrip("."), port or _PORTS[parts.scheme]


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _shown(url: str) -> str:
    """Return a URL without its query, which may hold a key."""
    return url.partition("?")[0][:200]
