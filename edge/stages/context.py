"""A run and its work folder become what a stage needs: tools, links, values, model, gateway (files -> objects)."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import cast

import polars as pl

from edge import __version__
from edge.datasets.ledger import StageCount
from edge.datasets.parts import read_frame, rows_of
from edge.datasets.work import Batch, WorkDir, batch_key
from edge.embedding import Embedder, make_embedder
from edge.errors import StoreError
from edge.execution.budgets import board_of
from edge.execution.endpoint import Endpoint
from edge.execution.gateway import GatewayClient
from edge.execution.keys import Keys
from edge.execution.recording import RunLog
from edge.ids import Json
from edge.links.feasibility import offline_feasibility
from edge.links.fillers import Filler
from edge.links.model import LearnedLink
from edge.links.rounds import ExplorationSettings
from edge.links.rows import link_of, pool_of
from edge.links.suppliers import Suppliers
from edge.llm.backends import make_model
from edge.llm.books import FILE as BOOKS
from edge.llm.books import Books
from edge.llm.caching import Shelf
from edge.llm.protocol import Model
from edge.llm.spending import Payer
from edge.llm.usage import MeteredModel, UsageMeter
from edge.plans.sayings import say_parameter
from edge.settings import LlmSettings, Settings
from edge.specs.model import Tool
from edge.specs.rows import tool_of
from edge.stages.params import Run, StageRef
from edge.stages.recordings import tape_of

EXPLORE = "explore"
SIDE_BY_SIDE = 8  # items of a stage at a time where no model sets the pace
Rows = Mapping[str, Iterable[Mapping[str, object]]]


@dataclass(frozen=True)
class Context:
    """Everything a stage of one run can ask for; read from files when first asked."""

    run: Run

    @cached_property
    def outputs(self) -> Path:
        """The outputs folder."""
        return self.run.params.outputs.absolute()

    @cached_property
    def tools(self) -> dict[str, Tool]:
        """The compiled tools by id."""
        return {t.tool_id: t for t in map(tool_of, self.rows("compile", "tools"))}

    @cached_property
    def suppliers(self) -> Suppliers:
        """Which tools give out what parameters are called."""
        return Suppliers(self.tools.values())

    @cached_property
    def learned(self) -> list[LearnedLink]:
        """The links with their evidence."""
        return [link_of(row) for row in self.rows(EXPLORE, "links")]

    @cached_property
    def embedder(self) -> Embedder:
        """What finds links and near-duplicates: the model that was named, else the lexical embedder."""
        p = self.run.params
        return make_embedder(
            p.embedding_model, p.embedding_revision,
            base_url=p.embedding_base_url, prompt=p.embedding_prompt, cache=self.outputs,
        )  # fmt: skip

    @cached_property
    def side_by_side(self) -> int:
        """How many items of a stage are worked on at a time: enough to keep the model as busy as it may be kept."""
        if self.run.params.llm == "offline":
            return SIDE_BY_SIDE
        return max(SIDE_BY_SIDE, self._asking.side_by_side)

    @property
    def _asking(self) -> LlmSettings:
        return self.run.params.asking(Settings.model_validate({}).llm)

    @property
    def exploring(self) -> ExplorationSettings:
        """The run's settings of exploration, its weights of evidence among them."""
        p = self.run.params
        return ExplorationSettings.of(p.exploration, rounds=p.iterations, paths=p.paths)

    def filler(self, *, explored: bool, compiled: bool = True) -> Filler:
        """Return what fills arguments; with the value pool of the exploration, and tools that supply, once they are."""
        pool = pool_of(self.rows(EXPLORE, "value_pool") if explored else ())
        say = partial(say_parameter, language=self.run.params.language)
        suppliers = self.suppliers if compiled else Suppliers(())
        return Filler(self.run.now.replace(tzinfo=None), pool, say, suppliers)

    def model(self, stage: str, meter: UsageMeter) -> Model:
        """Return the run's model, counted under `stage`; what it has answered is not asked again (design/models.md)."""
        p, run = self.run.params, self.run.run_id
        handlers = {"link_feasibility": offline_feasibility}
        if not p.asks_model(stage):
            return MeteredModel(make_model(handlers=handlers), meter, stage)
        books = Books(self.outputs / BOOKS)
        chosen = make_model(
            p.llm, p.model, p.llm_base_url, settings=self._asking,
            shelf=Shelf(books, run, fresh=p.no_cache), payer=Payer(run, stage, p.budget_usd),
        )  # fmt: skip
        meter.bill(books, run, stage)
        return MeteredModel(chosen, meter, stage)

    @asynccontextmanager
    async def gateway(self, **patience: int) -> AsyncGenerator[tuple[GatewayClient, RunLog]]:
        """Open a client for the run's endpoint and the log that its calls go to; `patience` replaces settings."""
        place = Endpoint() if self.run.replays else Endpoint.parse(self.run.url)
        keys = Keys.demo() if self.run.own_sandbox else Keys.from_environment(
            loopback=place.loopback, env_file=Path(".env")
        )  # fmt: skip
        log = RunLog(self.run.run_id)
        settings = Settings.model_validate({}).execution.model_copy(update=dict(patience))
        quota = None if self.run.replays else board_of(place, self.outputs)
        with tape_of(self.run, keys.redactor) as tape:
            async with GatewayClient(place, keys, settings=settings, recorder=log, tape=tape, quota=quota) as client:
                yield client, log

    # -- the work folder ------------------------------------------------------------------------------------------

    def finished(self, stage: str, key: str) -> StageRef | None:
        """Return the reference of a batch that is whole on disk; None means: compute it."""
        batch = self._work(stage).get_batch(key)
        return _reference(stage, batch) if batch else None

    def finish(self, stage: str, key: str, rows: Rows, began: float, figures: Mapping[str, int]) -> StageRef:
        """Write a batch, with the milliseconds since `began` (monotonic) among its figures; return its reference."""
        timed = {**figures, "ms": round((time.monotonic() - began) * 1000)}
        return _reference(stage, self._work(stage).put_batch(key, rows, timed))

    def key(self, stage: str, **inputs: Json) -> str:
        """Return the key of a batch: the run, the code and the batch's own inputs."""
        return batch_key(run=self.run.run_id, code=__version__, stage=stage, **inputs)

    def batch(self, ref: StageRef) -> Batch:
        """Return a finished batch.

        Raises:
            StoreError: its files are gone or damaged.
        """
        found = self._work(ref.stage).get_batch(ref.key)
        if found is None:
            raise StoreError(f"the work files of {ref.stage} are gone or damaged; run again without --resume")
        return found

    def read(self, ref: StageRef, dataset: str) -> list[dict[str, object]]:
        """Return the rows of one dataset of a batch."""
        return cast("list[dict[str, object]]", rows_of(self.frame(ref, dataset)))

    def frame(self, ref: StageRef, dataset: str, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """Return the rows of one dataset of a batch as a frame, of which only `columns` are read."""
        return read_frame([self.outputs / self.batch(ref).part(dataset).path], columns)

    def rows(self, stage: str, dataset: str) -> list[dict[str, object]]:
        """Return the rows of a stage that has one batch only, or of all batches of the exploration that have any."""
        if stage != EXPLORE:
            return self.read(StageRef(stage=stage, key=self.key(stage), figures={}), dataset)
        holding = [ref for ref in self.exploration if any(p.dataset == dataset for p in self.batch(ref).parts)]
        return [row for ref in holding for row in self.read(ref, dataset)]

    @cached_property
    def exploration(self) -> list[StageRef]:
        """The batches of the finished exploration.

        Raises:
            StoreError: one is not there.
        """
        return self.explored(None)

    def explored(self, number: int | None) -> list[StageRef]:
        """Return the first `number` batches of the exploration, None for all up to the last.

        Raises:
            StoreError: one is not there.
        """
        found: list[StageRef] = []
        while len(found) != number and not (found and found[-1].figures["done"]):
            ref = self.finished(EXPLORE, self.exploration_key(len(found)))
            if ref is None:
                raise StoreError(f"the work files of {EXPLORE} are gone or damaged; run again without --resume")
            found.append(ref)
        return found

    def exploration_key(self, number: int) -> str:
        """Return the key of a batch of the exploration: each goes on from the ones before, down to the first."""
        return self.key(EXPLORE, batch=number)

    def clear(self, stages: Iterable[str]) -> None:
        """Forget what an earlier run of the same parameters left."""
        for stage in stages:
            self._work(stage).clear()

    def _work(self, stage: str) -> WorkDir:
        return WorkDir(self.outputs, self.run.run_id, stage)


def _reference(stage: str, batch: Batch) -> StageRef:
    return StageRef(stage=stage, key=batch.key, figures=batch.figures)


def usage_rows(meter: UsageMeter, run: Run) -> list[dict[str, object]]:
    """Return the usage rows of a meter, which are then reported: no later row counts the same turns."""
    rows: list[dict[str, object]] = [{"run_id": run.run_id, **asdict(row)} for row in meter.rows()]
    meter.reported()
    return rows


def merged_ledger(run: Run, rows: Iterable[Mapping[str, object]]) -> list[dict[str, object]]:
    """Add up the ledger rows of batches, one row a stage, in the order in which the stages first come."""
    totals: dict[str, tuple[int, dict[str, int], float]] = {}
    for row in rows:
        rows_in, dropped, seconds = totals.get(str(row["stage"]), (0, {}, 0.0))
        more = cast("dict[str, int]", json.loads(str(row["dropped"])))
        for reason, number in more.items():
            dropped[reason] = dropped.get(reason, 0) + number
        taken = float(str(row.get("seconds") or 0.0))
        totals[str(row["stage"])] = (rows_in + int(str(row["rows_in"])), dropped, seconds + taken)
    return [
        StageCount.of(stage, rows_in, dropped).row(run.run_id, round(seconds, 3))
        for stage, (rows_in, dropped, seconds) in totals.items()
    ]


def merged_usage(rows: Iterable[Mapping[str, object]]) -> list[dict[str, object]]:
    """Add up usage rows of batches by stage, provider, model and prompt."""
    totals: dict[tuple[str, ...], dict[str, object]] = {}
    summed = ("calls", "cached_calls", "input_tokens", "output_tokens", "cost_usd")
    for row in rows:
        key = tuple(str(row[name]) for name in ("stage", "provider", "model", "prompt_hash"))
        total = totals.setdefault(key, {**row, **dict.fromkeys(summed, 0)})
        for name in summed:
            total[name] = _plus(total[name], row[name])
    return [totals[key] for key in sorted(totals)]


def _plus(left: object, right: object) -> float | int | None:
    if left is None or right is None:
        return None  # an unknown price makes the sum unknown
    return cast("float", left) + cast("float", right)
