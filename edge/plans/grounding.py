"""A chain of verified links is executed with real values and becomes a plan (Link ... Link -> CallPlan)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from edge.calls import Caller
from edge.links.fillers import Filler
from edge.links.model import Link
from edge.links.walking import bind
from edge.plans.asking import ask
from edge.plans.comparing import can_vary, compare, compare_fan
from edge.plans.deciding import branches_alike, decide
from edge.plans.draft import Draft, PlanFailed, feeding
from edge.plans.facts import facts_of
from edge.plans.joining import join
from edge.plans.minimal import unneeded
from edge.plans.model import CallPlan
from edge.plans.runner import Execution, StepFailed
from edge.plans.shapes import Blueprint, GroundingSettings
from edge.plans.stepping import Reach, Stepper
from edge.specs.model import Tool

__all__ = ["Grounder", "GroundingSettings"]
_PLAIN = Blueprint()
_BESIDE = 16  # tools that are tried beside others
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
    ) -> None:
        self.tools = tools
        self.out_of = out_of
        self.filler = filler
        self.settings = settings
        self.known = Counter(x.target_tool for links in out_of.values() for x in links)
        self.crowd = Counter(tools[x.target_tool].domain for links in out_of.values() for x in links)
        self.stepper = Stepper(tools, out_of, filler, settings)

    async def ground(
        self, chain: Sequence[Link], rng: random.Random, caller: Caller, blueprint: Blueprint = _PLAIN
    ) -> tuple[CallPlan, Execution]:
        """Execute the chain from its entry tool; return the plan and the calls that grounded it.

        Raises:
            PlanFailed: no reducer, nothing to ask, a step that is not needed, or the shape cannot be had here.
            StepFailed: a call failed.
        """
        draft = Draft(rng)
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
        return min(blueprint.calls or made + more, self.settings.max_calls)

    def _ask(self, draft: Draft, *, comparable: bool = False) -> None:
        ask(draft, self.tools, self.settings, self.filler.now, comparable=comparable)

    async def _grow(self, draft: Draft, wanted: int, caller: Caller) -> None:
        """Put more tools beside those that a step feeds already, until there are `wanted` calls or nothing fits.

        Each must leave something to be asked of every step; the draft is left as it was asked last.

        Raises:
            PlanFailed: there is nothing to ask of the chain alone.
        """
        asked = draft.copy()
        self._ask(asked)
        tried: set[str] = set()
        while len(draft.execution.calls) < wanted and self._leaves(draft) < self.settings.leaves:
            options = [x for x in self._beside(draft) if x[1].link_id not in tried]
            if not options or len(tried) == _BESIDE:
                break
            weights = [self._weight(draft, *option) for option in options]
            parent_id, link = draft.rng.choices(options, weights)[0]
            tried.add(link.link_id)
            before = draft.mark()
            try:
                await self.stepper.follow(draft, link, parent_id, caller, "SEM")
                trial = draft.copy()
                self._ask(trial)
                asked = trial
            except (StepFailed, PlanFailed):
                draft.back_to(before)
        draft.become(asked)

    def _weight(self, draft: Draft, parent_id: str, link: Link) -> float:
        """Prefer what makes more sense, stays with the subject, is not beside everything, and is fed by a list."""
        calls = draft.calls_of(parent_id)
        same = self.tools[link.source_tool].domain == self.tools[link.target_tool].domain
        listed = any(len(c.outcome.records) > 1 for c in calls)
        near = 1.0 if same else 1.0 / self.crowd[self.tools[link.target_tool].domain]
        sense = link.feasibility**4 * near / self.known[link.target_tool]
        return sense * (10 if listed else 1) * sum(len(c.chosen) for c in calls)

    def _leaves(self, draft: Draft) -> int:
        needed = {need for s in draft.steps for need in s.needs}
        return sum(s.step_id not in needed for s in draft.steps)

    def _beside(self, draft: Draft) -> list[tuple[str, Link]]:
        """The links that could be fed beside others: from steps that feed one, to tools that are not called yet."""
        used = {s.tool_id for s in (*draft.steps, *draft.untaken)}
        feeding_steps = dict.fromkeys(s.parent for s in draft.steps if s.parent)
        found: list[tuple[str, Link]] = []
        for parent_id in feeding_steps:
            records = [r for c in draft.calls_of(parent_id) for r in feeding(c)]
            if len(draft.execution.calls) + len(records) > self.settings.max_calls:
                continue
            for link in self.out_of.get(draft.step(parent_id).tool_id, ()):
                if link.target_tool not in used and all(bind(link, r) is not None for r in records):
                    found.append((parent_id, link))
        return found
