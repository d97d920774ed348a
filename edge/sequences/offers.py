"""The tools offered with a request: those it needs and distractors that look right (CallPlan -> offered tools)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from edge.links.model import LearnedLink
from edge.plans.gaps import asked_tools
from edge.plans.model import CallPlan, Gap
from edge.specs.model import Tool
from edge.text import compact

OFFERED = 10


def offered_tools(
    plan: CallPlan,
    tools: Mapping[str, Tool],
    learned: Sequence[LearnedLink],
    *,
    seed: int,
    count: int = OFFERED,
    gap: Gap | None = None,
) -> list[Tool]:
    """Return at least the needed tools and otherwise `count` in an order that gives nothing away.

    Distractors come in turn from: where pruned links out of the needed tools lead, tools whose records are called the
    same on the same platform, then anywhere, siblings on the platform, tools of the domain, any tool. Under a gap what
    it takes away is not offered, nor a tool that could stand in for it; unrelated offers come from other domains.
    """
    rng = random.Random(f"{seed}:offer:{plan.plan_id}")
    gold = list(dict.fromkeys(s.tool_id for s in (*plan.steps, *plan.untaken)))
    pools = _pools(gold, tools, learned)
    if gap is not None and gap.tools:
        barred = set(gap.tools) | _stand_ins(plan, tools)
        pools = [[t for t in pool if t not in barred] for pool in pools]
        if gap.reason == "unrelated":
            pools = [_unrelated(gold, pools[-1], tools)]
        gold = [t for t in gold if t not in gap.tools]
    chosen = list(gold)
    for i, pool in enumerate(pools):
        most = count if i == len(pools) - 1 else _SHARES[i]
        fresh = [t for t in pool if t not in chosen]
        chosen.extend(rng.sample(fresh, max(0, min(most, len(fresh), count - len(chosen)))))
    rng.shuffle(chosen)
    return [tools[t] for t in chosen]


_SHARES = (2, 2, 1, 2, 2)  # of each pool but the last, which fills up


def _pools(gold: Sequence[str], tools: Mapping[str, Tool], learned: Sequence[LearnedLink]) -> list[list[str]]:
    """Return the tools that may distract, those that mislead most first."""
    platforms, domains = {tools[t].platform for t in gold}, {tools[t].domain for t in gold}
    words = {w for t in gold for w in _words(tools[t])}
    pruned = {x.link.target_tool for x in learned if x.evidence.status == "pruned" and x.link.source_tool in gold}
    named_alike = [t for t in sorted(tools) if words & _words(tools[t])]
    return [
        sorted(pruned & set(tools)),
        [t for t in named_alike if tools[t].platform in platforms],
        named_alike,
        [t for t in sorted(tools) if tools[t].platform in platforms],
        [t for t in sorted(tools) if tools[t].domain in domains],
        sorted(tools),
    ]


def _words(tool: Tool) -> set[str]:
    """Return the words that say what a record is."""
    return {w for w in (tool.noun or tool.title).split() if len(w) > 1}


def _stand_ins(plan: CallPlan, tools: Mapping[str, Tool]) -> set[str]:
    """Return the tools that may hold what is asked: one of its fields under the same label, or the same record."""
    asked = asked_tools(plan)
    steps = (*plan.steps, *plan.untaken)
    paths = [(s.tool_id, p) for s in steps if s.tool_id in asked for p in (*s.asks, *s.reducer.fields)]
    labels = {compact(f.label) for tool_id, path in paths if (f := tools[tool_id].output(path))}
    nouns = {compact(tools[t].noun) for t in asked} - {""}
    return {
        t.tool_id
        for t in tools.values()
        if compact(t.noun) in nouns or any(compact(f.label) in labels for f in t.outputs)
    }


def _unrelated(gold: Sequence[str], pool: Sequence[str], tools: Mapping[str, Tool]) -> list[str]:
    """Return the tools of other domains whose records share no word with those that the request needs."""
    domains = {tools[t].domain for t in gold}
    words = {w for t in gold for w in _words(tools[t])}
    return [t for t in pool if tools[t].domain not in domains and not words & _words(tools[t])]
