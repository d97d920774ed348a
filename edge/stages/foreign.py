"""Stage 5 on anybody's rows: a Parquet file -> survivors, duplicates and rejects (file -> datasets)."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from edge.datasets.ledger import StageCount
from edge.dedup.contamination import FOUND, contaminated_by, overlaps_of, without_contaminated
from edge.dedup.corpora import held_out_rows
from edge.dedup.diversity import MEASURE, diversity
from edge.dedup.embeddings import with_threshold
from edge.dedup.importing import imported, tools_called
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
    """What became of the rows of a file: `decisions` in the columns of `records.DECISION`, `rejects` in `REJECT`.

    `matches` are the rows that went because an evaluation set holds their like, in the columns of `FOUND`; `shared`
    says how many links each such set has in common with the survivors, in the columns of `MEASURE`.
    """

    source: Path
    rows: int
    decisions: pl.DataFrame
    rejects: pl.DataFrame
    settings_hash: str
    seconds: float
    matches: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=FOUND))
    shared: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=MEASURE))

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
    if settings.use_embeddings and "query" in source.collect_schema().names():
        texts = source.select(pl.col("query").cast(pl.String)).drop_nulls().collect().to_series()
        settings = with_threshold(settings, embedder, texts.to_list())
    rejects: list[pl.DataFrame] = [pl.DataFrame(schema=REJECT)]
    with tempfile.TemporaryDirectory(prefix="edge-dedup-") as folder:
        batches = _judged_batches(source, count, rules, rejects)
        decisions = judge_in_parts(batches, count, Path(folder), settings, embedder)
    made = settings.fingerprint(embedder.name) + digest(str(rules))
    return Deduplicated(path, count, decisions, pl.concat(rejects), made, time.monotonic() - began)


def decontaminated(found: Deduplicated, sources: Sequence[str], embedder: Embedder) -> Deduplicated:
    """Return the same without the rows that evaluation sets hold in these words, this sense or with this plan.

    Raises:
        UsageError: a source cannot be read (see `corpora.held_out_rows`).
    """
    held = [(source, held_out_rows(source)) for source in sources]
    matches = contaminated_by(_imported(found), held, embedder)
    clean = replace(found, decisions=without_contaminated(found.decisions, matches), matches=matches)
    return replace(clean, shared=overlaps_of(_more(clean)["links"], held))


def measured(found: Deduplicated, embedder: Embedder) -> pl.DataFrame:
    """Return how varied the survivors are, in the columns of `edge.dedup.diversity.MEASURE`."""
    rows = _imported(found).rename({"plan": "plans"})
    rows = rows.join(_more(found), on="id", how="left", maintain_order="left")
    told = [
        name for name in ("tools", "links", "junctions", "plans", "values") if rows[name].null_count() < rows.height
    ]
    return pl.concat([diversity(rows.select("id", "text", *told), embedder), found.shared])


def _more(found: Deduplicated) -> pl.DataFrame:
    """Return id, links, junctions and tools of the survivors; null where the file does not tell."""
    there = found.survivors().collect_schema().names()
    lists = {"links": "link_ids", "junctions": "junctions", "golden_calls": "golden_calls"}
    columns = [(pl.col(c) if c in there else pl.lit(None)).alias(name) for name, c in lists.items()]
    rows = found.survivors().select(pl.col("trajectory_id").cast(pl.String).alias("id"), *columns).collect()
    tools = [text and tools_called(text) for text in rows["golden_calls"].cast(pl.String).to_list()]
    kind = pl.List(pl.String)
    return rows.select("id", pl.col("links", "junctions").cast(kind), tools=pl.Series(tools, dtype=kind))


def _imported(found: Deduplicated) -> pl.DataFrame:
    """Return the survivors in the columns of `records.COLUMNS`."""
    return imported(found.survivors().collect())


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
    rows = zip(batch["query"].cast(pl.String), batch["golden_calls"].cast(pl.String), strict=True)
    return pl.Series(
        "own_name", [own_name(query, tools_called(calls or "[]")) for query, calls in rows], dtype=pl.String
    )
