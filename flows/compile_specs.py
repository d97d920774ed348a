"""Stage 1 alone, up to the tools: provider documents -> the `tools` dataset."""

from __future__ import annotations

import asyncio

from prefect import flow

from edge.stages.params import CompileParams, RunSummary, SynthesizeParams
from tasks.publishing import publish, report
from tasks.spec_compilation import compile_specs as compile_documents
from tasks.starting import begin_run, serving

DEFAULTS = CompileParams.model_validate({})


@flow(name="compile-specs", flow_run_name="compile-specs", persist_result=False)
async def compile_specs(params: CompileParams = DEFAULTS) -> RunSummary:
    """Compile and publish the tools."""
    with serving(params.endpoint, seed=None, today=None) as (url, own_sandbox):
        run = await begin_run(SynthesizeParams(**params.model_dump()), url, own_sandbox)
        tools = await compile_documents(run)
        published = ("tools", "rejects", "spec_notices", "spec_differences", "outcomes")
        summary = await publish(run, {name: [tools] for name in published})
    await report(run, summary)
    return summary


def run_local(params: CompileParams) -> RunSummary:
    """Run the flow in this process and return its summary."""
    return asyncio.run(compile_specs(params))
