"""Other programs read the exported graph: networkx is the judge of both forms."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest
from reportworld import CITY, HOSTILE, LINKS, NAME, PROVEN, publish

from edge.reports.link_files import to_graphml, to_json
from edge.reports.link_graph import LinkGraph, load_graph

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> LinkGraph:
    return load_graph(publish(tmp_path_factory.mktemp("files")))


def test_json_is_a_node_link_document(graph: LinkGraph) -> None:
    data = json.loads(to_json(graph))
    assert (data["format"], data["format_version"], data["graph"]) == ("edge-link-graph", 1, {"version": graph.version})
    read = nx.node_link_graph(data, edges="links")
    assert set(read) == set(graph.nodes)
    assert read.nodes["other_stops"]["title"] == HOSTILE
    assert {key for _, _, key in read.edges(keys=True)} == {x.link.link_id for x in LINKS}
    city = read.edges["plain_cities", "plain_stops", CITY.link.link_id]
    assert city["bindings"] == [{"source_path": "citycode", "target_parameter": "cityCode", "transform": "pad:5"}]
    assert city["posterior_interval"][0] < city["posterior_mean"] < city["posterior_interval"][1]
    assert (city["status"], city["successes"], city["empties"]) == ("verified", 3, 1)
    assert city["rest"] == [{"parameter": "day", "source": "clock"}]
    assert (city["proven_at"], city["reopened"]) == (PROVEN, None)


def test_json_has_a_node_or_link_on_each_line(graph: LinkGraph) -> None:
    lines = to_json(graph).decode().splitlines()
    assert sum(line.startswith('{"source"') for line in lines) == len(LINKS)
    assert sum(line.startswith('{"id"') for line in lines) == 3


def test_graphml_keeps_texts_and_numbers(graph: LinkGraph) -> None:
    read = nx.read_graphml(io.BytesIO(to_graphml(graph)), force_multigraph=True)
    assert set(read) == set(graph.nodes)
    # XML has no control characters; all else of a text is kept.
    assert read.nodes["other_stops"]["title"] == HOSTILE.replace("\x01", "")
    name = read.edges["plain_stops", "other_stops", NAME.link.link_id]
    assert (name["environmental_failures"], name["feasibility"], name["status"]) == (2, 0.8, "verified")
    assert json.loads(name["bindings"]) == [{"source_path": "nodenm", "target_parameter": "q", "transform": None}]
    assert "cardinality_max" not in name


def test_an_empty_part_is_a_file_too(graph: LinkGraph) -> None:
    empty = graph.part(statuses=["verified"], platforms=["nobody"])
    assert json.loads(to_json(empty))["links"] == []
    assert len(nx.read_graphml(io.BytesIO(to_graphml(empty)))) == 0


@pytest.mark.parametrize("write", [to_json, to_graphml])
def test_the_same_graph_gives_the_same_bytes(write: object, tmp_path: Path) -> None:
    assert callable(write)
    first, second = load_graph(publish(tmp_path / "a")), load_graph(publish(tmp_path / "b", links=LINKS[::-1]))
    assert write(first) == write(second)


def test_without_networkx_the_extra_is_named(graph: LinkGraph) -> None:
    code = (
        "import sys; sys.modules['networkx'] = None\n"
        "from edge.reports.link_graph import LinkGraph\n"
        "from edge.reports.link_files import to_graphml, to_json\n"
        "to_json(LinkGraph('v', {}, ()))\n"
        "to_graphml(LinkGraph('v', {}, ()))\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (
        "MissingExtra: networkx is not installed; install it with: pip install 'edge-synthesis[graph]'" in ended.stderr
    )
