"""What singles out a record where its name does not: a value that few have, and the end of those (records -> Reducer).

Names repeat: one share has a row a day, one bill several readings. People then say the name or the kind and which of
these they mean: "the latest of the rows called ...". The smallest description comes first, as in the incremental
algorithm for referring expressions (Dale and Reiter, 1995).
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Iterator, Sequence

from edge.calls import Record
from edge.links.paths import get_path, scalar
from edge.plans.model import Reducer
from edge.plans.utterable import askworthy
from edge.specs.model import Kind, OutputField, Tool

_DESCRIBED = 4  # records
_SHARED: frozenset[Kind] = frozenset({"name", "text", "address"})
_ODD = re.compile(r"[\[\]{}<>|^;]")  # what registers write, not people
_LONGEST = 24  # characters of a value that people would say

Extremes = Callable[[Sequence[Record]], Sequence[Reducer]]


def referring(
    tool: Tool,
    records: Sequence[Record],
    rng: random.Random,
    favoured: Collection[int],
    extremes: Extremes,
    says: Callable[[str], bool],
) -> list[Reducer]:
    """Return reducers that leave one of a few drawn records, `favoured` ones first: by a value of its own, or the end
    of those that share a value with it. `extremes` gives the unique ends of some records, `says` whether a value can be
    said.
    """
    drawn = sorted(favoured) or range(len(records))
    picked = rng.sample(drawn, min(_DESCRIBED, len(drawn)))
    found = [reducer for position in picked for reducer in _of(position, tool, records, rng, extremes, says)]
    return list(dict.fromkeys(found))


def _of(
    position: int,
    tool: Tool,
    records: Sequence[Record],
    rng: random.Random,
    extremes: Extremes,
    says: Callable[[str], bool],
) -> Iterator[Reducer]:
    fields = [f for f in tool.outputs if _describes(f)]
    for field in rng.sample(fields, len(fields)):
        value = _text(records[position], field)
        if not says(value) or len(value) > _LONGEST or _ODD.search(value):
            continue
        alike = [i for i, r in enumerate(records) if _text(r, field) == value]
        own = Reducer("filter", field.path, value, value)
        if len(alike) == 1:
            if field.path != tool.name_field:  # by name alone it is picked anyway
                yield own
            continue
        if len(alike) == len(records):
            continue
        for end in extremes([records[i] for i in alike]):
            yield Reducer(end.kind, end.field, within=own)


def _describes(field: OutputField) -> bool:
    told = field.kind in _SHARED and askworthy(field)
    return told and not field.private and not field.repeats and "[]" not in field.path


def _text(record: Record, field: OutputField) -> str:
    return (scalar(get_path(record, field.path)) or "").strip()
