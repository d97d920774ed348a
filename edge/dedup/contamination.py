"""Rows and held-out rows -> rows that would give an evaluation away, with how they match."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import numpy as np
import polars as pl

from edge.dedup.blas import one_thread
from edge.dedup.calibration import calibrated_threshold
from edge.dedup.diversity import MEASURE
from edge.dedup.normalise import text_keys
from edge.dedup.records import DedupSettings
from edge.dedup.shingles import Sets
from edge.dedup.sparse import Floats, Ints, over, products
from edge.dedup.table import ranked
from edge.embedding import Embedder, LexicalEmbedder, Vectors, encode_checked

How: TypeAlias = Literal["need", "text", "near_text", "meaning"]

MATCH = {"id": pl.String(), "duplicate_of": pl.String(), "how": pl.String(), "similarity": pl.Float64()}
FOUND = {**MATCH, "held_out": pl.String()}
_BLOCK = 2048


def contaminated_by(
    rows: pl.DataFrame, held_out: Iterable[tuple[str, pl.DataFrame]], embedder: Embedder
) -> pl.DataFrame:
    """Return the matches of rows with every set, in the columns of `FOUND`; a row may match several sets.

    A model (not the lexical embedder, which sees what the text layers see) finds rewordings too, above a threshold
    calibrated on the rows' own random pairs.

    Args:
        rows: training rows, columns as in `records.COLUMNS`.
        held_out: name and rows of each set.
        embedder: what compares meanings.

    Raises:
        UsageError, ModelAnswerError: as `contaminated`.
    """
    meaning = None if isinstance(embedder, LexicalEmbedder) or not rows.height else embedder
    threshold = calibrated_threshold(meaning, rows["text"].to_list()) if meaning else None
    found = [pl.DataFrame(schema=FOUND)]
    for name, held in held_out:
        near = contaminated(rows, held, embedder=meaning, threshold=threshold)
        found.append(near.with_columns(held_out=pl.lit(name)))
    return pl.concat(found)


def contaminated(
    rows: pl.DataFrame,
    held_out: pl.DataFrame,
    settings: DedupSettings | None = None,
    *,
    embedder: Embedder | None = None,
    threshold: float | None = None,
) -> pl.DataFrame:
    """Return a match for each row that asks what a held-out row asks or says it in nearly its words; no gate here.

    A look-alike with other arguments matches too: losing a training row costs little, a leak spoils a benchmark. Each
    row names one held-out row, by the first of: equal plan and arguments ("need"), equal text ("text"), Jaccard of
    3-grams ("near_text"), cosine ("meaning", only with an embedder).

    Args:
        rows: training rows, columns as in `records.COLUMNS`.
        held_out: rows of evaluation sets, in the same columns.
        settings: `held_out_jaccard`.
        embedder: finds rewordings too; vectors of both sides come from it.
        threshold: the least cosine that counts; calibrate it on random pairs (`edge.dedup.calibration`).

    Raises:
        UsageError: an id comes twice on one side.
    """
    limit = (settings or DedupSettings()).held_out_jaccard
    mine, theirs = ranked(rows), ranked(held_out)
    keys, held_keys = text_keys(mine["text"]), text_keys(theirs["text"])
    found = [
        _joined(mine, theirs, ["plan", "args"], "need"),
        _joined(mine.with_columns(key=keys), theirs.with_columns(key=held_keys), ["key"], "text"),
        _near(mine, theirs, keys, held_keys, limit),
    ]
    if embedder is not None and threshold is not None:
        found.append(_meant(mine, theirs, embedder, threshold))
    whole = pl.concat(found).unique("id", keep="first", maintain_order=True)
    return whole.with_columns(pl.col("similarity").round(6)).sort("id")


def without_contaminated(decisions: pl.DataFrame, matches: pl.DataFrame) -> pl.DataFrame:
    """Return decisions in which kept rows with a match are dropped for it, and the rows they stood for with them.

    Args:
        decisions: the columns of `records.DECISION`.
        matches: from `contaminated`; the first of a row counts.
    """
    told = matches.unique("id", keep="first", maintain_order=True).select("id", of="duplicate_of", at="similarity")
    leader = pl.coalesce("duplicate_of", "id")
    joined = decisions.with_columns(leader=leader).join(told, left_on="leader", right_on="id", how="left")
    gone = pl.col("of").is_not_null()
    return (
        joined.with_columns(
            kept=pl.col("kept") & ~gone,
            duplicate_of=pl.coalesce("of", "duplicate_of"),
            method=pl.when(gone).then(pl.lit("contamination")).otherwise("method"),
            similarity=pl.coalesce("at", "similarity"),
        )
        .select(decisions.columns)
        .sort("id")
    )


def link_overlap(rows: pl.Series, held_out: pl.Series) -> float:
    """Return |A & B| / |A | B| of all link ids of two sides (lists of text); 0.0 means that no link is in both."""
    mine, theirs = (set(side.explode().drop_nulls().to_list()) for side in (rows, held_out))
    return len(mine & theirs) / len(mine | theirs) if mine | theirs else 0.0


def overlaps_of(links: pl.Series, held_out: Iterable[tuple[str, pl.DataFrame]]) -> pl.DataFrame:
    """Return how many links rows share with each set that tells its own, in the columns of `diversity.MEASURE`.

    Args:
        links: link ids of each row (lists of text).
        held_out: name and rows of each set, with the column `links` where there is one.
    """
    found = [
        ("link_jaccard", f"held_out:{name}", link_overlap(links, held["links"]), len(links))
        for name, held in held_out
        if "links" in held.columns and held["links"].list.len().sum()
    ]
    return pl.DataFrame(found, schema=MEASURE, orient="row")


def _matches(
    mine: pl.DataFrame, theirs: pl.DataFrame, at: Ints, of: Ints, how: How, similarity: Floats
) -> pl.DataFrame:
    found = {"id": mine["id"].gather(at), "duplicate_of": theirs["id"].gather(of), "similarity": similarity}
    return _typed(pl.DataFrame(found).with_columns(how=pl.lit(how)))


def _joined(mine: pl.DataFrame, theirs: pl.DataFrame, on: list[str], how: How) -> pl.DataFrame:
    """Match rows that are equal in some columns, none of them null; the best held-out row stands for its equals."""
    best = theirs.drop_nulls(on).unique(on, keep="first", maintain_order=True).select(*on, of="id")
    same = mine.join(best, on=on, how="inner", maintain_order="left")
    return _typed(same.select("id", duplicate_of="of", how=pl.lit(how), similarity=pl.lit(1.0)))


def _typed(found: pl.DataFrame) -> pl.DataFrame:
    return found.select([pl.col(name).cast(kind) for name, kind in MATCH.items()])


def _near(mine: pl.DataFrame, theirs: pl.DataFrame, keys: pl.Series, held: pl.Series, limit: float) -> pl.DataFrame:
    left, right = Sets(keys).packed, Sets(held).packed
    distinct = np.unique(right.words)
    own, others = over(left, distinct), over(right, distinct).T.tocsr()
    at, of, score = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    for start in range(0, mine.height, _BLOCK):
        row, other, shared = products(own[start : start + _BLOCK], others)
        alike = shared / (left.counts[row + start] + right.counts[other] - shared)
        near = np.flatnonzero(alike >= limit)
        near = near[np.lexsort((other[near], -alike[near], row[near]))]
        first = near[np.flatnonzero(np.diff(row[near], prepend=-1))]
        at, of, score = [*at, row[first] + start], [*of, other[first]], [*score, alike[first]]
    return _matches(mine, theirs, np.concatenate(at), np.concatenate(of), "near_text", np.concatenate(score))


def _meant(mine: pl.DataFrame, theirs: pl.DataFrame, embedder: Embedder, threshold: float) -> pl.DataFrame:
    told = mine.filter(text_keys(mine["text"]).str.len_bytes() > 0)
    held = theirs.filter(text_keys(theirs["text"]).str.len_bytes() > 0)
    if not told.height or not held.height:
        return pl.DataFrame(schema=MATCH)
    own, others = encode_checked(embedder, told["text"].to_list()), encode_checked(embedder, held["text"].to_list())
    best, score = _nearest(own, others)
    at = np.flatnonzero(score >= threshold)
    return _matches(told, held, at, best[at], "meaning", score[at])


@one_thread()
def _nearest(own: Vectors, others: Vectors) -> tuple[Ints, Floats]:
    best: list[Ints] = []
    score: list[Floats] = []
    for start in range(0, len(own), _BLOCK):
        alike = own[start : start + _BLOCK] @ others.T
        best.append(alike.argmax(axis=1))
        score.append(alike[np.arange(len(alike)), best[-1]].astype(np.float64))
    return np.concatenate(best), np.concatenate(score)
