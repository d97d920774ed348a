"""A plan becomes the brief: labels instead of codes, all that a writer sees (CallPlan -> JSON)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from edge.ids import Json
from edge.plans.choices import naming_parameter
from edge.plans.facts import Fact, said_of, stated_texts
from edge.plans.model import BoundValue, CallPlan, Condition, PlanStep, Reducer, UserValue
from edge.specs.model import Kind, Tool

SayFact = Callable[[Fact, Tool], str]
_PLACED: frozenset[Kind] = frozenset({"longitude", "latitude", "grid", "projected_x", "projected_y"})


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
        "steps": [_told(_step(step, tools, plan)) for step in plan.steps],
        "untaken": [_told(_step(step, tools, plan)) for step in plan.untaken],
        "comparison": _told(_comparison(plan, tools)),
        "texts": list(dict.fromkeys(text for step in (*plan.steps, *plan.untaken) for text in stated_texts(step))),
        "labels": list(dict.fromkeys(_labels(plan, tools))),
    }


def _labels(plan: CallPlan, tools: Mapping[str, Tool]) -> Iterator[str]:
    """What must be asked for, all of it in one place: small models lose what stands deep in the steps."""
    for step in (*plan.steps, *plan.untaken):
        yield from (str(_ask(tools[step.tool_id], path)["label"]) for path in step.asks)


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
            "operation": f.operation,
        }
        for f in facts
    ]
    return {**brief, "query": query, "facts": _told(stated)}


def _told(value: Json) -> Json:
    """Leave out what says nothing: a third of a brief's tokens, and what small models stumble over.

    `truth` says something also where it is false.
    """
    if isinstance(value, Mapping):
        return {k: _told(v) for k, v in value.items() if v not in (None, [], ()) and (v is not False or k == "truth")}
    return [_told(item) for item in value] if isinstance(value, list | tuple) else value


def _step(step: PlanStep, tools: Mapping[str, Tool], plan: CallPlan) -> dict[str, Json]:
    tool = tools[step.tool_id]
    inputs: list[Json] = []
    # One record came of the name that was said: it is that record's name, not a word found in names.
    names = naming_parameter(tool) if step.reducer.kind == "only" and step.parent is None else None
    for name, source in step.arguments:
        parameter = tool.parameter(name)
        if isinstance(source, UserValue) and parameter is not None:
            inputs.append(
                {
                    "name": name,
                    "label": parameter.label,
                    "kind": parameter.kind,
                    "text": source.text,
                    "phrase": parameter.phrase,
                    **({"whole_name": True} if names and parameter == names else {}),
                    **({"relation": source.relation} if source.relation else {}),
                }
            )
    return {
        "id": step.step_id,
        "title": tool.title,
        "noun": tool.noun or tool.title,
        "domain": tool.domain,
        "parent": step.parent,
        "parents": list(step.parents),
        "when": _condition(step.when, plan, tools),
        "junction": step.junction,
        "via": step.via,
        **({"beside": True} if _beside(step, tool) else {}),
        "inputs": inputs,
        "reducer": _reducer(step.reducer, tool),
        "asks": [_ask(tool, path) for path in step.asks],
    }


def _beside(step: PlanStep, tool: Tool) -> bool:
    """Whether a step is asked by coordinates of an earlier record: what it finds lies there, and belongs to nobody."""
    fed = [tool.parameter(name) for name, source in step.arguments if isinstance(source, BoundValue)]
    return any(p is not None and p.kind in _PLACED for p in fed)


def _reducer(reducer: Reducer, tool: Tool) -> dict[str, Json]:
    field = tool.output(reducer.field) if reducer.field and reducer.kind != "nearest" else None
    said: dict[str, Json] = {
        "kind": reducer.kind,
        "label": field.label if field else None,
        "text": reducer.text,
        "names_record": reducer.field is not None and reducer.field == tool.name_field,
        "field_kind": field.kind if field else None,
    }
    if field and field.unit:
        said["unit"] = field.unit
    if reducer.k is not None:
        said["k"] = reducer.k
    if reducer.near is not None:
        said["near_step"] = reducer.near.step  # None: the user says the place, as `text`
    if reducer.within is not None:
        said["within"] = _reducer(reducer.within, tool)
    return said


def _condition(condition: Condition | None, plan: CallPlan, tools: Mapping[str, Tool]) -> Json:
    """The predicate under which a step comes: whose, of which field (None: of the count), how, and whether it holds."""
    if condition is None:
        return None
    step = plan.step(condition.step)
    field = tools[step.tool_id].output(condition.field) if condition.field else None
    return {
        "step": condition.step,
        "label": field.label if field else None,
        "field_kind": field.kind if field else None,
        "unit": field.unit if field else None,
        "operator": condition.operator,
        "value": condition.value,
        "text": condition.text,
        "truth": condition.truth,
    }


def _comparison(plan: CallPlan, tools: Mapping[str, Tool]) -> Json:
    """What is compared: the steps (one that fans out, or a branch for each value), the field and which end wins."""
    compared = plan.comparison
    if compared is None:
        return None
    step = plan.step(compared.steps[0])
    tool = tools[step.tool_id]
    field = tool.output(compared.field or step.reducer.field or "")
    names: list[Json] = [said_of(plan.step(s), plan.steps) for s in compared.steps] if len(compared.steps) > 1 else []
    return {
        "steps": list(compared.steps),
        "kind": compared.kind,
        "label": field.label if field else None,
        "field_kind": field.kind if field else None,
        "unit": field.unit if field else None,
        "names": names,
    }


def _ask(tool: Tool, path: str) -> dict[str, Json]:
    field = tool.output(path)
    if field is None:
        raise KeyError(f"{tool.tool_id} has no output {path}")
    return {"label": field.label, "unit": field.unit, "kind": field.kind}
