"""Tool + arguments -> Outcome: the one way out to the platforms; it never raises for what they do."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from edge.calls import Arguments, Outcome, call_key
from edge.execution.answers import Look
from edge.execution.budgets import QuotaBoard
from edge.execution.endpoint import Endpoint
from edge.execution.keys import Keys
from edge.execution.limits import Backoff
from edge.execution.paging import Reading, read_pages
from edge.execution.reading import Call, PageReader
from edge.execution.recording import Recorder, current_place, outcome_id
from edge.execution.tally import Tally
from edge.execution.tape import Tape
from edge.settings import ExecutionSettings
from edge.specs.model import Tool
from edge.text import clean


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
        self._settings = settings or ExecutionSettings.model_validate({})
        self._recorder = recorder
        self._reader = PageReader(endpoint, keys, self._settings, tape, self.quota)
        self._repeats = Tally()

    async def __aenter__(self) -> Self:
        """Return the client."""
        await self._reader.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        await self._reader.__aexit__(kind, error, trace)
        self._repeats.close()

    async def call(self, tool: Tool, arguments: Arguments, *, all_pages: bool = False) -> Outcome:
        """Execute one call and record it; every failure is an outcome."""
        return (await self._execute(tool, arguments, all_pages=all_pages, keeps=False)).outcome

    async def look(self, tool: Tool, arguments: Arguments) -> Look:
        """Execute the first page of a call and return the body it gave as well: what a shape is learned from."""
        return await self._execute(tool, arguments, all_pages=False, keeps=True)

    async def _execute(self, tool: Tool, arguments: Arguments, *, all_pages: bool, keeps: bool) -> Look:
        given = {clean(name): clean(value) for name, value in arguments.items()}
        identity = call_key(tool.tool_id, given, all_pages)
        place = current_place()
        ordinal = self._repeats.add(place, identity)  # in its place: which of two tasks asks first is chance
        settings = self._settings
        backoff = Backoff(settings.seed, identity, base_s=settings.backoff_base_s, cap_s=settings.backoff_cap_s)
        call = Call(tool, given, backoff, settings.attempts, keeps)
        paging = tool.profile.paging
        reading = await read_pages(
            lambda page: self._reader.page(call, page),
            paging,
            all_pages=all_pages,
            max_records=settings.max_records,
            max_pages=settings.max_pages,
        )
        outcome = _outcome(outcome_id(tool.tool_id, given, all_pages, place, ordinal), call, reading)
        if self._recorder is not None:
            self._recorder.record(outcome)
        return Look(outcome, call.decoded)


def _outcome(identity: str, call: Call, reading: Reading) -> Outcome:
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
