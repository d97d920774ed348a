"""Tool + arguments -> Outcome: the one way out to the platforms; it never raises for what they do."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import ParamSpec, Self, TypeVar

from edge.calls import Arguments, Outcome, call_key
from edge.execution.answers import Look
from edge.execution.archive import ArchiveLimits
from edge.execution.budgets import QuotaBoard
from edge.execution.decoding import Decoded, decode_body
from edge.execution.doors import Door, Doors, Held
from edge.execution.doubts import control_of, settled, worth_repeating
from edge.execution.endpoint import Endpoint
from edge.execution.failures import Verdict, judge
from edge.execution.keys import MASK, Keys
from edge.execution.limits import Backoff
from edge.execution.paging import PageRead, Reading, read_pages
from edge.execution.recording import Recorder, outcome_id
from edge.execution.request import Refused, WireRequest, build_request
from edge.execution.tape import Asked, Heard, Kept, Tape, Turns
from edge.execution.tokens import Tokens
from edge.execution.transport import Exchange, Transport
from edge.ids import Json, digest_bytes
from edge.settings import ExecutionSettings
from edge.specs.model import Token, Tool
from edge.text import clean

P = ParamSpec("P")
T = TypeVar("T")

_LARGE_BODY = 500_000  # bytes from which reading the body would hold up the other calls


class GatewayClient:
    """Executes calls against an endpoint; implements `edge.calls.Caller`. Use it as an async context manager."""

    def __init__(
        self,
        endpoint: Endpoint,
        keys: Keys,
        *,
        settings: ExecutionSettings | None = None,
        recorder: Recorder | None = None,
        tape: Tape | None = None,
        quota: QuotaBoard | None = None,
    ) -> None:
        """Prepare a client; connections are made on the first call to a host."""
        self.endpoint = endpoint
        self.quota = quota or QuotaBoard()
        self._keys = keys
        self._settings = settings or ExecutionSettings.model_validate({})
        self._recorder = recorder
        self._tape = tape
        self._turns = Turns()
        self._transport = Transport(endpoint, self._settings)
        self._archive = ArchiveLimits(max_bytes=self._settings.max_archive_bytes)
        self._doors = Doors(self._settings, self.quota, polite=not endpoint.loopback)
        self._tokens = Tokens(keys)
        self._repeats: Counter[str] = Counter()

    async def __aenter__(self) -> Self:
        """Return the client."""
        await self._transport.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        await self._transport.__aexit__(kind, error, trace)

    async def call(self, tool: Tool, arguments: Arguments, *, all_pages: bool = False) -> Outcome:
        """Execute one call and record it; every failure is an outcome."""
        return (await self._execute(tool, arguments, all_pages=all_pages, keeps=False)).outcome

    async def look(self, tool: Tool, arguments: Arguments) -> Look:
        """Execute the first page of a call and return the body it gave as well: what a shape is learned from."""
        return await self._execute(tool, arguments, all_pages=False, keeps=True)

    async def _execute(self, tool: Tool, arguments: Arguments, *, all_pages: bool, keeps: bool) -> Look:
        given = {clean(name): clean(value) for name, value in arguments.items()}
        identity = call_key(tool.tool_id, given, all_pages)
        ordinal = self._repeats[identity]
        self._repeats[identity] += 1
        backoff = Backoff(self._settings.seed, identity, **self._backoff())
        call = _Call(tool, given, backoff, self._settings.attempts, keeps)
        paging = tool.profile.paging
        reading = await read_pages(
            lambda page: self._page(call, page),
            paging,
            all_pages=all_pages,
            max_records=self._settings.max_records,
            max_pages=self._settings.max_pages,
        )
        outcome = _outcome(outcome_id(tool.tool_id, given, all_pages, ordinal), call, reading)
        if self._recorder is not None:
            self._recorder.record(outcome)
        return Look(outcome, call.decoded)

    def _backoff(self) -> dict[str, float]:
        return {"base_s": self._settings.backoff_base_s, "cap_s": self._settings.backoff_cap_s}

    async def _page(self, call: _Call, page: Mapping[str, str]) -> PageRead:
        """Read one page, again where that can help."""
        keys = [self._keys.get(auth) or MASK for auth in call.tool.profile.keys]
        request = build_request(call.tool, call.arguments, keys=keys, page=page)
        if isinstance(request, Refused):
            return PageRead(Verdict("structural", request.reason, request.message), attempts=0)
        call.request = call.request or request.shown
        return await self._settled(call, await self._read(call, request, page))

    async def _read(self, call: _Call, request: WireRequest, page: Mapping[str, str]) -> PageRead:
        """Return a page from the tape, or read it and keep it there."""
        if self._tape is None:
            return await self._asked(call, request, page, [])
        turn = self._turns.next(request.identity)
        kept = self._tape.find(turn)
        if kept is not None:
            return await self._replayed(call, kept)
        if self._tape.closed:
            missing = Verdict("environmental", "not_recorded", "the recording has no answer to this request")
            return PageRead(missing, attempts=0)
        heard: list[Heard] = []
        read = await self._asked(call, request, page, heard)
        asked = Asked(call.tool, call.arguments, request.shown)
        await _apart(_size_of(heard), self._tape.keep, turn, asked, heard, read)
        return read

    async def _replayed(self, call: _Call, kept: Kept) -> PageRead:
        """Return a page that was kept, judged anew."""
        verdict = kept.settled
        if verdict is None:
            exchange = Exchange(kept.status or 0, kept.content_type, "", kept.body, 0.0)
            verdict, _ = await _apart(len(kept.body), self._judge, call, exchange, kept.decoded)
        return PageRead(verdict, kept.status, kept.attempts, 0.0, kept.body_hash)

    async def _asked(self, call: _Call, request: WireRequest, page: Mapping[str, str], heard: list[Heard]) -> PageRead:
        """Return a page as the platform gives it; `heard` takes in what every attempt brought."""
        profile = call.tool.profile
        missing = self._keys.missing(profile.keys)
        if missing:
            message = f"set {' and '.join(missing)} to call the platform"
            return PageRead(Verdict("environmental", "key_missing", message), attempts=0)
        refusal = self._transport.refusal(request, profile)
        if refusal is not None:
            return PageRead(refusal, attempts=0)
        token = next((auth.token for auth in profile.keys if auth.token), None)
        if token is None:
            return await self._attempts(call, request, heard)
        return await self._with_token(call, token, page, heard)

    async def _with_token(self, call: _Call, token: Token, page: Mapping[str, str], heard: list[Heard]) -> PageRead:
        """Return a page of a platform that wants a token; one that it rejects is renewed once."""
        asking = _Call(call.tool, {}, call.backoff, call.attempts, keeps=True)

        async def ask(request: WireRequest) -> tuple[Verdict, Decoded | None]:
            refusal = self._transport.refusal(request, call.tool.profile)
            return refusal or (await self._attempts(asking, request, [])).verdict, asking.decoded

        earlier = 0
        while True:
            value = await self._tokens.get(token, ask)
            if isinstance(value, Verdict):
                return PageRead(value, attempts=earlier)
            keys = [value if auth.token else self._keys.get(auth) or "" for auth in call.tool.profile.keys]
            request = build_request(call.tool, call.arguments, keys=keys, page=page)
            assert isinstance(request, WireRequest)  # noqa: S101 - it could be built without the token as well
            read = await self._attempts(call, request, heard)
            if earlier or read.verdict.reason != "key_rejected":
                return replace(read, attempts=read.attempts + earlier)
            earlier = read.attempts
            self._tokens.drop(token, value)

    async def _settled(self, call: _Call, page: PageRead) -> PageRead:
        """Return the page with its doubt decided by the platform's control, where it needs one."""
        control = control_of(call.tool, page.verdict)
        if control is None:
            return page
        other = await self._page(_Call(control, {}, call.backoff, attempts=1), {})
        return replace(
            page,
            verdict=settled(page.verdict, other.verdict),
            attempts=page.attempts + other.attempts,
            latency_ms=page.latency_ms + other.latency_ms,
        )

    async def _attempts(self, call: _Call, request: WireRequest, heard: list[Heard]) -> PageRead:
        door = self._door(call.tool, request.host)
        latency_ms = 0.0
        read = PageRead(Verdict("environmental", "protocol"), attempts=0)
        before: Verdict | None = None
        for attempt in range(1, call.attempts + 1):
            sent = await door.send(request, call.tool.profile, self._transport)
            if isinstance(sent, Held):
                return PageRead(sent.verdict, read.status, attempt - 1, latency_ms)
            verdict, read = await self._judged(call, sent, attempt, latency_ms, heard)
            stands = attempt == call.attempts and (before is None or before.reason == verdict.reason)
            door.learn(verdict, read.latency_ms - latency_ms, stands=stands)
            latency_ms = read.latency_ms
            if attempt == call.attempts or not worth_repeating(verdict, before):
                break
            before = verdict
            await asyncio.sleep(door.pause_s(call.backoff.wait_s(attempt), verdict, sent))
        return read

    async def _judged(
        self, call: _Call, exchange: Exchange | Verdict, attempt: int, earlier_ms: float, heard: list[Heard]
    ) -> tuple[Verdict, PageRead]:
        if isinstance(exchange, Verdict):
            verdict = self._scrubbed(exchange)
            heard.append(Heard(None, None, verdict))
            return verdict, PageRead(verdict, attempts=attempt, latency_ms=earlier_ms)
        size = _LARGE_BODY if exchange.body.startswith(b"PK") else len(exchange.body)
        verdict, decoded = await _apart(size, self._judge, call, exchange)
        body_hash = digest_bytes(exchange.body)
        heard.append(Heard(exchange, decoded, verdict, body_hash))
        return verdict, PageRead(verdict, exchange.status, attempt, earlier_ms + exchange.latency_ms, body_hash)

    def _judge(self, call: _Call, exchange: Exchange, known: Decoded | None = None) -> tuple[Verdict, Decoded]:
        scrub = self._keys.redactor.scrub_body
        decoded = known or decode_body(exchange.body, exchange.content_type, scrub=scrub, archive_limits=self._archive)
        call.decoded = decoded if call.keeps else None
        return self._scrubbed(judge(call.tool, exchange.status, decoded)), decoded

    def _scrubbed(self, verdict: Verdict) -> Verdict:
        text = self._keys.redactor.scrub(verdict.message)
        if text == verdict.message:
            return verdict
        return replace(verdict, message=text)

    def _door(self, tool: Tool, host: str) -> Door:
        keys = tool.profile.keys
        first = self._keys.value(keys[0].variables[0]) if keys else None
        return self._doors.door(tool.profile, tool.service, host, first or "")


