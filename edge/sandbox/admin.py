"""A request under /__sandbox__/ in, JSON about or a change of the running replica out; on loopback, without a key."""

import json
from collections.abc import Callable, Mapping
from datetime import date, time
from typing import TypeVar, cast
from urllib.parse import urlsplit

from edge.sandbox.index import operation_rows, try_page
from edge.sandbox.model import Request, Response
from edge.sandbox.rendering import json_response
from edge.sandbox.replica import Replica
from edge.sandbox.timeline import FaultPlan, read_plan

Value = TypeVar("Value")
_Handler = Callable[[Replica, Request, bytes], object]


def administer(replica: Replica, request: Request, body: bytes) -> Response:
    """Answer one call; what cannot be done is said in one line with HTTP 400, 403, 404 or 405."""
    if not _is_local(request):
        return _error(403, "the pages of the sandbox itself answer to 127.0.0.1 and localhost alone")
    handlers = _PAGES.get(request.path.rstrip("/"))
    if handlers is None:
        return _error(404, f"no such page; there are {', '.join(f'/__sandbox__{page}' for page in _PAGES)}")
    handler = handlers.get(request.method)
    if handler is None:
        return _error(405, f"{request.path} takes {', '.join(handlers)}", (("allow", ", ".join(handlers)),))
    try:
        answer = handler(replica, request, body)
        return answer if isinstance(answer, Response) else json_response(answer)
    except ValueError as error:
        return _error(400, str(error))


def _is_local(request: Request) -> bool:
    """Neither a name that was made to point here nor a page of another site in somebody's browser."""
    origin = request.headers.get("origin", "")
    hosts = [f"//{request.headers.get('host', '')}", *([origin] if origin else [])]
    return all(_hostname(host) in ("127.0.0.1", "localhost", "::1") for host in hosts)


def _hostname(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _error(status: int, message: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
    made = json_response({"error": message}, status)
    return Response(made.status, made.content_type, made.body, headers)


def _clock(replica: Replica, _request: Request, _body: bytes) -> object:
    world = replica.engine.world
    now = world.now
    return {"today": f"{now:%Y-%m-%d}", "time": f"{now:%H:%M}", "now": now.isoformat(), "seed": world.seed}


def _set_clock(replica: Replica, request: Request, body: bytes) -> object:
    node = _json_object(body)
    if unknown := sorted(set(node) - {"today", "time"}):
        raise ValueError(f"unknown {unknown[0]!r}; use today and time")
    world = replica.engine.world
    today = _parsed(date.fromisoformat, node.get("today"), world.today, "today must be like 2026-06-15")
    clock = _parsed(time.fromisoformat, node.get("time"), world.clock, "time must be like 10:35")
    replica.set_clock(today, clock.replace(tzinfo=None))
    return _clock(replica, request, body)


def _faults(replica: Replica, _request: Request, _body: bytes) -> object:
    return replica.plan.row()


def _set_faults(replica: Replica, _request: Request, body: bytes) -> object:
    replica.plan = read_plan(body.decode("utf-8", "replace"), replica.plan)
    return replica.plan.row()


def _no_faults(replica: Replica, _request: Request, _body: bytes) -> object:
    replica.plan = FaultPlan(replica.plan.seed)
    return replica.plan.row()


def _reset(replica: Replica, _request: Request, _body: bytes) -> object:
    replica.reset()
    return {"reset": True}


def _statistics(replica: Replica, _request: Request, _body: bytes) -> object:
    return replica.statistics.row()


def _operations(replica: Replica, _request: Request, _body: bytes) -> object:
    return operation_rows(replica.engine)


def _try(replica: Replica, request: Request, _body: bytes) -> object:
    return try_page(replica.engine, request.get("operation"), request.headers.get("host", ""))


_PAGES: Mapping[str, Mapping[str, _Handler]] = {
    "/operations": {"GET": _operations},
    "/try": {"GET": _try},
    "/statistics": {"GET": _statistics},
    "/clock": {"GET": _clock, "POST": _set_clock},
    "/faults": {"GET": _faults, "POST": _set_faults, "DELETE": _no_faults},
    "/reset": {"POST": _reset},
}


def _json_object(body: bytes) -> dict[str, object]:
    try:
        loaded: object = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise ValueError("the body is no JSON") from None
    if not isinstance(loaded, dict):
        raise ValueError("the body must be a JSON object")
    return cast("dict[str, object]", loaded)


def _parsed(read: Callable[[str], Value], value: object, standing: Value, wanted: str) -> Value:
    if value is None:
        return standing
    try:
        return read(str(value))
    except ValueError:
        raise ValueError(f"{wanted}, not {str(value)[:40]!r}") from None
