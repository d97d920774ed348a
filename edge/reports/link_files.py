"""The link graph becomes files for other programs: JSON in node-link form and GraphML (LinkGraph -> bytes)."""

from __future__ import annotations

import importlib
import io
import json
import re
from dataclasses import asdict
from typing import Any

from edge.errors import MissingExtra
from edge.ids import Json
from edge.reports.link_graph import Edge, LinkGraph, Node

FORMAT = "edge-link-graph"
FORMAT_VERSION = 1
# XML 1.0 has no way to write these, not even escaped.
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def document(graph: LinkGraph) -> dict[str, Json]:
    """Return the graph as the JSON document that docs/design/seeing.md describes; networkx reads it as node-link."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "directed": True,
        "multigraph": True,
        "graph": {"version": graph.version},
        "nodes": [_node(node) for node in graph.nodes.values()],
        "links": [link_json(edge) for edge in graph.edges],
    }


def _node(node: Node) -> dict[str, Json]:
    said = asdict(node)
    return {"id": said.pop("tool_id"), **said}


def link_json(edge: Edge) -> dict[str, Json]:
    """Return one link as JSON; `key` is its link id, `source` and `target` are tool ids."""
    link, e = edge.link, edge.evidence
    low, high = edge.interval
    return {
        "source": link.source_tool,
        "target": link.target_tool,
        "key": link.link_id,
        "bindings": [
            {"source_path": b.source_path, "target_parameter": b.target_parameter, "transform": b.transform}
            for b in link.bindings
        ],
        "rest": [{"parameter": r.parameter, "source": r.source} for r in link.rest],
        "status": e.status,
        "feasibility": link.feasibility,
        "reason": link.reason,
        "posterior_mean": round(e.mean, 6),
        "posterior_interval": [round(low, 6), round(high, 6)],
        "successes": e.successes,
        "empties": e.empties,
        "structural_failures": e.structural_failures,
        "environmental_failures": e.environmental_failures,
        "cardinality_median": edge.cardinality_median,
        "cardinality_max": edge.cardinality_max,
        "last_executed_at": edge.executed_at,
        "proven_at": edge.proven_at,
        "reopened": edge.reopened or None,
        "endpoint": edge.endpoint,
    }


def to_json(graph: LinkGraph) -> bytes:
    """Return the JSON document as UTF-8 text, a node or link a line; the same graph gives the same bytes."""
    whole = document(graph)
    lines = {name: _lines(whole.pop(name)) for name in ("nodes", "links")}
    head = json.dumps(whole, ensure_ascii=False, indent=0)[:-2]
    return f'{head},\n"nodes": [\n{lines["nodes"]}\n],\n"links": [\n{lines["links"]}\n]\n}}\n'.encode()


def _lines(each: Json) -> str:
    return ",\n".join(json.dumps(one, ensure_ascii=False) for one in each) if isinstance(each, list) else ""


def to_graphml(graph: LinkGraph) -> bytes:
    """Return the graph as GraphML, for Gephi, yEd, Cytoscape and networkx; what is unknown is left out.

    Bindings, intervals and where the rest comes from are JSON text, as GraphML knows numbers and text alone.

    Raises:
        MissingExtra: networkx is not installed.
    """
    try:
        networkx: Any = importlib.import_module("networkx")
    except ImportError:
        raise MissingExtra("networkx", "graph") from None
    made = networkx.MultiDiGraph(version=graph.version)
    for node in graph.nodes.values():
        said = _node(node)
        made.add_node(said.pop("id"), **_attributes(said))
    for edge in graph.edges:
        said = link_json(edge)
        source, target, key = (said.pop(name) for name in ("source", "target", "key"))
        made.add_edge(source, target, key=key, **_attributes(said))
    out = io.BytesIO()
    networkx.write_graphml_xml(made, out)
    return out.getvalue()


def _attributes(said: dict[str, Json]) -> dict[str, str | float]:
    return {name: _attribute(value) for name, value in said.items() if value is not None}


def _attribute(value: Json) -> str | float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    return _NO_XML.sub("", value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