class _Call:
    """What stays the same over the pages of a call; `request` is the redacted first request.

    `decoded` is the last body where the call `keeps` it.
    """

    __slots__ = ("arguments", "attempts", "backoff", "decoded", "keeps", "request", "tool")

    def __init__(
        self, tool: Tool, arguments: dict[str, str], backoff: Backoff, attempts: int, keeps: bool = False
    ) -> None:
        self.attempts = attempts
        self.keeps = keeps
        self.decoded: Decoded | None = None
        self.tool = tool
        self.arguments = arguments
        self.backoff = backoff
        self.request: dict[str, Json] = {}


def _outcome(identity: str, call: _Call, reading: Reading) -> Outcome:
    verdict = reading.first.verdict
    reason, message = verdict.reason, verdict.message
    if reading.failed is not None:
        reason, message = "partial", f"a later page failed: {reading.failed.reason} {reading.failed.message}".strip()
    elif reading.cut:
        reason = "ceiling"
    return Outcome(
        outcome_id=identity,
        tool_id=call.tool.tool_id,
        arguments=call.arguments,
        outcome=verdict.outcome,
        reason=reason,
        message=message,
        code=verdict.code,
        request=call.request,
        status_code=reading.first.status,
        attempts=reading.attempts,
        latency_ms=round(reading.latency_ms, 3),
        records=tuple(reading.records),
        total=reading.total,
        pages=reading.pages,
        complete=reading.complete,
        response_hash=reading.response_hash,
    )


async def _apart(size: int, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do what would hold up the other calls, for it is about a large body, in a thread."""
    if size < _LARGE_BODY:
        return work(*args, **kwargs)
    return await asyncio.to_thread(work, *args, **kwargs)


def _size_of(heard: Sequence[Heard]) -> int:
    return sum(len(one.exchange.body) for one in heard if one.exchange is not None)
