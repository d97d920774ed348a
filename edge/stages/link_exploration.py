"""Phase A: candidate links are executed until verified, pruned or out of budget (links -> links, outcomes)."""

from __future__ import annotations

import logging
import time
from collections import Counter

from edge.datasets.ledger import StageCount
from edge.execution.memo import MemoCaller
from edge.links.exploration import ExplorationSettings, Explorer
from edge.links.rows import link_of, link_row, pool_rows
from edge.stages.context import Context
from edge.stages.params import Run, StageRef

logger = logging.getLogger("edge.explore")


async def explore_stage(run: Run) -> StageRef:
    """Explore the proposed links against the run's endpoint; store evidence, the value pool and every call made."""
    context, stage = Context(run), "explore"
    if done := context.finished(stage, context.key(stage)):
        return done
    began = time.monotonic()
    settings = ExplorationSettings(rounds=run.params.iterations, paths=run.params.paths)
    links = [link_of(row).link for row in context.rows("propose", "links")]
    filler = context.filler(explored=False)
    explorer = Explorer(context.tools.values(), links, filler, settings, seed=run.params.seed, as_of=run.as_of)
    async with context.gateway() as (client, log):
        caller = MemoCaller(client)
        with log.step("", "explore"):
            await explorer.enter(caller)
            for number in range(settings.rounds):
                report = await explorer.round(caller)
                logger.info(
                    "round %d: %d verified, %d pruned, %d open links; %d calls",
                    number + 1, report.verified, report.pruned, report.candidate, len(log),
                )  # fmt: skip
                if report.done or len(log) >= settings.max_calls:
                    break
        outcomes = log.rows()
    learned = explorer.learned()
    hashes = {t.tool_id: t.spec_hash for t in context.tools.values()}
    states = Counter(x.evidence.status for x in learned)
    dropped = {name: states[key] for name, key in (("unproven", "candidate"), ("pruned", "pruned")) if states[key]}
    count = StageCount.of("link_exploration", len(learned), dropped)
    rows = {
        "links": [link_row(x, endpoint=run.endpoint, spec_hashes=hashes, run_id=run.run_id) for x in learned],
        "value_pool": list(pool_rows(filler.pool, run.run_id)),
        "outcomes": outcomes,
        "stage_ledger": [count.row(run.run_id)],
    }
    if explorer.unserved:
        logger.warning("%d tools are not served here; links to them stay candidates", len(explorer.unserved))
    figures = {"calls": len(outcomes), "unserved": len(explorer.unserved)}
    figures |= {f"links_{k}": v for k, v in sorted(states.items())}
    return context.finish(stage, context.key(stage), rows, began, figures)
