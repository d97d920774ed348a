"""Lists of MCP and function tools, in every shape in which they are found, and the types their arguments are given."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from edge.specs.annotations import read_annotation
from edge.specs.compile import CompileReport, compile_paths
from edge.specs.documents import read_document
from edge.specs.mcp import read_mcp
from edge.specs.model import Tool
from edge.specs.schema import function_schema

from .conftest import real


def compiled(document: object, name: str = "weather.json") -> CompileReport:
    """Compile one list of tools."""
    return compile_paths([], documents={name: json.dumps(document, ensure_ascii=False).encode()})


def only(report: CompileReport) -> Tool:
    """Return the one tool of a report."""
    assert report.skipped == ()
    (tool,) = report.tools
    return tool


def properties(tool: Tool) -> dict[str, Any]:
    """Return the JSON Schema of each parameter as models see it, without its description."""
    offered: Any = function_schema(tool)["function"]
    found = dict(offered["parameters"]["properties"])
    return {name: {k: v for k, v in schema.items() if k != "description"} for name, schema in found.items()}


@pytest.fixture(scope="module")
def servers() -> CompileReport:
    """The tools of six public servers."""
    return compile_paths([real("mcp/tools.json")])


def test_every_real_tool_compiles_under_its_own_name(servers: CompileReport) -> None:
    assert (len(servers.tools), servers.skipped) == (427, ())
    assert len({tool.tool_id for tool in servers.tools}) == 427
    assert Counter(notice.kind for notice in servers.notices) == {"parameters_unknown": 17, "duplicate_name": 3}


def test_real_arguments_keep_types_notes_and_paging(servers: CompileReport) -> None:
    tool = next(t for t in servers.tools if t.operation_key == "open_assembly_mcp.search_bills")
    assert tool.url == "mcp://open-assembly-mcp/search_bills" and tool.read_only
    assert [(p.name, p.type, p.required) for p in tool.offered][-2:] == [
        ("page", "integer", False),
        ("page_size", "integer", False),
    ]
    noted = next(p for t in servers.tools for p in t.parameters if p.description == "법령일련번호 (MST)")
    assert (noted.type, noted.kind) == ("string", "code")
    keys = {p.name for t in servers.tools for p in t.parameters if p.filled_by == "server"}
    assert keys == {"apiKey"}, "the caller's key is not for a model to fill"


SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "도시 이름"},
        "days": {"type": "integer", "enum": [1, 3, 7], "default": 3},
        "units": {"enum": ["C", "F"]},
        "tags": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/Tag"}}, {"type": "null"}]},
        "mst": {"type": "integer", "description": "법령일련번호 코드"},
        "page": {"type": "integer"},
    },
    "required": ["city"],
    "$defs": {"Tag": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 5}}}},
}
OUTPUT = {
    "type": "object",
    "properties": {"result": {"type": "array", "items": {"$ref": "#/$defs/Day"}}},
    "$defs": {"Day": {"type": "object", "properties": {"temp": {"type": "number", "description": "기온(℃)"}}}},
}
TOOL = {"name": "get_forecast", "description": "도시의 예보를 준다.", "inputSchema": SCHEMA, "outputSchema": OUTPUT}


@pytest.mark.parametrize(
    "document",
    [
        {"tools": [TOOL]},
        [TOOL],
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL]}},
        [{"type": "function", "function": {"name": "get_forecast", "description": "", "parameters": SCHEMA}}],
        [{"type": "function", "name": "get_forecast", "parameters": SCHEMA}],
        {"tools": [{"name": "get_forecast", "input_schema": SCHEMA}]},
    ],
)
def test_the_usual_shapes_of_lists(document: object) -> None:
    tool = only(compiled(document))
    assert (tool.tool_id, tool.platform, tool.method) == ("weather_get_forecast", "weather", "POST")
    assert properties(tool) == {
        "city": {"type": "string"},
        "days": {"type": "integer", "enum": [1, 3, 7], "default": 3},
        "units": {"type": "string", "enum": ["C", "F"]},
        "tags": {
            "type": "array",
            "items": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 5}}},
        },
        "mst": {"type": "integer"},
        "page": {"type": "integer"},
    }
    assert [p.name for p in tool.required] == ["city"]
    assert {p.location for p in tool.parameters} == {"body"}


def test_outputs_come_from_the_output_schema() -> None:
    tool = only(compiled({"tools": [TOOL]}))
    assert [(f.path, f.type, f.label) for f in tool.outputs] == [("temp", "number", "기온(℃)")]


def test_the_server_is_named_by_the_document_else_by_its_file() -> None:
    by_file = only(compiled([TOOL]))
    named = [
        only(compiled({"server": "날씨 서버", "tools": [TOOL]})),
        only(compiled({"serverInfo": {"name": "날씨 서버"}, "tools": [TOOL]})),
        only(compiled([{**TOOL, "server": "날씨 서버"}])),
    ]
    assert by_file.provider == "weather"
    assert {(t.provider, t.platform, t.tool_id) for t in named} == {
        ("날씨 서버", "nalssi_seobeo", "nalssi_seobeo_get_forecast")
    }


def test_s05_the_same_tool_on_two_servers_gives_two_names() -> None:
    both = [{**TOOL, "server": "a-b"}, {**TOOL, "server": "a b"}, {**TOOL, "server": "c"}]
    report = compiled(both)
    names = {tool.tool_id for tool in report.tools}
    assert len(names) == 3 and "c_get_forecast" in names
    assert {tool.tool_id for tool in compiled(both[::-1]).tools} == names, "names do not depend on the order"


def test_a_name_listed_twice_is_numbered_and_said() -> None:
    report = compiled({"tools": [TOOL, {**TOOL, "description": "또 하나"}]})
    assert [tool.tool_id for tool in report.tools] == ["weather_get_forecast", "weather_get_forecast_2"]
    assert [notice.kind for notice in report.notices] == ["duplicate_name"]


def test_entries_that_give_no_tool_are_named() -> None:
    broken = {"name": "b", "inputSchema": {"properties": {"x": {"$ref": "#/$defs/None"}}}}
    report = compiled({"tools": [TOOL, {"title": "이름 없음"}, "text", broken]})
    assert len(report.tools) == 1 and report.operations == 4
    assert [(skip.operation, skip.reason) for skip in report.skipped] == [
        ("tools[1]", "invalid_tool"),
        ("tools[2]", "invalid_tool"),
        ("b", "unresolved_ref"),
    ]
    assert [skip.reason for skip in compiled({"tools": []}).skipped] == ["no_operations"]


@pytest.mark.parametrize(
    ("name", "hints", "reads"),
    [
        ("get_weather", {}, True),
        ("dart_get_asset_transfer", {}, True),
        ("searchBills", {}, True),
        ("법령조회", {}, True),
        ("list_old_and_new_laws", {}, True),
        ("get_or_create_user", {}, False),
        ("delete_station", {}, False),
        ("법령수정확인", {}, False),
        ("summarise", {}, False),
        ("summarise", {"readOnlyHint": True}, True),
        ("get_weather", {"readOnlyHint": False}, False),
        ("fetch_and_delete", {}, False),
        ("get_mail", {"destructiveHint": True}, False),
    ],
)
def test_what_only_reads(name: str, hints: dict[str, bool], reads: bool) -> None:
    tool = {"name": name, "inputSchema": {"type": "object"}, "annotations": hints}
    assert only(compiled([tool])).read_only is reads


@pytest.mark.parametrize(
    ("text", "schema"),
    [
        ("str", {"type": "string"}),
        ("Optional[str]", {"type": "string"}),
        ("int | None", {"type": "integer"}),
        ("Union[str, int]", {"anyOf": [{"type": "string"}, {"type": "integer"}]}),
        ("typing.List[int]", {"type": "array", "items": {"type": "integer"}}),
        ("tuple[int, ...]", {"type": "array", "items": {"type": "integer"}}),
        ("dict[str, float]", {"type": "object", "additionalProperties": {"type": "number"}}),
        ("dict", {"type": "object"}),
        ('Literal["a", \'b\'] | None', {"type": "string", "enum": ["a", "b"]}),
        ("datetime.date", {"type": "string", "format": "date"}),
        ("string[]", {"type": "array", "items": {"type": "string"}}),
        ("'x' | \"y\" | undefined", {"type": "string", "enum": ["x", "y"]}),
        ("Record<string, number>", {"type": "object", "additionalProperties": {"type": "number"}}),
        ("Array<{ id: string; n: number }>", {"type": "array", "items": {"type": "object"}}),
        ("(string | number)[]", {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "number"}]}}),
        ("SomeModel", {}),
        ("z.string().min(1)", {}),
        ("", {}),
        ("Optional[", {}),
    ],
)
def test_annotations_of_both_languages(text: str, schema: dict[str, Any]) -> None:
    assert read_annotation(text).schema == schema


def test_an_annotation_may_carry_a_note_and_be_cut_off() -> None:
    read = read_annotation("Annotated[Optional[str], '정렬 (lasc, ldes, dasc'")
    assert (read.schema, read.note, read.optional) == ({"type": "string"}, "정렬 (lasc, ldes, dasc", True)
    assert read_annotation('Annotated[int, Field(description="쪽", ge=1)]').note == "쪽"


PIECES = [
    *("str", "int", "Optional", "Literal", "Union", "Annotated", "dict", "list", "Array", "Record", "string", "null"),
    *("[", "]", "<", ">", "(", ")", "{", "}", ",", "|", "'a'", '"b"', "`c", "1", "-2.5"),
    *(":", ".", " ", "\\", "...", "가"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=200))
@example("[" * 4000)
@example("Optional[" * 400)
@example("(" * 3000 + ")" * 900)
@example("'" + "\\" * 3000)
def test_any_annotation_gives_a_valid_schema(text: str) -> None:
    """The reader never raises, and what it gives is JSON Schema once it went through the reader of schemas."""
    read = read_annotation(text)
    assert read == read_annotation(text)
    data = json.dumps([{"server": "s", "tool": "t", "params": [{"name": "p", "type": text}]}]).encode()
    reading = read_mcp(read_document(Path("s.json"), data), "s.json")
    assert reading.skipped == []
    offered: Any = function_schema(reading.tools[0])["function"]
    Draft202012Validator.check_schema(offered["parameters"])


WORDS = ["string", "integer", "number", "boolean", "array", "object", "null", "#/properties/a", "^[", "date", "1", "a"]
KEYWORDS = [
    *("type", "properties", "items", "enum", "const", "anyOf", "allOf", "oneOf", "required", "$ref", "minimum"),
    *("exclusiveMaximum", "maxLength", "pattern", "format", "default", "additionalProperties", "description"),
    *("nullable", "a", "b"),
]
SCALARS = (
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8) | st.sampled_from(WORDS)
)  # fmt: skip
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=5),
    max_leaves=25,
)


@given(JSON, JSON)
def test_any_schema_gives_a_tool_or_a_reason(schema: Any, output: Any) -> None:
    tool = {"name": "t", "inputSchema": {"type": "object", "properties": schema}, "outputSchema": output}
    reading = read_mcp(read_document(Path("s.json"), json.dumps([tool]).encode()), "s.json")
    assert len(reading.tools) + len(reading.skipped) == 1
    for made in reading.tools:
        offered: Any = function_schema(made)["function"]
        Draft202012Validator.check_schema(offered["parameters"])
