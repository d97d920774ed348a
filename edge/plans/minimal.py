"""Is every call of a plan needed? (plan, its calls -> the step that could be left out, or None)

What the answer states and what later calls are given is looked for in all that is known without a step: what the user
said, what a client sends unasked, and the records of steps that do not depend on it. A step is needed when something
cannot be found there, or when a condition, a distance or the comparison rests on it. Short values are everywhere, so
that one is only taken for the same if it is long or is found under the same label.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from edge.links.evidence_rules import label_similarity
from edge.links.paths import get_path, scalar
from edge.plans.facts import Fact, facts_of
from edge.plans.model import BoundValue, CallPlan, PlanStep, UserValue
from edge.plans.runner import Execution
from edge.specs.model import Tool
from edge.text import compact

_TELLING = 4  # characters from which on a value is hardly found elsewhere by chance
_SAME_LABEL = 0.6


@dataclass(frozen=True, slots=True)
class _Known:
    """A value that can be had, folded, and the label under which."""

    value: str
    label: str


def unneeded(plan: CallPlan, execution: Execution, tools: Mapping[str, Tool]) -> str | None:
    """Return the id of a step without which the plan still answers everything, or None."""
    facts = facts_of(plan.steps, execution, tools)
    for step in reversed(plan.steps):
        if _rests_on(plan, step.step_id):
            continue
        known = _known_without(step.step_id, plan, execution, tools)
        if _answers(step, facts, known, execution):
            continue
        if not any(_feeds(step, other, known, execution, tools) for other in plan.steps):
            return step.step_id
    return None


def _rests_on(plan: CallPlan, step_id: str) -> bool:
    """Whether a condition, a distance or the comparison needs the step's own result."""
    if plan.comparison and step_id in plan.comparison.steps:
        return True
    for step in (*plan.steps, *plan.untaken):
        near = step.reducer.near
        if (step.when and step.when.step == step_id) or (near and near.step == step_id):
            return True
    return False


def _answers(step: PlanStep, facts: Sequence[Fact], known: Sequence[_Known], execution: Execution) -> bool:
    """Whether a fact of the step cannot be had without it."""
    own = [f for f in facts if f.step_id == step.step_id]
    if any(f.operation or f.path == "total" for f in own):
        return True  # a number made of all records is nowhere else
    return any(not _derivable(f.value, f.label, known) for f in own)


def _feeds(
    step: PlanStep, other: PlanStep, known: Sequence[_Known], execution: Execution, tools: Mapping[str, Tool]
) -> bool:
    """Whether a call of the other step is given something of this one that cannot be had elsewhere."""
    for name, source in other.arguments:
        if not isinstance(source, BoundValue) or source.step != step.step_id:
            continue
        parameter = tools[other.tool_id].parameter(name)
        label = parameter.label if parameter else name
        if any(not _derivable(c.arguments[name], label, known) for c in execution.of(other.step_id)):
            return True
    return False


def _derivable(value: str, label: str, known: Iterable[_Known]) -> bool:
    wanted = compact(value)
    return any(
        k.value == wanted and (len(wanted) >= _TELLING or label_similarity(k.label, label) >= _SAME_LABEL)
        for k in known
    )


def _known_without(step_id: str, plan: CallPlan, execution: Execution, tools: Mapping[str, Tool]) -> list[_Known]:
    """What is said, sent unasked, or answered by steps that do not depend on this one."""
    lost = {step_id}
    for step in plan.steps:
        if lost & set(step.needs):
            lost.add(step.step_id)
    found: list[_Known] = []
    for step in plan.steps:
        tool = tools[step.tool_id]
        for name, source in step.arguments:
            parameter = tool.parameter(name)
            label = parameter.label if parameter else name
            if isinstance(source, UserValue):
                found += [_Known(compact(source.value), label), _Known(compact(source.text), label)]
        found.extend(_Known(compact(text), "") for text in step.reducer.texts)
        if step.step_id in lost:
            continue
        labels = [(f.path, f.label) for f in tool.outputs if "[]" not in f.path]
        for call in execution.of(step.step_id):
            found.extend(_read(call.records, labels))
    return found


def _read(records: Sequence[Mapping[str, object]], labels: Sequence[tuple[str, str]]) -> Iterable[_Known]:

    for record in records:
        for path, label in labels:
            value = scalar(get_path(record, path))  # type: ignore[arg-type]
            if value:
                yield _Known(compact(value), label)
