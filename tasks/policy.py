"""How tasks are retried, limited in time and given their secrets: one policy for all of them."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.tasks import Task, exponential_backoff

from edge.errors import EndpointError, ModelUnavailable, StoreError
from edge.settings import Settings
from tasks.polling import polling
from tasks.secrets import unlock

Given = ParamSpec("Given")
Result = TypeVar("Result")

LONGEST_WAIT_S = 900.0  # that a model service may ask for beyond what its limiter sleeps through
TRANSIENT = (EndpointError, ModelUnavailable, StoreError, OSError)


async def can_pass(_task: Task[..., Any], _run: TaskRun, state: State[Any]) -> bool:
    """Whether trying again may help: the endpoint, a model service or the disk failed, not the user or the code.

    A task that ran out of time is one of these: what it had finished is not done again. Where a model service says how
    long it wants to be left alone, the answer comes when that is over.
    """
    try:
        await state.aresult()
    except ModelUnavailable as error:
        await asyncio.sleep(min(error.retry_after or 0.0, LONGEST_WAIT_S))
        return True
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
    "timeout_seconds": Settings.model_validate({}).task.timeout_s,
}


def stage_task(
    name: str, run_name: str | None = None, **more: Any
) -> Callable[[Callable[Given, Coroutine[Any, Any, Result]]], Task[Given, Coroutine[Any, Any, Result]]]:
    """Make a task of a stage: with the policy (`more` goes over it), and with its secrets wherever it is executed.

    Batches of models that it asks for are waited for by tasks of their own (`tasks.polling`).
    """

    def made(function: Callable[Given, Coroutine[Any, Any, Result]]) -> Task[Given, Coroutine[Any, Any, Result]]:
        @functools.wraps(function)
        async def unlocked(*args: Given.args, **kwargs: Given.kwargs) -> Result:
            await unlock()
            with polling():
                return await function(*args, **kwargs)

        return task(name=name, task_run_name=run_name or name, **{**OPTIONS, **more})(unlocked)

    return made
