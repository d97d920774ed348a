"""What authors of documents get wrong or write for people: it is read, or it is said (S01)."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from edge.specs.compile import CompileReport, compile_paths
from edge.specs.markup import plain, without_tables
from edge.specs.model import Tool
from edge.specs.schema import function_schema
from edge.specs.unread import OPERATION, misspelled


def swagger(folder: Path, paths: Any, **more: Any) -> CompileReport:
    tree = {"swagger": "2.0", "host": "x.kr", "schemes": ["https"], "paths": paths, **more}
    (folder / "doc.json").write_text(json.dumps(tree, ensure_ascii=False), encoding="utf-8")
    return compile_paths([folder / "doc.json"])


def asking(*parameters: Any, **more: Any) -> Any:
    return {"/a": {"get": {"parameters": list(parameters), "responses": {}, **more}}}


def notices(report: CompileReport, kind: str) -> list[str]:
    return [f"{n.operation}: {n.detail}" for n in report.notices if n.kind == kind]


def shown(tool: Tool) -> str:
    offered: Any = function_schema(tool)
    return offered["function"]["description"]


def catalogue(*rows: Any) -> CompileReport:
    tree = {"base_url": "https://c.kr/api", "services": list(rows)}
    return compile_paths([], documents={"c.json": json.dumps(tree, ensure_ascii=False).encode()})


def test_s01_a_broken_answer_leaves_a_tool_and_a_broken_parameter_none(tmp_path: Path) -> None:
    broken = {"200": {"description": "ok", "schema": {"$ref": "#/definitions/Gone"}}}
    report = swagger(tmp_path, asking({"name": "q", "in": "query", "type": "string"}, responses=broken))
    (tool,) = report.tools
    assert (report.skipped, tool.outputs, [p.name for p in tool.parameters]) == ((), (), ["q"])
    (detail,) = notices(report, "unresolved_answer")
    assert detail.startswith("GET /a: #/paths/~1a/get/responses/200/schema: $ref #/definitions/Gone does not resolve")
    (skip,) = swagger(tmp_path, asking({"$ref": "#/parameters/gone"})).skipped
    assert skip.reason == "unresolved_ref"


def test_an_output_schema_of_a_server_that_leads_nowhere() -> None:
    tool = {"name": "get_x", "inputSchema": {"type": "object"}, "outputSchema": {"$ref": "#/$defs/None"}}
    report = compile_paths([], documents={"s.json": json.dumps([tool]).encode()})
    assert [made.outputs for made in report.tools] == [()]
    assert "outputSchema: #: $ref #/$defs/None does not resolve" in notices(report, "unresolved_answer")[0]


def test_misspelled_keys_are_said(tmp_path: Path) -> None:
    paths = {
        "/hours": {"get": {"sumary": "운영시간", "paramaters": [], "x-parameter": 1, "responses": {}}},
        "/seats": {"gett": {}, "get": {"parameters": [{"name": "q", "in": "query", "requird": True, "typ": "string"}]}},
    }
    assert notices(swagger(tmp_path, paths), "unknown_key") == [
        "GET /hours: 'sumary' is not read; did you mean 'summary'?",
        "GET /hours: 'paramaters' is not read; did you mean 'parameters'?",
        "/seats: 'gett' is not read; did you mean 'get'?",
        "GET /seats: parameter 'q': 'requird' is not read; did you mean 'required'?",
        "GET /seats: parameter 'q': 'typ' is not read; did you mean 'type'?",
    ]


def test_misspelled_keys_of_catalogues_are_said() -> None:
    report = catalogue(
        {"code": "A1", "title": "가", "Params": [{"name": "q"}, {"nmae": "r"}], "fields": [{"fild": "f"}]},
        {"code": "A2", "paramters": [{"name": "q"}], "fields": ["a"], "기관": "x"},
    )
    assert notices(report, "unknown_key") == [
        "A1: in parameters: 'nmae' is not read; did you mean 'name'?",
        "A1: in outputs: 'fild' is not read; did you mean 'field'?",
        "A2: 'paramters' is not read; did you mean 'parameters'?",
    ]


def test_what_is_far_from_every_key_or_belongs_to_a_vendor_is_no_slip() -> None:
    assert list(misspelled(["x-sumary", "$reff", "rateLimit", "summary", "parametersOfPage"], OPERATION)) == []
    assert list(misspelled(["Summary"], OPERATION)) == ["'Summary' is not read; did you mean 'summary'?"]


def test_millions_of_unknown_keys_take_no_time(tmp_path: Path) -> None:
    paths = {f"/{i}": {"get": {f"parametes{k}": 1 for k in range(1_000)}} for i in range(100)}
    began = time.monotonic()
    report = swagger(tmp_path, paths)
    assert time.monotonic() - began < 10
    assert len(report.tools) == 100
    assert 0 < len(notices(report, "unknown_key")) <= 1_000


def test_methods_in_capitals_are_read(tmp_path: Path) -> None:
    report = swagger(tmp_path, {"/x": {"GET": {"operationId": "x"}, "Post": {"operationId": "y"}}})
    assert sorted(tool.method for tool in report.tools) == ["GET", "POST"]
    assert report.skipped == ()


@pytest.mark.parametrize(
    ("word", "required"),
    [("필수", True), ("Y", True), (True, True), ("true", True), ("O", True), (1, True), ("선택", False), ("N", False)],
)
def test_words_for_required(word: Any, required: bool, tmp_path: Path) -> None:
    for report in (
        swagger(tmp_path, asking({"name": "q", "in": "query", "type": "string", "required": word})),
        catalogue({"code": "A", "params": [{"name": "q", "required": word}], "fields": ["a"]}),
    ):
        assert [p.required for p in report.tools[0].parameters] == [required]
    body = {"name": "b", "in": "body", "required": word, "schema": {"required": ["q"], "properties": {"q": {}}}}
    assert [p.required for p in swagger(tmp_path, asking(body)).tools[0].parameters] == [required]


def test_a_word_that_means_neither_leaves_it_to_the_prose(tmp_path: Path) -> None:
    stated = {"in": "query", "type": "string", "required": "조건부"}
    report = swagger(tmp_path, asking({"name": "a", **stated}, {"name": "b", "description": "이름 (필수)", **stated}))
    assert [p.required for p in report.tools[0].parameters] == [False, True]


def test_types_that_nobody_knows_are_said_and_what_can_be_read_is(tmp_path: Path) -> None:
    types = {"weird": "strng", "n": "int", "m": "정수", "v": "VARCHAR2(20)", "f": "file", "t": ["string", "null"]}
    stated = [{"name": name, "in": "query", "type": word} for name, word in types.items()]
    many = {"name": "many", "in": "query", "type": "array", "items": {"type": "thing"}}
    report = swagger(tmp_path, asking(*stated, many))
    assert {p.name: p.type for p in report.tools[0].parameters} == {
        "weird": "string", "n": "integer", "m": "integer", "v": "string", "f": "string", "t": "string", "many": "array",
    }  # fmt: skip
    assert notices(report, "unknown_type") == [
        "GET /a: parameter 'weird': type 'strng' is not known; string is taken",
        "GET /a: parameter 'f': a file cannot stand in the query; text is sent",
        "GET /a: parameter 'many': type 'thing' is not known; array is taken",
    ]
    said = notices(
        catalogue({"code": "A", "params": [{"name": "q", "type": "strng"}], "fields": ["a"]}), "unknown_type"
    )
    assert said == ["A: parameter 'q': type 'strng' is not known; string is taken"]
    listed = [{"name": "get_x", "inputSchema": {"type": "object", "properties": {"q": {"type": "strng"}}}}]
    server = compile_paths([], documents={"s.json": json.dumps(listed).encode()})
    assert notices(server, "unknown_type") == ["get_x: parameter 'q': type 'strng' is not known; string is taken"]


def test_an_enumeration_written_as_one_text_is_read(tmp_path: Path) -> None:
    report = swagger(tmp_path, asking({"name": "q", "in": "query", "type": "string", "enum": "A, B"}))
    assert [value.value for value in report.tools[0].parameters[0].enum] == ["A", "B"]


@pytest.mark.parametrize(
    ("summary", "said"),
    [("Old list", "Deprecated: use another operation where there is one."), ("옛 목록", "폐기될 예정이므로")],
)
def test_what_is_deprecated_says_so_in_its_language(summary: str, said: str, tmp_path: Path) -> None:
    report = swagger(tmp_path, asking(summary=summary, description="x " * 1500, deprecated=True))
    assert said in shown(report.tools[0])
    assert notices(report, "deprecated") == ["GET /a: the document calls it deprecated; its description says so"]
    assert notices(swagger(tmp_path, asking(deprecated=False)), "deprecated") == []


def test_descriptions_are_free_of_markup(tmp_path: Path) -> None:
    text = "<p>자치구별 <b>목록</b>을 조회한다.<br/>최대&nbsp;100건 &amp; 그 이하</p>"
    text += "\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n끝."
    report = swagger(tmp_path, asking(summary="도서관 목록", description=text), info={"title": "시_도서관"})
    assert shown(report.tools[0]) == "도서관 목록. 자치구별 목록을 조회한다. 최대 100건 & 그 이하 끝. (도서관)"
    field = {"name": "q", "in": "query", "type": "string", "description": "<b>자치구명</b><br>(YYYYMMDD&#41;"}
    (parameter,) = swagger(tmp_path, asking(field)).tools[0].parameters
    assert (parameter.label, parameter.description) == ("자치구명", "자치구명\n(YYYYMMDD)")


def test_a_long_description_is_cut_and_its_own_words_kept(tmp_path: Path) -> None:
    (tool,) = swagger(tmp_path, asking(summary="목록", description="긴 설명 " * 300)).tools
    assert len(tool.description) <= 900 and tool.description.endswith("…")
    assert len(tool.original) > 900


def test_a_raw_name_is_not_put_before_what_a_tool_says_of_itself() -> None:
    tools = [
        {"name": "weather.now", "description": "현재 날씨를 조회합니다.", "inputSchema": {"type": "object"}},
        {"name": "get_forecast", "title": "예보", "description": "내일 날씨", "inputSchema": {"type": "object"}},
        {"name": "search_laws", "inputSchema": {"type": "object"}},
    ]
    report = compile_paths([], documents={"s.json": json.dumps(tools).encode()})
    assert {shown(tool) for tool in report.tools} == {"현재 날씨를 조회합니다.", "예보. 내일 날씨", "search_laws"}


def test_a_label_that_ends_in_brackets_is_not_followed_by_others(tmp_path: Path) -> None:
    field = {"name": "gu", "in": "query", "type": "string", "required": True, "description": "자치구명(예: 종로구)"}
    assert "필요한 값: 자치구명(gu)." in swagger(tmp_path, asking(field)).tools[0].description


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<YYYYMMDD> 형식", "<YYYYMMDD> 형식"),
        ("<필수> R&D, a<b and c>d", "<필수> R&D, a<b and c>d"),
        ("/list?a=1&copy=2", "/list?a=1&copy=2"),
        ("1 < 2 &lt; 3", "1 < 2 < 3"),
        ("<script>alert(1)</script>가<!-- x -->나", "가나"),
        ("<table><tr><td>1</td><td>2</td></tr></table>", "1  2"),
        ("<![CDATA[글]]>", "글"),
    ],
)
def test_what_is_markup_and_what_is_not(text: str, said: str) -> None:
    assert plain(text) == said


def test_tables_without_outer_bars_are_tables() -> None:
    assert without_tables("설명\na | b\n--- | ---\n1 | 2\n\nx|y 중 하나") == "설명\n\nx|y 중 하나"


@example("<a&>")
@given(st.text(alphabet="<>/&;!-[]abp \n|\"'=#x1가", max_size=300))
def test_any_text_is_read(text: str) -> None:
    made = without_tables(plain(text))
    assert len(made) <= len(text)
