"""The process around the world: its clock, its port, its index, how it finds a platform, how it starts and stops."""

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from gateway_client import base_url, fetch
from running import CITIES, CITIES_ID, KEY, TRADES, started

from edge.sandbox.__main__ import parse, settings_of


def _get(path: str, **headers: str) -> httpx.Response:
    return httpx.get(f"{base_url()}{path}", headers=headers, timeout=20, trust_env=False)


def test_every_answer_carries_the_worlds_clock() -> None:
    for path in (CITIES, "/", "/apis.data.go.kr/none", "/no.such.host/", "/__sandbox__/clock", "/__sandbox__/none"):
        assert _get(path).headers.get_list("date") == ["Mon, 15 Jun 2026 01:35:00 GMT"]


def test_statistics_count_calls_by_operation_and_outcome() -> None:
    def now() -> tuple[int, int, int]:
        row = _get("/__sandbox__/statistics").json()
        one = row["operations"].get(CITIES_ID, {"calls": 0, "outcomes": {}})
        return row["calls"], one["calls"], one["outcomes"].get("key_invalid", 0)

    before = now()
    _get(CITIES)
    _get(CITIES.replace(KEY, "wrong"))
    assert [after - was for after, was in zip(now(), before, strict=True)] == [2, 2, 1]


def test_a_platform_is_found_by_the_host_header_too() -> None:
    """A client that cannot change its base URL may map the platform's name to loopback."""
    path = CITIES.removeprefix("/apis.data.go.kr")
    for host in ("apis.data.go.kr", "APIS.data.go.kr:8700"):
        assert '"citycode":11' in _get(path, Host=host).text
    assert _get(path).status_code == 404
    # A port of the platform's own is part of its name.
    assert "INFO-100" in _get("/wrong/json/SearchSTNBySubwayLineInfo/1/5/", Host="openapi.seoul.go.kr:8088").text
    # There the pages of the sandbox itself are paths like any other that nobody has.
    assert ">12</returnReasonCode>" in _get("/__sandbox__/statistics", Host="apis.data.go.kr").text


def test_it_may_be_used_as_a_proxy() -> None:
    proxy = httpx.HTTPTransport(proxy=base_url())
    with httpx.Client(mounts={"http://": proxy}, trust_env=False) as http:
        assert '"citycode":11' in http.get(f"http:/{CITIES}").text
        assert http.get("http://nobody.example/").status_code == 404


@pytest.mark.parametrize(
    ("content_type", "body", "expected"),
    [
        ("application/x-www-form-urlencoded", f"LAWD_CD=11680&DEAL_YMD=202605&serviceKey={KEY}", "000"),
        ("application/json", '{"LAWD_CD": "11680", "DEAL_YMD": 202605, "serviceKey": "edge+sandbox/key=="}', "000"),
        ("application/json", "{ no json", "20"),
        ("application/json", '["a", "list"]', "20"),
        ("application/json", "[" * 100_000, "20"),
        ("text/plain", "\xff\xfe", "20"),
    ],
)
def test_parameters_may_come_in_a_body(content_type: str, body: str, expected: str) -> None:
    path = TRADES.partition("?")[0]
    headers = {"content-type": content_type}
    answer = httpx.post(f"{base_url()}{path}", content=body, headers=headers, trust_env=False)
    assert f">{expected}</" in answer.text


def test_a_body_above_the_limit_is_refused() -> None:
    answer = httpx.post(f"{base_url()}{TRADES}", content=b"a" * (2 << 20), trust_env=False)
    assert answer.status_code == 413
    assert _get(CITIES).status_code == 200


def test_another_seed_and_date_is_another_world_that_stops_cleanly() -> None:
    today = ("--seed", "11", "--today", "2026-03-10", "--time", "09:05", "--key", "my own key")
    with started("--exit-with-parent", *today) as (url, process):
        query = "/apis.data.go.kr/1613000/BusRouteInfoInqireService/getRouteNoList?cityCode=12&_type=json&serviceKey="
        answer = httpx.get(f"{url}{query}my%20own%20key", timeout=30, trust_env=False)
        assert answer.headers["date"] == "Tue, 10 Mar 2026 00:05:00 GMT"
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


def test_the_command_hands_its_options_on(tmp_path: Path) -> None:
    script = tmp_path / "timeline.json"
    script.write_text('[{"fault": "html=418"}]', "utf-8")
    command = [sys.executable, "-m", "edge.cli", "sandbox", "--port", "0"]
    given = f"--today 2026-07-01 --time 08:15 --timeline {script} --quota-per-day 4 --latency-ms 1 --fault-kinds html"
    with subprocess.Popen([*command, *given.split()], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        answer = httpx.get(f"{url}{CITIES}", trust_env=False)
        process.terminate()
    assert (answer.status_code, answer.headers["date"]) == (418, "Tue, 30 Jun 2026 23:15:00 GMT")
    wrong = [*command, "--fault-kinds", "fire"]
    done = subprocess.run(wrong, capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "unknown fault 'fire'" in done.stderr


def test_options_become_settings(tmp_path: Path) -> None:
    script = tmp_path / "timeline.yaml"
    script.write_text("- {fault: drip=900, operation: a.b, calls: 2..3}\n", "utf-8")
    line = f"--fault-rate 0.25 --fault-kinds throttled=9,html --timeline {script} --quota-per-day 5 --latency-ms 20"
    settings = settings_of(parse([*line.split(), "--today", "2026-01-02", "--seed", "3", "--quota-per-second", "2"]))
    assert (settings.today.month, settings.latency_ms, settings.plan.seed) == (1, 20, 3)
    assert (settings.quota_per_day, settings.quota_per_second) == (5, 2)
    assert settings.plan.row() == {
        "seed": 3,
        "rate": 0.25,
        "kinds": ["throttled=9", "html=200"],
        "timeline": [
            {"fault": "drip=900", "operation": "a.b", "path": "", "calls": "2..3", "rate": 1.0, "together": False}
        ],
    }


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--today", "yesterday", "yesterday"),
        ("--today", "2019-01-01", "from 2025-01-01 to 2027-12-31"),
        ("--time", "25:00", "hour"),
        ("--fault-rate", "2", "from 0 to 1"),
        ("--fault-kinds", "html,fire", "unknown fault 'fire'"),
        ("--fault-kinds", "server_error=200", "a status like 502"),
        ("--quota-per-day", "-1", "negative"),
        ("--timeline", "/nowhere/at/all.yaml", "No such file"),
    ],
)
def test_options_are_checked(option: str, value: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        parse([option, value])
    (error,) = capsys.readouterr().err.splitlines()
    assert raised.value.code == 2
    assert option in error
    assert words in error
