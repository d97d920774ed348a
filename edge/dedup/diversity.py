"""A dataset -> how varied it is: coverage and entropy of what it calls, of its values, of its words and meanings."""

from __future__ import annotations

import hashlib
import math
import zlib
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import polars as pl

from edge.dedup.blas import one_thread
from edge.dedup.floors import COUNTED
from edge.dedup.normalise import text_keys
from edge.embedding import Embedder, LexicalEmbedder, Vectors, encode_checked

MEASURE = {"measure": pl.String(), "subject": pl.String(), "value": pl.Float64(), "rows": pl.Int64()}
WORD_SAMPLE = 2_000  # rows that measures of words look at: they depend on how many there are
MEANING_SAMPLE = 5_000
_DIGITS = 6  # beyond which figures hang on the order in which a processor adds


def diversity(frame: pl.DataFrame, embedder: Embedder | None = None, *, meanings: int = MEANING_SAMPLE) -> pl.DataFrame:
    """Return the measures of a dataset, with the columns of `MEASURE`; `rows` is how many rows a measure looked at.

    For `tools`, `links`, `plans`, `junctions` and argument `values` (where the frame has such a column): `distinct`,
    `entropy` in bits, `effective` = 2^entropy, and `evenness` = entropy over that of equal shares. Values are counted
    as a whole and by argument (`values:tool.name`). For words: `distinct_1`, `distinct_2` (distinct over all word
    1-grams and 2-grams), `distinct_char_3` and `compression` (zlib size over size), on a fixed sample of 2,000 rows.
    For meanings: `vendi` (Friedman & Dieng, arXiv 2210.02410) from the covariance of the vectors, `vendi_share` of it
    in the rows, and `nearest_distance`, the mean of 1 - cosine to the nearest other row, on a fixed sample of 5,000.
    Samples are drawn by a hash of the ids; compare measures of equal numbers of rows and one embedder only.

    Args:
        frame: `id` and `text`, and of `COUNTED` what there is.
        embedder: gives the vectors; the lexical one by default.
        meanings: rows of the sample for measures of meaning.

    Raises:
        ModelAnswerError: a vector is zero or not finite.
    """
    lists = [pl.col(name).cast(pl.List(pl.String)) for name in ("tools", "links", "values") if name in frame.columns]
    frame = frame.with_columns(pl.col("id", "text").cast(pl.String), *lists)
    rows: list[tuple[str, str, float, int]] = []
    for name in COUNTED:
        if name in frame.columns:
            rows += _counted(name, frame[name])
    rows += _by_argument(frame)
    rows += _words(_sample(frame, WORD_SAMPLE)["text"].to_list())
    rows += _meanings(_sample(frame.filter(text_keys(frame["text"]).str.len_bytes() > 0), meanings), embedder)
    return pl.DataFrame(rows, schema=MEASURE, orient="row").with_columns(pl.col("value").round(_DIGITS))


def _counted(subject: str, column: pl.Series) -> list[tuple[str, str, float, int]]:
    flat = column.explode() if column.dtype == pl.List(pl.String) else column
    counts = flat.drop_nulls().value_counts()["count"].sort().to_numpy().astype(np.float64)
    shares = counts / counts.sum() if len(counts) else counts
    entropy = float(-(shares * np.log2(shares)).sum())
    most = math.log2(len(counts)) if len(counts) > 1 else 0.0
    told = {
        "distinct": float(len(counts)),
        "entropy": entropy,
        "effective": 2**entropy if len(counts) else 0.0,
        "evenness": entropy / most if most else 0.0,
    }
    return [(measure, subject, value, len(column)) for measure, value in told.items()]


def _by_argument(frame: pl.DataFrame) -> list[tuple[str, str, float, int]]:
    """Return distinct values and entropy of every argument ("tool.name=value")."""
    if "values" not in frame.columns:
        return []
    flat = frame["values"].explode().drop_nulls().to_frame("value")
    parts = flat.select(name=pl.col("value").str.extract(r"^([^=]*)=", 1), value="value").drop_nulls()
    found: list[tuple[str, str, float, int]] = []
    for (name,), own in sorted(parts.partition_by("name", as_dict=True).items(), key=lambda item: str(item[0])):
        found += [m for m in _counted(f"values:{name}", own["value"]) if m[0] in ("distinct", "entropy")]
    return found


def _sample(frame: pl.DataFrame, most: int) -> pl.DataFrame:
    """Return at most so many rows, the same ones whatever their order."""
    if frame.height <= most:
        return frame.sort("id")
    drawn = pl.Series([hashlib.blake2b(name.encode(), digest_size=8).digest() for name in frame["id"].to_list()])
    return frame.with_columns(drawn=drawn).sort("drawn", "id").head(most).drop("drawn")


def _words(texts: Sequence[str]) -> list[tuple[str, str, float, int]]:
    split = [text.split() for text in texts]
    ones = [word for words in split for word in words]
    twos = [pair for words in split for pair in pairwise(words)]
    threes = [text[i : i + 3] for text in texts for i in range(len(text) - 2)]
    whole = "\n".join(texts).encode()
    told = {
        "distinct_1": len(set(ones)) / max(len(ones), 1),
        "distinct_2": len(set(twos)) / max(len(twos), 1),
        "distinct_char_3": len(set(threes)) / max(len(threes), 1),
        "compression": len(zlib.compress(whole, 6)) / max(len(whole), 1),
    }
    return [(measure, "words", value, len(texts)) for measure, value in told.items()]


def _meanings(frame: pl.DataFrame, embedder: Embedder | None) -> list[tuple[str, str, float, int]]:
    if frame.is_empty():
        return []
    vectors = encode_checked(embedder or LexicalEmbedder(), frame["text"].to_list())
    score = vendi(vectors)
    told = {"vendi": score, "vendi_share": score / len(vectors)}
    if len(vectors) > 1:
        told["nearest_distance"] = nearest_distance(vectors)
    return [(measure, "meanings", value, len(vectors)) for measure, value in told.items()]


@one_thread()
def vendi(vectors: Vectors) -> float:
    """Return the exponential of the entropy of the eigenvalues of the kernel matrix over n: an effective count of rows.

    For unit vectors and the cosine kernel these are the eigenvalues of the (dim, dim) matrix V'V / n, so its cost does
    not grow with the square of the rows.
    """
    wide = vectors.astype(np.float64)
    small = wide.T @ wide if len(wide) > wide.shape[1] else wide @ wide.T
    values = np.linalg.eigvalsh(small / len(wide))
    values = values[values > 1e-12]
    return float(np.exp(-(values * np.log(values)).sum()))


@one_thread()
def nearest_distance(vectors: Vectors, block: int = 1024) -> float:
    """Return the mean over rows of 1 - cosine to the nearest other row."""
    total = 0.0
    for start in range(0, len(vectors), block):
        alike = vectors[start : start + block] @ vectors.T
        alike[np.arange(len(alike)), np.arange(start, start + len(alike))] = -np.inf
        total += float((1.0 - alike.max(axis=1)).sum())
    return total / len(vectors)
