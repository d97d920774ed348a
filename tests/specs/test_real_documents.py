"""The real documents: every operation compiles or has a named reason."""

from __future__ import annotations

from collections import Counter

from edge.specs.compile import CompileReport


def test_all_portal_operations_compile(portal: CompileReport) -> None:
    assert len(portal.files) == 47
    assert len(portal.tools) == 146
    assert portal.skipped == ()


def test_portal_records_are_found_below_the_envelope(portal: CompileReport) -> None:
    envelope = {"header", "body", "items", "item", "resultCode", "resultMsg", "numOfRows", "pageNo", "totalCount"}
    for tool in portal.tools:
        assert tool.outputs, tool.tool_id
        assert not envelope & {field.path.partition(".")[0] for field in tool.outputs}, tool.tool_id
        assert not any(field.path.startswith(("body.", "response.")) for field in tool.outputs), tool.tool_id


def test_portal_key_and_paging_are_never_offered(portal: CompileReport) -> None:
    for tool in portal.tools:
        assert not {"servicekey", "pageno", "numofrows"} & {p.name.casefold() for p in tool.offered}
        assert tool.profile.auth is not None


def test_hospital_list(portal: CompileReport) -> None:
    tool = next(tool for tool in portal.tools if tool.operation_key == "hospInfoServicev2.getHospBasisList")
    assert tool.url == "https://apis.data.go.kr/B551182/hospInfoServicev2/getHospBasisList"
    assert tool.provider == "건강보험심사평가원"
    assert tool.profile.auth is not None and tool.profile.auth.parameter == "ServiceKey"
    kinds = {field.path: field.kind for field in tool.outputs}
    assert (kinds["XPos"], kinds["YPos"], kinds["drTotCnt"]) == ("longitude", "latitude", "count")
    assert {p.name: p.kind for p in tool.offered}["sidoCd"] == "code"


def test_opendart_operations_compile_once(opendart: CompileReport) -> None:
    assert len(opendart.tools) == 85
    assert Counter(skip.reason for skip in opendart.skipped) == {"format_twin": 82}


def test_opendart_company(opendart: CompileReport) -> None:
    tool = next(tool for tool in opendart.tools if tool.url.endswith("/company.json"))
    assert tool.platform == "dart"
    assert {p.name: (p.kind, p.format, p.required) for p in tool.offered} == {"corp_code": ("code", "8", True)}
    kinds = {field.path: field.kind for field in tool.outputs}
    assert (kinds["corp_name"], kinds["bizr_no"], kinds["adres"]) == ("name", "code", "address")
    assert "status" not in kinds
