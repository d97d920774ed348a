"""Commands that read and write datasets: compile publishes, sql reads, verify finds what was changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from edge import cli
from edge.datasets.parts import write_part
from edge.datasets.rows import cast_rows
from edge.datasets.schemas import schema_of
from edge.datasets.store import Store
from edge.specs.compile import BUNDLED_SPECS, compile_paths
from edge.specs.rows import tool_of, tool_row


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    outputs = tmp_path_factory.mktemp("published")
    assert cli.guarded(lambda: _edge("compile", str(BUNDLED_SPECS / "ecos"), "--outputs", str(outputs))) == 0
    return outputs


def _edge(*arguments: str) -> int:
    return cli.main(arguments)


def test_compile_publishes_tools(published: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compiled = compile_paths([BUNDLED_SPECS / "ecos"]).tools
    assert _edge("sql", "SELECT tool_id, method FROM tools ORDER BY 1", "--json", "--outputs", str(published)) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["tool_id"] for row in rows] == [tool.tool_id for tool in compiled]


def test_tools_come_back_as_they_were() -> None:
    tools = compile_paths([BUNDLED_SPECS]).tools
    stored = cast_rows(schema_of("tools"), map(tool_row, tools))
    assert tuple(map(tool_of, stored)) == tools


def test_compile_says_what_it_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "odd.json").write_text('{"neither": "nor"}', encoding="utf-8")
    assert _edge("compile", str(tmp_path)) == 1
    shown = capsys.readouterr().out
    assert "0 tools from 0 operations in 1 files" in shown
    assert "unknown_document" in shown
    assert "odd.json" in shown


def test_sql_prints_a_table_and_the_number_of_rows(published: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _edge("sql", "SELECT 1 AS one, '서울' AS city", "--outputs", str(published)) == 0
    shown = capsys.readouterr().out
    assert "city" in shown
    assert "서울" in shown
    assert shown.endswith("1 row\n")


@pytest.mark.parametrize("statement", ["SELEC 1", "DROP VIEW tools", "SELECT 1; SELECT 2", "SELECT * FROM nowhere"])
def test_wrong_sql_is_one_line(statement: str, published: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _edge("sql", statement, "--outputs", str(published)) == 2
    captured = capsys.readouterr()
    assert len(captured.err.splitlines()) == 1
    assert captured.out == ""


def test_verify_is_content_with_what_was_published(published: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _edge("verify", "--outputs", str(published)) == 0
    assert "no difference" in capsys.readouterr().out


def test_verify_finds_a_changed_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _edge("compile", str(BUNDLED_SPECS / "ecos"), "--outputs", str(tmp_path)) == 0
    part = next(tmp_path.glob("tools/version=*/part-*.parquet"))
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(bytes(data))
    capsys.readouterr()
    assert _edge("verify", "--outputs", str(tmp_path)) == 1
    assert part.name in capsys.readouterr().out


def test_verify_finds_a_missing_parent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    part = write_part(tmp_path / ".work", "links", [])
    version = "v20260615T000000Z-test"
    Store(tmp_path).publish("links", version, [part], run_id="r", parents={"tools": version})
    assert _edge("verify", "--hashes-only", "--outputs", str(tmp_path)) == 1
    assert f"its parent tools {version} is missing" in capsys.readouterr().out


def test_verify_of_an_unknown_version(published: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _edge("verify", "--version", "v1", "--outputs", str(published)) == 2
    assert "no version v1" in capsys.readouterr().err


def test_verify_of_an_empty_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _edge("verify", "--outputs", str(tmp_path)) == 2
    assert "no published version" in capsys.readouterr().err


def test_settings_are_named_when_they_are_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EDGE_TARGET", "many")
    assert _edge("doctor") == 2
    assert capsys.readouterr().err.startswith("edge: EDGE_TARGET: ")


def test_doctor_names_keys_and_never_shows_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("EDGE_KEY_ECOS", "planted-secret-value")
    assert _edge("doctor", "--outputs", str(tmp_path / "new")) == 0
    shown = capsys.readouterr()
    assert "set: EDGE_KEY_ECOS" in shown.out
    assert "EDGE_KEY_DATAGOKR" in shown.out
    assert "planted-secret-value" not in shown.out + shown.err
    assert not (tmp_path / "new").exists()


def test_doctor_fails_when_the_endpoint_is_away(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert _edge("doctor", "--endpoint", "http://127.0.0.1:9", "--outputs", str(tmp_path)) == 1
    assert "fail  endpoint" in capsys.readouterr().out


def test_a_model_needs_a_name_and_a_key(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    outputs = ("--outputs", str(tmp_path / "new"))
    assert _edge("synthesize", "--llm", "openai", *outputs) == 2
    assert "--model" in capsys.readouterr().err
    assert _edge("synthesize", "--llm", "anthropic", "--model", "m", *outputs) == 2
    assert "ANTHROPIC_API_KEY" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
