"""Rows -> a decision for each: the layers in order, each on what the one before left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from edge.dedup.caps import shape_cap
from edge.dedup.embeddings import near_meaning, threshold_of, with_threshold
from edge.dedup.exact import equal_text, phrasing_cap
from edge.dedup.leader import Follows
from edge.dedup.near import near_text
from edge.dedup.records import DECISION, Decision, DedupRow, DedupSettings, Method, decisions_of, frame_of
from edge.dedup.table import Bools, Table, in_order, numbered, ranked, table_of, values_of
from edge.embedding import Embedder, LexicalEmbedder

Layer: TypeAlias = "Callable[[Table, Bools], Follows]"

# What is known of a row once its gate has been judged. `leader` is the id of the row that stands for it, null if none.
GATED = {
    "id": pl.String(),
    "quality": pl.Float64(),
    "plan": pl.String(),
    "args": pl.String(),
    "values": pl.List(pl.String()),
    "known": pl.Boolean(),
    "leader": pl.String(),
    "method": pl.Int8(),
    "similarity": pl.Float64(),
}
METHODS: tuple[Method, ...] = ("exact", "minhash", "embedding", "shape_cap")


def deduplicate(
    rows: Iterable[DedupRow], settings: DedupSettings | None = None, *, embedder: Embedder | None = None
) -> list[Decision]:
    """Return one decision for each row, by id; the same as `judge` for callers with few rows."""
    return decisions_of(judge(frame_of(rows), settings, embedder=embedder))


def judge(
    frame: pl.DataFrame, settings: DedupSettings | None = None, *, embedder: Embedder | None = None
) -> pl.DataFrame:
    """Return one decision for each row, by id, with the columns of `DECISION`; the order of the rows does not matter.

    `duplicate_of` always names a kept row. Rows of different known plan, arguments or operator are never called
    duplicates by text or meaning; only the shape cap takes such rows away.

    Args:
        frame: columns as in `COLUMNS`; ids must be distinct.
        settings: thresholds and caps; defaults as documented there.
        embedder: for the embedding layer; `LexicalEmbedder` by default.

    Raises:
        UsageError: an id comes twice, a quality is not a number, or no threshold is known for the embedder.
        ModelAnswerError: the embedder gave a zero or non-finite vector.
    """
    embedder = embedder or LexicalEmbedder()
    settings = settings or DedupSettings()
    if "text" in frame.columns:
        settings = with_threshold(settings, embedder, frame["text"].drop_nulls().to_list())
    return settle([judge_gates(frame, settings, embedder)], settings)


def judge_gates(frame: pl.DataFrame, settings: DedupSettings, embedder: Embedder) -> pl.DataFrame:
    """Return what the layers within gates decide of rows, in the columns of `GATED`; no gate may be cut in two.

    The rows may be a part of all: `settle` puts the parts together, and any division into whole gates ends the same.

    Raises:
        UsageError, ModelAnswerError: as `judge`.
    """
    rows = ranked(frame)
    table = table_of(rows)
    judged = Judged(len(table))
    for method, layer in gate_layers(settings, embedder):
        judged.add(method, layer(table, judged.alive))
    told = {
        "leader": table.ids.gather(np.maximum(judged.leader, 0)),
        "alive": judged.alive,
        "method": judged.method,
        "similarity": judged.similarity,
        "known": table.known,
    }
    out = rows.select("id", "quality", "plan", "args", "values").with_columns(**told)
    return out.with_columns(leader=pl.when("alive").then(None).otherwise("leader")).select(list(GATED))


def settle(parts: Iterable[pl.DataFrame], settings: DedupSettings) -> pl.DataFrame:
    """Return the decision for each row of the parts, by id, after the cap that looks at all rows of a plan.

    Args:
        parts: from `judge_gates`; every id once.
        settings: `shape_cap`.

    Raises:
        UsageError: an id comes twice.
    """
    whole = in_order(pl.concat([pl.DataFrame(schema=GATED), *parts]))
    place = whole.select("id").with_row_index("place")
    leaders = whole.join(place, left_on="leader", right_on="id", how="left", maintain_order="left")["place"]
    judged = Judged(whole.height)
    judged.leader = leaders.cast(pl.Int64).fill_null(-1).to_numpy().copy()
    judged.method, judged.similarity = whole["method"].to_numpy().copy(), whole["similarity"].to_numpy().copy()
    if settings.shape_cap is not None:
        known = pl.when("known").then("plan")
        capped = shape_cap(numbered(whole.select(known)), values_of(whole), judged.alive, settings.shape_cap)
        judged.add("shape_cap", capped)
    return judged.frame(whole["id"], whole["known"])


def gate_layers(settings: DedupSettings, embedder: Embedder) -> Iterator[tuple[Method, Layer]]:
    """Give the layers that compare rows of one gate only, with the method that each reports."""
    yield "exact", equal_text
    yield "minhash", lambda table, alive: near_text(table, alive, settings)
    if settings.use_embeddings:
        threshold_of(embedder, settings)
        yield "embedding", lambda table, alive: near_meaning(table, alive, settings, embedder)
    most = settings.max_phrasings
    if most is not None:
        yield "exact", lambda table, alive: phrasing_cap(table, alive, most)


class Judged:
    """What the layers so far have decided about the rows of a table."""

    def __init__(self, count: int) -> None:
        self.leader: NDArray[np.int64] = np.full(count, -1, dtype=np.int64)
        self.method: NDArray[np.int8] = np.zeros(count, dtype=np.int8)
        self.similarity: NDArray[np.float64] = np.zeros(count)

    @property
    def alive(self) -> Bools:
        """Rows that no layer has dropped."""
        return self.leader < 0

    def add(self, method: Method, drops: Follows) -> None:
        """Take over what a layer dropped."""
        self.leader[drops.later] = drops.earlier
        self.method[drops.later] = METHODS.index(method)
        self.similarity[drops.later] = drops.similarity

    def settled(self) -> Judged:
        """Return this with every leader a kept row: if one went later, its row goes for the leader's reason."""
        done = Judged(len(self.leader))
        done.leader, done.method, done.similarity = self.leader.copy(), self.method.copy(), self.similarity.copy()
        while True:
            rows = np.flatnonzero(done.leader >= 0)
            gone = rows[self.leader[done.leader[rows]] >= 0]
            if not len(gone):
                return done
            above = done.leader[gone]
            done.method[gone], done.similarity[gone] = self.method[above], self.similarity[above]
            done.leader[gone] = self.leader[above]

    def frame(self, ids: pl.Series, known: pl.Series) -> pl.DataFrame:
        """Return the decisions by id, with the columns of `DECISION`."""
        done = self.settled()
        kept = done.leader < 0
        told = {
            "id": ids,
            "kept": kept,
            "duplicate_of": ids.gather(np.where(kept, 0, done.leader)) if len(ids) else ids,
            "method": pl.Series([*METHODS]).gather(done.method.astype(np.uint32)),
            "similarity": done.similarity.round(6),
            "unverified_gate": ~known,
        }
        blanked = [pl.when(~pl.col("kept")).then(pl.col(n)).alias(n) for n in ("duplicate_of", "method", "similarity")]
        typed = [pl.col(name).cast(kind) for name, kind in DECISION.items()]
        return pl.DataFrame(told).with_columns(blanked).select(typed).sort("id")
