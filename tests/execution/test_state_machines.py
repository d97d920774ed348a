"""Width, pace, breaker and days under any course of events, with a clock of the test's own (cases A08, A25)."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.execution.breaker import Breaker
from edge.execution.budgets import QuotaBoard, next_reset
from edge.execution.endpoint import KST
from edge.execution.limits import HostGate, Pace, Width, asked_wait_s


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@given(st.integers(1, 64), st.lists(st.one_of(st.just(None), st.floats(0.0001, 30.0)), max_size=300))
def test_width_stays_between_one_and_its_ceiling_and_comes_back(ceiling: int, events: list[float | None]) -> None:
    width = Width(ceiling)
    for latency_s in events:
        before = width.limit
        width.refused() if latency_s is None else width.well(latency_s)
        assert 1 <= width.limit <= ceiling
        assert width.limit <= before + 1
        assert width.limit >= before // 2
    for _ in range(ceiling * (ceiling + 2) + 400):
        width.well(0.01)
    assert width.limit == ceiling


@given(st.integers(1, 64))
def test_width_falls_to_one_when_nothing_but_refusals_come(ceiling: int) -> None:
    width = Width(ceiling)
    for _ in range(4 * ceiling + 8):
        width.refused()
    assert width.limit == 1


def test_one_round_has_one_cut() -> None:
    width = Width(16)
    for _ in range(16):  # all that were on their way are refused
        width.refused()
    assert width.limit == 8
    width.refused()
    assert width.limit == 4


def test_a_host_that_gets_slow_is_called_less_and_a_slow_one_is_not() -> None:
    width = Width(8)
    for _ in range(50):
        width.well(0.1)
    for _ in range(12):
        width.well(3.0)
    assert width.limit < 8
    steady = Width(8)
    for _ in range(100):
        steady.well(3.0)
    assert steady.limit == 8


@given(st.floats(0.01, 5.0), st.lists(st.one_of(st.floats(0.0, 20.0), st.just("pause")), min_size=2, max_size=80))
def test_starts_are_never_closer_than_the_pace(spacing_s: float, moves: list[float | str]) -> None:
    clock = Clock()
    shared = QuotaBoard()
    for reserve in (None, partial(shared.start, "h")):
        pace = Pace(spacing_s, reserve=reserve, clock=clock)
        starts: list[float] = []
        blocked = 0.0
        for move in moves:
            if move == "pause":
                pace.pause(3.0)
                blocked = clock.now + 3.0
                continue
            clock.now += float(move)
            starts.append(clock.now + pace.wait_s())
            assert starts[-1] >= blocked - 1e-9
        assert all(later - earlier >= spacing_s - 1e-6 for earlier, later in pairwise(starts))
        clock.now = max([clock.now, *starts]) + spacing_s


def test_a_start_of_a_clock_that_ran_ahead_is_forgotten() -> None:
    board = QuotaBoard()
    board.start("h", 1_000_000.0, 1.0)
    assert board.start("h", 5.0, 1.0) == 5.0
    assert board.start("h", 5.0, 1.0) == 6.0


@given(
    st.integers(1, 6),
    st.lists(st.tuples(st.sampled_from(["ok", "fail", "lost"]), st.floats(0.0, 4.0), st.integers(0, 3)), max_size=120),
)
def test_the_breaker_opens_for_failures_in_a_row_alone(failures: int, events: list[tuple[str, float, int]]) -> None:
    clock = Clock()
    breaker = Breaker(failures, 3.0, clock=clock)
    told = {"ok": False, "fail": True, "lost": None}
    flying: list[tuple[int, str]] = []
    row = 0
    opened_at = 0.0
    for result, later_s, delay in events:
        clock.now += later_s
        was_open = breaker.open
        ticket = breaker.take()
        if was_open:
            assert (ticket is None) == (clock.now < opened_at + 3.0 or any(t == breaker._state for t, _ in flying))
        else:
            assert ticket is not None
        if ticket is not None:
            flying.append((ticket, result))
        while len(flying) > delay:
            given_back, came = flying.pop(0)
            before = breaker.open, breaker._state
            breaker.give(given_back, told[came])
            if given_back != before[1] or came == "lost":
                assert (breaker.open, breaker._state) == before
                continue
            row = 0 if came == "ok" else row + 1
            if before[0]:
                assert breaker.open == (came == "fail")
                row = 0
            else:
                assert breaker.open == (row >= failures)
            if breaker.open:
                opened_at = clock.now if came == "fail" else opened_at
                row = 0


def test_a_probe_that_was_given_up_makes_room_for_the_next() -> None:
    clock = Clock()
    breaker = Breaker(1, 3.0, clock=clock)
    ticket = breaker.take()
    assert ticket is not None
    breaker.give(ticket, failed=True)
    assert breaker.take() is None
    clock.now += 3.0
    probe = breaker.take()
    assert probe is not None
    assert breaker.take() is None
    breaker.give(probe, failed=None)
    again = breaker.take()
    assert again is not None
    breaker.give(again, failed=False)
    assert not breaker.open


@given(
    st.integers(0, 20),
    st.sampled_from(["00:00", "07:30", "23:59"]),
    st.lists(st.integers(0, 20 * 3600), min_size=1, max_size=80),
)
def test_no_day_has_more_calls_than_its_budget(limit: int, resets: str, waits: list[int]) -> None:
    now = [datetime(2026, 5, 4, 22, 0, tzinfo=KST)]
    board = QuotaBoard(now=lambda: now[0])
    days: dict[datetime, int] = {}
    for wait in waits:
        now[0] += timedelta(seconds=wait)
        day = next_reset(now[0], resets)
        made = board.spend("p#1", limit, resets)
        assert made == (days.get(day, 0) < limit)
        days[day] = days.get(day, 0) + made
        assert days[day] <= limit


def test_a_day_ends_where_the_profile_says() -> None:
    evening = datetime(2026, 5, 4, 14, 30, tzinfo=UTC)  # 23:30 in Seoul
    assert next_reset(evening) == datetime(2026, 5, 5, 0, 0, tzinfo=KST)
    assert next_reset(evening, "09:00") == datetime(2026, 5, 5, 9, 0, tzinfo=KST)
    assert next_reset(evening, "23:30") == datetime(2026, 5, 5, 23, 30, tzinfo=KST)


async def test_a_gate_loses_no_slot_when_waiters_are_cancelled() -> None:
    gate = HostGate(2)
    running = peak = done = 0

    async def enter() -> None:
        nonlocal running, peak, done
        async with gate.slot():
            running += 1
            peak = max(peak, running)
            try:
                await asyncio.sleep(0.001)
            finally:
                running -= 1
        done += 1

    tasks = [asyncio.create_task(enter()) for _ in range(60)]
    for number, task in enumerate(tasks):
        if number % 3 == 0:
            await asyncio.sleep(0.0007)
            task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert (running, peak) == (0, 2)
    before = done
    await asyncio.wait_for(asyncio.gather(*(enter() for _ in range(4))), 2)
    assert done == before + 4
    assert gate._running == 0


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120.0),
        (" 7 ", 7.0),
        ("Mon, 04 May 2026 00:02:00 GMT", 120.0),
        ("Mon, 04 May 2026 09:02:00 +0900", 120.0),
        ("Sun, 03 May 2026 23:00:00 GMT", 0.0),
        ("soon", 0.0),
        ("-5", 0.0),
        ("", 0.0),
        ("٣", 0.0),
    ],
)
def test_retry_after_is_read_in_seconds_and_as_a_moment(header: str, seconds: float) -> None:
    assert asked_wait_s(header, "Mon, 04 May 2026 00:00:00 GMT") == seconds
    assert asked_wait_s(header, "nonsense", now=datetime(2026, 5, 4, tzinfo=UTC)) == seconds


def test_answers_of_one_operation_never_open_a_platform_and_those_of_three_do() -> None:
    breaker = Breaker(3, 3.0, clock=Clock())

    def failed(operation: str | None) -> None:
        ticket = breaker.take()
        assert ticket is not None
        breaker.give(ticket, failed=True, operation=operation)

    for _ in range(20):
        failed("a")
    failed("b")
    assert not breaker.open
    breaker.give(breaker.take() or 0, failed=False)
    for operation in "abc":
        assert not breaker.open
        failed(operation)
    assert breaker.open
