"""What OpenAPI 3.x and Swagger 2.0 documents say, and what of it tools keep (S07, S08)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from edge.specs.compile import CompileReport, compile_paths
from edge.specs.methods import reads
from edge.specs.model import Parameter, Tool
from edge.specs.schema import function_schema


def compiled(folder: Path, tree: dict[str, Any], profiles: Path | None = None) -> CompileReport:
    (folder / "doc.json").write_text(json.dumps(tree, ensure_ascii=False), encoding="utf-8")
    report = compile_paths([folder / "doc.json"], profiles or folder)  # there are none in it
    for tool in report.tools:
        Draft202012Validator.check_schema(offered(tool))
    return report


def offered(tool: Tool) -> Any:
    shown: Any = function_schema(tool)
    return shown["function"]["parameters"]


def openapi(paths: dict[str, Any], version: str = "3.1.0", **more: Any) -> dict[str, Any]:
    return {"openapi": version, "servers": [{"url": "https://x.kr/v1"}], "paths": paths, **more}


def swagger(paths: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"swagger": "2.0", "host": "x.kr", "schemes": ["https"], "paths": paths, **more}


def content(schema: Any, media: str = "application/json") -> dict[str, Any]:
    return {"content": {media: {"schema": schema}}}


def one(report: CompileReport) -> Tool:
    (tool,) = report.tools
    assert report.skipped == ()
    return tool


def parameter_of(folder: Path, schema: Any, schemas: Any = None, version: str = "3.1.0", **words: Any) -> Parameter:
    stated = {"name": "p", "in": "query", "schema": schema, **words}
    tree = openapi({"/a": {"get": {"parameters": [stated]}}}, version, components={"schemas": schemas or {}})
    (parameter,) = one(compiled(folder, tree)).parameters
    return parameter


def output_paths(folder: Path, schema: Any, schemas: Any = None, media: str = "application/json") -> list[str]:
    paths = {"/a": {"get": {"responses": {"200": content(schema, media)}}}}
    tree = openapi(paths, components={"schemas": schemas or {}})
    return [field.path for field in one(compiled(folder, tree)).outputs]


@pytest.mark.parametrize("kind", ["integer", "string", "boolean", "number"])
def test_three_spellings_of_null_are_one_type(kind: str, tmp_path: Path) -> None:
    spellings: list[Any] = [
        {"type": kind, "nullable": True},
        {"type": [kind, "null"]},
        {"anyOf": [{"type": "null"}, {"type": kind}]},
        {"oneOf": [{"type": kind}, {"enum": [None]}]},
        {"allOf": [{"type": kind}], "nullable": True},
    ]
    read = [parameter_of(tmp_path, spelling) for spelling in spellings]
    assert {parameter.type for parameter in read} == {kind}
    assert len(set(read)) == 1


def test_first_alternative_gives_the_type_and_enumerations_unite(tmp_path: Path) -> None:
    schemas = {"A": {"enum": ["a", "b"]}, "B": {"type": "string", "enum": ["b", "c"]}, "One": {"const": "d"}}
    refs = [{"$ref": f"#/components/schemas/{name}"} for name in schemas]
    united = parameter_of(tmp_path, {"anyOf": [*refs, {"type": "null"}]}, schemas)
    assert [value.value for value in united.enum] == ["a", "b", "c", "d"]
    mixed = parameter_of(tmp_path, {"oneOf": [{"type": "integer"}, {"type": "string"}]})
    assert mixed.type == "integer"
    open_ended = parameter_of(tmp_path, {"anyOf": [refs[0], {"type": "string"}]}, schemas)
    assert open_ended.enum == ()


def test_const_enum_of_one_and_what_values_are_called(tmp_path: Path) -> None:
    for spelling in ({"const": "x"}, {"enum": ["x"]}, {"type": "string", "const": "x"}):
        assert [value.value for value in parameter_of(tmp_path, spelling).enum] == ["x"]
    titled = {"oneOf": [{"const": "01", "title": "서울"}, {"const": "02", "title": "부산"}]}
    vendor = {"enum": ["01", "02"], "x-enum-descriptions": ["서울", "부산"]}
    spoken = {"enum": ["01", "02"], "description": "01: 서울, 02: 부산"}
    for spelling in (titled, vendor, spoken):
        assert [(v.value, v.label) for v in parameter_of(tmp_path, spelling).enum] == [("01", "서울"), ("02", "부산")]


def test_parameter_content_and_parameters_of_the_path(tmp_path: Path) -> None:
    shared = [
        {"name": "lang", "in": "query", "schema": {"type": "string"}},
        {"name": "q", "in": "query", "schema": {"type": "string"}},
    ]
    own = [{"name": "q", "in": "query", "required": True, "content": {"application/json": {"schema": {
        "type": "object", "properties": {"from": {"type": "integer"}}}}}}]  # fmt: skip
    tool = one(compiled(tmp_path, openapi({"/a": {"parameters": shared, "get": {"parameters": own}}})))
    assert [(p.name, p.type, p.required) for p in tool.parameters] == [("lang", "string", False), ("q", "object", True)]
    assert json.loads(tool.parameters[1].schema or "") == {
        "type": "object",
        "properties": {"from": {"type": "integer"}},
    }


def test_objects_in_the_query_are_sent_member_by_member(tmp_path: Path) -> None:
    members = {"type": "object", "properties": {"page": {"type": "integer"}, "sort": {"type": "string"}}}
    parameters = [
        {"name": "pageable", "in": "query", "schema": members},
        {"name": "filter", "in": "query", "style": "deepObject", "schema": members, "required": True},
        {"name": "whole", "in": "query", "explode": False, "schema": members},
        {"name": "free", "in": "query", "schema": {"type": "object"}},
    ]
    tool = one(compiled(tmp_path, openapi({"/a": {"get": {"parameters": parameters}}})))
    assert [p.name for p in tool.parameters] == ["page", "sort", "filter[page]", "filter[sort]", "whole", "free"]


def test_headers_and_cookies(tmp_path: Path) -> None:
    parameters = [
        {"name": "Accept", "in": "header", "schema": {"type": "string"}},
        {"name": "X-Region", "in": "header", "schema": {"type": "string"}},
        {"name": "session", "in": "cookie", "schema": {"type": "string"}},
    ]
    must = [{"name": "session", "in": "cookie", "required": True}]
    paths = {"/a": {"get": {"parameters": parameters}}, "/b": {"get": {"parameters": must}}}
    report = compiled(tmp_path, openapi(paths))
    assert [(p.name, p.location) for p in report.tools[0].parameters] == [("X-Region", "header")]
    assert [skip.reason for skip in report.skipped] == ["unsupported_parameter"]


@pytest.mark.parametrize("media", ["application/json", "application/vnd.x+json; charset=utf-8",
                                   "application/x-www-form-urlencoded", "multipart/form-data"])  # fmt: skip
@pytest.mark.parametrize("required", [True, False])
def test_fields_of_a_body(media: str, required: bool, tmp_path: Path) -> None:
    schema = {
        "required": ["name", "id"],
        "properties": {"id": {"readOnly": True}, "name": {"type": "string"}, "tags": {"type": "array", "items": {}}},
    }
    operation = {"operationId": "find", "requestBody": {"required": required, **content(schema, media)}}
    tool = one(compiled(tmp_path, openapi({"/a": {"post": operation}})))
    assert [(p.name, p.location, p.required) for p in tool.parameters] == [
        ("name", "body", required),
        ("tags", "body", False),
    ]
    assert tool.profile.headers == ({} if media == "application/json" else {"Content-Type": media})


def test_json_is_chosen_among_forms_of_a_body(tmp_path: Path) -> None:
    medias = ("text/xml", "multipart/form-data", "a/json")
    forms = {media: {"schema": {"properties": {media[-3:]: {}}}} for media in medias}
    tool = one(compiled(tmp_path, openapi({"/a": {"post": {"requestBody": {"content": forms}}}})))
    assert [p.name for p in tool.parameters] == ["son"]


def test_a_body_without_fields_is_one_parameter(tmp_path: Path) -> None:
    schema = {"type": "array", "items": {"type": "object", "properties": {"b_no": {"type": "string"}}}}
    for tree in (
        openapi({"/a": {"post": {"requestBody": {"required": True, **content(schema)}}}}),
        swagger({"/a": {"post": {"parameters": [{"name": "x", "in": "body", "required": True, "schema": schema}]}}}),
    ):
        (parameter,) = one(compiled(tmp_path, tree)).parameters
        assert (parameter.name, parameter.location, parameter.type) == ("body", "body", "array")
        assert parameter.required
        assert json.loads(parameter.schema or "") == schema


def test_body_fields_called_like_a_path_parameter_give_way(tmp_path: Path) -> None:
    parameters = [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]
    body = content({"properties": {"id": {"type": "string"}, "name": {"type": "string"}}})
    report = compiled(tmp_path, openapi({"/a/{id}": {"put": {"parameters": parameters, "requestBody": body}}}))
    assert [(p.name, p.location) for p in one(report).parameters] == [("id", "path"), ("name", "body")]
    assert [notice.kind for notice in report.notices] == ["parameter_shadowed"]


def test_schemas_of_swagger2_arrays_and_bodies(tmp_path: Path) -> None:
    items = {"type": "string", "enum": ["a", "b"]}
    parameters = [
        {"name": "ids", "in": "query", "type": "array", "items": items, "collectionFormat": "csv", "maxItems": 3},
        {"name": "x", "in": "body", "schema": {"$ref": "#/definitions/B"}},
    ]
    definitions = {
        "B": {"properties": {"where": {"$ref": "#/definitions/Where"}}},
        "Where": {"type": "object", "required": ["lat"], "properties": {"lat": {"type": "number"}, "in": {
            "$ref": "#/definitions/Where"}}},
    }  # fmt: skip
    tool = one(compiled(tmp_path, swagger({"/a": {"post": {"parameters": parameters}}}, definitions=definitions)))
    ids, where = tool.parameters
    assert json.loads(ids.schema or "") == {"type": "array", "items": items, "maxItems": 3}
    assert [value.value for value in ids.enum] == ["a", "b"]
    assert json.loads(where.schema or "") == {
        "type": "object",
        "required": ["lat"],
        "properties": {"lat": {"type": "number"}, "in": {}},
    }
    assert offered(tool)["properties"]["ids"]["items"] == items


def test_keywords_of_openapi_30_become_those_of_json_schema(tmp_path: Path) -> None:
    inner = {
        "n": {"type": "integer", "minimum": 0, "exclusiveMinimum": True, "maximum": 9, "nullable": True, "default": 3},
        "e": {"type": "string", "enum": ["a"], "nullable": True, "example": "a", "xml": {"name": "E"}},
        "v": {"oneOf": [{"type": "string"}, {"type": "integer"}], "nullable": True, "discriminator": {}},
        "s": {"allOf": [{"$ref": "#/components/schemas/S"}], "nullable": True, "description": "이름"},
        "b": {"type": "boolean", "default": False},
        "p": {"type": "string", "pattern": "[a-", "format": "uuid", "minLength": 1},
        "m": {"type": "object", "additionalProperties": {"type": "number", "multipleOf": 0.5}},
    }
    items = {"type": "object", "properties": inner, "required": ["n", "gone"]}
    parameter = parameter_of(
        tmp_path,
        {"type": "array", "nullable": True, "items": items},
        {"S": {"type": "string", "maxLength": 5}},
        "3.0.3",
    )
    schema = json.loads(parameter.schema or "")
    assert schema == {
        "type": "array",
        "items": {"type": "object", "required": ["n"], "properties": {
            "n": {"type": ["integer", "null"], "exclusiveMinimum": 0, "maximum": 9, "default": 3},
            "e": {"type": ["string", "null"], "enum": ["a", None]},
            "v": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
            "s": {"type": ["string", "null"], "maxLength": 5, "description": "이름"},
            "b": {"type": "boolean", "default": False},
            "p": {"type": "string", "format": "uuid", "minLength": 1},
            "m": {"type": "object", "additionalProperties": {"type": "number", "multipleOf": 0.5}},
        }},
    }  # fmt: skip
    Draft202012Validator(schema).validate([{"n": None, "e": None, "v": None, "s": None}])
    assert not Draft202012Validator(schema).is_valid([{"n": 0}])


def test_a_schema_too_large_for_a_model_is_cut_evenly(tmp_path: Path) -> None:
    schemas = {f"L{i}": {"properties": {f"p{k}": {"$ref": f"#/components/schemas/L{i + 1}"} for k in range(9)}}
               for i in range(9)} | {"L9": {"type": "string"}}  # fmt: skip
    parameter = parameter_of(tmp_path, {"type": "array", "items": {"$ref": "#/components/schemas/L0"}}, schemas)
    schema = json.loads(parameter.schema or "")
    assert len(parameter.schema or "") < 20_000
    assert list(schema["items"]["properties"]) == [f"p{k}" for k in range(9)]
    assert all(child["properties"]["p8"]["properties"]["p8"] == {} for child in schema["items"]["properties"].values())


def test_outputs_are_the_fields_of_all_alternatives(tmp_path: Path) -> None:
    schemas = {
        "Cat": {"properties": {"name": {"type": "string"}, "lives": {"type": "integer"},
                               "home": {"properties": {"a": {}}}}},
        "Dog": {"properties": {"name": {"type": "integer"}, "tricks": {"type": "array", "items": {"type": "string"}},
                               "home": {"properties": {"b": {}}}}},
    }  # fmt: skip
    refs = [{"$ref": f"#/components/schemas/{name}"} for name in schemas]
    for key in ("oneOf", "anyOf"):
        schema = {"type": "array", "items": {key: [{"type": "null"}, *refs]}}
        assert output_paths(tmp_path, schema, schemas) == ["name", "lives", "home.a", "home.b", "tricks[]"]
    envelope = {"allOf": [{"properties": {"data": {}}}, {"properties": {"data": {"type": "array", "items": refs[0]}}}]}
    assert output_paths(tmp_path, envelope, schemas) == ["name", "lives", "home.a"]


def test_a_nullable_reference_to_itself_ends(tmp_path: Path) -> None:
    node = {"properties": {"name": {"type": "string"}, "parent": {"allOf": [{"$ref": "#/components/schemas/N"}],
            "nullable": True}, "other": {"anyOf": [{"$ref": "#/components/schemas/N"}, {"type": "null"}]}}}  # fmt: skip
    assert output_paths(tmp_path, {"$ref": "#/components/schemas/N"}, {"N": node}) == ["name", "parent", "other"]


def test_xml_answers_are_read_under_the_names_on_the_wire(tmp_path: Path) -> None:
    item = {"properties": {"busName": {"type": "string", "xml": {"name": "bus_nm"}}, "no": {"type": "integer"}}}
    assert output_paths(tmp_path, item, media="application/xml") == ["bus_nm", "no"]
    assert output_paths(tmp_path, item) == ["busName", "no"]
    paths = {"/a": {"get": {"produces": ["application/xml"], "responses": {"200": {"schema": item}}}}}
    assert [field.path for field in one(compiled(tmp_path, swagger(paths))).outputs] == ["bus_nm", "no"]


@pytest.mark.parametrize("keys", [["00", "03", "99"], ["", "03"], ["default"], ["0"], ["INFO-000", "ERROR-300"],
                                  ["2XX"], ["201", "default"], ["정상"]])  # fmt: skip
def test_answers_keyed_by_result_codes(keys: list[str], tmp_path: Path) -> None:
    schemas = [{"properties": {"good": {}}}, *({"properties": {"bad": {}}} for _ in keys)]
    given = [(key, {"schema": schema}) for key, schema in zip(keys, schemas, strict=False)]
    for order in (given, given[::-1]):
        tool = one(compiled(tmp_path, swagger({"/a": {"get": {"responses": dict(order)}}})))
        assert [field.path for field in tool.outputs] == ["good"]


def test_errors_are_no_answers(tmp_path: Path) -> None:
    error = {"description": "x", "schema": {"properties": {"message": {}}}}
    codes = {"204": {"description": "done"}, "404": error, "5XX": error, "default": error}
    assert one(compiled(tmp_path, swagger({"/a": {"get": {"responses": codes}}}))).outputs == ()
    broken = {"200": {"schema": {"properties": {"a": {}}}}, "400": {"$ref": "#/responses/none"}}
    assert len(one(compiled(tmp_path, swagger({"/a": {"get": {"responses": broken}}}))).outputs) == 1


def test_s08_operations_without_answers_compile(tmp_path: Path) -> None:
    operations = [{}, {"responses": {}}, {"responses": {"200": {"description": "ok"}}}, {"responses": None}]
    report = compiled(tmp_path, openapi({f"/{i}": {"get": operation} for i, operation in enumerate(operations)}))
    assert len(report.tools) == len(operations)


def known_platform(folder: Path) -> Path:
    """Return a folder of profiles that knows one platform."""
    platform = folder / "profiles" / "known"
    platform.mkdir(parents=True, exist_ok=True)
    text = "platform: known\ntitle: 아는 곳\nhosts: [known.kr]\nenvelope: {records: [items]}\n"
    (platform / "profile.yaml").write_text(text, encoding="utf-8")
    return folder / "profiles"


def urls(folder: Path, servers: Any, *, path: dict[str, Any] | None = None, **more: Any) -> tuple[str, list[str]]:
    tree = openapi({"/a": {"get": {}, **(path or {})}}, servers=servers, **more)
    report = compiled(folder, tree, known_platform(folder))
    return one(report).url, [notice.kind for notice in report.notices]


def test_servers(tmp_path: Path) -> None:
    relative, first = {"url": "/api"}, {"url": "https://one.kr/v1/"}
    assert urls(tmp_path, [relative, first]) == ("https://one.kr/v1/a", [])
    assert urls(tmp_path, [first, {"url": "https://two.kr"}]) == ("https://one.kr/v1/a", ["several_servers"])
    known = {"url": "https://known.kr/x"}
    assert urls(tmp_path, [first, known]) == ("https://known.kr/x/a", ["several_servers"])
    assert urls(tmp_path, [first], path={"servers": [known]})[0] == "https://known.kr/x/a"
    assert urls(tmp_path, [{"url": "//one.kr:8443/b"}])[0] == "https://one.kr:8443/b/a"
    assert urls(tmp_path, [{"url": "one.kr/b"}])[0] == "https://one.kr/b/a"
    assert urls(tmp_path, [relative], **{"$self": "https://self.kr/doc/api.json"})[0] == "https://self.kr/api/a"
    assert urls(tmp_path, [relative]) == ("https://host.invalid/api/a", ["scheme_assumed", "host_assumed"])


def test_server_variables(tmp_path: Path) -> None:
    variables = {"r": {"default": "kr"}, "v": {"enum": ["v2", "v1"]}}
    server = {"url": "https://{r}.x.kr/{v}", "variables": variables}
    assert urls(tmp_path, [server])[0] == "https://kr.x.kr/v2/a"
    report = compiled(tmp_path, openapi({"/a": {"get": {}}}, servers=[{"url": "https://{tenant}.x.kr"}]))
    assert [skip.reason for skip in report.skipped] == ["undeclared_placeholder"]


def test_s07_host_with_port(tmp_path: Path) -> None:
    report = compiled(tmp_path, {**swagger({"/list": {"get": {}}}), "host": "x.kr:8088", "basePath": "/"})
    assert one(report).url == "https://x.kr:8088/list"


def test_methods(tmp_path: Path) -> None:
    methods = ("get", "query", "put", "patch", "delete", "post", "head", "options", "trace")
    item: dict[str, Any] = {method: {"operationId": f"x_{method}"} for method in methods}
    item["additionalOperations"] = {"COPY": {"operationId": "x_copy"}, "REPORT": {"operationId": "x_report"}}
    report = compiled(tmp_path, openapi({"/a": item}, "3.2.0"))
    assert {tool.method: tool.read_only for tool in report.tools} == {
        "GET": True, "QUERY": True, "REPORT": True,
        "PUT": False, "PATCH": False, "DELETE": False, "POST": False, "COPY": False,
    }  # fmt: skip
    assert {skip.operation: skip.reason for skip in report.skipped} == dict.fromkeys(
        ("HEAD /a", "OPTIONS /a", "TRACE /a"), "no_answer_body"
    )


@pytest.mark.parametrize(
    ("path", "name", "summary", "expected"),
    [
        ("/flows/filter", "read_flows_flows_filter_post", "Read Flows", True),
        ("/members/search", "", "", True),
        ("/x", "searchUsers", "", True),
        ("/x", "", "Lists all repositories of an organization", True),
        ("/status", "", "사업자 상태 조회", True),
        ("/selectUserList.do", "", "", True),
        ("/queries", "", "", False),
        ("/saved-searches", "create_saved_search", "Create a saved search", False),
        ("/check-runs", "checks/create", "Create a check run", False),
        ("/check-suites/{id}/rerequest", "checks/rerequest-suite", "Rerequest a check suite", False),
        ("/checkIn", "checkIn", "", False),
        ("/read", "markAsRead", "Mark as read", False),
        ("/find", "get_or_create", "", False),
        ("/x", "", "신청 목록 등록", False),
        ("/x", "", "", False),
        ("/lists", "", "", False),
    ],
)
def test_a_post_reads_when_its_words_say_so(path: str, name: str, summary: str, expected: bool) -> None:
    assert reads("post", path, name, summary) is expected
    assert not reads("put", path, name, summary)


@pytest.mark.parametrize(
    ("path", "name", "summary", "expected"),
    [
        ("/members", "deleteMember", "", False),
        ("/deleteMember.do", "", "", False),
        ("/x", "", "회원 삭제", False),
        ("/x", "", "삭제된 회원 목록 조회", True),
        ("/x", "", "사업자등록 상태", True),
        ("/updates", "", "", True),
        ("/x", "getDeletedItems", "", True),
    ],
)
def test_a_get_reads_unless_its_verb_says_otherwise(path: str, name: str, summary: str, expected: bool) -> None:
    assert reads("get", path, name, summary) is expected


def test_a_profile_makes_no_post_read(tmp_path: Path) -> None:
    paths = {"/a": {"post": {"summary": "좌석 예약 신청"}}, "/b": {"post": {"summary": "좌석 조회"}}}
    tree = openapi(paths, servers=[{"url": "https://known.kr/x"}])
    report = compiled(tmp_path, tree, known_platform(tmp_path))
    assert {tool.title: tool.read_only for tool in report.tools} == {"좌석 예약 신청": False, "좌석 조회": True}


def test_webhooks_are_said_to_be_left_out(tmp_path: Path) -> None:
    hooks = {"changed": {"post": {"operationId": "changed"}}}
    report = compiled(tmp_path, openapi({"/a": {"get": {}}}, webhooks=hooks))
    assert len(report.tools) == 1
    assert [notice.kind for notice in report.notices] == ["webhooks_ignored"]
    only = compiled(tmp_path, {"openapi": "3.1.0", "webhooks": hooks})
    assert [skip.reason for skip in only.skipped] == ["no_operations"]


def test_format_twins_are_one_tool(tmp_path: Path) -> None:
    get = {"get": {"operationId": "list"}}
    report = compiled(tmp_path, openapi({"/list.xml": get, "/list.json": get, "/other.xml": {"get": {}}}))
    assert sorted(tool.url for tool in report.tools) == ["https://x.kr/v1/list.json", "https://x.kr/v1/other.xml"]
    assert [skip.reason for skip in report.skipped] == ["format_twin"]


def auth(folder: Path, operation: dict[str, Any] | None = None, path: str = "/a", **more: Any) -> Any:
    found = one(compiled(folder, openapi({path: {"get": operation or {}}}, **more))).profile.auth
    return found and (found.parameter, found.location, found.prefix)


def test_where_the_key_goes(tmp_path: Path) -> None:
    schemes = {
        "bearer": {"type": "http", "scheme": "bearer"},
        "basic": {"type": "http", "scheme": "Basic"},
        "query": {"type": "apiKey", "in": "query", "name": "crtfc_key"},
        "header": {"type": "apiKey", "in": "header", "name": "X-Key"},
        "cookie": {"type": "apiKey", "in": "cookie", "name": "c"},
        "login": {"type": "oauth2"},
    }
    components = {"securitySchemes": schemes}
    assert auth(tmp_path, components=components) == ("crtfc_key", "query", "")
    for name, expected in {
        "bearer": ("Authorization", "header", "Bearer "),
        "login": ("Authorization", "header", "Bearer "),
        "basic": ("Authorization", "header", "Basic "),
        "header": ("X-Key", "header", ""),
        "cookie": None,
    }.items():
        assert auth(tmp_path, components=components, security=[{name: []}]) == expected
    assert auth(tmp_path, {"security": []}, components=components, security=[{"query": []}]) is None


def test_keys_in_path_segments(tmp_path: Path) -> None:
    assert auth(tmp_path, path="/{KEY}/json/list") == ("KEY", "path", "")
    declared = {"parameters": [{"name": "authKey", "in": "path", "required": True, "schema": {"type": "string"}}]}
    assert auth(tmp_path, declared, "/{authKey}/list") == ("authKey", "path", "")
    named = {"parameters": [{"name": "key", "in": "path", "required": True, "schema": {"type": "string"}}]}
    assert auth(tmp_path, named, "/variables/{key}") is None


def test_duplicate_ids_stay_apart_whatever_their_number(tmp_path: Path) -> None:
    get = {"get": {"operationId": "x"}}
    report = compiled(tmp_path, openapi({"/a/b": get, "/a_b": get, "/a~b": get, "/a b": get}))
    assert len({tool.tool_id for tool in report.tools}) == 4
    assert [notice.kind for notice in report.notices] == ["duplicate_operation_id"] * 3
    again = compiled(tmp_path, openapi({"/a/b": get, "/a_b": get, "/a~b": get, "/a b": get}))
    assert [tool.tool_id for tool in again.tools] == [tool.tool_id for tool in report.tools]


@pytest.mark.parametrize(
    ("words", "style"),
    [({}, "repeated"), ({"explode": False}, "joined"), ({"style": "x"}, "joined"), ({"in": "path"}, "joined")],
)
def test_how_a_list_is_sent(words: dict[str, Any], style: str, tmp_path: Path) -> None:
    schema = {"type": "array", "items": {"type": "string"}}
    stated = {"name": "p", "in": "query", "required": True, "schema": schema, **words}
    path = "/a/{p}" if stated["in"] == "path" else "/a"
    assert one(compiled(tmp_path, openapi({path: {"get": {"parameters": [stated]}}}))).parameters[0].style == style


@pytest.mark.parametrize(("words", "style"), [({}, "joined"), ({"collectionFormat": "multi"}, "repeated")])
def test_how_swagger2_sends_a_list(words: dict[str, Any], style: str, tmp_path: Path) -> None:
    stated = {"name": "p", "in": "query", "type": "array", "items": {"type": "string"}, **words}
    assert one(compiled(tmp_path, swagger({"/a": {"get": {"parameters": [stated]}}}))).parameters[0].style == style
