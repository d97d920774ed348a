"""A run is named by everything that decides its rows, and by nothing else."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from stageruns import SMALL_SPECS

from edge.errors import EndpointError, UsageError
from edge.llm.prompts import PROMPTS
from edge.stages.params import Run, SynthesizeParams
from edge.stages.start import start_run

# A judge changes no rows: its prompt names no run.
FILES = sorted(
    p.relative_to(PROMPTS).as_posix() for p in PROMPTS.rglob("*") if p.is_file() and p.parent.name != "request_judge"
)


async def started(sandbox_url: str, outputs: Path, **more: Any) -> Run:
    values: dict[str, Any] = {"outputs": outputs, "specs": [SMALL_SPECS[0]]}
    return await start_run(SynthesizeParams(**values | more), sandbox_url, own_sandbox=True)


async def test_outputs_and_resume_do_not_name_a_run(sandbox_url: str, tmp_path: Path) -> None:
    first = await started(sandbox_url, tmp_path / "a")
    assert (await started(sandbox_url, tmp_path / "b", resume=True)).run_id == first.run_id
    moved = tmp_path / "elsewhere" / "juso"
    shutil.copytree(SMALL_SPECS[0], moved)
    assert (await started(sandbox_url, tmp_path, specs=[moved])).run_id == first.run_id
    assert first.now.date() == (await started(sandbox_url, tmp_path, today=first.now.date())).now.date()
    assert (await started(sandbox_url, tmp_path, today=first.now.date())).run_id == first.run_id


@pytest.mark.parametrize(
    "more",
    [
        {"seed": 1},
        {"target": 6},
        {"batch": 7},
        {"iterations": 3},
        {"paths": 7},
        {"probe": True},
        {"today": date(2020, 1, 2)},
        {"llm": "openai", "model": "m"},
        {"endpoint": "http://127.0.0.1:1"},
        {"specs": [SMALL_SPECS[1]]},
    ],
)
async def test_what_decides_rows_names_the_run(sandbox_url: str, tmp_path: Path, more: dict[str, Any]) -> None:
    first = await started(sandbox_url, tmp_path)
    assert (await started(sandbox_url, tmp_path, **more)).run_id != first.run_id


async def test_one_byte_of_a_document_names_the_run(sandbox_url: str, tmp_path: Path) -> None:
    first = await started(sandbox_url, tmp_path)
    copy = tmp_path / "specs" / "juso"
    shutil.copytree(SMALL_SPECS[0], copy)
    with (copy / "services.yaml").open("a", encoding="utf-8") as file:
        file.write("#")
    changed = await started(sandbox_url, tmp_path, specs=[copy])
    assert changed.spec_hash != first.spec_hash
    assert changed.run_id != first.run_id


@pytest.mark.parametrize("file", FILES)
async def test_c16_one_byte_of_a_prompt_names_the_run(
    sandbox_url: str, tmp_path: Path, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await started(sandbox_url, tmp_path)
    root = tmp_path / "prompts"
    shutil.copytree(PROMPTS, root)
    text = (root / file).read_text(encoding="utf-8")
    # Whitespace at the end and inside JSON is not the prompt: change a letter of it.
    position = next(i for i, c in enumerate(text) if c.isalpha() and c.isascii()) if file.endswith(".json") else 0
    (root / file).write_text(text[:position] + "x" + text[position + file.endswith(".json") :], encoding="utf-8")
    monkeypatch.setattr("edge.llm.prompts.PROMPTS", root)
    monkeypatch.setattr("edge.stages.start.PROMPTS", root)
    changed = await started(sandbox_url, tmp_path)
    assert changed.prompt_hash != first.prompt_hash
    assert changed.run_id != first.run_id


async def test_prompts_of_another_place_with_the_same_bytes_change_nothing(
    sandbox_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await started(sandbox_url, tmp_path)
    shutil.copytree(PROMPTS, tmp_path / "prompts")
    monkeypatch.setattr("edge.llm.prompts.PROMPTS", tmp_path / "prompts")
    monkeypatch.setattr("edge.stages.start.PROMPTS", tmp_path / "prompts")
    assert (await started(sandbox_url, tmp_path)).run_id == first.run_id


async def test_what_is_missing_is_said(sandbox_url: str, tmp_path: Path) -> None:
    with pytest.raises(EndpointError, match="not reachable"):
        await started("http://127.0.0.1:9", tmp_path)
    with pytest.raises(UsageError, match="no such file or folder"):
        await started(sandbox_url, tmp_path, specs=[tmp_path / "nope"])
    with pytest.raises(UsageError, match="neither 'live' nor a base URL"):
        await started("sandbox", tmp_path)
