"""Typed tools become candidate pairs: what one supplies is near to what another needs (Tool -> Pair)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from edge.specs.model import OutputField, Parameter, Tool

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


def _best_per_tool(scores: Matrix, starts: NDArray[np.intp]) -> Matrix:
    """Reduce columns (fields) to tools by maximum; `starts` are the first columns of each tool."""
    return np.maximum.reduceat(scores, starts, axis=1)


def _offsets(sizes: Sequence[int]) -> NDArray[np.intp]:
    return np.cumsum(np.asarray([0, *sizes[:-1]], dtype=np.intp))


def propose(tools: Sequence[Tool], embedder: Embedder, *, same_domain: int = 15, cross_domain: int = 10) -> list[Pair]:
    """Return, for each tool as a source, its nearest targets: `same_domain` of its own and `cross_domain` of others.

    A source's supply is the set of its output fields and a target's need the set of its offered parameters, embedded
    apart; the similarity of two tools is the best cosine between a field and a parameter. Exact search, one block of
    sources at a time. Pairs come sorted by source, then falling similarity, then target.
    """
    sources = [t for t in tools if t.outputs]
    targets = [t for t in tools if t.offered]
    if not sources or not targets:
        return []
    supplies = embedder.encode([supply_text(f) for t in sources for f in t.outputs])
    needs = embedder.encode([need_text(p) for t in targets for p in t.offered])
    columns = _offsets([len(t.offered) for t in targets])
    pairs: list[Pair] = []
    row = 0
    for source in sources:
        block = supplies[row : row + len(source.outputs)] @ needs.T
        row += len(source.outputs)
        best = _best_per_tool(block.max(axis=0, keepdims=True), columns)[0]
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
