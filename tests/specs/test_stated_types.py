"""Types and limits that documents state, as parameters keep them and as models see them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from edge.specs.compile import compile_paths
from edge.specs.model import EnumValue, JsonType, Parameter, Tool
from edge.specs.schema import function_schema, json_value, offered_type
from edge.specs.typing import fits


def seen(tool: Tool) -> dict[str, dict[str, Any]]:
    """Return what models see of each parameter, without its description."""
    offered: Any = function_schema(tool)
    properties = offered["function"]["parameters"]["properties"]
    Draft202012Validator.check_schema(offered["function"]["parameters"])
    return {name: {k: v for k, v in one.items() if k != "description"} for name, one in properties.items()}


def swagger(folder: Path, *parameters: Any, body: Any = None) -> dict[str, dict[str, Any]]:
    stated = [{"in": "query", **one} for one in parameters]
    if body:
        stated.append({"name": "body", "in": "body", "schema": {"type": "object", "properties": body}})
    operation = {"operationId": "x", "parameters": stated, "responses": {}}
    tree = {"swagger": "2.0", "host": "x.kr", "schemes": ["https"], "paths": {"/a": {"post": operation}}}
    (folder / "doc.json").write_text(json.dumps(tree, ensure_ascii=False), encoding="utf-8")
    (tool,) = compile_paths([folder / "doc.json"]).tools
    return seen(tool)


def listed(**properties: Any) -> dict[str, dict[str, Any]]:
    schema = {"type": "object", "properties": properties}
    data = json.dumps([{"name": "get_x", "inputSchema": schema}]).encode()
    (tool,) = compile_paths([], documents={"s.json": data}).tools
    return seen(tool)


def test_a_body_keeps_the_declared_type_whatever_the_field_means(tmp_path: Path) -> None:
    body = {
        "seatNo": {"type": "integer", "description": "좌석번호 코드"},
        "year": {"type": "integer", "description": "연도"},
        "level": {"type": "integer", "enum": [1, 2]},
        "rate": {"type": "number", "enum": [0.5, 1]},
        "open": {"type": "boolean", "description": "운영여부(Y/N)"},
        "kind": {"type": "integer", "description": "구분 (01: 공공, 02: 민간)"},
        "name": {"type": "string"},
    }
    assert swagger(tmp_path, body=body) == {
        "seatNo": {"type": "integer"},
        "year": {"type": "integer"},
        "level": {"type": "integer", "enum": [1, 2]},
        "rate": {"type": "number", "enum": [0.5, 1]},
        "open": {"type": "string", "enum": ["Y", "N"]},
        "kind": {"type": "string", "enum": ["01", "02"]},
        "name": {"type": "string"},
    }


def test_an_integer_of_a_query_is_text_only_where_zeros_may_lead(tmp_path: Path) -> None:
    made = swagger(
        tmp_path,
        {"name": "q", "type": "integer", "description": "조회 내용"},
        {"name": "sidoCd", "type": "integer", "description": "시도코드"},
        {"name": "baseDate", "type": "integer", "description": "기준일자(YYYYMMDD)"},
        {"name": "kind", "type": "integer", "enum": ["01", "02"]},
    )
    assert {name: one["type"] for name, one in made.items()} == {
        "q": "integer", "sidoCd": "string", "baseDate": "string", "kind": "string",
    }  # fmt: skip


LIMITS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"type": "integer", "minimum": 1, "maximum": 7, "default": 3, "format": "int32"},
     {"type": "integer", "minimum": 1, "maximum": 7, "default": 3, "format": "int32"}),
    ({"type": "number", "multipleOf": 0.5, "maximum": 9}, {"type": "number", "multipleOf": 0.5, "maximum": 9}),
    ({"type": "string", "minLength": 5, "maxLength": 5, "pattern": "^\\d{5}$", "default": "03187"},
     {"type": "string", "minLength": 5, "maxLength": 5, "pattern": "^\\d{5}$", "default": "03187"}),
    ({"type": "string", "format": "uuid"}, {"type": "string", "format": "uuid"}),
    ({"type": "string", "pattern": "[a-", "minLength": -1, "format": "string"}, {"type": "string"}),
    ({"type": "boolean", "default": False}, {"type": "boolean", "default": False}),
    ({"type": "integer", "minLength": 2, "default": "many"}, {"type": "integer"}),
    ({"type": "string", "enum": ["C", "F"], "default": "K", "maxLength": 1}, {"type": "string", "enum": ["C", "F"]}),
]  # fmt: skip


@pytest.mark.parametrize(("stated", "shown"), LIMITS)
def test_limits_at_the_top_are_kept(stated: dict[str, Any], shown: dict[str, Any], tmp_path: Path) -> None:
    assert swagger(tmp_path, {"name": "p", **stated}) == {"p": shown}
    assert swagger(tmp_path, body={"p": stated}) == {"p": shown}
    assert listed(p=stated) == {"p": shown}


def test_bounds_as_flags_become_bounds_as_numbers(tmp_path: Path) -> None:
    stated = {"name": "p", "type": "number", "minimum": 0, "exclusiveMinimum": True}
    assert swagger(tmp_path, stated)["p"] == {"type": "number", "exclusiveMinimum": 0}
    assert listed(p={"type": "number", "exclusiveMaximum": 9})["p"] == {"type": "number", "exclusiveMaximum": 9}


def test_limits_that_do_not_fit_what_is_offered_are_left_out(tmp_path: Path) -> None:
    made = swagger(
        tmp_path,
        {"name": "sidoCd", "type": "integer", "minimum": 11, "format": "int64", "description": "시도코드"},
        {"name": "baseDate", "type": "string", "format": "date", "description": "기준일자(YYYYMMDD)"},
        {"name": "since", "type": "string", "format": "date"},
    )
    assert made == {
        "sidoCd": {"type": "string"},
        "baseDate": {"type": "string"},
        "since": {"type": "string", "format": "date"},
    }


def test_a_value_of_several_types_has_no_limit_of_one_of_them() -> None:
    assert listed(p={"anyOf": [{"type": "integer", "minimum": 5}, {"type": "string"}]})["p"] == {"type": "integer"}
    nullable = listed(p={"anyOf": [{"type": "integer", "minimum": 5}, {"type": "null"}]})["p"]
    assert nullable == {"type": "integer", "minimum": 5}


KINDS: list[JsonType] = ["integer", "number", "boolean", "string"]


@given(st.sampled_from(KINDS), st.one_of(st.integers().map(str), st.floats().map(str), st.text(max_size=6)))
def test_what_fits_a_type_comes_back_as_the_same_value(kind: JsonType, text: str) -> None:
    value = json_value(text, kind)
    if kind == "string" or not fits(text, kind):
        assert value == text
    else:
        assert Draft202012Validator({"type": kind}).is_valid(value)
        exact = int if kind != "boolean" and isinstance(value, int) and text.lstrip("+-").isdecimal() else float
        assert exact(text) == value if kind != "boolean" else str(value).lower() == text


def test_listed_numbers_are_numbers_in_a_body_alone() -> None:
    values = (EnumValue("1", "a"), EnumValue("2", "b"))
    assert offered_type(Parameter("p", "p", type="integer", location="body", enum=values)) == "integer"
    assert offered_type(Parameter("p", "p", type="integer", enum=values)) == "string"
    coded = (*values, EnumValue("01", "c"))
    assert offered_type(Parameter("p", "p", type="integer", location="body", enum=coded)) == "string"
