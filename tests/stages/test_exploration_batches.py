"""Exploration in batches ends like exploration in one, asks nothing twice, and repeats only the batch that is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from graphworld import Explored, Platform, documents, explored
from stageruns import SMALL_SPECS, calls_counted
from wireserver import serving

from edge.errors import StoreError
from edge.stages.context import EXPLORE, Context
from edge.stages.link_exploration import explore_batch

ROUNDS = 5


@pytest.fixture
def specs(tmp_path: Path) -> Path:
    return documents(tmp_path / "specs" / "offices")


@pytest.fixture
async def world() -> AsyncIterator[tuple[Platform, str]]:
    platform = Platform()
    async with serving(platform) as server:
        yield platform, server.base


async def small(outputs: Path, url: str, **more: Any) -> Explored:
    """Explore a part of the sandbox, where rounds are many and differ."""
    return await explored(SMALL_SPECS, outputs, url, links="none", iterations=ROUNDS, paths=12, seed=3, **more)


def without(rows: list[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    return [{k: v for k, v in row.items() if k not in names} for row in rows]


async def test_many_batches_end_like_one(sandbox_url: str, tmp_path: Path) -> None:
    ends: list[Explored] = []
    calls: list[int] = []
    for number in (1, 2, ROUNDS):
        before = calls_counted(sandbox_url)
        ends.append(await small(tmp_path / str(number), sandbox_url, rounds_a_batch=number))
        calls.append(calls_counted(sandbox_url) - before)
    many, some, one = ends
    assert [len(x.batches) for x in ends] == [ROUNDS, 3, 1]
    assert [b.figures["done"] for b in many.batches] == [0] * (ROUNDS - 1) + [1]
    assert [b.figures["rounds"] for b in some.batches] == [2, 4, 5]
    assert calls[0] == calls[1] == calls[2] > 30
    for dataset in ("links", "value_pool", "tool_shapes"):
        rows = [without(x.rows(dataset), "run_id") for x in ends]
        assert rows[0] == rows[1] == rows[2] != []
    states = Counter(row["status"] for row in one.rows("links"))
    assert states["verified"] > 3
    made = [sorted((r["tool_id"], r["request"], r["outcome"]) for r in x.rows("outcomes")) for x in ends]
    assert made[0] == made[1] == made[2]
    assert {row["step_id"] for row in many.rows("outcomes")} <= {f"explore-{n}" for n in range(ROUNDS)}


async def test_the_ledger_of_batches_is_one(sandbox_url: str, tmp_path: Path) -> None:
    done = await small(tmp_path, sandbox_url, rounds_a_batch=2)
    (row,) = (r for r in done.rows("stage_ledger") if r["stage"] == "link_exploration")
    assert row["rows_in"] == len(done.rows("links"))
    assert row["rows_out"] == sum(r["status"] == "verified" for r in done.rows("links"))
    assert row["seconds"] >= sum(b.figures["ms"] for b in done.batches) / 1000 - 0.01


async def test_nothing_is_asked_twice_over_all(world: tuple[Platform, str], specs: Path, tmp_path: Path) -> None:
    platform, url = world
    done = await explored(specs, tmp_path / "out", url, rounds_a_batch=1, paths=1)
    assert len(done.batches) > 1
    assert set(platform.targets.values()) == {1}
    assert platform.asked["detail"] > 1


@pytest.mark.parametrize("lost", [0, 1, 3])
async def test_a_lost_batch_alone_is_computed_again(sandbox_url: str, tmp_path: Path, lost: int) -> None:
    done = await small(tmp_path, sandbox_url, rounds_a_batch=1)
    folder = tmp_path / ".work" / done.run.run_id / EXPLORE
    times = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    gone = [path for path in folder.iterdir() if done.batches[lost].key in path.name]
    for path in gone:
        path.unlink()
    before = calls_counted(sandbox_url)
    again = await small(tmp_path, sandbox_url, rounds_a_batch=1, resume=True)
    assert calls_counted(sandbox_url) == before  # what the batch had heard is in the recording
    changed = {p.name for p in folder.iterdir() if times[p.name] != p.stat().st_mtime_ns}
    assert changed == {p.name for p in gone}
    assert again.batches[lost].figures | {"ms": 0} == done.batches[lost].figures | {"ms": 0}
    for dataset in ("links", "value_pool", "tool_shapes", "outcomes"):
        assert again.parts()[dataset] == done.parts()[dataset]


async def test_a_batch_needs_the_one_before(sandbox_url: str, tmp_path: Path) -> None:
    done = await small(tmp_path, sandbox_url, rounds_a_batch=3)
    context = Context(done.run)
    assert context.exploration == done.batches
    (tmp_path / ".work" / done.run.run_id / EXPLORE / f"{done.batches[0].key}.json").unlink()
    with pytest.raises(StoreError, match="work files of explore are gone"):
        Context(done.run).rows(EXPLORE, "links")
    (tmp_path / ".work" / done.run.run_id / EXPLORE / f"{done.batches[1].key}.json").unlink()
    with pytest.raises(StoreError, match="work files of explore are gone"):
        await explore_batch(done.run, 1)
