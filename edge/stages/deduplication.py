"""Stage 5: what breaks a rule, repeats, leaks and crowded shapes go, survivors get their split.

trajectories -> trajectories, duplicates, rejects, contamination, diversity. Parts of whole gates may be judged by tasks
of their own (`judge_part_stage`); how many there are does not show in what is kept.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import orjson
import polars as pl

from edge.datasets.ledger import StageCount
from edge.datasets.rows import frame
from edge.datasets.schemas import schema_of
from edge.dedup.contamination import contaminated_by, overlaps_of, without_contaminated
from edge.dedup.corpora import held_out_rows
from edge.dedup.diversity import diversity
from edge.dedup.embeddings import with_threshold
from edge.dedup.importing import imported, tools_called
from edge.dedup.partitions import part_numbers
from edge.dedup.pipeline import GATED, METHODS, judge_gates, settle
from edge.dedup.records import DedupSettings
from edge.dedup.rules import QualityRules, own_name, quality_rejects
from edge.dedup.splits import Split, SplitSettings, assign_splits
from edge.embedding import LexicalEmbedder
from edge.ids import digest
from edge.stages.context import Context
from edge.stages.params import Run, StageRef

STAGE = "dedup"
_LEDGER = "deduplication"
_READ = (
    "trajectory_id", "query", "answer", "answer_facts", "golden_calls", "junctions", "kind", "link_ids", "plan",
    "plan_signature", "today",
)  # fmt: skip


@dataclass(frozen=True)
class _Candidates:
    """The trajectories of all batches, as deduplication sees them; the order of the batches does not matter."""

    context: Context
    batches: Sequence[StageRef]

    @cached_property
    def rows(self) -> pl.DataFrame:
        """What is read of them, each id once."""
        none = frame(schema_of("trajectories").stored, []).select(_READ)
        read = [self.context.frame(batch, "trajectories", _READ) for batch in self.batches]
        return pl.concat([none, *read]).unique("trajectory_id", keep="first", maintain_order=True).sort("trajectory_id")

    @cached_property
    def tools(self) -> pl.Series:
        """The tools that each row calls."""
        called = [tools_called(text) for text in self.rows["golden_calls"].to_list()]
        return pl.Series("tools", called, dtype=pl.List(pl.String))

    @cached_property
    def known(self) -> pl.DataFrame:
        """Their keys, in the columns of `records.COLUMNS`.

        Among equal needs the one with more facts survives: quality is their number, then fewer characters of request.
        """
        facts = pl.Series([len(orjson.loads(text)) for text in self.rows["answer_facts"].to_list()], dtype=pl.Float64)
        quality = facts - self.rows["query"].str.len_chars() / 1000
        return imported(self.rows.select("trajectory_id", "query", "plan").with_columns(quality=quality))

    @cached_property
    def settings(self) -> DedupSettings:
        """What decides; a threshold that is calibrated comes from all rows."""
        return with_threshold(DedupSettings(seed=1), self.context.embedder, self.rows["query"].to_list())

    @cached_property
    def held_out(self) -> list[tuple[str, pl.DataFrame]]:
        """The evaluation sets that the run was told of."""
        return [(source, held_out_rows(source)) for source in self.context.run.params.against]

    @cached_property
    def rejects(self) -> pl.DataFrame:
        """The rows that break a rule, in the columns of `rules.REJECT`."""
        language = self.context.run.params.language
        names = [own_name(text, tools) for text, tools in zip(self.rows["query"], self.tools.to_list(), strict=True)]
        told = self.rows.select(pl.col("trajectory_id").alias("id"), "answer", "kind", "today", text="query")
        return quality_rejects(
            told.with_columns(own_name=pl.Series(names, dtype=pl.String)), QualityRules(language=language)
        )

    @cached_property
    def sound(self) -> pl.DataFrame:
        """The keys of those that keep the rules."""
        return self.known.join(self.rejects, on="id", how="anti", maintain_order="left")

    def judged(self, part: int, parts: int) -> pl.DataFrame:
        """Return what the layers within gates decide of one part, in the columns of `pipeline.GATED`."""
        mine = self.sound.filter(part_numbers(self.sound, parts) == part) if parts > 1 else self.sound
        return judge_gates(mine, self.settings, self.context.embedder)

    def decided(self, judged: Sequence[StageRef]) -> pl.DataFrame:
        """Return the decisions on the rows that keep the rules, in the columns of `records.DECISION`."""
        if not judged:
            return settle([self.judged(0, 1)], self.settings)
        gone = pl.concat([self.context.frame(ref, "duplicates") for ref in judged]).select(
            "similarity", id="trajectory_id", leader="duplicate_of", method=_number(pl.col("method"))
        )
        known = pl.col("plan").is_not_null() & pl.col("args").is_not_null()
        rows = self.sound.join(gone, on="id", how="left").with_columns(pl.col("method").fill_null(0), known=known)
        return settle(
            [rows.select(list(GATED)).with_columns(pl.col("similarity", "quality").fill_null(0.0))], self.settings
        )

    def without_leaks(self, decisions: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame, dict[str, Split]]:
        """Return decisions without what evaluation sets and the own held-out splits hold, the matches, and the splits.

        With the own splits only plans and words are compared: alike in meaning is what rows of one run are.
        """
        named = contaminated_by(self._kept(decisions), self.held_out, self.context.embedder)
        clean = without_contaminated(decisions, named)
        kept = self._kept(clean)
        shapes = self.rows.select("trajectory_id", "plan_signature").join(
            kept, left_on="trajectory_id", right_on="id", how="semi"
        )
        splits = assign_splits(
            [(row, [shape]) for row, shape in shapes.rows()], SplitSettings(seed=self.context.run.params.seed)
        )
        split = kept["id"].replace_strict(splits, return_dtype=pl.String, default=None)
        sides = [(f"split:{name}", kept.filter(split == name)) for name in ("validation", "test")]
        own = contaminated_by(kept.filter(split == "train"), sides, LexicalEmbedder())
        return without_contaminated(clean, own), pl.concat([named, own]), splits

    def _kept(self, decisions: pl.DataFrame) -> pl.DataFrame:
        return self.sound.join(decisions.filter("kept"), on="id", how="semi", maintain_order="left")

    def measured(self, kept: pl.DataFrame) -> pl.DataFrame:
        """Return how varied the kept rows are, and which links they share with evaluation sets."""
        called = self.rows.select("junctions", id="trajectory_id", links="link_ids").with_columns(tools=self.tools)
        rows = kept.select("id").join(self.known.rename({"plan": "plans"}), on="id", how="left", maintain_order="left")
        rows = rows.join(called, on="id", how="left", maintain_order="left")
        told = rows.select("id", "text", "tools", "links", "plans", "junctions", "values")
        return pl.concat([diversity(told, self.context.embedder), overlaps_of(rows["links"], self.held_out)])


def judge_part_stage(run: Run, batches: Sequence[StageRef], part: int, parts: int) -> StageRef:
    """Judge one of `parts` parts of the trajectories of all batches, whole gates, for `deduplicate_stage`."""
    context = Context(run)
    key = context.key(STAGE, batches=[b.key for b in batches], part=part, parts=parts)
    if done := context.finished(STAGE, key):
        return done
    began = time.monotonic()
    gone = _Candidates(context, batches).judged(part, parts).filter(pl.col("leader").is_not_null())
    rows = gone.select(
        "similarity",
        trajectory_id="id",
        duplicate_of="leader",
        method=_name(pl.col("method")),
        run_id=pl.lit(run.run_id),
    )
    return context.finish(STAGE, key, {"duplicates": rows.to_dicts()}, began, {"duplicates": rows.height})


def deduplicate_stage(run: Run, batches: Sequence[StageRef], judged: Sequence[StageRef] = ()) -> StageRef:
    """Judge the trajectories of all batches together; `judged` are their parts, if tasks of their own judged them."""
    context = Context(run)
    found = _Candidates(context, batches)
    held = digest([[name, rows["text"].sort().to_list()] for name, rows in found.held_out])
    key = context.key(STAGE, batches=[b.key for b in batches], held_out=held)
    if done := context.finished(STAGE, key):
        return done
    began = time.monotonic()
    decisions, matches, splits = found.without_leaks(found.decided(judged))
    kept = decisions.filter("kept")
    gone = decisions.filter(~pl.col("kept"))
    dropped = Counter(gone["method"].to_list()) + Counter(found.rejects["reason"].to_list())
    taken = sum(b.figures["trajectories"] for b in batches)
    dropped["same_id"] += taken - found.rows.height
    queries = found.rows.select("trajectory_id", "query")
    duplicates = gone.drop("kept").rename({"id": "trajectory_id"})
    frames = {
        "duplicates": duplicates.join(queries, on="trajectory_id", how="left", maintain_order="left"),
        "rejects": found.rejects.rename({"id": "item_id"}).with_columns(stage=pl.lit(_LEDGER)),
        "contamination": matches.rename({"id": "trajectory_id", "duplicate_of": "held_out_id"}),
        "diversity": found.measured(kept),
    }
    out = {
        "trajectories": _shipped(context, batches, {i: splits[i] for i in kept["id"].to_list()}),
        **{name: rows.with_columns(run_id=pl.lit(run.run_id)).to_dicts() for name, rows in frames.items()},
        "stage_ledger": [StageCount.of(_LEDGER, taken, dropped).row(run.run_id)],
    }
    figures = {"kept": kept.height, "duplicates": gone.height, "rejects": found.rejects.height}
    return context.finish(STAGE, key, out, began, figures)


def _shipped(context: Context, batches: Sequence[StageRef], splits: Mapping[str, Split]) -> list[dict[str, object]]:
    """Return the whole rows of the survivors, by id; where two batches have one, that of the first."""
    wanted = pl.Series("trajectory_id", sorted(splits), dtype=pl.String).implode()
    rows: dict[str, dict[str, object]] = {}
    for batch in reversed(batches):
        found = context.frame(batch, "trajectories").filter(pl.col("trajectory_id").is_in(wanted))
        rows |= {row["trajectory_id"]: row for row in found.to_dicts()}
    return [{**rows[name], "split": splits[name]} for name in sorted(splits)]


def _name(method: pl.Expr) -> pl.Expr:
    return method.replace_strict(list(range(len(METHODS))), list(METHODS), return_dtype=pl.String)


def _number(method: pl.Expr) -> pl.Expr:
    return method.replace_strict(list(METHODS), list(range(len(METHODS))), return_dtype=pl.Int8)
