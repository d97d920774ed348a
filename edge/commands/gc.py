"""`edge gc`: versions, recordings and working files that nothing kept refers to -> removed, each with its reason."""

from __future__ import annotations

import argparse

from edge.commands.options import Subparsers, add_command, add_outputs, positive
from edge.errors import UsageError

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
    from edge.datasets.store import Store
    from edge.datasets.sweeping import leftovers, remove

    outputs = outputs_of(args)
    if not outputs.is_dir():
        raise UsageError(f"{outputs} is not a folder of outputs; run: edge synthesize --outputs {outputs}")
    store = Store(outputs)
    with store.writer():
        found = leftovers(store, args.keep)
        for leftover in found:
            print(f"{leftover.reason}: {leftover.path.relative_to(outputs)} ({leftover.bytes / 1e6:.1f} MB)")
        if not args.dry_run:
            remove(found)
            build_catalog(outputs)
    total = sum(leftover.bytes for leftover in found) / 1e6
    print(f"{len(found)} {'would go' if args.dry_run else 'removed'}, {total:.1f} MB")
    return 0
