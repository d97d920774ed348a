"""Spec URL -> wire URL: where a call really goes (docs/design/wire.md)."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import httpx

from edge.errors import EndpointError, UsageError

KST = timezone(timedelta(hours=9), "KST")  # Asia/Seoul has had no daylight saving since 1988


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`live` (base None) or a base URL that stands in front of every platform.

    The base URL is the user's own choice and may be any address; platform hosts come from documents and are checked.
    """

    base: str | None = None

    @classmethod
    def parse(cls, text: str) -> Endpoint:
        """Read "live" or an http(s) base URL.

        Raises:
            UsageError: neither of the two.
        """
        if text.strip().lower() == "live":
            return cls()
        parts = urlsplit(text.strip())
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise UsageError(f"endpoint {text!r} is neither 'live' nor a base URL such as http://127.0.0.1:8700")
        if parts.username is not None or parts.password is not None:
            raise UsageError("an endpoint URL must not contain a user name or password")
        return cls(f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}")

    @property
    def live(self) -> bool:
        """Whether calls go to the platforms themselves."""
        return self.base is None

    @property
    def loopback(self) -> bool:
        """Whether calls stay on this machine."""
        return self.base is not None and is_loopback(urlsplit(self.base).hostname or "")

    def wire_url(self, url: str) -> str:
        """Return the URL that is really requested: the spec's host moves into the path of a base URL."""
        if self.base is None:
            return url
        scheme, _, rest = url.partition("://")
        return f"{self.base}/{rest}" if scheme and rest else url

    def __str__(self) -> str:
        """Return the text that `parse` reads."""
        return self.base or "live"


def is_loopback(host: str) -> bool:
    """Return whether `host` names this machine, without a DNS query."""
    if host.lower() == "localhost" or host.lower().endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def host_allowed(netloc: str, hosts: Sequence[str]) -> bool:
    """Return whether a profile names this host; an entry with a port admits that port only.

    What follows a slash in an entry tells platforms of one host apart and says nothing about where calls may go.
    """
    wanted = netloc.rpartition("@")[2].lower()
    bare = (urlsplit(f"//{wanted}").hostname or wanted).lower()
    return any(entry.partition("/")[0].lower() in (wanted, bare) for entry in hosts)


def address_allowed(address: str, allowed: Sequence[str]) -> bool:
    """Return whether a resolved address may be called: public, or inside one of the allowed networks (CIDR)."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if found.is_global and not found.is_multicast:
        return True
    return any(found in ipaddress.ip_network(network, strict=False) for network in allowed)


async def endpoint_today(endpoint: Endpoint, *, hosts: Sequence[str] = (), timeout_s: float = 5.0) -> date:
    """Return the endpoint's date in Korea, from the `Date` header of any answer it gives.

    `hosts` are the platform hosts to ask when the endpoint is live; the first that answers counts.

    Raises:
        EndpointError: nothing answers.
    """
    urls = [endpoint.base + "/"] if endpoint.base else [f"https://{host}/" for host in hosts]
    failure = "no platform host is known"
    async with httpx.AsyncClient(timeout=timeout_s, trust_env=not endpoint.loopback) as client:
        for url in urls:
            try:
                async with client.stream("GET", url) as response:
                    return date_of(response.headers.get("date"))
            except (httpx.HTTPError, OSError) as error:
                failure = f"{url} does not answer ({type(error).__name__}: {error or 'no detail'})"
    raise EndpointError(f"endpoint {endpoint} is not reachable: {failure}; check the address or start it first")


def date_of(header: str | None) -> date:
    """Return the Korean date of an HTTP `Date` header, or today's where there is none that can be read."""
    try:
        moment = parsedate_to_datetime(header) if header else datetime.now(KST)
    except ValueError:
        moment = datetime.now(KST)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.astimezone(KST).date()
