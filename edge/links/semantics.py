"""Which kinds of things a field and a parameter are, and how far one can stand for the other (fields -> Types)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from edge.links.code_tables import speaks
from edge.links.evidence_rules import concept_floor, is_keyword, kind_factor, system_factor, takes_address
from edge.links.lexicon import Matrix, Rows
from edge.links.transform_rules import (
    AXES,
    agree,
    code_length,
    is_region_code,
    is_region_name,
    region_level,
    reprojects,
)
from edge.specs.model import OutputField, Parameter

Sort: TypeAlias = "tuple[str | bool | None, ...]"


@dataclass(frozen=True, slots=True)
class Supply:
    """An output field, and whether it is what a record of its tool is called."""

    field: OutputField
    own_name: bool = False


def _sort_of_supply(supply: Supply) -> Sort:
    """All that `semantics` hangs on: supplies of one sort are alike to it."""
    return (*_sort(supply.field), supply.own_name)


def _sort_of_need(need: Parameter) -> Sort:
    return (*_sort(need), is_region_name(need), takes_address(need), is_keyword(need), speaks(need.enum))


def _sort(item: OutputField | Parameter) -> Sort:
    region = is_region_code(item.label, item.kind)
    refined = item.format if item.kind in AXES or item.kind == "name" else None
    if region:
        refined = str(code_length(item))
    return item.kind, refined, region and region_level(item.label)


def semantics(field: OutputField, parameter: Parameter, *, own_name: bool) -> tuple[float, float]:
    """Return (factor, floor): how far two kinds can hold one value, and how near two things are under any name.

    Coordinates of one kind are near whatever they are called, and so are those that others or a grid are made from.
    """
    if reprojects(field, parameter) or (parameter.kind == "grid" and field.kind in ("longitude", "latitude")):
        return 0.0, 0.8
    factor = kind_factor(field.kind, parameter.kind)
    if field.kind in ("name", "text", "unknown") and speaks(parameter.enum):
        factor = max(factor, 0.9)  # a word becomes the code that is called so
    if factor == 0.0 or not agree(field, parameter):
        return 0.0, 0.0
    if field.kind == parameter.kind and field.kind in ("longitude", "latitude", "grid"):
        return 1.0, 0.8
    return factor * system_factor(field, parameter), concept_floor(field, parameter, own_name=own_name)


def _numbers(sorts: Sequence[Sort]) -> Rows:
    """Number the sorts in the order in which they come first."""
    ids: dict[Sort, int] = {}
    return np.asarray([ids.setdefault(s, len(ids)) for s in sorts], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Types:
    """Factor and floor of every sort of supply against every sort of need; one example stands for its sort.

    `possible` are the pairs of sorts of whose kinds any can stand for each other.
    """

    supplies: Rows
    needs: Rows
    factors: Matrix
    floors: Matrix
    possible: NDArray[np.bool_]

    @classmethod
    def of(cls, supplies: Sequence[Supply], needs: Sequence[Parameter]) -> Types:
        """Return the types of both sides."""
        left, right = [_sort_of_supply(s) for s in supplies], [_sort_of_need(p) for p in needs]
        some: dict[Sort, Supply] = {}
        for sort, supply in zip(left, supplies, strict=True):
            some.setdefault(sort, supply)
        wanted: dict[Sort, Parameter] = {}
        for sort, need in zip(right, needs, strict=True):
            wanted.setdefault(sort, need)
        rows = [[semantics(s.field, n, own_name=s.own_name) for n in wanted.values()] for s in some.values()]
        found = np.asarray(rows, dtype=np.float32)
        kinds = [(s.field.kind, n.kind) for s in some.values() for n in wanted.values()]
        compatible = {pair for pair, any_ in zip(kinds, found.any(axis=2).ravel().tolist(), strict=True) if any_}
        possible = np.asarray([pair in compatible for pair in kinds]).reshape(found.shape[:2])
        return cls(_numbers(left), _numbers(right), found[:, :, 0], found[:, :, 1], possible)

    def between(self, sort: int, needs: slice) -> tuple[Matrix, Matrix]:
        """Return factor and floor of the supplies of one sort and a run of needs."""
        at = self.needs[needs]
        return self.factors[sort, at], self.floors[sort, at]
