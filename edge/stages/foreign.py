"""Stage 5 on anybody's rows: a Parquet file -> survivors, duplicates and rejects (file -> datasets)."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import orjson
import polars as pl

from edge.datasets.ledger import StageCount
from edge.dedup.importing import imported
from edge.dedup.partitions import judge_in_parts
from edge.dedup.records import DedupSettings
from edge.dedup.rules import REJECT, QualityRules, own_name, quality_rejects
from edge.embedding import Embedder, LexicalEmbedder
from edge.errors import UsageError
from edge.ids import digest

STAGE = "deduplication"
_BATCH = 100_000


@dataclass(frozen=True, slots=True)
class Deduplicated:
    """What became of the rows of a file: `decisions` in the columns of `records.DECISION`, `rejects` in `REJECT`."""

    source: Path
    rows: int
    decisions: pl.DataFrame
    rejects: pl.DataFrame
    settings_hash: str
    seconds: float

    @property
    def run_id(self) -> str:
        """Identity of what was done: the file's rows and the settings."""
        return digest(["dedup", self.rows, self.settings_hash, self.decisions.height, self.source.name], 16)

    @property
    def kept(self) -> pl.DataFrame:
        """The ids that stay."""
        return self.decisions.filter("kept").select("id")

    @property
    def dropped(self) -> Counter[str]:
        """How many rows went, by method or reason."""
        found: Counter[str] = Counter(self.decisions.filter(~pl.col("kept"))["method"].to_list())
        return found + Counter(self.rejects["reason"].to_list())

    @property
    def count(self) -> StageCount:
        """The row of the ledger."""
        return StageCount.of(STAGE, self.rows, self.dropped)

    def duplicates(self) -> pl.DataFrame:
        """Return the rows of the `duplicates` dataset, with the text of what was removed."""
        gone = self.decisions.filter(~pl.col("kept"))
        said = scan(self.source).select(id=pl.col("trajectory_id").cast(pl.String), query=pl.col("query")).collect()
        return gone.join(said, on="id", how="left", maintain_order="left").select(
            "duplicate_of", "method", "similarity", "query", "unverified_gate",
            trajectory_id="id", run_id=pl.lit(self.run_id),
        )  # fmt: skip

    def survivors(self) -> pl.LazyFrame:
        """Return the rows that stay, with all columns of the file, in its order."""
        mine = pl.col("trajectory_id").cast(pl.String)
        return scan(self.source).filter(mine.is_in(self.kept["id"].implode()))


def scan(path: Path) -> pl.LazyFrame:
    """Return the rows of a Parquet file, read when they are needed.

    Raises:
        UsageError: it is no Parquet file.
    """
    try:
        frame = pl.scan_parquet(path, hive_partitioning=False)
        frame.collect_schema()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise UsageError(f"{path} is not a Parquet file: {str(error).splitlines()[0]}") from None
    return frame


def deduplicate_file(
    path: Path,
    settings: DedupSettings | None = None,
    rules: QualityRules | None = None,
    embedder: Embedder | None = None,
) -> Deduplicated:
    """Judge the rows of a Parquet file: quality rules first, then every layer; the file is read in batches.

    Raises:
        UsageError: it is no Parquet file, a column is missing, or an id is missing or comes twice.
        ModelAnswerError: the embedder gave a zero or non-finite vector.
    """
    began = time.monotonic()
    settings, rules, embedder = settings or DedupSettings(), rules or QualityRules(), embedder or LexicalEmbedder()
    source = scan(path)
    count = int(source.select(pl.len()).collect().item())
    rejects: list[pl.DataFrame] = [pl.DataFrame(schema=REJECT)]
    with tempfile.TemporaryDirectory(prefix="edge-dedup-") as folder:
        batches = _judged_batches(source, count, rules, rejects)
        decisions = judge_in_parts(batches, count, Path(folder), settings, embedder)
    made = settings.fingerprint(embedder.name) + digest(str(rules))
    return Deduplicated(path, count, decisions, pl.concat(rejects), made, time.monotonic() - began)


def _judged_batches(
    source: pl.LazyFrame, count: int, rules: QualityRules, rejects: list[pl.DataFrame]
) -> Iterator[pl.DataFrame]:
    """Give the rows that keep the rules, batch by batch; the others are added to `rejects`."""
    read = [*{"trajectory_id", "query", "plan", "arguments", "operator", "quality", "golden_calls", *_ASKED}]
    names = source.collect_schema().names()
    for name in ("trajectory_id", "query"):
        if name not in names:
            raise UsageError(f"the column {name} is missing; there are {', '.join(names) or 'none'}")
    chosen = source.select([name for name in read if name in names])
    for start in range(0, count, _BATCH):
        batch = chosen.slice(start, _BATCH).collect()
        rows = imported(batch)
        if rows["id"].null_count():
            raise UsageError(f"{rows['id'].null_count()} rows have no trajectory_id")
        extra = [batch[name] for name in _ASKED if name in batch.columns]
        extra += [_own_names(batch)] if "golden_calls" in batch.columns else []
        broken = quality_rejects(rows.select("id", "text").with_columns(extra), rules)
        rejects.append(broken)
        yield rows.join(broken, on="id", how="anti", maintain_order="left")


_ASKED = ("answer", "kind", "today")


def _own_names(batch: pl.DataFrame) -> pl.Series:
    """Return for each row a tool of its own calls that its request names."""
    found: list[str | None] = []
    for query, text in zip(batch["query"].cast(pl.String), batch["golden_calls"].cast(pl.String), strict=True):
        found.append(own_name(query, _tools(text or "[]")))
    return pl.Series("own_name", found, dtype=pl.String)


def _tools(text: str) -> list[str]:
    try:
        calls = cast("object", orjson.loads(text))
    except orjson.JSONDecodeError:
        return []
    listed = cast("list[object]", calls) if isinstance(calls, list) else []
    return [str(cast("dict[str, object]", call).get("tool", "")) for call in listed if isinstance(call, dict)]
