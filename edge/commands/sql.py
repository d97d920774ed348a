"""`edge sql`: one reading statement over the catalog -> a table, CSV or JSON lines."""

from __future__ import annotations

import argparse
import sys

from edge.commands.options import Subparsers, add_command, add_outputs
from edge.errors import UsageError


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "sql", "run SQL over the datasets and print a table", run)
    parser.add_argument("statement", metavar="SQL", help='such as "SELECT query FROM trajectories"; - reads stdin')
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print CSV")
    form.add_argument("--json", action="store_true", help="print one JSON object a line")
    form.add_argument("--full", action="store_true", help="do not cut long cells")
    add_outputs(parser)


def run(args: argparse.Namespace) -> int:
    """Run the statement and print what it gives."""
    from edge.commands import console
    from edge.commands.defaults import outputs_of
    from edge.datasets.catalog import query

    statement = sys.stdin.read() if args.statement == "-" else args.statement
    if not statement.strip():
        raise UsageError('no SQL given; try: edge sql "SHOW TABLES"')
    columns, rows = query(outputs_of(args), statement)
    if args.csv:
        console.print_csv(columns, rows)
    elif args.json:
        console.print_json(columns, rows)
    else:
        console.print_table(columns, rows, full=args.full)
        print(f"{len(rows)} row{'' if len(rows) == 1 else 's'}")
    return 0
