"""Where tasks are executed: in the flow's own process, in processes beside it, or on a Dask or Ray cluster.

One setting chooses (EDGE_TASK_RUNNER). References travel, rows do not, so that the outputs folder must be one that all
workers see. Which batches there are and what is in them does not depend on the choice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any

from prefect import Task
from prefect.context import FlowRunContext
from prefect.task_runners import ProcessPoolTaskRunner, TaskRunner, ThreadPoolTaskRunner

from edge.errors import MissingExtra
from edge.settings import Settings, TaskSettings
from edge.stages.params import Run, StageRef

_BATCHES_S = 5 * 26 * 3600.0  # batches follow each other in a stage, up to a day each


def task_runner(settings: TaskSettings | None = None) -> TaskRunner[Any]:
    """Return Prefect's runner for the settings, by default those of the environment.

    Raises:
        MissingExtra: `dask` or `ray` is asked for and not installed.
    """
    chosen = settings or Settings.model_validate({}).task
    if chosen.runner == "dask":
        return _dask(chosen)
    if chosen.runner == "ray":
        return _ray(chosen)
    if chosen.runner == "process":
        return ProcessPoolTaskRunner(max_workers=chosen.workers)
    return ThreadPoolTaskRunner()


def _dask(settings: TaskSettings) -> TaskRunner[Any]:
    try:
        from prefect_dask import DaskTaskRunner  # pyright: ignore
    except ImportError as error:
        raise MissingExtra(error.name or "prefect-dask", "dask") from None
    if settings.address:
        return DaskTaskRunner(address=settings.address)  # pyright: ignore
    local = {"n_workers": settings.workers, "threads_per_worker": 1, "dashboard_address": None}
    return DaskTaskRunner(cluster_kwargs=local)  # pyright: ignore


def _ray(settings: TaskSettings) -> TaskRunner[Any]:
    try:
        from prefect_ray import RayTaskRunner  # pyright: ignore
    except ImportError as error:
        raise MissingExtra(error.name or "prefect-ray", "ray") from None
    if settings.address:
        return RayTaskRunner(address=settings.address)  # pyright: ignore
    local = {"num_cpus": settings.workers, "include_dashboard": False, "configure_logging": False}
    return RayTaskRunner(init_kwargs=local)  # pyright: ignore


async def executed(task: Task[..., Any], *arguments: object) -> StageRef:
    """Execute a task of a stage where the flow's runner says.

    Threads would only take turns with the calls that a task makes side by side: it is awaited here instead.
    """
    task, context = _patient(task, arguments), FlowRunContext.get()
    if context is None or isinstance(context.task_runner, ThreadPoolTaskRunner):
        return await task(*arguments)
    future = task.submit(*arguments)
    return await asyncio.to_thread(future.result)


def _patient(task: Task[..., Any], arguments: tuple[object, ...]) -> Task[..., Any]:
    """Return the task with the time that batches of models take added to what it may take itself."""
    run = arguments[0] if arguments else None
    if isinstance(run, Run) and run.params.llm_batch and task.timeout_seconds is not None:
        return task.with_options(timeout_seconds=task.timeout_seconds + _BATCHES_S)
    return task


async def side_by_side(calls: Iterable[Coroutine[Any, Any, StageRef]]) -> list[StageRef]:
    """Await calls together and return what they return, in order; the first failure counts once all have ended."""
    ended = await asyncio.gather(*calls, return_exceptions=True)
    for one in ended:
        if isinstance(one, BaseException):
            raise one
    return [one for one in ended if not isinstance(one, BaseException)]
