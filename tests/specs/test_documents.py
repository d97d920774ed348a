"""Foreign documents: references, missing parts, duplicates, clear skips (S01, S04, S05, S06, S07, S08, S10)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from edge.errors import UsageError
from edge.specs.building import Skip
from edge.specs.compile import CompileReport, compile_paths
from edge.specs.refs import Unresolved, resolve


def compiled(folder: Path, **documents: Any) -> CompileReport:
    for name, tree in documents.items():
        text = tree if isinstance(tree, str) else json.dumps(tree, ensure_ascii=False)
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
    return compile_paths([folder])


def swagger(paths: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"swagger": "2.0", "host": "openapi.x.go.kr", "schemes": ["http"], "paths": paths, **more}


def test_s01_unresolved_reference_costs_one_operation(tmp_path: Path) -> None:
    bad = {"operationId": "a", "parameters": [{"$ref": "#/parameters/없음"}], "responses": {"200": {}}}
    report = compiled(tmp_path, s01=swagger({"/a": {"get": bad}, "/b": {"get": {"operationId": "b"}}}))
    assert [tool.operation_key for tool in report.tools] == ["s01.b"]
    (skip,) = report.skipped
    assert skip.reason == "unresolved_ref"
    assert "#/paths/~1a/get/parameters/0" in skip.detail
    assert "#/parameters/없음" in skip.detail


def test_s04_original_operation_ids_are_kept(tmp_path: Path) -> None:
    ids = ["법령조회", "법령검색", "getList.v1", "getList_v1"]
    report = compiled(tmp_path, law=swagger({f"/{i}": {"get": {"operationId": name}} for i, name in enumerate(ids)}))
    assert sorted(tool.operation_key for tool in report.tools) == sorted(f"law.{name}" for name in ids)
    assert len({tool.tool_id for tool in report.tools}) == 4


def test_s05_same_id_in_two_files_and_twice_in_one(tmp_path: Path) -> None:
    one = {"swagger": "2.0", "paths": {"/l": {"get": {"operationId": "getList"}}}}
    get = {"get": {"operationId": "getList"}}
    two = {"swagger": "2.0", "paths": {"/l": get, "/m": get}}
    report = compiled(tmp_path, traffic=one, finance=two)
    assert [(tool.service, tool.operation_key) for tool in report.tools] == [
        ("finance", "finance.getList"),
        ("finance", "finance.getList_m"),
        ("traffic", "traffic.getList"),
    ]
    assert len({tool.tool_id for tool in report.tools}) == 3
    notice = next(notice for notice in report.notices if notice.kind == "duplicate_operation_id")
    assert "GET /l" in notice.detail and "GET /m" in notice.detail
    assert report.skipped == ()


def test_s05_one_call_described_twice_is_one_tool(tmp_path: Path) -> None:
    get = {"get": {"operationId": "getOne", "parameters": [{"name": "id", "in": "path"}]}}
    report = compiled(tmp_path, doc=swagger({"/l/{id}": get, "/l/{no}/": get}))
    assert len(report.tools) == 1
    (skip,) = report.skipped
    assert skip.reason == "duplicate_operation"
    assert "GET /l/{id}" in skip.detail and "GET /l/{no}/" in skip.detail


def test_s06_template_is_kept_and_placeholders_are_parameters(tmp_path: Path) -> None:
    parameter = {"name": "지역명", "in": "path", "type": "string"}
    paths = {
        "/법 령/{지역명}/목록": {"get": {"operationId": "a", "parameters": [parameter]}},
        "/{none}": {"get": {"operationId": "b"}},
    }
    report = compiled(tmp_path, doc=swagger(paths, basePath="/openapi"))
    (tool,) = report.tools
    assert tool.url == "http://openapi.x.go.kr/openapi/법 령/{지역명}/목록"
    assert [(p.location, p.required) for p in tool.parameters] == [("path", True)]
    assert report.skipped[0].reason == "undeclared_placeholder"


def test_s07_port_and_root_base_path(tmp_path: Path) -> None:
    report = compiled(tmp_path, doc=swagger({"/list": {"get": {}}}, host="openapi.x.go.kr:80", basePath="/"))
    assert report.tools[0].url == "http://openapi.x.go.kr/list"
    assert report.notices == ()


def test_s07_assumptions_are_recorded(tmp_path: Path) -> None:
    report = compiled(tmp_path, doc={"swagger": "2.0", "host": "x.go.kr", "paths": {"/list": {"get": {}}}})
    assert report.tools[0].url == "https://x.go.kr/list"
    assert any("no scheme given" in notice.detail for notice in report.notices)


def test_s08_operations_without_a_response_schema(tmp_path: Path) -> None:
    paths = {
        "/a": {"get": {"operationId": "a"}},
        "/b": {"get": {"operationId": "b", "responses": {"200": {"description": "ok"}}}},
        "/c": {"get": {"operationId": "c", "responses": {"200": {"content": {"application/json": {}}}}}},
    }
    report = compiled(tmp_path, s08=swagger(paths))
    assert len(report.tools) == 3
    assert all(tool.outputs == () for tool in report.tools)


def test_s10_documented_place_of_records_is_kept_beside_the_usual_ones(tmp_path: Path) -> None:
    schema = {"properties": {"자료": {"type": "array", "items": {"properties": {"id": {"type": "integer"}}}}}}
    report = compiled(tmp_path, doc=swagger({"/a": {"get": {"responses": {"200": {"schema": schema}}}}}))
    (tool,) = report.tools
    assert [field.path for field in tool.outputs] == ["id"]
    records = tool.profile.envelope.records
    assert records.index("자료") < records.index("response.body.items.item"), "the usual places are but guesses"


def test_circular_schema_ends(tmp_path: Path) -> None:
    definitions = {"N": {"properties": {"name": {"type": "string"}, "next": {"$ref": "#/definitions/N"}}}}
    schema = {"type": "array", "items": {"$ref": "#/definitions/N"}}
    paths = {"/a": {"get": {"responses": {"": {"schema": schema}}}}}
    report = compiled(tmp_path, doc=swagger(paths, definitions=definitions))
    assert [field.path for field in report.tools[0].outputs] == ["name", "next"]


def test_circular_reference_is_refused() -> None:
    root: dict[str, Any] = {"a": {"$ref": "#/b"}, "b": {"$ref": "#/a"}}
    with pytest.raises(Unresolved, match="circle"):
        resolve(root, {"$ref": "#/a"}, "#/x")


def test_all_of_and_result_code_responses(tmp_path: Path) -> None:
    part = {"properties": {"sidoCd": {"description": "시도코드"}}}
    schema = {"allOf": [{"$ref": "#/definitions/P"}, {"properties": {"cnt": {"description": "건수"}}}]}
    responses = {"03": {"description": "no data"}, "00": {"schema": schema}}
    report = compiled(tmp_path, doc=swagger({"/a": {"get": {"responses": responses}}}, definitions={"P": part}))
    assert [(f.path, f.kind) for f in report.tools[0].outputs] == [("sidoCd", "code"), ("cnt", "count")]


def test_unknown_host_gets_a_generic_profile(tmp_path: Path) -> None:
    region = {"name": "cond[REGION::EQ]", "in": "query", "description": "지역명"}
    parameters = [{"name": "authKey", "in": "query"}, region]
    report = compiled(tmp_path, doc=swagger({"/a": {"get": {"parameters": parameters}}}))
    (tool,) = report.tools
    assert tool.profile.auth is not None
    assert (tool.profile.auth.parameter, tool.profile.auth.env) == ("authKey", "EDGE_KEY_OPENAPI_X_GO_KR")
    assert [p.name for p in tool.offered] == ["cond[REGION::EQ]"]


def test_openapi3_parts(tmp_path: Path) -> None:
    document = {
        "openapi": "3.1.0",
        "servers": [{"url": "https://{region}.x.kr/v1", "variables": {"region": {"default": "api"}}}],
        "paths": {
            "/items/{id}": {
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": ["string", "null"]}}],
                "post": {
                    "operationId": "find",
                    "requestBody": {"required": True, "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Q"}}}},
                    "responses": {"200": {"content": {"application/json": {"schema": {"oneOf": [
                        {"type": "null"}, {"type": "array", "items": {"$ref": "#/components/schemas/R"}}]}}}}},
                },
                "delete": {"operationId": "drop"},
            }
        },
        "components": {"schemas": {
            "Q": {"properties": {"bizNo": {"type": "string", "description": "사업자등록번호"}}, "required": ["bizNo"]},
            "R": {"properties": {"nm": {"anyOf": [{"type": "null"}, {"type": "string"}]}, "n": {"type": "integer"}}},
        }},
    }  # fmt: skip
    report = compiled(tmp_path, doc=document)
    drop, tool = report.tools
    assert tool.url == "https://api.x.kr/v1/items/{id}"
    assert (drop.method, drop.read_only) == ("DELETE", False)
    assert (tool.method, tool.read_only) == ("POST", True)
    assert [(p.name, p.location, p.required, p.kind) for p in tool.parameters] == [
        ("id", "path", True, "code"),
        ("bizNo", "body", True, "code"),
    ]
    assert [(f.path, f.type) for f in tool.outputs] == [("nm", "string"), ("n", "integer")]
    assert report.skipped == ()


def test_broken_files_are_one_line_each_and_the_rest_compiles(tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("a: [1,\nb: }", encoding="utf-8")
    report = compiled(tmp_path, bad='{"swagger": "2.0",}', mcp={"tools": []}, ok=swagger({"/a": {"get": {}}}))
    assert len(report.tools) == 1
    skips = {skip.file: skip for skip in report.skipped}
    assert skips["bad.json"].reason == skips["broken.yaml"].reason == "invalid_file"
    assert "line 1 column 19" in skips["bad.json"].detail
    assert "line 2" in skips["broken.yaml"].detail
    assert skips["mcp.json"].reason == "no_operations"
    assert not any("\n" in skip.detail for skip in report.skipped)


def test_missing_path_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        compile_paths([tmp_path / "none"])
    with pytest.raises(UsageError):
        compile_paths([])


def test_file_order_does_not_matter(tmp_path: Path) -> None:
    compiled(tmp_path, a=swagger({"/a": {"get": {}}}), b=swagger({"/a": {"get": {}}, "/b": {"get": {}}}))
    files = [tmp_path / "a.json", tmp_path / "b.json"]
    assert compile_paths(files) == compile_paths(files[::-1])
    assert [skip.reason for skip in compile_paths(files).skipped] == ["duplicate_operation"]
    assert all(isinstance(skip, Skip) for skip in compile_paths(files).skipped)
