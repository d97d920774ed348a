"""The sandbox's speed, start and memory, beside a bare Starlette route that returns the same bytes.

Run: python benchmarks/sandbox.py [--seconds 3] [--rounds 3] [--connections 8]

Server and client have a core each (where the machine has two). Both servers run uvicorn in the same way; the bare one
knows the sandbox's answers by heart and returns them from one route. They are measured in turns, round after round, and
the median round counts. Then every operation is called once, with the arguments that the index page finds for it, and
the resident memory of the sandbox is read.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

import httpx

KEY = quote("edge+sandbox/key==", safe="")
GATEWAY = "/apis.data.go.kr"
CASES = {
    "17 cities, JSON": f"{GATEWAY}/1613000/TrainInfo/GetCtyCodeList?_type=json&serviceKey={KEY}",
    "the same, XML": f"{GATEWAY}/1613000/TrainInfo/GetCtyCodeList?serviceKey={KEY}",
    "100 trades, JSON": f"{GATEWAY}/1613000/RTMSDataSvcAptTrade/getRTMSDataSvcAptTrade?LAWD_CD=11680&DEAL_YMD=202604"
    f"&numOfRows=100&_type=json&serviceKey={KEY}",
    "10 schools, JSON": f"/open.neis.go.kr/hub/schoolInfo?Type=json&pSize=10&ATPT_OFCDC_SC_CODE=B10&KEY={KEY}",
    "forecast, JSON": f"{GATEWAY}/1360000/VilageFcstInfoService_2.0/getUltraSrtNcst?dataType=JSON&nx=60&ny=127"
    f"&base_date=20260615&base_time=1000&serviceKey={KEY}",
    "a refusal": f"{GATEWAY}/1613000/TrainInfo/GetCtyCodeList?_type=json&serviceKey=wrong",
}
CORES = os.sched_getaffinity(0)
BARE = """
import json, os, socket, sys
import uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
answers = json.loads(open(sys.argv[1], encoding="utf-8").read())
known = {path: (text.encode(), kind) for path, (text, kind) in answers.items()}
async def answer(request):
    body, kind = known[f"{request.url.path}?{request.url.query}"]
    return Response(body, media_type=None, headers={"content-type": kind})
