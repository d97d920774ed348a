"""The benchmark explores as the stage does, and what it says of an exploration is so."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest
from link_runs import Explored, Prepared, calls_until, explore, prepare

from edge.sandbox_process import SandboxProcess
from edge.specs.compile import BUNDLED_SPECS
from edge.stages.context import Context
from edge.stages.link_exploration import explore_stage

SPECS = [BUNDLED_SPECS / "ecos", BUNDLED_SPECS / "neis"]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with SandboxProcess() as sandbox:
        yield sandbox.url


@pytest.fixture(scope="module")
def ready(url: str, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    small = {"specs": SPECS, "outputs": tmp_path_factory.mktemp("runs"), "iterations": 3, "paths": 60}
    return asyncio.run(prepare(url, **small))


@pytest.fixture(scope="module")
def done(url: str, ready: Prepared) -> Explored:
    return asyncio.run(explore(ready, url))


def test_links_end_as_in_the_stage(ready: Prepared, done: Explored) -> None:
    run = ready.context.run
    asyncio.run(explore_stage(run))
    stage = {x.link.link_id: (x.evidence.status, x.evidence.trials) for x in Context(run).learned}
    assert stage == {x.link.link_id: (x.evidence.status, x.evidence.trials) for x in done.learned}
    assert len(done.of("verified")) > 20


def test_calls_are_counted_as_they_are_made(ready: Prepared, done: Explored) -> None:
    assert done.calls == len(done.asked), "nothing failed, so nothing was asked twice"
    assert [calls for calls, _ in done.curve] == sorted(calls for calls, _ in done.curve)
    assert done.curve[-1] == (done.calls, len(done.of("verified")))
    assert done.calls_each == done.calls / len(done.of("verified"))
    first, reached = done.curve[0]
    assert calls_until(done.curve, reached) == first
    assert calls_until(done.curve, len(ready.links) + 1) is None


def test_a_budget_of_calls_is_kept_by_either_strategy(url: str, ready: Prepared, done: Explored) -> None:
    settings = replace(ready.settings, strategy="uniform", max_calls=done.calls // 2, rounds=50, least_change=0.0)
    uniform = asyncio.run(explore(ready, url, settings=settings))
    assert 0.8 * settings.max_calls <= uniform.calls <= settings.max_calls
