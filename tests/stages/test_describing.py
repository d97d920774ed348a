"""A model's descriptions replace the document's only where they hold; a real server answers on loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from llmserver import ScriptedServer, serving

from edge.llm.openai import OpenAIModel
from edge.llm.prompts import load_prompt
from edge.specs.compile import compile_paths
from edge.specs.model import Tool
from edge.stages.describing import Described, describe


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving() as scripted:
        yield scripted


@pytest.fixture
def tools(tmp_path: Path) -> tuple[Tool, ...]:
    corp = {"name": "corp_code", "in": "query", "type": "string", "required": True, "description": "고유번호"}
    paths = {f"/{n}": {"get": {"operationId": n, "summary": f"{n} 조회", "parameters": [corp]}} for n in ("a", "b")}
    document = {"swagger": "2.0", "host": "x.go.kr", "schemes": ["https"], "paths": paths}
    (tmp_path / "doc.json").write_text(json.dumps(document), encoding="utf-8")
    return compile_paths([tmp_path]).tools


async def described(server: ScriptedServer, tools: tuple[Tool, ...], *replies: str | None) -> Described:
    for reply in replies:
        server.openai(None if reply is None else json.dumps({"description": reply}))
    model = OpenAIModel("m", "k", base_url=f"{server.url}/v1")
    return await describe(tools, model, load_prompt("tool_description"), concurrency=1)


async def test_the_document_stays_beside_what_the_model_wrote(server: ScriptedServer, tools: tuple[Tool, ...]) -> None:
    made = await described(server, tools, "회사의 개황을 준다. 8자리 고유번호(corp_code)로 정한다.")
    assert [tool.description for tool in made.tools] == ["회사의 개황을 준다. 8자리 고유번호(corp_code)로 정한다."] * 2
    assert [tool.original for tool in made.tools] == ["a 조회", "b 조회"] and made.kept == ()
    asked = server.seen[0]["messages"][1]["content"]
    assert "a 조회" in asked and "corp_code" in asked


async def test_a_name_that_the_document_lacks_is_refused(server: ScriptedServer, tools: tuple[Tool, ...]) -> None:
    made = await described(server, tools, "stock_code로 부른다.", "고유번호로 부른다.")
    assert made.tools[0] == tools[0] and made.tools[1].description == "고유번호로 부른다."
    (kept,) = made.kept
    assert kept[:2] == (tools[0].tool_id, "unusable_description") and "stock_code" in kept[2]


async def test_an_answer_that_never_fits_leaves_the_tool_as_it_was(
    server: ScriptedServer, tools: tuple[Tool, ...]
) -> None:
    made = await described(server, tools, None)
    assert made.tools == tools and [reason for _, reason, _ in made.kept] == ["empty", "empty"]
