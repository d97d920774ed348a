"""Calls made today -> whether a key may make another: budgets and refusals for the day, shared by processes."""

from __future__ import annotations

import hashlib
import sqlite3
import weakref
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from edge.errors import StoreError
from edge.execution.endpoint import KST, Endpoint
from edge.specs.model import Profile

BUDGET_FILE = ".budgets.sqlite"
_BUSY_S = 10.0
_STALE_S = 3600.0  # a start further away than any queue was taken by a clock that ran ahead
_TABLES = """
CREATE TABLE IF NOT EXISTS days (account TEXT PRIMARY KEY, calls INTEGER NOT NULL, ends REAL NOT NULL);
CREATE TABLE IF NOT EXISTS parked (account TEXT PRIMARY KEY, until REAL NOT NULL);
CREATE TABLE IF NOT EXISTS starts (host TEXT PRIMARY KEY, next REAL NOT NULL);
"""
_SPEND = """
INSERT INTO days VALUES (:account, 1, :ends)
ON CONFLICT (account) DO UPDATE SET calls = CASE WHEN ends <= :now THEN 1 ELSE calls + 1 END,
                                    ends = CASE WHEN ends <= :now THEN :ends ELSE ends END
WHERE ends <= :now OR calls < :limit
"""
_START = """
INSERT INTO starts VALUES (:host, :earliest + :spacing)
ON CONFLICT (host) DO UPDATE SET next = :spacing + CASE WHEN next > :earliest AND next < :earliest + :stale THEN next
                                                        ELSE :earliest END
RETURNING next
"""


class QuotaBoard:
    """Remembers what was spent today, which accounts are refused for the day (case A08), and when requests may start.

    An account is a key at a platform, or at one of its services where the platform counts those. Without a `path` the
    board is this process's own; with one it is a file that processes share and that outlives them.
    """

    def __init__(self, path: Path | None = None, now: Callable[[], datetime] | None = None) -> None:
        """Open the board; `now` is the clock of days, the default the machine's.

        Raises:
            StoreError: the file cannot be used.
        """
        self._now = now or (lambda: datetime.now(KST))
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path or ":memory:", _BUSY_S, isolation_level=None, check_same_thread=False)
            weakref.finalize(self, self._db.close)
            self._db.execute("PRAGMA synchronous=OFF")  # a power cut may forget calls; an end of the process cannot
            self._db.executescript(_TABLES)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"the day's budgets in {path} cannot be used ({error}); remove the file") from None

    def spend(self, account: str, limit: int, resets: str = "00:00") -> bool:
        """Count one call of `account`; False, and nothing counted, where the day's `limit` is reached."""
        if limit <= 0:
            return False
        moments = {"now": self._now().timestamp(), "ends": next_reset(self._now(), resets).timestamp()}
        return self._db.execute(_SPEND, {"account": account, "limit": limit, **moments}).rowcount == 1

    def park(self, account: str, resets: str = "00:00") -> None:
        """Stop calls of `account` until its day ends."""
        until = next_reset(self._now(), resets).timestamp()
        self._db.execute("INSERT OR REPLACE INTO parked VALUES (?, ?)", (account, until))

    def parked(self, account: str) -> datetime | None:
        """Return until when `account` must not be used, or None."""
        row = self._db.execute("SELECT until FROM parked WHERE account = ?", (account,)).fetchone()
        if row is None or row[0] <= self._now().timestamp():
            return None
        return datetime.fromtimestamp(row[0], KST)

    def start(self, host: str, earliest: float, spacing_s: float) -> float:
        """Take the next start of a request to `host`, in seconds of the clock that all processes share."""
        values = {"host": host, "earliest": earliest, "spacing": spacing_s, "stale": _STALE_S}
        return float(self._db.execute(_START, values).fetchone()[0]) - spacing_s

    @property
    def platforms(self) -> tuple[str, ...]:
        """What is parked now: platforms, or "platform/service" where the platform counts services."""
        found = self._db.execute("SELECT account FROM parked WHERE until > ?", (self._now().timestamp(),)).fetchall()
        return tuple(sorted({str(row[0]).partition("#")[0] for row in found}))


def board_of(endpoint: Endpoint, outputs: Path) -> QuotaBoard:
    """Return the board of a run: a replica on this machine counts for itself, what is outside is shared."""
    return QuotaBoard(None if endpoint.loopback else outputs / BUDGET_FILE)


def account_of(profile: Profile, service: str, key: str) -> str:
    """Return whose calls are counted together, for people to read.

    Four digits of a hash tell a person's few keys apart and are too few to find or to confirm one.
    """
    name = f"{profile.platform}/{service}" if profile.quota.each == "service" else profile.platform
    return f"{name}#{hashlib.sha256(key.encode()).hexdigest()[:4]}" if key else name


def next_reset(now: datetime, resets: str = "00:00") -> datetime:
    """Return when the day that holds `now` ends, for days that begin at `resets` in Korea."""
    here = now.astimezone(KST)
    hour, _, minute = resets.partition(":")
    turn = here.replace(hour=int(hour), minute=int(minute), second=0, microsecond=0)
    return turn if turn > here else turn + timedelta(days=1)
