"""Stages in batches: the rows are those of direct requests, a batch a turn, and a run goes on whichever way it asks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from batchserver import BatchServer
from llmserver import served_by

from edge.errors import UsageError
from edge.llm.batches_books import BatchBooks
from edge.llm.books import FILE
from edge.specs.compile import BUNDLED_SPECS
from edge.stages.context import Context
from edge.stages.params import Run, StageRef, SynthesizeParams
from edge.stages.spec_compilation import compile_stage, propose_stage
from edge.stages.start import start_run

SPECS = [BUNDLED_SPECS / "datagokr" / "molit.yaml"]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[BatchServer]:
    table = tmp_path / "mine.yaml"
    prices = "[m], batch: true, price: {input: 1000, output: 2000, batch_input: 500, batch_output: 1000}"
    table.write_text(f"models:\n- {{provider: openai, match: {prices}}}\n- {{provider: anthropic, match: {prices}}}\n")
    monkeypatch.setenv("EDGE_LLM_MODELS", str(table))
    monkeypatch.setenv("EDGE_LLM_BATCH_GATHER_S", "0.2")
    monkeypatch.setenv("EDGE_LLM_BATCH_POLL_S", "0.02")
    with served_by(BatchServer(say=lambda question: '{"description": "실거래 자료를 조회한다."}')) as scripted:
        yield scripted


async def started(server: BatchServer, sandbox_url: str, folder: Path, llm: str, **more: Any) -> Run:
    values: dict[str, Any] = {
        "specs": SPECS, "outputs": folder / "outputs", "llm": llm, "model": "m", "describe": True, "llm_batch": True,
        "llm_base_url": server.url + ("/v1" if llm == "openai" else ""),
    }  # fmt: skip
    return await start_run(SynthesizeParams(**values | more), sandbox_url, own_sandbox=True)


def rows(run: Run, ref: StageRef, dataset: str, *without: str) -> list[dict[str, object]]:
    return [{k: v for k, v in row.items() if k not in without} for row in Context(run).read(ref, dataset)]


@pytest.mark.parametrize("llm", ["openai", "anthropic"])
async def test_a_stage_makes_the_same_rows_at_half_the_price(
    server: BatchServer, sandbox_url: str, tmp_path: Path, llm: str
) -> None:
    run = await started(server, sandbox_url, tmp_path, llm)
    ref = await compile_stage(run)
    number = ref.figures["tools"]
    assert server.sizes == [number]
    getattr(server, llm)('{"description": "실거래 자료를 조회한다."}')
    direct = await started(server, sandbox_url, tmp_path / "direct", llm, llm_batch=False)
    again = await compile_stage(direct)
    assert len(server.seen) == number
    assert rows(run, ref, "tools", "run_id") == rows(direct, again, "tools", "run_id")
    ((half,), (full,)) = (rows(run, ref, "usage"), rows(direct, again, "usage"))
    assert half["cost_usd"] == pytest.approx(number * (10 * 500 + 5 * 1000) / 1e6)
    assert {**half, "cost_usd": 2 * float(str(half["cost_usd"]))} == pytest.approx(full)
    assert run.run_id == direct.run_id  # how it is asked does not make it another run


async def test_what_is_in_a_batch_is_merged_by_the_next_attempt(
    server: BatchServer, sandbox_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Stopped while the batch is under way: resumed it is waited for; resumed without batches it is said to wait."""
    server.held = "look"
    run = await started(server, sandbox_url, tmp_path, "openai")
    stage = asyncio.create_task(compile_stage(run))
    while "look" not in server.reached:  # noqa: ASYNC110 - in another thread
        await asyncio.sleep(0.01)
    for one in asyncio.all_tasks() - {asyncio.current_task()}:
        one.cancel()
    await asyncio.gather(stage, return_exceptions=True)
    server.held = ""
    await started(server, sandbox_url, tmp_path, "openai", llm_batch=False, resume=True)
    (sent,) = server.sizes
    assert f"{sent} prompts are in a batch" in caplog.text
    resumed = await started(server, sandbox_url, tmp_path, "openai", resume=True)
    ref = await compile_stage(resumed)
    assert (server.sizes, len(server.paid), server.seen) == ([sent], sent, [])
    assert rows(resumed, ref, "usage")[0]["input_tokens"] == server.tokens[0]
    assert BatchBooks(tmp_path / "outputs" / FILE).waiting(run.run_id) == 0


async def test_links_are_judged_in_one_batch(server: BatchServer, sandbox_url: str, tmp_path: Path) -> None:
    server.say = lambda question: '{"pairs": []}'
    run = await started(server, sandbox_url, tmp_path, "anthropic", describe=False)
    await compile_stage(run)
    ref = await propose_stage(run)
    assert len(server.sizes) == 1 and server.sizes[0] > 8  # more than a service is asked at once
    (used,) = rows(run, ref, "usage")
    assert used["stage"] == "link_feasibility"
    assert (used["calls"], used["input_tokens"], used["output_tokens"]) == (server.sizes[0], *server.tokens)


async def test_a_run_whose_model_takes_no_batches_does_not_begin(
    server: BatchServer, sandbox_url: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="--llm-batch"):
        await started(server, sandbox_url, tmp_path, "openai", model="another")
    assert not (tmp_path / "outputs").exists()
