"""What models are offered: valid JSON Schema under distinct names, as the tool types of the SDKs want it."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from anthropic.types import ToolParam
from jsonschema import Draft202012Validator
from openai.types.chat import ChatCompletionToolParam
from openai.types.shared_params import FunctionDefinition
from pydantic import TypeAdapter

from edge.specs.compile import CompileReport, compile_paths
from edge.specs.schema import function_schema

from .conftest import real

OPENAI = TypeAdapter(ChatCompletionToolParam)
FUNCTION = TypeAdapter(FunctionDefinition)
ANTHROPIC = TypeAdapter(ToolParam)


@pytest.fixture(scope="module")
def everything() -> CompileReport:
    """All kinds of real documents, compiled together."""
    names = ("swagger", "opendart/openapi.yaml", "assembly/catalogue.json", "mcp/tools.json")
    return compile_paths([real(name) for name in names])


def check(report: CompileReport) -> None:
    """Check every tool of a report."""
    assert report.tools
    for tool in report.tools:
        offered: dict[str, Any] = function_schema(tool)
        function = offered["function"]
        parameters = function["parameters"]
        Draft202012Validator.check_schema(parameters)
        assert set(parameters["required"]) <= set(parameters["properties"]), tool.tool_id
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", function["name"]), tool.tool_id
        assert 0 < len(function["description"]) <= 1024, tool.tool_id
        OPENAI.validate_python(offered)
        FUNCTION.validate_python(function)
        ANTHROPIC.validate_python(
            {"name": function["name"], "description": function["description"], "input_schema": parameters}
        )
    names = [tool.name for tool in report.tools]
    assert len(set(names)) == len(names)


def test_tools_of_all_kinds_of_real_documents(everything: CompileReport) -> None:
    check(everything)


def test_bundled_tools(bundled: CompileReport) -> None:
    check(bundled)


def test_no_operation_of_the_real_documents_is_lost(everything: CompileReport) -> None:
    single = ("openapi.yaml", "catalogue.json", "tools.json")
    files = Counter(tool.spec_file if tool.spec_file in single else "swagger" for tool in everything.tools)
    assert files == {"swagger": 146, "openapi.yaml": 85, "catalogue.json": 194, "tools.json": 427}
    reasons = Counter(skip.reason for skip in everything.skipped if skip.file in ("catalogue.json", "tools.json"))
    assert reasons == {"no_service_code": 80}


def test_names_do_not_depend_on_what_else_is_compiled(everything: CompileReport) -> None:
    together = {(tool.spec_file, tool.operation_key): tool.name for tool in everything.tools}
    for name in ("assembly/catalogue.json", "mcp/tools.json"):
        for tool in compile_paths([real(name)]).tools:
            assert together[tool.spec_file, tool.operation_key] == tool.name
