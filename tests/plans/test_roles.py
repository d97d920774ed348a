"""Roles keep to their quotas whatever was lost; gaps take away what a request cannot do without."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planworld import DRV_PLAN, FAN_PLAN, SEM_PLAN, Scripted, World, living, plan_of, shops_step, world_tools

from edge.llm.offline import OfflineModel
from edge.plans.gaps import asked_tools, gap_from_json, gap_of, gap_to_json, without
from edge.plans.model import CallPlan, DefaultValue, Gap, Reducer, UserTask, UserValue
from edge.plans.requests import RequestFailed, RequestPrompts, RequestSettings
from edge.plans.roles import ROLES, Quotas, Role, role_of, roles_for
from edge.plans.rows import task_of, task_row
from edge.plans.runner import run_plan
from edge.plans.tasks import write_task
from edge.specs.model import Parameter
from edge.text import compact

TOOLS = world_tools()
RNG = random.Random(0)


@given(st.integers(0, 300), st.floats(0, 0.5), st.floats(0, 0.4))
def test_roles_come_as_near_to_their_quotas_as_whole_rows_can(count: int, negatives: float, recovery: float) -> None:
    quotas = Quotas(negatives, recovery)
    made = Counter(roles_for(count, {}, quotas))
    assert made.total() == count
    assert all(abs(made[r] - quotas.share(r) * count) < 2 for r in ROLES)


@given(st.dictionaries(st.sampled_from(ROLES), st.integers(0, 40)), st.integers(0, 40))
def test_what_was_lost_is_made_up_for(made: dict[Role, int], count: int) -> None:
    roles = roles_for(count, made, Quotas())
    assert roles == roles_for(count, dict(reversed(made.items())), Quotas())
    total = sum(made.values()) + count
    for role in set(roles):  # nothing is drawn that had its share already
        assert made.get(role, 0) <= Quotas().share(role) * total + 1


@given(st.integers(0, 2**31), st.fixed_dictionaries({role: st.floats(0, 0.5) for role in ROLES}))
@settings(max_examples=30)
def test_quotas_are_met_whatever_each_role_loses_on_the_way(seed: int, losses: dict[Role, float]) -> None:
    rng, made = random.Random(seed), Counter[str]()
    for _ in range(30):
        made.update(r for r in roles_for(40, made, Quotas()) if rng.random() >= losses[r])
    for role in ROLES:
        assert made[role] / made.total() == pytest.approx(Quotas().share(role), abs=0.02)


def test_no_quota_no_role() -> None:
    assert set(roles_for(50, {}, Quotas(0.0, 0.0))) == {"positive"}


@pytest.mark.parametrize(
    ("plan", "asked"),
    [
        (DRV_PLAN, ("portal_detail",)),
        (FAN_PLAN, ("portal_detail",)),
        (SEM_PLAN, ("portal_detail", "portal_region")),
    ],
)
def test_what_is_asked_is_withheld(plan: CallPlan, asked: tuple[str, ...]) -> None:
    assert asked_tools(plan) == asked
    gap = gap_of("withheld", plan, TOOLS, RNG)
    assert gap == Gap("withheld", ", ".join(TOOLS[t].noun for t in asked), asked)
    assert (gap.kind, without(plan, gap)) == ("irrelevant", plan)


def test_unrelated_offers_lack_every_tool() -> None:
    gap = gap_of("unrelated", DRV_PLAN, TOOLS, RNG)
    assert gap == Gap("unrelated", TOOLS["portal_detail"].noun, ("portal_shops", "portal_detail"))


def test_a_value_that_a_required_parameter_wants_can_be_missing() -> None:
    gap = gap_of("missing", DRV_PLAN, TOOLS, RNG)
    assert gap is not None
    assert (gap.kind, gap.step, gap.parameter, gap.text) == ("missing_parameter", "s1", "market", "큰마루시장")
    assert without(DRV_PLAN, gap).steps[0].arguments == ()
    assert without(DRV_PLAN, gap).steps[1] == DRV_PLAN.steps[1]


def with_period(*said: str) -> tuple[CallPlan, Any]:
    """A plan whose entry also takes the months from and to, as the user says them."""
    shops, entry = TOOLS["portal_shops"], DRV_PLAN.steps[0]
    labels = {"from": "시작 연월", "to": "종료 연월"}
    months = [Parameter(name, label, required=True, kind="month") for name, label in labels.items()]
    values = tuple((name, UserValue(text, text)) for name, text in zip(labels, said, strict=True))
    tools = {**TOOLS, "portal_shops": replace(shops, parameters=(*shops.parameters, *months))}
    return plan_of(replace(entry, arguments=values), DRV_PLAN.steps[1]), tools


def test_a_value_of_several_parameters_is_asked_for_by_what_they_share() -> None:
    plan, tools = with_period("2026년 5월", "2026년 5월")
    gap = gap_of("missing", plan, tools, RNG)
    assert gap is not None
    assert (gap.label, gap.text) == ("연월", "2026년 5월")
    assert without(plan, gap).steps[0].arguments == ()


def test_a_value_is_not_missing_where_another_could_serve_for_it() -> None:
    plan, tools = with_period("2026년 4월", "2026년 5월")
    assert gap_of("missing", plan, tools, RNG) is None


def test_a_branch_that_was_not_taken_is_withheld_but_not_named() -> None:
    other = replace(DRV_PLAN.steps[1], step_id="s3", tool_id="portal_region")
    gap = gap_of("withheld", replace(DRV_PLAN, untaken=(other,)), TOOLS, RNG)
    assert gap == Gap("withheld", TOOLS["portal_detail"].noun, ("portal_detail", "portal_region"))


def optional(default: str | None = None, required: bool = False) -> Any:
    shops = TOOLS["portal_shops"]
    first, *rest = shops.parameters
    changed = replace(first, required=required, default=default)
    return {**TOOLS, "portal_shops": replace(shops, parameters=(changed, *rest))}


@pytest.mark.parametrize(
    ("plan", "tools"),
    [
        (DRV_PLAN, optional()),  # the call can be made without it
        (DRV_PLAN, optional("M1", required=True)),  # a client would send its default
        (plan_of(replace(DRV_PLAN.steps[0], arguments=(("market", DefaultValue("M30")),))), TOOLS),  # nobody says it
        (plan_of(shops_step("M30", Reducer("filter", "marketNm", "큰마루시장", "큰마루시장"))), TOOLS),  # said twice
    ],
)
def test_what_the_call_does_without_or_the_request_still_tells_is_not_missing(plan: CallPlan, tools: Any) -> None:
    assert gap_of("missing", plan, tools, RNG) is None


def test_a_value_said_in_several_places_goes_from_all_of_them() -> None:
    said = UserValue("1", "서울 큰마루시장")
    second = replace(DRV_PLAN.steps[1], arguments=(*DRV_PLAN.steps[1].arguments, ("place", said)))
    twice = plan_of(DRV_PLAN.steps[0], second)
    gap = gap_of("missing", DRV_PLAN, TOOLS, RNG)
    assert gap is not None
    assert [dict(s.arguments).keys() for s in without(twice, gap).steps] == [set(), {"shopId"}]


@given(
    st.sampled_from(["unrelated", "withheld", "missing"]), st.text(max_size=5), st.lists(st.text(max_size=3)),
    st.none() | st.text(max_size=3), st.none() | st.text(max_size=3),
)  # fmt: skip
def test_gaps_travel_as_json(reason: Any, label: str, tools: list[str], step: str | None, text: str | None) -> None:
    gap = Gap(reason, label, tuple(tools), step, step, text)
    assert gap_from_json(gap_to_json(gap)) == gap


def test_what_is_no_gap_is_refused() -> None:
    with pytest.raises(ValueError, match="no gap"):
        gap_from_json({"reason": "lazy", "label": "x"})


async def written(role: Role, model: Any = None, plan: CallPlan = DRV_PLAN) -> UserTask:
    async with living(World()) as (gateway, _):
        execution = await run_plan(plan.steps, TOOLS, gateway)
    prompt, settings = RequestPrompts.load(), RequestSettings()
    return await write_task(plan, execution, role, TOOLS, model or OfflineModel(), prompt, settings, seed=1)


async def test_requests_of_every_role() -> None:
    tasks = {role: await written(role) for role in ROLES}
    assert {role: role_of(task) for role, task in tasks.items()} == {role: role for role in ROLES}
    assert [tasks[r].kind for r in ROLES] == ["positive", "recovery", "irrelevant", "irrelevant", "missing_parameter"]
    assert all(task.plan == DRV_PLAN for task in tasks.values())
    assert len({tasks[r].task_id for r in ("positive", "unrelated", "withheld", "missing")}) == 4
    for role, task in tasks.items():
        assert ("큰마루시장" in compact(task.query)) == (role != "missing")
        assert task_of(task_row(task, "run")) == task


async def test_a_plan_without_a_value_to_leave_out_has_its_tools_withheld() -> None:
    silent = plan_of(replace(DRV_PLAN.steps[0], arguments=(("market", DefaultValue("M30")),)), DRV_PLAN.steps[1])
    assert role_of(await written("missing", plan=silent)) == "withheld"


async def test_a_request_that_still_says_what_is_missing_is_none() -> None:
    model = Scripted(lambda _: {"query": "큰마루시장에서 매출액이 가장 큰 가게의 좌석수와 임대료를 알려 주세요."})
    with pytest.raises(RequestFailed) as caught:
        await written("missing", model)
    assert caught.value.reason == "request_states_missing"
