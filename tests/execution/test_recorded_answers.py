"""Recorded responses: judged as the gateway judges live ones, wrong recordings refused in one line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from wireserver import Reply, client, rows, serving, tool

from edge.errors import UsageError
from edge.execution.answers import Recording
from edge.execution.probing import Probed, probe
from edge.specs.compile import BUNDLED_SPECS, compile_paths
from edge.specs.model import OutputField, Tool

SAMPLES = Path(__file__).parents[3] / "shared" / "real" / "samples"
XML = "<response><body><items><item><a>1</a></item></items></body></response>"


async def from_recording(path: Path, tools: Sequence[Tool], **options: Any) -> Probed:
    recording = Recording.read(path)
    return await probe(tools, recording, None, **({"wanted": recording.holds} | options))


@pytest.mark.parametrize(
    ("name", "body", "status", "content_type"),
    [
        ("svc.list.json", json.dumps(rows([{"a": 1}], total=1)), 200, "application/json"),
        ("svc.list.xml", XML, 200, "text/xml"),
        ("svc.list.body", "\ufeff" + json.dumps(rows([])), 200, ""),
        ("svc.list.json", json.dumps(rows([], code="22")), 200, "application/json"),
        ("portal_list.body", "<html><body>점검 중</body></html>", 200, ""),
    ],
)
async def test_a_recording_is_judged_as_the_gateway_judges(
    tmp_path: Path, name: str, body: str, status: int, content_type: str
) -> None:
    (tmp_path / name).write_text(body, "utf-8")
    recorded = await Recording.read(tmp_path).look(tool(), {})
    reply = Reply(body, status=status, headers={"Content-Type": content_type})
    async with serving(lambda _seen: reply) as server, client(server) as gateway:
        live = await gateway.look(tool(), {})
    for field in ("outcome", "reason", "message", "code", "records", "total", "pages", "response_hash"):
        assert getattr(recorded.outcome, field) == getattr(live.outcome, field), field
    assert recorded.decoded == live.decoded


async def test_lines_hold_several_answers_and_the_best_is_taken(tmp_path: Path) -> None:
    lines = [
        {"operation_key": "svc.list", "status": 500, "body": "down"},
        {"operation_key": "svc.list", "content_type": "application/json", "body": json.dumps(rows([{"a": "가"}]))},
        {"operation_key": "svc.other", "body": rows([{"b": 1}])},
    ]
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n\n", "utf-8")
    assert len(Recording.read(file)) == 2
    other = replace(tool(outputs=()), tool_id="other", operation_key="svc.other")
    found = await from_recording(file, [tool(outputs=(OutputField("a", "가", kind="text"),)), other])
    assert {result.tool_id: result.status for result in found.results} == {"portal_list": "agrees", "other": "learned"}
    assert [output.path for output in found.tools[1].outputs] == ["b"]


async def test_what_is_not_recorded_is_said(tmp_path: Path) -> None:
    (tmp_path / "svc.other.json").write_text("{}", "utf-8")
    found = await from_recording(tmp_path, [tool(outputs=())], wanted=lambda _tool: True)
    assert [(r.status, r.reason) for r in found.results] == [("not_probed", "environmental:not_recorded")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no recorded response"),
        ("nonsense\n", "line 1 is not JSON"),
        ('{"operation_key": "a", "body": "x"}\n[]\n', "line 2 is not {"),
        ('{"operation_key": 5, "body": "x"}\n', "line 1 is not {"),
        ('{"operation_key": "a"}\n', "line 1 is not {"),
        ("[" * 100_000, "line 1 is not JSON"),
    ],
)
def test_a_wrong_recording_is_one_clear_line(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=said) as caught:
        Recording.read(file)
    assert "\n" not in str(caught.value)


def test_a_recording_must_be_there_and_hold_something(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        Recording.read(tmp_path / "none")
    with pytest.raises(UsageError, match="holds no recorded response"):
        Recording.read(tmp_path)


async def test_real_answers_of_the_assembly_confirm_and_correct_documents(tmp_path: Path) -> None:
    """Real captures against the bundled tools as they are, and against the same tools with mistakes put in."""
    captures = sorted(SAMPLES.glob("assembly__*.json"))
    if not captures:
        pytest.skip("reference bodies (../shared/real/samples) are not here")
    by_root = {t.root: t for t in compile_paths([BUNDLED_SPECS / "assembly"]).tools}
    tools: list[Tool] = []
    for capture in captures:
        made = by_root.get(next(iter(json.loads(capture.read_bytes()))))
        if made is not None:
            (tmp_path / f"{made.operation_key}.json").write_bytes(capture.read_bytes())
            tools.append(made)
    assert len(tools) >= 12
    found = await from_recording(tmp_path, tools)
    assert found.counts()["agrees"] >= 0.8 * len(tools), found.rows("r")
    wrong = [replace(t, outputs=tuple(replace(o, path=o.path.lower()) for o in t.outputs)) for t in tools]
    corrected = await from_recording(tmp_path, wrong)
    kinds = {d.kind for _, d in corrected.differences}
    assert "renamed_field" in kinds
    for made, right in zip(corrected.tools, tools, strict=True):
        observed = {o.path for o in right.outputs} & {o.path for o in made.outputs}
        labels = {o.path: o.label for o in right.outputs}
        assert observed, made.tool_id
        assert all(o.label == labels[o.path] for o in made.outputs if o.path in observed)
    unknown = await from_recording(tmp_path, [replace(t, outputs=()) for t in tools])
    assert unknown.counts()["learned"] == len(tools)
