"""Calls against real sockets: retries, quota, limits, TLS, recording (cases A07, A08, A22, A24, A25, A26, D10)."""

from __future__ import annotations

import asyncio
import gzip
import unicodedata
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from wireserver import FAST, Reply, Seen, client, rows, serving, tool

from edge.execution.budgets import QuotaBoard
from edge.execution.endpoint import KST, Endpoint
from edge.execution.gateway import GatewayClient
from edge.execution.keys import Keys
from edge.execution.limits import Backoff, HostGate, Pace
from edge.execution.recording import OUTCOME_COLUMNS, RunLog, placed
from edge.settings import ExecutionSettings

GOOD = Reply(rows([{"a": "1"}], 1))
QUOTA = Reply(rows([], code="22"))


async def test_a_call_and_its_row() -> None:
    log = RunLog("run-1")
    async with serving(lambda _: GOOD) as server, client(server, recorder=log) as gateway:
        with log.step("task", "step"):
            first = await gateway.call(tool(), {"q": "서울"})
        second = await gateway.call(tool(), {"q": "서울"})
        other = await gateway.call(tool(), {"q": "부산"})
    assert (first.outcome, first.reason, first.records, first.total, first.complete) == (
        "ok",
        "ok",
        ({"a": "1"},),
        1,
        True,
    )
    assert (first.status_code, first.attempts, first.pages) == (200, 1, 1)
    assert first.latency_ms > 0
    assert first.response_hash == second.response_hash != ""
    assert len({first.outcome_id, second.outcome_id, other.outcome_id}) == 3
    assert tuple(log.rows()[0]) == OUTCOME_COLUMNS
    assert [row["task_id"] for row in log.rows()] == ["", "", "task"]
    assert '"serviceKey":"***"' in str(log.rows()[0]["request"])
    async with serving(lambda _: GOOD) as server, client(server) as gateway:
        with placed("task", "step"):
            assert (await gateway.call(tool(), {"q": "서울"})).outcome_id == first.outcome_id


async def test_d10_arguments_are_composed_before_they_leave() -> None:
    async with serving(lambda _: GOOD) as server, client(server) as gateway:
        await gateway.call(tool(), {"q": unicodedata.normalize("NFD", "서울")})
    assert server.seen[0].query["q"] == "서울"


def scripted(*replies: Reply) -> tuple[list[Reply], object]:
    left = list(replies)
    return left, lambda _: left.pop(0) if len(left) > 1 else left[0]


@pytest.mark.parametrize(
    "bad", [Reply(status=503), Reply(drop=True), Reply('{"a":1,}'), Reply(""), Reply("<html></html>")]
)
async def test_what_can_pass_is_tried_again(bad: Reply) -> None:
    _, handler = scripted(bad, bad, GOOD)
    async with serving(handler) as server, client(server) as gateway:  # type: ignore[arg-type]
        outcome = await gateway.call(tool(), {})
    assert (outcome.outcome, outcome.attempts, len(server.seen)) == ("ok", 3, 3)


async def test_attempts_end() -> None:
    async with serving(lambda _: Reply(status=500)) as server, client(server) as gateway:
        outcome = await gateway.call(tool(), {})
    assert (outcome.outcome, outcome.reason, outcome.status_code, outcome.attempts) == (
        "environmental",
        "server_error",
        500,
        3,
    )
    assert len(server.seen) == 3


@pytest.mark.parametrize("reply", [Reply(status=403), Reply(status=404), Reply(rows([], code="10")), Reply(rows([]))])
async def test_what_cannot_pass_is_not(reply: Reply) -> None:
    async with serving(lambda _: reply) as server, client(server) as gateway:
        await gateway.call(tool(), {})
    assert len(server.seen) == 1


async def test_retry_after_is_obeyed_up_to_its_cap_and_slows_the_host() -> None:
    _, handler = scripted(Reply(status=429, headers={"Retry-After": "600"}), GOOD)
    settings = FAST.model_copy(update={"retry_after_cap_s": 0.15})
    async with serving(handler) as server, client(server, settings) as gateway:  # type: ignore[arg-type]
        started = asyncio.get_running_loop().time()
        outcome = await gateway.call(tool(), {})
        assert 0.14 < asyncio.get_running_loop().time() - started < 2
    assert (outcome.outcome, outcome.attempts) == ("ok", 2)


