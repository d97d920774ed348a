"""Plans as JSON and back, without loss: how they travel between stages as files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict

from edge.ids import Json
from edge.plans.model import (
    ArgumentSource,
    BoundValue,
    CallPlan,
    DefaultValue,
    JunctionKind,
    PlanStep,
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
    step: str | None = None
    path: str | None = None
    transform: str | None = None


class _Reducer(_Shape):
    kind: ReducerKind
    field: str | None = None
    value: str | None = None
    text: str | None = None


class _Step(_Shape):
    id: str
    tool: str
    arguments: dict[str, _Source]
    reducer: _Reducer
    asks: list[str]
    link: str | None
    junction: JunctionKind | None
    via: str | None = None


class _Plan(_Shape):
    plan_id: str
    today: str
    widths: list[int]
    steps: list[_Step]


def plan_to_json(plan: CallPlan) -> dict[str, Json]:
    """Return the plan as JSON; absent values are left out."""
    shape = _Plan(
        plan_id=plan.plan_id, today=plan.today, widths=list(plan.widths), steps=[_step(s) for s in plan.steps]
    )
    return shape.model_dump(mode="json", exclude_unset=True)


def plan_from_json(data: Mapping[str, Json]) -> CallPlan:
    """Return the plan that `plan_to_json` wrote.

    Raises:
        pydantic.ValidationError: the JSON is no plan.
    """
    shape = _Plan.model_validate(data)
    return CallPlan(shape.plan_id, tuple(_read_step(s) for s in shape.steps), shape.today, tuple(shape.widths))


def _step(step: PlanStep) -> _Step:
    return _Step(
        id=step.step_id,
        tool=step.tool_id,
        arguments={name: _source(source) for name, source in step.arguments},
        reducer=_Reducer(
            kind=step.reducer.kind, field=step.reducer.field, value=step.reducer.value, text=step.reducer.text
        ),
        asks=list(step.asks),
        link=step.link_id,
        junction=step.junction,
        via=step.via,
    )


def _source(source: ArgumentSource) -> _Source:
    match source:
        case UserValue():
            return _Source(source="user", value=source.value, text=source.text)
        case DefaultValue():
            return _Source(source="default", value=source.value)
        case BoundValue():
            return _Source(source="step", step=source.step, path=source.path, transform=source.transform)


def _read_step(shape: _Step) -> PlanStep:
    r = shape.reducer
    return PlanStep(
        step_id=shape.id,
        tool_id=shape.tool,
        arguments=tuple((name, _read_source(s)) for name, s in shape.arguments.items()),
        reducer=Reducer(r.kind, r.field, r.value, r.text),
        asks=tuple(shape.asks),
        link_id=shape.link,
        junction=shape.junction,
        via=shape.via,
    )


def _read_source(shape: _Source) -> ArgumentSource:
    match shape.source:
        case "user":
            return UserValue(shape.value or "", shape.text or "")
        case "default":
            return DefaultValue(shape.value or "")
        case "step":
            return BoundValue(shape.step or "", shape.path or "", shape.transform)
