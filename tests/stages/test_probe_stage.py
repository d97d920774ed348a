"""Probing inside a run: outputs that documents leave out are learned before links are sought, and said as rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from edge.datasets.catalog import query
from edge.errors import UsageError
from edge.specs.compile import compile_paths
from edge.stages.context import Context
from edge.stages.params import Run, StageRef, SynthesizeParams
from edge.stages.probing import probe_endpoint, probe_recording
from edge.stages.publishing import publish_stage
from edge.stages.spec_compilation import compile_stage, propose_stage
from edge.stages.start import start_run

# As the portal publishes them, but without a word on what comes back.
HOSPITALS = {
    "swagger": "2.0",
    "host": "apis.data.go.kr",
    "basePath": "/B551182/hospInfoServicev2",
    "info": {"title": "건강보험심사평가원_병원정보", "version": "1"},
    "paths": {
        "/getHospBasisList": {"get": {"operationId": "getHospBasisList", "summary": "병원 목록", "responses": {}}}
    },
}


def specs(tmp_path: Path) -> Path:
    file = tmp_path / "hospitals.json"
    file.write_text(json.dumps(HOSPITALS, ensure_ascii=False), "utf-8")
    return file


async def compiled(url: str, tmp_path: Path, **more: Any) -> tuple[Run, StageRef]:
    params = SynthesizeParams(specs=[specs(tmp_path)], outputs=tmp_path / "outputs", **more)
    run = await start_run(params, url, own_sandbox=True)
    return run, await compile_stage(run)


async def test_a_run_learns_what_the_document_leaves_out(sandbox_url: str, tmp_path: Path) -> None:
    """S08 and S10 in a run: the tools of later stages have the observed fields, the catalog has the differences."""
    run, ref = await compiled(sandbox_url, tmp_path, probe=True)
    probing = {name: number for name, number in ref.figures.items() if name.startswith("probe_")}
    assert probing == {"probe_learned": 1, "probe_agrees": 0, "probe_differs": 0, "probe_not_probed": 0}
    (made,) = Context(run).tools.values()
    assert {"ykiho", "yadmNm", "XPos"} <= {output.path for output in made.outputs}
    assert made.declared == ()
    assert (await propose_stage(run)).figures["pairs"] == 0  # one tool only: no link to itself
    summary = publish_stage(run, {name: [ref] for name in ("tools", "rejects", "spec_differences", "outcomes")})
    assert summary.counts["spec_differences"] == 1
    _, rows = query(tmp_path / "outputs", "SELECT operation_key, kind, declared, run_id FROM spec_differences")
    assert rows == [(made.operation_key, "no_schema", "", run.run_id)]
    _, calls = query(tmp_path / "outputs", "SELECT step_id, outcome FROM outcomes")
    assert calls == [("probe", "ok")]


async def test_a_run_that_does_not_probe_calls_nothing(sandbox_url: str, tmp_path: Path) -> None:
    run, ref = await compiled(sandbox_url, tmp_path)
    assert not any(name.startswith("probe_") for name in ref.figures)
    (made,) = Context(run).tools.values()
    assert (made.outputs, made.declared) == ((), None)
    assert [Context(run).read(ref, name) for name in ("spec_differences", "outcomes")] == [[], []]


async def test_two_probes_of_one_day_write_the_same_bytes(sandbox_url: str, tmp_path: Path) -> None:
    hashes: list[dict[str, str]] = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        run, ref = await compiled(sandbox_url, tmp_path / name, probe=True)
        hashes.append({part.dataset: part.sha256 for part in Context(run).batch(ref).parts})
    assert hashes[0] == hashes[1]
    assert {"tools", "spec_differences", "outcomes"} <= set(hashes[0])


async def test_tools_are_probed_against_an_endpoint_or_a_recording(sandbox_url: str, tmp_path: Path) -> None:
    tools = compile_paths([specs(tmp_path)]).tools
    live = await probe_endpoint(tools, sandbox_url, everything=False)
    assert live.counts()["learned"] == 1
    recording = tmp_path / "recorded"
    recording.mkdir()
    body = {"response": {"header": {"resultCode": "00"}, "body": {"items": {"item": [{"ykiho": "A", "yadmNm": "가"}]}}}}
    (recording / f"{tools[0].operation_key}.json").write_text(json.dumps(body), "utf-8")
    recorded = await probe_recording(tools, recording)
    assert [output.path for output in recorded.tools[0].outputs] == ["ykiho", "yadmNm"]
    again = await probe_recording(live.tools, recording)
    assert again.tools[0].declared == ()
    with pytest.raises(UsageError):
        await probe_recording(tools, tmp_path / "none")
