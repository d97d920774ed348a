"""The repository keeps its word: deployments load, documents name what exists, nothing heavy or foreign slips in."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from edge.cli import build_parser

ROOT = Path(__file__).parents[1]
DEPLOYMENTS = yaml.safe_load((ROOT / "prefect.yaml").read_text(encoding="utf-8"))["deployments"]


def tracked(*patterns: str) -> list[Path]:
    """Files of the repository; outside a checkout, those in the folders that it has."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *patterns], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode == 0 and listed.stdout:
        return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]
    folders = ("edge", "tasks", "flows", "tests", "docs", "specs", "prompts")
    return [p for folder in folders for p in (ROOT / folder).rglob("*") if p.is_file() and "__pycache__" not in p.parts]


def fresh(code: str, *, cwd: Path = ROOT) -> str:
    """Run code in a new interpreter, warnings as errors."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=cwd, capture_output=True, text=True, timeout=120, env=env
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=lambda d: d["name"])
def test_deployments_load_without_placeholder(deployment: dict[str, str]) -> None:
    name = fresh(
        "from prefect.flows import load_flow_from_entrypoint as load\n"
        f"print(load({deployment['entrypoint']!r}, use_placeholder_flow=False).name)"
    )
    assert name.strip() == deployment["name"], "`prefect deployment run X` means X/X"


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=lambda d: d["name"])
def test_deployment_parameters_fit_the_flow(deployment: dict[str, str]) -> None:
    fresh(
        "from prefect.flows import load_flow_from_entrypoint as load\n"
        f"flow = load({deployment['entrypoint']!r}, use_placeholder_flow=False)\n"
        f"flow.validate_parameters({deployment['parameters']!r})"
    )


def test_flows_load_in_any_folder(tmp_path: Path) -> None:
    """Case C20: a worker runs in a temporary folder, a clone lies anywhere."""
    entrypoints = [str(ROOT / d["entrypoint"]) for d in DEPLOYMENTS]
    names = fresh(
        "from prefect.flows import load_flow_from_entrypoint as load\n"
        f"for entrypoint in {entrypoints!r}: print(load(entrypoint, use_placeholder_flow=False).name)",
        cwd=tmp_path,
    )
    assert names.split() == [d["name"] for d in DEPLOYMENTS]


def test_every_flow_has_a_deployment_with_a_form() -> None:
    assert {d["entrypoint"].partition(":")[0] for d in DEPLOYMENTS} == {
        f"flows/{path.name}" for path in (ROOT / "flows").glob("*.py") if path.name != "__init__.py"
    }
    shown = fresh(
        "from prefect.flows import load_flow_from_entrypoint as load\n"
        "from prefect.utilities.callables import parameter_schema\n"
        f"for d in {[d['entrypoint'] for d in DEPLOYMENTS]!r}:\n"
        "    schema = parameter_schema(load(d, use_placeholder_flow=False))\n"
        "    (params,) = schema.properties\n"
        "    model = schema.definitions[schema.properties[params]['$ref'].rpartition('/')[2]]\n"
        "    print(all('description' in field or '$ref' in field for field in model['properties'].values()))\n"
    )
    assert shown.split() == ["True"] * len(DEPLOYMENTS)


def test_what_deployments_wait_for_is_emitted() -> None:
    from tasks.announcing import PUBLISHED, TOLD

    waiting = [trigger for d in DEPLOYMENTS for trigger in d.get("triggers", ())]
    assert len(waiting) == 2
    names = {d["name"] for d in DEPLOYMENTS}
    for trigger in waiting:
        assert trigger["expect"] == [PUBLISHED]
        assert trigger["match"]["edge.dataset"] in TOLD
        assert trigger["match"]["edge.flow"] in names


def test_dead_runs_are_noticed_before_the_lease_of_their_slot_ends() -> None:
    import tomllib

    from prefect.events.schemas.automations import AutomationCore

    automation = AutomationCore.model_validate(
        yaml.safe_load((ROOT / "automations" / "dead_runs.yaml").read_text(encoding="utf-8"))
    )
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["prefect"]
    beat = settings["flows"]["heartbeat_frequency"]
    for deployment in DEPLOYMENTS:  # workers elsewhere do not read pyproject.toml
        variables: dict[str, Any] = deployment["work_pool"]["job_variables"]["env"]
        assert variables["PREFECT_FLOWS_HEARTBEAT_FREQUENCY"] == str(beat)
    assert 2 * beat < automation.trigger.within.total_seconds() < 300  # type: ignore[union-attr]
    assert settings["server"]["ephemeral"]["startup_timeout_seconds"] >= 60


def test_hooks_have_the_names_that_workers_use() -> None:
    import inspect

    from tasks.endings import HOOKS

    assert set(HOOKS) == {"on_failure", "on_crashed", "on_cancellation"}
    for hooks in HOOKS.values():
        assert [list(inspect.signature(hook).parameters) for hook in hooks] == [["flow", "flow_run", "state"]]


def test_deployments_say_what_they_are() -> None:
    for deployment in DEPLOYMENTS:
        assert deployment["description"]
        assert deployment["work_pool"]["name"] == "local"
        assert deployment["concurrency_limit"]["limit"] == 1
    nightly = next(d for d in DEPLOYMENTS if d["name"] == "synthesize")["schedules"][0]
    assert nightly["timezone"] == "Asia/Seoul"


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("prefect deployment run synthesize", "prefect deployment run synthesize/synthesize"),
        ("/bin/prefect deployment run -p a=1 synthesize", "/bin/prefect deployment run -p a=1 synthesize/synthesize"),
        ("prefect deployment run a/b", "prefect deployment run a/b"),
        ("prefect deployment run --id 7", "prefect deployment run --id 7"),
        ("prefect deployment inspect x", "prefect deployment inspect x"),
        ("python deployment run x", "python deployment run x"),
        ("prefect", "prefect"),
    ],
)
def test_bare_deployment_names(given: str, wanted: str) -> None:
    assert (
        fresh(f"import sys; sys.argv = {given.split()!r}\nimport prefect; print(' '.join(sys.argv))")
        .strip()
        .endswith(wanted)
    )


def test_make_help_lists_every_target() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)[1].split())  # type: ignore[index]
    command = ["make", "--no-print-directory", "help"]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {line.split()[0] for line in shown.splitlines()} == targets
    assert {"synthesize", "test", "check", "help"} <= targets


def test_ci_runs_make_check_and_nothing_else() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    lines = [line for line in script.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert lines == ["set -eu", 'cd "$(dirname "$0")/.."', "make check"]


def test_readme_names_every_command_and_no_other() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = set(build_parser()._subparsers._group_actions[0].choices)  # type: ignore[union-attr,arg-type]
    assert set(re.findall(r"\bedge ([a-z]+)\b", re.sub(r"(?m)^#.*$", "", text))) == commands


def options_of(parser: argparse.ArgumentParser) -> set[str]:
    """Options of a command and of its actions."""
    groups = parser._subparsers._group_actions if parser._subparsers else []
    below = [options_of(action) for group in groups for action in group.choices.values()]  # type: ignore[union-attr]
    return set(parser._option_string_actions).union(*below)


def test_readme_options_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    subcommands = build_parser()._subparsers._group_actions[0].choices  # type: ignore[union-attr]
    for name, parser in subcommands.items():  # type: ignore[union-attr]
        known = options_of(parser)
        for line in re.findall(rf"edge {name}( [^`\n|]*)", text.replace("\\|", "/")):
            assert set(re.findall(r"(?<![\w-])--[a-z-]+", line)) <= known, line


def test_readme_links_lead_somewhere() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!http)([^)]+)\)", text):
        assert (ROOT / target).exists(), target


def test_constraints_are_exact_and_cover_what_is_installed() -> None:
    from importlib.metadata import requires

    from packaging.requirements import Requirement

    lines = [ln for ln in (ROOT / "constraints.txt").read_text().splitlines() if ln and not ln.startswith("#")]
    pinned = {Requirement(line).name: Requirement(line) for line in lines}
    assert len(pinned) == len(lines)
    for requirement in pinned.values():
        assert requirement.url is None
        assert [specifier.operator for specifier in requirement.specifier] == ["=="]
    for text in requires("edge-synthesis") or []:
        needed = Requirement(text)
        if needed.marker is None or "dev" in str(needed.marker):
            name = re.sub(r"[-_.]+", "-", needed.name).lower()
            assert name in pinned
            assert needed.specifier.contains(str(pinned[name].specifier).removeprefix("=="))


def test_licence_is_the_standard_text() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Version 2.0, January 2004" in text
    assert "Copyright [yyyy] [name of copyright owner]" in text
    assert len(text.splitlines()) == 201


def test_importing_edge_stays_light() -> None:
    heavy = {"prefect", "openai", "anthropic", "polars", "duckdb", "httpx", "pydantic", "numpy", "torch", "rich"}
    loaded = fresh("import sys, edge, edge.cli, edge.calls, edge.errors\nprint(' '.join(sys.modules))").split()
    assert not heavy & set(loaded)


def test_model_sdks_load_only_where_they_are_used() -> None:
    code = (
        "import importlib, pkgutil, sys, edge\n"
        "skip = ('edge.sandbox', 'edge.cli.__main__')\n"
        "for m in pkgutil.walk_packages(edge.__path__, 'edge.'):\n"
        "    if not m.name.startswith(skip) and not m.name.endswith('__main__'): importlib.import_module(m.name)\n"
        "print([n for n in ('openai', 'anthropic', 'prefect', 'torch', 'sentence_transformers') if n in sys.modules])"
    )
    assert fresh(code).strip() == "[]"


def test_sdk_imports_stay_in_their_layer() -> None:
    for path in tracked("edge/**/*.py", "tasks/*.py", "flows/*.py", "edge/*.py"):
        if path.suffix != ".py":
            continue
        imported = set(re.findall(r"(?m)^\s*(?:from|import) ([a-z_]+)", path.read_text(encoding="utf-8")))
        inside = path.relative_to(ROOT).as_posix()
        if not inside.startswith("edge/llm/"):
            assert not imported & {"openai", "anthropic"}, inside
        if inside.startswith("edge/"):
            assert "prefect" not in imported, inside


# Installation works from any package index, on any machine: neither may be written down.
FORBIDDEN = [r"\b(pypi|pythonhosted)\.[a-z]", r"--(extra-)?index-url", r"(?<![\w.])/(root|Users)/\w"]


def test_no_package_index_and_no_path_of_one_machine() -> None:
    pattern = re.compile("|".join([*FORBIDDEN, re.escape(str(ROOT))]), re.IGNORECASE)
    for path in tracked():
        if path == Path(__file__) or path.stat().st_size > 5_000_000:
            continue
        found = pattern.search(path.read_bytes().decode("utf-8", "replace"))
        assert found is None, f"{path.relative_to(ROOT)}: {found[0] if found else ''}"


def test_text_files_are_utf_8_and_end_with_a_newline() -> None:
    for path in tracked("*.py", "*.md", "*.yaml", "*.toml", "Makefile"):
        data = path.read_bytes()
        data.decode("utf-8")
        assert not data or data.endswith(b"\n"), path
        assert b"\r\n" not in data, path
