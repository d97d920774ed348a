"""What may pass is tried again; what the user or the code did wrong is not."""

from __future__ import annotations

from typing import Any

import pytest

from edge.errors import EndpointError, ModelAnswerError, ModelUnavailable, StoreError, UsageError

pytestmark = pytest.mark.prefect


async def ran(errors: list[Exception]) -> tuple[int, object]:
    """Run a task under the policy that raises `errors` one after the other, then answers; return tries and result."""
    from prefect import flow, task

    from tasks.policy import OPTIONS

    tries = 0

    @task(**{**OPTIONS, "retry_delay_seconds": 0})
    async def tiny() -> str:
        nonlocal tries
        tries += 1
        if errors:
            raise errors.pop(0)
        return "done"

    @flow(persist_result=False)
    async def trying() -> object:
        return await tiny()

    state: Any = await trying(return_state=True)
    return tries, await state.aresult(raise_on_failure=False)


@pytest.mark.usefixtures("prefect_api")
@pytest.mark.parametrize(
    "error",
    [EndpointError("down"), ModelUnavailable("busy", 1.0), StoreError("disk full"), OSError("disk")],
    ids=lambda e: type(e).__name__,
)
async def test_what_may_pass_is_tried_again(error: Exception) -> None:
    assert await ran([error, type(error)("again")]) == (3, "done")


@pytest.mark.usefixtures("prefect_api")
async def test_three_tries_are_enough() -> None:
    tries, result = await ran([EndpointError(f"down {n}") for n in range(9)])
    assert tries == 3
    assert isinstance(result, EndpointError)


@pytest.mark.usefixtures("prefect_api")
@pytest.mark.parametrize(
    "error",
    [UsageError("no such file"), ModelAnswerError("refusal"), ValueError("a bug"), KeyError("a bug")],
    ids=lambda e: type(e).__name__,
)
async def test_what_cannot_pass_is_not_tried_again(error: Exception) -> None:
    tries, result = await ran([error])
    assert tries == 1
    assert isinstance(result, type(error))


def test_every_task_has_the_policy() -> None:
    from prefect import Task

    import tasks.deduplication
    import tasks.execution_validation
    import tasks.publishing
    import tasks.revalidation
    import tasks.sequence_generation
    import tasks.spec_compilation
    import tasks.starting
    import tasks.task_generation
    from tasks.policy import can_pass

    modules = [
        tasks.deduplication, tasks.execution_validation, tasks.publishing, tasks.revalidation,
        tasks.sequence_generation, tasks.spec_compilation, tasks.starting, tasks.task_generation,
    ]  # fmt: skip
    found = {name: x for m in modules for name, x in vars(m).items() if isinstance(x, Task)}
    assert len(found) == 14
    for name, one in found.items():
        assert one.retry_condition_fn is can_pass, name
        assert one.retries == (0 if one.name == "report" else 2)
        assert one.persist_result is False  # our files say what is done
        assert one.cache_policy is not None
        assert one.timeout_seconds == 4 * 3600


async def test_a_model_service_is_left_alone_as_long_as_it_asks() -> None:
    import time

    from prefect.states import Failed

    from tasks.policy import can_pass

    began = time.monotonic()
    assert await can_pass(None, None, Failed(data=ModelUnavailable("busy", 0.3)))  # type: ignore[arg-type]
    assert 0.3 <= time.monotonic() - began < 3
