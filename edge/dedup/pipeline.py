"""Executed trajectories -> survivors: the layers in order, each on what the one before left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from edge.dedup.caps import shape_cap
from edge.dedup.embeddings import near_meaning
from edge.dedup.exact import equal_text, phrasing_cap
from edge.dedup.minhash import near_text
from edge.dedup.normalise import Prepared, prepare
from edge.dedup.records import Decision, DedupRow, DedupSettings, rank
from edge.embedding import Embedder, LexicalEmbedder

Layer: TypeAlias = "Callable[[Sequence[Prepared]], list[Decision]]"


def deduplicate(
    rows: Iterable[DedupRow], settings: DedupSettings | None = None, *, embedder: Embedder | None = None
) -> list[Decision]:
    """Return one decision for each row, by id; the order of the rows does not matter.

    `duplicate_of` always names a kept row. Rows of different known plan or arguments are never called duplicates by
    text or meaning; only the shape cap takes such rows away.

    Args:
        rows: ids must be distinct.
        settings: thresholds and caps; defaults as documented there.
        embedder: for the embedding layer; `LexicalEmbedder` by default.

    Raises:
        UsageError: an id comes twice, a quality is not a number, or no threshold is known for the embedder.
        ModelAnswerError: the embedder gave a zero or non-finite vector.
    """
    settings = settings or DedupSettings()
    ranked = prepare(rank(rows))
    drops: dict[str, Decision] = {}
    for layer in _layers(settings, embedder or LexicalEmbedder()):
        alive = [row for row in ranked if row.row.id not in drops]
        drops.update((drop.id, drop) for drop in layer(alive))
    decided = [_settle(drops, row.row.id) for row in ranked]
    return sorted(decided, key=lambda decision: decision.id)


def _layers(settings: DedupSettings, embedder: Embedder) -> list[Layer]:
    layers: list[Layer] = [equal_text, lambda rows: near_text(rows, settings)]
    if settings.use_embeddings:
        layers.append(lambda rows: near_meaning(rows, settings, embedder))
    layers.append(lambda rows: phrasing_cap(rows, settings.max_phrasings))
    layers.append(lambda rows: shape_cap(rows, settings.shape_cap))
    return layers


def _settle(drops: dict[str, Decision], row: str) -> Decision:
    """Return the decision on a row. If its leader went later, the row goes for the leader's reason: it would have."""
    decision = drops.get(row)
    if decision is None:
        return Decision(row, kept=True)
    while decision.duplicate_of in drops:
        decision = drops[decision.duplicate_of]
    return Decision(row, False, decision.duplicate_of, decision.method, decision.similarity)
