"""An explorer stopped between rounds goes on elsewhere as if nothing had happened."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

from linkparts import make_link
from linkserver import LINKS, TOOLS, client, platform

from edge.execution.memo import MemoCaller
from edge.links.exploration import ExplorationSettings, Explorer
from edge.links.fillers import Filler, ValuePool
from edge.links.model import Evidence
from edge.links.progress import ExplorerState, state_of, state_rows
from edge.links.rows import pool_of, pool_rows

ROUNDS = 6


def explorer(pool: ValuePool, state: ExplorerState | None = None, **more: Any) -> Explorer:
    filler = Filler(datetime(2026, 6, 15, 10, 35), pool, lambda _, value: value)
    settings = ExplorationSettings(paths=6)
    return Explorer(TOOLS, LINKS.values(), filler, settings, seed=5, as_of="2026-06-15", state=state, **more)


async def run(batches: list[int]) -> tuple[dict[str, Any], Any]:
    """Explore in batches of so many rounds, with nothing but rows handed from one to the next."""
    rows: list[dict[str, str]] = []
    pool: list[dict[str, object]] = []
    ends: list[Any] = []
    async with platform() as served:
        for number in batches:
            stored = json.loads(json.dumps([rows, pool]))
            made = explorer(pool_of(stored[1]), state_of(stored[0]) if rows else None)
            async with client(served) as gateway:
                caller = MemoCaller(gateway)
                await made.enter(caller)
                reports = [await made.round(caller) for _ in range(number)]
            rows, pool = list(state_rows(made.state())), list(pool_rows(made.filler.pool, "run"))
            ends.append((reports[-1], pool, [asdict(x) for x in made.learned()]))
    found = asdict(state_of(rows))
    assert found["figures"].pop("seconds") > 0
    return found, ends[-1]


async def test_rounds_split_over_two_explorers_end_like_those_of_one() -> None:
    whole = await run([ROUNDS])
    assert whole[0]["figures"]["calls"] > 20 and whole[0]["records"] and whole[0]["ignored"]
    for batches in ([1, ROUNDS - 1], [2, 2, 2], [5, 1]):
        assert await run(batches) == whole


async def test_a_state_carries_over_only_what_still_is() -> None:
    made = explorer(ValuePool())
    gone, kept = LINKS["share"].link_id, LINKS["right"].link_id
    made.evidence[gone].successes = made.evidence[kept].successes = 2
    filler = Filler(datetime(2026, 6, 15), ValuePool(), lambda _, value: value)
    new = make_link("corps", "filings", ("share", "corp"))
    later = Explorer(TOOLS, [LINKS["right"], new], filler, ExplorationSettings(), seed=5, as_of="x", state=made.state())
    assert set(later.evidence) == {kept, new.link_id}
    assert (later.evidence[kept].successes, later.evidence[new.link_id].successes) == (2, 0)


def test_evidence_of_an_earlier_run_is_where_links_start_from() -> None:
    known = Evidence(alpha=5.0, beta=1.5, successes=3, status="verified")
    made = explorer(ValuePool(), evidence={LINKS["right"].link_id: known, "unknown": known})
    assert made.evidence[LINKS["right"].link_id] == known
    assert made.evidence[LINKS["share"].link_id].alpha < 5 and "unknown" not in made.evidence


def test_rows_bring_back_any_state() -> None:
    state = ExplorerState(
        evidence={"b": {"alpha": 0.1, "cardinalities": None}, "a": {"alpha": 1 / 3}},
        records={"도구": [[{"이름": "\ud800", "n": 10**20, "x": [1.5, None, True]}, 3]]},
        figures={"rounds": 3},
    )
    rows = list(state_rows(state))
    assert state_of(reversed(rows)) == state and state_of([]) == ExplorerState()
    assert [(r["part"], r["key"]) for r in rows] == [
        ("evidence", "a"), ("evidence", "b"), ("records", "도구"), ("figures", "rounds")
    ]  # fmt: skip
    assert all(row["value"].isascii() for row in rows)
