"""Before the first stage: the endpoint answers, the run has an identity and its work files to itself."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from prefect.context import FlowRunContext

from edge.sandbox_process import serving
from edge.stages.claims import claim, let_go
from edge.stages.params import Check, Run, SynthesizeParams
from edge.stages.start import start_run
from tasks.policy import stage_task


@stage_task("begin-run")
async def begin_run(params: SynthesizeParams, url: str, own_sandbox: bool, check: Check | None = None) -> Run:
    """Ask the endpoint for its date and name the run by everything that decides its rows."""
    return await start_run(params, url, own_sandbox=own_sandbox, check=check)


@asynccontextmanager
async def started(params: SynthesizeParams, check: Check | None = None) -> AsyncGenerator[Run]:
    """Give the run of these parameters, with an endpoint that answers and work files that no other process touches.

    Raises:
        RunTaken: another process works on the same run.
    """
    today = params.today.isoformat() if params.today else None
    with serving(params.endpoint, seed=None, today=today) as (url, own_sandbox):
        run = await begin_run(params, url, own_sandbox, check)
        try:
            context = FlowRunContext.get()
            if context is not None and context.flow_run is not None:  # for the hooks of a run that ends badly
                claim(run.params.outputs, run.run_id, flow_run=str(context.flow_run.id))
            yield run
        finally:
            let_go(run.params.outputs, run.run_id)
