"""Retrieval: what one tool supplies is near to what another needs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linkparts import make_tool, tools
from naive_search import search

from edge.embedding import LexicalEmbedder
from edge.links.candidates import Pair, propose
from edge.links.lexicon import Lexicon, Matrix, grams
from edge.links.nearness import Embedder, Nearness, need_text, sorted_needs, supply_text
from edge.links.neighbours import shared_out
from edge.links.semantics import Supply
from edge.specs.compile import BUNDLED_SPECS, compile_paths
from edge.specs.model import EnumValue, OutputField, Parameter, Tool


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
        assert len(mine) <= same + cross
        assert (same or not near) and (cross or len(near) == len(mine)), "a side without places gets none"
        assert [p.similarity for p in mine] == sorted((p.similarity for p in mine), reverse=True)
        assert all(p.target != p.source and by_id[p.target].offered and 0.0 < p.similarity <= 1.0 for p in mine)
        assert not mine or any(not f.private for f in tool.outputs)


@settings(max_examples=40, deadline=None)
@given(tools())
def test_the_targets_of_a_source_do_not_depend_on_the_order_of_tools(some: list[Tool]) -> None:
    pairs, turned = (propose(x, LetterEmbedder(), same_domain=2, cross_domain=1) for x in (some, some[::-1]))
    assert {(p.source, p.target) for p in pairs} == {(p.source, p.target) for p in turned}


@settings(max_examples=40, deadline=None)
@given(tools())
def test_blocks_change_nothing(some: list[Tool]) -> None:
    """One source at a time, a few, all at once: the search is exact."""
    alone, few, whole = (propose(some, LexicalEmbedder(), held=n) for n in (1, 40, 10**9))
    assert alone == few == whole


def agree(some: Sequence[Tool], embedder: Embedder, same: int, cross: int) -> None:
    """The search finds what plain loops find; sums in another order may differ in the last digits."""
    found: dict[str, list[tuple[str, float]]] = {}
    for p in propose(some, embedder, same_domain=same, cross_domain=cross, held=200):
        found.setdefault(p.source, []).append((p.target, p.similarity))
    naive = {source: near for source, near in search(some, embedder, same, cross).items() if near}
    assert found.keys() == naive.keys()
    for source, near in naive.items():
        assert dict(found[source]) == pytest.approx(dict(near), abs=3e-5), source


@settings(max_examples=60, deadline=None, derandomize=True)
@given(tools(), st.integers(1, 3), st.integers(0, 2), st.sampled_from([LexicalEmbedder(), LetterEmbedder()]))
def test_the_search_is_that_of_all_pairs(some: list[Tool], same: int, cross: int, embedder: Embedder) -> None:
    agree(some, embedder, same, cross)


def test_the_search_is_that_of_all_pairs_on_real_documents() -> None:
    names = ("juso", "law", "topis", "kosis", "neis", "dart")
    some = [t for name in names for t in compile_paths([BUNDLED_SPECS / name], BUNDLED_SPECS).tools][::4]
    assert len(some) > 20
    agree(some, LexicalEmbedder(), 4, 3)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), st.booleans()), max_size=30).map(lambda x: sorted(x, key=lambda y: not y[1])),
    st.integers(1, 8),
    st.integers(1, 8),
)
def test_places_are_shared_out(ranked: list[tuple[bool, bool]], own: int, others: int) -> None:
    same, good = (np.asarray([x[i] for x in ranked], dtype=np.bool_) for i in (0, 1))
    chosen = shared_out(same, good, own, others)
    assert chosen.sum() == min(len(ranked), own + others), "no place stays empty while somebody is left"
    assert (chosen & good & same).sum() >= min(own, (good & same).sum())
    assert (chosen & good & ~same).sum() >= min(others, (good & ~same).sum())
    assert not (~chosen & good & same)[:1].any() or not ranked or own == 0, "the best of a domain has a place"


def corporation_tools() -> list[Tool]:
    code = OutputField("corp_code", "고유번호", kind="code")
    need = Parameter("corp_code", "고유번호", kind="code", required=True)
    return [
        make_tool("corps", [code, OutputField("corp_name", "회사명", kind="name")], [Parameter("q", "검색어")]),
        make_tool("filings", [OutputField("rcept_no", "접수번호", kind="code")], [need]),
        make_tool("buses", [OutputField("busRouteId", "노선ID", kind="code")], [Parameter("strSrch", "노선명")]),
        make_tool("stops", [], [Parameter("busRouteId", "노선ID", kind="code", required=True)]),
    ]


def targets(pairs: Sequence[Pair], source: str) -> list[str]:
    return [p.target for p in pairs if p.source == source]


@pytest.mark.parametrize("embedder", [LexicalEmbedder(), LetterEmbedder()])
def test_the_obvious_is_found_with_any_embedder(embedder: LexicalEmbedder) -> None:
    pairs = propose(corporation_tools(), embedder, same_domain=1, cross_domain=0)
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
    assert sorted(targets(pairs, "places")) == ["around", "weather"]
    assert all(p.similarity > 0.7 for p in pairs)


def test_the_edges_of_a_box_are_no_place() -> None:
    where = [OutputField("x", "경도", kind="longitude"), OutputField("y", "위도", kind="latitude")]
    east = [Parameter(name, "경계", kind="longitude", required=True) for name in ("minX", "maxX")]
    north = [Parameter(name, "경계", kind="latitude", required=True) for name in ("minY", "maxY")]
    edges = [*east, *north]
    assert propose([make_tool("places", where), make_tool("box", [], edges)], LexicalEmbedder()) == []


def test_regions_are_near_where_their_code_systems_can_agree() -> None:
    source = make_tool("regions", [OutputField("region_cd", "법정동코드", kind="code", format="10")])
    fitting = make_tool("trades", [], [Parameter("LAWD", "지역코드", kind="code", format="5", required=True)])
    unknown = make_tool("areas", [], [Parameter("zone", "시군구코드", kind="code", required=True)])
    other = make_tool("clinics", [], [Parameter("sggu", "시군구코드", kind="code", format="6", required=True)])
    found = {p.target: p.similarity for p in propose([source, fitting, unknown, other], LexicalEmbedder())}
    assert found["trades"] > found["areas"] > found.get("clinics", 0.0)


def test_names_of_one_level_of_region_are_near_under_any_name() -> None:
    source = make_tool("addresses", [OutputField("siNm", "시도", kind="name", format="province")])
    same = make_tool("air", [], [Parameter("stage1", "광역", kind="name", format="province", required=True)])
    other = make_tool("towns", [], [Parameter("umd", "마을", kind="name", format="town", required=True)])
    assert targets(propose([source, same, other], LexicalEmbedder()), "addresses") == ["air"]


def test_what_everybody_is_called_says_little() -> None:
    """A word of two names in five tells less than words that are in one only, even where it is all that is said."""
    names = [*([["id"]] * 40), *([f"a{n}", f"b{n}"] for n in range(60))]
    telling = Lexicon(names).vectors([["id"], ["a7", "b7"], ["id", "a7"]]).telling
    assert telling[0] < telling[2] < telling[1] == pytest.approx(1.0) and telling[0] < 0.5


def test_enumerations_that_share_their_labels_are_near() -> None:
    said = tuple(EnumValue(v, label) for v, label in (("Y", "유가증권"), ("K", "코스닥")))
    asked = tuple(EnumValue(v, label) for v, label in (("01", "유가증권"), ("02", "코스닥")))
    source = OutputField("cls", "구분", kind="code", values=said)
    wanted = [Parameter("mrkt", "시장", kind="code", enum=asked), Parameter("other", "시장", kind="code")]
    scores = Nearness([Supply(source)], wanted, LexicalEmbedder()).scores(np.asarray([0]))
    assert scores[0, 0] == pytest.approx(0.7) and scores[0, 1] < 0.5


def test_needs_lie_in_the_order_of_their_kinds() -> None:
    needs = [Parameter("a", "가", kind="text"), Parameter("b", "나", kind="code"), Parameter("c", "다", kind="text")]
    supplies = [Supply(OutputField("a", "가", kind="text"))]
    with pytest.raises(ValueError, match="order of their kinds"):
        Nearness(supplies, needs, LexicalEmbedder())
    assert [p.name for p in sorted_needs(needs)] == ["b", "a", "c"]
    assert Nearness(supplies, sorted_needs(needs), LexicalEmbedder()).scores(np.asarray([0])).shape == (1, 3)


def test_a_hub_leaves_room_for_others() -> None:
    """Thirty targets that take the same region code do not hide the one that takes the record's own number."""
    region = OutputField("bjd", "법정동코드", kind="code", format="10")
    fields = [region, OutputField("hotelNo", "숙소번호", kind="code")]
    wanted = [Parameter("LAWD", "법정동코드", kind="code", format="10", required=True)]
    hub = [make_tool(f"a{n:02}", [], wanted, service=f"s{n}") for n in range(30)]
    own = make_tool("z", [], [Parameter("stayNo", "숙소번호", kind="code", required=True)], service="z")
    found = targets(propose([make_tool("hotels", fields), *hub, own], LexicalEmbedder()), "hotels")
    assert "z" in found and len(found) == 25


