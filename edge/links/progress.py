"""What an explorer knows between two rounds, as plain data that another process can go on from (state <-> rows).

A batch of rounds may be killed and its successor may run elsewhere. What is not in the state must not decide anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import TypeAlias, cast

from edge.ids import Json

Plain: TypeAlias = "dict[str, Json]"


@dataclass(frozen=True, slots=True)
class ExplorerState:
    """Everything but the value pool (the filler's), ready for JSON; each part maps a key to a JSON value.

    `evidence`: link id -> fields of `Evidence`. `records`: tool id -> [[record, cardinality], ...] in the order seen.
    `ignored`: text of [tool, [bound parameters], parameter] -> whether it is known not to matter. `good`: tool id ->
    arguments of calls that gave records. `controls`: key of a known-good call -> whether it did. `asked`, `seen`: keys
    of calls made, and of those whose records were kept -> 1. `met`, `unserved`: tool ids -> 1. `parked`: platform ->
    last round without it. `tried`: link id -> keys of its calls and values. `exhausted`: link id -> number of records
    that were all tried. `figures`: rounds done, calls spent, seconds, whether the entry tools were called.
    """

    evidence: Plain = field(default_factory=dict[str, Json])
    records: Plain = field(default_factory=dict[str, Json])
    ignored: Plain = field(default_factory=dict[str, Json])
    good: Plain = field(default_factory=dict[str, Json])
    controls: Plain = field(default_factory=dict[str, Json])
    asked: Plain = field(default_factory=dict[str, Json])
    seen: Plain = field(default_factory=dict[str, Json])
    met: Plain = field(default_factory=dict[str, Json])
    unserved: Plain = field(default_factory=dict[str, Json])
    parked: Plain = field(default_factory=dict[str, Json])
    tried: Plain = field(default_factory=dict[str, Json])
    exhausted: Plain = field(default_factory=dict[str, Json])
    figures: Plain = field(default_factory=dict[str, Json])


def state_rows(state: ExplorerState) -> Iterator[dict[str, str]]:
    """Yield rows (part, key, value), the value as ASCII JSON text, in a stable order."""
    for part in fields(state):
        values: Plain = getattr(state, part.name)
        for key in sorted(values):
            yield {"part": part.name, "key": key, "value": json.dumps(values[key], sort_keys=True)}


def state_of(rows: Iterable[Mapping[str, object]]) -> ExplorerState:
    """Return the state of such rows, in any order.

    Raises:
        KeyError: a row is of an unknown part.
    """
    parts: dict[str, Plain] = {f.name: {} for f in fields(ExplorerState)}
    for row in rows:
        parts[str(row["part"])][str(row["key"])] = cast("Json", json.loads(str(row["value"])))
    return ExplorerState(**parts)
