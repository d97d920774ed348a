"""Links and the value pool as rows of their datasets, and back (LearnedLink <-> row)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from statistics import median
from typing import Literal, cast

from edge.ids import canonical_json
from edge.links.fillers import ValuePool
from edge.links.freshness import History, Stored
from edge.links.model import Binding, Evidence, LearnedLink, Link, LinkStatus, Proof, Rest
from edge.links.shapes import Shape
from edge.llm.answers import RestSource

Row = Mapping[str, object]
_REMEMBERED = 50  # cardinalities of a link, the newest
_LONG_AGO = "1970-01-01T00:00:00+00:00"


def link_row(
    learned: LearnedLink,
    *,
    endpoint: str,
    spec_hashes: Mapping[str, str],
    run_id: str,
    history: History | None = None,
    signature: Mapping[str, str] | None = None,
) -> dict[str, object]:
    """Return the row of the `links` dataset; `spec_hashes` maps tools to the hash of their document.

    `history` and `signature` are what a later run needs to start from the row.
    """
    link, e = learned.link, learned.evidence
    seen = (e.cardinalities or [])[-_REMEMBERED:]
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
        "rest": canonical_json([{"parameter": r.parameter, "source": r.source} for r in link.rest]),
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
        "evidence": canonical_json(_told_of(e, history, seen)) if history else None,
        "signature": canonical_json(signature) if signature is not None else None,
        "endpoint": endpoint,
        "source_spec_hash": spec_hashes.get(link.source_tool),
        "target_spec_hash": spec_hashes.get(link.target_tool),
        "run_id": run_id,
        "first_executed_at": _moment(e.first_executed_at),
        "last_executed_at": _moment(e.last_executed_at),
    }


def _told_of(evidence: Evidence, history: History, seen: list[int]) -> dict[str, object]:
    proof = {"proof": asdict(evidence.proof)} if evidence.proof else {}
    return {**asdict(history), "cardinalities": seen, **proof}


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def link_of(row: Row) -> LearnedLink:
    """Return the learned link of a stored row, as far as the row tells: single cardinalities are in its `evidence`."""
    bindings = cast("list[dict[str, str | None]]", json.loads(str(row["bindings"])))
    rest = cast("list[dict[str, str]]", json.loads(str(row.get("rest") or "[]")))
    link = Link(
        str(row["source_tool"]),
        str(row["target_tool"]),
        tuple(Binding(str(b["source_path"]), str(b["target_parameter"]), b["transform"]) for b in bindings),
        float(str(row["feasibility"])),
        str(row["reason"] or ""),
        tuple(Rest(r["parameter"], cast("RestSource", r["source"])) for r in rest),
    )
    told = _told(row)
    evidence = Evidence(
        alpha=float(str(row["alpha"])),
        beta=float(str(row["beta"])),
        successes=int(str(row["successes"])),
        structural_failures=int(str(row["structural_failures"])),
        environmental_failures=int(str(row["environmental_failures"])),
        empties=int(str(row["empties"])),
        cardinalities=cast("list[int] | None", told.get("cardinalities") or None),
        first_executed_at=_text(row.get("first_executed_at")),
        last_executed_at=_text(row.get("last_executed_at")),
        status=cast("LinkStatus", row["status"]),
        proof=Proof.of(told.get("proof")),
    )
    return LearnedLink(link, evidence)


def stored_of(row: Row) -> Stored:
    """Return a row of a published version, with its measured columns, as what a later run starts from."""
    learned, told = link_of(row), _told(row)
    last = learned.evidence.last_executed_at  # all that rows of an older release tell
    history = History(
        as_of=str(told.get("as_of") or last or _LONG_AGO),
        proven_at=_text(told.get("proven_at", last if learned.evidence.successes else None)),
        trials=int(str(told.get("trials", 0))),
        successes=int(str(told.get("successes", 0))),
        reopened=str(told.get("reopened", "")),
    )
    signature = cast("dict[str, str]", json.loads(str(row.get("signature") or "{}")))
    hashes = (_text(row.get("source_spec_hash")), _text(row.get("target_spec_hash")))
    return Stored(learned, history, str(row.get("endpoint") or ""), signature, hashes)


def _told(row: Row) -> dict[str, object]:
    return cast("dict[str, object]", json.loads(str(row.get("evidence") or "{}")))


def _text(value: object) -> str | None:
    return value.isoformat() if isinstance(value, datetime) else str(value) if value else None


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


def shape_row(tool_id: str, shape: Shape, *, served: bool, endpoint: str, run_id: str) -> dict[str, object]:
    """Return the row of the `tool_shapes` dataset of a tool that was called."""
    return {
        "tool_id": tool_id,
        "endpoint": endpoint,
        "served": served,
        "records": shape.records,
        "fields": canonical_json(shape.plain()),
        "run_id": run_id,
    }


def shape_of_row(row: Row) -> Shape:
    """Return the shape of a stored row."""
    return Shape.of(int(str(row["records"])), json.loads(str(row["fields"])))
