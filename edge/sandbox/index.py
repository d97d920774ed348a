"""The engine's declarations in, pages for people out: a list of all operations, and one call of each that works."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from html import escape
from shlex import quote as shell
from urllib.parse import quote, urlencode

from edge.sandbox.catalogue import Operation, Platform
from edge.sandbox.engine import Engine
from edge.sandbox.guide import example, load_guide, parameters
from edge.sandbox.model import Request, Response

_STYLE = (
    "body{font:15px/1.5 sans-serif;max-width:80rem;margin:2rem auto;padding:0 1rem}code,pre{font-size:13px}"
    "td{padding:.15rem .8rem .15rem 0;vertical-align:top}pre{background:#f4f4f4;padding:.8rem;overflow:auto;"
    "white-space:pre-wrap;word-break:break-all}small{color:#666;font-weight:normal}"
)
_SHOWN = 20_000


def operation_rows(engine: Engine) -> list[dict[str, object]]:
    """Every operation that is served, with what a client has to know about it."""
    return [
        {
            "id": operation.id,
            "platform": platform.name,
            "title": _title(operation),
            "method": operation.method or "GET",
            "path": f"/{operation.host}{operation.path}",
            "key": {"in": operation.key.place, "names": operation.key.names},
            "required": operation.required,
            "parameters": parameters(operation),
            "format": {"parameter": operation.format.param, "default": operation.format.default},
            "try": _try_link(operation),
        }
        for platform, operation in _served(engine)
    ]


def index_page(engine: Engine) -> Response:
    """All operations by platform."""
    served = _served(engine)
    lines = [
        f"<h1>EDGE sandbox</h1><p>{len(served)} operations of {len({platform.host for platform, _ in served})} hosts. "
        f"Seed {engine.world.seed}, {engine.world.now:%Y-%m-%d %H:%M} KST. "
        "<a href='/__sandbox__/operations'>operations</a>, <a href='/__sandbox__/statistics'>statistics</a>, "
        "<a href='/__sandbox__/clock'>clock</a> and <a href='/__sandbox__/faults'>faults</a> as JSON.</p>"
    ]
    for platform in engine.platforms:
        rows = [_index_row(operation) for operation in platform.operations if not operation.retired]
        lines.append(f"<h2>{escape(platform.name)} <small>{escape(platform.host)}</small></h2>")
        lines.append(f"<table>{''.join(rows)}</table>")
    return _page("EDGE sandbox", "".join(lines))


def try_page(engine: Engine, name: str, address: str) -> Response:
    """A call of one operation: the command for the sandbox at `address`, and the answer.

    Raises:
        ValueError: nobody serves such an operation.
    """
    found = next(((p, one) for p, one in _served(engine) if one.id == name), None)
    if found is None:
        raise ValueError(f"no operation {name[:80]!r}; /__sandbox__/operations lists them")
    platform, operation = found
    request = example(engine, platform, operation)
    head = (
        f"<p><a href='/'>All operations</a></p><h1>{escape(_title(operation))}</h1><p><code>{escape(name)}</code></p>"
    )
    if request is None:
        return _page(name, f"{head}<p>Nothing in this world at this time answers a call of it.</p>")
    path, left = _filled(operation.path, request.params)
    response, _ = engine.answer(engine.route(replace(request, path=path)))
    target, body = _target(operation, replace(request, path=path, params=left))
    lines = [head, f"<pre>{escape(_command(request, f'http://{address}{target}', body))}</pre>"]
    if request.method == "GET" and not request.headers:
        lines.append(f"<p><a href='{escape(target)}'>Open it</a></p>")
    lines.append(f"<p>HTTP {response.status}, {escape(response.content_type)}, {len(response.body):,} bytes</p>")
    lines.append(f"<pre>{escape(_text(response))}</pre>")
    return _page(name, "".join(lines))


def _served(engine: Engine) -> list[tuple[Platform, Operation]]:
    return [(platform, one) for platform in engine.platforms for one in platform.operations if not one.retired]


def _title(operation: Operation) -> str:
    return load_guide().titles.get(operation.id, operation.id)


def _try_link(operation: Operation) -> str:
    return f"/__sandbox__/try?{urlencode({'operation': operation.id})}"


def _index_row(operation: Operation) -> str:
    names = [f"<b>{escape(name)}</b>" if name in operation.required else escape(name) for name in parameters(operation)]
    return (
        f"<tr><td>{escape(_title(operation))}<br><code>{escape(operation.path)}</code></td>"
        f"<td><code>{' '.join(names)}</code></td><td><a href='{escape(_try_link(operation))}'>try it</a></td></tr>"
    )


def _filled(path: str, params: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The path with its placeholders filled, as the engine matches it, and the parameters that are left."""
    left = dict(params)

    def segment(match: re.Match[str]) -> str:
        value = left.pop(match[2], "").replace("/", "%2F")
        return "" if match[3] and not value else f"{match[1]}{value}"

    return re.sub(r"(/?)\{(\w+)(\??)\}", segment, path), left


def _target(operation: Operation, request: Request) -> tuple[str, str]:
    """Path with query, and the body of a POST."""
    segments = [quote(segment.replace("%2F", "/"), safe="") for segment in request.path.split("/")]
    whole = f"/{request.host}{'/'.join(segments)}"
    left = dict(request.params)
    if request.method != "POST":
        return f"{whole}?{urlencode(left)}" if left else whole, ""
    key = {name: left.pop(name) for name in operation.key.names if name in left}
    values = {name: json.loads(value) if value.startswith(("[", "{")) else value for name, value in left.items()}
    return f"{whole}?{urlencode(key)}", json.dumps(values, ensure_ascii=False)


def _command(request: Request, url: str, body: str) -> str:
    parts = ["curl", shell(url)]
    parts += [f"-H {shell(f'{name}: {value}')}" for name, value in request.headers.items()]
    if body:
        parts += ["-H 'Content-Type: application/json'", f"-d {shell(body)}"]
    return " ".join(parts)


def _text(response: Response) -> str:
    if not any(word in response.content_type for word in ("json", "xml", "text", "html")):
        return "(a file)"
    label = "cp949" if "EUC-KR" in response.content_type else "utf-8"
    text = response.body.decode(label, "replace")
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} ..."


def _page(title: str, body: str) -> Response:
    head = f"<!DOCTYPE html><html lang='ko'><head><meta charset='utf-8'><title>{escape(title)}</title>"
    whole = f"{head}<style>{_STYLE}</style></head><body>{body}</body></html>"
    return Response(200, "text/html; charset=utf-8", whole.encode())
