"""Batches -> rows beside the answers: what is at a service, and what came of it; whole after a kill at any moment.

A batch is `planned` before anything is sent, `sent` when the service has named it, and `done` when all its lines are
settled and paid for, in one transaction. A line is `waiting`, `answered` (its text is the body of the answer, until the
stage is done) or `failed` (its text says why). Prompts are not kept: lines are known by their hash.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from edge.errors import StoreError
from edge.ids import Json
from edge.llm.books import Books, PaidTurn, Turned

LineState = Literal["waiting", "answered", "failed"]


@dataclass(frozen=True, slots=True)
class Planned:
    """A line to be sent. `most` is the most that it can cost in US dollars, 0 where no price is known."""

    line_id: str
    prompt: str
    prompt_hash: str
    most: float


@dataclass(frozen=True, slots=True)
class BookedLine:
    """A line of a batch; `status` and `text` say why it failed."""

    line_id: str
    token: str
    prompt: str
    prompt_hash: str
    most: float
    state: LineState
    status: int
    text: str

    @property
    def body(self) -> Mapping[str, Json]:
        """The body of the answer."""
        return cast("Mapping[str, Json]", json.loads(self.text))


@dataclass(frozen=True, slots=True)
class BookedBatch:
    """A batch: who asked for it (`asked`, without a prompt), when (seconds since 1970), and its id at the service."""

    token: str
    asked: Turned
    batch_id: str | None
    at: float
    done: bool


@dataclass(frozen=True, slots=True)
class Settled:
    """What came of a line; `paid` is what the service charges for it, once for each answer."""

    line_id: str
    state: LineState
    status: int
    text: str
    paid: tuple[PaidTurn, ...] = ()


class BatchBooks(Books):
    """The batches of an outputs folder, in the file of its answers."""

    def plan(self, token: str, asked: Turned, service: str, lines: Iterable[Planned]) -> None:
        """Write a batch down before it is sent."""
        who = (token, asked.run, asked.stage, asked.provider, asked.model, service)
        self._all_or_nothing(
            [("INSERT INTO batches VALUES (?, ?, ?, ?, ?, ?, 'planned', NULL, ?)", (*who, time.time()))]
            + [
                (
                    "INSERT INTO batch_lines (token, line, prompt, prompt_hash, most, state)"
                    " VALUES (?, ?, ?, ?, ?, 'waiting')",
                    (token, line.line_id, line.prompt, line.prompt_hash, line.most),
                )
                for line in lines
            ]
        )

    def sent(self, token: str, batch_id: str) -> None:
        """Write down how the service calls a batch."""
        self._write("UPDATE batches SET state = 'sent', batch_id = ? WHERE token = ?", (batch_id, token))

    def drop(self, token: str) -> None:
        """Forget a batch that never reached the service: nothing of it is paid for."""
        self._all_or_nothing(
            [
                ("DELETE FROM batch_lines WHERE token = ?", (token,)),
                ("DELETE FROM batches WHERE token = ? AND state = 'planned'", (token,)),
            ]
        )

    def settle(self, token: str, settled: Sequence[Settled]) -> bool:
        """Write down what came of all lines and what that cost; return False where somebody else has done so."""
        statements: list[tuple[str, tuple[object, ...]]] = []
        for line in settled:
            statements.extend(self.paying(turn.turned, turn.usage, turn.usd) for turn in line.paid)
            found = (line.state, line.status, line.text, token, line.line_id)
            statements.append(
                ("UPDATE batch_lines SET state = ?, status = ?, text = ? WHERE token = ? AND line = ?", found)
            )
        first = ("UPDATE batches SET state = 'done' WHERE token = ? AND state = 'sent'", (token,))
        return self._all_or_nothing([first, *statements], only_if_first=True)

    def batch(self, token: str) -> BookedBatch | None:
        """Return a batch, None where there is none any more."""
        row = self._db.execute(
            "SELECT run, stage, provider, model, batch_id, at, state FROM batches WHERE token = ?", (token,)
        ).fetchone()
        if row is None:
            return None
        run, stage, provider, model, batch_id, at, state = row
        return BookedBatch(token, Turned(run, stage, provider, model, "", ""), batch_id, at, state == "done")

    def known(self, service: str) -> set[str]:
        """Return the service's ids of all batches that were sent to it."""
        rows = self._db.execute("SELECT batch_id FROM batches WHERE service = ? AND batch_id NOT NULL", (service,))
        return {str(row[0]) for row in rows}

    def lines(self, token: str) -> list[BookedLine]:
        """Return the lines of a batch."""
        return self._lines("token = ?", (token,))

    def line(self, token: str, line_id: str) -> BookedLine | None:
        """Return a line of a batch."""
        return next(iter(self._lines("token = ? AND line = ?", (token, line_id))), None)

    def find(self, line_id: str, run: str, *, fresh: bool) -> BookedLine | None:
        """Return a line that need not be sent again.

        It is answered for this run, or waited for: by this run or, unless `fresh`, by any.
        """
        return next(
            iter(
                self._lines(
                    "line = ? AND state <> 'failed' AND token IN (SELECT token FROM batches WHERE run = ?)"
                    " OR line = ? AND state = 'waiting' AND ?",
                    (line_id, run, line_id, not fresh),
                )
            ),
            None,
        )

    def held(self, run: str) -> float:
        """Return the most that the lines which a run waits for can cost, in US dollars."""
        row = self._db.execute(
            "SELECT sum(most) FROM batch_lines WHERE state = 'waiting' AND token IN"
            " (SELECT token FROM batches WHERE run = ?)",
            (run,),
        ).fetchone()
        return float(row[0] or 0.0)

    def waiting(self, run: str) -> int:
        """Return how many lines a run waits for."""
        row = self._db.execute(
            "SELECT count(*) FROM batch_lines WHERE state = 'waiting' AND token IN"
            " (SELECT token FROM batches WHERE run = ?)",
            (run,),
        ).fetchone()
        return int(row[0])

    def _lines(self, where: str, values: tuple[object, ...]) -> list[BookedLine]:
        rows = self._db.execute(
            "SELECT line, token, prompt, prompt_hash, most, state, status, text FROM batch_lines"  # noqa: S608 - ours
            f" WHERE {where} ORDER BY state, token, line",
            values,
        )
        return [BookedLine(*row) for row in rows]

    def _all_or_nothing(
        self, statements: Iterable[tuple[str, tuple[object, ...]]], *, only_if_first: bool = False
    ) -> bool:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                for number, (sql, values) in enumerate(statements):
                    changed = self._db.execute(sql, values).rowcount
                    if only_if_first and number == 0 and changed == 0:
                        self._db.execute("ROLLBACK")
                        return False
                self._db.execute("COMMIT")
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise StoreError(f"the batches of models cannot be written ({error})") from None
        return True
