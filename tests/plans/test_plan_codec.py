"""Plans survive files; their signature is their shape and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planworld import DRV_PLAN, FAN_PLAN, SEM_PLAN, plans, task_for
from pydantic import ValidationError

from edge.ids import canonical_json
from edge.plans.codec import plan_from_json, plan_to_json
from edge.plans.model import BoundValue, CallPlan, PlanStep, Reducer, UserValue
from edge.plans.rows import argument_values, arguments_key, signature_of, task_of, task_row


@given(plans())
def test_plans_survive_json(plan: CallPlan) -> None:
    assert plan_from_json(json.loads(json.dumps(plan_to_json(plan)))) == plan


@given(plans(), st.text(max_size=20))
def test_rows_give_the_request_back(plan: CallPlan, query: str) -> None:
    task = task_for(plan, query, persona="이사를 준비하는 직장인")
    row = task_row(task, "run")
    read = task_of(row)
    # Canonical JSON sorts arguments by name; nothing but their order may change.
    assert replace(read, plan=plan) == task
    assert task_row(read, "run") == row
    assert row["plan_signature"] == signature_of(plan)
    assert canonical_json(json.loads(str(row["plan"]))) == row["plan"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda j: j.pop("today"),
        lambda j: j.update(extra=1),
        lambda j: j["steps"][0].update(junction="LOOP"),
        lambda j: j["steps"][0]["reducer"].update(kind="median"),
        lambda j: j["steps"][0]["arguments"]["market"].update(source="guess"),
    ],
)
def test_what_is_no_plan_is_refused(spoil: Callable[[dict[str, object]], object]) -> None:
    data = json.loads(json.dumps(plan_to_json(DRV_PLAN)))
    spoil(data)
    with pytest.raises(ValidationError):
        plan_from_json(data)


def renamed(plan: CallPlan, order: list[int]) -> CallPlan:
    """Return the plan with its steps in another order that still has parents first, and with other ids."""
    names = {s.step_id: f"z{n}" for n, s in enumerate(plan.steps)}
    left, done = [plan.steps[i] for i in order], list[PlanStep]()
    while left:
        step = next(s for s in left if set(s.needs) <= {d.step_id for d in done})
        left.remove(step)
        done.append(step)
    compared = plan.comparison and replace(plan.comparison, steps=tuple(names[s] for s in plan.comparison.steps))
    return replace(plan, steps=tuple(_renamed(s, names) for s in done), comparison=compared)


def _renamed(step: PlanStep, names: dict[str, str]) -> PlanStep:
    arguments = tuple(
        (name, replace(source, step=names[source.step]) if isinstance(source, BoundValue) else source)
        for name, source in reversed(step.arguments)
    )
    when = replace(step.when, step=names[step.when.step]) if step.when else None
    return replace(step, step_id=names[step.step_id], arguments=arguments, when=when)


@given(plans(), st.data())
def test_signature_does_not_see_ids_and_order(plan: CallPlan, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(plan.steps))))
    other = renamed(plan, order)
    assert signature_of(other) == signature_of(plan)
    assert arguments_key(other) == arguments_key(plan)


def edited(plan: CallPlan, position: int, **changes: object) -> CallPlan:
    steps = list(plan.steps)
    steps[position] = replace(steps[position], **changes)  # type: ignore[arg-type]
    return replace(plan, steps=tuple(steps))


def test_signature_does_not_see_values() -> None:
    other = edited(DRV_PLAN, 0, arguments=(("market", UserValue("M9", "다른시장")),))
    other = replace(other, plan_id="x", today="2020-01-01", widths=(9, 9))
    assert signature_of(other) == signature_of(DRV_PLAN)
    assert arguments_key(other) != arguments_key(DRV_PLAN)
    named = [edited(DRV_PLAN, 0, reducer=Reducer("filter", "shopNm", v, v)) for v in ("가온상점1호", "나루상점1호")]
    assert signature_of(named[0]) == signature_of(named[1])
    assert arguments_key(named[0]) != arguments_key(named[1])


def test_where_a_value_stands_counts() -> None:
    """The same values elsewhere are another need: most of the first market and least of the second, or the reverse."""
    most, least = Reducer("max", "salesAmt"), Reducer("min", "salesAmt")

    def plan(first: str, second: str) -> CallPlan:
        steps = [
            replace(DRV_PLAN.steps[0], step_id=f"s{n}", arguments=(("market", UserValue(v, v)),), reducer=r)
            for n, (v, r) in enumerate(((first, most), (second, least)))
        ]
        return replace(DRV_PLAN, steps=tuple(steps))

    one, other = plan("M1", "M2"), plan("M2", "M1")
    assert signature_of(one) == signature_of(other)
    assert sorted(argument_values(one)) == sorted(argument_values(other))
    assert arguments_key(one) != arguments_key(other)


@pytest.mark.parametrize(
    "other",
    [
        edited(DRV_PLAN, 1, tool_id="portal_region"),
        edited(DRV_PLAN, 1, asks=("seatCnt",)),
        edited(DRV_PLAN, 1, arguments=(("shopId", BoundValue("s1", "rgnCd")),)),
        edited(DRV_PLAN, 1, arguments=(("shopId", BoundValue("s1", "shopId", "slice:0:5")),)),
        edited(DRV_PLAN, 1, arguments=(("other", BoundValue("s1", "shopId")),)),
        edited(DRV_PLAN, 0, reducer=Reducer("min", "salesAmt")),
        edited(DRV_PLAN, 0, reducer=Reducer("max", "empCnt")),
        edited(DRV_PLAN, 0, arguments=()),
        replace(DRV_PLAN, steps=DRV_PLAN.steps[:1]),
    ],
)
def test_signature_sees_tools_paths_reducers_and_asks(other: CallPlan) -> None:
    assert signature_of(other) != signature_of(DRV_PLAN)


def test_signature_does_not_see_the_order_of_asks() -> None:
    assert signature_of(edited(DRV_PLAN, 1, asks=("rentAmt", "seatCnt"))) == signature_of(DRV_PLAN)


def test_argument_values_are_what_is_stated() -> None:
    named = edited(DRV_PLAN, 0, reducer=Reducer("filter", "shopNm", "가온상점1호", "가온상점1호"))
    assert argument_values(named) == ["portal_shops.market=M30", "portal_shops.shopNm=가온상점1호"]


def test_shapes_are_counted() -> None:
    assert (FAN_PLAN.n_calls, FAN_PLAN.max_parallel, FAN_PLAN.levels) == (4, 3, (1, 2))
    assert (SEM_PLAN.n_calls, SEM_PLAN.max_parallel, SEM_PLAN.junctions) == (3, 2, ("SEM",))
    assert len(SEM_PLAN.link_ids) == 2
