"""`edge gc`: versions, recordings and working files that nothing kept refers to -> removed, each with its reason."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from edge.commands.options import Subparsers, add_command, add_outputs, positive
from edge.errors import UsageError

if TYPE_CHECKING:
    from edge.datasets.sweeping import Leftover

_KEEP = 5


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "gc", "remove old versions and working files that nothing kept refers to", run)
    parser.add_argument(
        "--keep", type=positive, default=_KEEP, metavar="N", help=f"how many shipped versions stay (default: {_KEEP})"
    )
    parser.add_argument("--dry-run", action="store_true", help="only say what would go")
    add_outputs(parser)


def run(args: argparse.Namespace) -> int:
    """Print and remove what can go."""
    from edge.commands.defaults import outputs_of
    from edge.datasets.catalog import build_catalog
    from edge.datasets.remotes import Remote
    from edge.datasets.store import Store
    from edge.datasets.sweeping import leftovers, remove

    outputs = outputs_of(args)
    if not outputs.is_dir():
        raise UsageError(f"{outputs} is not a folder of outputs; run: edge synthesize --outputs {outputs}")
    store, remote = Store(outputs), Remote.of(outputs)
    with store.writer():
        found = [leftover for leftover in leftovers(store, args.keep) if not _in_use(outputs, leftover)]
        for leftover in found:
            print(f"{leftover.reason}: {leftover.path.relative_to(outputs)} ({leftover.bytes / 1e6:.1f} MB)")
        if not args.dry_run:
            remove(found)
            if remote is not None:
                remote.remove(outputs, [leftover.path for leftover in found if leftover.reason != "finished_work"])
            build_catalog(outputs)
    total = sum(leftover.bytes for leftover in found) / 1e6
    print(f"{len(found)} {'would go' if args.dry_run else 'removed'}, {total:.1f} MB")
    return 0


def _in_use(outputs: Path, leftover: Leftover) -> bool:
    """Whether a run that was published before is being made again by another process."""
    from edge.stages.claims import RunTaken, claim

    try:
        if leftover.reason == "finished_work":
            claim(outputs, leftover.path.name)
    except RunTaken:
        return True
    return False
