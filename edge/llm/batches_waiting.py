"""A batch under way -> its end: how the time until then is spent, by sleeping or as the run's scheduler wants it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from edge.errors import RunError

Look: TypeAlias = Callable[[], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a batch is looked at, in seconds, and how many times at most."""

    every_s: float = 30.0
    looks: int = 3120


class Wait(Protocol):
    """Looks from time to time until there is nothing to wait for."""

    async def __call__(self, what: str, look: Look, patience: Patience) -> None:
        """Return when `look` has returned true.

        Raises:
            RunError: `looks` were not enough.
        """
        ...


def not_ended(what: str) -> RunError:
    """Return the error of a wait that was too long."""
    return RunError(f"{what} has not ended in time; --resume looks again, and nothing in it is paid twice")


async def sleeping(what: str, look: Look, patience: Patience) -> None:
    """Wait as `Wait` says, asleep."""
    for _ in range(patience.looks):
        if await look():
            return
        await asyncio.sleep(patience.every_s)
    raise not_ended(what)


_WAIT: ContextVar[Wait] = ContextVar("edge_batches_wait", default=sleeping)


def chosen_wait() -> Wait:
    """Return how batches are waited for here."""
    return _WAIT.get()


@contextmanager
def waiting_by(wait: Wait) -> Generator[None]:
    """Let batches that are asked for in the block be waited for by `wait`."""
    before = _WAIT.set(wait)
    try:
        yield
    finally:
        _WAIT.reset(before)
