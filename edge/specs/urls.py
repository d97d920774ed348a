"""host, base path and path of a document -> the one URL template that a tool keeps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urljoin

UNKNOWN_HOST = "host.invalid"  # a reserved name that never resolves: a document without a host still compiles
_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_SCHEME = re.compile(r"^([a-zA-Z][a-zA-Z0-9+.-]*)://")
_HOST = re.compile(r"^(?:localhost|[^/.:]+(?:\.[^/.:]+)+)(?::\d+)?(?:/|$)")  # a server written without its scheme
_DEFAULT_PORT = {"http": ":80", "https": ":443"}


@dataclass(frozen=True, slots=True)
class Base:
    """Where a document's operations live. `assumed` says which part the document left out ("scheme", "host")."""

    scheme: str
    host: str
    path: str
    assumed: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        """The base URL without a slash at its end."""
        return f"{self.scheme}://{self.host}{self.path}"


def join(*parts: str) -> str:
    """Join URL parts with exactly one slash between them; empty parts and a lone "/" vanish.

    Spaces and non-ASCII letters are kept: escaping is the gateway client's, when the values are known.
    """
    kept = [part.strip().strip("/") for part in parts[1:]]
    first = parts[0].strip().rstrip("/") if parts else ""
    return "/".join([first, *(part for part in kept if part)])


def base_of(host: str, base_path: str = "", schemes: tuple[str, ...] = ()) -> Base:
    """Return the base of a document whose `host` may carry a scheme, a port and even a path.

    The scheme is https where the document lists it, else its first, else https and recorded as assumed. The
    scheme's own port (http ":80") is dropped, so that one host has one spelling.
    """
    given = _SCHEME.match(host.strip())
    offered = (given.group(1).lower(),) if given else tuple(s.lower() for s in schemes if s)
    scheme = "https" if "https" in offered or not offered else offered[0]
    bare = _SCHEME.sub("", host.strip()).strip("/")
    name, _, rest = bare.partition("/")
    name = name.lower().removesuffix(_DEFAULT_PORT.get(scheme, "\0"))
    path = join("", rest, base_path).rstrip("/")
    assumed = (*(() if offered else ("scheme",)), *(() if name else ("host",)))
    return Base(scheme, name or UNKNOWN_HOST, path, assumed)


def base_of_server(url: str, variables: Mapping[str, str], document: str = "") -> Base:
    """Return the base of an OpenAPI server: variables at the values given, one without a value stays a {placeholder}.

    A relative URL lies below the URL of its `document`, where that is known.
    """
    url = _PLACEHOLDER.sub(lambda found: variables.get(found.group(1)) or found.group(0), url.strip())
    url = re.split(r"[?#]", url, maxsplit=1)[0]
    absolute = _SCHEME.match(url) or url.startswith("//") or _HOST.match(url)
    if absolute:
        return base_of(url)
    if _SCHEME.match(document):
        return base_of(urljoin(document, url))
    return base_of("", url.removeprefix("."))


def host_of(url: str) -> str:
    """Return the host of a URL in small letters, with its port where it has one."""
    return _SCHEME.sub("", url).partition("/")[0].partition("?")[0].lower()


def placeholders(url: str) -> tuple[str, ...]:
    """Return the names in braces, in order: "/x/{KEY}/json/{START}" gives ("KEY", "START")."""
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(url)))
