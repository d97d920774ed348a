"""Verified links become call plans with live-grounded values (LearnedLink -> CallPlan)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from edge.calls import Caller, Record
from edge.ids import digest
from edge.links.exploration import bind
from edge.links.fillers import Filler, Filling
from edge.links.model import LearnedLink, Link
from edge.links.transforms import get_path, scalar, with_arguments
from edge.plans.choices import askable, clean_name, identifying, reducers_for, via_of
from edge.plans.model import (
    ArgumentSource,
    BoundValue,
    CallPlan,
    DefaultValue,
    JunctionKind,
    PlanStep,
    Reducer,
    UserValue,
)
from edge.plans.reducers import NotUnique, reduce_records
from edge.plans.runner import ExecutedCall, Execution, StepFailed, run_step
from edge.specs.model import Parameter, Tool


@dataclass(frozen=True, slots=True)
class WalkSettings:
    """Shape of the plans, and which verified links they may walk.

    A link can run and still make no sense (a code of one system that happens to exist in another), so plans walk only
    links whose signatures also speak for them (`min_feasibility`). `fan_limit` is k of the junction table: up to k records fan out, more are reduced first."""

    fan_limit: int = 5
    max_links: int = 4
    max_calls: int = 14
    min_success: float = 0.5
    min_feasibility: float = 0.6
    branch_share: float = 0.35
    asks: int = 3
    tries: int = 5


class PlanFailed(Exception):
    """No plan came of this walk. `reason` is a reject reason."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason} {detail}".strip())
        self.reason = reason
        self.detail = detail


@dataclass(slots=True)
class _Draft:
    """A plan being grounded: its steps, what ran, what the user has said and which values serve for a label."""

    rng: random.Random
    steps: list[PlanStep] = field(default_factory=list[PlanStep])
    execution: Execution = field(default_factory=Execution)
    said: list[str] = field(default_factory=list[str])
    shared: dict[tuple[str, str], Filling] = field(default_factory=dict[tuple[str, str], Filling])


