"""A count and a maker of one row in, a sequence that makes only the rows somebody looks at out."""

from array import array
from collections.abc import Callable, Sequence
from typing import overload

from edge.sandbox.world.store import Row


class LazyRows(Sequence[Row]):
    """Rows of a table too long to hold: `make(n)` builds row n, the same each time, when a page reaches it."""

    __slots__ = ("_count", "_make")

    def __init__(self, count: int, make: Callable[[int], Row]) -> None:
        self._count = count
        self._make = make

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            return [self._make(n) for n in range(*index.indices(self._count))]
        return self._make(range(self._count)[index])


def kept(rows: Sequence[Row], passes: Callable[[Row], bool]) -> Sequence[Row]:
    """The rows that pass; of rows that are made on demand only the places are remembered."""
    if isinstance(rows, list):
        return [row for row in rows if passes(row)]
    places = array("L", (place for place, row in enumerate(rows) if passes(row)))
    return LazyRows(len(places), lambda n: rows[places[n]])


def mix(seed: int, number: int) -> int:
    """32 bits that depend on both numbers: what a generator draws first, at a fraction of the price of making one."""
    value = (number * 0x9E3779B1 + seed * 0x85EBCA6B + 0x165667B1) & 0xFFFFFFFF
    for shift, factor in ((15, 0x2C1B3C6D), (12, 0x297A2D39)):
        value ^= value >> shift
        value = value * factor & 0xFFFFFFFF
    return value ^ value >> 15
