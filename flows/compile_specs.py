"""Stage 1 alone, up to the tools: provider documents -> the `tools` dataset."""

from __future__ import annotations

import asyncio

from prefect import flow

from edge.stages.params import CompileParams, RunSummary, SynthesizeParams
from tasks.endings import HOOKS
from tasks.publishing import publish, report
from tasks.runners import executed, task_runner
from tasks.spec_compilation import compile_specs as compile_documents
from tasks.starting import started

DEFAULTS = CompileParams.model_validate({})


@flow(
    name="compile-specs",
    flow_run_name="compile-specs",
    task_runner=task_runner(),
    persist_result=False,
    **HOOKS,
)
async def compile_specs(params: CompileParams = DEFAULTS) -> RunSummary:
    """Compile and publish the tools."""
    async with started(SynthesizeParams.model_validate(params.model_dump())) as run:
        tools = await executed(compile_documents, run)
        published = ("tools", "rejects", "spec_notices", "spec_differences", "outcomes")
        summary = await publish(run, {name: [tools] for name in published})
        await report(run, summary)
    return summary


def run_local(params: CompileParams) -> RunSummary:
    """Run the flow in this process and return its summary."""
    return asyncio.run(compile_specs(params))
