"""An ASGI scope in, one request out: which platform is meant, its path, and its parameters decoded once."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import cast
from urllib.parse import parse_qsl, unquote

from edge.sandbox.model import Request

Message = MutableMapping[str, object]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

MAX_BODY = 1 << 20


class BodyTooLarge(Exception):
    """A request body above the limit; nothing of it is kept."""


async def read_request(scope: Message, receive: Receive, serves: Callable[[str], bool]) -> tuple[Request, bytes]:
    """The request and its raw body; a form or JSON body adds parameters. Raises BodyTooLarge.

    The platform is the first piece of the path. Clients that cannot put it there name it in their Host header, or
    take the sandbox for an HTTP proxy and send the whole address.
    """
    raw = text(scope.get("raw_path") or scope["path"]).partition("?")[0]
    pairs = cast("list[tuple[bytes, bytes]]", scope["headers"])
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in pairs}
    host, path = _place(raw, headers.get("host", "").lower(), serves)
    params = dict(parse_qsl(text(scope.get("query_string", b"")), keep_blank_values=True))
    method = str(scope["method"])
    body = await _body(receive) if method not in ("GET", "HEAD") else b""
    if body:
        params |= _body_params(body, headers.get("content-type", ""))
    return Request(method, host, path, params, headers), body


def text(value: object) -> str:
    """Bytes of a scope as text, one character a byte."""
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _place(raw: str, named: str, serves: Callable[[str], bool]) -> tuple[str, str]:
    """Host and path of a request target; slashes inside a segment stay quoted."""
    whole = raw.removeprefix("http://")
    host, _, path = whole.lstrip("/").partition("/")
    host = unquote(host).lower()
    if whole == raw and not serves(host):
        # Without its port too: whoever maps a name to loopback comes by another port than the platform's.
        found = next((name for name in (named, named.partition(":")[0]) if serves(name)), "")
        host, path = (found, raw.lstrip("/")) if found else (host, path)
    # A slash inside a segment (a key, a category like 전시/미술) stays %2F until the engine has matched the path.
    return host, "/" + "/".join(unquote(segment).replace("/", "%2F") for segment in path.split("/"))


async def _body(receive: Receive) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        chunk = message.get("body", b"")
        if isinstance(chunk, bytes):
            chunks.append(chunk)
            size += len(chunk)
        if size > MAX_BODY:
            raise BodyTooLarge
        if not message.get("more_body"):
            return b"".join(chunks)


def _body_params(body: bytes, content_type: str) -> dict[str, str]:
    if "json" not in content_type:
        return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
    try:
        loaded: object = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(loaded, dict):
        return {}
    # Lists and objects inside a body travel on as the JSON they were, for the view of that operation.
    items = cast("dict[str, object]", loaded).items()
    return {name: json.dumps(v) if isinstance(v, list | dict) else str(v) for name, v in items}
