"""What deduplication takes and gives: rows in, one decision for each."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from edge.errors import UsageError
from edge.ids import digest

Method = Literal["exact", "minhash", "embedding", "shape_cap", "contamination"]


@dataclass(frozen=True, slots=True)
class DedupRow:
    """One row to judge.

    `plan_key` names the call graph, `args_key` its argument values, `shape_key` the graph without values; equal keys
    mean equal things. None means unknown (text from elsewhere): the row is then judged by text alone, carefully, and is
    not capped. `quality` decides who survives, higher is better. `values` are the argument values in words of the
    caller ("lawdCd=11680"), used by the shape cap to keep the values varied; without them `args_key` is the value.
    """

    id: str
    text: str
    plan_key: str | None = None
    args_key: str | None = None
    shape_key: str | None = None
    quality: float = 0.0
    values: tuple[str, ...] = ()

    @property
    def need(self) -> tuple[str, str] | None:
        """What the row asks for, as far as it is known: plan and arguments."""
        return None if self.plan_key is None or self.args_key is None else (self.plan_key, self.args_key)


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a row is kept. A dropped row says which kept row stands for it, by which method, and how alike they are.

    `similarity` is what the method compares: 1.0 for equal text or equal plan and arguments ("exact"), Jaccard of
    character 3-grams ("minhash", "shape_cap", "contamination"), cosine ("embedding"). It is None for kept rows.
    """

    id: str
    kept: bool
    duplicate_of: str | None = None
    method: Method | None = None
    similarity: float | None = None

    @classmethod
    def drop(cls, row: str, leader: str, method: Method, similarity: float) -> Decision:
        """Return the decision to drop `row` because `leader` stands for it."""
        return cls(row, False, leader, method, round(similarity, 6))


@dataclass(frozen=True, slots=True)
class DedupSettings:
    """What decides the result besides the rows; `fingerprint` goes into manifests.

    `max_phrasings` wordings are kept of one need (plan and arguments), at most `shape_cap` rows of one plan shape.
    Jaccard thresholds are over character 3-grams: `need_jaccard` where plan and arguments are known to be equal,
    `text_jaccard` where they are unknown, `held_out_jaccard` against evaluation sets. `embedding_threshold` overrides
    the embedder's own; `use_embeddings` False leaves that layer out. Groups above `exact_limit` rows find candidates
    by MinHash with `num_perm` permutations of `seed` and `scheme` (datasketch 2), smaller ones compare all pairs.
    """

    max_phrasings: int = 1
    shape_cap: int = 20
    need_jaccard: float = 0.5
    text_jaccard: float = 0.9
    held_out_jaccard: float = 0.6
    use_embeddings: bool = True
    embedding_threshold: float | None = None
    exact_limit: int = 200
    num_perm: int = 128
    seed: int = 1
    scheme: Literal["affine32"] = "affine32"

    def __post_init__(self) -> None:
        if min(self.max_phrasings, self.shape_cap, self.exact_limit, self.num_perm) < 1:
            raise UsageError("dedup: max_phrasings, shape_cap, exact_limit and num_perm must be 1 or more")
        thresholds = (self.need_jaccard, self.text_jaccard, self.held_out_jaccard, self.embedding_threshold)
        if not all(t is None or 0 < t <= 1 for t in thresholds):
            raise UsageError("dedup: thresholds must be above 0 and at most 1")

    def fingerprint(self, embedder: str) -> str:
        """Return a hash of the settings and the embedder's name."""
        return digest([{name: getattr(self, name) for name in self.__slots__}, embedder])


def rank(rows: Iterable[DedupRow]) -> list[DedupRow]:
    """Return the rows best first: by quality, then by id; never by the order in which they came.

    Raises:
        UsageError: an id comes twice, or a quality is not a number.
    """
    ranked = sorted(rows, key=lambda row: (-row.quality, row.id))
    twice = [name for name, count in Counter(row.id for row in ranked).items() if count > 1]
    if twice:
        raise UsageError(f"dedup: the id {min(twice)!r} comes {Counter(r.id for r in ranked)[min(twice)]} times")
    odd = [row.id for row in ranked if not math.isfinite(row.quality)]
    if odd:
        raise UsageError(f"dedup: the quality of {min(odd)!r} is not a number")
    return ranked
