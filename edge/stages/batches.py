"""Items of a batch run side by side; every loss is counted and kept (items -> rows, rejects)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from edge.datasets.ledger import StageCount
from edge.execution.model import Reject
from edge.ids import Json

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(slots=True)
class Harvest(Generic[Result]):
    """What came of a batch, in item order."""

    stage: str
    taken: int = 0
    kept: list[Result] = field(default_factory=list[Result])
    rejects: list[Reject] = field(default_factory=list[Reject])

    def drop(self, item_id: str, reason: str, detail: str) -> None:
        """Count an item out."""
        self.rejects.append(Reject(self.stage, item_id, reason, detail))

    @property
    def count(self) -> StageCount:
        """The ledger count of the batch."""
        return StageCount.of(self.stage, self.taken, Counter(r.reason for r in self.rejects))

    def reject_rows(self, run_id: str) -> list[dict[str, Json]]:
        """Return the rows of the `rejects` dataset."""
        return [r.row(run_id) for r in self.rejects]


async def harvest(
    stage: str,
    items: Iterable[tuple[str, Item]],
    work: Callable[[Item], Awaitable[Result]],
    lost: tuple[type[Exception], ...],
    *,
    concurrency: int = 8,
) -> Harvest[Result]:
    """Run `work` on (id, item) pairs, `concurrency` at a time; exceptions in `lost` become rejects, others propagate.

    `lost` exceptions carry `reason` and `detail`.
    """
    gate = asyncio.Semaphore(concurrency)
    listed: Sequence[tuple[str, Item]] = list(items)

    async def one(item: Item) -> Result | Exception:
        async with gate:
            try:
                return await work(item)
            except lost as error:
                return error

    results = await asyncio.gather(*(one(item) for _, item in listed))
    found: Harvest[Result] = Harvest(stage, taken=len(listed))
    for (item_id, _), result in zip(listed, results, strict=True):
        if isinstance(result, Exception):
            found.drop(item_id, str(getattr(result, "reason", "error")), str(getattr(result, "detail", result)))
        else:
            found.kept.append(result)
    return found
