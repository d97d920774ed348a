"""Publishing as tasks: one version of every dataset, and what Prefect's pages show of it."""

from __future__ import annotations

import json
from dataclasses import asdict

from prefect.artifacts import acreate_markdown_artifact, acreate_table_artifact
from prefect.assets import materialize
from prefect.context import FlowRunContext

from edge.datasets.calls import calls_by_platform
from edge.datasets.store import Store
from edge.settings import Settings
from edge.stages.costs import costs_of, saving_of
from edge.stages.learned import lesson_lines, lesson_table, what_was_learned
from edge.stages.params import Run, RunSummary, StageRef
from edge.stages.publishing import MERGED, publish_stage
from edge.stages.revalidation import publish_revalidation, reshaped
from tasks.announcing import announce, assets_of, note_assets
from tasks.policy import OPTIONS, stage_task
from tasks.progress import shown


@materialize("edge://outputs", name="publish", task_run_name="publish", **OPTIONS)
async def publish_parts(run: Run, refs: dict[str, list[StageRef]]) -> RunSummary:
    """Publish the run's datasets and rebuild the catalog; a run that checks a version publishes what it found."""
    if run.check is None:
        summary = publish_stage(run, refs)
    else:
        summary = publish_revalidation(run, refs["outcomes"], refs["revalidations"][0])
    note_assets(run.params.outputs, summary)
    return summary


async def publish(run: Run, refs: dict[str, list[StageRef]]) -> RunSummary:
    """Publish what `refs` lists by dataset, each as an asset, and tell flows that wait for it."""
    made = publish_parts.with_options(assets=assets_of(run.params.outputs, [*refs, *MERGED]))
    summary = await made(run, refs)
    context = FlowRunContext.get()
    announce(run.params, summary, context.flow.name if context and context.flow else "")
    return summary


async def publish_checked(run: Run, batches: list[StageRef], sealed: StageRef) -> RunSummary:
    """Publish what executing again has shown, the trajectories too where any is no longer as it was."""
    refs = {"outcomes": batches, "revalidations": [sealed], "rejects": [sealed]}
    if reshaped(sealed):
        refs |= {"trajectories": [sealed], "tools": []}
    return await publish(run, refs)


@stage_task("report", retries=0)
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
    await shown(acreate_table_artifact, key="funnel", table=funnel, description=f"stages of {summary.version}")
    calls = [
        {"platform": one.platform, "calls": one.calls, **one.ended}
        | {f"why {outcome}": one.say(outcome) for outcome in ("structural", "environmental")}
        for one in calls_by_platform(store.root, summary.version)
    ]
    ended = f"how the calls of {summary.version} ended"
    await shown(acreate_table_artifact, key="calls", table=calls, description=ended)
    if costs := costs_of(store.root, summary.version):
        by_hand = Settings.model_validate({}).llm.manual_usd_per_row
        saving = saving_of(costs, summary.counts.get("trajectories", 0), by_hand)
        price = saving.said() if saving else "no price"
        table = [asdict(cost) for cost in costs]
        await shown(acreate_table_artifact, key="models", table=table, description=price)
    if "tool_shapes" in summary.counts:
        learned = what_was_learned(store.root, summary.version)
        told = "\n".join(lesson_lines(learned))
        about = f"```\n{told}\n```"
        await shown(acreate_table_artifact, key="learned", table=lesson_table(learned), description=about)
    lines = [f"# {summary.version}", "", *(f"- {name}: {n}" for name, n in sorted(summary.counts.items()))]
    if "trajectories" in summary.counts:
        rows = store.rows("trajectories", summary.version)[:5]
        lines += ["", "## Requests", "", *(f"- {row['query']}" for row in rows)]
    where = str(summary.catalog)
    await shown(acreate_markdown_artifact, key="summary", markdown="\n".join(lines), description=where)
