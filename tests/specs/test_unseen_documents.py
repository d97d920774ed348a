"""A large document that nobody here wrote: the one that Prefect's own server publishes."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from edge.specs.compile import CompileReport, compile_paths
from edge.specs.schema import function_schema

METHODS = frozenset({"get", "put", "post", "delete", "patch", "head", "options", "trace"})


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """What a running Prefect server answers to /openapi.json."""
    from prefect.server.api.server import create_app

    return create_app().openapi()


@pytest.fixture(scope="module")
def report(document: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> CompileReport:
    path = tmp_path_factory.mktemp("prefect") / "prefect.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return compile_paths([path])


def operations(document: dict[str, Any]) -> dict[tuple[str, str], Any]:
    items = document["paths"].items()
    return {(m.upper(), path): item[m] for path, item in items for m in item if m in METHODS}


def test_every_operation_is_a_tool_or_has_a_named_reason(document: dict[str, Any], report: CompileReport) -> None:
    stated = operations(document)
    assert len(stated) > 150
    assert report.operations == len(stated)
    assert {(tool.method, tool.url.partition("host.invalid")[2]) for tool in report.tools} == {
        (method, path.rstrip("/")) for method, path in stated
    }
    assert report.skipped == ()


def test_names_are_unique_and_schemas_valid(report: CompileReport) -> None:
    assert max(Counter(tool.tool_id for tool in report.tools).values()) == 1
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool.tool_id) for tool in report.tools)
    for tool in report.tools:
        offered: Any = function_schema(tool)
        Draft202012Validator.check_schema(offered["function"]["parameters"])


def test_parameters_are_those_of_the_document(document: dict[str, Any], report: CompileReport) -> None:
    tools = {(tool.method, tool.url.partition("host.invalid")[2]): tool for tool in report.tools}
    for (method, path), operation in operations(document).items():
        tool = tools[method, path.rstrip("/")]
        stated = {p["name"]: p for p in operation.get("parameters", []) if p["in"] in ("path", "query")}
        read = {p.name: p for p in tool.parameters if p.location in ("path", "query")}
        assert stated.keys() == read.keys()
        assert all(read[name].required == p["required"] for name, p in stated.items() if "required" in p)


def test_bodies_keep_their_fields_and_nested_schemas(document: dict[str, Any], report: CompileReport) -> None:
    schemas = document["components"]["schemas"]
    (tool,) = [tool for tool in report.tools if tool.method == "POST" and tool.url.endswith("/flow_runs/filter")]
    body = operations(document)["POST", "/flow_runs/filter"]["requestBody"]["content"]["application/json"]["schema"]
    fields = schemas[body["$ref"].rpartition("/")[2]]["properties"]
    assert {p.name for p in tool.parameters if p.location == "body"} == fields.keys()
    flows = json.loads(next(p.schema or "" for p in tool.parameters if p.name == "flows"))
    assert flows["properties"]["name"]["properties"]["any_"]["type"] == ["array", "null"]
    assert "$ref" not in json.dumps(flows)
    Draft202012Validator(flows).validate({"name": {"any_": ["hello"]}})
    assert not Draft202012Validator(flows).is_valid({"name": {"any_": "hello"}})


def test_what_changes_state_is_not_called(report: CompileReport) -> None:
    unsafe = re.compile(r"create|delete|update|set_state|bulk|increment|decrement|pause|resume|heartbeat|install|reset")
    for tool in report.tools:
        assert tool.read_only or tool.method != "GET" or unsafe.search(tool.operation_key)
        assert not tool.read_only or tool.method in ("GET", "POST")
        if tool.method == "POST" and tool.read_only:
            assert not unsafe.search(tool.url), tool.url
    assert sum(tool.read_only for tool in report.tools if tool.method == "POST") > 30


def test_outputs_are_the_fields_of_the_answer(document: dict[str, Any], report: CompileReport) -> None:
    (tool,) = [tool for tool in report.tools if tool.method == "POST" and tool.url.endswith("/flows/filter")]
    fields = document["components"]["schemas"]["Flow"]["properties"]
    assert {field.path.partition(".")[0].removesuffix("[]") for field in tool.outputs} == fields.keys()
    assert {field.path: field.kind for field in tool.outputs}["created"] == "datetime"
