"""A chain of verified links is executed with real values and becomes a plan (Link ... Link -> CallPlan)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from edge.calls import Caller
from edge.links.fillers import Filler
from edge.links.model import Link
from edge.plans.asking import ask
from edge.plans.comparing import can_vary, compare, compare_fan
from edge.plans.deciding import branches_alike, decide
from edge.plans.draft import Draft, PlanFailed
from edge.plans.facts import facts_of
from edge.plans.growing import Way, more_ways
from edge.plans.joining import join
from edge.plans.minimal import unneeded
from edge.plans.model import CallPlan
from edge.plans.runner import Execution, StepFailed
from edge.plans.shapes import Blueprint, GroundingSettings
from edge.plans.steering import novelty
from edge.plans.stepping import Reach, Stepper
from edge.specs.model import Tool

__all__ = ["Grounder", "GroundingSettings"]
_PLAIN = Blueprint()
_MORE = 16  # links that are tried to let a plan grow
_CHOICE_CALLS = 8  # a plan with a condition grows to: both branches are said besides
MOST_FACTS = 20  # nobody asks for more at once
FAN_SHARE = 0.4  # of comparisons are over a fan-out where the user's value could vary as well


class Grounder:
    """Turns chains into plans; what it draws depends on the random generator of the draft only."""

    def __init__(
        self,
        tools: Mapping[str, Tool],
        out_of: Mapping[str, Sequence[Link]],
        filler: Filler,
        settings: GroundingSettings,
        used: Mapping[str, int] | None = None,
    ) -> None:
        self.tools = tools
        self.used = used or {}
        self.out_of = out_of
        self.filler = filler
        self.settings = settings
        self.known = Counter(x.target_tool for links in out_of.values() for x in links)
        self.crowd = Counter(tools[x.target_tool].domain for links in out_of.values() for x in links)
        self.stepper = Stepper(tools, out_of, filler, settings)

    async def ground(
        self,
        chain: Sequence[Link],
        rng: random.Random,
        caller: Caller,
        blueprint: Blueprint = _PLAIN,
        proven: Mapping[str, Mapping[str, str]] | None = None,
    ) -> tuple[CallPlan, Execution]:
        """Execute the chain from its entry tool; return the plan and the calls that grounded it.

        `proven` are arguments with which tools of the chain have answered, by tool.

        Raises:
            PlanFailed: no reducer, nothing to ask, a step that is not needed, or the shape cannot be had here.
            StepFailed: a call failed.
        """
        draft = Draft(rng, proven=proven or {})
        last = await self.stepper.enter(draft, self.tools[chain[0].source_tool], caller)
        shape = blueprint.shape
        reach: Reach = "any" if shape == "chain" else "one"
        fans = shape == "compare" and (not can_vary(draft) or rng.random() < FAN_SHARE)
        for link in chain[:-1]:
            last = await self.stepper.advance(draft, last.step_id, link, caller, reach=reach)
        if shape == "decide":
            await decide(draft, self.stepper, chain[-1], last.step_id, caller)
        else:
            reach = "several" if fans else reach
            await self.stepper.advance(draft, last.step_id, chain[-1], caller, reach=reach)
        if shape == "join":
            await join(draft, self.stepper, caller)
        if shape in ("chain", "decide"):
            await self._grow(draft, self._wanted(draft, blueprint), caller)
        else:
            self._ask(draft, comparable=shape == "compare")
        if fans:
            compare_fan(draft, self.stepper)
        elif shape == "compare":
            await compare(draft, self.stepper, caller)
        plan = draft.finish(self.filler.now.date().isoformat())
        if (idle := unneeded(plan, draft.execution, self.tools)) is not None:
            raise PlanFailed("not_minimal", plan.step(idle).tool_id)
        if branches_alike(plan, self.tools):
            raise PlanFailed("same_branches", plan.untaken[0].tool_id)
        stated = len(facts_of(plan.steps, draft.execution, self.tools, plan.comparison))
        if stated > MOST_FACTS:
            raise PlanFailed("too_many_facts", str(stated))
        return plan, draft.execution

    def _wanted(self, draft: Draft, blueprint: Blueprint) -> int:
        """How many calls there are to be."""
        made = len(draft.execution.calls)
        more = draft.rng.random() < self.settings.branch_share
        wanted = min(blueprint.calls or made + more, self.settings.max_calls)
        return min(wanted, max(made, _CHOICE_CALLS)) if blueprint.shape == "decide" else wanted

    def _ask(self, draft: Draft, *, comparable: bool = False) -> None:
        ask(draft, self.tools, self.settings, self.filler.now, comparable=comparable)

    async def _grow(self, draft: Draft, wanted: int, caller: Caller) -> None:
        """Put more tools beside those that a step feeds, and behind the last ones, until there are `wanted` calls.

        Each must leave something to be asked of every step; the draft is left as it was asked last.

        Raises:
            PlanFailed: there is nothing to ask of the chain alone.
        """
        asked = draft.copy()
        self._ask(asked)
        tried: set[str] = set()
        while len(draft.execution.calls) < wanted and len(tried) < _MORE:
            ways = more_ways(draft, self.out_of, self.settings)
            options = [x for x in ways if x.link.link_id not in tried]
            if not options:
                break
            way = draft.rng.choices(options, [self._weight(draft, x) for x in options])[0]
            tried.add(way.link.link_id)
            trial = draft.copy()
            try:
                if way.onward:
                    await self.stepper.advance(trial, way.parent_id, way.link, caller)
                else:
                    await self.stepper.follow(trial, way.link, way.parent_id, caller, "SEM")
                then_asked = trial.copy()
                self._ask(then_asked)
            except (StepFailed, PlanFailed):
                continue
            draft.become(trial)
            asked = then_asked
        draft.become(asked)

    def _weight(self, draft: Draft, way: Way) -> float:
        """Prefer what makes sense, stays with the subject, is not beside everything, is fed by a list, and is new."""
        source, target = self.tools[way.link.source_tool], self.tools[way.link.target_tool]
        near = 1.0 if source.domain == target.domain else 1.0 / self.crowd[target.domain]
        sense = way.link.feasibility**4 * near / self.known[target.tool_id]
        return sense * (10 if way.listed else 1) * novelty(way.link, self.used)