class Walker:
    """Draws plans: plan number i depends on the seed, i and the learned graph only, never on other plans."""

    def __init__(
        self,
        tools: Mapping[str, Tool],
        learned: Sequence[LearnedLink],
        filler: Filler,
        settings: WalkSettings,
        *,
        seed: int,
    ) -> None:
        self.tools = tools
        self.filler = filler
        self.settings = settings
        self.seed = seed
        self.links = [
            x.link
            for x in learned
            if x.evidence.status == "verified"
            and x.evidence.mean >= settings.min_success
            and x.link.feasibility >= settings.min_feasibility
            and _plannable(tools, x.link)
        ]
        self.into: dict[str, list[Link]] = {}
        self.out_of: dict[str, list[Link]] = {}
        for link in self.links:
            self.into.setdefault(link.target_tool, []).append(link)
            self.out_of.setdefault(link.source_tool, []).append(link)
        self.order = self._steered_order()

    def _steered_order(self) -> list[Link]:
        """Interleave the links by target domain and tool, so that no domain or tool swamps the rest."""
        rng = random.Random(f"{self.seed}:order")
        queues: dict[str, dict[str, list[Link]]] = {}
        for link in rng.sample(self.links, len(self.links)):
            domain = self.tools[link.target_tool].domain
            queues.setdefault(domain, {}).setdefault(link.target_tool, []).append(link)
        domains = {d: _interleave(list(by_tool.values())) for d, by_tool in sorted(queues.items())}
        return _interleave(list(domains.values()))

    async def plan(self, index: int, caller: Caller) -> tuple[CallPlan, Execution]:
        """Ground plan number `index`; return it with the calls that grounded it.

        Raises:
            PlanFailed: no plan came of it within the tries; the last reason.
        """
        if not self.order:
            raise PlanFailed("no_verified_links")
        link = self.order[index % len(self.order)]
        failure = PlanFailed("no_entry", link.link_id)
        for attempt in range(self.settings.tries):
            rng = random.Random(f"{self.seed}:plan:{index}:{attempt}")
            chain = self._chain(link if attempt == 0 else self._prefer(self.into[link.target_tool], rng), rng)
            if chain is None:
                continue
            try:
                return await self._ground(chain, rng, caller)
            except PlanFailed as error:
                failure = error
            except StepFailed as error:
                failure = PlanFailed(error.reason, error.detail)
        raise failure

    # -- choosing the chain ---------------------------------------------------------------------------------------

    def _chain(self, last: Link, rng: random.Random) -> list[Link] | None:
        """Walk backwards from `last` to an entry tool; None where no entry is reached within the length limit."""
        chain = [last]
        visited = {last.source_tool, last.target_tool}
        while True:
            source = self.tools[chain[0].source_tool]
            enters = self._enters(source)
            before = [x for x in self.into.get(source.tool_id, ()) if x.source_tool not in visited]
            if enters and (not before or len(chain) >= self.settings.max_links or rng.random() < 0.6):
                return chain
            if not before or len(chain) >= self.settings.max_links:
                return None
            chain.insert(0, self._prefer(before, rng))
            visited.add(chain[0].source_tool)

    def _prefer(self, links: Sequence[Link], rng: random.Random) -> Link:
        """Choose a link, most likely one from a tool whose records people can start from by name."""
        weights = [4.0 if self._names(self.tools[x.source_tool]) else 1.0 for x in links]
        return rng.choices(links, weights)[0]

    def _names(self, tool: Tool) -> bool:
        named = tool.output(tool.name_field) if tool.name_field else None
        return named is not None and named.kind == "name" and self._enters(tool)

    def _enters(self, tool: Tool) -> bool:
        """Whether a person can start here: every required parameter has a default or can be said."""
        return all(any(o.sayable or o.origin == "default" for o in self.filler.options(tool, p)) for p in tool.required)

    # -- grounding ------------------------------------------------------------------------------------------------

    async def _ground(self, chain: Sequence[Link], rng: random.Random, caller: Caller) -> tuple[CallPlan, Execution]:
        draft = _Draft(rng)
        await self._enter(draft, self.tools[chain[0].source_tool], caller)
        for position, link in enumerate(chain):
            await self._follow(draft, link, caller, branch=position == len(chain) - 1)
        self._ask(draft)
        today = self.filler.now.date().isoformat()
        plan_id = digest([[_step_json(s) for s in draft.steps], today], 16)
        widths = tuple(len(draft.execution.of(s.step_id)) for s in draft.steps)
        return CallPlan(plan_id, tuple(draft.steps), today, widths), draft.execution

    async def _enter(self, draft: _Draft, tool: Tool, caller: Caller) -> None:
        arguments = self._fill(draft, tool, ())
        name = _naming_parameter(tool)
        if name is not None and name.name not in dict(arguments):
            values = [v for v in self.filler.pool.sayable(tool, name) if clean_name(v)]
            if values and draft.rng.random() < 0.75:
                value = draft.rng.choice(values)
                draft.said.append(value)
                arguments = (*arguments, (name.name, UserValue(value, value)))
        if not arguments and not tool.required:
            arguments = self._dated(draft, tool)
        await self._run(draft, PlanStep("s1", tool.tool_id, arguments, Reducer("all")), caller)

    def _dated(self, draft: _Draft, tool: Tool) -> tuple[tuple[str, ArgumentSource], ...]:
        """Narrow an entry that needs nothing by the year or month it can take: nobody asks for all years at once."""
        period = next((p for p in tool.offered if p.kind in ("year", "month")), None)
        if period is None:
            return ()
        filling = self._choose(draft, tool, period, self.filler.options(tool, period))
        draft.said.append(filling.text)
        draft.shared[period.kind, period.label] = filling
        return ((period.name, UserValue(filling.value, filling.text)),)

    async def _follow(self, draft: _Draft, link: Link, caller: Caller, *, branch: bool) -> None:
        """Reduce the last step's records, then run the link's target on what is left; perhaps a sibling beside it."""
        await self._settle(draft, link)
        parent = draft.steps[-1]
        siblings = self._siblings(draft, link, parent) if branch and parent.reducer.kind != "all" else []
        await self._run_link(draft, link, parent.step_id, caller, siblings=bool(siblings))
        for sibling in siblings:
            try:
                await self._run_link(draft, sibling, parent.step_id, caller, siblings=True)
            except (StepFailed, PlanFailed):
                continue
            break
        else:
            self._retype(draft, parent.step_id)

    async def _settle(self, draft: _Draft, link: Link) -> None:
        """Give the last step the reducer under which every record left can feed `link`."""
        step = draft.steps[-1]
        calls = draft.execution.of(step.step_id)
        count = len(calls[0].outcome.records)
        tool = self.tools[step.tool_id]
        if len(calls) == 1 and count == 1:
            options = [Reducer("only")]
        elif len(calls) == 1 and count <= self.settings.fan_limit:
            options = [Reducer("all")]
        elif len(calls) == 1:
            options = reducers_for(tool, calls[0].outcome.records, draft.said, draft.rng, leaf=False)
        else:
            options = [Reducer("only")]  # behind a fan-out each call must have one record of its own
        for reducer in options[:12]:
            reduced = _reduce_all(calls, reducer)
            if reduced is not None and _tells_apart(link, calls, reduced):
                self._set_reducer(draft, step, reducer, reduced)
                return
        raise PlanFailed("no_reducer", f"{tool.tool_id}: {count} records")

    def _siblings(self, draft: _Draft, link: Link, parent: PlanStep) -> list[Link]:
        if draft.rng.random() > self.settings.branch_share:
            return []
        record = _feeding(draft.execution.of(parent.step_id)[0])[0]
        used = {s.tool_id for s in draft.steps} | {link.target_tool}
        found = [
            x
            for x in self.out_of.get(link.source_tool, ())
            if x.target_tool not in used and bind(x, record) is not None
        ]
        return draft.rng.sample(found, min(3, len(found)))

    async def _run_link(self, draft: _Draft, link: Link, parent_id: str, caller: Caller, *, siblings: bool) -> None:
        target = self.tools[link.target_tool]
        bound = {b.target_parameter: BoundValue(parent_id, b.source_path, b.transform) for b in link.bindings}
        rest = self._fill(draft, target, tuple(bound))
        arguments: tuple[tuple[str, ArgumentSource], ...] = (*sorted(bound.items()), *rest)
        step = PlanStep(
            f"s{len(draft.steps) + 1}", target.tool_id, arguments, Reducer("all"), (), link.link_id,
            "SEM" if siblings else self._junction(draft, parent_id),
            self._via(draft, link, parent_id),
        )  # fmt: skip
        await self._run(draft, step, caller)

    def _via(self, draft: _Draft, link: Link, parent_id: str) -> str | None:
        records = [r for c in draft.execution.of(parent_id) for r in c.outcome.records]
        return via_of(link, self.tools[link.source_tool], self.tools[link.target_tool], records)

    def _junction(self, draft: _Draft, parent_id: str) -> JunctionKind:
        """Type the junction by the observed cardinality of the feeding output."""
        count = max(len(c.outcome.records) for c in draft.execution.of(parent_id))
        if count == 1:
            return "SEQ"
        return "FAN" if count <= self.settings.fan_limit else "DRV"

    def _retype(self, draft: _Draft, parent_id: str) -> None:
        """A branch that stayed single is typed like any other link."""
        for i, step in enumerate(draft.steps):
            if step.parent == parent_id and step.junction == "SEM":
                draft.steps[i] = replace(step, junction=self._junction(draft, parent_id))

    async def _run(self, draft: _Draft, step: PlanStep, caller: Caller) -> None:
        await run_step(step, draft.execution, self.tools, caller, max_calls=self.settings.max_calls)
        draft.steps.append(step)

    # -- arguments ------------------------------------------------------------------------------------------------

    def _fill(self, draft: _Draft, tool: Tool, given: Sequence[str]) -> tuple[tuple[str, ArgumentSource], ...]:
        """Fill required parameters with what a client sends or a person says; one label has one value in a plan."""
        filled: list[tuple[str, ArgumentSource]] = []
        for parameter in tool.required:
            if parameter.name in given:
                continue
            key = (parameter.kind, parameter.label)
            options = [o for o in self.filler.options(tool, parameter) if o.sayable or o.origin == "default"]
            if not options:
                raise PlanFailed("unsayable_parameter", f"{tool.tool_id}.{parameter.name}")
            filling = draft.shared.get(key) or self._choose(draft, tool, parameter, options)
            draft.shared[key] = filling
            if filling.origin == "default":
                filled.append((parameter.name, DefaultValue(filling.value)))
            else:
                draft.said.append(filling.text)
                filled.append((parameter.name, UserValue(filling.value, filling.text)))
        return tuple(filled)

    def _choose(self, draft: _Draft, tool: Tool, parameter: Parameter, options: Sequence[Filling]) -> Filling:
        if options[0].origin == "default":
            return options[0]
        worked = self.filler.pool.accepted.get((tool.tool_id, parameter.name), {})
        good = [o for o in options if o.value in worked]
        return draft.rng.choice(good) if good and draft.rng.random() < 0.6 else draft.rng.choice(options)

    # -- what is asked --------------------------------------------------------------------------------------------

    def _ask(self, draft: _Draft) -> None:
        """Give every leaf step its reducer and the fields the answer must state; record what each filter says."""
        parents = {s.parent for s in draft.steps}
        leaves = [s for s in draft.steps if s.step_id not in parents]
        for leaf in leaves:
            self._ask_leaf(draft, leaf, limit=self.settings.asks if len(leaves) == 1 else 2)

    def _ask_leaf(self, draft: _Draft, step: PlanStep, *, limit: int) -> None:
        tool = self.tools[step.tool_id]
        calls = draft.execution.of(step.step_id)
        known = [*draft.said, *_ancestor_values(draft.execution, calls)]
        for reducer in self._leaf_reducers(draft, tool, calls)[:8]:
            reduced = _reduce_all(calls, reducer)
            if reduced is None:
                continue
            chosen = [r for c in reduced for r in c.records]
            room = max(1, limit if len(chosen) == 1 else min(2, 12 // len(chosen)))
            asks = () if reducer.kind == "count" else askable(tool, chosen, known, reducer, draft.rng, limit=room)
            if asks or reducer.kind == "count":
                self._set_reducer(draft, replace(step, asks=asks), reducer, reduced)
                return
        raise PlanFailed("no_facts", tool.tool_id)

    def _leaf_reducers(self, draft: _Draft, tool: Tool, calls: Sequence[ExecutedCall]) -> list[Reducer]:
        most = max(len(c.outcome.records) for c in calls)
        if most == 1:
            return [Reducer("only")]
        if most <= self.settings.fan_limit and len(calls) == 1:
            return [Reducer("all")]
        options = reducers_for(tool, calls[0].outcome.records, draft.said, draft.rng, leaf=True)
        return [r for r in options if len(calls) == 1 or r.kind != "filter"]

    def _set_reducer(self, draft: _Draft, step: PlanStep, reducer: Reducer, reduced: Sequence[ExecutedCall]) -> None:
        position = next(i for i, s in enumerate(draft.steps) if s.step_id == step.step_id)
        draft.steps[position] = replace(step, reducer=reducer)
        by_id = {c.call_id: c for c in reduced}
        draft.execution.calls = [by_id.get(c.call_id, c) for c in draft.execution.calls]
        if reducer.text and reducer.text not in draft.said:
            draft.said.append(reducer.text)


def _reduce_all(calls: Sequence[ExecutedCall], reducer: Reducer) -> list[ExecutedCall] | None:
    """Apply a reducer to every call of a step; None where it does not work for one of them."""
    try:
        return [replace(c, chosen=reduce_records(reducer, c.outcome.records)) for c in calls]
    except NotUnique:
        return None


def _ancestor_values(execution: Execution, calls: Sequence[ExecutedCall]) -> list[str]:
    """Return the values of the records that led to these calls: a fact found there needs no further call."""
    values: list[str] = []
    for call in calls:
        here = call
        while here.source is not None:
            parent = execution.call(here.source[0])
            values.extend(_flat(parent.outcome.records[here.source[1]]))
            here = parent
    return values


def _flat(record: Record) -> list[str]:
    return [v for key in record if (v := scalar(get_path(record, key))) is not None]


def _tells_apart(link: Link, calls: Sequence[ExecutedCall], reduced: Sequence[ExecutedCall]) -> bool:
    """Whether every record left can feed the link, and choosing it mattered: most others would have fed other values."""
    bound = [bind(link, r) for c in reduced for r in _feeding(c)]
    if not bound or any(b is None for b in bound):
        return False
    if len(bound) > 1:
        return len({tuple(sorted((b or {}).items())) for b in bound}) == len(bound)
    pool = [bind(link, with_arguments(r, c.arguments)) for c in calls for r in c.outcome.records[:500]]
    return len(pool) == 1 or sum(b == bound[0] for b in pool) <= len(pool) / 2


def _feeding(call: ExecutedCall) -> list[Record]:
    """The chosen records of a call with the arguments that gave them: what a link binds from."""
    return [with_arguments(r, call.arguments) for r in call.records]


def _plannable(tools: Mapping[str, Tool], link: Link) -> bool:
    if link.source_tool not in tools or link.target_tool not in tools:
        return False
    return bool(identifying(link, tools[link.source_tool], tools[link.target_tool]))


def _naming_parameter(tool: Tool) -> Parameter | None:
    """Return the optional parameter that takes the name of the tool's records, if there is one."""
    named = tool.output(tool.name_field) if tool.name_field else None
    if named is None:
        return None
    return next(
        (
            p
            for p in tool.offered
            if p.kind in ("name", "text", "address") and (p.name == named.path or p.label == named.label)
        ),
        None,
    )


def _interleave(queues: Sequence[list[Link]]) -> list[Link]:
    longest = max((len(q) for q in queues), default=0)
    return [q[i] for i in range(longest) for q in queues if i < len(q)]


def _step_json(step: PlanStep) -> list[object]:
    arguments = [[name, type(source).__name__, _source_json(source)] for name, source in step.arguments]
    r = step.reducer
    return [step.tool_id, arguments, [r.kind, r.field, r.value], list(step.asks)]


def _source_json(source: ArgumentSource) -> list[str | None]:
    if isinstance(source, BoundValue):
        return [source.step, source.path, source.transform]
    return [source.value]
