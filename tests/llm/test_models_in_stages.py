"""A stage with a model service: what it costs is in its rows, a budget ends it, and it goes on where it ended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from llmserver import ScriptedServer, serving

from edge.cli import main
from edge.errors import BudgetSpent, ModelUnavailable, UsageError
from edge.llm.books import FILE, Books
from edge.specs.compile import BUNDLED_SPECS
from edge.stages.context import Context
from edge.stages.params import Run, StageRef, SynthesizeParams
from edge.stages.spec_compilation import compile_stage
from edge.stages.start import start_run

SPECS = [BUNDLED_SPECS / "datagokr" / "molit.yaml"]
COST = (10 * 1000 + 5 * 2000) / 1_000_000  # what the scripted server's counts cost


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ScriptedServer]:
    table = tmp_path / "mine.yaml"
    prices = "[m], price: {input: 1000, output: 2000}"
    table.write_text(f"models:\n- {{provider: openai, match: {prices}}}\n- {{provider: anthropic, match: {prices}}}\n")
    monkeypatch.setenv("EDGE_LLM_MODELS", str(table))
    monkeypatch.setenv("EDGE_LLM_CONCURRENCY", "4")
    monkeypatch.setenv("EDGE_LLM_ATTEMPTS", "1")
    with serving() as scripted:
        scripted.delay_s = 0.01
        yield scripted


async def started(server: ScriptedServer, sandbox_url: str, folder: Path, llm: str = "openai", **more: Any) -> Run:
    values: dict[str, Any] = {
        "specs": SPECS, "outputs": folder / "outputs", "llm": llm, "model": "m", "describe": True,
        "llm_base_url": server.url + ("/v1" if llm == "openai" else ""),
    }  # fmt: skip
    return await start_run(SynthesizeParams(**values | more), sandbox_url, own_sandbox=True)


def usage(run: Run, ref: StageRef) -> list[tuple[object, ...]]:
    names = ("provider", "calls", "cached_calls", "input_tokens", "output_tokens", "cost_usd")
    return [tuple(row[name] for name in names) for row in Context(run).read(ref, "usage")]


@pytest.mark.parametrize("llm", ["openai", "anthropic"])
async def test_the_rows_of_a_stage_are_what_the_service_counted(
    server: ScriptedServer, sandbox_url: str, tmp_path: Path, llm: str
) -> None:
    text = '{"description": "실거래 자료를 조회한다."}'
    server.openai(text) if llm == "openai" else server.anthropic(text)
    run = await started(server, sandbox_url, tmp_path, llm)
    ref = await compile_stage(run)
    number = len(server.seen)
    assert number == ref.figures["tools"] > 3
    assert usage(run, ref) == [(llm, number, 0, *server.tokens, pytest.approx(number * COST))]

    again = await started(server, sandbox_url, tmp_path, llm)  # begun anew: the work is cleared, the answers are kept
    assert usage(again, await compile_stage(again)) == [(llm, number, number, 0, 0, 0.0)]
    assert len(server.seen) == number
    fresh = await started(server, sandbox_url, tmp_path, llm, no_cache=True)
    assert fresh.run_id == run.run_id
    await compile_stage(fresh)
    assert len(server.seen) == 2 * number


async def test_a_budget_ends_a_stage_and_a_larger_one_goes_on(
    server: ScriptedServer, sandbox_url: str, tmp_path: Path
) -> None:
    server.openai('{"description": "실거래 자료를 조회한다."}')
    poor = await started(server, sandbox_url, tmp_path, budget_usd=3 * COST)
    with pytest.raises(BudgetSpent, match="--resume"):
        await compile_stage(poor)
    first = len(server.seen)
    assert 3 <= first <= 3 + 4
    rich = await started(server, sandbox_url, tmp_path, budget_usd=1000.0, resume=True)
    assert rich.run_id == poor.run_id  # how far a run may go is not what it is
    ref = await compile_stage(rich)
    number = ref.figures["tools"]
    assert len(server.seen) == number > first
    assert usage(rich, ref) == [("openai", number, first, *server.tokens, pytest.approx(number * COST))]
    assert Books(tmp_path / "outputs" / FILE).spent(rich.run_id).turns == number


async def test_a_stage_that_is_tried_again_pays_for_what_is_missing(
    server: ScriptedServer, sandbox_url: str, tmp_path: Path
) -> None:
    """The requests of the failed attempt that are still under way when the next begins are waited for, not repeated."""
    for _ in range(5):
        server.openai('{"description": "실거래 자료를 조회한다."}')
    server.reply({"error": {"message": "boom"}}, 500).openai('{"description": "실거래 자료를 조회한다."}')
    server.delay_s = 0.3
    run = await started(server, sandbox_url, tmp_path)
    with pytest.raises(ModelUnavailable):
        await compile_stage(run)
    ref = await compile_stage(run)
    ((_, calls, cached, *tokens, cost),) = usage(run, ref)
    number = ref.figures["tools"]
    assert calls == number and 5 <= cached <= 5 + 3
    assert len(server.seen) == number + 1  # each tool once, and the one request that failed
    assert tuple(tokens) == server.tokens == (10 * number, 5 * number)
    assert cost == pytest.approx(number * COST)


def test_descriptions_from_the_shell_are_paid_once(
    server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server.openai('{"description": "실거래 자료를 조회한다."}')
    monkeypatch.chdir(tmp_path)
    command = ["compile", str(SPECS[0]), "--describe", "--llm", "openai", "--model", "m"]
    for _ in range(2):
        assert main([*command, "--llm-base-url", f"{server.url}/v1"]) == 0
    spent = Books(tmp_path / "outputs" / FILE).spent("compile")
    assert len(server.seen) == spent.turns > 3
    assert (spent.usage.input_tokens, spent.usage.output_tokens) == server.tokens


async def test_a_run_that_cannot_be_paid_for_does_not_begin(
    server: ScriptedServer, sandbox_url: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="price of n"):
        await started(server, sandbox_url, tmp_path, model="n", budget_usd=1.0)
    assert not (tmp_path / "outputs").exists()
