"""Batches are waited for by Prefect: a look is a try, waits lie between tries, and their number is bounded."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from edge.errors import RunError, UsageError
from edge.llm.batches_waiting import Patience, chosen_wait

pytestmark = pytest.mark.prefect


async def waited(shown: list[bool | Exception], most: int) -> tuple[list[Exception], list[tuple[str, int]]]:
    """Wait in a stage's task for a batch that shows this; return what was raised, and each look's task and try."""
    from prefect import flow, task
    from prefect.runtime import task_run

    from tasks.polling import polling

    looks: list[tuple[str, int]] = []
    raised: list[Exception] = []

    async def look() -> bool:
        looks.append((str(task_run.name), int(task_run.run_count)))
        now = shown.pop(0)
        if isinstance(now, Exception):
            raise now
        return now

    @task(name="stage")
    async def stage() -> None:
        with polling():
            work: asyncio.Task[Any] = asyncio.create_task(chosen_wait()("batch b1", look, Patience(0.01, most)))
        try:
            await work  # as in the stages: in work of its own, which outlives whoever began it
        except Exception as error:
            raised.append(error)

    @flow(persist_result=False)
    async def run() -> None:
        await stage()

    await run()
    return raised, looks


def test_a_stage_in_batches_may_take_days() -> None:
    from edge.stages.params import Run, SynthesizeParams
    from tasks.policy import OPTIONS
    from tasks.runners import _patient
    from tasks.spec_compilation import propose_links

    runs = [Run.model_construct(params=SynthesizeParams(llm_batch=batch)) for batch in (False, True)]
    times = [_patient(propose_links, (run,)).timeout_seconds for run in runs]
    assert times[0] == OPTIONS["timeout_seconds"] and times[1] == times[0] + 5 * 26 * 3600
    assert propose_links.timeout_seconds == times[0]


@pytest.mark.usefixtures("prefect_api")
async def test_a_batch_is_looked_at_until_it_has_ended() -> None:
    raised, looks = await waited([False, False, True], 10)
    assert raised == [] and looks == [("poll-batch-b1", number) for number in (1, 2, 3)]


@pytest.mark.usefixtures("prefect_api")
async def test_looks_are_bounded_and_other_failures_end_the_wait() -> None:
    (late,), looks = await waited([False] * 9, 3)
    assert isinstance(late, RunError) and "batch b1 has not ended" in str(late) and "--resume" in str(late)
    assert len(looks) == 3
    left: list[bool | Exception] = [False, UsageError("refused the key"), True]
    (refused,), _ = await waited(left, 9)
    assert isinstance(refused, UsageError) and left == [True]
