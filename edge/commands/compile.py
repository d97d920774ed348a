"""`edge compile`: provider documents -> typed tools; says what was compiled, what was skipped and why."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from edge.commands.options import Subparsers, add_command, add_outputs, existing

if TYPE_CHECKING:
    from edge.specs.compile import CompileReport

SHOWN = 10


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    summary = "compile Swagger 2.0 and OpenAPI 3.x documents or platform files into typed tools"
    parser = add_command(subparsers, "compile", summary, run)
    parser.add_argument("paths", type=existing, nargs="*", metavar="PATH", help="a document or a folder of them")
    help_mcp = "an MCP server to ask for its tools: a command line or an http(s) URL; may be given again"
    parser.add_argument("--mcp", action="append", default=[], metavar="COMMAND|URL", help=help_mcp)
    parser.add_argument("--full", action="store_true", help="list everything skipped and every notice")
    add_outputs(parser)


def run(args: argparse.Namespace) -> int:
    """Compile, report and, with --outputs, publish; 1 when nothing could be compiled."""
    from edge.commands.preflight import writable_outputs
    from edge.specs.compile import compile_paths

    report = compile_paths(args.paths, documents=_listed(args.mcp))
    print_report(report, full=args.full)
    if not report.tools:
        return 1
    if args.outputs is not None:
        version = publish(report, writable_outputs(args.outputs))
        print(f"published tools {version} under {args.outputs}")
    return 0


def _listed(servers: list[str]) -> dict[str, bytes]:
    """Return the tool lists of running MCP servers, by the names they are reported under."""
    from edge.execution.mcp_servers import list_tools

    documents: dict[str, bytes] = {}
    for server in servers:
        listed = list_tools(server)
        name = listed.name
        if f"mcp:{name}.json" in documents:  # two servers may call themselves the same
            name = f"{name}_{len(documents) + 1}"
        documents[f"mcp:{name}.json"] = listed.document(name)
    return documents


def print_report(report: CompileReport, *, full: bool) -> None:
    """Print what was compiled by platform, and what was not by reason."""
    print(f"{len(report.tools)} tools from {report.operations} operations in {len(report.files)} files")
    for platform, number in sorted(Counter(tool.platform for tool in report.tools).items()):
        print(f"  {number:>6}  {platform}")
    if report.skipped:
        print(f"{len(report.skipped)} skipped")
        for reason, number in Counter(skip.reason for skip in report.skipped).most_common():
            print(f"  {number:>6}  {reason}")
        _print_lines([f"{skip.reason}: {skip.detail}" for skip in report.skipped], full=full)
    if report.notices:
        print(f"{len(report.notices)} notices")
        for kind, number in Counter(notice.kind for notice in report.notices).most_common():
            print(f"  {number:>6}  {kind}")
        lines = [f"{n.kind}: {n.file} {n.operation}".rstrip() + f": {n.detail}" for n in report.notices]
        _print_lines(lines, full=full)


def _print_lines(lines: list[str], *, full: bool) -> None:
    shown = lines if full else lines[:SHOWN]
    for line in shown:
        print(f"    {line}")
    if len(lines) > len(shown):
        print(f"    ... {len(lines) - len(shown)} more; --full lists all")


def publish(report: CompileReport, outputs: Path) -> str:
    """Publish the tools as a version of their dataset, rebuild the catalog and return the version."""
    from datetime import UTC, datetime

    from edge.datasets.catalog import build_catalog
    from edge.datasets.parts import write_part
    from edge.datasets.store import Store
    from edge.ids import digest
    from edge.specs.rows import tool_row

    hashes = {tool.spec_file: tool.spec_hash for tool in report.tools}
    run_id = digest(["compile", hashes], 16)
    store = Store(outputs)
    version = store.new_version(datetime.now(UTC), run_id)
    part = write_part(outputs / ".work" / run_id, "tools", [tool_row(tool) for tool in report.tools])
    store.publish("tools", version, [part], run_id=run_id, hashes={"spec": digest(hashes)})
    build_catalog(outputs)
    return version
