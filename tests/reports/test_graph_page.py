"""The page is one file: it asks nobody for anything, shows texts as texts, and comes out the same every time."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from reportworld import HOSTILE, LINKS, publish

from edge.reports.graph_page import to_html
from edge.reports.link_graph import LinkGraph, load_graph

EMBEDDED = re.compile(r"Bokeh\.embed\.embed_item\((.*)\)</script>")


class Elements(HTMLParser):
    """Collects every element with its attributes, as a browser would meet them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> LinkGraph:
    return load_graph(publish(tmp_path_factory.mktemp("page")))


@pytest.fixture(scope="module")
def page(graph: LinkGraph) -> str:
    return to_html(graph).decode()


def model(page: str, name: str) -> list[dict[str, object]]:
    """Return the attributes of all models of a type, in order."""
    found: list[dict[str, object]] = []

    def look(value: object) -> None:
        if isinstance(value, dict):
            if value.get("name") == name and "attributes" in value:
                found.append(value["attributes"])
            for each in value.values():
                look(each)
        elif isinstance(value, list):
            for each in value:
                look(each)

    embedded = EMBEDDED.search(page)
    assert embedded
    look(json.loads(embedded.group(1)))
    return found


def columns(source: dict[str, object]) -> dict[str, list[object]]:
    data = source["data"]
    assert isinstance(data, dict)
    return dict(data["entries"])


def test_nothing_is_loaded_from_anywhere(page: str) -> None:
    elements = Elements(page).found
    for tag, attributes in elements:
        assert not {"src", "href", "srcset", "action", "data"} & attributes.keys(), (tag, attributes)
    policy = next(a["content"] for tag, a in elements if tag == "meta" and "http-equiv" in a)
    assert policy
    assert policy.startswith("default-src 'none'; ")
    assert "http" not in policy
    assert "bokeh" in page.lower()


def test_hostile_texts_are_data(page: str) -> None:
    tags = [tag for tag, _ in Elements(page).found]
    assert "img" not in tags
    assert page.count("<script>alert") == 0
    assert page.count("</script>") == tags.count("script")
    titles = [columns(each).get("title") for each in model(page, "ColumnDataSource")]
    assert any(HOSTILE in title for title in titles if title)
    for said in model(page, "Div"):
        assert said["disable_math"] is True
        assert "<img" not in str(said["text"])


def test_tools_lines_and_links_are_all_there(page: str) -> None:
    tables = [columns(each) for each in model(page, "ColumnDataSource")]
    nodes = next(each for each in tables if "operation" in each)
    lines = next(each for each in tables if "start" in each)
    links = next(each for each in tables if "bindings" in each)
    assert nodes["tool"] == ["other_stops", "plain_cities", "plain_stops"]
    assert dict(zip(nodes["tool"], nodes["fed_by"], strict=True))["plain_stops"] == 2
    # Two links between the same tools are one line, a thicker one; the table has both.
    assert dict(zip(zip(lines["start"], lines["end"], strict=True), lines["width"], strict=True)) == {
        ("plain_cities", "plain_stops"): 1.5,
        ("plain_stops", "other_stops"): 1.0,
        ("other_stops", "plain_cities"): 1.0,
    }
    assert len(links["source"]) == len(LINKS)
    assert "citycode → cityCode through pad:5" in links["bindings"]
    places = model(page, "StaticLayoutProvider")[0]["graph_layout"]
    assert isinstance(places, dict)
    assert {name for name, _ in places["entries"]} == set(nodes["tool"])


def test_the_same_graph_gives_the_same_bytes(page: str, tmp_path: Path) -> None:
    again = to_html(load_graph(publish(tmp_path, links=LINKS[::-1]))).decode()
    assert again == page


def test_an_empty_part_is_a_page_too(graph: LinkGraph) -> None:
    assert "no links" in to_html(graph.part(platforms=["nobody"])).decode()
