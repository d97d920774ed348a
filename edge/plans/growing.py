"""Where a plan could go on: tools beside those that a step feeds, tools that a last step could feed (Draft -> Way)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from edge.calls import Record
from edge.links.model import Link
from edge.links.walking import bind
from edge.plans.draft import Draft, feeding
from edge.plans.model import CallPlan
from edge.plans.shapes import GroundingSettings

_LOOKED_AT = 20  # records of a long list
BESIDE_ONE = 2  # calls that one record feeds which came alone: who asks for more about one thing asks twice


@dataclass(frozen=True, slots=True)
class Way:
    """A link that could be walked from a step. `onward`: the step feeds none so far; `listed`: several records came."""

    parent_id: str
    link: Link
    onward: bool
    listed: bool


def more_ways(draft: Draft, out_of: Mapping[str, Sequence[Link]], settings: GroundingSettings) -> list[Way]:
    """Return the ways to go on that leave the plan within its limits, to tools that are not called yet."""
    used = {s.tool_id for s in (*draft.steps, *draft.untaken)}
    fed = {need for s in draft.steps for need in s.needs}
    full = sum(s.step_id not in fed for s in draft.steps) >= settings.leaves
    levels = CallPlan("", tuple(draft.steps), "", ()).levels
    room = settings.max_calls - len(draft.execution.calls)
    found: list[Way] = []
    for step, level in zip(draft.steps, levels, strict=True):
        calls = draft.calls_of(step.step_id)
        listed = any(len(c.outcome.records) > 1 for c in calls)
        records = [r for c in calls for r in feeding(c)]
        onward = step.step_id not in fed
        if onward:
            closed = step.when or step.reducer.computes or level >= settings.max_depth or len(calls) > room
        else:
            closed = full or len(records) > room or not (listed or _children(draft, step.step_id) < BESIDE_ONE)
        if not closed:
            links = [x for x in out_of.get(step.tool_id, ()) if x.target_tool not in used]
            found += [Way(step.step_id, x, onward, listed) for x in links if _binds(x, records, every=not onward)]
    return found


def _children(draft: Draft, step_id: str) -> int:
    return sum(step_id in s.parents for s in draft.steps)


def _binds(link: Link, records: Sequence[Record], *, every: bool) -> bool:
    """Whether the records can feed the link; where not every one must, which one it is to be is settled later."""
    bound = (bind(link, r) is not None for r in (records if every else records[:_LOOKED_AT]))
    return all(bound) if every else any(bound)
