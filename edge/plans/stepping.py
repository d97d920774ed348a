"""One step of a draft at a time: reduce what came, run a link's target on what is left, refuse what makes no sense."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal

from edge.calls import Caller
from edge.links.fillers import Filler
from edge.links.model import Link
from edge.links.paths import get_path, scalar, with_arguments
from edge.links.walking import bind
from edge.plans.arguments import PROVEN_SHARE, entry_arguments, fill
from edge.plans.choices import VISIBLE, identifying, reducers_for, takes_name, via_of
from edge.plans.coherence import regions_agree
from edge.plans.draft import Draft, PlanFailed, feeding, reduce_all
from edge.plans.drawing import coordinates, nearest, ordered, several
from edge.plans.model import BoundValue, JunctionKind, PlanStep, Point, Reducer
from edge.plans.narrowing import narrow, too_long
from edge.plans.runner import ExecutedCall, StepFailed, run_step
from edge.plans.sayings import say_field
from edge.plans.sense import cut_short, other_identity, other_name
from edge.plans.shapes import GroundingSettings
from edge.specs.model import Tool

Reach = Literal["any", "one", "several"]  # how many records are to be left
_TRIED = 20  # reducers for one step
_FOLLOWED = 4  # of them are followed by calls
SHORTENED_SHARE = 0.5  # of lists that are too long to read are asked for in part, where a name could be picked out too


class Stepper:
    """Runs steps of drafts; what it draws depends on the random generator of the draft only."""

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

    async def enter(self, draft: Draft, tool: Tool, caller: Caller) -> PlanStep:
        """Run an entry step; its reducer is still open."""
        arguments = entry_arguments(draft, tool, self.filler)
        step = PlanStep(draft.next_id(), tool.tool_id, arguments, Reducer("all"))
        await self.run(draft, step, caller)
        return step

    async def advance(
        self, draft: Draft, step_id: str, link: Link, caller: Caller, *, reach: Reach = "any"
    ) -> PlanStep:
        """Reduce a step's records and run `link` on what is left; a record that leads nowhere makes room for another.

        Returns the link's step.

        Raises:
            PlanFailed: no reducer leaves records that the link can use.
            StepFailed: the calls failed, whatever was left.
        """
        failure: PlanFailed | StepFailed | None = None
        await self.shorten(draft, step_id, link, caller)
        for reducer, reduced in self.settlings(draft, step_id, link, reach):
            before = draft.mark()
            draft.settle(draft.step(step_id), reducer, reduced)
            try:
                return await self.follow(draft, link, step_id, caller)
            except (PlanFailed, StepFailed) as error:
                failure = error
                draft.back_to(before)
        step = draft.step(step_id)
        raise failure or PlanFailed("no_reducer", step.tool_id)

    async def shorten(self, draft: Draft, step_id: str, link: Link, caller: Caller) -> None:
        """Ask the last step for less where nothing picks from its list, or a model could not read it whole."""
        if draft.steps[-1].step_id != step_id or len(draft.calls_of(step_id)) != 1:
            return
        step = draft.step(step_id)

        def picks() -> bool:
            return bool(self._options(draft, draft.step(step_id), draft.calls_of(step_id), "any"))

        if not (too_long(draft, step_id) and draft.rng.random() < SHORTENED_SHARE) and picks():
            return
        source, target = self.tools[step.tool_id], self.tools[link.target_tool]
        sought = [b.source_path for b in identifying(link, source, target)]

        async def again(wanted: PlanStep) -> None:
            await self.run(draft, wanted, caller)

        await narrow(draft, source, self.filler, again, picks, sought)

    def settlings(
        self, draft: Draft, step_id: str, link: Link, reach: Reach = "any"
    ) -> Iterator[tuple[Reducer, list[ExecutedCall]]]:
        """Give at most four reducers under which every record left can feed `link`, with the calls so reduced."""
        step, calls = draft.step(step_id), draft.calls_of(step_id)
        tool, target = self.tools[step.tool_id], self.tools[link.target_tool]
        given = 0
        favoured = self._favoured(draft, link, calls)
        options = self._options(draft, step, calls, reach, favoured)[:_TRIED]
        left = [(reducer, reduce_all(draft, calls, reducer)) for reducer in options]
        if favoured:
            left.sort(key=lambda pair: not (pair[1] and favoured.issuperset(pair[1][0].chosen)))
        for reducer, reduced in left:
            if reduced is not None and _tells_apart(link, tool, target, calls, reduced):
                yield reducer, reduced
                given += 1
                if given == _FOLLOWED:
                    return

    def _favoured(self, draft: Draft, link: Link, calls: Sequence[ExecutedCall]) -> frozenset[int]:
        """Positions of the records of a lone call from which the link brings what its target is known to answer.

        That is what the plan holds as proven; else, now and then, what the target has ever answered.
        """
        if len(calls) != 1:
            return frozenset()
        answered = {k: {v} for k, v in draft.proven.get(link.target_tool, {}).items()}
        if not answered and draft.rng.random() < PROVEN_SHARE:
            found = self.filler.pool.accepted
            answered = {
                b.target_parameter: set(found.get((link.target_tool, b.target_parameter), ())) for b in link.bindings
            }
        if not answered:
            return frozenset()
        records = [with_arguments(r, calls[0].arguments) for r in calls[0].outcome.records]
        brought = ((i, bind(link, r)) for i, r in enumerate(records))
        return frozenset(i for i, b in brought if b and all(v in answered.get(k, ()) for k, v in b.items()))

    def settle(self, draft: Draft, step_id: str, link: Link) -> PlanStep:
        """Leave one record of a step that can feed `link`.

        Raises:
            PlanFailed: there is none.
        """
        for reducer, reduced in self.settlings(draft, step_id, link, "one"):
            return draft.settle(draft.step(step_id), reducer, reduced)
        raise PlanFailed("no_reducer", draft.step(step_id).tool_id)

    def _options(
        self,
        draft: Draft,
        step: PlanStep,
        calls: Sequence[ExecutedCall],
        reach: Reach,
        favoured: Collection[int] = (),
    ) -> list[Reducer]:
        tool, records = self.tools[step.tool_id], calls[0].outcome.records
        count = max(len(c.outcome.records) for c in calls)
        if count == 1:
            return [Reducer("only")]
        said = draft.said if step.parent is None else ()
        single = reducers_for(tool, records, said, draft.rng, leaf=False, now=self.filler.now, favoured=favoured)
        if step.via:  # who names one of the district's flats does not come to it by way of a sale in that district
            single = [r for r in single if not _picks(r)]
        if len(calls) > 1:  # behind a fan-out each call must have one record of its own, found in the same way
            return [r for r in single if not _picks(r)]
        if count <= self.settings.fan_limit and reach != "one":
            return [Reducer("all"), *(single if reach == "any" else [])]
        if count > VISIBLE:
            return single
        if draft.rng.random() < self.settings.nearest_share:
            single = [*ordered(nearest(tool, records, self.origin(draft, step)), draft.rng), *single]
        share = {"one": 0.0, "any": self.settings.several_share, "several": 1.0}[reach]
        if draft.rng.random() < share:
            most = min(self.settings.fan_limit, self.settings.max_calls - len(draft.execution.calls))
            found = several(tool, records, draft.rng, say_field, most=max(2, most), word=not takes_name(tool))
            return [*ordered(found, draft.rng), *(single if reach == "any" else [])]
        return single

    def origin(self, draft: Draft, step: PlanStep) -> Reducer | None:
        """Return a reducer that measures from the nearest earlier step with one record that has coordinates."""
        waiting = list(step.needs)
        while waiting:
            earlier = draft.step(waiting.pop(0))
            paths = coordinates(self.tools[earlier.tool_id])
            calls = draft.calls_of(earlier.step_id)
            if paths and len(calls) == 1 and len(calls[0].chosen) == 1:
                return Reducer("nearest", near=Point(*paths, earlier.step_id))
            waiting.extend(earlier.needs)
        return None

    async def follow(
        self, draft: Draft, link: Link, parent_id: str, caller: Caller, junction: JunctionKind | None = None
    ) -> PlanStep:
        """Run a link's target on the chosen records of a step, typed by how many there were unless `junction` is given.

        Raises:
            PlanFailed: it is a detour, or its answers are about something else.
            StepFailed: a call failed.
        """
        self._refuse_detour(draft, link, parent_id)
        target = self.tools[link.target_tool]
        bound = {b.target_parameter: BoundValue(parent_id, b.source_path, b.transform) for b in link.bindings}
        calls = draft.calls_of(parent_id)
        records = [r for c in calls for r in c.outcome.records]
        step = PlanStep(
            step_id=draft.next_id(),
            tool_id=target.tool_id,
            arguments=(*sorted(bound.items()), *fill(draft, target, tuple(bound), self.filler)),
            reducer=Reducer("all"),
            link_id=link.link_id,
            junction=junction or self._junction(draft, parent_id),
            via=via_of(link, self.tools[link.source_tool], target, records, calls[0].records[0]),
        )
        await self.run(draft, step, caller)
        self.refuse_nonsense(draft, step, link)
        return step

    async def run(self, draft: Draft, step: PlanStep, caller: Caller) -> None:
        """Make a step's calls and add it to the draft."""
        calls = await run_step(step, draft.execution, self.tools, caller, max_calls=self.settings.max_calls)
        draft.steps.append(step)
        tool = self.tools[step.tool_id]
        if any(cut_short(tool, c.arguments, c.outcome.records) for c in calls):
            raise PlanFailed("period_cut", tool.tool_id)

    def refuse_nonsense(self, draft: Draft, step: PlanStep, link: Link) -> None:
        """Refuse answers about another region or another thing than what led to them; surroundings may differ."""
        source, target = self.tools[link.source_tool], self.tools[link.target_tool]
        kinds = {f.kind for b in identifying(link, source, target) if (f := source.output(b.source_path))}
        if not kinds & {"code", "name", "address", "text"}:
            return
        for call in draft.calls_of(step.step_id):
            if call.source is None:
                continue
            record = draft.execution.record(call.source)
            if not regions_agree(record, call.outcome.records):
                raise PlanFailed("other_region", f"{source.tool_id} -> {target.tool_id}")
            codes = [f.path for f in target.outputs if f.kind == "code"]
            renamed = other_name(link, source, target, record, call.outcome.records)
            if renamed or (step.via is None and other_identity(record, call.outcome.records, codes)):
                raise PlanFailed("other_identity", f"{source.tool_id} -> {target.tool_id}")

    def _refuse_detour(self, draft: Draft, link: Link, parent_id: str) -> None:
        """Refuse a link whose values were known before the parent was called: the parent would not be needed."""
        source, target = self.tools[link.source_tool], self.tools[link.target_tool]
        paths = [b.source_path for b in identifying(link, source, target)]
        for call in draft.calls_of(parent_id):
            known = {k.strip() for k in draft.known_to([call])}
            known |= {word for text in draft.said for word in text.split()}  # a city is said with its district
            for record in call.records:
                values = [(scalar(get_path(record, p)) or "").strip() for p in paths]
                if values and all(v in known for v in values):
                    raise PlanFailed("detour", f"{target.tool_id} does not need {source.tool_id}")

    def _junction(self, draft: Draft, parent_id: str) -> JunctionKind:
        """Type the junction by the observed cardinality of the feeding output; a small list kept whole fans out."""
        calls = draft.calls_of(parent_id)
        count = max(len(c.outcome.records) for c in calls)
        if count == 1:
            return "SEQ"
        kept = all(len(c.chosen) == len(c.outcome.records) for c in calls)
        return "FAN" if count <= self.settings.fan_limit and kept else "DRV"


def _picks(reducer: Reducer) -> bool:
    """Whether it says what one of the records, or some of them, are called."""
    return reducer.kind == "filter" or (reducer.within is not None and _picks(reducer.within))


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
