"""Calls go wrong for real before they go right: by a value in the wrong form, or by a fault that passes."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from planworld import DRV_PLAN, FAN_PLAN, World, living, plan_of, task_for, world_tools
from wireserver import Reply, Seen, client, serving

from edge.calls import Caller
from edge.execution.model import Trajectory, trajectory_row
from edge.execution.recovery import FAULT_HEADER, PASSING, Faults, provoke, slips_of
from edge.execution.showing import offered_schema
from edge.execution.validation import ValidationSettings, validate
from edge.execution.verify import verify_one
from edge.ids import Json
from edge.llm.offline import OfflineModel
from edge.llm.prompts import load_prompt
from edge.plans.model import BoundValue, CallPlan, PlanStep, Reducer, UserValue
from edge.plans.runner import run_plan
from edge.sequences.model import CallSequence
from edge.specs.model import Parameter

TOOLS = world_tools()
QUERY = "큰마루시장에서 매출액이 가장 큰 가게의 좌석수와 임대료를 알려 주세요."
SCHEMAS: dict[str, Json] = {t.tool_id: offered_schema(t, "쪽") for t in TOOLS.values()}


class Failing(World):
    """A world that fails a call that asks for it, as a sandbox does, and at other times for a while."""

    outage = False

    def answer(self, seen: Seen) -> Reply:
        if self.outage or seen.headers.get(FAULT_HEADER):
            return Reply(b"down", status=503)
        return super().answer(seen)


@contextlib.contextmanager
def nothing_noted(_task: str, _step: str) -> Iterator[None]:
    yield


async def recovered(plan: CallPlan, gateway: Caller, faults: Faults | None, noted: Any = nothing_noted) -> Trajectory:
    task = task_for(plan, QUERY, kind="recovery")
    sequence = CallSequence(task.task_id, plan, "read_back", "offline/ko", "p")
    return await validate(
        task, sequence, TOOLS, gateway, OfflineModel(), load_prompt("final_answer"), ValidationSettings(),
        offered=list(TOOLS.values()), system="오늘은 {today}입니다.", noted=noted, faults=faults,
    )  # fmt: skip


def seed_of(plan: CallPlan) -> random.Random:
    return random.Random(plan.plan_id)


async def test_a_value_as_it_was_said_fails_and_is_repaired() -> None:
    places: list[str] = []

    @contextlib.contextmanager
    def note(_task: str, step: str) -> Iterator[None]:
        places.append(step)
        yield

    async with living(World()) as (gateway, _):
        made = await recovered(DRV_PLAN, gateway, None, note)
        row = dict(trajectory_row(made, TOOLS, "run", SCHEMAS))
        assert await verify_one(row, TOOLS, gateway) == []
    assert places == ["s1", "s2", "s1!"]  # a recording keeps the failure apart from the call that goes right
    assert (row["kind"], row["n_calls"]) == ("recovery", 2)
    (failure,) = json.loads(str(row["recipe"]))["failures"]
    assert failure == {
        "id": "c1e1", "call": "c1", "tool": "portal_shops", "arguments": {"market": "큰마루시장"}, "outcome": "empty",
        "reason": "no_data", "fault": None,
    }  # fmt: skip
    calls = [c["id"] for m in json.loads(str(row["messages"])) for c in m.get("tool_calls", [])]
    assert calls == ["c1e1", "c1", "c2"]


async def test_a_fault_that_passes_is_asked_for_and_repeated_by_the_same_call() -> None:
    async with living(Failing()) as (gateway, _):
        made = [await recovered(plan_with(i), gateway, Faults(gateway)) for i in range(12)]
        rows = [dict(trajectory_row(m, TOOLS, "run", SCHEMAS)) for m in made]
        failures = [f for r in rows for f in json.loads(str(r["recipe"]))["failures"]]
        faulty = [r for r, f in zip(rows, failures, strict=True) if f["fault"]]
        assert [await verify_one(r, TOOLS, gateway, recorded=True) for r in rows] == [[]] * 12
    assert 2 < len(faulty) < 10
    assert {f["fault"] for f in failures} <= {None, *PASSING}
    for row in faulty:
        (failure,) = json.loads(str(row["recipe"]))["failures"]
        golden = {c["id"]: c for c in json.loads(str(row["golden_calls"]))}
        assert (failure["outcome"], failure["arguments"]) == (
            "environmental", golden[failure["call"]]["arguments"]
        )  # fmt: skip
    # Elsewhere the fault does not happen again; only a recording has it.
    async with living(World()) as (gateway, _):
        assert await verify_one(faulty[0], TOOLS, gateway) == []
        (difference,) = await verify_one(faulty[0], TOOLS, gateway, recorded=True)
    assert difference.kind == "failure_differs"
    assert "ok ok, shipped environmental" in difference.detail


def plan_with(number: int) -> CallPlan:
    return replace(DRV_PLAN, plan_id=f"{number}")


async def test_a_slip_that_is_answered_is_none_and_the_row_stays_positive() -> None:
    world = World()
    world.shops["큰마루시장"] = world.shops["M30"]  # the name does as well as the code
    async with living(world) as (gateway, _):
        made = await recovered(DRV_PLAN, gateway, None)
    assert (made.kind, made.failures) == ("positive", ())


async def test_a_failure_that_no_longer_happens_is_named() -> None:
    async with living(World()) as (gateway, _):
        row = dict(trajectory_row(await recovered(DRV_PLAN, gateway, None), TOOLS, "run", SCHEMAS))
    world = World()
    world.shops["큰마루시장"] = world.shops["M30"]
    async with living(world) as (gateway, _):
        (difference,) = await verify_one(row, TOOLS, gateway)
    assert (difference.kind, difference.detail) == ("failure_differs", "c1e1: ok ok, shipped empty no_data")


async def test_slips_are_values_in_another_form() -> None:
    first = replace(TOOLS["portal_shops"], parameters=(
        *TOOLS["portal_shops"].parameters, Parameter("ym", "연월", kind="month", format="%Y%m"),
    ))  # fmt: skip
    tools = {**TOOLS, "portal_shops": first}
    entry = PlanStep("s1", "portal_shops", (
        ("market", UserValue("M3", "두물머리시장")), ("ym", UserValue("202605", "2026년 5월")),
    ), Reducer("all"))  # fmt: skip
    cut = replace(FAN_PLAN.steps[1], arguments=(("shopId", BoundValue("s1", "shopId", "slice:0:6")),))
    plan = plan_of(entry, cut, widths=(1, 3))
    world = World()
    world.details |= {f"S3{i:04d}": {"shopId": "x", "seatCnt": 1} for i in range(3)}
    world.shops["M3"] = [{**s, "shopId": f"S3{i:04d}99"} for i, s in enumerate(world.shops["M3"])]
    async with living(world) as (gateway, _):
        execution = await run_plan(plan.steps, tools, gateway)
    slips = [(s.call.call_id, s.arguments) for s in slips_of(plan, execution, tools)]
    assert slips == [
        ("c1", {"market": "두물머리시장", "ym": "202605"}),
        ("c1", {"market": "M3", "ym": "2026-05"}),
        ("c1", {"market": "M3", "ym": "2026년 5월"}),
        ("c2", {"shopId": "S3000099"}), ("c3", {"shopId": "S3000199"}), ("c4", {"shopId": "S3000299"}),
    ]  # fmt: skip


async def test_an_outage_teaches_nothing_about_a_slip() -> None:
    world = Failing()
    async with serving(world.answer) as server, client(server) as gateway:
        execution = await run_plan(DRV_PLAN.steps, TOOLS, gateway)
        world.outage = True
        noted: Callable[[str], Any] = lambda _: contextlib.nullcontext()  # noqa: E731
        assert await provoke(DRV_PLAN, execution, TOOLS, gateway, noted, seed_of(DRV_PLAN)) is None
