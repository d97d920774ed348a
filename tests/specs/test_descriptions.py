"""Descriptions say what a tool answers, needs and gives, and the document's own words stay beside."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.specs.building import ParameterDraft, build_output, build_parameters
from edge.specs.compile import CompileReport
from edge.specs.descriptions import MAX_LENGTH, brief_of, completed, is_korean, problem_of, wire_names
from edge.specs.model import Tool
from edge.specs.profiles import generic, profile_of
from edge.specs.typing import Evidence

PROFILE = profile_of(generic("x.go.kr").tree)[0]


def tool(**parts: Any) -> Tool:
    drafts = [ParameterDraft(Evidence(name, label, required=True)) for name, label in parts.pop("needs", {}).items()]
    outputs = tuple(build_output(Evidence(path, label)) for path, label in parts.pop("gives", {}).items())
    base: dict[str, Any] = {"title": "병원 세부 정보", "description": "병원 하나의 세부 정보를 준다."} | parts
    return Tool(
        tool_id="t", operation_key="s.t", platform="x", service="s", provider="p", domain="d", method="GET",
        url="https://x.go.kr/t", parameters=build_parameters(drafts, "", PROFILE, frozenset()), outputs=outputs,
        profile=PROFILE, **base,
    )  # fmt: skip


def test_what_is_needed_and_given_is_added_and_the_original_kept() -> None:
    made = completed(tool(needs={"ykiho": "요양기호"}, gives={"bedCnt": "병상수", "telno": "전화번호"}))
    assert made.original == "병원 하나의 세부 정보를 준다."
    assert made.description == "병원 하나의 세부 정보를 준다. 필요한 값: 요양기호(ykiho). 돌려주는 값: 병상수."
    assert completed(made).original == made.original, "completing twice keeps the document's words"


def test_what_the_document_says_is_not_said_again() -> None:
    text = "요양기호로 병원의 병상수, 의사수, 개설일자를 조회한다"
    made = completed(tool(description=text, needs={"ykiho": "요양기호"}, gives={"a": "병상수", "b": "의사수"}))
    assert (made.description, made.original) == (text, "")


def test_english_documents_are_completed_in_english() -> None:
    made = completed(tool(title="Hospital", description="", needs={"id": "id"}, gives={"beds": "Bed count"}))
    assert made.description == "Needs: id. Returns: Bed count." and not is_korean(made)


@given(st.text(max_size=3000), st.dictionaries(st.text("가나다라마", min_size=1), st.text(max_size=80), max_size=40))
def test_completed_is_short_and_deterministic(text: str, gives: dict[str, str]) -> None:
    given = replace(tool(gives=gives), description=text)
    made = completed(given)
    assert len(made.description) <= max(MAX_LENGTH, len(" ".join(text.split())))
    assert made == completed(given)


def test_every_real_portal_tool_says_what_it_needs(portal: CompileReport) -> None:
    for compiled in portal.tools:
        for parameter in compiled.required:
            assert parameter.label in compiled.description or parameter.name in compiled.description, compiled.tool_id


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("병원의 병상수를 준다. 요양기호(ykiho)가 있어야 한다.", ""),
        ("병원의 병상수를 준다. hospId로 찾는다.", "names hospId, which the document does not know"),
        ("Beds of a hospital.", "not Korean"),
        ("가" * (MAX_LENGTH + 1), f"longer than {MAX_LENGTH} characters"),
    ],
)
def test_a_written_description_is_checked(text: str, problem: str) -> None:
    assert problem_of(brief_of(tool(needs={"ykiho": "요양기호"}, gives={"bedCnt": "병상수"})), text) == problem


def test_wire_names_are_told_from_words() -> None:
    text = "sidoCd와 corp_code, LAWD_CD는 이름이고 OpenDART나 API, XML, hospital은 아니다"
    assert list(wire_names(text)) == ["sidoCd", "corp_code", "LAWD_CD"]
