"""The model layer against a service that counts for itself: whole runs, and how many requests a second pass.

Run: python benchmarks/models.py [--part runs|rate ...] [--target 5] [--requests 600] [--concurrency 16]

`runs`: the same `edge synthesize` (three documents) written offline, by a service in the OpenAI protocol and by one in
    the Anthropic one: seconds, rows, whether `edge verify` accepts the version, and the tokens of its
    `usage` rows beside those that the service counted, which must be equal. A minute or two each.
`rate`: prompts a second through everything that stands around a turn (cache, books, budget, pace, SDK), and what the
    service alone takes for them; each prompt is another one. Then the same prompts once more, from kept answers.

The service is `model_writer_server.py`: a process that answers every prompt from its text, at once.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

from edge.datasets.store import Store
from edge.llm.answers import FinalAnswer
from edge.llm.backends import make_model
from edge.llm.books import FILE, Books
from edge.llm.caching import Shelf
from edge.llm.prompts import load_prompt
from edge.llm.spending import Payer
from edge.settings import LlmSettings

ROOT = Path(__file__).resolve().parents[1]
SPECS = ("juso", "datagokr/mois.yaml", "datagokr/molit.yaml")
PROTOCOLS = ("openai", "anthropic")
TABLE = "models:\n" + "\n".join(
    f"- {{provider: {name}, match: ['*'], price: {{input: 1, output: 4}}}}" for name in PROTOCOLS
)


@contextmanager
def service() -> Iterator[str]:
    """Start the service; give its address."""
    command = [sys.executable, str(ROOT / "benchmarks" / "model_writer_server.py"), "--exit-with-stdin"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def base_of(protocol: str, url: str) -> str:
    """Return the base URL as the protocol's SDK wants it."""
    return f"{url}/v1" if protocol == "openai" else url


def counted(url: str) -> dict[str, int]:
    """Return what the service has counted."""
    return httpx.get(f"{url}/count", trust_env=False, timeout=60).json()


def edge(folder: Path, *command: str) -> tuple[int, float]:
    """Run a command of the shell; return its exit code and seconds. What it says is in `folder`."""
    table = folder / "models.yaml"
    table.write_text(TABLE, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(ROOT), "EDGE_LLM_MODELS": str(table)}
    began = time.monotonic()
    with (folder / f"{command[0]}.log").open("w", encoding="utf-8") as log:
        line = [sys.executable, "-m", "edge.cli", *command, "--outputs", str(folder / "outputs")]
        done = subprocess.run(line, env=environment, cwd=folder, stdout=log, stderr=log, check=False)
    return done.returncode, time.monotonic() - began


def runs(target: int) -> bool:
    """Print the figures of the three runs; return whether all are as they must be."""
    good = True
    for who in ("offline", *PROTOCOLS):
        with tempfile.TemporaryDirectory() as name, service() as url:
            folder = Path(name)
            told = [] if who == "offline" else ["--llm", who, "--model", "writer", "--llm-base-url", base_of(who, url)]
            specs = [str(ROOT / "specs" / spec) for spec in SPECS]
            code, seconds = edge(folder, "synthesize", "--target", str(target), "--seed", "3", *told, "--specs", *specs)
            verified = code == 0 and edge(folder, "verify")[0] == 0
            store, told_by = Store(folder / "outputs"), counted(url)
            rows = store.rows("trajectories") if code == 0 else []
            usage = [row for row in store.rows("usage") if row["provider"] != "offline"] if code == 0 else []
            ours = [sum(int(str(row[kind])) for row in usage) for kind in ("input_tokens", "output_tokens")]
            same = ours == [told_by["input"], told_by["output"]]
            good = good and verified and same
            print(
                f"{who:<10} exit {code} in {seconds:5.0f} s, {len(rows):>3} rows, verified: {verified};"
                f" {told_by['answered']:>4} requests, tokens in/out {ours[0]:,}/{ours[1]:,},"
                f" the service counted {told_by['input']:,}/{told_by['output']:,}: {'equal' if same else 'DIFFERENT'}",
                flush=True,
            )
            if not verified:
                print((folder / "synthesize.log").read_text(encoding="utf-8")[-2000:])
    return good


async def ask_all(protocol: str, url: str, number: int, concurrency: int, path: Path) -> float:
    """Ask `number` different prompts, some at a time; return the seconds."""
    settings = LlmSettings.model_validate({"concurrency": concurrency, "models": path.with_name("models.yaml")})
    shelf, payer = Shelf(Books(path), "run"), Payer("run", "rate", 1e6)
    base = base_of(protocol, url)
    model = make_model(protocol, "writer", base, settings=settings, shelf=shelf, payer=payer)
    prompt, gate = load_prompt("no_call"), asyncio.Semaphore(concurrency)

    async def one(n: int) -> None:
        told = {"today": "2026-06-15", "style": "polite", "act": "ask", "label": f"{n}", "query": f"{n}", "seed": n}
        async with gate:
            await model.answer(prompt, told, FinalAnswer)

    await one(-1)  # loads the SDK and opens a connection
    began = time.monotonic()
    await asyncio.gather(*(one(n) for n in range(number)))
    return time.monotonic() - began


async def bare(url: str, number: int, concurrency: int) -> float:
    """Send as many requests with a plain client; return the seconds."""
    prompt, gate = load_prompt("no_call"), asyncio.Semaphore(concurrency)
    async with httpx.AsyncClient(trust_env=False, timeout=60) as client:

        async def one(n: int) -> None:
            told = {"today": "2026-06-15", "style": "polite", "act": "ask", "label": f"{n}", "query": f"{n}"}
            messages = [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.render(told)}]
            async with gate:
                (await client.post(f"{url}/v1/chat/completions", json={"model": "w", "messages": messages})).json()

        began = time.monotonic()
        await asyncio.gather(*(one(n) for n in range(number)))
        return time.monotonic() - began


def rate(number: int, concurrency: int) -> bool:
    """Print prompts a second; return whether the counts are equal."""
    good = True
    for protocol in PROTOCOLS:
        with tempfile.TemporaryDirectory() as name, service() as url:
            path = Path(name) / FILE
            path.with_name("models.yaml").write_text(TABLE, encoding="utf-8")
            took = asyncio.run(ask_all(protocol, url, number, concurrency, path))
            told, spent = counted(url), Books(path).spent("run")
            again = asyncio.run(ask_all(protocol, url, number, concurrency, path))
            alone = asyncio.run(bare(url, number, concurrency))
            ours = (spent.usage.input_tokens, spent.usage.output_tokens)
            same = ours == (told["input"], told["output"]) and spent.turns == told["answered"]
            good = good and same
            print(
                f"{protocol:<10} {number / took:6.0f} prompts a second ({concurrency} at a time), a plain client"
                f" {number / alone:6.0f}, from kept answers {number / again:7.0f}; {spent.turns} turns,"
                f" tokens {ours[0]:,}/{ours[1]:,}: {'equal' if same else 'DIFFERENT'}",
                flush=True,
            )
    return good


def main(argv: Sequence[str] | None = None) -> int:
    """Print the parts that were asked for; 1 when a count differs or a run is not verified."""
    parser = argparse.ArgumentParser(description="Figures of the model layer.")
    parser.add_argument("--part", nargs="+", choices=("runs", "rate"), default=["rate", "runs"])
    parser.add_argument("--target", type=int, default=5)
    parser.add_argument("--requests", type=int, default=600)
    parser.add_argument("--concurrency", type=int, default=16)
    args = parser.parse_args(argv)
    good = [rate(args.requests, args.concurrency) if part == "rate" else runs(args.target) for part in args.part]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
