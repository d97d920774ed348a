"""What an answer names is looked up in the signatures: paths, parameters, transforms, sources (answer -> Link)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from edge.errors import UsageError
from edge.links.fillers import is_clock, is_sayable, statically_fillable
from edge.links.model import Binding, Link, Rest
from edge.links.paths import from_jsonpath
from edge.links.suppliers import Suppliers
from edge.links.transforms import companion, known
from edge.llm.answers import BindingAnswer, LinkCandidateAnswer, RestAnswer, RestSource
from edge.specs.model import Parameter, Tool


def static_source(parameter: Parameter) -> RestSource | None:
    """Return where a value can be had without any call: default, enumeration, clock, or what a person would say."""
    if parameter.default is not None:
        return "default"
    if parameter.enum:
        return "enum"
    if is_clock(parameter):
        return "clock"
    return "request" if statically_fillable(parameter) else None


def fills(said: RestSource, parameter: Parameter, source: Tool, target: Tool, suppliers: Suppliers) -> bool:
    """Whether a parameter can have its value from where an answer says: the signatures must bear it out.

    A person says names, numbers, dates, labels of an enumeration and what has a phrase. The pool has what earlier calls
    gave out, those of the target itself included; another link comes from a third tool.
    """
    if said == "default":
        return parameter.default is not None
    if said == "enum":
        return bool(parameter.enum)
    if said == "clock":
        return is_clock(parameter)
    if said == "request":
        return bool(is_sayable(parameter) or is_clock(parameter) or parameter.enum or parameter.phrase)
    found = suppliers.of(parameter)
    return bool(found if said == "value_pool" else found - {source.tool_id, target.tool_id})


def rest_of(
    source: Tool, target: Tool, bound: set[str], said: Sequence[RestAnswer], suppliers: Suppliers
) -> tuple[tuple[Rest, ...], str]:
    """Return where each required parameter that is not bound has its value from, and what is wrong ("": nothing).

    What the answer leaves unsaid is filled in where a value can be had without any call; else nothing fills it.
    """
    told: dict[str, RestSource] = {}
    for entry in said:
        parameter = target.parameter(entry.parameter)
        if parameter is None or parameter.filled_by != "model":
            return (), f"{target.tool_id} has no parameter {entry.parameter}"
        if entry.parameter in bound or entry.parameter in told:
            return (), f"{entry.parameter} is filled twice"
        if not fills(entry.source, parameter, source, target, suppliers):
            return (), f"{target.tool_id}: {entry.source} does not fill {entry.parameter}"
        told[entry.parameter] = entry.source
    rest: list[Rest] = []
    for parameter in target.required:
        if parameter.name in bound:
            continue
        where = told.get(parameter.name) or static_source(parameter)
        if where is None:
            return (), f"{target.tool_id}: nothing fills {parameter.name}"
        rest.append(Rest(parameter.name, where))
    return tuple(rest), ""


def problem_of(source: Tool, target: Tool, bindings: Sequence[BindingAnswer]) -> str:
    """Return what is wrong with the bindings themselves ("" when nothing is): invented names and transforms."""
    seen: set[str] = set()
    for binding in bindings:
        parameter = target.parameter(binding.target_parameter)
        if not _supplies(source, binding.source_path):
            return f"{source.tool_id} has no output {binding.source_path}"
        if parameter is None or parameter.filled_by != "model":
            return f"{target.tool_id} has no parameter {binding.target_parameter}"
        if not known(binding.transform):
            return f"no transform {binding.transform}"
        other = companion(binding.transform)
        if other is not None and not _supplies(source, other):
            return f"{source.tool_id} has no output {other}"
        if binding.target_parameter in seen:
            return f"{binding.target_parameter} is bound twice"
        seen.add(binding.target_parameter)
    return "no output is bound" if all(b.source_path.startswith("@") for b in bindings) else ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a binding set makes no link: "unknown_name" (invented) or "unfilled" (a call with it would be refused)."""

    reason: Literal["unknown_name", "unfilled"]
    detail: str


def link_of(source: Tool, target: Tool, answer: LinkCandidateAnswer, suppliers: Suppliers) -> Link | Refusal:
    """Return the link of a binding set, or what is wrong with it."""
    answered = [_in_our_spelling(b) for b in answer.bindings]
    if problem := problem_of(source, target, answered):
        return Refusal("unknown_name", problem)
    rest, problem = rest_of(source, target, {b.target_parameter for b in answered}, answer.rest, suppliers)
    if problem:
        return Refusal("unfilled", problem)
    bindings = tuple(Binding(b.source_path, b.target_parameter, b.transform) for b in answered)
    return Link(source.tool_id, target.tool_id, bindings, answer.score, answer.reason, rest)


def _in_our_spelling(binding: BindingAnswer) -> BindingAnswer:
    """A model that writes paths as JSONPath means the same; what says more than a path stays, and is no name."""
    if not binding.source_path.startswith("$"):
        return binding
    try:
        return binding.model_copy(update={"source_path": from_jsonpath(binding.source_path)})
    except UsageError:
        return binding


def _supplies(source: Tool, path: str) -> bool:
    """Whether the source gives this path: an output field that is not private, or "@name" for one of its arguments."""
    if path.startswith("@"):
        carried = source.parameter(path[1:])
        return carried is not None and carried.filled_by == "model"
    field = source.output(path)
    return field is not None and not field.private
