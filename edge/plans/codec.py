"""Plans as JSON and back, without loss: how they travel between stages as files.

What a plan does not have is left out, so that plans written before a field existed read the same and keep their bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict

from edge.ids import Json
from edge.plans.model import (
    ArgumentSource,
    BoundValue,
    CallPlan,
    Comparison,
    Condition,
    DefaultValue,
    JunctionKind,
    Operator,
    PlanStep,
    Point,
    Reducer,
    ReducerKind,
    UserValue,
)


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Source(_Shape):
    source: Literal["user", "default", "step"]
    value: str | None = None
    text: str | None = None
    relation: str | None = None
    step: str | None = None
    path: str | None = None
    transform: str | None = None


class _Point(_Shape):
    latitude: str
    longitude: str
    step: str | None = None


class _Reducer(_Shape):
    kind: ReducerKind
    field: str | None = None
    value: str | None = None
    text: str | None = None
    k: int | None = None
    longitude: str | None = None
    near: _Point | None = None
    within: _Reducer | None = None


class _Condition(_Shape):
    step: str
    operator: Operator
    value: str
    truth: bool
    field: str | None = None
    text: str | None = None


class _Comparison(_Shape):
    steps: list[str]
    kind: Literal["max", "min"]
    field: str | None = None


class _Step(_Shape):
    id: str
    tool: str
    arguments: dict[str, _Source]
    reducer: _Reducer
    asks: list[str]
    link: str | None
    junction: JunctionKind | None
    via: str | None = None
    when: _Condition | None = None
    may_be_empty: bool = False
    also_links: list[str] = []


class _Plan(_Shape):
    plan_id: str
    today: str
    widths: list[int]
    steps: list[_Step]
    untaken: list[_Step] = []
    comparison: _Comparison | None = None


def plan_to_json(plan: CallPlan) -> dict[str, Json]:
    """Return the plan as JSON; what it does not have is left out."""
    written: dict[str, Json] = {
        "plan_id": plan.plan_id,
        "today": plan.today,
        "widths": list(plan.widths),
        "steps": [_step(s) for s in plan.steps],
    }
    if plan.untaken:
        written["untaken"] = [_step(s) for s in plan.untaken]
    if plan.comparison:
        c = plan.comparison
        written["comparison"] = _some(steps=list(c.steps), kind=c.kind, field=c.field)
    return written


def plan_from_json(data: Mapping[str, Json]) -> CallPlan:
    """Return the plan that `plan_to_json` wrote.

    Raises:
        pydantic.ValidationError: the JSON is no plan.
    """
    shape = _Plan.model_validate(data)
    c = shape.comparison
    return CallPlan(
        shape.plan_id,
        tuple(_read_step(s) for s in shape.steps),
        shape.today,
        tuple(shape.widths),
        tuple(_read_step(s) for s in shape.untaken),
        Comparison(tuple(c.steps), c.kind, c.field) if c else None,
    )


def _some(**values: Json) -> dict[str, Json]:
    """Return the values that are there."""
    return {name: value for name, value in values.items() if value not in (None, [], False)}


def _step(step: PlanStep) -> dict[str, Json]:
    w = step.when
    extra = _some(
        may_be_empty=step.may_be_empty,
        also_links=list(step.also_links),
    )
    if w:
        told: dict[str, Json] = {"step": w.step, "operator": w.operator, "value": w.value, "truth": w.truth}
        extra["when"] = told | _some(field=w.field, text=w.text)
    return {
        "id": step.step_id,
        "tool": step.tool_id,
        "arguments": {name: _source(source) for name, source in step.arguments},
        "reducer": _reducer(step.reducer),
        "asks": list(step.asks),
        "link": step.link_id,
        "junction": step.junction,
        "via": step.via,
        **extra,
    }


def _reducer(r: Reducer) -> dict[str, Json]:
    near = {"latitude": r.near.latitude, "longitude": r.near.longitude, **_some(step=r.near.step)} if r.near else None
    more = _some(k=r.k, longitude=r.longitude, near=near, within=_reducer(r.within) if r.within else None)
    return {"kind": r.kind, "field": r.field, "value": r.value, "text": r.text, **more}


def _source(source: ArgumentSource) -> dict[str, Json]:
    match source:
        case UserValue():
            return {"source": "user", "value": source.value, "text": source.text, **_some(relation=source.relation)}
        case DefaultValue():
            return {"source": "default", "value": source.value}
        case BoundValue():
            return {"source": "step", "step": source.step, "path": source.path, "transform": source.transform}


def _read_step(shape: _Step) -> PlanStep:
    w = shape.when
    return PlanStep(
        step_id=shape.id,
        tool_id=shape.tool,
        arguments=tuple((name, _read_source(s)) for name, s in shape.arguments.items()),
        reducer=_read_reducer(shape.reducer),
        asks=tuple(shape.asks),
        link_id=shape.link,
        junction=shape.junction,
        via=shape.via,
        when=Condition(w.step, w.operator, w.value, w.truth, w.field, w.text) if w else None,
        may_be_empty=shape.may_be_empty,
        also_links=tuple(shape.also_links),
    )


def _read_reducer(r: _Reducer) -> Reducer:
    near = Point(r.near.latitude, r.near.longitude, r.near.step) if r.near else None
    within = _read_reducer(r.within) if r.within else None
    return Reducer(r.kind, r.field, r.value, r.text, r.k, r.longitude, near, within)


def _read_source(shape: _Source) -> ArgumentSource:
    match shape.source:
        case "user":
            return UserValue(shape.value or "", shape.text or "", shape.relation)
        case "default":
            return DefaultValue(shape.value or "")
        case "step":
            return BoundValue(shape.step or "", shape.path or "", shape.transform)
