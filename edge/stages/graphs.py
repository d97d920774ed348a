"""Published versions of links -> the graph that a run starts from (RunParams.links -> stored links, values, shapes)."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from edge.datasets.rows import Row
from edge.datasets.store import Store
from edge.errors import UsageError
from edge.ids import digest
from edge.links.fillers import ValuePool
from edge.links.freshness import Stored
from edge.links.rows import pool_of, shape_of_row, stored_of
from edge.links.shapes import Shape
from edge.stages.params import RunParams

NONE, LATEST = "none", "latest"
VALUES = 200  # stored values of one field or parameter, the newest: half of what a pool holds is left to new ones
_DATASETS = ("links", "value_pool", "tool_shapes")

logger = logging.getLogger("edge.explore")


@dataclass(frozen=True, slots=True)
class Graph:
    """A published graph by version and by a hash of its content; both are empty where a run starts from nothing."""

    version: str = ""
    hash: str = ""


def graph_of(params: RunParams, endpoint: str, *, before: str = "") -> Graph:
    """Return the graph that a run of these parameters starts from; the latest is the newest one of its endpoint.

    `before` leaves out the versions from that name on: a replay starts from what there was when the run was recorded.

    Raises:
        UsageError: the version that is named is not there.
    """
    if params.links == NONE:
        return Graph()
    store = Store(params.outputs.absolute())
    versions = store.versions("links")
    if params.links == LATEST:
        version = _latest(store, [v for v in versions if not before or v < before], endpoint)
    elif params.links in versions:
        version = params.links
    else:
        newest = f"the newest is {versions[-1]}" if versions else "there is none; run: edge explore"
        raise UsageError(f"{params.outputs} holds no version {params.links!r} of links: {newest}")
    return Graph(version, _hash(store, version)) if version else Graph()


def _latest(store: Store, versions: Sequence[str], endpoint: str) -> str:
    """Return the newest version of a run of this endpoint that was published to its end, "" for none."""
    whole = set(store.versions("runs"))
    for version in reversed(versions):
        if version in whole and any(row["endpoint"] == endpoint for row in store.rows("runs", version)):
            return version
    return ""


def _hash(store: Store, version: str) -> str:
    """Return a hash of all that a run reads of a graph, times included: evidence ages by them."""
    listed = [store.manifest(name, version) for name in _DATASETS if version in store.versions(name)]
    return digest([[m.dataset, *(part.sha256 for part in m.files)] for m in listed])


@dataclass(frozen=True, slots=True)
class StoredGraph:
    """What is stored of a graph: links, the newest values of every field, and shapes of what tools answered."""

    links: tuple[Stored, ...] = ()
    pool: ValuePool = field(default_factory=ValuePool)
    shapes: Mapping[str, Shape] = field(default_factory=dict[str, Shape])


def read_graph(outputs: Path, version: str, endpoint: str) -> StoredGraph:
    """Return a published graph as far as it was learned at the endpoint.

    Raises:
        StoreError: a file is spoilt or gone.
    """
    store = Store(outputs)
    links = tuple(stored_of(row) for row in store.rows("links", version))
    if any(one.endpoint != endpoint for one in links):
        logger.warning("the links of %s were explored at another endpoint: they say nothing about this one", version)
        return StoredGraph(links)
    shapes = {str(row["tool_id"]): shape_of_row(row) for row in _rows(store, "tool_shapes", version)}
    return StoredGraph(links, pool_of(_newest(_rows(store, "value_pool", version))), shapes)


def _rows(store: Store, dataset: str, version: str) -> list[Row]:
    return store.rows(dataset, version) if version in store.versions(dataset) else []


def _newest(rows: list[Row]) -> list[Row]:
    """Return at most `VALUES` rows of each field or parameter, the last that came in."""
    kept: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        kept.setdefault((row["tool_id"], row["role"], row["field"]), []).append(row)
    return [row for listed in kept.values() for row in listed[-VALUES:]]
