"""`edge sandbox`: serves the replica of the platforms on loopback until stopped."""

from __future__ import annotations

import argparse
import os
import sys

from edge.commands.options import Subparsers, add_command, milliseconds, port, rate, seed, today


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "sandbox", "serve the replica of the platforms on loopback until stopped", run)
    parser.add_argument("--port", type=port, default=8700, metavar="P", help="0 picks a free one (default: 8700)")
    parser.add_argument("--fault-rate", type=rate, metavar="R", help="share of calls that fail as platforms do")
    parser.add_argument("--latency-ms", type=milliseconds, metavar="L", help="added to every answer")
    parser.add_argument("--seed", type=seed, metavar="S", help="chooses the world and its faults (default: 7)")
    parser.add_argument("--today", type=today, metavar="YYYY-MM-DD", help="the date in the world (default: 2026-06-15)")


def run(args: argparse.Namespace) -> int:
    """Become the server: this process is replaced, so signals reach it directly."""
    from edge.commands.preflight import free_port

    free_port(args.port)
    command = [sys.executable, "-m", "edge.sandbox", "--port", str(args.port)]
    for name in ("fault_rate", "latency_ms", "seed", "today"):
        value = getattr(args, name)
        if value is not None:
            command += [f"--{name.replace('_', '-')}", str(value)]
    os.execv(command[0], command)  # noqa: S606 - our own interpreter and module
