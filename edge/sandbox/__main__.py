"""Command line in, a listening replica out: `python -m edge.sandbox --port 8700`."""

import argparse
import sys
from datetime import date

from edge.sandbox.server import LOOPBACK, create_app, serve


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Options of the sandbox; a wrong one exits with code 2 as argparse does."""
    parser = argparse.ArgumentParser(prog="python -m edge.sandbox", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--seed", type=int, default=7, help="of the world and of the faults")
    parser.add_argument("--today", type=date.fromisoformat, default=date(2026, 6, 15), help="the standing date")
    parser.add_argument("--fault-rate", type=float, default=0.0, help="share of requests that fail, 0 to 1")
    parser.add_argument("--latency-ms", type=int, default=0, help="added to every answer")
    parser.add_argument("--key", action="append", default=[], help="accept this key beside the demo key")
    parser.add_argument("--exit-with-parent", action="store_true", help="stop when the starting process is gone")
    return parser.parse_args(arguments)


def main() -> int:
    """Serve until stopped; 2 when the port is taken."""
    options = parse()
    app = create_app(options.seed, options.today, options.fault_rate, options.latency_ms, frozenset(options.key))
    try:
        serve(app, options.port, options.exit_with_parent)
    except OSError as error:
        print(f"EDGE sandbox cannot listen on {LOOPBACK}:{options.port}: {error.strerror}", file=sys.stderr)  # noqa: T201
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
