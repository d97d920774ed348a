"""The engine's speed beside a bare httpx client, its memory over many calls, and the reading of a very long list.

Run: python benchmarks/execution.py [--calls 200000] [--seconds 4] [--rounds 5] [--part rate|memory|list]

`rate`: the gateway client as stages build it (key, encoding, envelope, outcome, row of the log; without and with the
recording) against a sandbox process, beside `httpx.AsyncClient` calling the same URLs from as many workers and reading
the bodies, in turns; the median round counts. The last line is what a run asks: calls drawn from the first round of an
exploration of all bundled tools; those above show where the time goes as bodies grow. Server and client have a core
each (where the machine has two). Where the server is the slower of the two it evens out the rates, so the client's own
processor time for a call is shown as well.
`memory`: resident memory over calls that are all different, their rows let go; then what a row of the log takes.
`list`: the longest collection of the sandbox, read through paging into one outcome.
Each part runs in a process of its own, so that peaks are its own.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice, product
from pathlib import Path

import httpx

from edge.calls import Arguments, Caller, Outcome
from edge.embedding import LexicalEmbedder
from edge.execution.endpoint import Endpoint
from edge.execution.gateway import GatewayClient
from edge.execution.keys import Keys
from edge.execution.paging import page_values
from edge.execution.recording import Recorder, RunLog
from edge.execution.request import WireRequest, build_request
from edge.execution.takes import RecordedRun
from edge.execution.tapes import RecordingTape
from edge.links.candidates import propose
from edge.links.exploration import ExplorationSettings, Explorer
from edge.links.feasibility import judge, offline_feasibility
from edge.links.fillers import Filler, ValuePool
from edge.llm.backends import make_model
from edge.llm.prompts import load_prompt
from edge.plans.sayings import say_parameter
from edge.sandbox_process import SandboxProcess
from edge.settings import ExecutionSettings
from edge.specs.compile import BUNDLED_SPECS, compile_paths
from edge.specs.model import Tool

TARGET = 0.75
CORES = os.sched_getaffinity(0)
LONGEST = "assembly.VCONFBILLLIST"
RUN = "calls of a run"
FORECAST = "VilageFcstInfoService_2.0.getUltraSrtNcst"
CASES: dict[str, tuple[str, dict[str, str]]] = {
    "17 cities": ("TrainInfo.GetCtyCodeList", {}),
    "forecast": (FORECAST, {"nx": "60", "ny": "127", "base_date": "20260615", "base_time": "1000"}),
    "100 trades": ("RTMSDataSvcAptTrade.getRTMSDataSvcAptTrade", {"LAWD_CD": "11680", "DEAL_YMD": "202604"}),
    "100 schools": ("neis.schoolInfo", {"ATPT_OFCDC_SC_CODE": "B10"}),
    "addresses": ("addrlink.addrLinkApi", {"keyword": "세종대로"}),
}
Work = Callable[[int], Awaitable[object]]


@dataclass(frozen=True)
class Speed:
    """What a client did in a round: calls a second, and milliseconds of its processor for a call."""

    rate: float
    cpu_ms: float


class Counting:
    """Makes the row of every outcome, as the log of a run does, and lets it go."""

    def __init__(self) -> None:
        self.log = RunLog("run")
        self.failed = 0

    def record(self, outcome: Outcome) -> None:
        """Note the outcome in a log that is thrown away when it has a thousand rows."""
        self.log.record(outcome)
        self.failed += outcome.outcome in ("structural", "environmental")
        if len(self.log) >= 1000:
            self.log = RunLog("run")


def tools(*platforms: str) -> dict[str, Tool]:
    """The bundled tools of some platforms by operation key."""
    return {t.operation_key: t for t in compile_paths([BUNDLED_SPECS / name for name in platforms]).tools}


@asynccontextmanager
async def engine(
    url: str, recorder: Recorder, *, folder: Path | None, **settings: int
) -> AsyncGenerator[GatewayClient]:
    """The gateway client as `edge/stages/context.py` opens it; with a `folder` everything heard is recorded there."""
    keys, place = Keys.demo(), Endpoint.parse(url)
    run = RecordedRun("run", url, date(2026, 6, 15))
    with RecordingTape(folder / "take", run, keys.redactor) if folder else nullcontext() as tape:
        chosen = ExecutionSettings.model_validate(settings)
        async with GatewayClient(place, keys, settings=chosen, recorder=recorder, tape=tape) as client:
            yield client


def wire_url(url: str, tool: Tool, arguments: dict[str, str]) -> str:
    """The URL that the engine asks for: the sandbox's, with the key."""
    paging = tool.profile.paging
    page = page_values(paging, 0, paging.page_size) if paging else {}
    keys = [Keys.demo().get(auth) or "" for auth in tool.profile.keys]
    request = build_request(tool, arguments, keys=keys, page=page)
    if not isinstance(request, WireRequest) or request.body is not None:
        raise SystemExit(f"{tool.operation_key} is no plain call")
    return Endpoint.parse(url).wire_url(request.url)


