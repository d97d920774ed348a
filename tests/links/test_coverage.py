"""A few proven links lead to every tool that proven links reach."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from linkparts import make_link

from edge.links.coverage import leading
from edge.links.model import Evidence, LearnedLink

NAMES = "abcdefg"


def learned(source: str, target: str, alpha: float = 5.0, status: str = "verified") -> LearnedLink:
    return LearnedLink(make_link(source, target, ("x", f"p{alpha}")), Evidence(alpha, 1.0, status=status))  # type: ignore[arg-type]


GRAPHS = st.lists(
    st.builds(
        learned,
        st.sampled_from(NAMES),
        st.sampled_from(NAMES),
        st.sampled_from([2.0, 3.0]),
        st.sampled_from(["verified", "candidate", "pruned"]),
    ),
    max_size=25,
)


def reached(links: list[LearnedLink], entries: set[str]) -> set[str]:
    found = set(entries)
    while more := {x.link.target_tool for x in links if x.link.source_tool in found} - found:
        found |= more
    return found


@given(GRAPHS, st.sets(st.sampled_from(NAMES), max_size=3))
def test_they_reach_what_proven_links_reach_with_one_link_a_tool(links: list[LearnedLink], entries: set[str]) -> None:
    chosen = leading(links, entries)
    verified = [x for x in links if x.evidence.status == "verified"]
    few = [x for x in verified if x.link.link_id in chosen]
    goal = reached(verified, entries)
    assert reached(few, entries) == goal
    assert len(chosen) == len(goal - entries)
    assert leading(reversed(links), entries) == chosen


def test_the_shortest_way_goes_first_and_then_the_likeliest() -> None:
    near, sure = learned("a", "c", 2.0), learned("a", "c", 9.0)
    far = [learned("a", "b"), learned("b", "c", 20.0)]
    assert leading([near, sure, *far], {"a"}) == {sure.link.link_id, far[0].link.link_id}
