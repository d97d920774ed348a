"""Hooks of flow runs that end badly: what is finished stays, and this says where and how to go on.

Prefect's worker calls hooks of crashed and cancelled runs with keywords: the parameters must be named like this.
"""

from __future__ import annotations

import logging
import uuid
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from prefect import Flow
from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import ArtifactCreate
from prefect.client.schemas.objects import FlowRun, State
from prefect.events import emit_event

from edge.stages.claims import claims
from tasks.announcing import ENDED_BADLY
from tasks.progress import shown

logger = logging.getLogger("edge.prefect")


async def say_what_stays(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:
    """Say how far a run came that failed, crashed or was cancelled: log line, artifact, event."""
    outputs = outputs_of(flow_run.parameters)
    run_id, batches = work_of(outputs, str(flow_run.id))
    left = ", ".join(f"{stage} {number}" for stage, number in batches.items()) or "no batch"
    logger.warning("%s %s; finished: %s; resume=true goes on from there", flow_run.name, state.name, left)
    lines = [
        f"# {flow_run.name}: {state.name}", "", state.message or "", "",
        *(f"- {stage}: {number} finished batches" for stage, number in batches.items()), "",
        'Nothing half-written is visible. The same parameters with `"resume": true` go on from what is finished.',
    ]  # fmt: skip
    await shown(_left, flow_run=flow_run, text="\n".join(lines), run_id=run_id)
    emit_event(
        ENDED_BADLY,
        resource={
            "prefect.resource.id": f"edge.run.{run_id or flow_run.id}",
            "edge.flow": flow.name,
            "edge.outputs": str(outputs),
            "edge.state": str(state.name),
        },
        payload={"flow_run": str(flow_run.id), "batches": dict(batches)},
    )


async def _left(*, flow_run: FlowRun, text: str, run_id: str) -> uuid.UUID:
    """Make the artifact through the client: a hook stands outside of the run that it speaks of."""
    made = ArtifactCreate(key="unfinished", type="markdown", data=text, description=run_id, flow_run_id=flow_run.id)
    async with get_client() as client:
        return (await client.create_artifact(made)).id


HOOKS: dict[str, Any] = {
    "on_failure": [say_what_stays],
    "on_crashed": [say_what_stays],
    "on_cancellation": [say_what_stays],
}


def outputs_of(parameters: Mapping[str, object]) -> Path:
    """Return the outputs folder of a flow run's parameters, stored or as they were given."""
    params = parameters.get("params")
    found = params.get("outputs") if isinstance(params, dict) else getattr(params, "outputs", None)  # pyright: ignore
    return Path(str(found or "outputs")).absolute()


def work_of(outputs: Path, flow_run: str) -> tuple[str, Counter[str]]:
    """Return the run that a flow run worked on and its finished batches by stage; "" and none where it never began."""
    run_id = next((str(note["run_id"]) for note in reversed(claims(outputs)) if note.get("flow_run") == flow_run), "")
    if not run_id:
        return "", Counter()
    entries = sorted((outputs / ".work" / run_id).glob("*/*.json"))
    return run_id, Counter(cast("str", entry.parent.name) for entry in entries)
