"""The whole pipeline with a real small model: what it writes, what is rejected and why, and what that takes.

Run: make test-model [SIZE=1.5b] [ARGS="--protocol anthropic"]
     python benchmarks/real_model.py [--size 0.5b] [--target 3] [--protocol anthropic]
     [--effort N] [--stages STAGE ...] [--offered N] [--seed 3] [--outputs DIR] [--url URL]

The weights come from a package registry (model_weights.py), the server is llama.cpp on loopback (model_server.py), and
the rest is `edge synthesize` with the documents of three services, as anybody would call it. Links are proposed
offline unless `--stages` says otherwise: a model of this size on one core would need days for all pairs. `--url` asks
a server that runs already. Printed are rows, requests written (those that failed too, with the reason), what was
rejected by reason, and tokens and seconds, with the server's own count beside ours.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import polars as pl
from model_server import CONTEXT, ServerError, served
from model_weights import WEIGHTS, WeightsError, weights_file

from edge.errors import ModelAnswerError
from edge.llm.answers import FinalAnswer
from edge.llm.backends import make_model
from edge.llm.books import FILE, Books
from edge.llm.caching import Shelf
from edge.llm.prompts import load_prompt
from edge.llm.spending import Payer
from edge.settings import LlmSettings

ROOT = Path(__file__).resolve().parents[1]
SPECS = ("juso", "datagokr/mois.yaml", "datagokr/molit.yaml")
STAGES = ("task_generation", "sequence_generation", "execution_validation")
SHOWN = 10
PATIENCE_S = 1800.0  # for one answer: a long prompt on one shared core takes minutes

# Facts of these servers, in the form of any table of models. The price of one's own machine is nothing.
TABLE = """
models:
  - provider: openai
    match: ["*"]
    tool_mode: json_schema
    outlined: true
    context: {context}
    request: {{temperature: 0.7}}
    price: {{input: 0, output: 0}}
  - provider: anthropic
    match: ["*"]
    outlined: true
    context: {context}
    request: {{temperature: 0.7}}
    price: {{input: 0, output: 0}}
