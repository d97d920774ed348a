"""`edge links`: the link graph of a published version -> the links of one tool, or a file of all of them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from edge.commands.options import Subparsers, add_command, add_outputs, positive

if TYPE_CHECKING:
    from edge.reports.link_graph import Edge, LinkGraph, Node

STATUSES = ("verified", "candidate", "pruned")
FORMATS = ("json", "graphml", "html")
SHOWN = 20
_COLUMNS = (
    "bindings",
    "rest",
    "status",
    "mean [95 %]",
    "ok",
    "empty",
    "refused",
    "outage",
    "fit",
    "records",
    "last call",
    "reason",
)


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "links", "show and export what is known of the links between tools", show)
    parsers = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    showing = add_command(parsers, "show", "print the links into and out of a tool", show)
    showing.add_argument("tool", metavar="TOOL", help="tool id, operation key, or a part that only one tool has")
    showing.add_argument("--json", action="store_true", help="print one JSON object")
    showing.add_argument("--full", action="store_true", help="print every link, and do not cut long cells")
    exporting = add_command(parsers, "export", "write the graph, or a part of it, to a file", export)
    exporting.add_argument(
        "--format", choices=FORMATS, required=True, help="json, graphml (extra: graph) or an html page (extra: graph)"
    )
    exporting.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file")
    exporting.add_argument("--platform", nargs="+", metavar="P", help="only links from or to these platforms")
    exporting.add_argument("--tool", metavar="TOOL", help="only links near a tool")
    exporting.add_argument("--depth", type=positive, default=1, metavar="N", help="how near (default: 1 link)")
    for parser, otherwise in ((showing, "all"), (exporting, "verified")):
        parser.add_argument(
            "--status", nargs="+", choices=(*STATUSES, "all"), metavar="STATUS", default=[otherwise],
            help=f"{', '.join(STATUSES)} or all (default: {otherwise})",
        )  # fmt: skip
        parser.add_argument("--version", metavar="V", help="which version (default: the newest)")
        add_outputs(parser)


def show(args: argparse.Namespace) -> int:
    """Print the links of one tool."""
    graph = _graph(args)
    tool = graph.find(args.tool)
    near = graph.part(statuses=_statuses(args), tool_id=tool.tool_id)
    if args.json:
        print(json.dumps(_document(near, tool), ensure_ascii=False))
        return 0
    print(f"{tool.tool_id}  ({tool.operation_key}, {tool.platform}, {tool.domain})  {tool.title}")
    print(f"version {near.version}")
    _print_links("fed by", "source", [(x.link.source_tool, x) for x in near.into(tool.tool_id)], args.full)
    _print_links("feeds", "target", [(x.link.target_tool, x) for x in near.out_of(tool.tool_id)], args.full)
    return 0


def export(args: argparse.Namespace) -> int:
    """Write the graph to a file and say what is in it."""
    from edge.datasets.files import write_atomic

    whole = _graph(args)
    tool = whole.find(args.tool) if args.tool else None
    platforms = args.platform or ()
    _check_platforms(whole, platforms)
    graph = whole.part(statuses=_statuses(args), platforms=platforms, tool_id=tool and tool.tool_id, depth=args.depth)
    data = _written(graph, args.format)
    write_atomic(args.out, data)
    print(f"{len(graph.edges)} links between {len(graph.nodes)} tools in {args.out} ({len(data) / 2**20:.1f} MB)")
    return 0


def _graph(args: argparse.Namespace) -> LinkGraph:
    from edge.commands.defaults import outputs_of
    from edge.datasets.store import Store
    from edge.errors import UsageError
    from edge.reports.link_graph import load_graph

    outputs = outputs_of(args)
    if not outputs.is_dir():
        raise UsageError(f"{outputs} is not a folder of outputs; run: edge explore --outputs {outputs}")
    return load_graph(Store(outputs), args.version)


def _statuses(args: argparse.Namespace) -> frozenset[str]:
    """Return the states asked for; none means all."""
    return frozenset() if "all" in args.status else frozenset(args.status)


def _check_platforms(graph: LinkGraph, platforms: list[str] | tuple[str, ...]) -> None:
    from edge.errors import UsageError

    known = sorted({node.platform for node in graph.nodes.values()} - {""})
    unknown = [name for name in platforms if name not in known]
    if unknown:
        raise UsageError(f"no platform {', '.join(unknown)} in {graph.version}; there are {', '.join(known)}")


def _written(graph: LinkGraph, form: str) -> bytes:
    from edge.reports.graph_page import to_html
    from edge.reports.link_files import to_graphml, to_json

    return {"json": to_json, "graphml": to_graphml, "html": to_html}[form](graph)


def _document(graph: LinkGraph, tool: Node) -> dict[str, object]:
    from dataclasses import asdict

    from edge.reports.link_files import link_json

    return {
        "version": graph.version,
        "tool": asdict(tool),
        "fed_by": [link_json(x) for x in graph.into(tool.tool_id)],
        "feeds": [link_json(x) for x in graph.out_of(tool.tool_id)],
    }


def _print_links(title: str, other: str, links: list[tuple[str, Edge]], full: bool) -> None:
    from collections import Counter

    from edge.commands import console

    states = Counter(x.status for _, x in links)
    counts = ", ".join(f"{states[status]} {status}" for status in STATUSES if states[status])
    print(f"\n{title}: {counts or 'no links'}")
    ordered = sorted(links, key=lambda each: (STATUSES.index(each[1].status), -each[1].evidence.mean))
    shown = ordered if full else ordered[:SHOWN]
    if shown:
        columns = _COLUMNS if any(x.said for _, x in shown) else _COLUMNS[:-1]  # the offline scorer has no words
        rows = [(name, *_cells(x)[: len(columns)]) for name, x in shown]
        console.print_table((other, *columns), rows, full=full)
    if len(ordered) > len(shown):
        print(f"... {len(ordered) - len(shown)} more; --full lists all")


def _cells(edge: Edge) -> tuple[object, ...]:
    e, (low, high) = edge.evidence, edge.interval
    records = "" if edge.cardinality_median is None else f"{edge.cardinality_median:g} (max {edge.cardinality_max})"
    return (
        "; ".join(edge.bindings),
        "; ".join(edge.rest),
        edge.status,
        f"{e.mean:.2f} [{low:.2f}, {high:.2f}]",
        e.successes,
        e.empties,
        e.structural_failures,
        e.environmental_failures,
        f"{edge.link.feasibility:.2f}",
        records,
        (edge.executed_at or "")[:10],
        edge.said,
    )
