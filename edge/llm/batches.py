"""Question -> reply by way of a batch, at half the price: whoever asks need not know (Front)."""

from __future__ import annotations

import asyncio

from edge.errors import ModelAnswerError, ModelUnavailable, RunError, UsageError
from edge.llm.asking import Question, Reply
from edge.llm.batches_books import BookedLine
from edge.llm.batches_ending import Ends, Office
from edge.llm.batches_protocol import CANCELED, Line, line_id, passing
from edge.llm.batches_sending import Outbox
from edge.llm.desk import Service
from edge.llm.failures import is_too_long

_UNFIT = frozenset({400, 422})
_FULL = frozenset({429, 529})  # the service has too much to do


class BatchDesk:
    """Gathers questions, sends them as batches, waits, and hands out replies; what is at the service is in the books.

    Answers are those that would be given at once, only later. A line that a killed process has sent is waited for, not
    sent again.
    """

    def __init__(self, office: Office) -> None:
        """Open the desk."""
        self._office = office
        self._ends = Ends(office)
        self._outbox = Outbox(office, self._ends)

    async def ask(self, service: Service, question: Question) -> Reply:
        """See `Front.ask`. A line that failed or expired goes into the next batch, as often as the settings allow."""
        failures = 0
        while True:
            body = service.line(question)
            line = await self._outcome(Line(line_id(self._office.place, body, question), body), question)
            if line.state == "answered":
                return service.read(question, body, line.body)
            if line.status in _UNFIT and service.gives_way(body, line.text):
                continue
            if line.status == CANCELED:
                raise RunError("a batch was canceled at the service; --resume sends what it left")
            if is_too_long(line.status, line.text):
                raise ModelAnswerError("too_long", line.text)
            if not passing(line.status):
                raise UsageError(f"a line of a batch was refused ({line.status}): {line.text}")
            failures += 1
            if failures >= self._office.settings.attempts:
                raise ModelUnavailable(f"a line failed in {failures} batches: {line.text}")
            if line.status in _FULL:
                await asyncio.sleep(self._office.settings.patience.every_s)

    async def _outcome(self, line: Line, question: Question) -> BookedLine:
        """Return what came of a line: known already, on its way, or to be sent."""
        for _ in range(self._office.settings.attempts):
            known = self._office.find(line.line_id)
            if known is not None and known.state == "answered":
                return known
            token = known.token if known is not None else await self._outbox.sent(line, question)
            await self._ends.together(token)
            done = self._office.books.line(token, line.line_id)
            if done is not None and done.state != "waiting":
                return done
        raise ModelUnavailable(f"{self._office.settings.attempts} batches did not reach the service")
