"""`edge recordings`: what runs heard -> counts, one file that travels with a dataset, and what has changed since."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from edge.commands.options import Subparsers, add_command, add_outputs, endpoint, existing
from edge.errors import UsageError

if TYPE_CHECKING:
    from edge.execution.drift import Compared
    from edge.execution.takes import Take
    from edge.specs.model import Tool

SHOWN = 20


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "recordings", "show, pack and compare what runs heard", show)
    parsers = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    _add(parsers, add_command(parsers, "show", "list the recorded runs", show))
    packing = _add(parsers, add_command(parsers, "pack", "write recorded runs to one file", pack), reads=False)
    packing.add_argument("out", type=Path, metavar="OUT.zip", help="the file; --recordings OUT.zip replays it")
    packing.add_argument("--version", metavar="V", help="only the run of a published version (default: all)")
    unpacking = _add(parsers, add_command(parsers, "unpack", "add packed runs to the outputs", unpack), reads=False)
    unpacking.add_argument("packed", type=existing, metavar="FILE.zip", help="a file that was packed")
    drifting = _add(parsers, add_command(parsers, "drift", "list operations that answer in another shape", drift))
    drifting.add_argument(
        "--endpoint",
        type=endpoint,
        metavar="sandbox|live|URL",
        help="ask a recorded question of each operation there again (default: compare the two newest runs)",
    )
    drifting.add_argument("--full", action="store_true", help="list every difference")


def _add(parsers: Subparsers, parser: argparse.ArgumentParser, *, reads: bool = True) -> argparse.ArgumentParser:
    add_outputs(parser)
    if reads:
        parser.add_argument("--recordings", type=existing, metavar="PATH", help="a store or a packed file to look at")
    return parser


def show(args: argparse.Namespace) -> int:
    """Print the recorded runs with what they hold."""
    from edge.commands import console
    from edge.execution.takes import Index

    rows: list[tuple[object, ...]] = []
    for take in _takes(args):
        index = Index.of(take)
        ended = "; ".join(f"{count} {name}" for name, count in index.outcomes.most_common())
        size = f"{take.size / 2**20:.1f}"
        rows.append((take.name, take.run.endpoint, take.run.today, len(index.turns), len(index.bodies), size, ended))
    console.print_table(("run", "endpoint", "date", "pages", "bodies", "MB", "ended"), rows)
    return 0


def pack(args: argparse.Namespace) -> int:
    """Pack recorded runs into one file."""
    from edge.execution.packing import pack as write

    takes = _takes(args)
    if args.version:
        takes = [_of_version(args, takes)]
    write(takes, args.out)
    print(f"{len(takes)} recorded runs in {args.out} ({args.out.stat().st_size / 2**20:.1f} MB)")
    return 0


def unpack(args: argparse.Namespace) -> int:
    """Add the runs of a packed file to the store of the outputs."""
    from edge.commands.defaults import outputs_of
    from edge.commands.preflight import writable_outputs
    from edge.execution.packing import unpack as read
    from edge.stages.recordings import FOLDER

    store = writable_outputs(outputs_of(args)) / FOLDER
    for take in read(args.packed, store):
        print(f"{take.name} is in {store}")
    return 0


def drift(args: argparse.Namespace) -> int:
    """Print what answers in another shape; 1 when there is any."""
    from edge.commands.defaults import outputs_of

    outputs = outputs_of(args)
    takes, tools = _takes(args), _tools_of(outputs)
    if args.endpoint:
        compared = _asked(takes[-1], tools, args.endpoint, outputs)
        print(f"{takes[-1].name} and what {args.endpoint} answers now:")
    else:
        compared = _two(takes, tools)
    print_drift(compared, full=args.full)
    return int(bool(compared.drifts))


def print_drift(compared: Compared, *, full: bool = False) -> None:
    """Print a comparison."""
    from edge.commands import console
    from edge.execution.drift import rows_of

    rows = list(rows_of(compared))
    changed = len({drift.operation for drift in compared.drifts})
    unreached = f", {compared.unreached} gave no answer" if compared.unreached else ""
    print(f"{changed} of {compared.operations} operations answer in another shape{unreached}")
    if rows:
        console.print_table(("operation", "kind", "path", "then", "now"), rows if full else rows[:SHOWN])
    if len(rows) > SHOWN and not full:
        print(f"... {len(rows) - SHOWN} more; edge recordings drift --full lists all")


def print_run_drift(outputs: Path, endpoint: str) -> None:
    """Print what the newest recorded run of an endpoint was answered in another shape than the run before."""
    from edge.execution.takes import takes_at
    from edge.stages.recordings import FOLDER

    try:
        takes = [take for take in takes_at(outputs / FOLDER) if take.run.endpoint == endpoint]
    except UsageError:
        return
    if len(takes) > 1:
        print_drift(_two(takes, _tools_of(outputs)))


def _takes(args: argparse.Namespace) -> list[Take]:
    from edge.commands.defaults import load_settings, outputs_of
    from edge.execution.takes import takes_at
    from edge.stages.recordings import FOLDER

    given = getattr(args, "recordings", None) or load_settings().recordings
    return takes_at(given or outputs_of(args) / FOLDER)


def _of_version(args: argparse.Namespace, takes: list[Take]) -> Take:
    from edge.commands.defaults import outputs_of
    from edge.datasets.store import Store
    from edge.stages.recordings import take_of_version

    store = Store(outputs_of(args))
    if args.version not in store.published("runs"):
        raise UsageError(f"{store.root} holds no version {args.version}; runs_all in the catalog lists them")
    run_id = str(store.rows("runs", args.version)[0]["run_id"])
    return take_of_version(takes, run_id, args.version)


def _two(takes: list[Take], tools: list[Tool]) -> Compared:
    from edge.execution.drift import compare_takes
    from edge.execution.takes import Index

    now = takes[-1]
    earlier = [take for take in takes[:-1] if take.run.endpoint == now.run.endpoint]
    if not earlier:
        raise UsageError(f"only one run of {now.run.endpoint} is recorded; run again, or name an --endpoint to ask")
    print(f"{earlier[-1].name} and {now.name}:")
    return compare_takes(Index.of(earlier[-1]), Index.of(now), tools)


def _asked(take: Take, tools: list[Tool], where: str, outputs: Path) -> Compared:
    import asyncio

    from edge.stages.recordings import ask_again

    return asyncio.run(ask_again(take, tools, where, outputs))


def _tools_of(outputs: Path) -> list[Tool]:
    """Return the newest published tools, which say how answers are read; else the bundled ones."""
    from edge.datasets.store import Store
    from edge.specs.compile import BUNDLED_SPECS, compile_paths
    from edge.specs.rows import tool_of

    store = Store(outputs)
    versions = store.published("tools")
    if versions:
        return [tool_of(row) for row in store.rows("tools", max(versions))]
    return list(compile_paths([BUNDLED_SPECS], BUNDLED_SPECS).tools)
