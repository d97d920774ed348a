"""Brief -> outline: what is asked, as noun phrases and clauses, without anybody asking it."""

from __future__ import annotations

import random

from edge.llm.offline.brief import Brief
from edge.llm.offline.ko.branching import Fork, clause, fork_of
from edge.llm.offline.ko.comparisons import merge_twins
from edge.llm.offline.ko.cores import build_cores, compared, join_cores
from edge.llm.offline.ko.nounphrases import Phraser
from edge.llm.offline.ko.phrases import taken_up


def outline(brief: Brief) -> tuple[str, ...]:
    """Return a line for each thing asked, a condition with both its branches last; the same seed gives the same."""
    plan, rng = merge_twins(brief) or brief, random.Random(f"{brief.seed}|outline")
    phraser, units = Phraser(plan, rng), plan.wanted
    fork = fork_of(plan, units)
    always = list(fork.always) if fork else units
    cores = build_cores(plan, phraser, rng, always, apart=len(always) > 1 and plan.comparison is None)
    if plan.comparison is not None and len(cores) == 1:
        cores = [compared(cores[0], plan.comparison, plan, rng)]
    lines = [core.text for core in cores]
    return (*lines, _branches(plan, phraser, rng, fork)) if fork else tuple(lines)


def _branches(plan: Brief, phraser: Phraser, rng: random.Random, fork: Fork) -> str:
    phraser.known.update({s.id: taken_up(s) for step in fork.always for s in (step, *plan.ancestors(step))})
    said = clause(plan, phraser, fork.condition, truth=bool(fork.holds))
    sides = [join_cores(build_cores(plan, phraser, rng, side), rng).text for side in (fork.holds, fork.fails) if side]
    return f"{said} {', 아니면 '.join(sides)}"
