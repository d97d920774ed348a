"""The pace of a service: rates are kept in every minute, refusals slow everybody, other failures nobody."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Awaitable, Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llmserver import ScriptedServer, serving

from edge.errors import ModelUnavailable, RateLimited
from edge.llm.answers import FinalAnswer
from edge.llm.asking import Reply
from edge.llm.desk import Desk
from edge.llm.limits import Limiter, Limits, shared_limiter
from edge.llm.openai import OpenAIModel
from edge.llm.prompts import load_prompt
from edge.llm.protocol import TokenUsage

GOOD = '{"answer": "12건이에요."}'


class Time:
    """A clock that jumps to the next moment at which somebody wakes."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self.numbers = itertools.count()

    async def sleep(self, seconds: float) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self.sleepers, (self.now + max(0.0, seconds), next(self.numbers), done))
        await done

    async def play(self, *work: Awaitable[object]) -> list[object]:
        tasks = [asyncio.ensure_future(one) for one in work]
        while not all(task.done() for task in tasks):
            for _ in range(10):
                await asyncio.sleep(0)
            if self.sleepers:
                self.now, _, done = heapq.heappop(self.sleepers)
                done.set_result(None)
        return [task.exception() or task.result() for task in tasks]


Send = Callable[[], Awaitable[Reply]]


def sending(clock: Time, sent: list[float], outcomes: Iterator[Exception | None], lasts: float = 1.0) -> Send:
    async def send() -> Reply:
        sent.append(clock.now)
        outcome = next(outcomes, None)
        await clock.sleep(lasts)
        if outcome is not None:
            raise outcome
        return Reply("x", "done", TokenUsage(60, 40))

    return send


def limiter(clock: Time, **limits: object) -> Limiter:
    return Limiter(Limits(**limits), clock=lambda: clock.now, sleep=clock.sleep)  # type: ignore[arg-type]


@settings(max_examples=40, deadline=None)
@given(
    rate=st.integers(1, 12), tokens=st.integers(100, 900), number=st.integers(1, 40), width=st.integers(1, 8),
    lasts=st.floats(0.1, 30),
)  # fmt: skip
def test_no_minute_holds_more_than_the_rates(rate: int, tokens: int, number: int, width: int, lasts: float) -> None:
    async def run() -> list[float]:
        clock, sent = Time(), list[float]()
        paced = limiter(clock, concurrency=width, requests_per_minute=rate, tokens_per_minute=tokens)
        work = (paced.run(sending(clock, sent, iter(()), lasts), 100) for _ in range(number))
        assert all(isinstance(reply, Reply) for reply in await clock.play(*work))
        return sent

    sent = asyncio.run(run())
    assert len(sent) == number
    for first in sent:
        inside = [moment for moment in sent if first <= moment < first + 60]
        assert len(inside) <= rate
        assert len(inside) * 100 <= tokens


async def test_one_refusal_slows_everybody_and_success_lets_them_return() -> None:
    clock, sent = Time(), list[float]()
    paced = limiter(clock, concurrency=8)
    outcomes: Iterator[Exception | None] = iter([RateLimited("429", retry_after=20.0)] * 8)
    answered = await clock.play(*(paced.run(sending(clock, sent, outcomes), 1) for _ in range(8)))
    assert all(isinstance(reply, Reply) for reply in answered)
    assert len(sent) == 16 and 2 < paced.width < 8  # eight refusals at once are one signal: halved once
    assert min(sent[8:]) >= 1000 + 20
    assert sent[8:12] == [sent[8]] * 4 and sent[12] > sent[8]
    await clock.play(*(paced.run(sending(clock, sent, iter(())), 1) for _ in range(40)))
    assert paced.width == 8


async def test_a_wait_beyond_the_cap_is_handed_on_and_remembered() -> None:
    clock, sent = Time(), list[float]()
    paced = limiter(clock, wait_cap_s=30.0)
    outcomes: Iterator[Exception | None] = iter([RateLimited("429", retry_after=300.0)])
    first, second = [(await clock.play(paced.run(sending(clock, sent, outcomes), 1)))[0] for _ in range(2)]
    assert isinstance(first, RateLimited) and first.retry_after == 300.0
    assert isinstance(second, ModelUnavailable) and second.retry_after == pytest.approx(300.0, abs=2)
    assert len(sent) == 1 and clock.now < 1010  # nobody slept, nobody asked
    clock.now += 300
    assert isinstance((await clock.play(paced.run(sending(clock, sent, outcomes), 1)))[0], Reply)


async def test_other_failures_are_tried_again_without_slowing_anybody() -> None:
    clock, sent = Time(), list[float]()
    paced = limiter(clock, concurrency=8, attempts=3)
    (reply,) = await clock.play(paced.run(sending(clock, sent, iter([ModelUnavailable("500")] * 2)), 1))
    assert isinstance(reply, Reply) and len(sent) == 3 and paced.width == 8
    (error,) = await clock.play(paced.run(sending(clock, sent, iter([ModelUnavailable("500")] * 9)), 1))
    assert isinstance(error, ModelUnavailable) and len(sent) == 6


async def test_a_service_that_only_refuses_is_given_up_in_bounded_time() -> None:
    clock, sent = Time(), list[float]()
    paced = limiter(clock, concurrency=32, attempts=4, wait_cap_s=60.0)
    refusals: Iterator[Exception | None] = iter(lambda: RateLimited("529", retry_after=60.0), None)
    ended = await clock.play(*(paced.run(sending(clock, sent, refusals), 1) for _ in range(32)))
    assert all(isinstance(error, ModelUnavailable) for error in ended)
    assert len(sent) <= 32 * 4 and clock.now - 1000 <= 4 * 60 * 2


def test_everybody_in_a_process_shares_one_limiter_a_service() -> None:
    limits = Limits()
    assert shared_limiter("openai a", limits) is shared_limiter("openai a", Limits())
    assert shared_limiter("openai a", limits) is not shared_limiter("openai b", limits)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving() as scripted:
        yield scripted


async def test_workers_meet_a_storm_of_overload_together(server: ScriptedServer) -> None:
    """Case L24 with the real SDK: 529, 529, 429 with a wait, then answers; no SDK retry multiplies ours."""
    busy = {"error": {"type": "overloaded_error", "message": "busy"}}
    server.reply(busy, 529, retry_after_ms="50").reply(busy, 529).reply(busy, 429, retry_after="1").openai(GOOD)
    desk = Desk(Limiter(Limits(concurrency=32, attempts=4)))
    model = OpenAIModel("m", "k", base_url=f"{server.url}/v1", desk=desk)
    began = time.monotonic()
    prompt, variables = load_prompt("final_answer"), {"query": "q", "style": "polite", "facts": []}
    answers = await asyncio.gather(*(model.answer(prompt, variables, FinalAnswer) for _ in range(32)))
    assert len(answers) == 32 and len(server.seen) == 32 + 3
    assert 1.0 <= time.monotonic() - began < 10
    assert all("x-stainless-retry-count" not in h or h["x-stainless-retry-count"] == "0" for h in server.headers)


async def test_concurrency_is_kept(server: ScriptedServer) -> None:
    server.openai(GOOD).delay_s = 0.05
    model = OpenAIModel("m", "k", base_url=f"{server.url}/v1", desk=Desk(Limiter(Limits(concurrency=3))))
    prompt, variables = load_prompt("final_answer"), {"query": "q", "style": "polite", "facts": []}
    await asyncio.gather(*(model.answer(prompt, variables, FinalAnswer) for _ in range(12)))
    assert server.most_busy == 3