async def busy(work: Work, workers: int, seconds: float) -> Speed:
    """Keep some workers busy for a while."""
    made = 0
    began, cpu = time.perf_counter(), time.process_time()

    async def worker() -> None:
        nonlocal made
        while time.perf_counter() - began < seconds:
            made += 1
            await work(made)

    await asyncio.gather(*(worker() for _ in range(workers)))
    return Speed(made / (time.perf_counter() - began), (time.process_time() - cpu) / made * 1000)


class Noting:
    """A caller that remembers what was called."""

    def __init__(self, inner: Caller) -> None:
        self.inner = inner
        self.made: list[tuple[Tool, dict[str, str]]] = []

    async def call(self, tool: Tool, arguments: Arguments, *, all_pages: bool = False) -> Outcome:
        """Execute the call and note it, where it is one page of plain size that a bare client can ask for as well."""
        outcome = await self.inner.call(tool, arguments, all_pages=all_pages)
        plain = tool.method == "GET" and not any(auth.token for auth in tool.profile.keys)
        if plain and outcome.attempts == 1 and len(outcome.records) < 1000:
            self.made.append((tool, dict(arguments)))
        return outcome


async def run_calls(url: str, number: int = 400) -> list[tuple[Tool, dict[str, str]]]:
    """Calls that an exploration of the bundled tools makes in its first round, drawn at random."""
    known = compile_paths([BUNDLED_SPECS]).tools
    by_id = {tool.tool_id: tool for tool in known}
    model = make_model("offline", None, None, handlers={"link_feasibility": offline_feasibility})
    judged = await judge(propose(known, LexicalEmbedder()), by_id, model, load_prompt("link_feasibility"))
    filler = Filler(datetime(2026, 6, 15, 10, 35), ValuePool(), say_parameter)
    explorer = Explorer(known, judged.links, filler, ExplorationSettings(), seed=0, as_of="2026-06-15T01:35:00+00:00")
    async with engine(url, Counting(), folder=None) as client:
        caller = Noting(client)
        await explorer.enter(caller)
        await explorer.round(caller)
    return random.Random(0).sample(caller.made, min(number, len(caller.made)))


def median(rounds: Sequence[Speed]) -> Speed:
    """The medians of the rounds."""
    return Speed(statistics.median(r.rate for r in rounds), statistics.median(r.cpu_ms for r in rounds))


async def compare(url: str, seconds: float, rounds: int, most: int) -> None:
    """Measure every case and all of them in turn: bare, engine, engine with the recording."""
    known = tools("datagokr", "neis", "juso")
    cases = {name: [(known[key], given)] for name, (key, given) in CASES.items()}
    cases["these in turn"] = [one for case in cases.values() for one in case]
    cases[RUN] = await run_calls(url)
    verdict = ""
    print(f"{'calls a second':19}{'workers':>8}{'httpx':>8}{'engine':>8}{'ratio':>7}{'recording':>11}{'ratio':>7}"
          f"   ms of processor a call: httpx, engine, recording")  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        counting = Counting()
        async with (
            httpx.AsyncClient(trust_env=False, timeout=30) as bare,
            engine(url, counting, folder=None) as plain,
            engine(url, counting, folder=Path(folder)) as recording,
        ):
            for name, calls in cases.items():
                workers = most if name == RUN else min(most, *(tool.profile.concurrency for tool, _ in calls))
                urls = [wire_url(url, tool, given) for tool, given in calls]

                async def ask(n: int, urls: list[str] = urls) -> None:
                    await bare.get(urls[n % len(urls)])

                def through(client: GatewayClient, calls: list[tuple[Tool, dict[str, str]]] = calls) -> Work:
                    async def call(n: int) -> None:
                        await client.call(*calls[n % len(calls)])

                    return call

                spell = 3 * seconds if name == RUN else seconds  # every call of it should have its turn
                ways = (ask, through(plain), through(recording))
                for way in ways:
                    await busy(way, workers, 0.3)  # connections are there from now on
                found = [[await busy(way, workers, spell) for way in ways] for _ in range(rounds)]
                http, ours, kept = (median(column) for column in zip(*found, strict=True))
                first, second = (statistics.median(r[i].rate / r[0].rate for r in found) for i in (1, 2))
                if name == RUN:
                    verdict = f"{_met(first)}, with the recording {_met(second)}"
                print(f"{name:19}{workers:8}{http.rate:8.0f}{ours.rate:8.0f}{first:7.2f}{kept.rate:11.0f}{second:7.2f}"
                      f"   {http.cpu_ms:.2f} {ours.cpu_ms:.2f} {kept.cpu_ms:.2f}", flush=True)  # fmt: skip
        print(f"target: {TARGET} of httpx, {RUN}: {verdict}; {counting.failed} outcomes were failures")


