"""How tasks are retried: one policy for all of them."""

from __future__ import annotations

from typing import Any

from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.tasks import Task, exponential_backoff

from edge.errors import EndpointError, ModelUnavailable, StoreError

TRANSIENT = (EndpointError, ModelUnavailable, StoreError, OSError)


async def can_pass(_task: Task[..., Any], _run: TaskRun, state: State[Any]) -> bool:
    """Whether trying again may help: the endpoint, a model service or the disk failed, not the user or the code."""
    try:
        await state.aresult()
    except TRANSIENT:
        return True
    except Exception:
        return False
    return False


# Our own files say what is done (edge.datasets.work); Prefect's result cache would say so of deleted files too.
OPTIONS: dict[str, Any] = {
    "cache_policy": NO_CACHE,
    "persist_result": False,
    "retries": 2,
    "retry_delay_seconds": exponential_backoff(1),
    "retry_jitter_factor": 0.3,
    "retry_condition_fn": can_pass,
}
