"""Finished batches become one version of every dataset and the catalog over them (work files -> outputs)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from edge import __version__
from edge.datasets.catalog import build_catalog
from edge.datasets.ledger import StageCount
from edge.datasets.parts import PartRef, read_parts
from edge.datasets.store import Store
from edge.datasets.work import WorkDir
from edge.dedup.floors import check_floor, read_floor
from edge.errors import RunError
from edge.ids import Json, digest
from edge.stages.context import Context, merged_ledger, merged_usage
from edge.stages.params import Run, RunSummary, StageRef
from edge.stages.recordings import pass_on_recording
from edge.stages.start import STAGES

MERGED = ("stage_ledger", "usage", "runs")


@dataclass(frozen=True)
class Batches:
    """The finished batches of a `synthesize` run; `by_dataset` says which of them make up which dataset."""

    tools: StageRef
    candidates: StageRef
    explored: Sequence[StageRef]
    requests: Sequence[StageRef]
    keys: Sequence[StageRef]
    trajectories: Sequence[StageRef]
    survivors: StageRef

    def by_dataset(self) -> dict[str, list[StageRef]]:
        """Return the batches of every dataset that a run publishes."""
        written = [*self.requests, *self.keys, *self.trajectories]
        return {
            **{name: [self.tools] for name in ("tools", "spec_notices", "spec_differences")},
            **{name: [self.explored[-1]] for name in ("links", "value_pool", "tool_shapes")},
            "link_walks": [*self.requests],
            "user_tasks": [*self.requests],
            "call_sequences": [*self.keys],
            **{name: [self.survivors] for name in ("trajectories", "duplicates", "contamination", "diversity")},
            "outcomes": [self.tools, *self.explored, *written],
            "rejects": [self.tools, self.candidates, *self.explored, *written, self.survivors],
        }


def publish_stage(
    run: Run, refs: Mapping[str, Sequence[StageRef]], kept: Mapping[str, Sequence[PartRef]] | None = None
) -> RunSummary:
    """Publish a run. `refs` lists, by dataset, the batches whose parts make it up; ledger and usage are added up.

    `kept` are parts of earlier versions that the new one holds as they are.

    Raises:
        RunError: trajectories are wanted and there is none, or they are less varied than `min_diversity` asks for.
        StoreError: a part is damaged, the disk refuses, or another process is writing.
    """
    context = Context(run)
    _refuse_nothing(context, refs)
    _refuse_monotony(context, refs)
    store = Store(context.outputs)
    every = {(r.stage, r.key): r for listed in refs.values() for r in listed}
    in_order = sorted(every.values(), key=lambda r: STAGES.index(r.stage))
    parts = {name: [context.batch(r).part(name) for r in listed] for name, listed in refs.items()}
    parts |= _merged(context, in_order) | dict(kept or {})
    hashes = {
        "spec": run.spec_hash,
        "prompt": run.prompt_hash,
        "config": digest(_config(run)),
        "embedder": context.embedder.name,
    }
    counts: dict[str, int] = {}
    with store.writer():
        for name, listed in sorted(
            parts.items(), key=lambda item: item[0] == "runs"
        ):  # the run row last: it is the seal
            manifest = store.publish(
                name, run.version, listed, run_id=run.run_id, hashes=hashes,
                parents=_parents(run, name, parts),
                counts=_counts(context, parts["stage_ledger"]) if name == "stage_ledger" else (),
            )  # fmt: skip
            counts[name] = manifest.rows
    catalog = build_catalog(context.outputs)
    pass_on_recording(run)
    return RunSummary(run_id=run.run_id, version=run.version, catalog=catalog, counts=counts)


def _refuse_nothing(context: Context, refs: Mapping[str, Sequence[StageRef]]) -> None:
    """Refuse to publish a version without a single trajectory: it would hide the last good one."""
    if "trajectories" not in refs or any(r.figures.get("kept") for r in refs["trajectories"]):
        return
    reasons: Counter[str] = Counter()
    for ref in refs.get("rejects", ()):
        reasons.update(f"{row['stage']}: {row['reason']}" for row in context.read(ref, "rejects"))
    most = ", ".join(f"{reason} ({n})" for reason, n in reasons.most_common(4)) or "no plan could be made"
    raise RunError(f"no trajectory came of this run, nothing is published; most frequent reasons: {most}")


def _refuse_monotony(context: Context, refs: Mapping[str, Sequence[StageRef]]) -> None:
    """Refuse to publish rows that are less varied than was asked for."""
    floors = [read_floor(text) for text in context.run.params.min_diversity]
    short = [line for ref in refs.get("diversity", ()) for line in check_floor(context.frame(ref, "diversity"), floors)]
    if short:
        raise RunError(f"too little diversity, nothing is published: {'; '.join(short)}")


PARENTS: Mapping[str, tuple[str, ...]] = {
    "spec_differences": ("tools",),
    "links": ("tools",),
    "tool_shapes": ("tools",),
    "link_walks": ("links",),
    "user_tasks": ("links", "tools", "value_pool"),
    "call_sequences": ("user_tasks",),
    "trajectories": ("call_sequences",),
    "duplicates": ("trajectories",),
    "contamination": ("trajectories",),
    "diversity": ("trajectories",),
}


def _parents(run: Run, name: str, published: Collection[str]) -> dict[str, str]:
    """Return the versions that a dataset was made from; links may go on from earlier ones."""
    earlier = {"links": run.graph} if name == "links" and run.graph else {}
    if run.check is not None:  # nothing of this run came of anything but the version that it checked
        return {"trajectories": run.check.version} if name in ("trajectories", "revalidations") else {}
    return {p: run.version for p in PARENTS.get(name, ()) if p in published} | earlier


def _merged(context: Context, refs: Sequence[StageRef]) -> dict[str, list[PartRef]]:
    """Add the ledger and usage rows of all batches up and write the run's own row."""
    run = context.run
    ledger: list[dict[str, object]] = []
    usage: list[dict[str, object]] = []
    for ref in refs:
        names = {p.dataset for p in context.batch(ref).parts}
        ledger.extend(_timed(context, ref) if "stage_ledger" in names else [])
        usage.extend(context.read(ref, "usage") if "usage" in names else [])
    work = WorkDir(context.outputs, run.run_id, "publish")
    rows = {"stage_ledger": merged_ledger(run, ledger), "usage": merged_usage(usage), "runs": [_run_row(run)]}
    return {p.dataset: [p] for p in work.put_batch(context.key("publish"), rows).parts}


def _timed(context: Context, ref: StageRef) -> list[dict[str, object]]:
    seconds = context.batch(ref).figures.get("ms", 0) / 1000
    return [{**row, "seconds": seconds} for row in context.read(ref, "stage_ledger")]


def _config(run: Run) -> dict[str, Json]:
    made: dict[str, Json] = run.params.model_dump(mode="json", exclude={"outputs", "recordings", "resume", "specs"})
    return made | ({"check": run.check.model_dump()} if run.check else {})


def _run_row(run: Run) -> dict[str, object]:
    return {
        "run_id": run.run_id,
        "started_at": run.started_at,
        "finished_at": datetime.now(UTC),
        "state": "completed",
        "seed": run.params.seed,
        "endpoint": run.endpoint,
        "config": _config(run),
        "spec_hash": run.spec_hash,
        "code_version": __version__,
        "prompt_hash": run.prompt_hash,
    }


def _counts(context: Context, parts: Sequence[PartRef]) -> list[StageCount]:
    rows = read_parts("stage_ledger", [context.outputs / p.path for p in parts])
    return [StageCount.of(str(r["stage"]), int(str(r["rows_in"])), json.loads(str(r["dropped"]))) for r in rows]
