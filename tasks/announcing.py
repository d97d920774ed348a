"""A published version -> what Prefect knows of it: one event a dataset, which other flows may wait for, and assets.

Our manifests are the truth; what is told here may be lost or come twice without harm. An event has an id of its own
content, so that a task which is tried again tells nothing new.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from pathlib import Path

from prefect.assets import Asset, AssetProperties, add_asset_metadata
from prefect.context import AssetContext
from prefect.events import emit_event

from edge.datasets.manifests import Manifest
from edge.datasets.store import Store
from edge.stages.params import RunParams, RunSummary

PUBLISHED = "edge.dataset.published"  # prefect.yaml waits for it
ENDED_BADLY = "edge.run.unfinished"
TOLD = ("tools", "links", "trajectories")
_NAMESPACE = uuid.UUID("6d8bfb14-4a2e-5f6c-9d55-0a1f6f1c7a11")


def assets_of(outputs: Path, datasets: Iterable[str]) -> list[Asset]:
    """Return the assets that publishing makes: one a dataset of this outputs folder."""
    place = outputs.absolute().as_uri()
    return [Asset(key=f"{place}/{name}", properties=AssetProperties(name=name)) for name in sorted(datasets)]


def note_assets(outputs: Path, summary: RunSummary) -> None:
    """Tell the assets under way which version they have become and what is in it; nothing outside of a task."""
    context = AssetContext.get()
    if context is None:
        return
    for asset in context.downstream_assets:
        name = asset.key.rpartition("/")[2]
        if name in summary.counts:
            add_asset_metadata(
                asset, {"version": summary.version, "run_id": summary.run_id, "rows": summary.counts[name]}
            )


def announce(params: RunParams, summary: RunSummary, flow: str) -> None:
    """Emit the events of a published version: "edge.changed" says whether its parts differ from the version before.

    The payload says what a flow that follows needs to work on the same: documents and endpoint.
    """
    outputs = params.outputs
    specs = [str(path.absolute()) for path in params.specs] if params.specs else None
    about = {"run_id": summary.run_id, "version": summary.version, "specs": specs, "endpoint": params.endpoint}
    store = Store(outputs.absolute())
    for name in TOLD:
        if name not in summary.counts:
            continue
        manifests = store.manifests(name)
        emit_event(
            PUBLISHED,
            resource={
                "prefect.resource.id": f"edge.dataset.{name}",
                "prefect.resource.name": name,
                "edge.dataset": name,
                "edge.version": summary.version,
                "edge.outputs": str(outputs.absolute()),
                "edge.flow": flow,
                "edge.changed": "true" if _changed(manifests, summary.version) else "false",
            },
            payload={"rows": summary.counts[name], **about},
            id=uuid.uuid5(_NAMESPACE, f"{name} {summary.version} {store.root}"),
        )


def _changed(manifests: list[Manifest], version: str) -> bool:
    now = next((m.content for m in manifests if m.version == version), ())
    earlier = [m.content for m in manifests if m.version < version]
    return not earlier or earlier[-1] != now
