"""The engine's declarations in, one small page for people out: platforms, operations and what each asks for."""

from html import escape

from edge.sandbox.engine import Engine
from edge.sandbox.model import Response

_STYLE = "body{font:15px/1.5 sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}td{padding:.1rem .8rem .1rem 0}"


def operation_rows(engine: Engine) -> list[dict[str, object]]:
    """Every operation that is served."""
    return [
        {"id": operation.id, "platform": platform.name, "path": f"/{operation.host}{operation.path}"}
        for platform in engine.platforms
        for operation in platform.operations
        if not operation.retired
    ]


def index_page(engine: Engine) -> Response:
    """Every operation as a link without a key, so that following one shows the platform's own refusal."""
    lines = [
        "<!DOCTYPE html><html lang='ko'><head><meta charset='utf-8'><title>EDGE sandbox</title>",
        f"<style>{_STYLE}</style></head><body><h1>EDGE sandbox</h1>",
        f"<p>seed {engine.world.seed} &middot; {engine.world.now:%Y-%m-%d %H:%M} KST &middot; ",
        "<a href='/__sandbox__/statistics'>statistics</a></p>",
    ]
    for platform in engine.platforms:
        lines.append(f"<h2>{escape(platform.name)} <small>{escape(platform.host)}</small></h2><table>")
        for operation in platform.operations:
            path = f"/{operation.host}{operation.path}"
            name = escape(operation.id)
            link = f"<a href='{escape(path)}'>{name}</a>" if operation.pattern is None else name
            needs = ", ".join(operation.required) or "-"
            lines.append(f"<tr><td>{link}</td><td>{escape(operation.path)}</td><td>{escape(needs)}</td></tr>")
        lines.append("</table>")
    lines.append("</body></html>")
    return Response(200, "text/html; charset=utf-8", "".join(lines).encode())
