"""Answers are kept: the same request is asked once, by whomever, and nothing unusable is ever reused."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from llmserver import ScriptedServer, serving

from edge.llm.answers import DescriptionAnswer, FinalAnswer
from edge.llm.backends import make_model
from edge.llm.books import FILE, Books
from edge.llm.caching import CachedModel, Shelf
from edge.llm.prompts import Prompt, load_prompt
from edge.llm.protocol import AnswerRejected, Model
from edge.llm.spending import Payer
from edge.settings import LlmSettings

FINAL = load_prompt("final_answer")
GOOD = '{"answer": "12건이에요."}'
KEY = "sk-planted-0123456789abcdef"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with serving() as scripted:
        yield scripted


def shelved(server: ScriptedServer, folder: Path, run: str = "run", **more: Any) -> Model:
    fresh, backend, name = more.pop("fresh", False), more.pop("backend", "openai"), more.pop("name", "m")
    return make_model(
        backend,
        name,
        server.url + ("/v1" if backend == "openai" else ""),
        settings=LlmSettings.model_validate(more),
        shelf=Shelf(Books(folder / FILE), run, fresh),
        payer=Payer(run, "stage"),
    )


def variables(query: str = "몇 건인가요?") -> dict[str, Any]:
    return {"query": query, "style": "polite", "facts": []}


async def ask(model: Model, query: str = "몇 건인가요?", prompt: Prompt = FINAL) -> Any:
    return await model.answer(prompt, variables(query), FinalAnswer)


@pytest.mark.parametrize("backend", ["openai", "anthropic"])
async def test_the_same_request_is_asked_once_by_all_runs(server: ScriptedServer, tmp_path: Path, backend: str) -> None:
    server.openai(GOOD) if backend == "openai" else server.anthropic(GOOD)
    first = await ask(shelved(server, tmp_path, "one", backend=backend))
    second = await ask(shelved(server, tmp_path, "two", backend=backend))
    assert len(server.seen) == 1
    assert first.value == second.value and (first.cached, second.cached) == (False, True)
    assert (first.usage.input_tokens, second.usage.input_tokens) == (10, 0)


async def test_whatever_decides_the_answer_is_part_of_the_request(server: ScriptedServer, tmp_path: Path) -> None:
    server.openai(GOOD)
    table = tmp_path / "mine.yaml"
    table.write_text("models:\n- {provider: openai, match: [m], request: {seed: 7}}\n", encoding="utf-8")
    model = shelved(server, tmp_path)
    await ask(model)
    others = [
        (shelved(server, tmp_path), "다른 질문", FINAL),
        (shelved(server, tmp_path, name="n"), "몇 건인가요?", FINAL),
        (shelved(server, tmp_path, models=str(table)), "몇 건인가요?", FINAL),
        (shelved(server, tmp_path), "몇 건인가요?", replace(FINAL, hash="another")),
    ]
    for number, (other, query, prompt) in enumerate(others, start=2):
        assert not (await ask(other, query, prompt)).cached
        assert len(server.seen) == number
    assert server.seen[3]["seed"] == 7
    assert isinstance(model, CachedModel)
    assert model.key(FINAL, variables(), FinalAnswer) != model.key(FINAL, variables(), DescriptionAnswer)
    assert model.key(FINAL, variables(), FinalAnswer) != model.key(FINAL, {**variables(), "seed": 2}, FinalAnswer)


async def test_a_larger_limit_reuses_what_was_whole_and_asks_again_what_was_not(
    server: ScriptedServer, tmp_path: Path
) -> None:
    """Case L25."""
    small, large = shelved(server, tmp_path, max_tokens=800), shelved(server, tmp_path, max_tokens=4000)
    server.openai(GOOD)
    await ask(small, "whole")
    server.script.clear()
    server.openai('{"answer": "12', "length")
    with pytest.raises(AnswerRejected):
        await ask(small, "cut off")
    server.script.clear()
    server.openai(None, "content_filter")
    with pytest.raises(AnswerRejected):
        await ask(small, "filtered")
    server.script.clear()
    server.openai(GOOD)
    asked = len(server.seen)
    assert [(await ask(large, query)).cached for query in ("whole", "cut off", "filtered")] == [True, False, False]
    assert len(server.seen) == asked + 2


UNUSABLE = ["I'm sorry, I can't create that question.", '{"text": "x"}', GOOD + '{"answer": "1"}']


@pytest.mark.parametrize("text", UNUSABLE)
async def test_unusable_answers_are_never_kept(server: ScriptedServer, tmp_path: Path, text: str) -> None:
    server.openai(text)
    for attempt in (1, 2):
        with pytest.raises(AnswerRejected):
            await ask(shelved(server, tmp_path))
        assert len(server.seen) == 3 * attempt
    assert (await _refused(server, tmp_path)).reason == "refusal"
    assert (await _refused(server, tmp_path)).reason == "refusal"


async def _refused(server: ScriptedServer, folder: Path) -> AnswerRejected:
    server.script.clear()
    server.openai(None, refusal="할 수 없습니다.")
    with pytest.raises(AnswerRejected) as caught:
        await ask(shelved(server, folder))
    return caught.value


async def test_the_same_request_at_the_same_time_is_asked_once(server: ScriptedServer, tmp_path: Path) -> None:
    server.openai(GOOD).delay_s = 0.1
    model = shelved(server, tmp_path)
    answers = await asyncio.gather(*(ask(model) for _ in range(8)))
    assert len(server.seen) == 1
    assert sorted(answer.cached for answer in answers) == [False] + [True] * 7


async def test_without_the_cache_only_the_runs_own_answers_are_used(server: ScriptedServer, tmp_path: Path) -> None:
    server.openai(GOOD)
    await ask(shelved(server, tmp_path, "one"))
    assert not (await ask(shelved(server, tmp_path, "two", fresh=True))).cached
    assert (await ask(shelved(server, tmp_path, "two", fresh=True))).cached  # resumed: it has paid for this one
    Books(tmp_path / FILE).disown("two")  # begun anew
    assert not (await ask(shelved(server, tmp_path, "two", fresh=True))).cached
    assert len(server.seen) == 3


async def test_what_was_kept_is_read_with_the_schema_of_today(server: ScriptedServer, tmp_path: Path) -> None:
    server.openai(GOOD)
    model = shelved(server, tmp_path)
    assert isinstance(model, CachedModel)
    key = model.key(FINAL, variables(), FinalAnswer)
    Books(tmp_path / FILE).keep(key, '{"answer": ""}', run="old", model="m", prompt_hash=FINAL.hash)
    assert (await ask(model)).value.answer == "12건이에요."
    assert len(server.seen) == 1


WORKER = """
import asyncio, sys
from pathlib import Path
from edge.llm.answers import FinalAnswer
from edge.llm.backends import make_model
from edge.llm.books import Books
from edge.llm.caching import Shelf
from edge.llm.prompts import load_prompt
from edge.llm.spending import Payer
from edge.settings import LlmSettings

