"""The process around the world: its clock, its port, its faults, and how it starts and stops."""

import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from gateway_client import base_url, fetch

from edge.sandbox.__main__ import parse
from edge.sandbox.faults import FAULT_KINDS, FaultPlan

KEY = "edge%2Bsandbox%2Fkey%3D%3D"
CITIES = f"/apis.data.go.kr/1613000/TrainInfo/GetCtyCodeList?_type=json&serviceKey={KEY}"


@contextmanager
def started(*arguments: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    command = [sys.executable, "-m", "edge.sandbox", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.fullmatch(r"EDGE sandbox listening on (http://127\.0\.0\.1:\d+)\n", line)
        assert found, line
        try:
            yield found[1], process
        finally:
            if process.poll() is None:
                process.terminate()


def _get(path: str, **headers: str) -> httpx.Response:
    return httpx.get(f"{base_url()}{path}", headers=headers, timeout=20, trust_env=False)


def test_every_answer_carries_the_worlds_clock() -> None:
    for path in (CITIES, "/", "/apis.data.go.kr/none", "/no.such.host/"):
        assert _get(path).headers.get_list("date") == ["Mon, 15 Jun 2026 01:35:00 GMT"]


def test_index_links_operations_and_stats_count_them() -> None:
    page = _get("/").text
    assert "TrainInfo.GetCtyCodeList" in page
    assert "href='/apis.data.go.kr/1613000/TrainInfo/GetCtyCodeList'" in page
    before = _get("/__sandbox__/stats").json().get("TrainInfo.GetCtyCodeList", 0)
    _get(CITIES)
    assert _get("/__sandbox__/stats").json()["TrainInfo.GetCtyCodeList"] == before + 1


@pytest.mark.parametrize(
    ("kind", "status", "text"),
    [
        ("429", 429, "API rate limit exceeded"),
        ("503", 503, "<html"),
        ("quota", 200, "<returnReasonCode>22</returnReasonCode>"),
        ("rate", 200, "<returnReasonCode>23</returnReasonCode>"),
        ("delay", 200, '"citycode":11'),
        ("unheard-of", 200, '"citycode":11'),
    ],
)
def test_a_fault_can_be_forced(kind: str, status: int, text: str) -> None:
    answer = _get(CITIES, **{"X-Edge-Fault": kind})
    assert answer.status_code == status
    assert text in answer.text


def test_a_connection_can_be_cut() -> None:
    with pytest.raises(httpx.RemoteProtocolError):
        _get(CITIES, **{"X-Edge-Fault": "closed"})
    assert _get(CITIES).status_code == 200


def test_faults_repeat_with_the_seed() -> None:
    plans = [FaultPlan(seed, 0.3) for seed in (1, 1, 2)]
    kinds = [[plan.next_kind("") for _ in range(200)] for plan in plans]
    assert kinds[0] == kinds[1] != kinds[2]
    assert 30 < sum(kind is not None for kind in kinds[0]) < 90
    assert {kind for kind in kinds[0] if kind} == set(FAULT_KINDS)


def test_another_seed_and_date_is_another_world_that_stops_cleanly() -> None:
    today = ("--seed", "11", "--today", "2026-03-10", "--key", "my own key")
    with started("--exit-with-parent", *today) as (url, process):
        query = "/apis.data.go.kr/1613000/BusRouteInfoInqireService/getRouteNoList?cityCode=12&_type=json&serviceKey="
        answer = httpx.get(f"{url}{query}my%20own%20key", timeout=30, trust_env=False)
        assert answer.headers["date"] == "Tue, 10 Mar 2026 01:35:00 GMT"
        assert answer.json()["response"]["body"]["items"]["item"]
        assert answer.text != fetch("apis.data.go.kr", f"{query.partition('kr')[2]}{KEY}").text
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=10) == 0


def test_a_taken_port_is_said_in_one_line() -> None:
    port = base_url().rpartition(":")[2]
    done = subprocess.run(
        [sys.executable, "-m", "edge.sandbox", "--port", port], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert f"127.0.0.1:{port}" in done.stderr


def test_leaves_with_its_parent() -> None:
    script = (
        "import subprocess, sys\n"
        "command = [sys.executable, '-m', 'edge.sandbox', '--exit-with-parent']\n"
        "child = subprocess.Popen(command, stdout=subprocess.PIPE)\n"
        "print(child.stdout.readline().decode(), end='', flush=True)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=False)
    port = int(done.stdout.strip().rpartition(":")[2])
    for _ in range(60):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return
        time.sleep(0.1)
    raise AssertionError("the sandbox outlived its parent")


def test_options_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse(["--today", "2026-01-02"]).today.month == 1
    with pytest.raises(SystemExit):
        parse(["--today", "yesterday"])
    assert "--today" in capsys.readouterr().err
