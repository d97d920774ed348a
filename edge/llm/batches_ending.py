"""Tokens of batches -> their ends: found again after a kill, waited for once however many ask, merged (Ends)."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import time
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from edge.errors import ModelUnavailable
from edge.llm.batches_books import BatchBooks, BookedBatch, BookedLine
from edge.llm.batches_merging import merge
from edge.llm.batches_protocol import BatchService, Found, Progress, custom_id
from edge.llm.batches_waiting import Patience, chosen_wait
from edge.llm.spending import Account

logger = logging.getLogger("edge.models")

_LOCK_POLL_S = 0.05
_SURE_S = 3600.0  # a batch that was sent this long ago and is not known is gone; a new one may not be known yet


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """How questions become batches: one is sent when none has come for `gather_s` seconds; `attempts` for each line."""

    gather_s: float = 3.0
    patience: Patience = field(default_factory=Patience)
    attempts: int = 4
    wait_cap_s: float = 60.0


@dataclass(frozen=True, slots=True)
class Office:
    """What everything that deals with a stage's batches shares.

    `place` says who is asked: provider, model, kind of place. `account` keeps the price of batches. `fresh`: what other
    runs wait for is not waited for.
    """

    batches: BatchService
    books: BatchBooks
    account: Account
    place: tuple[str, str, str]
    settings: BatchSettings = BatchSettings()
    fresh: bool = False

    @property
    def service(self) -> str:
        """The service, whichever model is asked."""
        return f"{self.place[0]} {self.place[2]}"

    def find(self, line: str) -> BookedLine | None:
        """Return a line that need not be sent again: answered, or on its way."""
        return self.books.find(line, self.account.run, fresh=self.fresh)


class Ends:
    """The batches that are waited for here."""

    def __init__(self, office: Office) -> None:
        """Wait for nothing yet."""
        self._office = office
        self._tasks: dict[str, asyncio.Task[None]] = {}

    @property
    def any(self) -> bool:
        """Whether a batch is waited for."""
        return bool(self._tasks)

    async def next(self) -> None:
        """Wait until one of them has ended.

        Raises:
            EdgeError: it could not be merged.
        """
        done, _ = await asyncio.wait(self._tasks.values(), return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()

    async def together(self, token: str) -> None:
        """Wait until a batch is merged; all that ask for its lines wait for the same."""
        task = self.begin(token)
        if task is not None:
            await asyncio.shield(task)

    def begin(self, token: str) -> asyncio.Task[None] | None:
        """Begin to wait for a batch; return None where there is nothing to wait for."""
        batch = self._office.books.batch(token)
        if batch is None or batch.done:
            return None
        if token not in self._tasks:
            task = self._tasks[token] = started(self._ended(batch))
            task.add_done_callback(lambda _: self._tasks.pop(token, None))
        return self._tasks[token]

    async def _ended(self, batch: BookedBatch) -> None:
        batch_id = batch.batch_id or await self._recovered(batch)
        if batch_id is None:
            return
        what, last = f"batch {batch_id}", Progress(False)

        async def look() -> bool:
            nonlocal last
            try:
                last = await self._office.batches.look(batch_id)
            except ModelUnavailable as error:
                logger.info("models: %s: %s", what, error)
                return False
            logger.info("models: %s: %s", what, last.said)
            return last.ended or (last.gone and time.time() - batch.at > _SURE_S)

        await chosen_wait()(what, look, self._office.settings.patience)
        office, attempts = self._office, self._office.settings.attempts
        again_s = office.settings.patience.every_s
        await merge(office.batches, office.books, office.account, batch, batch_id, last, attempts, again_s)

    async def _recovered(self, batch: BookedBatch) -> str | None:
        """Return the id of a batch that may not have arrived; None where it has not: its lines are to be sent again."""
        async with alone(self._office.books.path):  # whoever wrote it down has sent it by now, or is dead
            now = self._office.books.batch(batch.token)
        if now is None or now.batch_id is not None:
            return now and now.batch_id
        names = [custom_id(line.line_id, batch.token) for line in self._office.books.lines(batch.token)]
        found = await self._found(batch.token, batch.at, names)
        if found is None:
            self._office.books.drop(batch.token)
        else:
            self._office.books.sent(batch.token, found)
            logger.info("models: a batch that was being sent is found again")
        return found

    async def _found(self, token: str, planned_at: float, names: Sequence[str]) -> str | None:
        """Look for a batch twice, for it may arrive late; longer while it cannot be told yet."""
        looks, found = 0, Found()

        async def look() -> bool:
            nonlocal looks, found
            found = await self._office.batches.find(
                token, planned_at, names, self._office.books.known(self._office.service)
            )
            looks += not found.undecided
            return found.batch_id is not None or looks > 1

        await chosen_wait()("a batch that may have been sent", look, self._office.settings.patience)
        return found.batch_id


def started(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Start work that outlives who began it; its failure is heard by those who wait for it, if any are left."""
    task = asyncio.create_task(work)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return task


@asynccontextmanager
async def alone(path: Path) -> AsyncGenerator[None]:
    """Hold the right to send batches of these books; a killed process holds it no longer."""
    with path.with_name(path.name + ".batches").open("a") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                await asyncio.sleep(_LOCK_POLL_S)
        yield
