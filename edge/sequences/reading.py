"""A model's calls become steps that can run, or it is said why they cannot (KeyAnswer -> PlanStep)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from edge.links.transforms import known
from edge.llm.answers import CallAnswer, KeyAnswer
from edge.llm.offline.packs import DEFAULT, Pack, pack_of
from edge.plans.model import ArgumentSource, BoundValue, CallPlan, DefaultValue, PlanStep, Reducer, UserValue
from edge.sequences.readback import wire_value
from edge.specs.model import Tool


class Unusable(Exception):
    """The calls cannot be made as they are written. The text says why, in terms of the answer alone."""


def steps_of(answer: KeyAnswer, plan: CallPlan, offered: Mapping[str, Tool], language: str = DEFAULT) -> list[PlanStep]:
    """Return the calls as steps: each with the reducer that the plan has for its tool, else for a single record.

    A key says nothing of reducers, for it is written before any record is seen. What a client sends unasked is added.

    Raises:
        Unusable: a tool, parameter, earlier call, path or transform that is not there, or a required value is missing.
    """
    planned = {s.tool_id: s for s in reversed(plan.steps)}
    ids = {s.step_id: c.id for s in plan.steps for c in answer.calls if c.tool == s.tool_id}
    steps: list[PlanStep] = []
    before: dict[str, Tool] = {}
    for call in answer.calls:
        tool = offered.get(call.tool)
        if tool is None:
            raise Unusable(f"{call.id}: there is no tool {call.tool}")
        if call.id in before:
            raise Unusable(f"two calls have the id {call.id}")
        like = planned.get(call.tool)
        arguments = _arguments(call, tool, like, before, pack_of(language))
        reducer = _moved(like.reducer, ids) if like else Reducer("only")
        before[call.id] = tool
        if not any((s.tool_id, dict(s.arguments)) == (call.tool, arguments) for s in steps):  # a fan-out, call by call
            may_be_empty = like is not None and like.may_be_empty
            listed = tuple(sorted(arguments.items()))
            steps.append(PlanStep(call.id, call.tool, listed, reducer, may_be_empty=may_be_empty))
    if not steps:
        raise Unusable("no call is made")
    return steps


def _moved(reducer: Reducer, ids: Mapping[str, str]) -> Reducer:
    """Return a plan's reducer with the place it measures from in the answer's own call."""
    near = reducer.near
    if near is None or near.step is None:
        return reducer
    return replace(reducer, near=replace(near, step=ids.get(near.step, near.step)))


def _arguments(
    call: CallAnswer, tool: Tool, like: PlanStep | None, before: Mapping[str, Tool], pack: Pack
) -> dict[str, ArgumentSource]:
    offered = {p.name: p for p in tool.offered}
    given: dict[str, ArgumentSource] = {p.name: DefaultValue(p.default) for p in tool.required if p.default is not None}
    given |= {name: source for name, source in (like.arguments if like else ()) if isinstance(source, DefaultValue)}
    for name, value in call.arguments.items():
        if name not in offered:
            raise Unusable(f"{call.id}: {tool.name} has no parameter {name}")
        given[name] = UserValue(wire_value(offered[name], value.strip(), pack), value)
    for reference in call.references:
        if reference.parameter not in offered:
            raise Unusable(f"{call.id}: {tool.name} has no parameter {reference.parameter}")
        if reference.call not in before:
            raise Unusable(f"{call.id}: there is no call {reference.call} before it")
        if not reference.path.startswith("@") and before[reference.call].output(reference.path) is None:
            raise Unusable(f"{call.id}: {before[reference.call].name} returns no {reference.path}")
        if not known(reference.transform):
            raise Unusable(f"{call.id}: there is no transform {reference.transform}")
        given[reference.parameter] = BoundValue(reference.call, reference.path, reference.transform)
    absent = [p.name for p in tool.required if p.name not in given]
    if absent:
        raise Unusable(f"{call.id}: {tool.name} needs {', '.join(absent)}")
    return given
