"""`edge compile`: provider documents -> typed tools; says what was compiled, what was skipped and why."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from edge.commands.options import Subparsers, add_command, add_endpoint, add_outputs, base_url, document

if TYPE_CHECKING:
    from edge.execution.fetching import Fetcher
    from edge.specs.compile import CompileReport
    from edge.stages.compiling import Compiled

SHOWN = 10


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    summary = "compile Swagger, OpenAPI, catalogues, MCP tool lists or platform files into typed tools"
    parser = add_command(subparsers, "compile", summary, run)
    parser.add_argument("paths", type=document, nargs="*", metavar="PATH", help="a document, a folder of them or a URL")
    parser.add_argument(
        "--mcp",
        action="append",
        default=[],
        metavar="COMMAND|URL",
        help="an MCP server to ask for its tools: a command line or an http(s) URL; may be given again",
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="HOST",
        help="a host that references in documents may lead to, with its port where it has one; may be given again",
    )
    parser.add_argument(
        "--probe",
        nargs="?",
        const="",
        metavar="RECORDING",
        help="learn outputs that documents leave out, from one call a tool or from recorded answers",
    )
    parser.add_argument("--everything", action="store_true", help="with --probe: compare all tools with their answers")
    add_endpoint(parser)
    parser.add_argument("--describe", action="store_true", help="let a model write better descriptions")
    parser.add_argument("--llm", choices=("openai", "anthropic"), help="the model service that --describe asks")
    parser.add_argument("--model", metavar="M", help="the model, as its service spells it")
    parser.add_argument("--llm-base-url", type=base_url, metavar="U", help="an OpenAI-compatible service")
    parser.add_argument("--full", action="store_true", help="list everything skipped and every notice")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    add_outputs(parser)


def run(args: argparse.Namespace) -> int:
    """Compile, report and, with --outputs, publish; 1 when nothing could be compiled."""
    from edge.commands.preflight import writable_outputs
    from edge.stages.compiling import Compiled

    _check(args)
    outputs = None if args.outputs is None else writable_outputs(args.outputs)
    with _fetcher(args) as fetch:
        compiled = Compiled(_compiled(args, fetch))
    if compiled.tools and args.probe is not None:
        compiled = asyncio.run(_probed(args, compiled))
    if compiled.tools and args.describe:
        compiled = asyncio.run(_described(args, compiled))
    print_json(compiled) if args.json else print_report(compiled, full=args.full)
    if outputs is not None:
        version = publish(compiled, outputs)
        if not args.json:
            print(f"published tools {version} under {args.outputs}")
    return 0 if compiled.tools else 1


def _check(args: argparse.Namespace) -> None:
    """Refuse options that do nothing together.

    Raises:
        UsageError: naming the option.
    """
    from edge.commands.defaults import load_settings
    from edge.commands.preflight import check_llm
    from edge.errors import UsageError

    if not args.paths and not args.mcp:
        raise UsageError("no document given: name files, folders or URLs as PATH, or a server with --mcp")
    if args.probe is None and (args.everything or args.endpoint or args.recordings):
        raise UsageError("--everything, --endpoint and --recordings belong to --probe; add --probe")
    if args.describe:
        settings = load_settings().llm
        args.llm = args.llm or settings.backend
        args.model = args.model or settings.model
        args.llm_base_url = args.llm_base_url or settings.base_url
        if args.llm == "offline":
            raise UsageError("--describe needs a model: add --llm openai or --llm anthropic, and --model")
        check_llm(args.llm, args.model, args.llm_base_url is not None)


@contextmanager
def _fetcher(args: argparse.Namespace) -> Generator[Fetcher | None]:
    """Give what fetches documents and what they refer to; None where nothing may be fetched."""
    urls = [path for path in args.paths if isinstance(path, str)]
    if not urls and not args.allow_host:
        yield None
        return
    from edge.commands.defaults import load_settings
    from edge.execution.fetching import fetching

    with fetching(urls, args.allow_host, load_settings().execution) as fetch:
        yield fetch


def _compiled(args: argparse.Namespace, fetch: Fetcher | None) -> CompileReport:
    """Compile everything that can be had; what does not answer is skipped, and the rest goes on."""
    from edge.errors import EndpointError, SpecError
    from edge.specs.building import Skip
    from edge.specs.compile import CompileReport, compile_paths

    documents: dict[str, bytes] = {}
    unreachable: list[Skip] = []
    paths = [path for path in args.paths if isinstance(path, Path)]
    for source in (*args.mcp, *(path for path in args.paths if isinstance(path, str))):
        try:
            if source in args.mcp:
                _list(source, documents)
            elif fetch is not None:
                documents[source] = fetch(source)
        except (EndpointError, SpecError) as error:
            unreachable.append(Skip(source.partition("?")[0], "", "unreachable", str(error)))
    if not paths and not documents:
        return CompileReport((), tuple(unreachable), (), ())
    report = compile_paths(paths, documents=documents, fetch=fetch)
    return replace(report, skipped=(*report.skipped, *unreachable))


def _list(server: str, documents: dict[str, bytes]) -> None:
    """Add the tool list of a running MCP server under the name it is reported under."""
    from edge.execution.mcp_servers import list_tools

    listed = list_tools(server)
    name = listed.name
    if f"mcp:{name}.json" in documents:  # two servers may call themselves the same
        name = f"{name}_{len(documents) + 1}"
    documents[f"mcp:{name}.json"] = listed.document(name)


async def _probed(args: argparse.Namespace, compiled: Compiled) -> Compiled:
    from edge.commands.defaults import load_settings, outputs_of
    from edge.stages.probing import probe_endpoint, probe_recording
    from edge.stages.recordings import FOLDER

    if args.probe:
        return compiled.with_probe(await probe_recording(compiled.tools, Path(args.probe)))
    settings = load_settings()
    endpoint = args.endpoint or settings.endpoint
    store = args.recordings or settings.recordings or outputs_of(args) / FOLDER
    probed = await probe_endpoint(compiled.tools, endpoint, everything=args.everything, recordings=store)
    return compiled.with_probe(probed)


async def _described(args: argparse.Namespace, compiled: Compiled) -> Compiled:
    from edge.commands.defaults import load_settings, outputs_of
    from edge.llm.backends import make_model
    from edge.llm.books import FILE, Books
    from edge.llm.caching import Shelf
    from edge.llm.prompts import load_prompt
    from edge.llm.spending import Payer
    from edge.stages.describing import describe

    shelf, payer = Shelf(Books(outputs_of(args) / FILE), "compile"), Payer("compile", "tool_description")
    settings = load_settings().llm
    model = make_model(args.llm, args.model, args.llm_base_url, settings=settings, shelf=shelf, payer=payer)
    prompt = load_prompt("tool_description")
    described = await describe(compiled.tools, model, prompt, concurrency=settings.side_by_side)
    shelf.books.forget_batches(payer.run, payer.stage)
    return compiled.with_descriptions(described)


def print_report(compiled: Compiled, *, full: bool) -> None:
    """Print what was compiled by platform, what was not by reason, and what was assumed or differs by kind."""
    from edge.stages.compiling import table_of

    report = compiled.report
    table = table_of(compiled.rows(""), files=len(report.files), operations=report.operations)
    print(f"{len(report.tools)} tools from {report.operations} operations in {len(report.files)} files")
    lines = {
        "skipped": [_line(skip.reason, skip.file, skip.operation, skip.detail) for skip in report.skipped],
        "notices": [_line(n.kind, n.file, n.operation, n.detail) for n in report.notices],
        "differences": _differences(compiled),
    }
    for what in dict.fromkeys(str(row["what"]) for row in table[2:]):
        counts = [(row["name"], row["count"]) for row in table if row["what"] == what]
        if what != "tools":
            print(f"{sum(int(str(number)) for _, number in counts)} {what}")
        for name, number in counts:
            print(f"  {number:>6}  {name}")
        _print_lines(lines.get(what, []), full=full)
    if full:
        _print_tools(compiled)
    elif report.tools:
        print("--full lists the tools and everything else; --json gives it to programs")


def _line(kind: str, file: str, operation: str, detail: str) -> str:
    return f"{kind}: {file} {operation}".rstrip() + f": {detail}"


def _print_tools(compiled: Compiled) -> None:
    print("tools (* may change state and is never called)")
    for tool in compiled.tools:
        needs = ", ".join(parameter.name for parameter in tool.required)
        print(f"  {' ' if tool.read_only else '*'} {tool.tool_id}({needs})  {tool.title}  [{tool.operation_key}]")


def _differences(compiled: Compiled) -> list[str]:
    found = compiled.probed.differences if compiled.probed else ()
    return [
        f"{one.kind}: {tool.operation_key} {one.path}: {one.declared or '-'} -> {one.observed or '-'}"
        + (f" ({one.detail})" if one.detail else "")
        for tool, one in found
    ]


def _print_lines(lines: list[str], *, full: bool) -> None:
    shown = lines if full else lines[:SHOWN]
    for line in shown:
        print(f"    {line}")
    if len(lines) > len(shown):
        print(f"    ... {len(lines) - len(shown)} more; --full lists all")


def print_json(compiled: Compiled) -> None:
    """Print one JSON object: counts, every skip, notice and difference, and the tools as models are offered them."""
    from edge.specs.schema import function_schema
    from edge.stages.compiling import table_of

    rows = compiled.rows("")
    report = compiled.report
    told = {
        "counts": table_of(rows, files=len(report.files), operations=report.operations),
        "skipped": [{k: row[k] for k in ("item_id", "reason", "detail")} for row in rows["rejects"]],
        "notices": [{k: v for k, v in row.items() if k != "run_id"} for row in rows["spec_notices"]],
        "differences": [{k: v for k, v in row.items() if k != "run_id"} for row in rows["spec_differences"]],
        "tools": [
            {
                **function_schema(tool),
                "operation_key": tool.operation_key,
                "method": tool.method,
                "url": tool.url,
                "read_only": tool.read_only,
                "outputs": [field.path for field in tool.outputs],
                "spec_file": tool.spec_file,
            }
            for tool in compiled.tools
        ],
    }
    print(json.dumps(told, ensure_ascii=False))


def publish(compiled: Compiled, outputs: Path) -> str:
    """Publish the tools and the report on them as one version, rebuild the catalog and return the version."""
    from datetime import UTC, datetime

    from edge.datasets.catalog import build_catalog
    from edge.datasets.parts import write_part
    from edge.datasets.store import Store
    from edge.ids import digest

    hashes = {tool.spec_file: tool.spec_hash for tool in compiled.tools}
    run_id = digest(["compile", hashes], 16)
    store = Store(outputs)
    version = store.new_version(datetime.now(UTC), run_id)
    with store.writer():
        for name, rows in compiled.rows(run_id).items():
            part = write_part(outputs / ".work" / run_id, name, rows)
            store.publish(name, version, [part], run_id=run_id, hashes={"spec": digest(hashes)})
    build_catalog(outputs)
    return version
