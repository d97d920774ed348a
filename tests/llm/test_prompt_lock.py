"""Prompts change on purpose only: prompts.lock names their hashes, and every prompt is used."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from edge.cli import main
from edge.commands.prompts import uses_of
from edge.llm.prompts import LOCK, PROMPTS, prompt_hashes, read_lock, write_lock


def test_no_prompt_changes_without_the_lock() -> None:
    assert prompt_hashes() == read_lock(LOCK), "if the change is meant: edge prompts --lock"


@pytest.mark.parametrize("name", sorted(prompt_hashes()))
def test_every_prompt_is_used(name: str) -> None:
    assert uses_of(name)


@pytest.mark.parametrize("file", sorted(path.relative_to(PROMPTS).as_posix() for path in PROMPTS.glob("*/*.md*")))
def test_one_letter_of_any_file_changes_the_hash(file: str, tmp_path: Path) -> None:
    name = file.partition("/")[0]
    shutil.copytree(PROMPTS / name, tmp_path / name)
    with (tmp_path / file).open("a", encoding="utf-8") as text:
        text.write("가")
    assert prompt_hashes(tmp_path)[name] != prompt_hashes()[name]


def test_a_lock_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    lock = tmp_path / "prompts.lock"
    assert read_lock(lock) == {}
    write_lock(lock, {"b": "2", "a": "1"})
    assert read_lock(lock) == {"a": "1", "b": "2"}
    assert [line[0] for line in lock.read_text(encoding="utf-8").splitlines()] == ["#", "a", "b"]


def test_the_command_lists_prompts_with_hash_and_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prompts"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == sorted(prompt_hashes())
    assert all(re.search(r"[0-9a-f]{24}  edge/\S+\.py:\d+", line) for line in lines)
