"""The arguments that no link feeds: what a client sends unasked and what a person says (Tool -> arguments)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from edge.links.fillers import Filler, Filling, switched
from edge.links.periods import fineness
from edge.plans.choices import clean_name, naming_parameter
from edge.plans.draft import Draft, PlanFailed
from edge.plans.model import ArgumentSource, DefaultValue, UserValue
from edge.plans.relations import relation_of
from edge.plans.spreading import spread, spread_by
from edge.specs.model import Parameter, Tool

Arguments = tuple[tuple[str, ArgumentSource], ...]
NAMED_SHARE = 0.25  # of entries that can be narrowed by a name are; the others are lists
PROVEN_SHARE = 0.6  # values that worked while exploring are mostly taken again


def entry_arguments(draft: Draft, tool: Tool, filler: Filler) -> Arguments:
    """Return the arguments of an entry step: what is required, a name where the tool takes one, else a period."""
    arguments = fill(draft, tool, (), filler)
    if (proven := draft.proven.get(tool.tool_id)) is not None:
        more = [
            (p, known)
            for p in tool.offered
            if p.name not in dict(arguments) and (known := said_as(tool, p, proven, filler))
        ]
        return (*arguments, *((p.name, state(draft, filler.now, p, known)) for p, known in more))
    name = naming_parameter(tool)
    if name is not None and name.name not in dict(arguments):
        values = [v for v in filler.pool.sayable(tool, name) if clean_name(v)]
        if values and draft.rng.random() < NAMED_SHARE:
            (value,) = spread(values, draft.rng, 1)
            draft.said.append(value)
            arguments = (*arguments, (name.name, UserValue(value, value)))
    return arguments or _period(draft, tool, filler)


def fill(draft: Draft, tool: Tool, given: Sequence[str], filler: Filler) -> Arguments:
    """Fill the required parameters that are not `given`, and optional ones whose value was said for an earlier step.

    One kind and label has one value in a plan: who names a year means it for every table that takes a year.

    Raises:
        PlanFailed: a parameter can neither be said nor has a default.
    """
    filled: list[tuple[str, ArgumentSource]] = []
    known = dict.fromkeys(given, "")
    for parameter in sorted(tool.required, key=fineness):  # days follow the year that is said
        if parameter.name in given:
            continue
        if switch := switched(tool, parameter, known):  # nobody says by which number something is looked up
            filled.append((parameter.name, DefaultValue(switch.value)))
            known[parameter.name] = switch.value
            continue
        options = [o for o in filler.options(tool, parameter, known) if o.sayable or o.origin == "default"]
        if not options:
            raise PlanFailed("unsayable_parameter", f"{tool.tool_id}.{parameter.name}")
        stated = state(draft, filler.now, parameter, _choose(draft, tool, parameter, options, filler))
        filled.append((parameter.name, stated))
        known[parameter.name] = stated.value
    for parameter in tool.offered:
        period = (parameter.kind, parameter.label)
        if not parameter.required and parameter.name not in given and period in draft.shared:
            filled.append((parameter.name, state(draft, filler.now, parameter, draft.shared[period])))
    return tuple(filled)


def said_as(tool: Tool, parameter: Parameter, arguments: Mapping[str, str], filler: Filler) -> Filling | None:
    """Return how a person says the value that a parameter has among arguments, or a client sends it unasked."""
    value = arguments.get(parameter.name)
    options = filler.options(tool, parameter) if value is not None else ()
    return next((o for o in options if o.value == value and (o.sayable or o.origin == "default")), None)


def can_say(tool: Tool, arguments: Mapping[str, str], filler: Filler) -> bool:
    """Whether a call with these arguments needs no other call before it."""
    known = {p.name: p for p in tool.parameters}
    return all(name in known and said_as(tool, known[name], arguments, filler) for name in arguments)


def enters(tool: Tool, filler: Filler, among: Collection[str] | None = None) -> bool:
    """Whether a person can start here: every required parameter (`among` these) has a default or can be said."""
    wanted = [p for p in tool.required if among is None or p.name in among]
    return all(any(o.sayable or o.origin == "default" for o in filler.options(tool, p)) for p in wanted)


def _period(draft: Draft, tool: Tool, filler: Filler) -> Arguments:
    """Narrow an entry that needs nothing by the year or month it can take: nobody asks for all years at once."""
    period = next((p for p in tool.offered if p.kind in ("year", "month")), None)
    if period is None:
        return ()
    filling = _choose(draft, tool, period, filler.options(tool, period), filler)
    return ((period.name, state(draft, filler.now, period, filling)),)


def state(draft: Draft, now: datetime, parameter: Parameter, filling: Filling) -> DefaultValue | UserValue:
    """Return a value as an argument, said from now on; what the plan has for its kind and label serves instead."""
    filling = draft.shared.setdefault((parameter.kind, parameter.label), filling)
    if filling.origin == "default":
        return DefaultValue(filling.value)
    draft.said.append(filling.text)
    return UserValue(filling.value, filling.text, relation_of(parameter, filling.value, now))


def _choose(draft: Draft, tool: Tool, parameter: Parameter, options: Sequence[Filling], filler: Filler) -> Filling:
    proven = draft.proven.get(tool.tool_id, {}).get(parameter.name)
    if known := [o for o in options if o.value == proven]:
        return known[0]
    if options[0].origin == "default":
        return options[0]
    worked = filler.pool.accepted.get((tool.tool_id, parameter.name), {})
    good = [o for o in options if o.value in worked]
    pool = good if good and draft.rng.random() < PROVEN_SHARE else options
    (chosen,) = spread_by(pool, draft.rng, 1, lambda o: o.text)
    return chosen
