"""Stage 2: verified links become grounded plans, and plans become requests (links -> user_tasks)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from edge.execution.memo import MemoCaller
from edge.ids import canonical_json
from edge.llm.profiles import find_profile
from edge.llm.usage import UsageMeter
from edge.plans.draft import PlanFailed
from edge.plans.model import UserTask
from edge.plans.requests import RequestFailed, RequestPrompts, RequestSettings
from edge.plans.roles import ROLES, Quotas, Role, roles_for
from edge.plans.rows import task_of, task_row
from edge.plans.steering import set_out, used_by
from edge.plans.tasks import write_task
from edge.plans.walk import MADE, Walker, WalkSettings
from edge.settings import Settings
from edge.stages.batches import harvest
from edge.stages.context import Context, usage_rows
from edge.stages.params import Run, StageRef, SynthesizeParams


async def requests_stage(
    run: Run, low: int, high: int, earlier: Sequence[StageRef] = (), made: Sequence[StageRef] = ()
) -> StageRef:
    """Ground the plans numbered low..high-1 by live calls and write a request for each.

    `earlier` are the batches before: a request that one of them has is dropped, for it would be one row twice; links
    and tools that none of their plans calls come first. `made` are the trajectories that came of them: the roles that
    are under-represented among these come first.
    """
    context, stage = Context(run), "requests"
    key = context.key(stage, low=low, high=high, earlier=[ref.key for ref in earlier], made=[ref.key for ref in made])
    if done := context.finished(stage, key):
        return done
    began = time.monotonic()
    meter = UsageMeter()
    model, prompts = context.model("task_generation", meter), RequestPrompts.load()
    settings = settings_of(run.params)
    quotas = Quotas(run.params.negatives, run.params.recovery)
    roles = roles_for(high - low, kept_by_role(made), quotas)
    planned: list[tuple[str, tuple[int, Role]]] = [(f"plan-{low + n}", (low + n, role)) for n, role in enumerate(roles)]
    before = [row for ref in earlier for row in context.read(ref, "user_tasks")]
    used = used_by((t.plan for t in map(task_of, before) if t.gap is None), context.tools)
    lost: Counter[str] = Counter()
    for ref in earlier:
        lost.update({str(row["link_id"]): walks_lost(row) for row in context.read(ref, "link_walks")})
    used += set_out(lost, {x.link.link_id: x.link for x in context.learned})
    walker = Walker(
        context.tools, context.learned, context.filler(explored=True), WalkSettings(), seed=run.params.seed, used=used
    )
    async with context.gateway() as (client, log):
        caller = MemoCaller(client)

        async def make(item: tuple[int, Role]) -> UserTask:
            plan, execution = await walker.plan(item[0], caller)
            return await write_task(
                plan, execution, item[1], context.tools, model, prompts, settings, seed=run.params.seed
            )  # fmt: skip

        with log.step("", f"ground-{low}"):
            written = await harvest(
                "task_generation",
                planned,
                make,
                (PlanFailed, RequestFailed),
                concurrency=context.side_by_side,
            )
        outcomes = log.rows()
    unique: dict[str, UserTask] = {}
    known = {row["task_id"] for row in before}
    for task in written.kept:
        if task.task_id in known or unique.setdefault(task.task_id, task) is not task:
            written.drop(task.task_id, "same_task", task.query)
    rows = {
        "user_tasks": [task_row(t, run.run_id) for t in unique.values()],
        "outcomes": outcomes,
        "rejects": written.reject_rows(run.run_id),
        "usage": usage_rows(meter, run),
        "stage_ledger": [written.count.row(run.run_id)],
        "link_walks": list(walk_rows(walker.walks, low, run.run_id)),
    }
    return context.finish(stage, key, rows, began, {"tasks": len(unique), "low": low, "high": high})


def settings_of(params: SynthesizeParams) -> RequestSettings:
    """Return how requests are written: for a model that loses what stands in a brief, from outlines alone."""
    asked = params.asks_model("task_generation")
    table = Settings.model_validate({}).llm.models
    small = asked and find_profile(params.llm, params.model or "", params.llm_base_url, table).outlined
    usual = RequestSettings(language=params.language)
    return replace(usual, free=0) if small else usual


def walk_rows(walks: Mapping[str, Counter[str]], low: int, run_id: str) -> Iterator[dict[str, object]]:
    """Yield the rows of `link_walks` of a batch whose first plan is number `low`."""
    for link_id, came in sorted(walks.items()):
        reasons = {reason: n for reason, n in came.items() if reason != MADE}
        yield {
            "link_id": link_id,
            "from_plan": low,
            "walks": came.total(),
            "plans": came[MADE],
            "reasons": canonical_json(reasons),
            "run_id": run_id,
        }


def walks_lost(row: Mapping[str, object]) -> int:
    """Return how many walks of a row led nowhere."""
    return int(str(row["walks"])) - int(str(row["plans"]))


def kept_by_role(made: Sequence[StageRef]) -> dict[str, int]:
    """Return how many trajectories of each role came of earlier batches."""
    return {role: sum(ref.figures.get(role, 0) for ref in made) for role in ROLES}
