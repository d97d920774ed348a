"""Rates, differences and ends of labels are what they are called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from link_figures import Figure, Rate, gain, kept_out, lost, match
from linkparts import make_link, make_tool
from scipy import stats

from edge.links.model import Evidence, LearnedLink
from edge.specs.model import OutputField, Parameter

SOURCE = make_tool("source", [OutputField("items[].code", "코드")])
TARGET = make_tool("target", (), [Parameter("code", "코드"), Parameter("kind", "종류")])
TOOLS = {t.tool_id: t for t in (SOURCE, TARGET)}


@given(st.integers(0, 400), st.integers(1, 400))
def test_intervals_are_those_of_wilson(hits: int, more: int) -> None:
    low, high = Rate(hits, hits + more).interval
    known = stats.binomtest(hits, hits + more).proportion_ci(method="wilson")
    assert (low, high) == pytest.approx((known.low, known.high), abs=1e-4)


def test_nothing_sampled_says_nothing() -> None:
    assert (Rate(0, 0).value, Rate(0, 0).interval) == (0.0, (0.0, 1.0))


def test_the_difference_is_the_published_example() -> None:
    # Newcombe, Statistics in Medicine 17 (1998), 873-890, table II, row (a), method 10: 56/70 - 48/80.
    assert gain(before=Rate(48, 80), after=Rate(56, 70)) == pytest.approx((20.0, 5.24, 33.39), abs=0.01)


def label(valid: bool, parameter: str = "code", field: str = "code") -> dict[str, object]:
    ends = {"source_op": "plain.source", "target_op": "plain.target"}
    return {**ends, "source_field": field, "target_param": parameter, "valid": valid, "note": ""}


def learned(status: str, *binding: str) -> LearnedLink:
    link = make_link("source", "target", binding)  # type: ignore[arg-type]
    return LearnedLink(link, Evidence(1.0, 1.0, status=status))  # type: ignore[arg-type]


AS_IT_IS, CHANGED = ("items[].code", "code"), ("items[].code", "code", "first:5")


@pytest.mark.parametrize(
    ("valid", "links", "end"),
    [
        (True, [], "no candidate"),
        (True, [learned("pruned", *AS_IT_IS), learned("verified", *CHANGED)], "verified"),
        (True, [learned("pruned", *AS_IT_IS), learned("candidate", *CHANGED)], "unproven"),
        (True, [learned("pruned", *AS_IT_IS)], "pruned"),
        (False, [learned("verified", *AS_IT_IS)], "verified"),
        (False, [learned("pruned", *AS_IT_IS), learned("verified", *CHANGED)], "pruned"),
        (False, [learned("verified", *CHANGED)], "only with a transform"),
        (True, [learned("verified", "items[].code", "kind")], "no candidate"),
        (True, [learned("verified", "items[].other", "code")], "no candidate"),
    ],
)
def test_where_a_label_ends(valid: bool, links: list[LearnedLink], end: str) -> None:
    assert [x.end for x in match([label(valid)], TOOLS, links)] == [end]


def test_labels_of_unknown_operations_are_left_out() -> None:
    assert match([{**label(True), "target_op": "elsewhere.op"}], TOOLS, []) == []


def test_shares_are_of_candidates_alone() -> None:
    ends = {"verified": "verified", "pruned": "pruned", "unproven": "candidate"}
    labels = [x for status in ends.values() for x in match([label(False)], TOOLS, [learned(status, *AS_IT_IS)])]
    labels += [x for status in ends.values() for x in match([label(True)], TOOLS, [learned(status, *AS_IT_IS)])]
    labels += match([label(True), label(False)], TOOLS, [])
    assert kept_out(labels) == Rate(2, 3)
    assert lost(labels) == Rate(1, 3)


def test_a_figure_says_whether_it_is_reached() -> None:
    assert str(Figure("part", "name", "0.5", ">= 0.9", False)).endswith("name: 0.5   target >= 0.9: MISSED")
    assert str(Figure("part", "name", "0.95", ">= 0.9", True)).endswith("target >= 0.9: reached")
    assert str(Figure("part", "name", "7")).endswith("name: 7")
