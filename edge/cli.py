"""The shell's way in: reads the command line, runs one command, turns errors into one line and an exit code.

Exit codes: 0 done, 1 the run failed or a check found a difference, 2 wrong usage or configuration, 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from edge import commands
from edge.commands.options import Subparsers
from edge.errors import EdgeError, UsageError


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Print one line and exit with 2."""
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; imports nothing heavy, so that help is quick."""
    parser = Parser(prog="edge", description="Executed, verified Korean tool-calling data from public API documents.")
    parser.set_defaults(run=None)
    subparsers: Subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
    for add in commands.ALL:
        add(subparsers)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    parser = build_parser()
    args = parser.parse_args(argv)
    if args.run is None:
        parser.print_help()
        return 2
    # `kill` then runs the `finally` blocks too, which stop the sandbox.
    signal.signal(signal.SIGTERM, _terminated)
    return guarded(lambda: args.run(args))


def guarded(run: Callable[[], int]) -> int:
    """Run a command; return its exit code, or the one of its error after saying it in one line."""
    try:
        code = run()
        sys.stdout.flush()
        return code
    except EdgeError as error:
        return _failed(error)
    except KeyboardInterrupt:
        print("\nedge: stopped; what was finished stays, --resume goes on", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output went away (`edge sql ... | head`); keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _terminated(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt


def _failed(error: EdgeError) -> int:
    if os.environ.get("EDGE_DEBUG") == "1":
        raise error
    print("edge: " + " ".join(str(error).split()), file=sys.stderr)
    return 2 if isinstance(error, UsageError) else 1


if __name__ == "__main__":
    sys.exit(main())
