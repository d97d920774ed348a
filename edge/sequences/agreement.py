"""A model's answer key is compared with the plan; a disagreement is a signal (KeyAnswer -> agreement)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from edge.llm.answers import CallAnswer, KeyAnswer
from edge.plans.model import BoundValue, CallPlan, PlanStep
from edge.text import compact


def compare(answer: KeyAnswer, plan: CallPlan) -> str:
    """Return "agrees", or "other_path: ..." naming the first difference.

    Calls are matched by tool; a step that fans out counts once. Literal arguments are compared after folding,
    references by the parameter they fill and the tool they come from.
    """
    by_tool: dict[str, list[CallAnswer]] = {}
    for call in answer.calls:
        by_tool.setdefault(call.tool, []).append(call)
    tools = {c.id: c.tool for c in answer.calls}
    planned = {s.step_id: s.tool_id for s in plan.steps}
    for step in plan.steps:
        calls = by_tool.pop(step.tool_id, [])
        if not calls:
            return f"other_path: {step.tool_id} is not called"
        difference = _difference(step, calls, tools, planned)
        if difference:
            return f"other_path: {difference}"
    return f"other_path: also calls {', '.join(sorted(by_tool))}" if by_tool else "agrees"


def _difference(
    step: PlanStep, calls: Sequence[CallAnswer], tools: Mapping[str, str], planned: Mapping[str, str]
) -> str:
    for call in calls:
        references = {r.parameter: r for r in call.references}
        for name, source in step.arguments:
            if isinstance(source, BoundValue):
                if name not in references or tools.get(references[name].call) != planned[source.step]:
                    return f"{step.tool_id}.{name} does not come from {planned[source.step]}"
            elif compact(call.arguments.get(name, "")) != compact(source.value):
                return f"{step.tool_id}.{name} is {call.arguments.get(name)!r}, the plan has {source.value!r}"
        extra = set(call.arguments) - {name for name, _ in step.arguments}
        if extra:
            return f"{step.tool_id} is given {', '.join(sorted(extra))}"
    return ""
