"""Typed tools become candidate pairs: what one supplies is near to what another needs (Tool -> Pair)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from edge.links.evidence_rules import kind_factor
from edge.links.fillers import statically_fillable
from edge.links.transform_rules import AXES, is_region_code, reprojects
from edge.specs.model import Kind, OutputField, Parameter, Tool

Matrix = NDArray[np.float32]


class Embedder(Protocol):
    """Text to unit vectors, float32 of shape (texts, dim)."""

    @property
    def name(self) -> str:
        """The embedder's name as it stands in manifests."""
        ...

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Embed texts, one row each."""
        ...


@dataclass(frozen=True, slots=True)
class Pair:
    """A candidate: some output of `source` reads like some parameter of `target` (cosine in [-1, 1])."""

    source: str
    target: str
    similarity: float


def supply_text(field: OutputField) -> str:
    """The text by which an output field is found."""
    return f"{field.label} {field.path.rsplit('.', 1)[-1]}"


def need_text(parameter: Parameter) -> str:
    """The text by which a parameter is found."""
    return f"{parameter.label} {parameter.name}"


def _supply(tool: Tool) -> list[OutputField]:
    return [f for f in tool.outputs if not f.private]


def _needs(tool: Tool) -> NDArray[np.bool_]:
    """Which offered parameters count for the tool's need: those that nothing but a link can fill, else all."""
    only_linked = [p.required and not statically_fillable(p) for p in tool.offered]
    return np.asarray(only_linked if any(only_linked) else [True] * len(only_linked))


def _per_tool(best: Matrix, wanted: Sequence[NDArray[np.bool_]]) -> Matrix:
    """Reduce the best score of every parameter to one a tool."""
    out = np.empty(len(wanted), dtype=np.float32)
    start = 0
    for i, mask in enumerate(wanted):
        scores = best[start : start + len(mask)]
        out[i] = scores[mask].mean() if not mask.all() else scores.max()
        start += len(mask)
    return out


def _kind_factors(parameters: Sequence[Kind]) -> dict[Kind, Matrix]:
    """Return, for every field kind, the factor for each parameter; minus the score itself where kind alone decides."""

    def factor(field: Kind, parameter: Kind) -> float:
        if field == parameter and field in ("longitude", "latitude", "grid"):
            return -0.8
        if parameter == "grid" and field == "longitude":
            return -0.7
        return kind_factor(field, parameter)

    return {k: np.asarray([factor(k, p) for p in parameters], dtype=np.float32) for k in get_args(Kind)}


def _weights(field: OutputField, by_kind: Matrix, parameters: Sequence[Parameter]) -> Matrix:
    """The factors of a field's kind; coordinates of another system are as near as those that a grid is made from."""
    if field.kind not in AXES:
        return by_kind
    projected = np.asarray([reprojects(field, p) for p in parameters])
    return np.where(projected, np.float32(-0.7), by_kind)


def propose(tools: Sequence[Tool], embedder: Embedder, *, same_domain: int = 15, cross_domain: int = 10) -> list[Pair]:
    """Return, for each tool as a source, its nearest targets: `same_domain` of its own and `cross_domain` of others.

    A source's supply is the set of its output fields and a target's need the set of its offered parameters, embedded
    apart. A field and a parameter are as near as their cosine times how far their kinds can hold the same value;
    coordinates of one kind are near whatever they are called. The similarity of two tools is the mean over the
    parameters that only a link can fill (the best over all where there is none). Private fields supply nothing. Exact
    search, one source at a time. Tools that change state are neither sources nor targets. Sources keep their order; the
    targets of one come by falling similarity, then name.
    """
    called = [t for t in tools if t.read_only]
    sources = [t for t in called if _supply(t)]
    targets = [t for t in called if t.offered]
    if not sources or not targets:
        return []
    supplies = embedder.encode([supply_text(f) for t in sources for f in _supply(t)])
    needs = embedder.encode([need_text(p) for t in targets for p in t.offered])
    wanted = [_needs(t) for t in targets]
    offered = [p for t in targets for p in t.offered]
    factors = _kind_factors([p.kind for p in offered])
    regions = np.asarray([is_region_code(p.label, p.kind) for p in offered])
    pairs: list[Pair] = []
    row = 0
    for source in sources:
        fields = _supply(source)
        cosines = supplies[row : row + len(fields)] @ needs.T
        row += len(fields)
        weights = np.stack([_weights(f, factors[f.kind], offered) for f in fields])
        scores = np.where(weights < 0, -weights, cosines * weights)
        if any(is_region_code(f.label, f.kind) for f in fields):
            scores = np.where(regions, np.maximum(scores, 0.7), scores)
        best = _per_tool(scores.max(axis=0), wanted)
        pairs.extend(_nearest(source, targets, best, same_domain, cross_domain))
    return pairs


def _nearest(source: Tool, targets: Sequence[Tool], best: Matrix, same_domain: int, cross_domain: int) -> list[Pair]:
    ranked = sorted(zip((float(b) for b in best), targets, strict=True), key=lambda x: (-round(x[0], 6), x[1].tool_id))
    room = {True: same_domain, False: cross_domain}
    chosen: list[Pair] = []
    for similarity, target in ranked:
        same = target.domain == source.domain
        if target.tool_id == source.tool_id or room[same] <= 0:
            continue
        room[same] -= 1
        chosen.append(Pair(source.tool_id, target.tool_id, similarity))
    return chosen
