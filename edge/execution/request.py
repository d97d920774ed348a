"""Tool + arguments + key + page -> one wire request: the only place where a URL is put together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import quote, unquote, urlsplit

from edge.execution.bodies import encoded, pieces, typed
from edge.execution.keys import MASK
from edge.ids import Json, digest
from edge.specs.model import Auth, Tool

_PLACEHOLDER = re.compile(r"\{([^{}/]+)\}")
_LITERAL_SAFE = "%:@!$&'()*+,;=~-._"  # what may stand unescaped in a path that a provider wrote
_SKIPPED = "%20"  # positional platforms read a blank segment as "not given"
KEY_PLACEHOLDER = "KEY"


@dataclass(frozen=True, slots=True)
class WireRequest:
    """A request ready to be sent. `url`, `headers` and `body` hold the key; `shown` is the redacted form to keep.

    `identity` names the question that is asked: method, URL, query, body, page and headers of parameters, without the
    key and whatever the endpoint.
    """

    method: str
    host: str
    url: str
    headers: dict[str, str]
    body: bytes | None
    shown: dict[str, Json]
    identity: str

    def __repr__(self) -> str:
        """Return the redacted form: representations end up in logs."""
        return f"WireRequest({self.shown})"


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a call is wrong before it is made; always structural."""

    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class _Template:
    scheme: str
    host: str
    segments: tuple[str, ...]
    query: tuple[str, ...]
    names: frozenset[str]


@dataclass(slots=True)
class _Parts:
    path: dict[str, str] = field(default_factory=dict[str, str])
    query: dict[str, str] = field(default_factory=dict[str, str])
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: dict[str, Json] = field(default_factory=dict[str, Json])
    repeated: frozenset[str] = frozenset()  # lists in the query whose name stands before every element


def build_request(
    tool: Tool, arguments: Mapping[str, str], *, keys: Sequence[str] = (), page: Mapping[str, str] | None = None
) -> WireRequest | Refused:
    """Return the request for one page of a call, or why it cannot be made.

    `arguments` are by wire name; `keys` are decoded, in the order of the profile's; `page` holds the paging parameters.
    Values are escaped here, once: parse_qs of the result gives back exactly what was put in (case A04), and a query of
    the spec's own URL survives.
    """
    if not tool.url.startswith(("http://", "https://")):
        scheme = tool.url.partition("://")[0]
        return Refused("not_http", f"{tool.tool_id} has a {scheme} address; only tools of HTTP APIs are called")
    if not tool.read_only:
        return Refused("changes_state", f"{tool.tool_id} changes state; only tools that read are called")
    refused = _check(tool, arguments)
    if refused is not None:
        return refused
    template = _template(tool.url)
    parts = _distribute(tool, template, arguments, page or {})
    keyed = zip(tool.profile.keys, keys, strict=False)  # a call can be looked at before there are keys
    hidden = frozenset(_place_key(auth, template, parts, key) for auth, key in keyed)
    path = _path(tool, template, parts.path)
    if isinstance(path, Refused):
        return path
    origin = f"{template.scheme}://{template.host}"
    query = "&".join(_query(template, parts))
    body = encoded(tool, parts.body, parts.headers)
    return WireRequest(
        method=tool.method.upper(),
        host=template.host,
        url=f"{origin}{path}?{query}" if query else f"{origin}{path}",
        headers=parts.headers,
        body=body,
        shown=_shown(tool, template, parts, hidden),
        identity=_identity(tool, template, parts, hidden),
    )


def _check(tool: Tool, arguments: Mapping[str, str]) -> Refused | None:
    offered = {parameter.name for parameter in tool.offered}
    unknown = sorted(set(arguments) - offered)
    if unknown:
        return Refused("unknown_parameter", f"{tool.tool_id} has no parameter {', '.join(unknown)}")
    missing = [p.name for p in tool.required if not arguments.get(p.name, "").strip() and p.default is None]
    if missing:
        return Refused("missing_parameter", f"{tool.tool_id} needs {', '.join(missing)}")
    return None


@lru_cache(maxsize=8192)
def _template(url: str) -> _Template:
    scheme, _, rest = url.partition("://")
    host, slash, tail = rest.partition("/")
    path, _, query = (slash + tail).partition("?")
    segments = tuple(segment for segment in path.split("/") if segment)  # exactly one slash between them (case A30)
    if path.endswith("/") and segments:
        segments += ("",)
    pairs = tuple(pair for pair in query.partition("#")[0].split("&") if pair)
    return _Template(scheme.lower(), host.lower(), segments, pairs, frozenset(_PLACEHOLDER.findall(path + "?" + query)))


def _distribute(tool: Tool, template: _Template, arguments: Mapping[str, str], page: Mapping[str, str]) -> _Parts:
    """Sort every value into path, query, header or body; later sources win over earlier ones."""
    repeated = frozenset(p.name for p in tool.parameters if p.style == "repeated")
    parts = _Parts(headers=dict(tool.profile.headers), repeated=repeated)
    parameters = {parameter.name: parameter for parameter in tool.parameters}
    defaults = {
        p.name: p.default for p in tool.parameters if p.default is not None and (p.filled_by == "server" or p.required)
    }
    given = {name: value for name, value in arguments.items() if value.strip() or name not in defaults}
    for name, value in {**tool.profile.fixed, **defaults, **given, **page}.items():
        parameter = parameters.get(name)
        location = "path" if name in template.names else parameter.location if parameter else "query"
        if location == "path":
            parts.path[name] = value
        elif location == "header":
            parts.headers[name] = header_text(value)
        elif location == "body":
            parts.body[name] = typed(parameter, value)
        else:
            parts.query[name] = value
    return parts


