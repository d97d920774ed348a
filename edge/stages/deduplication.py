"""Stage 5: repeats and crowded shapes go, survivors get their split (trajectories -> trajectories, duplicates)."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence

from edge.datasets.ledger import StageCount
from edge.dedup.pipeline import deduplicate
from edge.dedup.records import Decision, DedupRow, DedupSettings
from edge.dedup.splits import SplitSettings, assign_splits
from edge.plans.codec import plan_from_json
from edge.plans.rows import argument_values, arguments_key, signature_of
from edge.stages.context import Context
from edge.stages.params import Run, StageRef

Row = Mapping[str, object]


def deduplicate_stage(run: Run, batches: Sequence[StageRef]) -> StageRef:
    """Judge the trajectories of all batches together; the order of the batches does not matter."""
    context, stage = Context(run), "dedup"
    key = context.key(stage, batches=[b.key for b in batches])
    if done := context.finished(stage, key):
        return done
    began = time.monotonic()
    rows: dict[str, Row] = {}
    for batch in batches:
        for row in context.read(batch, "trajectories"):
            rows.setdefault(str(row["trajectory_id"]), row)
    taken = sum(b.figures["trajectories"] for b in batches)
    decisions = deduplicate([dedup_row(r) for r in rows.values()], DedupSettings(seed=1), embedder=context.embedder)
    kept = [d.id for d in decisions if d.kept]
    splits = assign_splits([(i, [str(rows[i]["plan_signature"])]) for i in kept], SplitSettings(seed=run.params.seed))
    dropped = Counter(str(d.method) for d in decisions if not d.kept)
    if taken > len(rows):
        dropped["same_id"] += taken - len(rows)
    count = StageCount.of("deduplication", taken, dropped)
    out = {
        "trajectories": [{**rows[i], "split": splits[i]} for i in kept],
        "duplicates": [_duplicate_row(d, rows[d.id], run) for d in decisions if not d.kept],
        "stage_ledger": [count.row(run.run_id)],
    }
    return context.finish(stage, key, out, began, {"kept": len(kept), "duplicates": len(decisions) - len(kept)})


def dedup_row(row: Row) -> DedupRow:
    """Return what deduplication sees of a trajectory row.

    Among equal needs the one with more facts survives: quality is their number, then fewer characters of request.
    """
    plan = plan_from_json(json.loads(str(row["plan"])))
    facts = len(json.loads(str(row["answer_facts"])))
    return DedupRow(
        id=str(row["trajectory_id"]),
        text=str(row["query"]),
        plan=signature_of(plan),
        args=arguments_key(plan),
        quality=facts - len(str(row["query"])) / 1000,
        values=tuple(argument_values(plan)),
    )


def _duplicate_row(decision: Decision, row: Row, run: Run) -> dict[str, object]:
    return {
        "trajectory_id": decision.id,
        "duplicate_of": decision.duplicate_of,
        "method": decision.method,
        "similarity": decision.similarity,
        "query": row["query"],
        "unverified_gate": decision.unverified_gate,
        "run_id": run.run_id,
    }
