"""Which stages ask the model, and how many prompts go side by side: what the settings say, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from llmserver import ScriptedServer, serving
from pydantic import ValidationError
from stageruns import small_params

from edge.cli import build_parser
from edge.commands import options
from edge.commands.defaults import load_settings, parameters
from edge.llm.usage import UsageMeter
from edge.plans.requests import RequestSettings
from edge.settings import MODEL_STAGES
from edge.stages.context import Context
from edge.stages.params import SynthesizeParams
from edge.stages.spec_compilation import compile_stage, propose_stage
from edge.stages.start import start_run
from edge.stages.task_generation import settings_of


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving() as scripted:
        yield scripted


def asking(server: ScriptedServer, outputs: Path, **more: object) -> SynthesizeParams:
    return small_params(outputs, llm="openai", model="m", llm_base_url=f"{server.url}/v1", **more)


def test_a_model_that_the_table_calls_outlined_is_shown_outlines_alone(
    server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "mine.yaml"
    table.write_text("models:\n- {provider: openai, match: [m], outlined: true}\n", encoding="utf-8")
    assert settings_of(asking(server, tmp_path)) == settings_of(small_params(tmp_path)) == RequestSettings()
    monkeypatch.setenv("EDGE_LLM_MODELS", str(table))
    assert settings_of(asking(server, tmp_path, language="en")) == RequestSettings("en", free=0)
    assert settings_of(asking(server, tmp_path, llm_stages=("link_feasibility",))) == RequestSettings()


@pytest.mark.parametrize("most", [2, 13])
async def test_the_setting_decides_how_many_prompts_go_side_by_side(
    server: ScriptedServer, sandbox_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Also beyond the eight items that a stage works on at a time where no model is asked."""
    monkeypatch.setenv("EDGE_LLM_CONCURRENCY", str(most))
    run = await start_run(asking(server, tmp_path, describe=True), sandbox_url, own_sandbox=True)
    server.delay_s = 0.15
    server.openai('{"description": "실거래 자료를 조회한다."}')
    await compile_stage(run)
    assert len(server.seen) > most
    assert server.most_busy == most
    described, server.most_busy = len(server.seen), 0
    server.script.clear()
    server.openai('{"pairs": []}')
    await propose_stage(run)
    assert len(server.seen) - described > most
    assert server.most_busy == most
    assert Context(run).side_by_side == max(8, most)


async def test_stages_that_are_not_named_are_written_offline(
    server: ScriptedServer, sandbox_url: str, tmp_path: Path
) -> None:
    run = await start_run(asking(server, tmp_path, llm_stages=("task_generation",)), sandbox_url, own_sandbox=True)
    await compile_stage(run)
    assert (await propose_stage(run)).figures["links"] > 0
    assert server.seen == []
    asked = {stage: Context(run).model(stage, UsageMeter()).provider for stage in MODEL_STAGES}
    assert asked == {stage: "openai" if stage == "task_generation" else "offline" for stage in MODEL_STAGES}


def test_the_stages_come_from_the_option_the_environment_or_are_all(monkeypatch: pytest.MonkeyPatch) -> None:
    assert options.MODEL_STAGES == MODEL_STAGES
    plain = build_parser().parse_args(["synthesize"])
    told = build_parser().parse_args(["synthesize", "--llm-stages", "task_generation", "execution_validation"])
    every = parameters(SynthesizeParams, plain, load_settings()).model_copy(update={"llm": "openai"})
    assert all(every.asks_model(stage) for stage in (*MODEL_STAGES, "tool_description"))
    assert not any(SynthesizeParams.model_validate({}).asks_model(stage) for stage in MODEL_STAGES)
    some = parameters(SynthesizeParams, told, load_settings()).model_copy(update={"llm": "anthropic"})
    assert [stage for stage in MODEL_STAGES if some.asks_model(stage)] == ["task_generation", "execution_validation"]
    assert some.asks_model("tool_description")
    monkeypatch.setenv("EDGE_LLM_STAGES", '["task_generation"]')
    assert parameters(SynthesizeParams, plain, load_settings()).llm_stages == ("task_generation",)
    assert len(parameters(SynthesizeParams, told, load_settings()).llm_stages) == 2
    with pytest.raises(ValidationError):
        SynthesizeParams.model_validate({"llm_stages": ["writing"]})
