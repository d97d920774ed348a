"""A plan becomes a negative: something it cannot do without is taken away (CallPlan -> Gap, CallPlan without it)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import cast, get_args

from edge.ids import Json
from edge.links.evidence_rules import label_similarity
from edge.plans.choices import naming_parameter
from edge.plans.model import CallPlan, Gap, GapReason, PlanStep, UserValue
from edge.specs.model import Kind, Parameter, Tool
from edge.text import compact

_MOST_NAMED = 3
_ALIKE = 0.6  # labels that speak of the same


def gap_of(reason: GapReason, plan: CallPlan, tools: Mapping[str, Tool], rng: random.Random) -> Gap | None:
    """Return what is taken from a plan, None where it has nothing of the kind to lose.

    A missing value is one that a required parameter without a default wants and that nothing else in the request tells.
    """
    if reason == "unrelated":
        return Gap(
            reason, _asked_for(plan, tools), tuple(dict.fromkeys(s.tool_id for s in (*plan.steps, *plan.untaken)))
        )
    if reason == "withheld":
        return Gap(reason, _asked_for(plan, tools), asked_tools(plan))
    losable = [g for step in plan.steps for g in _losable(step, plan, tools)]
    return rng.choice(losable) if losable else None


def _asked_for(plan: CallPlan, tools: Mapping[str, Tool]) -> str:
    """Return what was to be looked up, in words; branches that the data did not choose are left out."""
    taken = {s.tool_id for s in plan.steps}
    nouns = [tools[t].noun or tools[t].title for t in asked_tools(plan) if t in taken]
    return ", ".join(list(dict.fromkeys(nouns))[:_MOST_NAMED])


def asked_tools(plan: CallPlan) -> tuple[str, ...]:
    """Return the tools that hold what the request asks for: those of the steps that no other step needs."""
    needed = {n for s in plan.steps for n in s.needs}
    leaves = [s for s in plan.steps if s.step_id not in needed]
    return tuple(dict.fromkeys(s.tool_id for s in (*leaves, *plan.untaken)))


def _losable(step: PlanStep, plan: CallPlan, tools: Mapping[str, Tool]) -> list[Gap]:
    found: list[Gap] = []
    for name, source in step.arguments:
        parameter = tools[step.tool_id].parameter(name)
        if not isinstance(source, UserValue) or parameter is None:
            continue
        gap = Gap("missing", parameter.label, step=step.step_id, parameter=name, text=source.text)
        needed = parameter.required and parameter.default is None
        if needed and not _told_elsewhere(source.text, plan) and parameter.kind not in _kinds_left(plan, gap, tools):
            found.append(replace(gap, label=_lost_label(plan, gap, tools)))
    return found


def _kinds_left(plan: CallPlan, gap: Gap, tools: Mapping[str, Tool]) -> set[Kind]:
    """Return the kinds of value that the request still states: a month named for one thing may serve for another."""
    return {parameter.kind for parameter, _ in _stated(without(plan, gap), tools)}


def _lost_label(plan: CallPlan, gap: Gap, tools: Mapping[str, Tool]) -> str:
    """Return what to ask for: the words that the labels of all parameters share which lose their value.

    Who leaves out a name leaves out the thing: "which hospital", not "which search word".
    """
    lost = [(p, tool) for p, tool in _stated(plan, tools) if (p, tool) not in _stated(without(plan, gap), tools)]
    first, tool = lost[0]
    if tool.noun and (first == naming_parameter(tool) or _searches(first, tool)):
        return tool.noun
    shared = [w for w in first.label.split() if all(w in p.label.split() for p, _ in lost)]
    return " ".join(shared) or first.label


def _searches(parameter: Parameter, tool: Tool) -> bool:
    """Whether a parameter takes any words that find records: it is required, and no field of a record is called so."""
    if parameter.kind not in ("name", "text", "address") or not parameter.required or parameter.enum:
        return False
    return not any(label_similarity(parameter.label, f.label) >= _ALIKE for f in tool.outputs)


def _stated(plan: CallPlan, tools: Mapping[str, Tool]) -> list[tuple[Parameter, Tool]]:
    """Return the parameters that the user's values fill, each with its tool."""
    found: list[tuple[Parameter, Tool]] = []
    for step in (*plan.steps, *plan.untaken):
        tool = tools[step.tool_id]
        parameters = [tool.parameter(n) for n, s in step.arguments if isinstance(s, UserValue)]
        found += [(p, tool) for p in parameters if p is not None]
    return found


def _told_elsewhere(text: str, plan: CallPlan) -> bool:
    """Whether a criterion says the value too: the request would still hold it."""
    steps = (*plan.steps, *plan.untaken)
    said = [t for s in steps for t in (*s.reducer.texts, *([s.when.text] if s.when and s.when.text else []))]
    return any(_same(text, t) for t in said)


def without(plan: CallPlan, gap: Gap) -> CallPlan:
    """Return the plan as a request states it that leaves out the missing value; other plans as they are."""
    if gap.text is None:
        return plan
    lost = gap.text

    def bare(step: PlanStep) -> PlanStep:
        kept = tuple((n, s) for n, s in step.arguments if not (isinstance(s, UserValue) and _same(s.text, lost)))
        return replace(step, arguments=kept)

    return replace(plan, steps=tuple(map(bare, plan.steps)), untaken=tuple(map(bare, plan.untaken)))


def _same(one: str, other: str) -> bool:
    """Whether two texts tell the same: one of them is in the other ("서울특별시" in "서울특별시 강남구")."""
    a, b = compact(one), compact(other)
    return a in b or b in a


def gap_to_json(gap: Gap) -> dict[str, Json]:
    """Return a gap as JSON; what it does not have is left out."""
    some = {"step": gap.step, "parameter": gap.parameter, "text": gap.text}
    return {
        "reason": gap.reason,
        "label": gap.label,
        **({"tools": list(gap.tools)} if gap.tools else {}),
        **{name: value for name, value in some.items() if value is not None},
    }


def gap_from_json(data: Mapping[str, Json]) -> Gap:
    """Return the gap that `gap_to_json` wrote.

    Raises:
        ValueError: the JSON is no gap.
    """
    reason, tools = data.get("reason"), data.get("tools", [])
    if reason not in get_args(GapReason) or not isinstance(tools, list):
        raise ValueError(f"no gap: {data}")
    text = {name: str(data[name]) if name in data else None for name in ("step", "parameter", "text")}
    return Gap(cast("GapReason", reason), str(data["label"]), tuple(map(str, tools)), **text)
