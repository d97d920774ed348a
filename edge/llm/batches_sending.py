"""Questions that come about the same time -> batches, within the budget, none sent twice (Outbox)."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from edge.errors import EdgeError, ModelUnavailable, RateLimited, RunError
from edge.llm.asking import Question
from edge.llm.batches_books import Planned
from edge.llm.batches_ending import Ends, Office, alone, started
from edge.llm.batches_protocol import Line, named

logger = logging.getLogger("edge.models")

_BACKOFF_S = 1.0


@dataclass(slots=True)
class _Slot:
    """A question that waits to be sent; `sent` becomes the token of its batch."""

    line: Line
    question: Question
    most: float
    sent: asyncio.Future[str]


class Outbox:
    """Questions that wait to be sent together."""

    def __init__(self, office: Office, ends: Ends) -> None:
        """Start empty. `ends` tells when batches have been paid for, and the budget bears more."""
        self._office = office
        self._ends = ends
        self._slots: dict[str, _Slot] = {}
        self._touched = 0.0
        self._gathering: asyncio.Task[None] | None = None
        self._one_by_one = asyncio.Lock()  # what one batch may cost counts before the next looks at the budget

    async def sent(self, line: Line, question: Question) -> str:
        """Send a question with those that come about now; return the token of its batch.

        Raises:
            BudgetSpent, ModelUnavailable, UsageError: see `Model.answer`.
        """
        slot = self._slots.get(line.line_id)
        if slot is None:
            sent: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            slot = self._slots[line.line_id] = _Slot(line, question, self._office.account.most(question), sent)
        self._touched = asyncio.get_running_loop().time()
        if self._gathering is None:
            self._gathering = started(self._gather())
        return await asyncio.shield(slot.sent)

    async def _gather(self) -> None:
        """Wait until nobody asks any more, then send what has come together."""
        now, quiet = asyncio.get_running_loop().time, self._office.settings.gather_s
        while (left := self._touched + quiet - now()) > 0:  # noqa: ASYNC110 - each question puts the end off
            await asyncio.sleep(left)
        slots, self._slots, self._gathering = list(self._slots.values()), {}, None
        try:
            for part in _parts(slots, self._office.batches.most_lines, self._office.batches.most_bytes):
                async with self._one_by_one:
                    await self._send_within_budget(part)
        except EdgeError as error:
            _fail(slots, error)
        except BaseException as error:
            _fail(slots, RunError(f"a batch was not sent: {error!r}"))
            raise

    async def _send_within_budget(self, slots: Sequence[_Slot]) -> None:
        """Send as many as the budget bears if each costs the most it can, the others when those have been counted."""
        left = list(slots)
        while left:
            room = self._office.account.left()
            fitting = left if room is None else _fitting(left, room - self._office.books.held(self._office.account.run))
            if fitting:
                await self._send(fitting)
                left = left[len(fitting) :]
                for slot in fitting if left else ():  # they are counted first: most of them cost much less
                    self._ends.begin(slot.sent.result())
            elif self._ends.any:
                await self._ends.next()
            else:
                raise self._office.account.too_little(left[0].most)

    async def _send(self, slots: Sequence[_Slot]) -> None:
        """Send one batch. It is written down first, and one process does so at a time: nothing is sent twice."""
        async with alone(self._office.books.path):
            new: list[_Slot] = []
            for slot in slots:
                known = self._office.find(slot.line.line_id)
                if known is None:
                    new.append(slot)
                else:
                    slot.sent.set_result(known.token)
            if new:
                token = await self._written_and_sent(new)
                for slot in new:
                    slot.sent.set_result(token)

    async def _written_and_sent(self, slots: Sequence[_Slot]) -> str:
        """Return the token of a new batch; where nobody knows whether it arrived, that is looked up later."""
        token = secrets.token_hex(6)
        lines = named([slot.line for slot in slots], token)
        planned = [Planned(s.line.line_id, s.question.name, s.question.prompt_hash, s.most) for s in slots]
        self._office.books.plan(token, self._office.account.asked, self._office.service, planned)
        for attempt in range(1, self._office.settings.attempts + 1):
            try:
                self._office.books.sent(token, await self._office.batches.submit(token, lines))
                logger.info("models: %d prompts are in a batch", len(slots))
                break
            except RateLimited as error:
                wait = error.retry_after if error.retry_after is not None else _BACKOFF_S * 2 ** (attempt - 1)
                if attempt == self._office.settings.attempts or wait > self._office.settings.wait_cap_s:
                    self._office.books.drop(token)
                    raise
            except ModelUnavailable as error:
                logger.info("models: a batch may not have arrived: %s", error)
                break
            except EdgeError:  # refused. A stop from outside leaves open whether it arrived
                self._office.books.drop(token)
                raise
            await asyncio.sleep(wait)
        return token


def _parts(slots: Sequence[_Slot], most_lines: int, most_bytes: int) -> list[list[_Slot]]:
    """Return the slots in parts that a service takes."""
    parts: list[list[_Slot]] = []
    size = 0
    for slot in slots:
        if not parts or len(parts[-1]) >= most_lines or size + slot.line.size > most_bytes:
            parts.append([])
            size = 0
        parts[-1].append(slot)
        size += slot.line.size
    return parts


def _fitting(slots: Sequence[_Slot], room: float) -> list[_Slot]:
    """Return the first slots, as many as cost no more than `room` dollars at most."""
    fitting: list[_Slot] = []
    for slot in slots:
        room -= slot.most
        if room < 0:
            break
        fitting.append(slot)
    return fitting


def _fail(slots: Iterable[_Slot], error: Exception) -> None:
    for slot in slots:
        if not slot.sent.done():
            slot.sent.set_exception(error)
            slot.sent.exception()  # nobody may be left to hear it
