"""The fields of records that are worth asking for (tool, records, what is known -> paths)."""

from __future__ import annotations

import random
from collections.abc import Sequence

from edge.calls import Record
from edge.links.paths import get_path, scalar
from edge.plans.drawing import MEASURED
from edge.plans.model import Reducer
from edge.plans.reducers import number
from edge.plans.utterable import askworthy, machine_like
from edge.specs.model import Kind, OutputField, Tool
from edge.text import compact

_ASKABLE: frozenset[Kind] = frozenset(
    {"amount", "count", "number", "date", "datetime", "name", "text", "address", "month", "year", "time", "flag"}
)
MAX_TEXT = 60


def askable(
    tool: Tool,
    chosen: Sequence[Record],
    known: Sequence[str],
    reducer: Reducer,
    rng: random.Random,
    *,
    limit: int,
    skip: frozenset[str] = frozenset(),
) -> tuple[str, ...]:
    """Return the output paths worth asking for: sayable, present in every chosen record, and new.

    `known` are values the user or an earlier answer already holds: a fact that can be read there does not need the
    call. The field that an extreme was taken over and the record's name come first; `skip` are not asked.
    """
    known_keys = {key for k in known if (key := compact(k))}
    labels: set[str] = set()
    fitting: list[OutputField] = []
    for field in tool.outputs:
        if field.path in skip or (field.path == reducer.field and reducer.kind == "filter"):
            continue
        if len(chosen) == 1 and field.path == tool.name_field and _said(chosen[0], field, known_keys):
            continue
        if _worth_asking(field, chosen, known_keys) and compact(field.label) not in labels:
            labels.add(compact(field.label))
            fitting.append(field)
    if not fitting:
        return ()
    first = [f for f in fitting if f.path in (tool.name_field, reducer.field)]
    rest = [f for f in fitting if f not in first]
    weights = {f.path: rng.random() * (1.6 if f.kind in MEASURED or f.unit else 1.0) for f in rest}
    rest.sort(key=lambda f: (-weights[f.path], f.path))
    paths = [f.path for f in [*first, *rest]][:limit]
    order = {f.path: i for i, f in enumerate(tool.outputs)}
    return tuple(sorted(paths, key=lambda p: (p != tool.name_field, order[p])))


def _said(record: Record, field: OutputField, known: set[str]) -> bool:
    """Whether the user has said the name but for a part that adds nothing, such as the legal form of a company."""
    name = compact(scalar(get_path(record, field.path)) or "")
    return any(len(k) > 2 and k in name and 2 * len(k) > len(name) for k in known)


def _worth_asking(field: OutputField, chosen: Sequence[Record], known: set[str]) -> bool:
    if field.private or field.kind not in _ASKABLE or not field.label or "[]" in field.path:
        return False
    if not askworthy(field):
        return False
    values = [scalar(get_path(r, field.path)) for r in chosen]
    texts = [v.strip() for v in values if v]
    if len(texts) != len(values) or any(not t or len(t) > MAX_TEXT or machine_like(t) or "http" in t for t in texts):
        return False
    if field.kind in MEASURED and any(number(t) is None for t in texts):
        return False
    return not all(any(key in k for k in known) for key in map(compact, texts))
