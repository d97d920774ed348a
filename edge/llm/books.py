"""Answers and what they cost -> one SQLite file of an outputs folder, shared by runs and processes, whole after a kill.

`answers` holds usable answers by the hash of their request, so that nothing is paid twice; `paid` holds every turn that
a service was asked, so that a run knows its cost also after it was killed; `batches` and `batch_lines` hold what is at
a service, and what came of it until their stage is done (`edge.llm.batches_books`). Keys and prompts are in none.
"""

from __future__ import annotations

import sqlite3
import time
import weakref
from dataclasses import dataclass
from pathlib import Path

from edge.errors import StoreError
from edge.llm.protocol import TokenUsage

FILE = ".models.sqlite"
_BUSY_S = 30.0
_TABLES = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, run TEXT NOT NULL, prompt_hash TEXT NOT NULL, model TEXT NOT NULL, raw TEXT NOT NULL,
    at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS paid (
    id INTEGER PRIMARY KEY, run TEXT NOT NULL, stage TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL,
    prompt TEXT NOT NULL, prompt_hash TEXT NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL,
    cached INTEGER NOT NULL, written INTEGER NOT NULL, usd REAL, reported INTEGER NOT NULL DEFAULT 0, at REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS paid_by_run ON paid (run, stage);
CREATE TABLE IF NOT EXISTS batches (
    token TEXT PRIMARY KEY, run TEXT NOT NULL, stage TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL,
    service TEXT NOT NULL, state TEXT NOT NULL, batch_id TEXT, at REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS batch_lines (
    token TEXT NOT NULL, line TEXT NOT NULL, prompt TEXT NOT NULL, prompt_hash TEXT NOT NULL, most REAL NOT NULL,
    state TEXT NOT NULL, status INTEGER NOT NULL DEFAULT 0, text TEXT NOT NULL DEFAULT '', PRIMARY KEY (token, line)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS batch_lines_by_line ON batch_lines (line);
"""
_PAY = (
    "INSERT INTO paid (run, stage, provider, model, prompt, prompt_hash, input, output, cached, written, usd, at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


@dataclass(frozen=True, slots=True)
class Turned:
    """Whom a turn was asked of, and for what; `prompt` is the prompt's name."""

    run: str
    stage: str
    provider: str
    model: str
    prompt: str
    prompt_hash: str


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run's turns came to; `usd` is None when one of them has no price."""

    turns: int
    usage: TokenUsage
    usd: float | None


@dataclass(frozen=True, slots=True)
class PaidTurn:
    """One turn and what it cost; `number` is its place in the books."""

    turned: Turned
    usage: TokenUsage
    usd: float | None
    number: int = 0


class Books:
    """The answers and the costs of an outputs folder."""

    def __init__(self, path: Path) -> None:
        """Open or make the file.

        Raises:
            StoreError: it cannot be used.
        """
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, _BUSY_S, isolation_level=None, check_same_thread=False)
            weakref.finalize(self, self._db.close)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.executescript(_TABLES)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"the answers of models in {path} cannot be used ({error}); remove the file") from None

    def answer(self, key: str, *, run: str | None = None) -> str | None:
        """Return the text of an earlier answer to the same request; with `run`, only one that this run paid for."""
        row = self._db.execute("SELECT raw FROM answers WHERE key = ? AND ? IN ('', run)", (key, run or "")).fetchone()
        return None if row is None else str(row[0])

    def keep(self, key: str, raw: str, *, run: str, model: str, prompt_hash: str) -> None:
        """Keep a usable answer; a newer one goes over an older one."""
        self._write(
            "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)", (key, run, prompt_hash, model, raw, time.time())
        )

    def pay(self, turned: Turned, usage: TokenUsage, usd: float | None) -> None:
        """Write down one turn; `usd` is None where no price is known."""
        self._write(*self.paying(turned, usage, usd))

    def paying(self, turned: Turned, usage: TokenUsage, usd: float | None) -> tuple[str, tuple[object, ...]]:
        """Return the statement that writes one turn down."""
        who = (turned.run, turned.stage, turned.provider, turned.model, turned.prompt, turned.prompt_hash)
        what = (usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.written_tokens, usd, time.time())
        return _PAY, (*who, *what)

    def spent(self, run: str) -> Spent:
        """Return what a run has cost until now, attempts that were killed included."""
        row = self._db.execute(
            "SELECT count(*), sum(input), sum(output), sum(cached), sum(written), sum(usd), count(usd)"
            " FROM paid WHERE run = ?",
            (run,),
        ).fetchone()
        turns, priced = int(row[0]), int(row[6])
        usage = TokenUsage(*(int(value or 0) for value in row[1:5]))
        return Spent(turns, usage, float(row[5] or 0.0) if priced == turns else None)

    def unreported(self, run: str, stage: str) -> list[PaidTurn]:
        """Return the turns of a stage that are in no usage row yet, also those of attempts that did not end."""
        rows = self._db.execute(
            "SELECT provider, model, prompt, prompt_hash, input, output, cached, written, usd, id FROM paid"
            " WHERE run = ? AND stage = ? AND NOT reported ORDER BY id",
            (run, stage),
        ).fetchall()
        return [PaidTurn(Turned(run, stage, *row[:4]), TokenUsage(*row[4:8]), *row[8:]) for row in rows]

    def report(self, run: str, stage: str, last: int) -> None:
        """Note that the turns of a stage up to the number `last` are in usage rows: it is done, its batches are too."""
        self._write("UPDATE paid SET reported = 1 WHERE run = ? AND stage = ? AND id <= ?", (run, stage, last))
        self.forget_batches(run, stage)

    def forget_batches(self, run: str, stage: str) -> None:
        """Forget what came of the batches of a stage that is done: what was of use is among the answers."""
        self._write(
            "DELETE FROM batch_lines WHERE token IN"
            " (SELECT token FROM batches WHERE run = ? AND stage = ? AND state = 'done')",
            (run, stage),
        )

    def disown(self, run: str) -> None:
        """Let a run begin anew: its earlier costs and answers are those of a run before."""
        self._write("UPDATE paid SET run = run || '/before' WHERE run = ?", (run,))
        self._write("UPDATE answers SET run = run || '/before' WHERE run = ?", (run,))
        self._write("UPDATE batches SET run = run || '/before' WHERE run = ?", (run,))

    def means(self, provider: str, model: str) -> dict[str, TokenUsage]:
        """Return the mean tokens of a turn by the prompt's hash, for this model: what earlier runs measured."""
        rows = self._db.execute(
            "SELECT prompt_hash, avg(input), avg(output), avg(cached), avg(written) FROM paid"
            " WHERE provider = ? AND model = ? GROUP BY 1",
            (provider, model),
        ).fetchall()
        return {str(row[0]): TokenUsage(*(round(value) for value in row[1:])) for row in rows}

    def _write(self, sql: str, values: tuple[object, ...]) -> None:
        try:
            self._db.execute(sql, values)
        except sqlite3.Error as error:
            raise StoreError(f"the answers of models cannot be written ({error})") from None
