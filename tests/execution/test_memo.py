"""A run asks the same question once."""

from __future__ import annotations

import asyncio

from wireserver import Reply, Seen, client, rows, serving, tool

from edge.execution.memo import MemoCaller


async def test_identical_calls_share_one_request() -> None:
    async with serving(lambda _: Reply(rows([{"a": "1"}]), delay_s=0.02)) as server, client(server) as gateway:
        memo = MemoCaller(gateway)
        outcomes = await asyncio.gather(*(memo.call(tool(), {"q": "1"}) for _ in range(10)))
        outcomes.append(await memo.call(tool(), {"q": "1"}))
        await memo.call(tool(), {"q": "2"})
        await memo.call(tool(), {"q": "1"}, all_pages=True)
    assert len({outcome.outcome_id for outcome in outcomes}) == 1
    assert (len(server.seen), memo.calls, memo.hits, len(memo)) == (3, 13, 10, 3)


async def test_environmental_outcomes_are_asked_again() -> None:
    left = [Reply(status=403), Reply(rows([]))]

    def handler(_: Seen) -> Reply:
        return left.pop(0)

    async with serving(handler) as server, client(server) as gateway:
        memo = MemoCaller(gateway)
        first = await memo.call(tool(), {})
        second = await memo.call(tool(), {})
        third = await memo.call(tool(), {})
    assert [first.outcome, second.outcome, third.outcome] == ["environmental", "empty", "empty"]
    assert (len(server.seen), memo.hits) == (2, 1)


async def test_one_impatient_caller_does_not_cancel_the_others() -> None:
    async with serving(lambda _: Reply(rows([{"a": "1"}]), delay_s=0.05)) as server, client(server) as gateway:
        memo = MemoCaller(gateway)
        impatient = asyncio.create_task(memo.call(tool(), {}))
        patient = asyncio.create_task(memo.call(tool(), {}))
        await asyncio.sleep(0.01)
        impatient.cancel()
        assert (await patient).ok
    assert len(server.seen) == 1
