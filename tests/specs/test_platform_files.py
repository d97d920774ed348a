"""The format of docs/design/spec-format.md: what is read, what is refused and how it is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from edge.specs.compile import CompileReport, compile_paths
from edge.specs.profiles import merge

from .conftest import real

PROFILE = """\
platform: demo
title: 데모 포털
hosts: [api.demo.kr]
auth: {parameter: KEY, location: path, env: EDGE_KEY_DEMO}
fixed: {_type: json}
hidden: [pageNo, KEY]
paging: {style: page, page: pageNo, size: numOfRows, page_size: 100, max_size: 1000}
envelope:
  records: [response.body.items.item]
  success: ["00", "0"]
  codes:
    - {pattern: "LIMITED", outcome: environmental, reason: rate_limit}
    - {code: "03", outcome: empty, reason: no_data}
"""
SERVICE = """\
services:
  - service: hosp
    provider: 심평원
    domain: healthcare
    base_url: https://api.demo.kr/{KEY}/hosp/
    profile: {envelope: {success: [OK]}, auth: {parameter: key}}
    operations:
      - key: hosp.list
        path: /list
        title: 병원 목록
        description: 병원을 찾는다.
        noun: 병원
        name_field: yadmNm
        fixed: {target: hosp}
        profile: {paging: null}
        parameters:
          - {name: sidoCd, label: 시도코드, description: 심평원 시도코드 6자리, examples: [110000]}
          - {name: useYn, label: 사용여부, enum: [Y, N], default: Y}
          - {name: pageNo, label: 쪽}
        outputs:
          - {path: yadmNm, label: 병원명}
          - {path: "depts[].code", label: 진료과목코드, format: "00"}
          - {path: telno, label: 전화번호, private: true}
          - {path: faxno, label: 팩스번호, private: false}
