"""The offline answer key: stated arguments are read back from the request's words (UserTask -> CallSequence)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from edge.llm.offline.packs import DEFAULT, Pack, pack_of
from edge.plans.model import ArgumentSource, CallPlan, PlanStep, UserTask, UserValue
from edge.specs.model import Parameter, Tool
from edge.text import compact

_DATED = ("date", "month", "year", "datetime")


class SlotLost(Exception):
    """An argument cannot be read from the request, or reads as something else."""


def read_back(task: UserTask, tools: Mapping[str, Tool]) -> CallPlan:
    """Return the plan with every user value read anew from the request: found by its words, turned into its wire form.

    Raises:
        SlotLost: a value's words are not in the request, or read as another wire value than the plan has.
    """
    squeezed, pack = compact(task.query), pack_of(task.language)
    return replace(task.plan, steps=tuple(_step(s, tools[s.tool_id], squeezed, pack) for s in task.plan.steps))


def _step(step: PlanStep, tool: Tool, squeezed: str, pack: Pack) -> PlanStep:
    arguments = tuple((name, _source(name, source, tool, squeezed, pack)) for name, source in step.arguments)
    if step.reducer.text and compact(step.reducer.text) not in squeezed:
        raise SlotLost(f"{step.step_id}: {step.reducer.text!r} is not in the request")
    return replace(step, arguments=arguments)


def _source(name: str, source: ArgumentSource, tool: Tool, squeezed: str, pack: Pack) -> ArgumentSource:
    parameter = tool.parameter(name)
    if not isinstance(source, UserValue) or parameter is None:
        return source
    if compact(source.text) not in squeezed:
        raise SlotLost(f"{name}: {source.text!r} is not in the request")
    wire = wire_value(parameter, source.text, pack)
    if wire != source.value:
        raise SlotLost(f"{name}: {source.text!r} reads as {wire!r}, not {source.value!r}")
    return replace(source, value=wire)


def wire_value(parameter: Parameter, text: str, pack: Pack | None = None) -> str:
    """Return the wire form of what a person said for a parameter; text that is no date or label goes as it is."""
    pack = pack or pack_of(DEFAULT)
    if parameter.kind in _DATED:
        pattern = parameter.format if parameter.format and "%" in parameter.format else None
        return pack.read_date(text, pattern) or text
    if parameter.kind == "time":
        return pack.read_time(text) or text
    return next((e.value for e in parameter.enum if e.label == text), text)
