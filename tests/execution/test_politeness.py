"""Days' budgets, pace, width and breaker in front of real servers (cases A08, A25)."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from wireserver import FAST, Reply, Seen, Server, client, rows, serving, tool

from edge.errors import StoreError
from edge.execution.budgets import BUDGET_FILE, QuotaBoard, board_of
from edge.execution.endpoint import KST, Endpoint
from edge.execution.gateway import GatewayClient
from edge.execution.keys import Keys
from edge.settings import ExecutionSettings, Settings
from edge.specs.model import CodeRule, Quota, Tool

GOOD = Reply(rows([{"a": "1"}], 1))
KEY = "PLANTED+secret/KEY=="
LOCAL = FAST.model_copy(update={"allowed_private": ("127.0.0.0/8",)})


def live(board: QuotaBoard, key: str = KEY, settings: ExecutionSettings = LOCAL) -> GatewayClient:
    return GatewayClient(Endpoint(), Keys({"EDGE_KEY_PORTAL": key}), settings=settings, quota=board)


def at(server: Server, **changes: Any) -> Tool:
    return tool(url=f"http://127.0.0.1:{server.port}/list", **changes)


async def reasons(gateway: GatewayClient, asked: Tool, number: int) -> Counter[str]:
    return Counter([(await gateway.call(asked, {"q": str(n)})).reason for n in range(number)])


async def test_a_spent_budget_parks_one_platform_and_the_run_goes_on(tmp_path: Path) -> None:
    now = [datetime(2026, 5, 4, 22, 0, tzinfo=KST)]
    path = tmp_path / "outputs" / BUDGET_FILE
    async with serving(lambda _: GOOD) as server:
        few = at(server, quota=Quota(per_day=3))
        async with live(QuotaBoard(path, now=lambda: now[0])) as gateway:
            assert await reasons(gateway, few, 10) == {"ok": 3, "quota_parked": 7}
            assert await reasons(gateway, at(server, platform="other"), 5) == {"ok": 5}
            assert "00:00 KST" in (await gateway.call(few, {"q": "x"})).message
        async with live(QuotaBoard(path, now=lambda: now[0])) as gateway:  # another process of the same outputs
            assert await reasons(gateway, few, 2) == {"quota_parked": 2}
        async with live(QuotaBoard(path, now=lambda: now[0]), key="another+key") as gateway:
            assert await reasons(gateway, few, 2) == {"ok": 2}
        now[0] += timedelta(hours=2)
        async with live(QuotaBoard(path, now=lambda: now[0])) as gateway:
            assert await reasons(gateway, few, 4) == {"ok": 3, "quota_parked": 1}
    assert len(server.seen) == 3 + 5 + 2 + 3
    assert b"PLANTED" not in path.read_bytes()


async def test_every_attempt_counts_against_the_budget(tmp_path: Path) -> None:
    async with serving(lambda _: Reply(status=503)) as server, live(QuotaBoard(tmp_path / "b")) as gateway:
        await reasons(gateway, at(server, quota=Quota(per_day=4)), 3)
    assert len(server.seen) == 4


async def test_a08_services_are_parked_one_by_one_where_the_platform_counts_them(tmp_path: Path) -> None:
    spent = Reply(rows([], code="22"))
    board = QuotaBoard(tmp_path / "b")
    async with serving(lambda seen: spent if "/first" in seen.target else GOOD) as server, live(board) as gateway:
        base = f"http://127.0.0.1:{server.port}"
        first = tool(url=f"{base}/first", service="first", quota=Quota(each="service"))
        second = tool(url=f"{base}/second", service="second", quota=Quota(each="service"))
        assert await reasons(gateway, first, 4) == {"quota": 1, "quota_parked": 3}
        assert await reasons(gateway, second, 4) == {"ok": 4}
    assert board.platforms == ("portal/first",)


async def test_a_refusal_that_may_be_for_the_second_parks_when_it_stays() -> None:
    refused = Reply(rows([], code="020"))
    either = CodeRule("environmental", "quota", code="020", ambiguous="rate_limit")
    asked = tool(codes=(either,), control="https://apis.data.go.kr/up")
    replies = [refused, refused, GOOD]
    async with serving(lambda _: replies.pop(0)) as server, client(server) as gateway:
        outcome = await gateway.call(asked, {})
        assert (outcome.outcome, outcome.attempts, gateway.quota.platforms) == ("ok", 3, ())
    async with serving(lambda _: refused) as server, client(server) as gateway:
        assert await reasons(gateway, asked, 4) == {"quota": 1, "quota_parked": 3}
    assert len(server.seen) == 3
    assert not any("/up" in seen.target for seen in server.seen)  # there is nothing for a control to decide


async def test_a_replica_on_this_machine_is_spared_by_settings_alone() -> None:
    asked = tool(quota=Quota(per_day=2), per_second=1.0)
    async with serving(lambda _: GOOD) as server:
        async with client(server) as gateway:
            assert await reasons(gateway, asked, 5) == {"ok": 5}
        for names in ({"portal": 2}, {"portal": 9, "portal/svc": 2}):
            async with client(server, FAST.model_copy(update={"per_day": names})) as gateway:
                assert await reasons(gateway, asked, 5) == {"ok": 2, "quota_parked": 3}
        async with client(server, FAST.model_copy(update={"per_day": {"portal": 0}})) as gateway:
            assert await reasons(gateway, asked, 2) == {"quota_parked": 2}


def test_budgets_are_set_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGE_EXECUTION_PER_DAY", '{"dart": 500, "datagokr/hospInfoServicev2": 100}')
    assert Settings().execution.per_day == {"dart": 500, "datagokr/hospInfoServicev2": 100}


def test_where_a_board_is_kept(tmp_path: Path) -> None:
    board_of(Endpoint.parse("http://127.0.0.1:1"), tmp_path).park("p")
    assert not (tmp_path / BUDGET_FILE).exists()
    board_of(Endpoint.parse("live"), tmp_path).park("p")
    assert (tmp_path / BUDGET_FILE).exists()
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / BUDGET_FILE).write_text("no database, and longer than the header of one")
    with pytest.raises(StoreError, match="remove the file"):
        board_of(Endpoint.parse("live"), tmp_path / "bad")


SPENDER = """
import sys
from pathlib import Path
from edge.execution.budgets import QuotaBoard
board = QuotaBoard(Path(sys.argv[1]))
print(sum(board.spend("p#1", 500) for _ in range(400)))
"""


def test_processes_share_one_budget(tmp_path: Path) -> None:
    path = tmp_path / "b"
    command = [sys.executable, "-c", SPENDER, str(path)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    made = [int(process.communicate(timeout=60)[0]) for process in processes]
    assert sum(made) == 500
    assert not QuotaBoard(path).spend("p#1", 500)


async def test_the_pace_of_a_platform_holds_over_gateways_that_share_a_board(tmp_path: Path) -> None:
    starts: list[float] = []

    def answer(_: Seen) -> Reply:
        starts.append(time.monotonic())
        return GOOD

    async with serving(answer) as server:
        asked = at(server, per_second=20.0)
        boards = [QuotaBoard(tmp_path / "b") for _ in range(2)]
        async with live(boards[0]) as one, live(boards[1]) as two:
            calls = [gateway.call(asked, {"q": str(n)}) for n in range(10) for gateway in (one, two)]
            assert all(outcome.ok for outcome in await asyncio.gather(*calls))
    assert max(starts) - min(starts) >= 0.6  # 0.95 s at this pace, less a late first call; apart they would take half


async def test_a_dead_platform_is_left_alone_until_a_probe_succeeds() -> None:
    alive = [False]
    settings = FAST.model_copy(update={"attempts": 1, "breaker_failures": 4, "breaker_pause_s": 0.2})
    async with (
        serving(lambda _: GOOD if alive[0] else Reply(status=502)) as server,
        client(server, settings) as gateway,
    ):
        dead = tool(hosts=("dead.example",), url="http://dead.example/x")
        for part in "ab":  # one operation that fails does not make a platform dead, three do
            assert await reasons(gateway, replace(dead, url=f"{dead.url}/{part}"), 1) == {"server_error": 1}
        assert await reasons(gateway, dead, 8) == {"server_error": 2, "circuit_open": 6}
        outcome = await gateway.call(dead, {})
        assert (outcome.outcome, outcome.attempts, len(server.seen)) == ("environmental", 0, 4)
        await asyncio.sleep(0.21)
        probes = await asyncio.gather(*(gateway.call(dead, {"q": str(n)}) for n in range(5)))
        assert Counter(probe.reason for probe in probes) == {"server_error": 1, "circuit_open": 4}
        alive[0] = True
        assert await reasons(gateway, tool(hosts=("well.example",), url="http://well.example/x"), 3) == {"ok": 3}
        await asyncio.sleep(0.21)
        assert await reasons(gateway, dead, 5) == {"ok": 5}


@pytest.mark.parametrize(
    "reply",
    [Reply(status=404), Reply(status=503), Reply(rows([], code="77")), Reply("<html></html>"), GOOD],
    ids=["404", "503 of one operation", "a code", "a page", "good"],
)
async def test_a_platform_that_answers_is_not_dead(reply: Reply) -> None:
    settings = FAST.model_copy(update={"attempts": 1, "breaker_failures": 2})
    async with serving(lambda _: reply) as server, client(server, settings) as gateway:
        found = await reasons(gateway, tool(), 6)
    assert found["circuit_open"] == 0
    assert len(server.seen) == 6


async def test_a_moment_in_retry_after_is_obeyed_on_an_outage_too() -> None:
    answered = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=3)  # the server's clock is wrong
    headers = {"Date": format_datetime(answered), "Retry-After": format_datetime(answered + timedelta(seconds=1))}
    replies = [Reply(status=503, headers=headers), GOOD]
    async with serving(lambda _: replies.pop(0)) as server, client(server) as gateway:
        started = time.monotonic()
        outcome = await gateway.call(tool(), {})
    assert outcome.ok
    assert 0.95 < time.monotonic() - started < 5


async def test_a25_calls_become_fewer_at_a_host_that_refuses_many() -> None:
    server: Server
    refused = 0

    async def answer(_: Seen) -> Reply:
        nonlocal refused
        crowded = server.running > 3
        refused += crowded
        return Reply(status=429) if crowded else Reply(rows([{"a": "1"}], 1), delay_s=0.005)

    settings = FAST.model_copy(update={"attempts": 10, "backoff_base_s": 0.02, "backoff_cap_s": 0.05})
    async with serving(answer) as served, client(served, settings) as gateway:
        server = served
        asked = tool(concurrency=16)
        outcomes = await asyncio.gather(*(gateway.call(asked, {"q": str(n)}) for n in range(300)))
    assert all(outcome.ok for outcome in outcomes)
    assert refused < 100, refused
