"""A plan becomes a negative: something it cannot do without is taken away (CallPlan -> Gap, CallPlan without it)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import cast, get_args

from edge.ids import Json
from edge.plans.choices import naming_parameter
from edge.plans.model import CallPlan, Gap, GapReason, PlanStep, UserValue
from edge.specs.model import Tool
from edge.text import compact


def gap_of(reason: GapReason, plan: CallPlan, tools: Mapping[str, Tool], rng: random.Random) -> Gap | None:
    """Return what is taken from a plan, None where it has nothing of the kind to lose.

    A missing value is one that a required parameter without a default wants and that nothing else in the request tells.
    """
    asked = asked_tools(plan)
    label = tools[asked[-1]].noun or tools[asked[-1]].title
    if reason == "unrelated":
        return Gap(reason, label, tuple(dict.fromkeys(s.tool_id for s in (*plan.steps, *plan.untaken))))
    if reason == "withheld":
        return Gap(reason, label, asked)
    losable = [g for step in plan.steps for g in _losable(step, tools[step.tool_id], plan)]
    return rng.choice(losable) if losable else None


def asked_tools(plan: CallPlan) -> tuple[str, ...]:
    """Return the tools that hold what the request asks for: those of the steps that no other step needs."""
    needed = {n for s in plan.steps for n in s.needs}
    leaves = [s for s in plan.steps if s.step_id not in needed]
    return tuple(dict.fromkeys(s.tool_id for s in (*leaves, *plan.untaken)))


def _losable(step: PlanStep, tool: Tool, plan: CallPlan) -> list[Gap]:
    found: list[Gap] = []
    for name, source in step.arguments:
        parameter = tool.parameter(name)
        if not isinstance(source, UserValue) or parameter is None:
            continue
        if parameter.required and parameter.default is None and not _told_elsewhere(source.text, plan):
            # Who leaves out a name leaves out the thing: "which hospital", not "which search word".
            label = tool.noun if parameter == naming_parameter(tool) and tool.noun else parameter.label
            found.append(Gap("missing", label, step=step.step_id, parameter=name, text=source.text))
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
