"""What deduplication takes and gives: a frame of rows in, one decision for each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Literal, cast

import polars as pl

from edge.errors import UsageError
from edge.ids import digest

Method = Literal["exact", "minhash", "embedding", "shape_cap", "contamination"]

# The columns that judging reads. Only `id` and `text` must be there; see `DedupRow` for what the others mean.
COLUMNS = {
    "id": pl.String(),
    "text": pl.String(),
    "plan": pl.String(),
    "args": pl.String(),
    "operator": pl.String(),
    "quality": pl.Float64(),
    "values": pl.List(pl.String()),
}
DECISION = {
    "id": pl.String(),
    "kept": pl.Boolean(),
    "duplicate_of": pl.String(),
    "method": pl.String(),
    "similarity": pl.Float64(),
    "unverified_gate": pl.Boolean(),
}


@dataclass(frozen=True, slots=True)
class DedupRow:
    """One row to judge, for callers with few of them; many are given as a frame with the columns of `COLUMNS`.

    `plan` names the call graph without values, `args` its argument values; equal keys mean equal things. None means
    unknown (text from elsewhere): the row is then judged by text alone, carefully, and is not capped. `operator` is
    what is done with the records (largest, mean, count); "" says that `plan` covers it, None that nobody knows it, and
    then two wordings of one plan and arguments may still ask for different things. `quality` decides who survives,
    higher is better. `values` are the argument values in words of the caller ("lawdCd=11680"), by which the shape cap
    keeps values varied; without them `args` is the value.
    """

    id: str
    text: str
    plan: str | None = None
    args: str | None = None
    operator: str | None = ""
    quality: float = 0.0
    values: tuple[str, ...] = ()

    @property
    def need(self) -> tuple[str, str, str | None] | None:
        """What the row asks for, as far as it is known: plan, arguments, operator."""
        return None if self.plan is None or self.args is None else (self.plan, self.args, self.operator)


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a row is kept. A dropped row says which kept row stands for it, by which method, and how alike they are.

    `similarity` is what the method compares: 1.0 for equal text or equal plan and arguments ("exact"), Jaccard of
    character 3-grams ("minhash", "contamination") or of argument values ("shape_cap"), cosine ("embedding"). It is
    None for kept rows. `unverified_gate` marks rows without plan and arguments: text alone decided about them.
    """

    id: str
    kept: bool
    duplicate_of: str | None = None
    method: Method | None = None
    similarity: float | None = None
    unverified_gate: bool = False


@dataclass(frozen=True, slots=True)
class DedupSettings:
    """What decides the result besides the rows; `fingerprint` goes into manifests.

    `max_phrasings` wordings are kept of one need (plan, arguments, operator), at most `shape_cap` rows of one plan;
    None for either: no cap. Jaccard thresholds are over character 3-grams: `need_jaccard` where plan and arguments are
    known to be equal, `text_jaccard` where they are unknown, `held_out_jaccard` against evaluation sets.
    `embedding_threshold` overrides the embedder's own; `use_embeddings` False leaves that layer out. Gates above
    `exact_limit` rows find candidates by MinHash with `num_perm` permutations of `seed` and `scheme` (datasketch 2),
    smaller ones compare all pairs. `threads` and `partition_rows` change the time, never the result.
    """

    max_phrasings: int | None = 1
    shape_cap: int | None = 20
    need_jaccard: float = 0.5
    text_jaccard: float = 0.9
    held_out_jaccard: float = 0.6
    use_embeddings: bool = True
    embedding_threshold: float | None = None
    exact_limit: int = 10_000
    num_perm: int = 128
    seed: int = 1
    scheme: Literal["affine32"] = "affine32"
    threads: int = 2
    partition_rows: int = 250_000

    def __post_init__(self) -> None:
        whole = (self.max_phrasings, self.shape_cap, self.exact_limit, self.num_perm, self.threads, self.partition_rows)
        if min(number for number in whole if number is not None) < 1:
            raise UsageError("dedup: max_phrasings, shape_cap, exact_limit, num_perm and threads must be 1 or more")
        thresholds = (self.need_jaccard, self.text_jaccard, self.held_out_jaccard, self.embedding_threshold)
        if not all(t is None or 0 < t <= 1 for t in thresholds):
            raise UsageError("dedup: thresholds must be above 0 and at most 1")

    def fingerprint(self, embedder: str) -> str:
        """Return a hash of what can change a result: the settings but for those of speed, and the embedder's name."""
        free = {"threads", "partition_rows"}
        return digest([{f.name: getattr(self, f.name) for f in fields(self) if f.name not in free}, embedder])


def frame_of(rows: Iterable[DedupRow]) -> pl.DataFrame:
    """Return rows as the frame that judging reads."""
    listed = list(rows)
    return pl.DataFrame(
        [pl.Series(name, [_cell(row, name) for row in listed], dtype=kind) for name, kind in COLUMNS.items()]
    )


def _cell(row: DedupRow, name: str) -> object:
    value = getattr(row, name)
    return list(cast("tuple[str, ...]", value)) if name == "values" else value


def decisions_of(frame: pl.DataFrame) -> list[Decision]:
    """Return a frame of decisions as objects, in its order."""
    return [Decision(**row) for row in frame.select(list(DECISION)).to_dicts()]
