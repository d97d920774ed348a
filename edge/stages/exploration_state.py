"""What a batch of exploration leaves to the next, as rows (Progress <-> `exploration_state`, `exploration_answers`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TypeAlias, cast

from edge.calls import Outcome, Record
from edge.ids import Json
from edge.links.fillers import ValuePool
from edge.links.freshness import Carried
from edge.links.model import Evidence
from edge.links.progress import ExplorerState, state_of, state_rows

Row: TypeAlias = "Mapping[str, object]"
_OURS = ("carried", "output", "accepted")


@dataclass(slots=True)
class Progress:
    """An exploration between two batches.

    `state` is None before the first. `answers` are the outcomes heard so far by call key: no batch asks again what an
    earlier one was answered. `carried` is how links of a stored graph entered the run, by link id.
    """

    state: ExplorerState | None = None
    pool: ValuePool = field(default_factory=ValuePool)
    answers: dict[str, Outcome] = field(default_factory=dict[str, Outcome])
    carried: dict[str, Carried] = field(default_factory=dict[str, Carried])


def progress_rows(state: ExplorerState, pool: ValuePool, carried: Mapping[str, Carried]) -> Iterator[dict[str, str]]:
    """Yield the rows that say where an exploration stands, but for the answers."""
    yield from state_rows(state)
    for part, values in (("output", pool.outputs), ("accepted", pool.accepted)):
        for key in sorted(values):
            yield _row(part, json.dumps(key), list(values[key]))
    for link_id in sorted(carried):
        yield _row("carried", link_id, asdict(carried[link_id]))


def answer_rows(
    answers: Mapping[str, Outcome], known: Mapping[str, Outcome], *, records: int
) -> Iterator[dict[str, str]]:
    """Yield a row for each answer that is not among the `known` ones, without what nobody looks at again.

    `records` are kept of an answer, the very ones that an explorer with that limit looks at.
    """
    for key, outcome in answers.items():
        if key not in known:
            step = max(1, len(outcome.records) // records)
            sample = outcome.records[::step][:records]
            told = {f.name: getattr(outcome, f.name) for f in fields(Outcome)}
            yield {"key": key, "value": json.dumps({**told, "request": {}, "records": sample})}


def progress_of(latest: Iterable[Row], answers: Iterable[Row]) -> Progress:
    """Return the progress that the state of the last batch and the answers of all batches say."""
    parts: dict[str, list[Row]] = {name: [] for name in _OURS}
    rest: list[Row] = []
    for row in latest:
        parts.get(str(row["part"]), rest).append(row)
    pool = ValuePool()
    for part, values in (("output", pool.outputs), ("accepted", pool.accepted)):
        for row in parts[part]:
            tool_id, name = json.loads(str(row["key"]))
            values[tool_id, name] = dict.fromkeys(json.loads(str(row["value"])))
    return Progress(
        state_of(rest),
        pool,
        {str(row["key"]): _outcome(_value(row)) for row in answers},
        {str(row["key"]): _carried(_value(row)) for row in parts["carried"]},
    )


def _row(part: str, key: str, value: object) -> dict[str, str]:
    return {"part": part, "key": key, "value": json.dumps(value)}  # ASCII, so that no text is changed on the way


def _value(row: Row) -> dict[str, Json]:
    return cast("dict[str, Json]", json.loads(str(row["value"])))


def _outcome(told: dict[str, Json]) -> Outcome:
    records = tuple(cast("list[Record]", told["records"]))
    return Outcome(**{**told, "records": records})  # type: ignore[arg-type]


def _carried(told: dict[str, Json]) -> Carried:
    start, kept = (Evidence.of(cast("Mapping[str, object]", told[name])) for name in ("start", "kept"))
    return Carried(start, kept, cast("str | None", told["proven_at"]), str(told["reopened"]))
