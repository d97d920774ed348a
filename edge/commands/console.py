"""What people see: tables that fit the terminal, and lines that stand out only on one."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import IO

WIDEST_CELL = 60


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, full: bool = False) -> None:
    """Print rows as a table. Wide characters count as two columns; long cells are cut unless `full`."""
    from rich import box
    from rich.cells import cell_len, set_cell_size
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    def cell(value: object) -> Text:
        text = " ".join(plain(value).split())
        if not full and cell_len(text) > WIDEST_CELL:
            text = set_cell_size(text, WIDEST_CELL - 1).rstrip() + "…"
        return Text(text, justify="right" if is_number(value) else "left")

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(Text(column), overflow="fold" if full else "ellipsis")
    for row in rows:
        table.add_row(*map(cell, row))
    # Into a pipe there is no terminal whose width could be met: do not fold at 80 columns.
    Console(file=sys.stdout, width=None if sys.stdout.isatty() else 10_000).print(table)


def print_csv(columns: Sequence[str], rows: Iterable[Sequence[object]], stream: IO[str] | None = None) -> None:
    """Print rows as CSV with a header; lists and structs become JSON."""
    writer = csv.writer(stream or sys.stdout, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([repr(value) if isinstance(value, float) else plain(value) for value in row] for row in rows)


def print_json(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print one JSON object a row, a line each."""
    for row in rows:
        print(json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False, default=_encode))


def plain(value: object) -> str:
    """Return the text of a cell; NULL is empty."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list | dict | tuple):
        return json.dumps(value, ensure_ascii=False, default=_encode)
    return str(value)


def is_number(value: object) -> bool:
    """Whether the cell is set to the right."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _encode(value: object) -> object:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    return str(value)