url, file, low, high = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])

async def main():
    settings = LlmSettings.model_validate({"concurrency": 4})
    model = make_model("openai", "m", url + "/v1", settings=settings, shelf=Shelf(Books(file), "run"),
                       payer=Payer("run", "stage"))
    prompt = load_prompt("final_answer")
    async def one(n):
        return await model.answer(prompt, {"query": f"질문 {n}", "style": "polite", "facts": []}, FinalAnswer)
    await asyncio.gather(*(one(n) for n in range(low, high)))

asyncio.run(main())
"""


def worker(server: ScriptedServer, file: Path, low: int, high: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", WORKER, server.url, str(file), str(low), str(high)]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(Path.cwd())})


def asked(server: ScriptedServer) -> list[str]:
    return [body["messages"][1]["content"] for body in server.seen]


async def test_processes_share_the_answers(server: ScriptedServer, tmp_path: Path) -> None:
    server.openai(GOOD)
    workers = [worker(server, tmp_path / FILE, low, high) for low, high in ((0, 15), (15, 30))]
    assert [process.wait(60) for process in workers] == [0, 0]
    assert worker(server, tmp_path / FILE, 0, 30).wait(60) == 0
    assert len(server.seen) == 30 == len(set(asked(server)))


def test_after_a_kill_nothing_that_was_answered_is_asked_again(server: ScriptedServer, tmp_path: Path) -> None:
    server.openai(GOOD).delay_s = 0.05
    process = worker(server, tmp_path / FILE, 0, 40)
    while len(server.seen) < 17 and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    before = list(asked(server))
    assert 17 <= len(before) < 40
    assert worker(server, tmp_path / FILE, 0, 40).wait(60) == 0
    again = set(before) & set(asked(server)[len(before) :])
    assert len(again) <= 4  # in flight when it was killed: their answers reached nobody
    assert len(server.seen) == 40 + len(again) and len(set(asked(server))) == 40


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


async def test_no_key_and_no_prompt_in_the_file(server: ScriptedServer, tmp_path: Path) -> None:
    server.openai(GOOD)
    await ask(shelved(server, tmp_path), "비밀스러운 질문")
    left = files(tmp_path)
    assert FILE in left
    assert not [name for name, text in left.items() if KEY.encode() in text or "비밀스러운".encode() in text]
