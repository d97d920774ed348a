"""How the records of a step become the few that matter, or one value: what a reducer says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ReducerKind = Literal[
    "only", "filter", "max", "min", "latest", "earliest", "count", "all", "nearest",
    "sum", "mean", "distinct", "top", "bottom", "at_least", "at_most", "contains",
]  # fmt: skip
COMPUTING = frozenset[ReducerKind]({"count", "sum", "mean", "distinct"})


@dataclass(frozen=True, slots=True)
class Point:
    """A place on the map: degrees (WGS 84) as text, or where `step` is given the paths of them in its one record."""

    latitude: str
    longitude: str
    step: str | None = None


@dataclass(frozen=True, slots=True)
class Reducer:
    """How the records of a step become the few that matter; deterministic, sayable in one sentence, tie-free.

    They leave records: only: exactly one came. filter: `field` equals `value` (exactly one remains). max/min: by number
    in `field`. latest/earliest: by date in `field`. top/bottom: the `k` with the largest or smallest number in `field`,
    in that order. nearest: by the distance of (`field`, `longitude`) to `near`. at_least/at_most: `field` is a number
    of at least or at most `value`. contains: `field` has the text `value` in it. all: keep every one (at most the FAN
    limit). They leave one value: count: how many records. sum/mean: over the numbers in `field`. distinct: how many
    different values `field` has.

    `within` is applied first: at_least, at_most, contains, or a filter, which may leave several records here.
    `text` is how `value` or `near` is said. `field` is the latitude for nearest.
    """

    kind: ReducerKind
    field: str | None = None
    value: str | None = None
    text: str | None = None
    k: int | None = None
    longitude: str | None = None
    near: Point | None = None
    within: Reducer | None = None

    @property
    def needs_all_pages(self) -> bool:
        """Whether the reducer is wrong unless every page was read."""
        return self.kind not in ("only",)

    @property
    def computes(self) -> bool:
        """Whether the answer is a value that no record holds, made of all of them."""
        return self.kind in COMPUTING

    @property
    def fields(self) -> tuple[str, ...]:
        """The paths of the records that it reads."""
        inner = self.within.fields if self.within else ()
        return (*inner, *(p for p in (self.field, self.longitude) if p))

    @property
    def texts(self) -> tuple[str, ...]:
        """What a request must state for it: the texts of its values and how many, innermost first."""
        inner = self.within.texts if self.within else ()
        own = [self.text] if self.text else []
        return (*inner, *own, *([str(self.k)] if self.k is not None else []))