app = Starlette(routes=[Route("/{rest:path}", answer)])
with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    print(f"listening on http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(app, log_level="critical", access_log=False, server_header=False, http="h11")
    uvicorn.Server(config).run(sockets=[listener])
"""


@dataclass(frozen=True)
class Load:
    """What one server did in one round."""

    rate: float
    p50_ms: float
    p99_ms: float


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[str, int, float]]:
    """A server process on the last core: its URL, its process id and the seconds until it was ready."""
    began = time.perf_counter()
    with subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://[\d.]+:\d+", process.stdout.readline())
        if found is None:
            raise SystemExit("the server did not start")
        ready = time.perf_counter() - began
        os.sched_setaffinity(process.pid, {max(CORES)})
        try:
            yield found[0], process.pid, ready
        finally:
            process.terminate()


async def _connection(host: str, port: int, requests: Sequence[bytes], until: float, times: list[float]) -> None:
    reader, writer = await asyncio.open_connection(host, port)
    turn = 0
    while time.perf_counter() < until:
        began = time.perf_counter()
        writer.write(requests[turn % len(requests)])
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        assert length is not None
        await reader.readexactly(int(length[1]))
        times.append(time.perf_counter() - began)
        turn += 1
    writer.close()


def load(url: str, paths: Sequence[str], seconds: float, connections: int) -> Load:
    """Keep some connections busy for a while."""
    parts = urlsplit(url)
    host, port = str(parts.hostname), int(parts.port or 0)
    requests = [f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode() for path in paths]
    times: list[float] = []

    async def run() -> float:
        began = time.perf_counter()
        until = began + seconds
        await asyncio.gather(*(_connection(host, port, requests, until, times) for _ in range(connections)))
        return time.perf_counter() - began

    took = asyncio.run(run())
    cuts = statistics.quantiles(times, n=100)
    return Load(len(times) / took, statistics.median(times) * 1000, cuts[98] * 1000)


def median(rounds: Sequence[Load]) -> Load:
    """The round in the middle by requests a second."""
    return sorted(rounds, key=lambda one: one.rate)[len(rounds) // 2]


def compare(sandbox: str, seconds: float, rounds: int, connections: int) -> None:
    """Measure every case and all of them in turn, on both servers."""
    with httpx.Client(base_url=sandbox, trust_env=False, timeout=60) as http:
        answers = {path: http.get(path) for path in CASES.values()}
    with tempfile.TemporaryDirectory() as folder:
        known = Path(folder, "answers.json")
        texts = {path: (answer.text, answer.headers["content-type"]) for path, answer in answers.items()}
        known.write_text(json.dumps(texts), encoding="utf-8")
        with serving("-c", BARE, str(known)) as (bare, _, _):
            with httpx.Client(base_url=bare, trust_env=False) as http:
                assert all(http.get(path).content == answer.content for path, answer in answers.items())
            print(f"{'':17}{'bytes':>7}{'sandbox':>15}{'p50':>8}{'p99':>9}{'bare':>15}{'p50':>8}{'p99':>9}{'share':>7}")
            for name, paths in [*((name, [path]) for name, path in CASES.items()), ("all in turn", [*CASES.values()])]:
                pairs = [
                    tuple(load(url, paths, seconds, connections) for url in (sandbox, bare)) for _ in range(rounds)
                ]
                ours, theirs = (median(column) for column in zip(*pairs, strict=True))
                size = sum(len(answers[path].content) for path in paths) // len(paths)
                print(f"{name:17}{size:7,}{_said(ours)}{_said(theirs)}{ours.rate / theirs.rate:7.0%}")


def _said(one: Load) -> str:
    return f"{one.rate:9,.0f} req/s{one.p50_ms:5.1f} ms{one.p99_ms:6.1f} ms"


def touch(url: str) -> tuple[int, int, float]:
    """Call every operation once: how many there are, how many answered with rows, and the seconds it took."""
    began = time.perf_counter()
    with httpx.Client(base_url=url, trust_env=False, timeout=120) as http:
        rows = http.get("/__sandbox__/operations").json()
        answered = sum("<p>HTTP 200" in http.get(row["try"]).text for row in rows)
    return len(rows), answered, time.perf_counter() - began


def resident_mb(pid: int, what: str) -> float:
    """A line of the process's memory: VmRSS is the memory it holds now, VmHWM the most it ever held."""
    found = re.search(rf"{what}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="utf-8"))
    assert found is not None
    return int(found[1]) / 1024


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=8)
    options = parser.parse_args()
    starts: list[float] = []
    for _ in range(3):
        with serving("-m", "edge.sandbox") as (_, _, ready):
            starts.append(ready)
    print(f"start-up {statistics.median(starts):.2f} s (three starts: {', '.join(f'{one:.2f}' for one in starts)})")
    with serving("-m", "edge.sandbox") as (url, pid, _):
        print(f"memory before the first call {resident_mb(pid, 'VmRSS'):.0f} MB")
        if len(CORES) > 1:
            os.sched_setaffinity(0, CORES - {max(CORES)})
        compare(url, options.seconds, options.rounds, options.connections)
        os.sched_setaffinity(0, CORES)
    with serving("-m", "edge.sandbox") as (url, pid, _):
        count, answered, took = touch(url)
        print(f"{count} operations touched in {took:.1f} s, {answered} answered with rows")
        print(f"memory then {resident_mb(pid, 'VmRSS'):.0f} MB, at most {resident_mb(pid, 'VmHWM'):.0f} MB")


if __name__ == "__main__":
    main()
