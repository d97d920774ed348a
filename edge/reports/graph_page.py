"""The link graph becomes one interactive page that loads nothing from anywhere (LinkGraph -> HTML).

Bokeh draws it and brings its scripts along; networkx places the tools. All text of documents reaches the page as data
(JSON, which Bokeh escapes where it shows it) or escaped, and a content security policy forbids the page the network.
"""

from __future__ import annotations

import html
import importlib
import json
import re
from collections import Counter, defaultdict
from typing import Any

from edge.errors import MissingExtra
from edge.ids import Json
from edge.reports.link_graph import Edge, LinkGraph, Node

Columns = dict[str, list[Any]]
SEED = 1
_ID = re.compile(r"p\d+")
_POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data:"
_HEAD = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>%s</title>
"""
_SHOWN = (  # column of the table, its title, its width
    ("source", "source", 260),
    ("target", "target", 260),
    ("bindings", "bindings", 360),
    ("rest", "rest", 140),
    ("status", "status", 70),
    ("mean", "mean", 60),
    ("interval", "95 %", 90),
    ("successes", "ok", 40),
    ("empties", "empty", 45),
    ("structural", "refused", 55),
    ("environmental", "outage", 55),
    ("feasibility", "feasibility", 75),
    ("records", "records", 70),
    ("executed", "last call", 140),
    ("reason", "reason", 260),
)
# The chosen tools' links fill the table; without a choice it shows all.
_CHOOSE = """
const chosen = new Set(nodes.selected.indices.map(i => nodes.data.tool[i]));
const ends = links.data;
filter.booleans = chosen.size ? ends.source.map((s, i) => chosen.has(s) || chosen.has(ends.target[i])) : null;
links.change.emit();
"""
_FIND = """
const wanted = box.value.toLowerCase();
const found = [];
for (const [i, text] of nodes.data.words.entries()) if (wanted && text.includes(wanted)) found.push(i);
nodes.selected.indices = found;
"""


def to_html(graph: LinkGraph) -> bytes:
    """Return the page: a graph to look around in, and a table of the links of what is chosen in it.

    A line stands for all links between two tools, as thick as they are many. The same graph gives the same bytes.

    Raises:
        MissingExtra: bokeh or networkx is not installed.
    """
    models, resources, embed = (_library(name) for name in ("bokeh.models", "bokeh.resources", "bokeh.embed"))
    item = _with_plain_ids(json.dumps(embed.json_item(_page(models, graph), "page")))
    # "<" cannot end the script early where JSON writes it as an escape.
    data = json.dumps(item, ensure_ascii=False).replace("<", r"\u003c")
    scripts = resources.Resources(mode="inline", components=["bokeh", "bokeh-widgets", "bokeh-tables"]).render()
    title = html.escape(f"Links of {graph.version}")
    body = (
        f'</head>\n<body>\n<div id="page"></div>\n<script>Bokeh.embed.embed_item({data})</script>\n</body>\n</html>\n'
    )
    return f"{_HEAD % title}{scripts}{body}".encode()


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingExtra(name.partition(".")[0], "graph") from None


def _page(models: Any, graph: LinkGraph) -> Any:
    """Put the parts below each other: what is shown, where to search, the graph, the table."""
    nodes = models.ColumnDataSource(_node_columns(graph))
    links = models.ColumnDataSource(_link_columns(graph))
    chosen = models.BooleanFilter()
    react = models.CustomJS(args={"nodes": nodes, "links": links, "filter": chosen}, code=_CHOOSE)
    nodes.selected.js_on_change("indices", react)
    box = models.TextInput(title="choose tools by name, operation, title, platform or domain", width=420)
    box.js_on_change("value", models.CustomJS(args={"nodes": nodes, "box": box}, code=_FIND))
    columns = [
        models.TableColumn(field=field, title=title, width=width, formatter=models.StringFormatter())
        for field, title, width in _SHOWN
    ]
    table = models.DataTable(
        source=links,
        view=models.CDSView(filter=chosen),
        columns=columns,
        autosize_mode="none",
        reorderable=False,
        sizing_mode="stretch_width",
        height=420,
    )
    said = models.Div(text=_said(graph), disable_math=True, sizing_mode="stretch_width")
    return models.Column(said, box, _plot(models, graph, nodes), table, sizing_mode="stretch_width")


def _plot(models: Any, graph: LinkGraph, nodes: Any) -> Any:
    """Draw tools and lines; what is under the pointer or chosen stands out with all its lines."""
    ranges = {f"{axis}_range": models.DataRange1d() for axis in "xy"}
    plot = models.Plot(**ranges, height=640, sizing_mode="stretch_width", background_fill_color="#fcfcfc")
    edges = models.ColumnDataSource(_line_columns(graph))
    renderer = models.GraphRenderer(
        layout_provider=models.StaticLayoutProvider(graph_layout=_places(graph)),
        inspection_policy=models.NodesAndLinkedEdges(),
        selection_policy=models.NodesAndLinkedEdges(),
    )
    renderer.node_renderer.data_source, renderer.edge_renderer.data_source = nodes, edges
    look = {"size": "size", "fill_color": "color", "line_color": "white"}
    renderer.node_renderer.glyph = models.Scatter(**look)
    renderer.node_renderer.nonselection_glyph = models.Scatter(**look, fill_alpha=0.25)
    renderer.node_renderer.selection_glyph = models.Scatter(**{**look, "line_color": "black"}, line_width=2)
    renderer.node_renderer.hover_glyph = models.Scatter(**{**look, "line_color": "black"}, line_width=2)
    for name, color, alpha in (
        ("glyph", "#999999", 0.25),
        ("nonselection_glyph", "#bbbbbb", 0.06),
        ("selection_glyph", "#d62728", 0.8),
        ("hover_glyph", "#1f77b4", 0.9),
    ):
        setattr(renderer.edge_renderer, name, models.MultiLine(line_color=color, line_alpha=alpha, line_width="width"))
    plot.renderers.append(renderer)
    shown = [(name, f"@{name}") for name in ("tool", "operation", "title", "platform", "domain", "fed_by", "feeds")]
    tap, wheel = models.TapTool(renderers=[renderer]), models.WheelZoomTool()
    hover = models.HoverTool(renderers=[renderer], tooltips=shown)
    plot.add_tools(hover, tap, wheel, models.PanTool(), models.BoxSelectTool(), models.ResetTool())
    plot.toolbar.active_scroll = wheel
    return plot


def _places(graph: LinkGraph) -> dict[str, list[float]]:
    """Return a place for each tool: those with links between them come near each other."""
    made: Any = _library("networkx").Graph()
    made.add_nodes_from(graph.nodes)
    made.add_edges_from((x.link.source_tool, x.link.target_tool) for x in graph.edges)
    placed: dict[str, Any] = _library("networkx").spring_layout(made, seed=SEED, k=0.25) if made else {}
    return {tool_id: [round(float(x), 4), round(float(y), 4)] for tool_id, (x, y) in placed.items()}


def _node_columns(graph: LinkGraph) -> Columns:
    feeds = Counter(x.link.source_tool for x in graph.edges)
    fed = Counter(x.link.target_tool for x in graph.edges)
    colors = _colors(graph)
    nodes = list(graph.nodes.values())
    return {
        "index": [n.tool_id for n in nodes],
        "tool": [n.tool_id for n in nodes],
        "operation": [n.operation_key for n in nodes],
        "title": [n.title for n in nodes],
        "platform": [n.platform for n in nodes],
        "domain": [n.domain for n in nodes],
        "fed_by": [fed[n.tool_id] for n in nodes],
        "feeds": [feeds[n.tool_id] for n in nodes],
        "color": [colors[n.domain] for n in nodes],
        "size": [min(24, 6 + round((fed[n.tool_id] + feeds[n.tool_id]) ** 0.5)) for n in nodes],
        "words": [_words(n) for n in nodes],
    }


def _words(node: Node) -> str:
    return " ".join((node.tool_id, node.operation_key, node.title, node.platform, node.domain)).lower()


def _line_columns(graph: LinkGraph) -> Columns:
    between: dict[tuple[str, str], int] = defaultdict(int)
    for x in graph.edges:
        between[x.link.source_tool, x.link.target_tool] += 1
    return {
        "start": [source for source, _ in between],
        "end": [target for _, target in between],
        "width": [min(5.0, 1 + 0.5 * (number - 1)) for number in between.values()],
    }


def _link_columns(graph: LinkGraph) -> Columns:
    rows = [_cells(x) for x in graph.edges]
    return {field: [row[field] for row in rows] for field, _, _ in _SHOWN}


def _cells(edge: Edge) -> dict[str, str | int]:
    link, e = edge.link, edge.evidence
    low, high = edge.interval
    return {
        "source": link.source_tool,
        "target": link.target_tool,
        "bindings": "; ".join(edge.bindings),
        "rest": "; ".join(edge.rest),
        "status": e.status,
        "mean": f"{e.mean:.2f}",
        "interval": f"{low:.2f} to {high:.2f}",
        "successes": e.successes,
        "empties": e.empties,
        "structural": e.structural_failures,
        "environmental": e.environmental_failures,
        "feasibility": f"{link.feasibility:.2f}",
        "records": ""
        if edge.cardinality_median is None
        else f"{edge.cardinality_median:g}, max {edge.cardinality_max}",
        "executed": edge.executed_at or "",
        "reason": edge.said,
    }


def _colors(graph: LinkGraph) -> dict[str, str]:
    palette = _library("bokeh.palettes").Category20[20]
    domains = sorted({n.domain for n in graph.nodes.values()})
    return {domain: palette[i % len(palette)] for i, domain in enumerate(domains)}


def _said(graph: LinkGraph) -> str:
    """Return what the page shows, and what the colours mean, as HTML."""
    states = Counter(x.status for x in graph.edges)
    counts = ", ".join(f"{number} {status}" for status, number in states.most_common())
    legend = " ".join(
        f'<span style="color:{color}">&#9679;</span>&nbsp;{html.escape(domain or "?")}'
        for domain, color in _colors(graph).items()
    )
    hint = (
        "Point at a tool for its names, click it (or search) for its links; a line stands for all links of two tools."
    )
    head = f"<b>Links of {html.escape(graph.version)}</b>: {len(graph.nodes)} tools, {counts or 'no links'}."
    return f"{head} {hint}<br>{legend}"


def _with_plain_ids(text: str) -> Json:
    """Return Bokeh's JSON with ids that count from the page's start; its own count on for as long as Python runs."""
    known: dict[str, str] = {}

    def renamed(each: dict[str, Json]) -> dict[str, Json]:
        for key in ("id", "root_id"):
            if isinstance(name := each.get(key), str) and _ID.fullmatch(name):
                each[key] = known.setdefault(name, f"m{len(known)}")
        return each

    return json.loads(text, object_hook=renamed)
