"""Phase A: candidate links are executed until verified, pruned or out of budget (links -> links, outcomes).

It runs in batches of a few rounds. Each goes on from what the one before it wrote and writes what the next one needs;
the last writes the links. A batch that was killed is computed again and asks nothing that it was answered before.
"""

from __future__ import annotations

import logging
import time
from collections import Counter

from edge.datasets.ledger import StageCount
from edge.execution.memo import MemoCaller
from edge.stages.context import EXPLORE, Context
from edge.stages.exploration import Exploration
from edge.stages.params import Run, StageRef

logger = logging.getLogger("edge.explore")

_STAGE = "link_exploration"
_DROPPED = {"candidate": "unproven", "pruned": "pruned"}


async def explore_stage(run: Run) -> StageRef:
    """Explore the proposed links, batch after batch; return the last one."""
    number = 0
    while not (batch := await explore_batch(run, number)).figures["done"]:
        number += 1
    return batch


async def explore_batch(run: Run, number: int) -> StageRef:
    """Explore for a few rounds against the run's endpoint; the figure "done" of the last batch is 1.

    Raises:
        StoreError: the batch before is not there, or the stored graph that the run starts from is spoilt.
    """
    context = Context(run)
    key = context.exploration_key(number)
    if finished := context.finished(EXPLORE, key):
        return finished
    began = time.monotonic()
    exploration = Exploration.opened(context, number)
    explorer = exploration.explorer
    async with context.gateway() as (client, log):
        caller = MemoCaller(client, exploration.progress.answers)
        with log.step("", f"explore-{number}"):
            await explorer.enter(caller)
            rounds, settled = await _rounds(exploration, caller)
        outcomes = log.rows()
    reopened = exploration.reopen_changed()
    if reopened:
        logger.warning("%d links are open again: their tools no longer answer as they did", reopened)
    done = rounds >= run.params.iterations or (settled and not reopened)
    ended = exploration.rows_at_end() if done else exploration.rows_between(caller)
    rejects = [
        {"stage": _STAGE, "item_id": i, "reason": r, "detail": d, "run_id": run.run_id} for i, r, d in exploration.gone
    ]
    states = Counter(str(row["status"]) for row in ended.get("links", ()))
    dropped = Counter(str(row["reason"]) for row in rejects)
    dropped.update({reason: states[status] for status, reason in _DROPPED.items()})
    count = StageCount.of(_STAGE, states.total() + len(rejects), dropped)
    rows = {**ended, "outcomes": outcomes, "rejects": rejects, "stage_ledger": [count.row(run.run_id)]}
    figures = {"done": int(done), "calls": len(outcomes), "rounds": rounds, "reopened": reopened}
    figures |= {"unserved": len(explorer.unserved), **{f"links_{k}": v for k, v in sorted(states.items())}}
    return context.finish(EXPLORE, key, rows, began, figures)


async def _rounds(exploration: Exploration, caller: MemoCaller) -> tuple[int, bool]:
    """Explore for the rounds of a batch; return how many there were in all, and whether more would be of no use."""
    explorer, params = exploration.explorer, exploration.context.run.params
    first = exploration.rounds_before
    last = min(first + params.rounds_a_batch, params.iterations)
    for number in range(first + 1, last + 1):
        report = await explorer.round(caller)
        logger.info(
            "round %d: %d verified, %d pruned, %d open links; %d calls",
            number, report.verified, report.pruned, report.candidate, explorer.calls,
        )  # fmt: skip
        if report.done or explorer.calls >= explorer.settings.max_calls:
            return number, True
    return last, False