async def test_a08_quota_parks_the_platform_until_the_day_turns() -> None:
    now = [datetime(2026, 5, 4, 22, 0, tzinfo=KST)]
    board = QuotaBoard(now=lambda: now[0])
    async with serving(lambda _: QUOTA) as server, client(server, quota=board) as gateway:
        outcomes = await asyncio.gather(*(gateway.call(tool(), {"q": str(n)}) for n in range(500)))
        reasons = Counter(outcome.reason for outcome in outcomes)
        assert reasons["quota"] + reasons["quota_parked"] == 500
        assert len(server.seen) <= 8  # those in flight when the first refusal came
        assert all(outcome.outcome == "environmental" for outcome in outcomes)
        assert board.platforms == ("portal",)
        before = len(server.seen)
        assert (await gateway.call(tool(platform="other"), {})).reason == "quota"
        assert len(server.seen) == before + 1
        now[0] += timedelta(hours=2, seconds=1)
        assert (await gateway.call(tool(), {})).reason == "quota"
        assert len(server.seen) == before + 2


async def test_a07_counters_add_up() -> None:
    replies = {"0": Reply(status=403), "1": Reply(status=404), "2": Reply(status=503), "3": GOOD, "4": Reply(rows([]))}
    log = RunLog("r")
    async with serving(lambda seen: replies[seen.query["q"]]) as server, client(server, recorder=log) as gateway:
        await asyncio.gather(*(gateway.call(tool(), {"q": str(n % 5)}) for n in range(25)))
    assert Counter(f"{row['outcome']}:{row['reason']}" for row in log.rows()) == {
        "empty:no_data": 5, "environmental:key_rejected": 5, "environmental:server_error": 5, "ok:ok": 5,
        "structural:not_found": 5,
    }  # fmt: skip
    assert len(log) == 25
    assert [row["outcome_id"] for row in log.rows()] == sorted(str(row["outcome_id"]) for row in log.rows())


async def test_a25_concurrency_stays_under_the_hosts_cap() -> None:
    async with serving(lambda _: Reply(rows([{"a": "1"}]), delay_s=0.005)) as server, client(server) as gateway:
        tested = tool(concurrency=4)
        outcomes = await asyncio.gather(*(gateway.call(tested, {"q": str(n)}) for n in range(100)))
    assert server.peak <= 4
    assert all(outcome.ok for outcome in outcomes)


async def test_a26_a_slow_success_is_a_success_and_silence_a_timeout() -> None:
    def handler(seen: Seen) -> Reply:
        return Reply(rows([{"a": "1"}]), delay_s=float(seen.query["q"]))

    settings = FAST.model_copy(update={"attempts": 1})
    async with serving(handler) as server, client(server, settings) as gateway:
        tested = tool(timeout_s=0.5)
        slow, silent = await asyncio.gather(gateway.call(tested, {"q": "0.2"}), gateway.call(tested, {"q": "2"}))
    assert slow.ok
    assert slow.latency_ms >= 200
    assert (silent.outcome, silent.reason) == ("environmental", "timeout")


async def test_a_trickle_ends_at_the_deadline() -> None:
    settings = FAST.model_copy(update={"attempts": 1, "deadline_s": 0.2})
    raw = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"
    async with serving(lambda _: Reply(raw=raw)) as server, client(server, settings) as gateway:
        assert (await gateway.call(tool(), {})).reason == "timeout"


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"nonsense\r\n\r\n", "protocol"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", "protocol"),
    ],
)
async def test_broken_http_has_a_name(raw: bytes, reason: str) -> None:
    async with serving(lambda _: Reply(raw=raw)) as server, client(server) as gateway:
        assert (await gateway.call(tool(), {})).reason == reason


async def test_nobody_listens() -> None:
    async with serving(lambda _: GOOD) as server:
        pass
    async with client(server) as gateway:
        outcome = await gateway.call(tool(), {})
    assert (outcome.outcome, outcome.reason, outcome.status_code, outcome.attempts) == (
        "environmental",
        "connect",
        None,
        3,
    )


