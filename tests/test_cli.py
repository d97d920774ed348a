"""The command line as people meet it: exit codes, one clear line, nothing written by a wrong call."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from edge import cli
from edge.commands import console, preflight
from edge.errors import RunError, UsageError


def edge(*arguments: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the real command in an empty folder."""
    return subprocess.run(
        [sys.executable, "-m", "edge.cli", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1]), **env},
        check=False,
    )


WRONG = [
    (["frobnicate"], "frobnicate"),
    (["synthesize", "--bogus"], "--bogus"),
    (["synthesize", "--seed", "seven"], "--seed"),
    (["synthesize", "--seed", "-1"], "--seed"),
    (["synthesize", "--seed", "4294967296"], "4294967295"),
    (["synthesize", "--seed", "1.5"], "--seed"),
    (["synthesize", "--target", "0"], "--target"),
    (["synthesize", "--target", "²"], "--target"),
    (["synthesize", "--endpoint", "production"], "sandbox, live"),
    (["synthesize", "--endpoint", "replay"], "holds no recorded run"),
    (["synthesize", "--endpoint", "ftp://example.com"], "base URL"),
    (["synthesize", "--endpoint", "http://"], "base URL"),
    (["synthesize", "--specs", "nowhere.json"], "nowhere.json"),
    (["synthesize", "--budget-usd", "nan"], "--budget-usd"),
    (["synthesize", "--llm", "oracle"], "offline"),
    (["synthesize", "--llm-base-url", "somewhere"], "base URL"),
    (["synthesize", "--today", "yesterday"], "2026-06-15"),
    (["explore", "--iterations", "0"], "--iterations"),
    (["explore", "--paths", "many"], "--paths"),
    (["compile"], "PATH"),
    (["compile", "nowhere"], "nowhere"),
    (["sandbox", "--port", "70000"], "65535"),
    (["sandbox", "--fault-rate", "2"], "--fault-rate"),
    (["sandbox", "--latency-ms", "-5"], "--latency-ms"),
    (["sql"], "SQL"),
    (["sql", " ", "--outputs", "."], "SQL"),
    (["sql", "SELECT 1", "--outputs", "nowhere"], "nowhere"),
    (["sql", "SELECT 1", "--csv", "--json"], "--json"),
    (["verify", "--outputs", "nowhere"], "nowhere"),
]


@pytest.mark.parametrize(("arguments", "said"), WRONG, ids=[" ".join(a) for a, _ in WRONG])
def test_wrong_usage_is_one_line_and_exit_code_2(arguments: list[str], said: str, tmp_path: Path) -> None:
    result = edge(*arguments, cwd=tmp_path)
    assert result.returncode == 2, result.stderr
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("edge")
    assert said in lines[0]
    assert result.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_outputs_that_are_a_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    result = edge("synthesize", "--outputs", "taken", cwd=tmp_path)
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1)
    assert "not a folder" in result.stderr
    assert (tmp_path / "taken").read_text() == "mine"


def test_the_named_embedding_model_is_the_one_used(tmp_path: Path) -> None:
    result = edge("synthesize", "--llm", "offline", cwd=tmp_path, EDGE_EMBEDDING_MODEL="some-hub/no-such-model")
    assert result.returncode == 2, result.stderr
    assert len([line for line in result.stderr.splitlines() if line.startswith("edge")]) == 1
    assert "sentence-transformers" in result.stderr or "revision" in result.stderr
    assert not list(tmp_path.rglob("_manifest.json"))


def test_outputs_below_a_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(UsageError, match="cannot be written"):
        preflight.writable_outputs(tmp_path / "taken" / "below")


def test_full_disk_is_said_before_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "free_bytes", lambda path: 10 * 2**20)
    with pytest.raises(RunError, match="10 MB"):
        preflight.writable_outputs(tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_occupied_port(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = edge("sandbox", "--port", str(taken.getsockname()[1]), cwd=tmp_path)
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1)
    assert "--port" in result.stderr


def test_help_is_quick_and_names_every_command(tmp_path: Path) -> None:
    edge("--help", cwd=tmp_path)  # byte code is there from now on
    started = time.perf_counter()
    result = edge("--help", cwd=tmp_path)
    assert result.returncode == 0
    assert time.perf_counter() - started < 1.0  # 0.1 s when quiet; room for a busy machine
    for name in ("synthesize", "compile", "explore", "sandbox", "sql", "verify", "doctor", "version"):
        assert name in result.stdout
        assert edge(name, "--help", cwd=tmp_path).returncode == 0


def test_debug_shows_the_traceback(tmp_path: Path) -> None:
    result = edge("sql", "SELECT 1", "--outputs", "nowhere", cwd=tmp_path, EDGE_DEBUG="1")
    assert result.returncode == 1
    assert "Traceback" in result.stderr


def test_no_command_prints_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 2
    assert "commands:" in capsys.readouterr().out


@pytest.mark.parametrize(("error", "code"), [(UsageError("two\nlines"), 2), (RunError("broke"), 1)])
def test_errors_become_one_line(error: Exception, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.guarded(_raise(error)) == code
    assert capsys.readouterr().err == "edge: " + " ".join(str(error).split()) + "\n"


def test_ctrl_c_is_one_line_and_130(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.guarded(_raise(KeyboardInterrupt())) == 130
    assert "stopped" in capsys.readouterr().err


def _raise(error: BaseException):
    def run() -> int:
        raise error

    return run


def test_table_keeps_wide_characters_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    from rich.cells import cell_len

    console.print_table(["이름", "n"], [["서울특별시", 1], ["a", 20]])
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert cell_len(lines[2]) == cell_len(lines[3])


def test_long_cells_are_cut_unless_full(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_table(["q"], [["가" * 100]])
    assert "…" in capsys.readouterr().out
    console.print_table(["q"], [["가" * 100]], full=True)
    assert "가" * 100 in capsys.readouterr().out


def test_csv_and_json_keep_values(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_csv(["a", "b"], [[0.1 + 0.2, ["가", None]]])
    assert capsys.readouterr().out == 'a,b\n0.30000000000000004,"[""가"", null]"\n'
    console.print_json(["a", "b"], [[True, {"k": "값"}]])
    assert capsys.readouterr().out == '{"a": true, "b": {"k": "값"}}\n'
