"""The graph holds what is stored, tools are found by what people know of them, and a part is what was asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportworld import BACK, CITY, LINKS, MAYBE, NAME, NEW, OLD, PROVEN, SEEN, publish
from scipy import stats

from edge.errors import UsageError
from edge.links.model import Evidence, Link
from edge.reports.link_graph import Edge, LinkGraph, Node, load_graph


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> LinkGraph:
    return load_graph(publish(tmp_path_factory.mktemp("graph")))


def ids(graph: LinkGraph) -> set[str]:
    return {x.link.link_id for x in graph.edges}


def test_what_is_stored_comes_back(graph: LinkGraph) -> None:
    assert ids(graph) == {x.link.link_id for x in LINKS}
    city = next(x for x in graph.edges if x.link.link_id == CITY.link.link_id)
    assert (city.link, city.status, city.endpoint) == (CITY.link, "verified", "sandbox")
    assert (city.cardinality_median, city.cardinality_max) == (17.0, 17)
    assert (city.evidence.successes, city.evidence.empties) == (3, 1)
    assert (city.executed_at, city.proven_at) == (SEEN, PROVEN)
    assert city.bindings == ("citycode → cityCode through pad:5",)
    assert city.rest == ("day by clock",)
    maybe = next(x for x in graph.edges if x.link.link_id == MAYBE.link.link_id)
    assert (maybe.cardinality_median, maybe.cardinality_max, maybe.executed_at) == (None, None, None)
    assert maybe.said == f"{MAYBE.link.reason}; reopened: signature of plain_stops"


def test_both_directions_of_a_tool(graph: LinkGraph) -> None:
    assert [x.link for x in graph.into("plain_stops")] == [CITY.link, MAYBE.link]
    assert [x.link for x in graph.out_of("plain_stops")] == [NAME.link]


@given(st.floats(1, 50), st.floats(1, 50))
def test_the_interval_holds_95_percent_of_the_posterior(alpha: float, beta: float) -> None:
    low, high = Edge(Link("a", "b", (), 0.5), Evidence(alpha, beta)).interval
    posterior = stats.beta(alpha, beta)
    assert posterior.cdf(low) == pytest.approx(0.025, abs=1e-6)
    assert posterior.cdf(high) == pytest.approx(0.975, abs=1e-6)


@pytest.mark.parametrize(
    "name", ["plain_cities", "Plain.getCityList", "getcitylist", "도시 목록", "도시목록", "CITIES"]
)
def test_a_tool_is_found_by_id_key_or_a_part(graph: LinkGraph, name: str) -> None:
    assert graph.find(name).tool_id == "plain_cities"


def test_the_whole_name_wins_over_tools_that_hold_it() -> None:
    named = {name: Node(name, f"K.{name}") for name in ("stops", "stops_near")}
    assert LinkGraph("v", named, ()).find("stops").tool_id == "stops"


def test_a_part_of_several_tools_names_them(graph: LinkGraph) -> None:
    with pytest.raises(UsageError, match="stops is part of 2 tools: other_stops, plain_stops"):
        graph.find("stops")


@pytest.mark.parametrize(("name", "near"), [("getCityLits", "plain_cities"), ("other_stop5", "other_stops")])
def test_a_misspelt_name_is_told_what_comes_near(graph: LinkGraph, name: str, near: str) -> None:
    with pytest.raises(UsageError, match=f"no tool is called {name}.*near it are {near}"):
        graph.find(name)


@pytest.mark.parametrize("name", ["zzz", "", "???"])
def test_an_unknown_name_is_one_line(graph: LinkGraph, name: str) -> None:
    with pytest.raises(UsageError, match="no tool is called") as told:
        graph.find(name)
    assert "\n" not in str(told.value)


def test_a_part_by_state_and_platform(graph: LinkGraph) -> None:
    verified = graph.part(statuses=["verified"])
    assert ids(verified) == {CITY.link.link_id, NAME.link.link_id}
    assert set(verified.nodes) == {"plain_cities", "plain_stops", "other_stops"}
    assert ids(graph.part(platforms=["other"])) == {NAME.link.link_id, BACK.link.link_id}
    assert set(graph.part(statuses=["candidate"]).nodes) == {"plain_cities", "plain_stops"}


def test_a_part_near_a_tool_grows_with_depth(graph: LinkGraph) -> None:
    near = graph.part(statuses=["verified"], tool_id="plain_cities", depth=1)
    assert ids(near) == {CITY.link.link_id}
    assert ids(graph.part(statuses=["verified"], tool_id="plain_cities", depth=2)) == ids(near) | {NAME.link.link_id}
    alone = graph.part(statuses=["candidate"], tool_id="other_stops")
    assert (set(alone.nodes), alone.edges) == ({"other_stops"}, ())


def test_versions(tmp_path: Path) -> None:
    store = publish(tmp_path, OLD, [CITY])
    publish(tmp_path, NEW)
    assert len(load_graph(store).edges) == len(LINKS)
    assert len(load_graph(store, OLD).edges) == 1
    with pytest.raises(UsageError, match="holds no links of version v1"):
        load_graph(store, "v1")


def test_without_links_the_way_to_some_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no links; run: edge explore"):
        load_graph(publish(tmp_path, links=[]))


def test_links_without_tools_still_show(tmp_path: Path) -> None:
    graph = load_graph(publish(tmp_path, tools=[]))
    assert set(graph.nodes) == {"plain_cities", "plain_stops", "other_stops"}