async def test_size_is_capped_while_reading_also_when_packed() -> None:
    settings = FAST.model_copy(update={"max_response_bytes": 10_000})
    packed = Reply(gzip.compress(b"0" * 1_000_000), headers={"Content-Encoding": "gzip"})
    for reply in (Reply(b"0" * 20_000), packed):
        async with serving(lambda _, reply=reply: reply) as server, client(server, settings) as gateway:
            outcome = await gateway.call(tool(), {})
        assert (outcome.outcome, outcome.reason, outcome.attempts) == ("environmental", "too_large", 1)
    small = Reply(gzip.compress(GOOD.encoded().partition(b"\r\n\r\n")[2]), headers={"Content-Encoding": "gzip"})
    async with serving(lambda _: small) as server, client(server, settings) as gateway:
        assert (await gateway.call(tool(), {})).ok


async def test_a24_a_host_without_working_tls_is_named_and_not_tried_again() -> None:
    connections: list[asyncio.StreamWriter] = []

    def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    listener = await asyncio.start_server(greet, "127.0.0.1", 0)
    url = f"https://127.0.0.1:{listener.sockets[0].getsockname()[1]}/x"
    settings = FAST.model_copy(update={"allowed_private": ("127.0.0.0/8",)})
    async with listener, GatewayClient(Endpoint(), Keys({"EDGE_KEY_PORTAL": "k" * 9}), settings=settings) as gateway:
        outcome = await gateway.call(tool(url=url, ciphers="DEFAULT"), {})
    assert (outcome.outcome, outcome.reason, outcome.attempts, len(connections)) == ("environmental", "tls", 1, 1)


def test_a24_verification_is_never_switched_off() -> None:
    source = "".join(path.read_text() for path in (Path(__file__).parents[2] / "edge" / "execution").glob("*.py"))
    assert "verify=False" not in source
    assert "CERT_NONE" not in source
    assert "check_hostname" not in source


async def test_connections_are_kept() -> None:
    ports: set[str] = set()
    async with serving(lambda _: GOOD) as server, client(server) as gateway:
        for n in range(20):
            await gateway.call(tool(), {"q": str(n)})
        ports.update(seen.headers["host"] for seen in server.seen)
        opened = len(gateway._reader._transport.connections.opened)
    assert (opened, len(ports)) == (1, 1)


async def test_starts_are_spaced() -> None:
    gate = HostGate(4, Pace(0.03))

    async def enter() -> None:
        async with gate.slot():
            pass

    started = asyncio.get_running_loop().time()
    await asyncio.gather(*(enter() for _ in range(4)))
    assert asyncio.get_running_loop().time() - started >= 0.085


def test_waits_are_reproducible_and_bounded() -> None:
    def waits(seed: int) -> list[float]:
        backoff = Backoff(seed, "call", base_s=0.2, cap_s=5)
        return [backoff.wait_s(n) for n in range(1, 12)]

    assert waits(1) == waits(1) != waits(2)
    assert all(0 <= wait <= min(5, 0.2 * 2**n) for n, wait in enumerate(waits(1)))


def test_settings_read_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from edge.settings import Settings

    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("EDGE_SEED=7\nEDGE_KEY_DATAGOKR=x\nOTHER=1\n")
    monkeypatch.setenv("EDGE_EXECUTION_MAX_RECORDS", "5")
    monkeypatch.setenv("EDGE_LLM_BASE_URL", "http://x")
    settings = Settings()
    assert (settings.seed, settings.execution.max_records, settings.llm.base_url) == (7, 5, "http://x")
    assert settings.execution.attempts == ExecutionSettings().attempts == 3
    assert "EDGE_KEY" not in settings.model_dump_json()


async def test_ids_of_outcomes_do_not_depend_on_which_task_asks_first() -> None:
    found: list[dict[str, list[str]]] = []
    for order in (("t1", "t2"), ("t2", "t1")):
        asked: dict[str, list[str]] = {"t1": [], "t2": []}
        async with serving(lambda _: GOOD) as server, client(server) as gateway:
            for task in order:
                with placed(task, "s1"):
                    for _ in range(2):
                        asked[task].append((await gateway.call(tool(), {})).outcome_id)
        found.append(asked)
    assert found[0] == found[1]
    assert len({*found[0]["t1"], *found[0]["t2"]}) == 4
