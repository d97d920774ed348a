"""Shipped trajectories are executed again: they hold, are refreshed, or are stale (trajectories -> revalidations).

A row that no answer came for is neither: an outage says nothing about it, and it stays as it was.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from edge.datasets.ledger import StageCount
from edge.datasets.store import Store
from edge.errors import RunError, StoreError, UsageError
from edge.execution.model import Reject, ValidationFailed
from edge.execution.recovery import Faults
from edge.execution.refreshing import Refresher
from edge.execution.verify import verify_one
from edge.ids import digest
from edge.llm.prompts import agent_text, load_prompt
from edge.llm.usage import UsageMeter
from edge.specs.rows import tool_of
from edge.stages.batches import harvest
from edge.stages.context import Context, usage_rows
from edge.stages.execution_validation import FAILS_AT_WILL
from edge.stages.params import Check, RevalidateParams, Run, RunSummary, StageRef
from edge.stages.publishing import publish_stage
from edge.stages.recordings import bring_outputs

Row = Mapping[str, object]
Verdict = Literal["holds", "refreshed", "stale", "unreached"]
STAGE, KEY = "revalidation", "revalidate"
_OUTAGE = "call_environmental"


def what_to_check(params: RevalidateParams) -> tuple[Check, str]:
    """Return what is executed again, and the endpoint that answers: the one named, else that of the version's run.

    Raises:
        UsageError: no trajectories are published, or not under this version.
    """
    bring_outputs(params)
    store = Store(params.outputs.absolute())
    versions = store.versions("trajectories")
    if not versions:
        raise UsageError(f"{params.outputs} holds no trajectories; run: edge synthesize --outputs {params.outputs}")
    version = params.version or versions[-1]
    if version not in versions:
        raise UsageError(f"{params.outputs} holds no trajectories {version}; the newest are {versions[-1]}")
    manifest = store.manifest("trajectories", version)
    content = digest(list(manifest.content))
    check = Check(version=version, content=content, rows=manifest.rows, batch=params.batch, refresh=params.refresh)
    return check, params.endpoint or _endpoint_of(store, version)


def _endpoint_of(store: Store, version: str) -> str:
    rows = store.rows("runs", version) if version in store.versions("runs") else []
    return next((str(row["endpoint"]) for row in rows), FAILS_AT_WILL)


def home_of(store: Store, version: str, dataset: str) -> str:
    """Return the version that holds what trajectories of `version` were made with: itself, or one they came from.

    Raises:
        StoreError: there is none.
    """
    seen: list[str] = []
    while version not in store.versions(dataset):
        seen.append(version)
        version = store.manifest("trajectories", version).parents.get("trajectories", "")
        if not version or version in seen:
            raise StoreError(f"{store.root} holds no {dataset} of the trajectories {seen[0]}")
    return version


@dataclass(frozen=True, slots=True)
class Checked:
    """A row as it is now, and what was found. `row` is None where it is stale."""

    shipped: Row
    verdict: Verdict
    row: Row | None
    reason: str = ""
    detail: str = ""
    changed: tuple[str, ...] = ()


async def revalidate_stage(run: Run, low: int, high: int) -> StageRef:
    """Execute the rows low..high-1 of the checked version from scratch, each on its own; no call is answered twice.

    Raises:
        StoreError: the version, or the tools that it was made with, are gone or damaged.
    """
    context, check = Context(run), check_of(run)
    key = context.key(KEY, low=low, high=high)
    if done := context.finished(KEY, key):
        return done
    began, meter = time.monotonic(), UsageMeter()
    store = Store(context.outputs)
    rows = store.rows("trajectories", check.version)[low:high]
    tools = {t.tool_id: t for t in map(tool_of, store.rows("tools", home_of(store, check.version, "tools")))}
    model, prompt = context.model(STAGE, meter), load_prompt("final_answer")
    async with (
        context.gateway() as (client, log),
        context.gateway(attempts=1, breaker_failures=10**6) as (hasty, fails),
    ):
        faults = Faults(hasty) if run.endpoint == FAILS_AT_WILL else None

        async def one(row: Row) -> Checked:
            found = await verify_one(row, tools, client)
            if not found:
                return Checked(row, "holds", row)
            first = found[0]
            system = agent_text("system", str(row["language"]))
            refresher = Refresher(tools, client, model, prompt, system, faults=faults, noted=log.step)
            try:
                made = await refresher.refresh(row)
            except ValidationFailed as error:
                unreached = error.reason == _OUTAGE
                return Checked(row, "unreached", row, error.reason, error.detail) if unreached else Checked(
                    row, "stale", None, error.reason, error.detail
                )  # fmt: skip
            except (KeyError, TypeError, ValueError) as error:
                return Checked(row, "stale", None, "unreadable", str(error).splitlines()[0])
            if dict(made.row) == dict(row):  # what was wrong has passed meanwhile
                return Checked(row, "holds", row)
            if not check.refresh:
                return Checked(row, "stale", None, first.kind, first.detail, made.changed)
            fresh = {**made.row, "run_id": run.run_id}
            return Checked(row, "refreshed", fresh, first.kind, first.detail, made.changed)

        done_rows = await harvest(STAGE, ((str(r["trajectory_id"]), r) for r in rows), one, ())
        outcomes = [*log.rows(), *fails.rows()]
    return _finish(context, key, done_rows.kept, outcomes, meter, began)


def _finish(
    context: Context, key: str, found: Sequence[Checked], outcomes: Sequence[Row], meter: UsageMeter, began: float
) -> StageRef:
    rows = {
        "trajectories": [c.row for c in found if c.row is not None],
        "revalidations": [_row(c, context.run) for c in found],
        "outcomes": outcomes,
        "usage": usage_rows(meter, context.run),
    }
    figures = dict(Counter(str(c.verdict) for c in found))
    return context.finish(KEY, key, rows, began, {**figures, "checked": len(found)})


def seal_stage(run: Run, batches: Sequence[StageRef]) -> StageRef:
    """Put the batches together: what is left, what was found, and what was lost for which reason.

    Raises:
        RunError: no row could be executed at all: that says nothing about them.
    """
    context = Context(run)
    key = context.key(KEY, seal=[b.key for b in batches])
    if done := context.finished(KEY, key):
        return done
    began = time.monotonic()
    found = [row for b in batches for row in context.read(b, "revalidations")]
    verdicts = Counter(str(row["verdict"]) for row in found)
    if found and verdicts["unreached"] == len(found):
        why = found[0]["detail"]
        raise RunError(f"no call of {len(found)} trajectories was answered ({why}); nothing is published")
    left: dict[str, Row] = {}
    for row in (row for b in batches for row in context.read(b, "trajectories")):
        left.setdefault(str(row["trajectory_id"]), row)
    came: set[str] = set()
    for row in found:  # two that ask for the same thing may have become one
        now = str(row["now_id"] or "")
        if now and now in came:
            row.update(verdict="stale", reason="same_id", now_id=None)
        came.add(now)
    stale = [
        Reject(STAGE, str(row["trajectory_id"]), str(row["reason"]), str(row["detail"] or ""))
        for row in found
        if row["verdict"] == "stale"
    ]
    count = StageCount.of(STAGE, len(found), Counter(r.reason for r in stale))
    rows = {
        "trajectories": list(left.values()),
        "revalidations": found,
        "rejects": [r.row(run.run_id) for r in stale],
        "stage_ledger": [count.row(run.run_id)],
    }
    figures = Counter(str(row["verdict"]) for row in found)
    return context.finish(KEY, key, rows, began, {**figures, "kept": count.rows_out})


def reshaped(sealed: StageRef) -> bool:
    """Whether any trajectory is no longer as it was, so that a new version of them is due."""
    return bool(sealed.figures.get("stale") or sealed.figures.get("refreshed"))


def publish_revalidation(run: Run, batches: Sequence[StageRef], sealed: StageRef) -> RunSummary:
    """Publish what was found; the trajectories too where any of them is no longer as it was.

    Raises:
        RunError: no trajectory is left.
        StoreError: a part is damaged, the disk refuses, or another process is writing.
    """
    refs = {"revalidations": [sealed], "rejects": [sealed], "outcomes": list(batches)}
    if not reshaped(sealed):
        return publish_stage(run, refs)
    store = Store(Context(run).outputs)
    home = store.manifest("tools", home_of(store, check_of(run).version, "tools"))
    folder = f"tools/version={home.version}"
    tools = [replace(part, path=f"{folder}/{part.path}") for part in home.parts]
    return publish_stage(run, refs | {"trajectories": [sealed]}, {"tools": tools})


def _row(checked: Checked, run: Run) -> dict[str, object]:
    now = checked.row["trajectory_id"] if checked.row is not None else None
    return {
        "trajectory_id": checked.shipped["trajectory_id"],
        "checked_version": check_of(run).version,
        "verdict": checked.verdict,
        "reason": checked.reason or None,
        "detail": checked.detail[:1000] or None,
        "changed": list(checked.changed),
        "now_id": now,
        "platforms": checked.shipped["platforms"],
        "endpoint": run.endpoint,
        "today": run.now.date().isoformat(),
        "run_id": run.run_id,
    }


def check_of(run: Run) -> Check:
    """Return what a run checks.

    Raises:
        RunError: it checks nothing.
    """
    if run.check is None:
        raise RunError(f"run {run.run_id} checks no version")
    return run.check
