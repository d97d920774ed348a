"""The tools offered with a request: those of the plan and distractors that look right (CallPlan -> offered tools)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from edge.links.model import LearnedLink
from edge.plans.model import CallPlan
from edge.specs.model import Tool

OFFERED = 10


def offered_tools(
    plan: CallPlan, tools: Mapping[str, Tool], learned: Sequence[LearnedLink], *, seed: int, count: int = OFFERED
) -> list[Tool]:
    """Return at most `count` tools (all of the plan's among them) in an order that gives nothing away.

    Distractors come in turn from: targets of pruned links out of the plan's tools, siblings on the same platform, tools
    of the same domain, any tool.
    """
    rng = random.Random(f"{seed}:offer:{plan.plan_id}")
    gold = list(dict.fromkeys(s.tool_id for s in plan.steps))
    platforms = {tools[t].platform for t in gold}
    domains = {tools[t].domain for t in gold}
    misleading = sorted(
        {x.link.target_tool for x in learned if x.evidence.status == "pruned" and x.link.source_tool in gold}
    )
    pools = [
        misleading,
        sorted(t.tool_id for t in tools.values() if t.platform in platforms and t.domain in domains),
        sorted(t.tool_id for t in tools.values() if t.domain in domains),
        sorted(tools),
    ]
    chosen = list(gold)
    for pool, most in zip(pools, (2, 3, 2, count), strict=True):
        fresh = [t for t in pool if t not in chosen and t in tools]
        chosen.extend(rng.sample(fresh, min(most, len(fresh), max(0, count - len(chosen)))))
    rng.shuffle(chosen)
    return [tools[t] for t in chosen]
