"""One page -> all pages: which to ask for, when to stop and whether everything was read."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace

from edge.calls import Record
from edge.execution.failures import Verdict
from edge.ids import digest_bytes
from edge.specs.model import Paging

_WINDOW = 16  # pages asked for at a time; the host's gate decides how many of them really run


@dataclass(frozen=True, slots=True)
class PageRead:
    """One page as read: the verdict and the wire facts behind it."""

    verdict: Verdict
    status: int | None = None
    attempts: int = 1
    latency_ms: float = 0.0
    body_hash: str = ""


Fetch = Callable[[Mapping[str, str]], Awaitable[PageRead]]


@dataclass(slots=True)
class Reading:
    """All that was read for one call; starts with its first page."""

    first: PageRead
    records: list[Record] = field(default_factory=list[Record])
    hashes: list[str] = field(default_factory=list[str])
    attempts: int = 0
    latency_ms: float = 0.0
    pages: int = 0
    total: int = 0
    complete: bool = True
    failed: Verdict | None = None
    cut: bool = False

    def add(self, page: PageRead) -> None:
        """Append the rows of a page that was answered."""
        self.count(page)
        self.pages += 1
        self.records.extend(page.verdict.records)
        self.hashes.append(page.body_hash)

    def count(self, page: PageRead) -> None:
        """Count the effort of a page, answered or not."""
        self.attempts += max(0, page.attempts - 1) if self.attempts else page.attempts
        self.latency_ms += page.latency_ms

    @property
    def response_hash(self) -> str:
        """The hash of what was received: of the body, or of the bodies' hashes where there are several."""
        if len(self.hashes) < 2:
            return self.hashes[0] if self.hashes else self.first.body_hash
        return digest_bytes("".join(self.hashes).encode())


def page_values(paging: Paging, index: int, size: int) -> dict[str, str]:
    """Return the paging parameters of the page with this index (from 0) when pages hold `size` rows.

    Style "page" sends the page's number and the size; "range" the positions of the first and the last row.
    """
    if paging.style == "range":
        start = paging.first + index * size
        values = {paging.page: str(start), paging.size: str(start + size - 1)}
    else:
        values = {paging.page: str(paging.first + index), paging.size: str(size)}
    return {name: value for name, value in values.items() if name}


async def read_pages(
    fetch: Fetch, paging: Paging | None, *, all_pages: bool, max_records: int, max_pages: int = 1_000_000
) -> Reading:
    """Read the first page, or all pages up to the ceilings; the platform has one of its own.

    The size of the collection is what the platform states, not what was read (case A15). Where it is known the rest is
    read concurrently, else one page after another until a short one. A page that fails ends the reading: the rows
    before it are kept and the reading is not complete. Nothing is de-duplicated.
    """
    if paging is None:
        return _close(_start(await fetch({})), asked=None, max_records=max_records)
    paging = replace(paging, max_pages=min(paging.max_pages, max_pages))
    size = paging.max_size if all_pages else paging.page_size
    reading = _start(await fetch(page_values(paging, 0, size)))
    rows = len(reading.records)
    if not all_pages or not rows:
        return _close(reading, asked=size, max_records=max_records)
    total = reading.first.verdict.total
    if total is None:
        await _read_on(fetch, paging, size, reading, max_records)
    elif rows < total:
        step = rows if rows < size else size  # fewer than asked for: the platform cuts pages shorter without a word
        await _read_rest(fetch, paging, step, size, reading, min(total, max_records))
    return _close(reading, asked=None, max_records=max_records)


def _start(page: PageRead) -> Reading:
    reading = Reading(page)
    if page.verdict.read:
        reading.add(page)
    else:
        reading.count(page)
    return reading


async def _read_rest(fetch: Fetch, paging: Paging, step: int, size: int, reading: Reading, wanted: int) -> None:
    last = min(math.ceil(wanted / step), paging.max_pages)
    reading.cut = last * step < (reading.first.verdict.total or 0)
    for start in range(1, last, _WINDOW):
        indexes = range(start, min(start + _WINDOW, last))
        asked = size if paging.style == "page" else step
        pages = await asyncio.gather(*(fetch(_values(paging, index, step, asked)) for index in indexes))
        for page in pages:
            if reading.failed is not None:
                reading.count(page)
            elif page.verdict.read:
                reading.add(page)
            else:
                reading.count(page)
                reading.failed = page.verdict
        if reading.failed is not None:
            return


def _values(paging: Paging, index: int, step: int, asked: int) -> dict[str, str]:
    return page_values(paging, index, step if paging.style == "range" else asked)


async def _read_on(fetch: Fetch, paging: Paging, size: int, reading: Reading, max_records: int) -> None:
    rows = len(reading.records)
    while rows >= size and reading.pages < paging.max_pages and len(reading.records) < max_records:
        page = await fetch(page_values(paging, reading.pages, size))
        if not page.verdict.read:
            reading.count(page)
            reading.failed = page.verdict
            return
        if page.body_hash == reading.hashes[-1]:  # the platform ignores the page number: this is no new page
            reading.count(page)
            return
        reading.add(page)
        rows = len(page.verdict.records)
    reading.cut = rows >= size


def _close(reading: Reading, *, asked: int | None, max_records: int) -> Reading:
    """Settle total and completeness; `asked` is the page size where only the first page was wanted."""
    stated = reading.first.verdict.total
    if len(reading.records) > max_records:
        del reading.records[max_records:]
        reading.cut = True
    held = len(reading.records)
    more = stated > held if stated is not None else asked is not None and held >= asked
    reading.total = stated if stated is not None else held
    reading.complete = not (more or reading.cut or reading.failed is not None)
    return reading
