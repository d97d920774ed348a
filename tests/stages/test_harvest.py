"""Items of a batch run side by side and every loss is counted; ledgers and usage of batches add up."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.datasets.ledger import StageCount
from edge.plans.draft import PlanFailed
from edge.stages.batches import harvest
from edge.stages.context import merged_ledger, merged_usage
from edge.stages.params import Run, SynthesizeParams

RUN = Run(
    run_id="r", version="v20260615T000000Z-r", url="http://127.0.0.1:1", own_sandbox=True,
    now=datetime(2026, 6, 15, tzinfo=UTC), started_at=datetime(2026, 6, 15, tzinfo=UTC), spec_hash="s",
    prompt_hash="p", params=SynthesizeParams(outputs=Path("o")),
)  # fmt: skip


async def test_results_keep_the_order_and_losses_their_reason() -> None:
    running = peak = 0

    async def work(n: int) -> int:
        nonlocal running, peak
        running += 1
        peak = max(peak, running)
        await asyncio.sleep(0.001 * (9 - n))
        running -= 1
        if n % 3 == 0:
            raise PlanFailed("no_facts", f"tool {n}")
        return n

    made = await harvest("task_generation", ((f"i{n}", n) for n in range(9)), work, (PlanFailed,), concurrency=3)
    assert made.kept == [1, 2, 4, 5, 7, 8]
    assert [(r.item_id, r.reason, r.detail) for r in made.rejects] == [
        ("i0", "no_facts", "tool 0"), ("i3", "no_facts", "tool 3"), ("i6", "no_facts", "tool 6"),
    ]  # fmt: skip
    assert made.count == StageCount("task_generation", 9, 6, {"no_facts": 3})
    assert {r["run_id"] for r in made.reject_rows("run")} == {"run"}
    assert peak == 3


async def test_what_is_no_loss_stops_the_batch() -> None:
    async def work(_: int) -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await harvest("s", [("a", 1)], work, (PlanFailed,))


async def test_an_empty_batch_adds_up() -> None:
    async def work(n: int) -> int:
        return n

    assert (await harvest("s", [], work, (PlanFailed,))).count == StageCount("s", 0, 0)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "b"]), st.integers(0, 9), st.dictionaries(st.sampled_from("xyz"), st.integers(0, 9))
        ),
        max_size=6,
    )
)
def test_ledgers_of_batches_add_up(batches: list[tuple[str, int, dict[str, int]]]) -> None:
    counts = [StageCount.of(stage, kept + sum(dropped.values()), dropped) for stage, kept, dropped in batches]
    total = merged_ledger(RUN, [c.row("r", 0.5) for c in counts])
    assert [r["stage"] for r in total] == list(dict.fromkeys(c.stage for c in counts))
    for row in total:
        mine = [c for c in counts if c.stage == row["stage"]]
        assert row["rows_in"] == sum(c.rows_in for c in mine)
        assert row["rows_out"] == sum(c.rows_out for c in mine)
        assert sum(json.loads(str(row["dropped"])).values()) == sum(sum(c.dropped.values()) for c in mine)
        assert row["seconds"] == 0.5 * len(mine)


def test_usage_adds_up_and_an_unknown_price_stays_unknown() -> None:
    def row(stage: str, cost: float | None) -> dict[str, object]:
        return {
            "run_id": "r", "stage": stage, "provider": "offline", "model": "ko", "prompt_hash": "p", "calls": 2,
            "cached_calls": 0, "input_tokens": 5, "output_tokens": 3, "cost_usd": cost,
        }  # fmt: skip

    total = merged_usage([row("b", 1.0), row("a", 0.5), row("b", 2.0), row("a", None)])
    assert [(r["stage"], r["calls"], r["input_tokens"], r["cost_usd"]) for r in total] == [
        ("a", 4, 10, None), ("b", 4, 10, 3.0),
    ]  # fmt: skip


@pytest.mark.parametrize("target", [1, 5, 40, 100, 2000])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0, 9.0])
def test_batches_stay_few_whatever_comes_of_them(target: int, share: float) -> None:
    params = SynthesizeParams(target=target)
    plans, tried, batches = target * params.effort, 0, 0
    while tried < plans:
        size = params.next_batch(min(target, int(tried * share)), tried)
        assert 1 <= size <= max(params.batch, target // 10)
        tried, batches = tried + size, batches + 1
    assert batches <= plans / params.batch + 16  # four task runs each
