"""Waiting for a batch as a task: each look is a try, and between tries Prefect waits (AwaitingRetry, no slot held)."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.tasks import Task

from edge.llm.batches_waiting import Look, Patience, not_ended, waiting_by


class _NotYet(Exception):
    """A batch has not ended."""


async def _only_not_yet(_task: Task[..., Any], _run: TaskRun, state: State[Any]) -> bool:
    try:
        await state.aresult()
    except _NotYet:
        return True
    except Exception:
        return False
    return False


async def poll(what: str, look: Look, patience: Patience) -> None:
    """Look until there is nothing to wait for; see `edge.llm.batches_waiting.Wait`."""

    @task(
        name="poll-batch",
        task_run_name="poll-{what}",
        retries=patience.looks - 1,
        retry_delay_seconds=patience.every_s,
        retry_condition_fn=_only_not_yet,
        cache_policy=NO_CACHE,
        persist_result=False,
    )
    async def poll_batch(what: str) -> None:
        if not await look():
            raise _NotYet(what)

    try:
        await poll_batch(what.replace(" ", "-"))
    except _NotYet:
        raise not_ended(what) from None


@contextmanager
def polling() -> Generator[None]:
    """Let the batches of models that the block asks for be waited for by Prefect."""
    with waiting_by(poll):
        yield
