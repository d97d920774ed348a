"""`edge explore`."""

from __future__ import annotations

import argparse

from edge.commands.options import Subparsers, add_command


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    add_command(subparsers, "explore", "explore", run)


def run(args: argparse.Namespace) -> int:
    """Run it."""
    return 0
