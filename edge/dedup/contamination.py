"""Survivors and held-out rows -> training rows that would give the evaluation away."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from edge.dedup.normalise import text_key
from edge.dedup.records import Decision, DedupRow, DedupSettings, rank
from edge.dedup.shingles import shingle_set


def contaminated(
    rows: Iterable[DedupRow], held_out: Iterable[DedupRow], settings: DedupSettings | None = None
) -> list[Decision]:
    """Return drops, by id, of rows that ask what a held-out row asks or say it in nearly its words; no gate here.

    A look-alike with other arguments is dropped too: losing a training row costs little, a leak spoils a benchmark.

    Args:
        rows: training rows.
        held_out: rows of evaluation sets; `duplicate_of` names one of them.
        settings: `held_out_jaccard` over character 3-grams.

    Raises:
        UsageError: an id comes twice on one side.
    """
    threshold = (settings or DedupSettings()).held_out_jaccard
    kept = rank(held_out)
    index = _Index(kept)
    drops = (index.match(row, threshold) for row in rank(rows))
    return sorted((drop for drop in drops if drop is not None), key=lambda drop: drop.id)


class _Index:
    """Held-out rows by need, by text and by shingle."""

    def __init__(self, rows: Sequence[DedupRow]) -> None:
        self._rows = rows
        self._needs = {row.need: row for row in reversed(rows) if row.need is not None}
        self._texts = {text_key(row.text): row for row in reversed(rows)}
        self._sizes = [len(shingle_set(text_key(row.text))) for row in rows]
        self._holders: defaultdict[str, list[int]] = defaultdict(list)
        for i, row in enumerate(rows):
            for shingle in shingle_set(text_key(row.text)):
                self._holders[shingle].append(i)

    def match(self, row: DedupRow, threshold: float) -> Decision | None:
        """Return the drop of a row that some held-out row matches."""
        same = self._texts.get(text_key(row.text)) or (self._needs.get(row.need) if row.need else None)
        if same is not None:
            return Decision.drop(row.id, same.id, "contamination", 1.0)
        own = shingle_set(text_key(row.text))
        shared = Counter(i for shingle in own for i in self._holders.get(shingle, ()))
        scores = [(common / (len(own) + self._sizes[i] - common), -i) for i, common in shared.items()]
        score, position = max(scores, default=(0.0, 0))
        if score < threshold:
            return None
        return Decision.drop(row.id, self._rows[-position].id, "contamination", score)
