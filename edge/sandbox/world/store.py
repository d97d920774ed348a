"""Seed and date in, named tables of rows out; every other module of this folder registers a builder here."""

import importlib
import pkgutil
import random
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone
from functools import cache

Row = dict[str, object]
TableBuilder = Callable[["World"], list[Row]]
PartBuilder = Callable[..., list[Row]]

KST = timezone(timedelta(hours=9), "KST")
CLOCK = time(10, 35)
# A part is one district-month or one station-day; this many stay in memory.
PARTS_KEPT = 4096

_tables: dict[str, TableBuilder] = {}
_parts: dict[str, PartBuilder] = {}


def table(name: str) -> Callable[[TableBuilder], TableBuilder]:
    """Register the builder of a whole table; it runs at most once a world."""

    def register(builder: TableBuilder) -> TableBuilder:
        if name in _tables:
            raise ValueError(f"table {name!r} has two builders")
        _tables[name] = builder
        return builder

    return register


def part(name: str) -> Callable[[PartBuilder], PartBuilder]:
    """Register the builder of a table too large to hold: `builder(world, *keys)` makes the rows of one key."""

    def register(builder: PartBuilder) -> PartBuilder:
        if name in _parts:
            raise ValueError(f"part {name!r} has two builders")
        _parts[name] = builder
        return builder

    return register


@cache
def load_builders() -> None:
    """Import every module of the world package once, so that its builders are registered."""
    package = importlib.import_module("edge.sandbox.world")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"edge.sandbox.world.{module.name}")


class World:
    """Tables by name. Two worlds with the same seed, date and time hold the same rows, in the same order."""

    __slots__ = ("_indexes", "_part_rows", "_rows", "clock", "seed", "today")

    def __init__(self, seed: int = 7, today: date = date(2026, 6, 15), clock: time = CLOCK) -> None:
        load_builders()
        self.seed = seed
        self.today = today
        self.clock = clock
        self._rows: dict[str, list[Row]] = {}
        self._indexes: dict[tuple[str, str], dict[str, list[Row]]] = {}
        self._part_rows: dict[tuple[str, ...], list[Row]] = {}

    @property
    def now(self) -> datetime:
        """The standing clock of the world, Korean time."""
        return datetime.combine(self.today, self.clock, KST)

    def rng(self, *scope: object) -> random.Random:
        """A generator of its own for each scope, so that no table depends on another's draws."""
        return random.Random(":".join(str(item) for item in (self.seed, *scope)))

    def table(self, name: str) -> list[Row]:
        """All rows of a table. Raises KeyError for a name nobody builds."""
        if name not in self._rows:
            self._rows[name] = _compact(_tables[name](self))
        return self._rows[name]

    def index(self, name: str, column: str) -> dict[str, list[Row]]:
        """Rows of a table by the text of one column, in table order."""
        key = (name, column)
        if key not in self._indexes:
            index: dict[str, list[Row]] = {}
            for row in self.table(name):
                index.setdefault(str(row.get(column, "")), []).append(row)
            self._indexes[key] = index
        return self._indexes[key]

    def find(self, name: str, column: str, value: object) -> list[Row]:
        """Rows whose column reads as `value`; empty when there is none."""
        return self.index(name, column).get(str(value), [])

    def part(self, name: str, *keys: str) -> list[Row]:
        """Rows of one part of a table too large to hold; the builder answers unknown keys with no rows."""
        key = (name, *keys)
        if key not in self._part_rows:
            if len(self._part_rows) >= PARTS_KEPT:
                self._part_rows.pop(next(iter(self._part_rows)))
            self._part_rows[key] = _parts[name](self, *keys)
        return self._part_rows[key]

    @staticmethod
    def table_names() -> list[str]:
        """Names of the whole tables, sorted."""
        load_builders()
        return sorted(_tables)


def _compact(rows: list[Row]) -> list[Row]:
    """The same rows with one object for equal texts: most columns hold few different values, made over and over."""
    known: dict[str, str] = {}
    for row in rows:
        for name, value in row.items():
            if type(value) is str:
                row[name] = known.setdefault(value, value)
    return rows
