"""A list that nobody could read whole is asked for again with one thing more that a person would say (Draft -> Draft).

Who knows a city's name asks for the schools of that city, not for all schools of the country. What an optional
parameter can be given is read from the list itself: the values that some of its records share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace

from edge.calls import Record
from edge.links.fillers import Filler, Filling, is_sayable
from edge.links.paths import get_path, scalar
from edge.links.periods import range_end
from edge.plans.arguments import state
from edge.plans.choices import VISIBLE, clean_name, naming_parameter
from edge.plans.draft import Draft, PlanFailed
from edge.plans.model import PlanStep
from edge.plans.reducers import unique_values
from edge.plans.runner import StepFailed
from edge.plans.spreading import spread, spread_by
from edge.specs.model import Parameter, Tool
from edge.text import compact

_TRIED = 4  # narrower calls
_VALUES = 2  # of one parameter
Run = Callable[[PlanStep], Awaitable[None]]


def too_long(draft: Draft, step_id: str) -> bool:
    """Whether a step made one call, and it gave more records than a model is shown."""
    calls = draft.calls_of(step_id)
    return len(calls) == 1 and len(calls[0].outcome.records) > VISIBLE


async def narrow(
    draft: Draft, tool: Tool, filler: Filler, run: Run, fits: Callable[[], bool], avoid: Collection[str]
) -> bool:
    """Make the last step's one call again with a value more, until what comes `fits`; False: nothing does.

    `run` makes a step's calls and adds it to the draft. Values of the fields `avoid` are what is looked for: said
    beforehand, nothing would be left to look up.
    """
    step, call = draft.steps[-1], draft.execution.calls[-1]
    before = (len(draft.steps) - 1, len(draft.execution.calls) - 1, len(draft.said))
    tried = _fillings(draft, tool, step, call.outcome.records, filler, avoid)[:_TRIED]
    for parameter, filling in [*tried, *_names(draft, tool, step, call.outcome.records)]:
        draft.back_to(before)
        shared = dict(draft.shared)
        stated = state(draft, filler.now, parameter, filling)
        try:
            await run(replace(step, arguments=(*step.arguments, (parameter.name, stated))))
            if len(draft.execution.calls[-1].outcome.records) <= VISIBLE and fits():
                return True
        except (StepFailed, PlanFailed):
            pass
        draft.shared = shared
    draft.back_to(before)
    draft.steps.append(step)
    draft.execution.calls.append(call)
    return False


def _fillings(
    draft: Draft, tool: Tool, step: PlanStep, records: Sequence[Record], filler: Filler, avoid: Collection[str]
) -> list[tuple[Parameter, Filling]]:
    """What could be said besides, parameters in drawn order."""
    given = {name for name, _ in step.arguments}
    named = naming_parameter(tool)
    found: list[tuple[Parameter, Filling]] = []
    for parameter in draft.rng.sample(tool.offered, len(tool.offered)):
        if parameter.name in given or parameter.required or parameter == named:
            continue
        options = _shared_values(parameter, tool, records, avoid) or _listed(parameter, tool, filler)
        found += [(parameter, x) for x in spread_by(options, draft.rng, _VALUES, lambda x: x.text)]
    return found


def _names(draft: Draft, tool: Tool, step: PlanStep, records: Sequence[Record]) -> list[tuple[Parameter, Filling]]:
    """The name of one record, where the tool takes it."""
    parameter = naming_parameter(tool)
    if parameter is None or tool.name_field is None or parameter.name in dict(step.arguments):
        return []
    names = sorted(n for n in unique_values(records, tool.name_field) if clean_name(n))
    return [(parameter, Filling(n, "pool", True, n)) for n in spread(names, draft.rng, 1)]


def _shared_values(
    parameter: Parameter, tool: Tool, records: Sequence[Record], avoid: Collection[str]
) -> list[Filling]:
    """The texts in a field called like the parameter that several of the records have, but not too many."""
    if parameter.enum or not is_sayable(parameter):
        return []
    for field in tool.outputs:
        same = compact(field.label) == compact(parameter.label) or field.path.lower() == parameter.name.lower()
        if not same or field.private or field.path in avoid or field.kind not in ("name", "text", "address"):
            continue
        counts = Counter((scalar(get_path(r, field.path)) or "").strip() for r in records)
        fitting = sorted(v for v, n in counts.items() if 1 < n <= VISIBLE and clean_name(v))
        return [Filling(v, "pool", True, v) for v in fitting]
    return []


def _listed(parameter: Parameter, tool: Tool, filler: Filler) -> list[Filling]:
    """What the document lists, or the year or month that a table is about; one end of a period alone is none."""
    dated = parameter.kind in ("year", "month") and range_end(parameter) is None
    return [x for x in filler.options(tool, parameter) if x.sayable] if parameter.enum or dated else []
