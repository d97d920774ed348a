"""Retrieval: what one tool supplies is near to what another needs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from linkparts import make_tool, tools

from edge.embedding import LexicalEmbedder
from edge.links.candidates import Matrix, need_text, propose, supply_text
from edge.specs.model import OutputField, Parameter, Tool


class LetterEmbedder:
    """Unit vectors of letter counts: close when the letters are."""

    name = "letters"

    def encode(self, texts: Sequence[str]) -> Matrix:
        """One row a text."""
        out = np.zeros((len(texts), 64), dtype=np.float32)
        for row, text in enumerate(texts):
            for letter in text:
                out[row, ord(letter) % 64] += 1
        return out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)


@settings(max_examples=40, deadline=None)
@given(tools(), st.integers(0, 3), st.integers(0, 2))
def test_limits_order_and_no_self_pairs(some: list[Tool], same: int, cross: int) -> None:
    pairs = propose(some, LetterEmbedder(), same_domain=same, cross_domain=cross)
    by_id = {t.tool_id: t for t in some}
    assert pairs == propose(some, LetterEmbedder(), same_domain=same, cross_domain=cross)
    assert len({(p.source, p.target) for p in pairs}) == len(pairs)
    for tool in some:
        mine = [p for p in pairs if p.source == tool.tool_id]
        near = [p for p in mine if by_id[p.target].domain == tool.domain]
        assert len(near) <= same and len(mine) - len(near) <= cross
        assert [round(p.similarity, 6) for p in mine] == sorted((round(p.similarity, 6) for p in mine), reverse=True)
        assert all(p.target != p.source and by_id[p.target].offered for p in mine)
        assert not mine or any(not f.private for f in tool.outputs)


@settings(max_examples=40, deadline=None)
@given(tools())
def test_the_targets_of_a_source_do_not_depend_on_the_order_of_tools(some: list[Tool]) -> None:
    pairs, turned = (propose(x, LetterEmbedder(), same_domain=2, cross_domain=1) for x in (some, some[::-1]))
    assert {(p.source, p.target) for p in pairs} == {(p.source, p.target) for p in turned}


def corporation_tools() -> list[Tool]:
    code = OutputField("corp_code", "고유번호", kind="code")
    need = Parameter("corp_code", "고유번호", kind="code", required=True)
    return [
        make_tool("corps", [code, OutputField("corp_name", "회사명", kind="name")], [Parameter("q", "검색어")]),
        make_tool("filings", [OutputField("rcept_no", "접수번호", kind="code")], [need]),
        make_tool("buses", [OutputField("busRouteId", "노선ID", kind="code")], [Parameter("strSrch", "노선명")]),
        make_tool("stops", [], [Parameter("busRouteId", "노선ID", kind="code", required=True)]),
    ]


def test_the_lexical_embedder_finds_the_obvious() -> None:
    pairs = propose(corporation_tools(), LexicalEmbedder(), same_domain=1, cross_domain=0)
    assert [(p.source, p.target) for p in pairs if p.source in ("corps", "buses")] == [
        ("corps", "filings"),
        ("buses", "stops"),
    ]


def test_coordinates_of_one_kind_are_near_whatever_they_are_called() -> None:
    where = [OutputField("x", "엑스", kind="longitude"), OutputField("y", "와이", kind="latitude")]
    source = make_tool("places", where)
    near = make_tool("around", [], [Parameter("LO", "동쪽", kind="longitude", required=True)])
    grid = make_tool("weather", [], [Parameter("nx", "격자", kind="grid", required=True)])
    far = make_tool("other", [], [Parameter("when", "언제", kind="date", required=True)])
    pairs = propose([source, near, grid, far], LexicalEmbedder())
    assert [(p.target, round(p.similarity, 2)) for p in pairs] == [("around", 0.8), ("weather", 0.7), ("other", 0.0)]


def test_private_fields_supply_nothing() -> None:
    hidden = make_tool("people", [OutputField("corp_code", "고유번호", kind="code", private=True)])
    assert propose([hidden, *corporation_tools()[1:2]], LexicalEmbedder()) == []


def test_nothing_to_pair() -> None:
    assert propose([], LexicalEmbedder()) == []
    assert propose([make_tool("alone", [OutputField("a", "가")])], LexicalEmbedder()) == []


def test_texts_say_label_and_last_name() -> None:
    assert supply_text(OutputField("rows[].corp_code", "고유번호")) == "고유번호 corp_code"
    assert need_text(Parameter("corp_code", "고유번호")) == "고유번호 corp_code"