def _place_key(auth: Auth, template: _Template, parts: _Parts, key: str) -> str:
    """Put a key where the platform wants it; return the name of the parameter that holds it."""
    if auth.location == "path":
        parts.path[auth.parameter if auth.parameter in template.names else KEY_PLACEHOLDER] = auth.prefix + key
    elif auth.location == "header":
        parts.headers[auth.parameter] = header_text(auth.prefix + key)
    elif auth.location == "body":
        parts.body[auth.parameter] = auth.prefix + key
    else:
        parts.query.pop(auth.parameter, None)
        parts.query[auth.parameter] = auth.prefix + key
    return auth.parameter


def _path(tool: Tool, template: _Template, values: Mapping[str, str]) -> str | Refused:
    filled: list[str | None] = []
    for segment in template.segments:
        names = _PLACEHOLDER.findall(segment)
        absent = [name for name in names if not values.get(name)]
        if not absent:
            filled.append(_fill(segment, values))
        elif _may_lack(tool, segment, absent):
            filled.append(None)
        else:
            return Refused("missing_parameter", f"{tool.tool_id} needs {', '.join(absent)} in its path")
    while filled and filled[-1] is None:
        filled.pop()
    return "/" + "/".join(_SKIPPED if text is None else text for text in filled)


def _may_lack(tool: Tool, segment: str, absent: list[str]) -> bool:
    parameter = tool.parameter(absent[0])
    return segment == f"{{{absent[0]}}}" and parameter is not None and not parameter.required


def _fill(segment: str, values: Mapping[str, str]) -> str:
    pieces = _PLACEHOLDER.split(segment)  # literal, name, literal, name, ..., literal
    text = "".join(
        escape(values[piece]) if position % 2 else quote(piece, safe=_LITERAL_SAFE)
        for position, piece in enumerate(pieces)
    )
    return text.replace(".", "%2E") if not text.strip(".") else text  # ".." would climb out of its place


def _query(template: _Template, parts: _Parts) -> Iterator[str]:
    for pair in template.query:
        names = _PLACEHOLDER.findall(pair)
        if unquote(pair.partition("=")[0]) in parts.query or any(not parts.path.get(name) for name in names):
            continue  # said again by the caller, or an optional placeholder that was not given
        yield _PLACEHOLDER.sub(lambda match: escape(parts.path[match.group(1)]), pair)
    for name, value in parts.query.items():
        for piece in pieces(value) if name in parts.repeated else (value,):
            yield f"{escape(name)}={escape(piece)}"


@lru_cache(maxsize=16384)  # parameter names and page sizes come again with every call
def escape(text: str) -> str:
    """Return `text` percent-encoded for a path segment or a query value; lone surrogates become "?"."""
    return quote(text, safe="", errors="replace")


def header_text(value: str) -> str:
    """Return a header value that cannot break the header: printable ASCII stays, the rest is percent-encoded."""
    return "".join(ch if " " <= ch <= "~" else quote(ch, safe="", errors="replace") for ch in value).strip()


def _identity(tool: Tool, template: _Template, parts: _Parts, hidden: Set[str]) -> str:
    """Return the identity of a request; like `_shown` it is built without the key, not cut."""
    path = _masked_path(parts, hidden) if hidden else parts.path
    query = {name: value for name, value in parts.query.items() if name not in hidden}
    masked = _Parts(path, query, repeated=parts.repeated)
    headers = {name.lower(): value for name, value in parts.headers.items() if name not in hidden}
    body = {name: value for name, value in parts.body.items() if name not in hidden}
    place = [template.scheme, template.host, str(_path(tool, template, masked.path))]
    return digest(["request", tool.method.upper(), *place, sorted(_query(template, masked)), headers, body], 32)


def _masked_path(parts: _Parts, hidden: Set[str]) -> dict[str, str]:
    return {name: MASK if name == KEY_PLACEHOLDER or name in hidden else value for name, value in parts.path.items()}


def _shown(tool: Tool, template: _Template, parts: _Parts, hidden: Set[str]) -> dict[str, Json]:
    """Return the request without its key, built from the parts and not by cutting the key out afterwards."""
    path = _masked_path(parts, hidden)
    shape = _path(tool, template, path) if template.names else "/" + "/".join(template.segments)
    origin = f"{template.scheme}://{template.host}"
    query: dict[str, str] = {}
    for name, _, value in (pair.partition("=") for pair in template.query if "{" not in pair):
        query[unquote(name)] = unquote(value)
    query |= parts.query
    shown: dict[str, Json] = {
        "method": tool.method.upper(),
        "url": origin + (unquote(shape) if isinstance(shape, str) else ""),
        "query": {name: MASK if name in hidden else value for name, value in query.items()},
    }
    if parts.body:
        shown["body"] = {name: MASK if name in hidden else value for name, value in parts.body.items()}
    return shown


def host_of(url: str) -> str:
    """Return host and port of a spec URL, in lower case."""
    return urlsplit(url).netloc.lower()
