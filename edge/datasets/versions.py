"""A moment and a run -> the name of a version: text that sorts by time and that no reader takes for a number."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from edge.errors import StoreError

# Starts with a letter, so that nobody guesses a number or a date; safe as a folder name everywhere.
_NAME = re.compile(r"v[A-Za-z0-9_-]+")
_STAMP = "%Y%m%dT%H%M%S"


def is_version(text: str) -> bool:
    """Return whether the text can be the name of a version."""
    return _NAME.fullmatch(text) is not None


def version_name(now: datetime, run_id: str, newest: str = "") -> str:
    """Return a name such as "v20261129T143000Z-ab12cd34" that sorts after `newest`.

    Args:
        now: a time with zone; moved on to a second after `newest` where the clock is behind it.
        run_id: its first eight letters and digits tell runs of one second apart.
        newest: the newest name there is, if any.

    Raises:
        StoreError: `now` has no zone.
    """
    if now.tzinfo is None:
        raise StoreError("the time of a version needs a zone")
    suffix = re.sub(r"[^A-Za-z0-9]", "", run_id)[:8] or "run"
    stamp = now.astimezone(UTC).strftime(_STAMP)
    found = re.match(r"v(\d{8}T\d{6})Z-", newest)
    if found and stamp <= found[1]:
        stamp = (datetime.strptime(found[1], _STAMP).replace(tzinfo=UTC) + timedelta(seconds=1)).strftime(_STAMP)
    return f"v{stamp}Z-{suffix}"
