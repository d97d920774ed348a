"""A plan becomes the brief: labels instead of codes, all that a writer sees (CallPlan -> JSON)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from edge.ids import Json
from edge.llm.offline.ko.modifiers import WHOLE_NAME_PHRASE
from edge.plans.choices import naming_parameter
from edge.plans.facts import Fact
from edge.plans.model import CallPlan, PlanStep, UserValue
from edge.specs.model import Tool

SayFact = Callable[[Fact, Tool], str]


def request_brief(
    plan: CallPlan, tools: Mapping[str, Tool], *, language: str, style: str, persona: str, seed: int
) -> dict[str, Json]:
    """Return the variables of the prompt `user_request` (docs/design/brief.md)."""
    return {
        "today": plan.today,
        "language": language,
        "style": style,
        "persona": persona,
        "seed": seed,
        "steps": [_step(step, tools[step.tool_id]) for step in plan.steps],
    }


def answer_brief(
    brief: Mapping[str, Json],
    query: str,
    facts: Sequence[Fact],
    plan: CallPlan,
    tools: Mapping[str, Tool],
    say: SayFact,
) -> dict[str, Json]:
    """Return the variables of the prompt `final_answer`: the brief, the request and the facts as people read them."""
    by_step = {s.step_id: tools[s.tool_id] for s in plan.steps}
    stated: list[Json] = [
        {
            "step": f.step_id,
            "entity": f.entity,
            "label": f.label,
            "value": f.value,
            "text": say(f, by_step[f.step_id]),
            "unit": f.unit,
            "kind": f.kind,
        }
        for f in facts
    ]
    return {**brief, "query": query, "facts": stated}


def _step(step: PlanStep, tool: Tool) -> dict[str, Json]:
    inputs: list[Json] = []
    # One record came of the name that was said: it is that record's name, not a word found in names.
    names = naming_parameter(tool) if step.reducer.kind == "only" and step.parent is None else None
    whole = WHOLE_NAME_PHRASE
    for name, source in step.arguments:
        parameter = tool.parameter(name)
        if isinstance(source, UserValue) and parameter is not None:
            inputs.append(
                {
                    "name": name,
                    "label": parameter.label,
                    "kind": parameter.kind,
                    "text": source.text,
                    "phrase": whole if names and parameter == names else parameter.phrase,
                }
            )
    return {
        "id": step.step_id,
        "title": tool.title,
        "noun": tool.noun or tool.title,
        "domain": tool.domain,
        "parent": step.parent,
        "junction": step.junction,
        "via": step.via,
        "inputs": inputs,
        "reducer": _reducer(step, tool),
        "asks": [_ask(tool, path) for path in step.asks],
    }


def _reducer(step: PlanStep, tool: Tool) -> dict[str, Json]:
    field = tool.output(step.reducer.field) if step.reducer.field else None
    return {
        "kind": step.reducer.kind,
        "label": field.label if field else None,
        "text": step.reducer.text,
        "names_record": step.reducer.field is not None and step.reducer.field == tool.name_field,
        "field_kind": field.kind if field else None,
    }


def _ask(tool: Tool, path: str) -> dict[str, Json]:
    field = tool.output(path)
    if field is None:
        raise KeyError(f"{tool.tool_id} has no output {path}")
    return {"label": field.label, "unit": field.unit, "kind": field.kind}
