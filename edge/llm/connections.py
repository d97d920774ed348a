"""Turns under way -> the client they share: opened by the first and closed by the last, so that no stage has to."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Generic, Protocol, TypeVar


class Closable(Protocol):
    """What an SDK's client can do beside asking."""

    async def close(self) -> None:
        """Close the connections."""
        ...


C = TypeVar("C", bound=Closable)


class SharedClient(Generic[C]):
    """A client for as long as somebody uses it."""

    def __init__(self, make: Callable[[], C]) -> None:
        self._make = make
        self._client: C | None = None
        self._users = 0

    @asynccontextmanager
    async def use(self) -> AsyncGenerator[C]:
        """Lend the client."""
        client = self._client = self._client or self._make()
        self._users += 1
        try:
            yield client
        finally:
            self._users -= 1
            if not self._users:
                self._client = None
                await client.close()
