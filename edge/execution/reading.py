"""A page of a call -> how it was answered: from the tape, or asked for as often as that can help."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import ParamSpec, Self, TypeVar

from edge.execution.archive import ArchiveLimits
from edge.execution.budgets import QuotaBoard
from edge.execution.decoding import Decoded, decode_body
from edge.execution.doors import Door, Doors, Held
from edge.execution.doubts import control_of, settled, worth_repeating
from edge.execution.endpoint import Endpoint
from edge.execution.failures import Verdict, judge
from edge.execution.keys import MASK, Keys
from edge.execution.limits import Backoff
from edge.execution.paging import PageRead
from edge.execution.request import Refused, WireRequest, build_request
from edge.execution.tape import Asked, Heard, Kept, Tape, Turns
from edge.execution.tokens import Tokens
from edge.execution.transport import Exchange, Transport
from edge.ids import Json, digest_bytes
from edge.settings import ExecutionSettings
from edge.specs.model import Token, Tool

P = ParamSpec("P")
T = TypeVar("T")

_LARGE_BODY = 500_000  # bytes from which reading the body would hold up the other calls


class Call:
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


class PageReader:
    """Reads pages: looks on the tape, passes the doors, sends, judges, and asks again. An async context manager."""

    def __init__(
        self, endpoint: Endpoint, keys: Keys, settings: ExecutionSettings, tape: Tape | None, quota: QuotaBoard
    ) -> None:
        """Prepare a reader; connections are made on the first request to a host."""
        self._keys = keys
        self._tape = tape
        self._turns = Turns()
        self._transport = Transport(endpoint, settings)
        self._archive = ArchiveLimits(max_bytes=settings.max_archive_bytes)
        self._doors = Doors(settings, quota, polite=not endpoint.loopback)
        self._tokens = Tokens(keys)

    async def __aenter__(self) -> Self:
        """Return the reader."""
        await self._transport.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        await self._transport.__aexit__(kind, error, trace)
        self._turns.close()

    async def page(self, call: Call, page: Mapping[str, str]) -> PageRead:
        """Read one page, again where that can help."""
        keys = [self._keys.get(auth) or MASK for auth in call.tool.profile.keys]
        request = build_request(call.tool, call.arguments, keys=keys, page=page)
        if isinstance(request, Refused):
            return PageRead(Verdict("structural", request.reason, request.message), attempts=0)
        call.request = call.request or request.shown
        return await self._settled(call, await self._read(call, request, page))

    async def _read(self, call: Call, request: WireRequest, page: Mapping[str, str]) -> PageRead:
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

    async def _replayed(self, call: Call, kept: Kept) -> PageRead:
        """Return a page that was kept, judged anew."""
        verdict = kept.settled
        if verdict is None:
            exchange = Exchange(kept.status or 0, kept.content_type, "", kept.body, 0.0)
            verdict, _ = await _apart(len(kept.body), self._judge, call, exchange, kept.decoded)
        return PageRead(verdict, kept.status, kept.attempts, 0.0, kept.body_hash)

    async def _asked(self, call: Call, request: WireRequest, page: Mapping[str, str], heard: list[Heard]) -> PageRead:
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

    async def _with_token(self, call: Call, token: Token, page: Mapping[str, str], heard: list[Heard]) -> PageRead:
        """Return a page of a platform that wants a token; one that it rejects is renewed once."""
        asking = Call(call.tool, {}, call.backoff, call.attempts, keeps=True)

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

    async def _settled(self, call: Call, page: PageRead) -> PageRead:
        """Return the page with its doubt decided by the platform's control, where it needs one."""
        control = control_of(call.tool, page.verdict)
        if control is None:
            return page
        other = await self.page(Call(control, {}, call.backoff, attempts=1), {})
        return replace(
            page,
            verdict=settled(page.verdict, other.verdict),
            attempts=page.attempts + other.attempts,
            latency_ms=page.latency_ms + other.latency_ms,
        )

    async def _attempts(self, call: Call, request: WireRequest, heard: list[Heard]) -> PageRead:
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
        self, call: Call, exchange: Exchange | Verdict, attempt: int, earlier_ms: float, heard: list[Heard]
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

    def _judge(self, call: Call, exchange: Exchange, known: Decoded | None = None) -> tuple[Verdict, Decoded]:
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


async def _apart(size: int, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do what would hold up the other calls, for it is about a large body, in a thread."""
    if size < _LARGE_BODY:
        return work(*args, **kwargs)
    return await asyncio.to_thread(work, *args, **kwargs)


def _size_of(heard: Sequence[Heard]) -> int:
    return sum(len(one.exchange.body) for one in heard if one.exchange is not None)