def _met(ratio: float) -> str:
    return f"{ratio:.2f} {'reached' if ratio >= TARGET else 'missed'}"


def resident_mb(what: str = "VmRSS") -> float:
    """This process's memory: VmRSS is what it holds now, VmHWM the most it ever held."""
    found = re.search(rf"{what}:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="utf-8"))
    assert found is not None
    return int(found[1]) / 1024


def different() -> Iterator[dict[str, str]]:
    """Arguments of the forecast, none of them twice."""
    for hour, nx, ny in product(range(24), range(1, 150), range(1, 254)):
        yield {"nx": str(nx), "ny": str(ny), "base_date": "20260615", "base_time": f"{hour:02d}00"}


async def remember(url: str, calls: int, workers: int) -> None:
    """Print the memory at every quarter of the calls."""
    tool = tools("datagokr")[FORECAST]
    counting, rest = Counting(), different()
    with tempfile.TemporaryDirectory() as folder:
        async with engine(url, counting, folder=Path(folder)) as client:

            async def take(given: Iterator[dict[str, str]]) -> None:
                for one in given:
                    await client.call(tool, one)

            warm = min(2000, calls // 4)
            await take(islice(rest, warm))
            began, start = time.perf_counter(), resident_mb()
            print(f"memory after {warm:,} calls {start:.1f} MB", flush=True)
            for quarter in range(1, 5):
                shared = islice(rest, calls // 4)
                await asyncio.gather(*(take(shared) for _ in range(workers)))
                print(f"  after {quarter * calls // 4:,} more {resident_mb():.1f} MB", flush=True)
            took, grown = time.perf_counter() - began, resident_mb() - start
            kept = size_mb(Path(folder))
            print(f"  {grown * 2**20 / calls:.0f} bytes a call; {calls / took:.0f} calls/s; recording {kept:.0f} MB; "
                  f"{counting.failed} failed; a log keeps {await row_bytes(client, tool):.0f} bytes a row")  # fmt: skip


def size_mb(folder: Path) -> float:
    """What lies in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 2**20


async def row_bytes(client: GatewayClient, tool: Tool, rows: int = 20_000) -> float:
    """What a row of the log takes for as long as its batch is open."""
    log, outcome = RunLog("run"), await client.call(tool, next(different()))
    before = resident_mb()
    for _ in range(rows):
        log.record(outcome)
    return (resident_mb() - before) * 2**20 / rows


async def read_list(url: str) -> None:
    """Read the longest list and print what it took."""
    tool = tools("assembly")[LONGEST]
    for recorded in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            log, before = RunLog("run"), resident_mb()
            place = Path(folder) if recorded else None
            async with engine(url, log, folder=place, max_pages=1000, max_records=1_000_000) as client:
                began = time.perf_counter()
                outcome = await client.call(tool, {}, all_pages=True)
                took = time.perf_counter() - began
            print(f"{LONGEST}: {len(outcome.records):,} of {outcome.total:,} rows in {outcome.pages} pages, "
                  f"complete: {outcome.complete}, {outcome.reason}; {took:.1f} s{', recorded' if recorded else ''}; "
                  f"memory {before:.0f} MB before, at most {resident_mb('VmHWM'):.0f} MB", flush=True)  # fmt: skip
            del outcome


def part(options: argparse.Namespace) -> None:
    """Run one part against a sandbox of its own."""
    with SandboxProcess() as sandbox:
        if len(CORES) > 1 and sandbox.pid is not None:
            os.sched_setaffinity(sandbox.pid, {max(CORES)})
            os.sched_setaffinity(0, CORES - {max(CORES)})
        if options.part == "rate":
            asyncio.run(compare(sandbox.url, options.seconds, options.rounds, options.workers))
        elif options.part == "memory":
            asyncio.run(remember(sandbox.url, options.calls, options.workers))
        else:
            asyncio.run(read_list(sandbox.url))


def main() -> None:
    """Print everything, or one part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=200_000, help="over which memory is watched")
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--workers", type=int, default=8, help="a profile may allow fewer")
    parser.add_argument("--part", choices=("rate", "memory", "list"))
    options = parser.parse_args()
    if options.part:
        part(options)
        return
    for name in ("rate", "list", "memory"):
        subprocess.run([sys.executable, __file__, *sys.argv[1:], "--part", name], check=True)


if __name__ == "__main__":
    main()
