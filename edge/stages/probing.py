"""compiled tools + an endpoint or a recording -> probed tools: who answers, with which keys, which calls were made."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from edge.datasets.mirrors import folder_of
from edge.execution.answers import Recording
from edge.execution.budgets import board_of
from edge.execution.endpoint import KST, Endpoint, endpoint_today
from edge.execution.gateway import GatewayClient
from edge.execution.keys import Keys
from edge.execution.probing import Probed, probe, without_outputs
from edge.execution.takes import takes_at
from edge.ids import Json
from edge.links.fillers import Filler, ValuePool
from edge.plans.sayings import say_parameter
from edge.sandbox_process import serving
from edge.settings import Settings
from edge.specs.model import Tool
from edge.stages.context import Context
from edge.stages.recordings import FOLDER, REPLAY, replaying
from edge.stages.start import MORNING

logger = logging.getLogger("edge.probe")


async def probe_run(context: Context, tools: Sequence[Tool]) -> tuple[Probed, Sequence[Mapping[str, Json]]]:
    """Learn the outputs that the documents of a run leave out; return the rows of the calls made as well."""
    async with context.gateway() as (client, log):
        with log.step("", "probe"):
            probed = await probe(tools, client, context.filler(explored=False, compiled=False))
        outcomes = log.rows()
    logger.info("probed: %s", said(probed))
    return probed, outcomes


async def probe_endpoint(
    tools: Sequence[Tool], endpoint: str, *, everything: bool, recordings: Path = Path("outputs") / FOLDER
) -> Probed:
    """Probe tools against an endpoint: "sandbox" (started for it), "live", a base URL or "replay" of `recordings`.

    Raises:
        EndpointError: the endpoint does not answer at all.
        UsageError: nothing is recorded that could be replayed.
    """
    take = takes_at(recordings)[-1] if endpoint == REPLAY else None
    tape = replaying(recordings, take.name) if take else None
    with serving(endpoint) as (url, own):
        place = Endpoint() if take else Endpoint.parse(url)
        today = take.run.today if take else datetime.now(KST).date() if place.live else await endpoint_today(place)
        keys = Keys.demo() if own else Keys.from_environment(loopback=place.loopback, env_file=Path(".env"))
        filler = Filler(datetime.combine(today, MORNING), ValuePool(), say_parameter)
        settings = Settings.model_validate({})
        quota = None if tape else board_of(place, folder_of(settings.outputs))
        async with GatewayClient(place, keys, settings=settings.execution, quota=quota, tape=tape) as client:
            return await probe(tools, client, filler, wanted=lambda tool: everything or without_outputs(tool))


async def probe_recording(tools: Sequence[Tool], path: Path) -> Probed:
    """Probe tools against recorded responses: those that are recorded, and those without outputs.

    Raises:
        UsageError: the recording cannot be read.
    """
    recording = Recording.read(path)
    return await probe(tools, recording, None, wanted=lambda tool: recording.holds(tool) or without_outputs(tool))


def said(probed: Probed) -> str:
    """Return the counts as a line: "3 learned, 40 agrees, 2 differs, 1 not_probed"."""
    return ", ".join(f"{number} {status}" for status, number in probed.counts().items() if number) or "nothing"
