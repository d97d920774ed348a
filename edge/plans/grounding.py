"""A chain of verified links is executed with real values and becomes a plan (Link ... Link -> CallPlan)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from edge.calls import Caller
from edge.links.fillers import Filler
from edge.links.model import Link
from edge.links.paths import get_path, scalar, with_arguments
from edge.links.walking import bind
from edge.plans.arguments import entry_arguments, fill
from edge.plans.asking import ask
from edge.plans.choices import identifying, reducers_for, via_of
from edge.plans.coherence import regions_agree
from edge.plans.draft import Draft, PlanFailed, feeding, reduce_all
from edge.plans.model import BoundValue, CallPlan, JunctionKind, PlanStep, Reducer
from edge.plans.runner import ExecutedCall, Execution, StepFailed, run_step
from edge.plans.sense import cut_short, other_identity
from edge.specs.model import Tool


@dataclass(frozen=True, slots=True)
class GroundingSettings:
    """Shape of a plan. `fan_limit` is k of the junction table: up to k records fan out, more are reduced first.

    `branch_share` is how often a second tool is fed by the same record; `asks` how many fields one answer states.
    """

    fan_limit: int = 5
    max_calls: int = 14
    branch_share: float = 0.35
    asks: int = 3


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

    async def ground(self, chain: Sequence[Link], rng: random.Random, caller: Caller) -> tuple[CallPlan, Execution]:
        """Execute the chain from its entry tool; return the plan and the calls that grounded it.

        Raises:
            PlanFailed: no reducer, nothing to ask, a step that is not needed.
            StepFailed: a call failed.
        """
        draft = Draft(rng)
        entry = self.tools[chain[0].source_tool]
        arguments = entry_arguments(draft, entry, self.filler)
        await self._run(draft, PlanStep(draft.next_id(), entry.tool_id, arguments, Reducer("all")), caller)
        for position, link in enumerate(chain):
            await self._follow(draft, link, caller, branch=position == len(chain) - 1)
        now = self.filler.now
        ask(draft, self.tools, fan_limit=self.settings.fan_limit, most=self.settings.asks, now=now)
        return draft.finish(self.filler.now.date().isoformat()), draft.execution

    async def _follow(self, draft: Draft, link: Link, caller: Caller, *, branch: bool) -> None:
        """Reduce the last step's records, then run the link's target on what is left; perhaps a sibling beside it."""
        self._settle(draft, link)
        parent = draft.steps[-1]
        siblings = self._siblings(draft, link, parent) if branch and parent.reducer.kind != "all" else []
        await self._run_link(draft, link, parent.step_id, caller, beside=bool(siblings))
        for sibling in siblings:
            before = (len(draft.steps), len(draft.execution.calls), len(draft.said))
            try:
                await self._run_link(draft, sibling, parent.step_id, caller, beside=True)
            except (StepFailed, PlanFailed):
                draft.back_to(*before)
                continue
            return
        self._retype(draft, parent.step_id)

    def _settle(self, draft: Draft, link: Link) -> None:
        """Give the last step the reducer under which every record left can feed `link`."""
        step = draft.steps[-1]
        calls = draft.calls_of(step.step_id)
        count = len(calls[0].outcome.records)
        tool = self.tools[step.tool_id]
        if len(calls) > 1 or count == 1:
            options = [Reducer("only")]  # behind a fan-out each call must have one record of its own
        elif count <= self.settings.fan_limit:
            options = [Reducer("all")]
        else:
            said = draft.said if step.parent is None else ()
            options = reducers_for(tool, calls[0].outcome.records, said, draft.rng, leaf=False, now=self.filler.now)
        for reducer in options[:12]:
            reduced = reduce_all(draft, calls, reducer)
            if reduced is not None and _tells_apart(link, tool, self.tools[link.target_tool], calls, reduced):
                draft.settle(step, reducer, reduced)
                return
        raise PlanFailed("no_reducer", f"{tool.tool_id}: {count} records")

    def _siblings(self, draft: Draft, link: Link, parent: PlanStep) -> list[Link]:
        if draft.rng.random() > self.settings.branch_share:
            return []
        record = feeding(draft.calls_of(parent.step_id)[0])[0]
        used = {s.tool_id for s in draft.steps} | {link.target_tool}
        options = self.out_of.get(link.source_tool, ())
        found = [x for x in options if x.target_tool not in used and bind(x, record) is not None]
        return draft.rng.sample(found, min(3, len(found)))

    async def _run_link(self, draft: Draft, link: Link, parent_id: str, caller: Caller, *, beside: bool) -> None:
        self._refuse_detour(draft, link, parent_id)
        target = self.tools[link.target_tool]
        bound = {b.target_parameter: BoundValue(parent_id, b.source_path, b.transform) for b in link.bindings}
        rest = fill(draft, target, tuple(bound), self.filler)
        calls = draft.calls_of(parent_id)
        records = [r for c in calls for r in c.outcome.records]
        step = PlanStep(
            step_id=draft.next_id(),
            tool_id=target.tool_id,
            arguments=(*sorted(bound.items()), *rest),
            reducer=Reducer("all"),
            link_id=link.link_id,
            junction="SEM" if beside else self._junction(draft, parent_id),
            via=via_of(link, self.tools[link.source_tool], target, records, calls[0].records[0]),
        )
        await self._run(draft, step, caller)
        self._refuse_nonsense(draft, step, link)

    def _refuse_nonsense(self, draft: Draft, step: PlanStep, link: Link) -> None:
        """Refuse answers about another region or another thing than what led to them; surroundings may differ."""
        source, target = self.tools[link.source_tool], self.tools[link.target_tool]
        kinds = {f.kind for b in identifying(link, source, target) if (f := source.output(b.source_path))}
        if not kinds & {"code", "name", "address", "text"}:
            return
        for call in draft.calls_of(step.step_id):
            if call.source is None:
                continue
            record = draft.execution.call(call.source[0]).outcome.records[call.source[1]]
            if not regions_agree(record, call.outcome.records):
                raise PlanFailed("other_region", f"{source.tool_id} -> {target.tool_id}")
            codes = [f.path for f in target.outputs if f.kind == "code"]
            if step.via is None and other_identity(record, call.outcome.records, codes):
                raise PlanFailed("other_identity", f"{source.tool_id} -> {target.tool_id}")

    def _refuse_detour(self, draft: Draft, link: Link, parent_id: str) -> None:
        """Refuse a link whose values were known before the parent was called: the parent would not be needed."""
        source, target = self.tools[link.source_tool], self.tools[link.target_tool]
        paths = [b.source_path for b in identifying(link, source, target)]
        for call in draft.calls_of(parent_id):
            known = {k.strip() for k in draft.known_to([call])}
            for record in call.records:
                values = [(scalar(get_path(record, p)) or "").strip() for p in paths]
                if values and all(v in known for v in values):
                    raise PlanFailed("detour", f"{target.tool_id} does not need {source.tool_id}")

    def _junction(self, draft: Draft, parent_id: str) -> JunctionKind:
        """Type the junction by the observed cardinality of the feeding output."""
        count = max(len(c.outcome.records) for c in draft.calls_of(parent_id))
        if count == 1:
            return "SEQ"
        return "FAN" if count <= self.settings.fan_limit else "DRV"

    def _retype(self, draft: Draft, parent_id: str) -> None:
        """A branch that stayed single is typed like any other link."""
        for i, step in enumerate(draft.steps):
            if step.parent == parent_id and step.junction == "SEM":
                draft.steps[i] = replace(step, junction=self._junction(draft, parent_id))

    async def _run(self, draft: Draft, step: PlanStep, caller: Caller) -> None:
        calls = await run_step(step, draft.execution, self.tools, caller, max_calls=self.settings.max_calls)
        draft.steps.append(step)
        tool = self.tools[step.tool_id]
        if any(cut_short(tool, c.arguments, c.outcome.records) for c in calls):
            raise PlanFailed("period_cut", tool.tool_id)


def _by_name_only(link: Link, source: Tool, target: Tool) -> bool:
    """Whether nothing but the record's own name identifies it: then no other record may have that name."""
    paths = [b.source_path for b in identifying(link, source, target)]
    return paths == [source.name_field]


def _tells_apart(
    link: Link, source: Tool, target: Tool, calls: Sequence[ExecutedCall], reduced: Sequence[ExecutedCall]
) -> bool:
    """Whether every record left can feed the link, and choosing it mattered: most others would feed other values."""
    bound = [bind(link, r) for c in reduced for r in feeding(c)]
    if not bound or any(b is None for b in bound):
        return False
    if _by_name_only(link, source, target) and len(calls[0].outcome.records) > 1:
        names = [bind(link, with_arguments(r, c.arguments)) for c in calls for r in c.outcome.records]
        if any(names.count(b) > 1 for b in bound):
            return False
    if len(bound) > 1:
        return len({tuple(sorted((b or {}).items())) for b in bound}) == len(bound)
    pool = [bind(link, with_arguments(r, c.arguments)) for c in calls for r in c.outcome.records[:500]]
    return len(pool) == 1 or sum(b == bound[0] for b in pool) <= len(pool) / 2