"""


@dataclass
class Figures:
    """What a run left in its outputs folder, published or not."""

    rows: int = 0
    requests: list[str] = field(default_factory=list[str])
    written: int = 0
    rejects: Counter[str] = field(default_factory=Counter[str])
    taken: Counter[str] = field(default_factory=Counter[str])
    turns: int = 0
    tokens: tuple[int, int, int] = (0, 0, 0)


def run_edge(args: argparse.Namespace, url: str, outputs: Path) -> tuple[int, float]:
    """Run the pipeline as a process of its own; return its exit code and the seconds it took."""
    table = outputs / "models.yaml"
    table.write_text(TABLE.format(context=CONTEXT), encoding="utf-8")
    base = f"{url}/v1" if args.protocol == "openai" else url
    command = [
        sys.executable,
        "-m",
        "edge.cli",
        "synthesize",
        "--llm",
        args.protocol,
        "--model",
        WEIGHTS[args.size].name,
    ]
    command += ["--llm-base-url", base, "--llm-stages", *args.stages, "--target", str(args.target)]
    command += [
        "--effort",
        str(args.effort),
        "--offered",
        str(args.offered),
        "--seed",
        str(args.seed),
        "--outputs",
        str(outputs),
        "--specs",
    ]
    command += [str(ROOT / "specs" / name) for name in SPECS]
    environment = os.environ | {
        "EDGE_LLM_MODELS": str(table),
        "EDGE_LLM_CONCURRENCY": "1",  # the server has one slot: a second request would only wait, and time out
        "EDGE_LLM_TIMEOUT_S": str(PATIENCE_S),
        "EDGE_LLM_MAX_TOKENS": "512",
        "PYTHONPATH": str(ROOT),
    }
    began = time.monotonic()
    done = subprocess.run(command, env=environment, cwd=ROOT, check=False)
    return done.returncode, time.monotonic() - began


def figures_of(outputs: Path) -> Figures:
    """Read what came of a run from its work files, which are there also when nothing was published."""
    found = Figures()
    for stage in ("requests", "keys", "trajectories"):
        for path in sorted(outputs.glob(f".work/*/{stage}/[!_]*.rejects.parquet")):
            found.rejects.update(f"{row['stage']}: {row['reason']}" for row in pl.read_parquet(path).to_dicts())
        for path in sorted(outputs.glob(f".work/*/{stage}/[!_]*.stage_ledger.parquet")):
            for row in pl.read_parquet(path).to_dicts():
                found.taken[row["stage"]] += row["rows_in"]
    for path in sorted(outputs.glob(".work/*/requests/[!_]*.user_tasks.parquet")):
        found.requests += pl.read_parquet(path)["query"].to_list()
    for path in sorted(outputs.glob(".work/*/trajectories/[!_]*.trajectories.parquet")):
        found.rows += pl.read_parquet(path).height
    with closing(sqlite3.connect(outputs / FILE)) as books:
        counted = books.execute("SELECT count(*), sum(input), sum(output), sum(cached) FROM paid").fetchone()
        found.turns, found.tokens = counted[0], tuple(int(n or 0) for n in counted[1:])
        said = books.execute(
            "SELECT raw FROM answers WHERE prompt_hash = ? ORDER BY at", (load_prompt("outlined_request").hash,)
        ).fetchall()
    queries = [" ".join(map(str.strip, json.loads(raw)["sentences"])) for (raw,) in said]
    found.written = len(queries)
    found.requests += [f"(not used) {query}" for query in dict.fromkeys(queries) if query not in found.requests]
    return found


def show(found: Figures, seconds: float, before: tuple[int, int], after: tuple[int, int]) -> None:
    """Print the figures."""
    print(f"rows that every check passed     {found.rows}")
    for stage in STAGES:
        lost = {why: n for why, n in found.rejects.items() if why.startswith(stage)}
        print(f"{stage:<32} {found.taken[stage]} in, {sum(lost.values())} rejected")
        for why, number in sorted(lost.items(), key=lambda item: -item[1]):
            print(f"    {number / found.taken[stage]:>6.0%}  {why.partition(': ')[2]} ({number})")
    print(f"prompts and re-asks              {found.turns} in {seconds:.0f} s")
    print(
        f"tokens, our count                {found.tokens[0]:,} in ({found.tokens[2]:,} cached), {found.tokens[1]:,} out"
    )
    print(f"tokens, the server's count       {after[0] - before[0]:,} in (computed), {after[1] - before[1]:,} out")
    print(f"usable request answers           {found.written}; requests, those that passed first:")
    for number, query in enumerate(found.requests[:SHOWN], start=1):
        print(f"{number:>4}. {' '.join(query.split())}")


def other_protocol(args: argparse.Namespace, url: str, outputs: Path) -> None:
    """Ask the same server one prompt in the protocol that the run did not speak, and print what came."""
    backend = "anthropic" if args.protocol == "openai" else "openai"
    settings = LlmSettings.model_validate({"timeout_s": PATIENCE_S, "max_tokens": 256, "concurrency": 1})
    books, before = Books(outputs / f"other-{FILE}"), counted(url)
    base = f"{url}/v1" if backend == "openai" else url
    shelf, payer = Shelf(books, "other"), Payer("other", "other")
    model = make_model(backend, WEIGHTS[args.size].name, base, settings=settings, shelf=shelf, payer=payer)
    told = {"today": "2026-06-15", "style": "polite", "act": "ask", "label": "계약년월"}
    query = "강남구에서 신고된 아파트 매매 거래를 알려 주세요."
    try:
        said = asyncio.run(model.answer(load_prompt("no_call"), {**told, "query": query}, FinalAnswer)).value.answer
    except ModelAnswerError as error:
        said = f"({error.reason}: {error.detail[:100]})"
    spent, after = books.spent("other").usage, counted(url)
    print(f"the same server in the other protocol ({backend}): {' '.join(said.split())}")
    print(
        f"    tokens {spent.input_tokens:,} in ({spent.cached_tokens:,} cached), {spent.output_tokens:,} out;"
        f" the server's count {after[0] - before[0]:,} in (computed), {after[1] - before[1]:,} out"
    )


def counted(url: str) -> tuple[int, int]:
    """Return the tokens that the server has computed: of prompts (without what it had cached), and of answers."""
    lines = httpx.get(f"{url}/metrics", timeout=600, trust_env=False).text.splitlines()
    values = {line.split()[0]: float(line.split()[1]) for line in lines if line.startswith("llamacpp:")}
    return int(values["llamacpp:prompt_tokens_total"]), int(values["llamacpp:tokens_predicted_total"])


@contextmanager
def _outputs(path: Path | None) -> Iterator[Path]:
    if path is not None:
        path.mkdir(parents=True, exist_ok=True)
        yield path.absolute()
        return
    with tempfile.TemporaryDirectory(prefix="edge-real-model-") as folder:
        yield Path(folder)


def main(argv: Sequence[str] | None = None) -> int:
    """Run and print; 0 when the pipeline ended as it must and both sides counted the same tokens."""
    parser = argparse.ArgumentParser(description="Run the pipeline with a real small model.")
    parser.add_argument("--size", choices=sorted(WEIGHTS), default="0.5b")
    parser.add_argument("--protocol", choices=("openai", "anthropic"), default="openai")
    parser.add_argument("--target", type=int, default=3)
    parser.add_argument("--stages", nargs="+", default=["task_generation", "execution_validation"])
    parser.add_argument("--effort", type=int, default=2, help="plans tried for each row; weak models fail most")
    parser.add_argument("--offered", type=int, default=4)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--outputs", type=Path)
    parser.add_argument("--url")
    args = parser.parse_args(argv)
    try:
        with _outputs(args.outputs) as outputs:
            weights = None if args.url else weights_file(WEIGHTS[args.size])
            running = nullcontext(args.url) if weights is None else served(weights, outputs / "server.log")
            with running as url:
                before = counted(url)
                code, seconds = run_edge(args, url, outputs)
                found = figures_of(outputs)
                after = counted(url)
                show(found, seconds, before, after)
                other_protocol(args, url, outputs)
    except (WeightsError, ServerError) as error:
        print(error, file=sys.stderr)
        return 1
    ours = (found.tokens[0] - found.tokens[2], found.tokens[1])
    same = found.turns > 0 and ours == (after[0] - before[0], after[1] - before[1])
    if not same:
        print("nothing was asked, or the server counted other tokens than we did", file=sys.stderr)
    # A model this small may fail at every request: that is a figure, though the pipeline then ends with 1.
    return 0 if same and (code == 0 or not found.rows) else code or 1


if __name__ == "__main__":
    sys.exit(main())
