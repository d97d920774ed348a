"""Gateways that record and replay in front of the scripted server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import Any

from wireserver import FAST, Handler, Server, client, serving

from edge.execution.endpoint import Endpoint
from edge.execution.gateway import GatewayClient
from edge.execution.keys import Keys
from edge.execution.segments import members
from edge.execution.takes import RecordedRun, Take, takes_at
from edge.execution.tapes import RecordingTape, ReplayingTape

RUN = RecordedRun("run-1", "live", date(2026, 6, 15))
FIRST = "v20260615T000000Z-run1"


@asynccontextmanager
async def recording(
    store: Path, handler: Handler, *, name: str = FIRST, run: RecordedRun = RUN, keys: Keys | None = None, **more: Any
) -> AsyncIterator[tuple[GatewayClient, Server]]:
    """Serve `handler` to a gateway that records."""
    known = keys or Keys.demo()
    with RecordingTape(store / name, run, known.redactor, **more) as tape:
        async with serving(handler) as server, client(server, keys=known, tape=tape) as gateway:
            yield gateway, server


@asynccontextmanager
async def replaying(store: Path) -> AsyncIterator[GatewayClient]:
    """Give a gateway that has nobody to ask and no key: all it knows is the newest take."""
    *others, newest = takes_at(store)
    tape = ReplayingTape(newest, tuple(others))
    async with GatewayClient(Endpoint(), Keys({}), settings=FAST, tape=tape) as gateway:
        yield gateway


def plain(takes: list[Take]) -> str:
    """Return all that is stored, unpacked."""
    return "\n".join(
        line.decode() for take in takes for segment in take.segments for _, lines in members(segment) for line in lines
    )
