"""Prompt folder -> `Prompt`: the texts a model reads, addressed by the hash of their content."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

from jinja2 import StrictUndefined, Template, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from edge.errors import UsageError
from edge.ids import Json, digest
from edge.text import clean

PROMPTS = Path(__file__).resolve().parents[2] / "prompts"
LOCK = PROMPTS.parent / "prompts.lock"


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt: `template` is the Jinja source of the user message, `schema` the JSON schema of the answer."""

    name: str
    system: str
    template: str
    schema: Mapping[str, Json]
    hash: str

    def render(self, variables: Mapping[str, Json]) -> str:
        """Return the user message.

        Raises:
            UsageError: the template and the variables do not fit.
        """
        try:
            return _compiled(self.template).render(**variables)
        except TemplateError as error:
            raise UsageError(f"prompt {self.name} cannot be rendered: {error}") from error


def load_prompt(name: str, root: Path | None = None) -> Prompt:
    """Read prompts/<name>/{system.md, user.md.j2, answer.schema.json}.

    Raises:
        UsageError: a file is missing or the schema is not a JSON object.
    """
    return _load(name, root or PROMPTS)


@cache
def _load(name: str, root: Path) -> Prompt:
    folder = root / name
    try:
        system = clean((folder / "system.md").read_text(encoding="utf-8")).strip()
        template = clean((folder / "user.md.j2").read_text(encoding="utf-8")).strip()
        schema: object = json.loads((folder / "answer.schema.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"prompt {name} cannot be read from {folder}: {error}") from error
    if not isinstance(schema, dict):
        raise UsageError(f"prompt {name}: {folder / 'answer.schema.json'} must hold a JSON object")
    shape = cast("dict[str, Json]", schema)
    return Prompt(name, system, template, shape, digest([name, system, template, shape]))


def agent_text(name: str, language: str = "ko") -> str:
    """Return one of the texts that stand in chats themselves: prompts/agent/<name>.md, <name>.en.md ...

    Raises:
        UsageError: there is none in this language.
    """
    path = PROMPTS / "agent" / (f"{name}.md" if language == "ko" else f"{name}.{language}.md")
    try:
        return clean(path.read_text(encoding="utf-8")).strip()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error


def prompt_hashes(root: Path | None = None) -> dict[str, str]:
    """Return the hash of every prompt folder by name; one without a template (a system text alone) is hashed by file.

    Raises:
        UsageError: a prompt cannot be read.
    """
    folder = root or PROMPTS
    names = sorted(path.name for path in folder.iterdir() if (path / "system.md").is_file())
    return {name: _hash_of(folder, name) for name in names}


def read_lock(path: Path) -> dict[str, str]:
    """Return the hashes that a lock file states by prompt, none where there is no file; lines are `name hash`."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    return {name: value for line in lines if not line.startswith("#") for name, _, value in [line.partition(" ")]}


def write_lock(path: Path, hashes: Mapping[str, str]) -> None:
    """Write a lock file: one line a prompt, so that changes of two prompts do not meet."""
    text = "".join(f"{name} {value}\n" for name, value in sorted(hashes.items()))
    path.write_text("# Hashes of prompts/. After a change: edge prompts --lock\n" + text, encoding="utf-8")


def _hash_of(folder: Path, name: str) -> str:
    if (folder / name / "user.md.j2").is_file():
        return load_prompt(name, folder).hash
    files = sorted(path for path in (folder / name).iterdir() if path.is_file())
    return digest([name, *([path.name, clean(path.read_text(encoding="utf-8")).strip()] for path in files)])


def delimited(value: Json) -> str:
    """Return `value` as JSON that cannot close the tag around it: outside text must stay data (prompt injection).

    Without white space, which would be a fifth to a third of the tokens (measured on briefs and tool schemas).
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e")


@cache
def _compiled(template: str) -> Template:
    return _environment().from_string(template)


@cache
def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=False
    )
    cast("dict[str, object]", environment.filters)["data"] = delimited  # pyright: ignore[reportUnknownMemberType]
    return environment
