"""A chain is walked again for other values of what the user states, and the results are compared (Draft -> CMP)."""

from __future__ import annotations

from dataclasses import replace

from edge.calls import Caller
from edge.plans.derived import compared_path
from edge.plans.draft import Draft, PlanFailed
from edge.plans.drawing import MEASURED
from edge.plans.facts import parent_name
from edge.plans.model import ArgumentSource, BoundValue, Comparison, PlanStep, Reducer, UserValue
from edge.plans.runner import StepFailed
from edge.plans.sense import cut_short
from edge.plans.spreading import spread_by
from edge.plans.stepping import Stepper

THREE_SHARE = 0.5  # of comparisons have three values, the rest two
_TRIED = 6  # other values


def can_vary(draft: Draft) -> bool:
    """Whether the entry of a draft is asked by something that could be another thing."""
    return any(isinstance(s, UserValue) and s.relation is None for _, s in draft.steps[0].arguments)


def compare_fan(draft: Draft, stepper: Stepper) -> None:
    """Compare the calls of the last step, which has one for each of several named records.

    Raises:
        PlanFailed: it has one call, records without names, nothing measured is asked, or the best value is shared.
    """
    leaf = draft.steps[-1]
    calls = draft.calls_of(leaf.step_id)
    elsewhere = frozenset(s.step_id for s in draft.steps if s.via)
    names = [parent_name(c, draft.execution, stepper.tools, elsewhere) for c in calls]
    if len(calls) < 2 or not all(names) or len(set(names)) < len(names):
        raise PlanFailed("no_comparison", "no names")
    field = None if leaf.reducer.computes else next(iter(leaf.asks), None)
    _settle(draft, leaf, (leaf.step_id,), field)
    _mark(draft, leaf.step_id)


def _settle(draft: Draft, leaf: PlanStep, steps: tuple[str, ...], field: str | None) -> None:
    """Put the comparison into the draft.

    Raises:
        PlanFailed: a value is missing, or the best one is shared.
    """
    kind = "min" if leaf.reducer.kind in ("min", "bottom") else "max"
    draft.comparison = Comparison(steps, kind, field)
    try:
        compared_path(draft.comparison, {s.step_id: s.reducer for s in draft.steps}, draft.execution)
    except ValueError as error:
        raise PlanFailed("no_comparison", str(error)) from error


async def compare(draft: Draft, stepper: Stepper, caller: Caller) -> None:
    """Repeat the draft for one or two other values of one entry argument; the asked values are compared.

    Raises:
        PlanFailed: nothing measured is asked, no other value works, or the best value is shared.
    """
    leaf = draft.steps[-1]
    field = _compared_field(draft, stepper, leaf)
    entry, name, original = _varied(draft)
    wanted = 3 if draft.rng.random() < THREE_SHARE else 2
    branches = [leaf.step_id]
    steps = list(draft.steps)
    _mark(draft, leaf.step_id)
    for value in _others(draft, stepper, entry, name, original)[:_TRIED]:
        if len(branches) == wanted or len(draft.execution.calls) + len(steps) > stepper.settings.max_calls:
            break
        before = draft.mark()
        try:
            branches.append(await _repeat(draft, stepper, steps, (entry, name), original, value, caller))
        except (StepFailed, PlanFailed):
            draft.back_to(before)
    if len(branches) < 2:
        raise PlanFailed("no_comparison", entry.tool_id)
    _settle(draft, leaf, tuple(branches), field)


def _compared_field(draft: Draft, stepper: Stepper, leaf: PlanStep) -> str | None:
    """The field whose values are compared; None where the leaf's reducer makes the value."""
    if len({s.step_id for s in draft.steps} - {n for s in draft.steps for n in s.needs}) != 1:
        raise PlanFailed("no_comparison", "several leaves")
    if any(len(draft.calls_of(s.step_id)) != 1 for s in draft.steps):
        raise PlanFailed("no_comparison", "a fan-out")
    if leaf.reducer.computes:
        return None
    tool = stepper.tools[leaf.tool_id]
    measured = [p for p in leaf.asks if (f := tool.output(p)) is not None and f.kind in MEASURED]
    if not measured or len(draft.calls_of(leaf.step_id)[0].chosen) != 1:
        raise PlanFailed("no_comparison", "nothing measured")
    return leaf.reducer.field if leaf.reducer.field in measured else measured[0]


def _varied(draft: Draft) -> tuple[PlanStep, str, UserValue]:
    """The first argument of the entry that the user states and that is no date."""
    entry = draft.steps[0]
    for name, source in entry.arguments:
        if isinstance(source, UserValue) and source.relation is None:
            return entry, name, source
    raise PlanFailed("no_comparison", "nothing to vary")


def _others(draft: Draft, stepper: Stepper, entry: PlanStep, name: str, original: UserValue) -> list[UserValue]:
    """Other values of the argument: those that worked before come first, regions take turns."""
    tool = stepper.tools[entry.tool_id]
    parameter = tool.parameter(name)
    if parameter is None:
        return []
    filler = stepper.filler
    worked = filler.pool.accepted.get((tool.tool_id, name), {})
    options = [o for o in filler.options(tool, parameter) if o.sayable and o.value != original.value]
    if not options:
        texts = [v for v in filler.pool.sayable(tool, parameter) if v != original.value]
        return [UserValue(v, v) for v in spread_by(texts, draft.rng, _TRIED, str)]
    mixed = spread_by(options, draft.rng, len(options), lambda o: o.text)
    mixed.sort(key=lambda o: o.value not in worked)
    return [UserValue(o.value, o.text) for o in mixed]


async def _repeat(
    draft: Draft,
    stepper: Stepper,
    steps: list[PlanStep],
    varied: tuple[PlanStep, str],
    original: UserValue,
    value: UserValue,
    caller: Caller,
) -> str:
    """Run the steps once more with another value; return the id of the repeated leaf."""
    names: dict[str, str] = {}
    for step in steps:
        names[step.step_id] = draft.next_id()
        arguments: list[tuple[str, ArgumentSource]] = []
        for name, source in step.arguments:
            if (step.step_id == varied[0].step_id and name == varied[1]) or source == original:
                arguments.append((name, value))  # who names a city means it everywhere
            elif isinstance(source, BoundValue):
                arguments.append((name, replace(source, step=names[source.step])))
            else:
                arguments.append((name, source))
        reducer = _said_anew(step.reducer, original, value)
        again = replace(step, step_id=names[step.step_id], arguments=tuple(arguments), reducer=reducer)
        if step is steps[-1]:
            again = replace(again, junction="CMP")
        await stepper.run(draft, again, caller)
        tool = stepper.tools[step.tool_id]
        if any(cut_short(tool, c.arguments, c.outcome.records) for c in draft.calls_of(again.step_id)):
            raise PlanFailed("period_cut", tool.tool_id)
    return names[steps[-1].step_id]


def _said_anew(reducer: Reducer, original: UserValue, value: UserValue) -> Reducer:
    """A filter by the name that was said is one by the other name; any other name belongs to one value only.

    Raises:
        PlanFailed: the reducer names a record of the original value.
    """
    if reducer.kind != "filter":
        return reducer
    if reducer.text not in (original.text, original.value):
        raise PlanFailed("no_comparison", "a name of one branch")
    return replace(reducer, value=value.text, text=value.text)


def _mark(draft: Draft, step_id: str) -> None:
    position = next(i for i, s in enumerate(draft.steps) if s.step_id == step_id)
    draft.steps[position] = replace(draft.steps[position], junction="CMP")