"""


def written(folder: Path, service: str = SERVICE, profile: str = PROFILE) -> CompileReport:
    platform = folder / "specs" / "demo"
    platform.mkdir(parents=True, exist_ok=True)
    (platform / "profile.yaml").write_bytes(b"\xef\xbb\xbf" + profile.encode())
    (platform / "hosp.yaml").write_text(service, encoding="utf-8")
    return compile_paths([folder / "specs"], profiles_root=folder / "specs")


def test_a_service_file(tmp_path: Path) -> None:
    report = written(tmp_path)
    assert report.skipped == ()
    (tool,) = report.tools
    assert (tool.tool_id, tool.operation_key) == ("demo_hosp_list", "hosp.list")
    assert tool.url == "https://api.demo.kr/{KEY}/hosp/list"
    assert tool.spec_file == "demo/hosp.yaml"
    assert [p.name for p in tool.offered] == ["sidoCd", "useYn"]
    assert tool.parameters[0].examples == ("110000",)
    assert [v.value for v in tool.parameters[1].enum] == ["Y", "N"]
    assert [(f.path, f.repeats, f.private) for f in tool.outputs] == [
        ("yadmNm", False, False),
        ("depts[].code", True, False),
        ("telno", False, True),
        ("faxno", False, False),
    ]
    assert tool.outputs[1].format == "00"


def test_profile_blocks_merge_downwards(tmp_path: Path) -> None:
    profile = written(tmp_path).tools[0].profile
    assert profile.fixed == {"_type": "json", "target": "hosp"}
    assert profile.paging is None
    assert profile.envelope.success == ("OK",)
    assert profile.envelope.records == ("response.body.items.item",)
    assert profile.envelope.codes[1].code == "03"
    assert profile.auth is not None
    assert (profile.auth.parameter, profile.auth.location) == ("key", "path")


def test_merge_rules() -> None:
    assert merge({"a": {"b": "1", "c": "2"}, "l": ["1"]}, {"a": {"c": "3"}, "l": [], "n": None}) == {
        "a": {"b": "1", "c": "3"},
        "l": [],
        "n": None,
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("label: 시도코드", "lable: 시도코드", "operations[0].parameters[0].lable: unknown key"),
        ("noun: 병원", "nuon: 병원", "operations[0].nuon: unknown key; known keys: key, path"),
        ("private: true", "private: maybe", "outputs[2].private"),
        ("name_field: yadmNm", "name_field: nope", "name_field 'nope' is not among the outputs"),
        ("path: /list", "path: /list/{what}", "nothing fills {what}"),
        ("name: useYn", "name: sidoCd", "declared twice"),
        ("title: 병원 목록", "title: [1]", "operations[0].title"),
    ],
)
def test_a_mistake_costs_one_operation_and_names_its_key(tmp_path: Path, old: str, new: str, message: str) -> None:
    second = SERVICE[SERVICE.index("      - key: hosp.list") :].replace("hosp.list", "hosp.other")
    report = written(tmp_path, SERVICE.replace(old, new) + second)
    assert [tool.operation_key for tool in report.tools] == ["hosp.other"]
    (skip,) = report.skipped
    assert (skip.file, skip.operation) == ("demo/hosp.yaml", "hosp.list")
    assert message in skip.detail


@pytest.mark.parametrize(
    ("profile", "service", "message"),
    [
        (PROFILE.replace("title:", "titel:"), SERVICE, "profile.yaml: titel: unknown key"),
        (PROFILE.replace("LIMITED", "(LIMITED"), SERVICE, "not a regular expression"),
        (PROFILE.replace("success:", "succes:"), SERVICE, "envelope.succes: unknown key"),
        (PROFILE, SERVICE.replace("success: [OK]", "succes: [OK]"), "services[0].profile.envelope.succes"),
        (PROFILE, SERVICE.replace("domain:", "domian:"), "services[0].domian: unknown key"),
        (PROFILE, SERVICE.replace("https://", "ftp://"), "services[0].base_url"),
    ],
)
def test_a_mistake_in_a_profile_or_service_is_one_line(
    tmp_path: Path, profile: str, service: str, message: str
) -> None:
    report = written(tmp_path, service, profile)
    assert report.tools == ()
    assert any(message in skip.detail for skip in report.skipped), report.skipped
    assert all(skip.file.startswith("demo/") and "\n" not in skip.detail for skip in report.skipped)


def test_a_mistake_in_a_service_costs_its_operations_and_counts_them(tmp_path: Path) -> None:
    other = SERVICE.partition("services:\n")[2].replace("hosp.list", "hosp.other").replace("/list", "/other")
    report = written(tmp_path, SERVICE.replace("domain:", "domian:") + other + "      - just text\n")
    assert [tool.operation_key for tool in report.tools] == ["hosp.other"]
    assert [(skip.operation, skip.reason) for skip in report.skipped] == [
        ("hosp.list", "invalid_service"),
        ("services[1].operations[1]", "invalid_operation"),
    ]
    assert report.operations == 3


def test_several_mistakes_of_one_operation_are_told_at_once(tmp_path: Path) -> None:
    report = written(tmp_path, SERVICE.replace("noun: 병원", "nuon: 병원").replace("title: 병원", "titel: 병원"))
    detail = report.skipped[0].detail
    assert "nuon: unknown key" in detail and "titel: unknown key" in detail and "title: field required" in detail


def test_same_key_twice_names_both_places(tmp_path: Path) -> None:
    again = SERVICE[SERVICE.index("      - key: hosp.list") :]
    report = written(tmp_path, SERVICE + again)
    assert len(report.tools) == 1
    assert report.skipped[0].reason == "duplicate_operation"


def test_service_file_needs_a_profile(tmp_path: Path) -> None:
    (tmp_path / "lone.yaml").write_text(SERVICE, encoding="utf-8")
    (skip,) = compile_paths([tmp_path]).skipped
    assert "needs its platform's profile" in skip.detail


def test_spec_hash_follows_file_and_profile(tmp_path: Path) -> None:
    first = written(tmp_path).tools[0].spec_hash
    assert first == written(tmp_path).tools[0].spec_hash
    assert first != written(tmp_path, profile=PROFILE + "timeout_s: 5\n").tools[0].spec_hash
    assert first != written(tmp_path, SERVICE + "# note\n").tools[0].spec_hash


def test_a_document_elsewhere_takes_the_profile_of_its_host(tmp_path: Path) -> None:
    written(tmp_path)
    document = tmp_path / "other.json"
    document.write_text(
        '{"swagger": "2.0", "host": "api.demo.kr", "basePath": "/x", "schemes": ["https"], "paths": {"/a": {"get": {'
        '"parameters": [{"name": "Key", "in": "query"}, {"name": "pageNo", "in": "query"}]}}}}',
        encoding="utf-8",
    )
    (tool,) = compile_paths([document], profiles_root=tmp_path / "specs").tools
    assert (tool.platform, tool.domain, tool.spec_file) == ("demo", "healthcare", "other.json")
    assert tool.profile.auth is not None
    assert tool.profile.auth.parameter == "Key"
    assert tool.offered == ()
    assert tool.paginated


def test_bundled_files_compile_without_a_skip(bundled: CompileReport) -> None:
    assert bundled.skipped == ()
    assert all(tool.outputs and tool.description and tool.domain for tool in bundled.tools)
    assert all(not Path(tool.spec_file).is_absolute() for tool in bundled.tools)


def test_a_service_says_only_the_codes_that_it_means_differently(bundled: CompileReport) -> None:
    tago = next(t for t in bundled.tools if t.operation_key == "BusSttnInfoInqireService.getCtyCodeList")
    plain = next(t for t in bundled.tools if t.operation_key == "hospInfoServicev2.getHospBasisList")
    first = {code: next(rule for rule in tago.profile.envelope.codes if rule.code == code) for code in ("99", "03")}
    assert (first["99"].outcome, first["03"].outcome) == ("structural", "empty")
    assert next(rule for rule in plain.profile.envelope.codes if rule.code == "99").outcome == "environmental"


def test_the_bundled_operations_are_those_of_the_facts(bundled: CompileReport) -> None:
    assert len(bundled.tools) >= 500 and len({tool.provider for tool in bundled.tools}) >= 20
    documented = json.loads(real("../facts/gateway_operations.json").read_text(encoding="utf-8"))
    others = json.loads(real("../facts/platform_operations.json").read_text(encoding="utf-8"))
    keys = {row["key"] for row in documented} | {row["id"] for row in others}
    assert {tool.operation_key for tool in bundled.tools} <= keys


def test_every_bundled_operation_says_what_it_answers(bundled: CompileReport) -> None:
    for tool in bundled.tools:
        assert tool.outputs and tool.noun and 10 < len(tool.description) <= 600, tool.tool_id
        assert tool.name_field is None or tool.output(tool.name_field), tool.tool_id
        public = {field.label for field in tool.outputs if not field.private}
        assert not {"전화번호", "이메일", "담당자 전화번호"} & public, tool.tool_id
