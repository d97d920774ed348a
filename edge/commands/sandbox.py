"""`edge sandbox`: serves the replica of the platforms on loopback until stopped."""

from __future__ import annotations

import argparse
import os
import sys

from edge.commands.options import Subparsers, add_command, existing, milliseconds, port, positive, rate, seed, today

# Options handed on to the server under the same name; it has the last word on those that only it understands.
_HANDED_ON = (
    "seed", "today", "time", "fault_rate", "fault_kinds", "timeline", "latency_ms", "quota_per_day", "quota_per_second",
)  # fmt: skip


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "sandbox", "serve the replica of the platforms on loopback until stopped", run)
    parser.add_argument("--port", type=port, default=8700, metavar="P", help="0 picks a free one (default: 8700)")
    parser.add_argument("--seed", type=seed, metavar="S", help="chooses the world and its faults (default: 7)")
    parser.add_argument("--today", type=today, metavar="YYYY-MM-DD", help="the date in the world (default: 2026-06-15)")
    parser.add_argument("--time", metavar="HH:MM", help="the time in the world (default: 10:35)")
    parser.add_argument("--fault-rate", type=rate, metavar="R", help="share of calls that fail as platforms do")
    parser.add_argument("--fault-kinds", metavar="KIND[=VALUE],...", help="how they fail (see docs/sandbox.md)")
    parser.add_argument("--timeline", type=existing, metavar="FILE", help="a YAML or JSON file that scripts faults")
    parser.add_argument("--latency-ms", type=milliseconds, metavar="L", help="added to every answer")
    parser.add_argument("--quota-per-day", type=positive, metavar="N", help="calls a day for a key and service")
    parser.add_argument("--quota-per-second", type=positive, metavar="N", help="calls a second for a key and service")


def run(args: argparse.Namespace) -> int:
    """Become the server: this process is replaced, so signals reach it directly."""
    from edge.commands.preflight import free_port

    free_port(args.port)
    command = [sys.executable, "-m", "edge.sandbox", "--port", str(args.port)]
    for name in _HANDED_ON:
        value = getattr(args, name)
        if value is not None:
            command += [f"--{name.replace('_', '-')}", str(value)]
    os.execv(command[0], command)  # noqa: S606 - our own interpreter and module
