"""Parameters that mean something only together, and must then come from one record (parameters -> Group)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from edge.links.fillers import range_end
from edge.links.transform_rules import LEVELS, code_length, is_region_code, region_level
from edge.specs.model import Kind, Parameter

_DATES: Final[frozenset[Kind]] = frozenset({"date", "month", "year", "datetime"})
_PLACES: Final[tuple[tuple[Kind, Kind], ...]] = (("longitude", "latitude"), ("projected_x", "projected_y"))
_ORDER: Final = ("province", "district", "town")
_WHOLE: Final = {"district": 5, "town": 8}  # digits from which a code holds the levels above it as well


@dataclass(frozen=True, slots=True)
class Group:
    """Parameters that belong together, the ones that come first first.

    In a group of `levels` each needs those before it (a district its province); those in `alone` need none. In another
    group each needs all the others (a place has two coordinates, a period two ends).
    """

    names: tuple[str, ...]
    levels: bool = False
    alone: frozenset[str] = frozenset()

    def holds(self, bound: Collection[str], required: Collection[str]) -> bool:
        """Whether the bound ones have those that they need, and no required one would come from anywhere else."""
        mine = [name for name in self.names if name in bound and name not in self.alone]
        if any(name in bound for name in self.names) and any(n in required and n not in bound for n in self.names):
            return False
        if not self.levels:
            return not mine or len(mine) == len(self.names)
        return all(above in bound for name in mine for above in self.names[: self.names.index(name)])


def groups(parameters: Sequence[Parameter]) -> list[Group]:
    """Return the groups of two or more: coordinates, cells of a grid, levels of regions, ends of periods."""
    found = [_places(parameters, kinds) for kinds in _PLACES]
    found.append(Group(tuple(p.name for p in parameters if p.kind == "grid")))
    codes = [(region_level(p.label), p) for p in parameters if is_region_code(p.label, p.kind)]
    found.append(_levels([(level, p) for level, p in codes if level is not None]))
    found.append(_levels([(p.format, p) for p in parameters if p.kind == "name" and p.format in LEVELS]))
    found.extend(_periods(parameters))
    return [group for group in found if len(group.names) > 1]


def _places(parameters: Sequence[Parameter], kinds: tuple[Kind, Kind]) -> Group:
    """One coordinate of each axis; where there are more, nobody knows which belong together."""
    named = [p.name for p in parameters if p.kind in kinds]
    return Group(tuple(named) if len(named) == len(kinds) else ())


def _levels(levelled: Sequence[tuple[str | None, Parameter]]) -> Group:
    """One parameter of each level, the highest first."""
    by_level: dict[str, Parameter] = {}
    for level, parameter in levelled:
        by_level.setdefault(str(level), parameter)
    if len(by_level) < len(levelled):
        return Group(())
    alone = {p.name for level, p in by_level.items() if (code_length(p) or 0) >= _WHOLE.get(level, 99)}
    return Group(tuple(by_level[x].name for x in _ORDER if x in by_level), levels=True, alone=frozenset(alone))


def _periods(parameters: Sequence[Parameter]) -> list[Group]:
    """A beginning and the end that stands next after it."""
    found: list[Group] = []
    begin: Parameter | None = None
    for parameter in parameters:
        end = range_end(parameter) if parameter.kind in _DATES else None
        if end == "begin":
            begin = parameter
        elif end == "end" and begin is not None and begin.kind == parameter.kind:
            found.append(Group((begin.name, parameter.name)))
            begin = None
    return found
