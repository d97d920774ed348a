"""kill -9 at any moment of a batch: what the service has answered, or will, is never sent to it again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from batchserver import BatchServer
from llmserver import served_by

from edge.llm.batches_books import BatchBooks
from edge.llm.books import FILE

# Starting Python with both SDKs takes seconds: one process has them and forks a worker for each line that it reads.
NURSERY = """
import asyncio, json, os, sys, traceback
from pathlib import Path
import anthropic, openai, anthropic.types.messages, openai.types.chat
from edge.llm.answers import FinalAnswer
from edge.llm.backends import make_model
from edge.llm.books import Books
from edge.llm.caching import Shelf
from edge.llm.prompts import load_prompt
from edge.llm.spending import Payer
from edge.settings import LlmSettings

async def work(backend, url, file, table):
    settings = LlmSettings.model_validate(
        {"models": table, "batch": True, "batch_gather_s": 0.05, "batch_poll_s": 0.05, "max_tokens": 800})
    model = make_model(backend, "m", url, settings=settings, shelf=Shelf(Books(Path(file)), "run"),
                       payer=Payer("run", "stage", 1000.0))
    prompt = load_prompt("final_answer")
    async def one(n):
        asked = {"query": f"질문 #{n}", "style": "polite", "facts": []}
        answer = await model.answer(prompt, asked, FinalAnswer)
        assert answer.value.answer == f"질문 #{n}", answer
    await asyncio.gather(*(one(n) for n in range(8)))

for line in sys.stdin:
    worker = os.fork()
    if not worker:
        try:
            asyncio.run(work(*json.loads(line)))
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    print(worker, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1]), flush=True)
"""


class Nursery:
    """Starts workers and says how they ended."""

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen([sys.executable, "-c", NURSERY], env=environment, text=True, **pipes)

    def begin(self, server: BatchServer, folder: Path, backend: str) -> int:
        """Return the process id of a new worker."""
        table = folder / "mine.yaml"
        price = "{input: 10, output: 20, batch_input: 5, batch_output: 10}"
        table.write_text(f"models: [{{provider: {backend}, match: [m], batch: true, price: {price}}}]")
        url = server.url + ("/v1" if backend == "openai" else "")
        assert self.process.stdin is not None
        print(json.dumps([backend, url, str(folder / FILE), str(table)]), file=self.process.stdin, flush=True)
        return self._number()

    def end(self) -> int:
        """Return the exit code of the worker."""
        return self._number()

    def _number(self) -> int:
        assert self.process.stdout is not None
        return int(self.process.stdout.readline())


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    started = Nursery()
    yield started
    started.process.communicate()


@pytest.fixture
def server() -> Iterator[BatchServer]:
    with served_by(BatchServer()) as scripted:
        yield scripted


def killed_at(nursery: Nursery, server: BatchServer, folder: Path, backend: str, moment: str) -> None:
    server.held = moment
    worker = nursery.begin(server, folder, backend)
    end = time.monotonic() + 60
    while moment not in server.reached and time.monotonic() < end:
        time.sleep(0.005)
    os.kill(worker, signal.SIGKILL)
    assert nursery.end() == -signal.SIGKILL
    server.held = ""
    server.reached.clear()


def finished(nursery: Nursery, server: BatchServer, folder: Path, backend: str) -> bool:
    nursery.begin(server, folder, backend)
    return nursery.end() == 0


@pytest.mark.parametrize("backend", ["openai", "anthropic"])
def test_killed_while_it_sends_while_it_waits_and_while_it_reads(
    nursery: Nursery, server: BatchServer, tmp_path: Path, backend: str
) -> None:
    """The first batch is made before its id is written down: it is known again by its token or its custom ids."""
    server.fate = lambda body, number: "broken" if number == 1 and "#3" in str(body["messages"]) else ""
    server.say = AnsweringBadlyOnce()
    for moment in ("create", "look", "results"):
        killed_at(nursery, server, tmp_path, backend, moment)
        assert server.sizes == [8]
        assert BatchBooks(tmp_path / FILE).waiting("run") == 8
        assert BatchBooks(tmp_path / FILE).held("run") > 0
    killed_at(nursery, server, tmp_path, backend, "again")  # the first is merged, what it left is sent
    assert server.sizes == [8, 2]
    assert finished(nursery, server, tmp_path, backend)
    assert server.sizes == [8, 2]
    assert len(server.paid) == 7 + 2 and sorted(set(server.paid)) == [f"질문 #{n}" for n in range(8)]
    books = BatchBooks(tmp_path / FILE)
    spent = books.spent("run")
    assert (spent.turns, spent.usage.input_tokens, spent.usage.output_tokens) == (9, *server.tokens)
    assert spent.usd == pytest.approx(9 * (10 * 5 + 5 * 10) / 1_000_000)
    assert (books.waiting("run"), books.held("run")) == (0, 0.0)


def test_killed_before_anything_was_sent(nursery: Nursery, server: BatchServer, tmp_path: Path) -> None:
    """It is written down and never arrived: looked for, not found, sent once."""
    server.create = [(200, False)]
    killed_at(nursery, server, tmp_path, "openai", "create")
    assert server.sizes == [] and BatchBooks(tmp_path / FILE).waiting("run") == 8
    assert finished(nursery, server, tmp_path, "openai")
    assert server.sizes == [8] and len(server.paid) == 8


class AnsweringBadlyOnce:
    def __init__(self) -> None:
        self.done = False

    def __call__(self, question: str) -> str:
        if "#5" in question and not self.done:
            self.done = True
            return '{"text": "no answer"}'
        return f'{{"answer": "{question}"}}'
