"""Command line in, a listening replica out: `python -m edge.sandbox --port 8700`."""

import argparse
import sys
from collections.abc import Callable
from datetime import date, time
from pathlib import Path
from typing import NoReturn, TypeVar

from edge.sandbox.faults import FAULT_KINDS
from edge.sandbox.replica import FIRST_DAY, LAST_DAY, Settings
from edge.sandbox.server import LOOPBACK, Sandbox, serve
from edge.sandbox.timeline import FaultPlan, read_kinds, read_plan
from edge.sandbox.world.store import CLOCK

_Value = TypeVar("_Value")


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage of all options above it."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"EDGE sandbox: {message}\n")


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Options of the sandbox; a wrong one exits with code 2 as argparse does."""
    parser = _Parser(prog="python -m edge.sandbox", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--seed", type=int, default=7, help="of the world and of the faults")
    parser.add_argument("--today", type=_checked(_day), default=date(2026, 6, 15), help="the standing date")
    parser.add_argument("--time", type=_checked(time.fromisoformat), default=CLOCK, help="the standing time")
    parser.add_argument("--fault-rate", type=_checked(_share), default=0.0, help="share of calls that fail, 0 to 1")
    parser.add_argument(
        "--fault-kinds", type=_checked(read_kinds), default=(), help=f"kind[=value],... of {', '.join(FAULT_KINDS)}"
    )
    parser.add_argument("--timeline", type=Path, help="a YAML or JSON file that scripts faults")
    parser.add_argument("--quota-per-day", type=_checked(_count), default=0, help="calls a day, key and service")
    parser.add_argument("--quota-per-second", type=_checked(_count), default=0, help="calls a second, key and service")
    parser.add_argument("--latency-ms", type=_checked(_count), default=0, help="added to every answer")
    parser.add_argument("--key", action="append", default=[], help="accept this key beside the demo key")
    parser.add_argument("--exit-with-parent", action="store_true", help="stop when the starting process is gone")
    options = parser.parse_args(arguments)
    try:
        options.plan = _plan(options)
    except (ValueError, OSError) as error:
        parser.error(f"--timeline {options.timeline}: {getattr(error, 'strerror', None) or error}")
    return options


def settings_of(options: argparse.Namespace) -> Settings:
    """What the options say."""
    return Settings(
        seed=options.seed,
        today=options.today,
        clock=options.time,
        latency_ms=options.latency_ms,
        keys=frozenset(options.key),
        quota_per_day=options.quota_per_day,
        quota_per_second=options.quota_per_second,
        plan=options.plan,
    )


def main() -> int:
    """Serve until stopped; 2 when the port is taken."""
    options = parse()
    app = Sandbox(settings_of(options))
    try:
        serve(app, options.port, options.exit_with_parent)
    except OSError as error:
        print(f"EDGE sandbox cannot listen on {LOOPBACK}:{options.port}: {error.strerror}", file=sys.stderr)  # noqa: T201
        return 2
    return 0


def _plan(options: argparse.Namespace) -> FaultPlan:
    plan = FaultPlan(options.seed, options.fault_rate, options.fault_kinds or read_kinds(""))
    return plan if options.timeline is None else read_plan(options.timeline.read_text(encoding="utf-8"), plan)


def _checked(read: Callable[[str], _Value]) -> Callable[[str], _Value]:
    """argparse shows the words of its own error alone."""

    def checked(text: str) -> _Value:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return checked


def _day(text: str) -> date:
    day = date.fromisoformat(text)
    if not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError(f"must be from {FIRST_DAY} to {LAST_DAY}, not {text}")
    return day


def _share(text: str) -> float:
    share = float(text)
    if not 0 <= share <= 1:
        raise ValueError(f"must be from 0 to 1, not {text}")
    return share


def _count(text: str) -> int:
    count = int(text)
    if count < 0:
        raise ValueError(f"must not be negative, not {text}")
    return count


if __name__ == "__main__":
    sys.exit(main())
