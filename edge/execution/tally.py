"""Names that come by the hundred thousand -> how often each has come, in memory that does not grow."""

from __future__ import annotations

import hashlib
import sqlite3


class Tally:
    """Counts names in a temporary file of SQLite, which keeps 2 MB of it in memory and removes it by itself.

    A name takes 200 bytes in a `Counter`; a run of a million calls would keep nothing else. Threads may share a tally.
    """

    def __init__(self) -> None:
        """Start with nothing counted; the file is made when memory does not suffice."""
        self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.execute("CREATE TABLE made (name BLOB PRIMARY KEY, times INTEGER) WITHOUT ROWID")

    def add(self, *name: str) -> int:
        """Count a name once more and return how often it had come before."""
        key = hashlib.blake2b("\0".join(name).encode("utf-8", "replace"), digest_size=16).digest()
        counted = self._database.execute(
            "INSERT INTO made VALUES (?, 0) ON CONFLICT (name) DO UPDATE SET times = times + 1 RETURNING times", (key,)
        )
        return int(counted.fetchall()[0][0])

    def close(self) -> None:
        """Let the file go."""
        self._database.close()
