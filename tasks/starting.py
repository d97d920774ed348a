"""Before the first stage: the endpoint answers, the run has an identity."""

from __future__ import annotations

from prefect import task

from edge.sandbox_process import serving
from edge.stages.params import Run, SynthesizeParams
from edge.stages.start import start_run
from tasks.policy import OPTIONS

__all__ = ["begin_run", "serving"]


@task(name="begin-run", **OPTIONS)
async def begin_run(params: SynthesizeParams, url: str, own_sandbox: bool) -> Run:
    """Ask the endpoint for its date and name the run by everything that decides its rows."""
    return await start_run(params, url, own_sandbox=own_sandbox)
