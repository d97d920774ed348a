"""Uniform catalogues: whatever a provider calls its columns, every row is a tool or has a named reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.specs.catalogue import read_catalogue
from edge.specs.catalogue_words import folded, pick, says_yes, type_named
from edge.specs.compile import CompileReport, compile_paths
from edge.specs.documents import read_document
from edge.specs.model import Tool
from edge.specs.profiles import ProfileBook

from .conftest import REAL, real

FACTS = REAL.parent / "facts"
BASE = "https://api.example.org/v1"


def facts(name: str) -> Path:
    """Return a file of facts, or skip the test."""
    path = FACTS / name
    if not path.exists():
        pytest.skip(f"facts are absent: {path}")
    return path


def compiled(document: object, name: str = "c.json") -> CompileReport:
    """Compile one document."""
    return compile_paths([], documents={name: json.dumps(document, ensure_ascii=False).encode()})


def row(**columns: Any) -> dict[str, Any]:
    """Return one row with an address of its own."""
    return {"code": "getX", "name": "무엇", "base_url": BASE, "params": [], "fields": [{"name": "a"}], **columns}


def only(report: CompileReport) -> Tool:
    """Return the one tool of a report."""
    (tool,) = report.tools
    return tool


@pytest.fixture(scope="module")
def assembly() -> CompileReport:
    """The catalogue of the National Assembly."""
    return compile_paths([real("assembly/catalogue.json")])


def test_every_assembly_service_with_a_code_is_a_tool_and_the_others_are_named(assembly: CompileReport) -> None:
    assert (len(assembly.tools), len(assembly.skipped), assembly.operations) == (194, 80, 274)
    assert {skip.reason for skip in assembly.skipped} == {"no_service_code"}
    first = assembly.skipped[0]
    assert first.operation == "OOWY4R001216HX11454"
    assert "OOWY4R001216HX11454 영문 국회 소식 및 보도자료" in first.detail
    assert [notice.kind for notice in assembly.notices] == ["platform_assumed"]


def test_an_assembly_tool_lives_where_the_profile_says(assembly: CompileReport) -> None:
    tool = next(tool for tool in assembly.tools if tool.operation_key == "assembly.nwvrqwxyaytdsfvhu")
    assert tool.url == "https://open.assembly.go.kr/portal/openapi/nwvrqwxyaytdsfvhu"
    assert (tool.root, tool.platform, tool.domain) == ("nwvrqwxyaytdsfvhu", "assembly", "politics")
    assert tool.profile.auth is not None and tool.profile.paging is not None
    assert tool.profile.fixed == {"Type": "json"} and tool.outputs and tool.read_only
    assert not {"KEY", "Type", "pIndex", "pSize"} & {p.name for p in tool.offered}


def test_the_richer_platform_file_is_kept_where_both_describe_an_operation(bundled: CompileReport) -> None:
    both = compile_paths([real("assembly/catalogue.json"), Path("specs/assembly").resolve()])
    keys = [tool.operation_key for tool in both.tools]
    assert len(keys) == len(set(keys))
    files = {tool.operation_key: tool.spec_file for tool in both.tools}
    own = {t.operation_key: t.tool_id for t in bundled.tools if t.spec_file.startswith("assembly/")}
    assert own and all(files[key] == "assembly/services.yaml" for key in own)
    assert {key: name for key, name in own.items() if both.tool(name) is None} == {}, "names do not change"
    dropped = [skip for skip in both.skipped if skip.reason == "duplicate_operation"]
    assert dropped and all("assembly/services.yaml" in skip.detail for skip in dropped)


@pytest.mark.parametrize(("name", "rows"), [("gateway_operations.json", 462), ("platform_operations.json", 212)])
def test_catalogues_with_other_columns_compile_too(name: str, rows: int) -> None:
    report = compile_paths([facts(name)])
    assert report.operations == rows and len(report.tools) >= rows - 1
    assert {skip.reason for skip in report.skipped} <= {"undeclared_placeholder"}
    for tool in report.tools:
        hidden = {"servicekey", "pageno", "numofrows"} & {p.name.casefold() for p in tool.offered}
        assert not hidden or tool.platform != "datagokr", tool.tool_id


def test_facts_of_known_platforms_give_the_tools_of_the_bundled_files(bundled: CompileReport) -> None:
    report = compile_paths([facts("platform_operations.json")])
    company = next(tool for tool in report.tools if tool.operation_key == "dart.company")
    own = next(tool for tool in bundled.tools if tool.operation_key == "dart.company")
    assert (company.tool_id, company.url, company.service) == (own.tool_id, own.url, own.service)
    assert {p.name: (p.kind, p.format, p.required) for p in company.offered} == {"corp_code": ("code", "8", True)}
    law = next(tool for tool in report.tools if "target=eflaw" in tool.url)
    assert "target" not in {p.name for p in law.parameters}, "the path has given it"
    notices = [notice for notice in report.notices if notice.operation == "seoul.bikeList"]
    assert [notice.kind for notice in notices] == ["placeholder_undeclared"] * 2
    assert "{START} of the path is not listed" in notices[0].detail


@pytest.mark.parametrize(
    "columns",
    [
        {"service_code": "getX", "params": [{"name": "q", "required": True, "description": "검색어"}]},
        {"serviceCode": "getX", "inputs": [{"param": "q", "mandatory": "Y", "desc": "검색어"}]},
        {"svc_id": "getX", "Request Params": [{"item_name": "q", "necessary": "필수", "remark": "검색어"}]},
        {"operation": "getX", "parameters": {"q": {"required": 1, "description_ko": "검색어"}}},
        {"API_ID": "getX", "arguments": [{"Field": " q ", "REQ": "1", "label": "검색어", "description": None}]},
    ],
)
def test_columns_are_read_by_their_synonyms(columns: dict[str, Any]) -> None:
    tool = only(compiled([{"base_url": BASE, "title": "제목", "fields": ["a", {"column": "b"}], **columns}]))
    assert (tool.operation_key, tool.url, tool.title) == ("v1.getX", f"{BASE}/getX", "제목")
    assert [(p.name, p.label, p.required) for p in tool.parameters] == [("q", "검색어", True)]
    assert [field.path for field in tool.outputs] == ["a", "b"]


@pytest.mark.parametrize("wrapper", ["services", "operations", "rows", "Items"])
def test_a_document_may_say_once_where_its_services_live(wrapper: str) -> None:
    document = {"base_url": BASE, wrapper: [{"code": "getX", "name": "무엇", "params": None, "fields": []}]}
    tool = only(compiled(document))
    assert (tool.url, tool.parameters, tool.outputs) == (f"{BASE}/getX", (), ())


def test_yaml_catalogues_and_platforms_by_name() -> None:
    text = "platform: assembly\nrows:\n  - {code: ABC, name: 무엇, params: [{name: AGE, description: 대수}]}\n"
    report = compile_paths([], documents={"c.yaml": text.encode()})
    assert only(report).url == "https://open.assembly.go.kr/portal/openapi/ABC"
    assert report.notices == ()


def test_a_profile_beside_the_document_says_where_services_live(tmp_path: Path) -> None:
    (tmp_path / "profile.yaml").write_text(
        "platform: mine\ntitle: 나의 기관\nhosts: [open.mine.kr]\nenvelope: {records: ['{root}.row']}\n"
        "catalogue: {base_url: 'https://open.mine.kr/api', path: '/{code}/list', root: '{code}', domain: law}\n",
        encoding="utf-8",
    )
    (tmp_path / "list.json").write_text(json.dumps([{"code": "abc", "params": [], "fields": []}]), encoding="utf-8")
    tool = only(compile_paths([tmp_path]))
    assert (tool.url, tool.root, tool.domain) == ("https://open.mine.kr/api/abc/list", "abc", "law")
    assert tool.operation_key == "api.abc"


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ([{"code": "zz", "params": []}], "add base_url to the document"),
        ({"platform": "nobody", "rows": [{"code": "zz", "params": []}]}, "'nobody' has no catalogue: block"),
        ({"base_url": "ftp://x.kr", "rows": [{"code": "zz", "params": []}]}, "base_url"),
    ],
)
def test_a_catalogue_without_an_address_is_one_clear_line(document: object, said: str) -> None:
    report = compiled(document)
    (skip,) = report.skipped
    assert skip.reason == "invalid_file" and said in skip.detail and "\n" not in skip.detail


def test_rows_that_give_no_tool_are_named() -> None:
    rows: list[Any] = [
        row(),
        row(name="다시"),
        row(code="put", method="HEAD"),
        row(code="x", path="/x/{a b}"),
        row(code="y", base_url="ftp://api.example.org"),
        row(code=None, id="17", name="이름만"),
        "text",
    ]
    report = compiled(rows)
    assert len(report.tools) == 1 and report.operations == len(rows)
    assert [(skip.operation, skip.reason) for skip in report.skipped] == [
        ("put", "unsupported_method"),
        ("x", "undeclared_placeholder"),
        ("y", "no_address"),
        ("17", "no_service_code"),
        ("[6]", "invalid_row"),
        ("v1.getX", "duplicate_operation"),
    ]


def test_path_parameters_are_those_in_braces() -> None:
    tool = only(compiled([row(path="/{KEY}/json/things/{구역}/{page}", auth={"name": "KEY", "in": "path(1)"},
                              params=[{"name": "구역", "in": "query"}, {"name": "x", "in": "path"}])]))  # fmt: skip
    assert {p.name: p.location for p in tool.parameters} == {"구역": "path", "x": "query", "page": "path"}
    assert tool.profile.auth is not None and tool.profile.auth.location == "path"
    assert tool.operation_key == "v1.things"


def test_parts_that_repeat_are_kept_once_and_said() -> None:
    report = compiled([row(params=["a", "a"], fields=[{"name": "b"}, {"name": "b"}, {"description": "이름 없음"}])])
    tool = only(report)
    assert [p.name for p in tool.parameters] == ["a"] and [f.path for f in tool.outputs] == ["b"]
    assert [notice.kind for notice in report.notices] == ["duplicate_field", "duplicate_parameter"]


def test_types_come_from_prose_and_examples() -> None:
    params = [
        {"name": "조회 일자", "description": "조회일자(YYYYMMDD)", "example": "20240101"},
        {"name": "gubun", "description": "구분(1: 서울, 2: 부산)", "type": "NUMBER(1)"},
        {"name": "corp_code", "type": "string", "format_or_example": "00126380"},
        {"name": "from", "description": "시작일", "example": "YYYY-MM-DD"},
        {"name": "cnt", "type": "INT(4)", "default": "10"},
        {"name": "flag", "values": {"Y": "예", "N": "아니오"}},
    ]
    by_name = {p.name: p for p in only(compiled([row(params=params)])).parameters}
    assert (by_name["조회 일자"].kind, by_name["조회 일자"].format) == ("date", "%Y%m%d")
    assert [(v.value, v.label) for v in by_name["gubun"].enum] == [("1", "서울"), ("2", "부산")]
    assert (by_name["corp_code"].type, by_name["corp_code"].examples) == ("string", ("00126380",))
    assert (by_name["from"].format, by_name["from"].examples) == ("%Y-%m-%d", ())
    assert (by_name["cnt"].type, by_name["cnt"].default) == ("integer", "10")
    assert [v.label for v in by_name["flag"].enum] == ["예", "아니오"]


def test_records_and_root_come_from_the_row() -> None:
    tool = only(compiled([row(result_path="$.getX.rows[*]")]))
    assert "getX.rows" in tool.profile.envelope.records
    assert only(compiled([row(result_path="zip!A.xml:/result/list[*] (압축)")])).profile.envelope.records


def test_lists_of_other_things_are_no_catalogues() -> None:
    for document in ([{"code": "11", "name": "서울"}], [1, 2], [], ["a"], {"rows": [{"code": "11"}]}):
        (skip,) = compiled(document).skipped
        assert skip.reason == "unknown_document", document


@pytest.mark.parametrize(
    ("word", "meaning"),
    [("Y", True), ("n", False), ("1", True), (True, True), ("필수", True), ("옵션", False), ("?", None), (None, None)],
)
def test_words_for_yes_and_no(word: Any, meaning: bool | None) -> None:
    assert says_yes(word) is meaning


def test_type_words_of_providers() -> None:
    words = ("VARCHAR2(20)", "Number", "INT (4)", "숫자", "문자열", "date", "geometry")
    assert [type_named(word) for word in words] == [
        "string", "number", "integer", "number", "string", "string", None,
    ]  # fmt: skip


def test_the_first_word_that_says_anything_is_taken() -> None:
    assert pick(folded({"code": "", "Service Code": "a"}), "row", "code") == "a"
    assert pick(folded({"code": "b", "svc_id": "a"}), "row", "code") == "a"
    assert pick({}, "row", "code") is None


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=20)
TREES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(
        ["code", "name", "path", "params", "fields", "required", "type", "example", "in", "auth_param", "base_url"]
    ), inner, max_size=6),
    max_leaves=20,
)  # fmt: skip


@given(st.lists(TREES, max_size=4))
def test_any_row_is_a_tool_or_has_a_reason(rows: list[Any]) -> None:
    data = json.dumps({"base_url": BASE, "rows": [row(), *rows]}).encode()
    reading = read_catalogue(read_document(Path("c.json"), data), ProfileBook(), "c.json")
    assert len(reading.tools) + len(reading.skipped) == 1 + len(rows)
