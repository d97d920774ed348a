"""Stage 1: documents become tools, and tools become candidate links (RunParams.specs -> tools, links)."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence

from edge.datasets.ledger import StageCount
from edge.errors import UsageError
from edge.links.candidates import propose
from edge.links.feasibility import judge
from edge.links.model import LearnedLink
from edge.links.posterior import prior
from edge.links.rows import link_row
from edge.llm.prompts import load_prompt
from edge.llm.usage import UsageMeter
from edge.specs.compile import BUNDLED_SPECS, compile_paths
from edge.stages.compiling import Compiled, table_of
from edge.stages.context import Context, usage_rows
from edge.stages.describing import describe
from edge.stages.params import Run, StageRef
from edge.stages.probing import probe_run
from edge.stages.start import spec_paths

logger = logging.getLogger("edge.compile")


async def compile_stage(run: Run) -> StageRef:
    """Compile the run's documents; every operation becomes a tool or a reject. With `probe`, outputs are learned.

    Raises:
        UsageError: nothing compiles.
    """
    context, stage = Context(run), "compile"
    if done := context.finished(stage, context.key(stage)):
        return done
    began = time.monotonic()
    compiled = Compiled(compile_paths(spec_paths(run.params), BUNDLED_SPECS))
    report = compiled.report
    if not report.tools:
        why = "; ".join(f"{s.file}: {s.reason}" for s in report.skipped[:3]) or "no document found"
        raise UsageError(f"nothing compiles ({why}); look with: edge compile PATH")
    logger.info("%d tools compiled, %d operations skipped", len(report.tools), len(report.skipped))
    figures = {"tools": len(report.tools), "skipped": len(report.skipped)}
    figures |= {"files": len(report.files), "operations": report.operations}
    meter = UsageMeter()
    outcomes: Sequence[Mapping[str, object]] = ()
    if run.params.probe:
        probed, outcomes = await probe_run(context, compiled.tools)
        compiled = compiled.with_probe(probed)
        figures |= {f"probe_{status}": number for status, number in probed.counts().items()}
    if run.params.describe:
        prompt = load_prompt("tool_description")
        model = context.model("tool_description", meter)
        described = await describe(compiled.tools, model, prompt, concurrency=context.side_by_side)
        compiled = compiled.with_descriptions(described)
    rows = {**compiled.rows(run.run_id), "outcomes": outcomes, "usage": usage_rows(meter, run)}
    return context.finish(stage, context.key(stage), rows, began, figures)


def compile_table(run: Run, done: StageRef) -> list[dict[str, object]]:
    """Return the report on a finished compilation: files, operations, tools, what was skipped and noticed, counted."""
    context = Context(run)
    rows = {name: context.read(done, name) for name in ("tools", "rejects", "spec_notices", "spec_differences")}
    return table_of(rows, files=done.figures["files"], operations=done.figures["operations"])


async def propose_stage(run: Run) -> StageRef:
    """Retrieve candidate pairs and let the model judge them; keep what is feasible as links without evidence."""
    context, stage = Context(run), "propose"
    if done := context.finished(stage, context.key(stage)):
        return done
    began = time.monotonic()
    meter = UsageMeter()
    chosen = run.params.candidates
    pairs = propose(
        list(context.tools.values()),
        context.embedder,
        same_domain=chosen.same_domain,
        cross_domain=chosen.cross_domain,
    )
    judged = await judge(
        pairs,
        context.tools,
        context.model("link_feasibility", meter),
        load_prompt("link_feasibility"),
        threshold=chosen.threshold,
        per_call=chosen.per_call,
        concurrency=context.side_by_side,
    )
    logger.info("%d candidate pairs, %d feasible links", len(pairs), len(judged.links))
    belief = context.exploring.belief
    hashes = {t.tool_id: t.spec_hash for t in context.tools.values()}
    count = StageCount.of("link_candidates", len(pairs), judged.dropped)
    rows = {
        "links": [
            link_row(LearnedLink(x, prior(x, belief)), endpoint=run.endpoint, spec_hashes=hashes, run_id=run.run_id)
            for x in sorted(judged.links, key=lambda x: x.link_id)
        ],
        "rejects": [
            {"stage": "link_candidates", "item_id": i, "reason": r, "detail": d, "run_id": run.run_id}
            for i, r, d in judged.rejects
        ],
        "usage": usage_rows(meter, run),
        "stage_ledger": [count.row(run.run_id)],
    }
    return context.finish(stage, context.key(stage), rows, began, {"pairs": len(pairs), "links": len(judged.links)})
