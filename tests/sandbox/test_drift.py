"""Documentation drift: the list is complete, is served as it says, and a probe of the bundled documents finds it."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from edge.execution.probing import Probed
from edge.sandbox.catalogue import Operation, Platform, load_platforms
from edge.sandbox.drift import DriftKind, drifted, load_drift
from edge.specs.compile import compile_paths
from edge.stages.probing import probe_endpoint

SPECS = Path(__file__).parents[2] / "specs"
# Their documents give an example of the parameter, which a probe sends when the call without it is refused.
HEALED = {"PblJobService.getClsfList"}


def test_the_list_has_every_kind_over_several_platforms() -> None:
    kinds = Counter(entry["kind"] for entry in load_drift())
    assert set(kinds) == set(get_args(DriftKind))
    assert len(load_drift()) >= 12
    platforms = {platform.name for platform, operation in _operations() if operation.id in _listed()}
    assert len(platforms) >= 6


def _listed() -> set[str]:
    return {entry["operation"] for entry in load_drift()}


def _operations() -> list[tuple[Platform, Operation]]:
    return [(platform, operation) for platform in load_platforms() for operation in platform.operations]


def test_only_listed_operations_change() -> None:
    declared = {operation.id: operation for _, operation in _operations()}
    served = {operation.id: operation for platform in drifted(load_platforms()) for operation in platform.operations}
    assert {name for name in declared if declared[name] != served[name]} == _listed()


def test_the_pipeline_does_not_read_the_list() -> None:
    root = Path(__file__).parents[2]
    readers = [
        path.relative_to(root).as_posix()
        for folder in ("edge", "tasks", "flows")
        for path in (root / folder).rglob("*.py")
        if "drift.yaml" in path.read_text("utf-8")
    ]
    assert readers
    assert all(path.startswith("edge/sandbox/") for path in readers)


@pytest.fixture(scope="module")
def probed(sandbox_url: str) -> Probed:
    return asyncio.run(probe_endpoint(compile_paths([SPECS]).tools, sandbox_url, everything=True))


@pytest.mark.parametrize("entry", load_drift(), ids=lambda entry: f"{entry['operation']}-{entry['kind']}")
def test_a_probe_reports_the_drift(probed: Probed, entry: dict[str, str]) -> None:
    """S10: what the document says and what is served, found by calling every operation of the bundled documents."""
    (tool,) = [tool for tool in probed.tools if tool.operation_key == entry["operation"]]
    (result,) = [result for result in probed.results if result.tool_id == tool.tool_id]
    seen = {(one.kind, one.path, one.observed) for found, one in probed.differences if found.tool_id == tool.tool_id}
    match entry["kind"]:
        case "retired":
            assert (result.status, result.reason) == ("not_probed", "structural:unknown_operation")
        case "required_parameter" if tool.operation_key in HEALED:
            assert (result.status, result.calls) == ("agrees", 2)
        case "required_parameter":
            assert (result.status, result.reason) == ("not_probed", "structural:missing_parameter")
        case "missing_field":
            assert ("missing_field", entry["field"], "") in seen
        case "renamed_field":
            name, other = entry["field"], entry["to"]
            assert ("renamed_field", name, other) in seen or seen >= {
                ("missing_field", name, ""),
                ("extra_field", other, other),
            }
        case _:
            assert [kind for kind, path, _ in seen if path == entry["field"]] == ["wrong_type"]
