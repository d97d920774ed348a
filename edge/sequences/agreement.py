"""A model's answer key is compared with the plan; a disagreement is a signal (KeyAnswer -> the first difference)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from edge.llm.answers import CallAnswer, KeyAnswer
from edge.llm.offline.packs import DEFAULT, Pack, pack_of
from edge.plans.model import BoundValue, CallPlan, DefaultValue, PlanStep
from edge.sequences.readback import wire_value
from edge.specs.model import Parameter, Tool
from edge.text import compact


def difference(answer: KeyAnswer, plan: CallPlan, tools: Mapping[str, Tool], language: str = DEFAULT) -> str:
    """Return the first difference between the calls of an answer and those of a plan, "" where they agree.

    Calls are matched by tool; a step that fans out counts once. Literal arguments are compared as they would be sent:
    folded, dates and labels in their wire form; what a client sends unasked may be left out, and a parameter's own
    default may be given. References are compared by the parameter they fill, the tool and path they come from and how.
    """
    pack = pack_of(language)
    by_tool: dict[str, list[CallAnswer]] = {}
    for call in answer.calls:
        by_tool.setdefault(call.tool, []).append(call)
    called = {c.id: c.tool for c in answer.calls}
    planned = {s.step_id: s.tool_id for s in plan.steps}
    for step in plan.steps:
        calls = by_tool.get(step.tool_id, [])
        if not calls:
            return f"{step.tool_id} is not called"
        found = [_difference(step, call, tools[step.tool_id], called, planned, pack) for call in calls]
        if all(found):  # one of the calls of this tool must be this step's
            return found[0]
    spare = sorted(set(by_tool) - set(planned.values()))
    return f"also calls {', '.join(spare)}" if spare else _too_many(by_tool, plan)


def _too_many(by_tool: Mapping[str, Sequence[CallAnswer]], plan: CallPlan) -> str:
    """A tool that is called more often than the plan has steps or records to feed it."""
    for tool, calls in by_tool.items():
        width = sum(w for s, w in zip(plan.steps, plan.widths, strict=True) if s.tool_id == tool)
        if len(calls) > width:
            return f"calls {tool} {len(calls)} times, the plan {width}"
    return ""


def _difference(
    step: PlanStep, call: CallAnswer, tool: Tool, called: Mapping[str, str], planned: Mapping[str, str], pack: Pack
) -> str:
    references = {r.parameter: r for r in call.references}
    for name, source in step.arguments:
        if isinstance(source, BoundValue):
            reference = references.get(name)
            if reference is None or called.get(reference.call) != planned[source.step]:
                return f"{step.tool_id}.{name} does not come from {planned[source.step]}"
            if (reference.path, reference.transform) != (source.path, source.transform):
                return f"{step.tool_id}.{name} is made of {reference.path}, the plan makes it of {source.path}"
            continue
        given = call.arguments.get(name)
        if given is None and isinstance(source, DefaultValue):
            continue
        if given is None or not same_value(tool.parameter(name), given, source.value, pack):
            return f"{step.tool_id}.{name} is {given!r}, the plan has {source.value!r}"
    known = {name for name, _ in step.arguments}
    extra = sorted(n for n, v in call.arguments.items() if n not in known and not _default(tool.parameter(n), v, pack))
    return f"{step.tool_id} is given {', '.join(extra)}" if extra else ""


def same_value(parameter: Parameter | None, given: str, wanted: str, pack: Pack) -> bool:
    """Whether two literals are sent alike: folded, or once what people say is turned into its wire form."""
    forms = {compact(given)}
    if parameter is not None:
        forms.add(compact(wire_value(parameter, given.strip(), pack)))
    return compact(wanted) in forms


def _default(parameter: Parameter | None, given: str, pack: Pack) -> bool:
    default = parameter.default if parameter else None
    return default is not None and same_value(parameter, given, default, pack)
