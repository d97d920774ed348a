"""A plan and its role become a request: whole, or with a value left out (CallPlan, role -> UserTask)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

from edge.ids import digest
from edge.llm.protocol import Model
from edge.plans.gaps import gap_of, without
from edge.plans.model import CallPlan, Gap, UserTask
from edge.plans.requests import RequestFailed, RequestPrompts, RequestSettings, write_request
from edge.plans.roles import Role
from edge.plans.runner import Execution
from edge.specs.model import Tool
from edge.text import compact


async def write_task(
    plan: CallPlan,
    execution: Execution,
    role: Role,
    tools: Mapping[str, Tool],
    model: Model,
    prompts: RequestPrompts,
    settings: RequestSettings,
    *,
    seed: int,
) -> UserTask:
    """Return the request of a plan in a role; a plan that has no value to leave out has its tools withheld instead.

    Raises:
        RequestFailed: every attempt broke a rule.
    """
    rng = random.Random(f"{seed}:gap:{plan.plan_id}")
    gap = gap_for(role, plan, tools, rng)
    said = without(plan, gap) if gap else plan
    task = await write_request(said, execution, tools, model, prompts, settings, seed=seed)
    if gap is None:
        return replace(task, kind="recovery") if role == "recovery" else task
    if gap.text is not None and compact(gap.text) in compact(task.query):
        raise RequestFailed("request_states_missing", f"{gap.text} | {task.query}")
    identity = digest(["task", plan.plan_id, task.query, gap.reason], 16)
    return replace(task, task_id=identity, plan=plan, kind=gap.kind, gap=gap)


def gap_for(role: Role, plan: CallPlan, tools: Mapping[str, Tool], rng: random.Random) -> Gap | None:
    """Return what a role takes from a plan; None for the roles that take nothing."""
    if role in ("positive", "recovery"):
        return None
    return gap_of(role, plan, tools, rng) or gap_of("withheld", plan, tools, rng)
