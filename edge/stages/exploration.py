"""An exploration as it enters and leaves a batch: explorer, stored graph, what has changed (files <-> Explorer)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self, TypeAlias

from edge.execution.memo import MemoCaller
from edge.ids import digest
from edge.links.coverage import leading
from edge.links.exploration import Explorer
from edge.links.fillers import Filler, ValuePool
from edge.links.freshness import Ageing, FreshnessSettings, again, carry, reopen, restarted, written
from edge.links.model import Evidence, LearnedLink
from edge.links.rows import link_of, link_row, pool_rows, shape_row
from edge.links.shapes import Shape, drift, shape_of
from edge.links.signatures import signature
from edge.stages.context import Context
from edge.stages.exploration_state import Progress, answer_rows, progress_of, progress_rows
from edge.stages.graphs import StoredGraph, read_graph

Row: TypeAlias = "dict[str, object]"


@dataclass(frozen=True)
class Exploration:
    """One batch's view: what came before it (`progress`, `stored`), the explorer, and links that are no more (`gone`).

    `gone` lists (link id, reason, detail); the first batch reports them.
    """

    context: Context
    progress: Progress
    stored: StoredGraph
    gone: tuple[tuple[str, str, str], ...]

    @classmethod
    def opened(cls, context: Context, number: int) -> Self:
        """Return the exploration as batch `number` finds it.

        Raises:
            StoreError: the batch before is not there, or the stored graph is spoilt.
        """
        run = context.run
        stored = read_graph(context.outputs, run.graph, run.endpoint) if run.graph else StoredGraph()
        if not run.graph and not number:
            return cls(context, Progress(), stored, ())
        if number:
            earlier = context.explored(number)
            answers = (row for ref in earlier for row in context.read(ref, "exploration_answers"))
            progress = progress_of(context.read(earlier[-1], "exploration_state"), answers)
            return cls(context, progress, stored, ())
        links = [link_of(row).link for row in context.rows("propose", "links")]
        carriage = carry(stored.links, links, context.tools, run.endpoint, _ageing(context))
        entries = _entries(context, _filler(context, stored.pool))
        known = [LearnedLink(x, carriage.carried[x.link_id].kept) for x in links if x.link_id in carriage.carried]
        lead = leading(known, entries)
        carried = {k: again(one) if k in lead else one for k, one in carriage.carried.items()}
        return cls(context, Progress(pool=stored.pool, carried=carried), stored, carriage.gone)

    @cached_property
    def explorer(self) -> Explorer:
        """The explorer, going on from the progress."""
        run, progress = self.context.run, self.progress
        return Explorer(
            self.context.tools.values(),
            [link_of(row).link for row in self.context.rows("propose", "links")],
            _filler(self.context, progress.pool),
            self.context.exploring,
            # A run that goes on with a graph must not draw again what that graph was learned from.
            seed=int(digest([run.params.seed, run.graph_hash], 8), 16) if run.graph else run.params.seed,
            as_of=run.as_of,
            evidence={link_id: carried.start for link_id, carried in progress.carried.items()},
            state=progress.state,
        )

    @property
    def rounds_before(self) -> int:
        """How many rounds the batches before have explored."""
        state = self.progress.state
        return 0 if state is None else int(str(state.figures["rounds"]))

    # -- changes of what tools answer -----------------------------------------------------------------------------

    def reopen_changed(self) -> int:
        """Reopen the links of tools that no longer answer as they did, or are not served; returns how many."""
        changed = dict(self._changes())
        if not changed:
            return 0
        explorer, carried, ageing = self.explorer, self.progress.carried, _ageing(self.context)
        reopened = 0
        for link in explorer.links:
            before = carried.get(link.link_id)
            why = changed.get(link.source_tool) or changed.get(link.target_tool)
            if why is None or before is None or before.reopened or not _tried(before.kept):
                continue
            carried[link.link_id] = after = reopen(before, link, why, ageing)
            now = explorer.evidence[link.link_id]
            explorer.evidence[link.link_id] = restarted(now, before, after, ageing.belief)
            reopened += 1
        return reopened

    def _changes(self) -> Iterator[tuple[str, str]]:
        for tool_id, then in self.stored.shapes.items():
            if tool_id in self.explorer.unserved:
                if then.records:
                    yield tool_id, f"not served: {tool_id}"
            elif why := drift(then, self._shape(tool_id)):
                yield tool_id, f"shape of {tool_id}: {why}"

    def _shape(self, tool_id: str) -> Shape:
        return shape_of([observed.record for observed in self.explorer.records.get(tool_id, ())])

    # -- rows -----------------------------------------------------------------------------------------------------

    def rows_between(self, caller: MemoCaller) -> dict[str, Iterable[Mapping[str, object]]]:
        """Return what the next batch goes on from; `caller` knows the answers of this one."""
        explorer, progress = self.explorer, self.progress
        return {
            "exploration_state": progress_rows(explorer.state(), explorer.filler.pool, progress.carried),
            "exploration_answers": answer_rows(caller.known, progress.answers, records=explorer.settings.kept_records),
        }

    def rows_at_end(self) -> dict[str, list[Row]]:
        """Return links, values and shapes as they are published."""
        run, tools = self.context.run, self.context.tools
        hashes = {t.tool_id: t.spec_hash for t in tools.values()}
        ageing, links = _ageing(self.context), list[Row]()
        for x in self.explorer.learned():
            evidence, history = written(x.evidence, self.progress.carried.get(x.link.link_id), ageing)
            links.append(
                link_row(
                    LearnedLink(x.link, evidence), endpoint=run.endpoint, spec_hashes=hashes, run_id=run.run_id,
                    history=history, signature=signature(x.link, tools),
                )
            )  # fmt: skip
        values = list(pool_rows(self.explorer.filler.pool, run.run_id))
        return {"links": links, "value_pool": values, "tool_shapes": list(self._shape_rows())}

    def _shape_rows(self) -> Iterator[Row]:
        """Yield what every tool answered, with what was seen of it before where that is still true."""
        run, changed = self.context.run, dict(self._changes())
        for tool_id in sorted({*self.explorer.records, *self.explorer.unserved, *self.stored.shapes}):
            if tool_id in self.context.tools:
                then, now = self.stored.shapes.get(tool_id, Shape()), self._shape(tool_id)
                served = tool_id not in self.explorer.unserved
                shape = now if served and tool_id in changed else then.joined(now)
                yield shape_row(tool_id, shape, served=served, endpoint=run.endpoint, run_id=run.run_id)


def _tried(evidence: Evidence) -> bool:
    return evidence.trials + evidence.environmental_failures > 0


def _ageing(context: Context) -> Ageing:
    p = context.run.params
    freshness = FreshnessSettings(half_life_days=p.half_life_days, stale_days=p.stale_days)
    return Ageing(context.run.as_of, freshness, context.exploring.belief)


def _filler(context: Context, pool: ValuePool) -> Filler:
    return replace(context.filler(explored=False), pool=pool)


def _entries(context: Context, filler: Filler) -> set[str]:
    """Return the tools that an explorer can call without any link."""
    rng = random.Random(0)  # whether a tool can be filled hangs on no draw
    return {t.tool_id for t in context.tools.values() if t.read_only and filler.fill(t, (), rng) is not None}
