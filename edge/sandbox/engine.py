"""Request in, response out: find the operation, check key and parameters, select, page, project, wrap."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from edge.sandbox.catalogue import Key, Operation, Paging, Platform, load_platforms
from edge.sandbox.matching import project, select
from edge.sandbox.model import OutcomeKind, Page, Refusal, Request, Response, Row
from edge.sandbox.registry import Context, load_registries, styles
from edge.sandbox.world import World

DEMO_KEY = "edge+sandbox/key=="
_NOT_FOUND = b"<!DOCTYPE html><html><body><h1>404 Not Found</h1></body></html>"
_SELECTIONS_KEPT = 512


class Engine:
    """The whole replica without the socket: `answer(request)` is its only use, plus counts for the index page."""

    def __init__(self, world: World, keys: frozenset[str] = frozenset()) -> None:
        load_registries()
        self.world = world
        self.keys = keys | {DEMO_KEY}
        self.platforms = load_platforms()
        self.counts: Counter[str] = Counter()
        self._exact: dict[tuple[str, str], list[Operation]] = {}
        self._patterns: dict[str, list[Operation]] = {}
        self._hosts: dict[str, list[Platform]] = {}
        self._selections: dict[tuple[str, ...], Sequence[Row]] = {}
        for platform in self.platforms:
            self._hosts.setdefault(platform.host, []).append(platform)
            for operation in platform.operations:
                if operation.pattern is None:
                    self._exact.setdefault((operation.host, operation.path), []).append(operation)
                else:
                    self._patterns.setdefault(operation.host, []).append(operation)
                self._hosts.setdefault(operation.host, [platform])

    def answer(self, request: Request) -> Response:
        """One response; never raises for anything a client can send."""
        found = self._route(request)
        if found is None:
            return self._unknown(request)
        operation, request = found
        self.counts[operation.id] += 1
        context = Context(request, self.world, wants_json(operation, request), operation.options, operation)
        return styles[operation.envelope](self._page(operation, request), context)

    def fault(self, request: Request, kind: OutcomeKind) -> Response | None:
        """The platform's own rendering of a fault for this request; None for an unknown host."""
        found = self._route(request)
        if found is not None:
            operation, request = found
            context = Context(request, self.world, wants_json(operation, request), operation.options, operation)
            return styles[operation.envelope](Page(kind), context)
        return self._unknown(request, kind) if request.host in self._hosts else None

    def _route(self, request: Request) -> tuple[Operation, Request] | None:
        for operation in self._exact.get((request.host, request.path), ()):
            if _has_fixed(operation, request):
                return operation, request
        for operation in self._patterns.get(request.host, ()):
            match = operation.pattern.fullmatch(request.path) if operation.pattern else None
            if match is None:
                continue
            found = {k: v.replace("%2F", "/") for k, v in match.groupdict().items() if v is not None}
            params = dict(request.params) | found
            routed = replace(request, params=params)
            if _has_fixed(operation, routed):
                return operation, routed
        return None

    def _unknown(self, request: Request, kind: OutcomeKind = "unknown_operation") -> Response:
        platforms = self._hosts.get(request.host)
        if not platforms:
            return Response(404, "text/html; charset=utf-8", _NOT_FOUND)
        self.counts["unknown"] += 1
        platform = platforms[0]
        context = Context(request, self.world, False, platform.options, None)
        return styles[platform.envelope](Page(kind), context)

    def _page(self, operation: Operation, request: Request) -> Page:
        refusal = self._key_fault(operation.key, request)
        if refusal is not None:
            return Page(refusal)
        for name in operation.required:
            if not request.get(name):
                return Page("missing_parameter", detail=name)
        try:
            number, size, first = page_bounds(operation.paging, request)
            rows = self._select(operation, request)
        except Refusal as refused:
            return Page(refused.kind, detail=refused.detail)
        if operation.paging.style == "none":
            return Page("ok" if rows else "empty", project(rows, operation), len(rows), 1, max(len(rows), 1))
        shown = project(rows[first : first + size], operation)
        return Page("ok" if rows else "empty", shown, len(rows), number, size)

    def _select(self, operation: Operation, request: Request) -> Sequence[Row]:
        """Cached by what the rows depend on: paging through a large answer filters it once."""
        skipped = {operation.paging.page, operation.paging.size, *operation.key.names}
        parts = sorted(f"{k}={v}" for k, v in request.params.items() if k not in skipped)
        key = (operation.id, *parts)
        rows = self._selections.get(key)
        if rows is None:
            rows = select(operation, request, self.world)
            if len(self._selections) >= _SELECTIONS_KEPT:
                self._selections.pop(next(iter(self._selections)))
            self._selections[key] = rows
        return rows

    def _key_fault(self, key: Key, request: Request) -> OutcomeKind | None:
        if key.place == "none":
            return None
        for given in _credentials(key, request):
            return None if given in self.keys else "key_invalid"
        return "key_missing"


def _credentials(key: Key, request: Request) -> Iterator[str]:
    for name in key.names:
        if key.place == "header":
            value = request.headers.get(name.lower(), "")
            value = value.removeprefix(key.prefix).strip() if value.startswith(key.prefix) else ""
        else:
            # Not stripped: a key whose plus signs were decoded to blanks is a wrong key, as on the platforms.
            value = request.params.get(name, "")
        if value:
            yield value


def _has_fixed(operation: Operation, request: Request) -> bool:
    return all(request.get(name) in value.split("|") for name, value in operation.fixed.items())


def wants_json(operation: Operation, request: Request) -> bool:
    """Whether the operation's own format parameter asks for JSON; any other spelling is ignored."""
    form = operation.format
    value = request.get(form.param).lower() if form.param else ""
    return value == "json" if value in ("json", "xml") else form.default == "json"


def _whole(request: Request, name: str, default: int) -> int:
    text = request.get(name)
    if not text:
        return default
    try:
        return int(text)
    except ValueError:
        raise Refusal("bad_parameter", name) from None


def page_bounds(paging: Paging, request: Request) -> tuple[int, int, int]:
    """(page number, page size, index of the first row); sizes above the cap are cut silently."""
    if paging.style == "none":
        return 1, 0, 0
    if paging.style == "offset":
        start = max(1, _whole(request, paging.page, 1))
        end = _whole(request, paging.size, start + paging.default - 1)
        if end < start:
            raise Refusal("bad_parameter", paging.size)
        if end - start + 1 > paging.max:
            raise Refusal("bad_parameter", "page_size")
        return start, end - start + 1, start - 1
    number = max(1, _whole(request, paging.page, 1))
    size = _whole(request, paging.size, paging.default)
    size = paging.default if size <= 0 else min(size, paging.max)
    return number, size, (number - 1) * size
