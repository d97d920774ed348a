"""`edge version`: the version of the package."""

from __future__ import annotations

import argparse

from edge import __version__
from edge.commands.options import Subparsers, add_command


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    add_command(subparsers, "version", "print the version", run)


def run(args: argparse.Namespace) -> int:
    """Print the version."""
    print(__version__)
    return 0