def test_what_the_source_was_asked_with_is_no_need() -> None:
    city = Parameter("cityCode", "도시코드", kind="code", required=True)
    node = Parameter("nodeId", "정류소ID", kind="code", required=True)
    source = make_tool("stops", [OutputField("nodeId", "정류소ID", kind="code")], [city])
    stranger = make_tool("others", [OutputField("nodeId", "정류소ID", kind="code")])
    target = make_tool("arrivals", [], [city, node])
    pairs = propose([source, stranger, target], LexicalEmbedder())
    found = {p.source: p.similarity for p in pairs if p.target == "arrivals"}
    assert found["stops"] > 0.9 > found["others"] > 0.3


def test_private_fields_supply_nothing() -> None:
    hidden = make_tool("people", [OutputField("corp_code", "고유번호", kind="code", private=True)])
    assert propose([hidden, *corporation_tools()[1:2]], LexicalEmbedder()) == []


def test_nothing_to_pair() -> None:
    assert propose([], LexicalEmbedder()) == []
    assert propose([make_tool("alone", [OutputField("a", "가")])], LexicalEmbedder()) == []


def test_texts_say_label_and_last_name() -> None:
    assert supply_text(OutputField("rows[].corp_code", "고유번호")) == "고유번호 corp_code"
    assert need_text(Parameter("corp_code", "고유번호")) == "고유번호 corp_code"


@given(st.lists(st.lists(st.sampled_from("abcdefg"), max_size=4), min_size=1, max_size=8))
def test_vectors_of_words_are_at_most_one_long(texts: list[list[str]]) -> None:
    found = Lexicon(texts).vectors(texts)
    lengths = np.sqrt(np.diag((found.matrix @ found.matrix.T).toarray()))
    for row, (text, length) in enumerate(zip(texts, lengths.tolist(), strict=True)):
        assert length == pytest.approx(found.telling[row], abs=1e-5) and length <= 1.00001
        assert (length > 0) == bool(text)


def test_syllable_pairs() -> None:
    assert grams("법정동 코드") == ("법정", "정동", "동코", "코드") and grams("X") == ("x",) and grams(" ") == ()
