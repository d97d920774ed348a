"""Request in, response out: find the operation, check key and parameters, select, page, project, wrap."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from edge.sandbox.catalogue import Key, Operation, Paging, Platform, load_platforms
from edge.sandbox.drift import drifted
from edge.sandbox.matching import project, select
from edge.sandbox.model import OutcomeKind, Page, Refusal, Request, Response, Row
from edge.sandbox.quotas import Quotas
from edge.sandbox.registry import Context, load_registries, styles
from edge.sandbox.rendering import recoded
from edge.sandbox.world import World

DEMO_KEY = "edge+sandbox/key=="
_NOT_FOUND = Response(
    404, "text/html; charset=utf-8", b"<!DOCTYPE html><html><body><h1>404 Not Found</h1></body></html>"
)
_ROWS_KEPT = 100_000


@dataclass(frozen=True, slots=True)
class Routed:
    """A request with the operation that answers it, else with the platform of its host, else with neither."""

    request: Request
    operation: Operation | None = None
    platform: Platform | None = None

    @property
    def id(self) -> str:
        """What calls are counted by: the operation, or the host where no operation has the path."""
        return self.operation.id if self.operation else self.request.host


class Engine:
    """The whole replica without the socket: route a request, then answer it or answer with a fault."""

    def __init__(self, world: World, keys: frozenset[str] = frozenset(), quotas: Quotas | None = None) -> None:
        load_registries()
        self.world = world
        self.keys = keys | {DEMO_KEY}
        self.quotas = quotas or Quotas()
        self.platforms = drifted(load_platforms())
        self._exact: dict[tuple[str, str], list[Operation]] = {}
        self._patterns: dict[str, list[Operation]] = {}
        self._hosts: dict[str, Platform] = {}
        self._selections: dict[tuple[str, ...], Sequence[Row]] = {}
        self._rows_kept = 0
        for platform in self.platforms:
            self._hosts.setdefault(platform.host, platform)
            for operation in platform.operations:
                self._hosts.setdefault(operation.host, platform)
                if operation.retired:
                    continue
                if operation.pattern is None:
                    self._exact.setdefault((operation.host, operation.path), []).append(operation)
                else:
                    self._patterns.setdefault(operation.host, []).append(operation)

    def serves(self, host: str) -> bool:
        """Whether a platform lives at this host (lower case, with its port where it has an unusual one)."""
        return host in self._hosts

    def route(self, request: Request) -> Routed:
        """Find what answers; a path that no operation has is left to the platform of its host."""
        found = self._find(request)
        if found is not None:
            return Routed(found[1], found[0])
        return Routed(request, None, self._hosts.get(request.host))

    def answer(self, routed: Routed) -> tuple[Response, OutcomeKind]:
        """One response and how it ended; never raises for anything a client can send."""
        if routed.operation is None:
            return self.fault(routed, "unknown_operation"), "unknown_operation"
        page = self._page(routed.operation, routed.request)
        return self._render(page, routed), page.kind

    def fault(self, routed: Routed, kind: OutcomeKind) -> Response:
        """The platform's own words for a refusal; a plain page where no platform lives at the host."""
        if routed.operation is None and routed.platform is None:
            return _NOT_FOUND
        return self._render(Page(kind), routed)

    def _render(self, page: Page, routed: Routed) -> Response:
        one = routed.operation or routed.platform
        if one is None:
            return _NOT_FOUND
        asked = wants_json(routed.operation, routed.request) if routed.operation else False
        context = Context(routed.request, self.world, asked, one.options, routed.operation)
        response = styles[one.envelope](page, context)
        label = context.option("charset")
        return recoded(response, label) if label else response

    def _find(self, request: Request) -> tuple[Operation, Request] | None:
        for operation in self._exact.get((request.host, request.path), ()):
            if _answers(operation, request):
                return operation, request
        for operation in self._patterns.get(request.host, ()):
            match = operation.pattern.fullmatch(request.path) if operation.pattern else None
            if match is None:
                continue
            found = {k: v.replace("%2F", "/") for k, v in match.groupdict().items() if v is not None}
            params = dict(request.params) | found
            routed = replace(request, params=params)
            if _answers(operation, routed):
                return operation, routed
        return None

    def _page(self, operation: Operation, request: Request) -> Page:
        refusal = self._refusal(operation, request)
        return Page(refusal) if refusal is not None else self.page(operation, request)

    def page(self, operation: Operation, request: Request) -> Page:
        """What an operation answers to somebody with a key and enough quota."""
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
            self._keep(key, rows)
        return rows

    def _keep(self, key: tuple[str, ...], rows: Sequence[Row]) -> None:
        """Remember a selection; the oldest go while there are too many rows, but the newest stays."""
        self._selections[key] = rows
        self._rows_kept += _weight(rows)
        while self._rows_kept > _ROWS_KEPT and len(self._selections) > 1:
            self._rows_kept -= _weight(self._selections.pop(next(iter(self._selections))))

    def _refusal(self, operation: Operation, request: Request) -> OutcomeKind | None:
        """What the key meets before anything else is looked at."""
        given = ""
        if operation.key.place != "none":
            given = next(_credentials(operation.key, request), "")
            if given not in self.keys:
                return "key_invalid" if given else "key_missing"
        if self.quotas.off:
            return None
        return self.quotas.refusal(given, operation.id.rpartition(".")[0], f"{self.world.today:%Y%m%d}")


def _weight(rows: Sequence[Row]) -> int:
    """How many rows a selection keeps in memory; one that makes its rows when they are asked for keeps none."""
    return 100 + (len(rows) if isinstance(rows, list) else 0)


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


def _answers(operation: Operation, request: Request) -> bool:
    if operation.method and request.method != operation.method:
        return False
    return all(request.get(name) in value.split("|") for name, value in operation.fixed.items())


def wants_json(operation: Operation, request: Request) -> bool:
    """Whether the operation's own format parameter asks for JSON; any other spelling is ignored."""
    form = operation.format
    value = next((text for name in (form.param, *form.others) if (text := request.get(name))), "").lower()
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
    if size > paging.max and paging.refuses:
        raise Refusal("bad_parameter", "page_size")
    size = paging.default if size <= 0 else min(size, paging.max)
    return number, size, (number - 1) * size
