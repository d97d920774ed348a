"""Publishing as tasks: one version of every dataset, and what Prefect's pages show of it."""

from __future__ import annotations

import json
from dataclasses import asdict

from prefect import task
from prefect.artifacts import acreate_markdown_artifact, acreate_table_artifact

from edge.datasets.calls import calls_by_platform
from edge.datasets.store import Store
from edge.settings import Settings
from edge.stages.costs import costs_of, saving_of
from edge.stages.learned import lesson_lines, lesson_table, what_was_learned
from edge.stages.params import Run, RunSummary, StageRef
from edge.stages.publishing import publish_stage
from tasks.policy import OPTIONS


@task(name="publish", task_run_name="publish", **OPTIONS)
async def publish(run: Run, refs: dict[str, list[StageRef]]) -> RunSummary:
    """Publish the run's datasets and rebuild the catalog."""
    return publish_stage(run, refs)


@task(name="report", task_run_name="report", **{**OPTIONS, "retries": 0})
async def report(run: Run, summary: RunSummary) -> None:
    """Show the funnel, how calls ended, what was learned of links, the counts and a few requests as artifacts."""
    store = Store(run.params.outputs.absolute())
    funnel = [
        {
            "stage": row["stage"],
            "in": row["rows_in"],
            "out": row["rows_out"],
            "seconds": row["seconds"],
            "dropped": ", ".join(f"{k} {v}" for k, v in json.loads(str(row["dropped"])).items()),
        }
        for row in store.rows("stage_ledger", summary.version)
    ]
    await acreate_table_artifact(key="funnel", table=funnel, description=f"stages of {summary.version}")
    calls = [
        {"platform": one.platform, "calls": one.calls, **one.ended}
        | {f"why {outcome}": one.say(outcome) for outcome in ("structural", "environmental")}
        for one in calls_by_platform(store.root, summary.version)
    ]
    await acreate_table_artifact(key="calls", table=calls, description=f"how the calls of {summary.version} ended")
    if costs := costs_of(store.root, summary.version):
        by_hand = Settings.model_validate({}).llm.manual_usd_per_row
        saving = saving_of(costs, summary.counts.get("trajectories", 0), by_hand)
        table = [asdict(cost) for cost in costs]
        await acreate_table_artifact(key="models", table=table, description=saving.said() if saving else "no price")
    if "tool_shapes" in summary.counts:
        learned = what_was_learned(store.root, summary.version)
        told = "\n".join(lesson_lines(learned))
        await acreate_table_artifact(key="learned", table=lesson_table(learned), description=f"```\n{told}\n```")
    lines = [f"# {summary.version}", "", *(f"- {name}: {n}" for name, n in sorted(summary.counts.items()))]
    if "trajectories" in summary.counts:
        rows = store.rows("trajectories", summary.version)[:5]
        lines += ["", "## Requests", "", *(f"- {row['query']}" for row in rows)]
    await acreate_markdown_artifact(key="summary", markdown="\n".join(lines), description=str(summary.catalog))
