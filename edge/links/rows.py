"""Links and the value pool as rows of their datasets, and back (LearnedLink <-> row)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from statistics import median
from typing import Literal, cast

from edge.ids import canonical_json
from edge.links.fillers import ValuePool
from edge.links.model import Binding, Evidence, LearnedLink, Link, LinkStatus

Row = Mapping[str, object]


def link_row(learned: LearnedLink, *, endpoint: str, spec_hashes: Mapping[str, str], run_id: str) -> dict[str, object]:
    """Return the row of the `links` dataset; `spec_hashes` maps tools to the hash of their document."""
    link, e = learned.link, learned.evidence
    seen = e.cardinalities or []
    return {
        "link_id": link.link_id,
        "source_tool": link.source_tool,
        "target_tool": link.target_tool,
        "bindings": canonical_json(
            [
                {"source_path": b.source_path, "target_parameter": b.target_parameter, "transform": b.transform}
                for b in link.bindings
            ]
        ),
        "feasibility": link.feasibility,
        "reason": link.reason,
        "alpha": round(e.alpha, 6),
        "beta": round(e.beta, 6),
        "posterior_mean": round(e.mean, 6),
        "successes": e.successes,
        "structural_failures": e.structural_failures,
        "environmental_failures": e.environmental_failures,
        "empties": e.empties,
        "status": e.status,
        "cardinality_median": float(median(seen)) if seen else None,
        "cardinality_max": max(seen) if seen else None,
        "endpoint": endpoint,
        "source_spec_hash": spec_hashes.get(link.source_tool),
        "target_spec_hash": spec_hashes.get(link.target_tool),
        "run_id": run_id,
        "first_executed_at": _moment(e.first_executed_at),
        "last_executed_at": _moment(e.last_executed_at),
    }


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def link_of(row: Row) -> LearnedLink:
    """Return the learned link of a stored row; the single cardinalities are not kept there."""
    bindings = cast("list[dict[str, str | None]]", json.loads(str(row["bindings"])))
    link = Link(
        str(row["source_tool"]),
        str(row["target_tool"]),
        tuple(Binding(str(b["source_path"]), str(b["target_parameter"]), b["transform"]) for b in bindings),
        float(str(row["feasibility"])),
        str(row["reason"] or ""),
    )
    evidence = Evidence(
        alpha=float(str(row["alpha"])),
        beta=float(str(row["beta"])),
        successes=int(str(row["successes"])),
        structural_failures=int(str(row["structural_failures"])),
        environmental_failures=int(str(row["environmental_failures"])),
        empties=int(str(row["empties"])),
        status=cast("LinkStatus", row["status"]),
    )
    return LearnedLink(link, evidence)


def pool_rows(pool: ValuePool, run_id: str) -> Iterator[dict[str, object]]:
    """Yield the rows of the `value_pool` dataset, in a stable order."""
    sources: tuple[tuple[Literal["output", "accepted"], dict[tuple[str, str], dict[str, None]]], ...] = (
        ("output", pool.outputs),
        ("accepted", pool.accepted),
    )
    for role, values in sources:
        for (tool_id, name), seen in sorted(values.items()):
            for ordinal, value in enumerate(seen):
                yield {
                    "tool_id": tool_id,
                    "role": role,
                    "field": name,
                    "value": value,
                    "ordinal": ordinal,
                    "run_id": run_id,
                }


def pool_of(rows: Iterable[Row]) -> ValuePool:
    """Return the value pool of stored rows."""
    pool = ValuePool()
    for row in rows:
        add = pool.add_output if row["role"] == "output" else pool.add_accepted
        add(str(row["tool_id"]), str(row["field"]), str(row["value"]))
    return pool
