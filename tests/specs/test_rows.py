"""Tools as rows, as JSON and as function schemas, over everything that compiles."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from edge.errors import SpecError
from edge.specs.compile import CompileReport
from edge.specs.model import EnumValue, Envelope, OutputField, Parameter, Profile, Tool
from edge.specs.rows import tool_from_json, tool_of, tool_row, tool_to_json
from edge.specs.schema import function_schema

NAME = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")

words = st.text(max_size=12)
values = st.lists(st.builds(EnumValue, words, words), max_size=3).map(tuple)
parameters = st.builds(
    Parameter, name=words, label=words, description=words, default=st.none() | words, enum=values,
    type=st.sampled_from(["string", "integer", "array", "object"]), required=st.booleans(),
    examples=st.lists(words, max_size=2).map(tuple), filled_by=st.sampled_from(["model", "server"]),
    kind=st.sampled_from(["date", "code"]), format=st.none() | st.sampled_from(["%Y%m%d", "8", "%"]),
)  # fmt: skip
outputs = st.builds(OutputField, path=words, label=words, unit=st.none() | words, values=values, private=st.booleans())
profiles = st.builds(
    Profile, platform=words, title=words, hosts=st.just(()), auth=st.none(),
    envelope=st.builds(Envelope, records=st.lists(words, max_size=3).map(tuple)),
    fixed=st.dictionaries(words, words, max_size=2), per_second=st.none() | st.floats(0.1, 9),
)  # fmt: skip
tools = st.builds(
    Tool, tool_id=words, operation_key=words, platform=words, service=words, provider=words, domain=words, title=words,
    description=words, method=st.sampled_from(["GET", "POST"]), url=words, profile=profiles,
    name_field=st.none() | words,
    parameters=st.lists(parameters, max_size=3, unique_by=lambda p: p.name).map(tuple),
    outputs=st.lists(outputs, max_size=3).map(tuple),
)  # fmt: skip


@given(tools)
def test_round_trip_through_json_text(tool: Tool) -> None:
    assert tool_from_json(json.loads(json.dumps(tool_to_json(tool)))) == tool


@given(tools)
def test_every_schema_is_valid_and_offers_only_what_a_model_may_fill(tool: Tool) -> None:
    function = function_schema(tool)["function"]
    assert isinstance(function, dict)
    Draft202012Validator.check_schema(function["parameters"])
    assert set(function["parameters"]["properties"]) == {p.name for p in tool.offered}
    assert function["parameters"]["additionalProperties"] is False


def test_what_is_no_tool_is_refused(bundled: CompileReport) -> None:
    tree = dict(tool_to_json(bundled.tools[0]))
    tree["method"] = 7
    with pytest.raises(SpecError, match="method"):
        tool_from_json(tree)


def test_schema_states_form_values_and_default(bundled: CompileReport) -> None:
    parameter = Parameter(
        "d", "기준일", kind="date", format="%Y%m%d", default="20240101", required=True, examples=("20240102",)
    )
    coded = Parameter("c", "종별", type="integer", enum=(EnumValue("01", "상급종합병원"), EnumValue("11", "종합병원")))
    tool = replace(bundled.tools[0], parameters=(parameter, coded))
    schema = function_schema(tool)["function"]
    assert isinstance(schema, dict)
    assert schema["parameters"]["properties"] == {
        "d": {
            "type": "string",
            "description": "기준일. 형식 YYYYMMDD. 예: 20240102. 기본값: 20240101",
            "default": "20240101",
        },
        "c": {"type": "string", "description": "종별. 01: 상급종합병원; 11: 종합병원", "enum": ["01", "11"]},
    }
    assert schema["parameters"]["required"] == ["d"]


@pytest.mark.parametrize("name", ["portal", "opendart", "bundled"])
def test_everything_that_compiles_is_offered_and_stored(name: str, request: pytest.FixtureRequest) -> None:
    report: CompileReport = request.getfixturevalue(name)
    names = [tool.tool_id for tool in report.tools]
    assert len(set(names)) == len(names)
    assert names == sorted(names)
    for tool in report.tools:
        assert NAME.match(tool.name)
        function = function_schema(tool)["function"]
        assert isinstance(function, dict)
        Draft202012Validator.check_schema(function["parameters"])
        row = tool_row(tool)
        assert len(json.loads(row["parameters"])) == len(tool.parameters)
        assert re.fullmatch(r"[0-9a-f]{64}", row["spec_hash"])
        assert tool_from_json(tool_to_json(tool)) == tool
        assert tool_of(row) == tool
