"""Results of a batch -> what came of each of its lines, by custom id, and what that costs (results -> books)."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from edge.errors import ModelUnavailable
from edge.ids import Json, canonical_json
from edge.llm.batches_books import BatchBooks, BookedBatch, BookedLine, Settled
from edge.llm.batches_protocol import CANCELED, EXPIRED, BatchService, Progress, Result, Torn, custom_id
from edge.llm.books import PaidTurn
from edge.llm.spending import Account

logger = logging.getLogger("edge.models")

_BROKEN = 500
_CALLED: Mapping[int, str] = {CANCELED: "canceled", EXPIRED: "expired"}


async def merge(
    batches: BatchService,
    books: BatchBooks,
    account: Account,
    batch: BookedBatch,
    batch_id: str,
    progress: Progress,
    attempts: int,
    again_s: float,
) -> None:
    """Read the results of a batch that has ended, and write down what came of all its lines, and what that cost.

    A line without a result has failed; two results of one id that differ are no answer, for it cannot be told which
    is; results of other ids are left alone.

    Raises:
        ModelUnavailable: the results cannot be read now.
    """
    results = {} if progress.gone else await _read(batches, batch_id, attempts, again_s)
    lines = {custom_id(line.line_id, batch.token): line for line in books.lines(batch.token)}
    if strangers := sum(name not in lines for name in results):
        logger.warning("models: batch %s holds %d results of no line of it", batch_id, strangers)
    lost = Result("", None, progress.status, progress.message or "no result came of it")
    settled = [_settled(batches, account, batch, line, results.get(name, [lost])) for name, line in lines.items()]
    if books.settle(batch.token, settled):
        _tell(batch_id, settled)
        logger.info("models: %s", account.said())


async def _read(batches: BatchService, batch_id: str, attempts: int, again_s: float) -> dict[str, list[Result]]:
    """Return the results by custom id, each only once; read again from the start where reading breaks off."""
    for attempt in range(1, attempts + 1):
        found: dict[str, list[Result]] = {}
        try:
            async for result in batches.results(batch_id):
                same = found.setdefault(result.custom_id, [])
                if all(canonical_json(_said(result)) != canonical_json(_said(other)) for other in same):
                    same.append(result)
            return found
        except ModelUnavailable as error:
            if attempt == attempts and isinstance(error, Torn):  # they are no better at the service
                logger.warning("models: %s; what is missing is asked again", error)
                return found
            if attempt == attempts:
                raise
            await asyncio.sleep(error.retry_after or again_s)
    raise AssertionError("the last attempt returns or raises")


def _said(result: Result) -> Json:
    return dict(result.body) if result.body is not None else [result.status, result.message]


def _settled(
    batches: BatchService, account: Account, batch: BookedBatch, line: BookedLine, results: Sequence[Result]
) -> Settled:
    """Return what came of a line. Every answer is paid for, whatever becomes of it."""
    who = replace(batch.asked, prompt=line.prompt, prompt_hash=line.prompt_hash)
    paid: list[PaidTurn] = []
    answers: list[Result] = []
    for result in results:
        if result.body is None:
            continue
        try:
            usage, counted = batches.usage(result.body)
        except ModelUnavailable as error:  # it is no answer
            return Settled(line.line_id, "failed", _BROKEN, str(error), tuple(paid))
        answers.append(result)
        paid.append(PaidTurn(who, usage, account.charge(usage, counted=counted, most=line.most)))
    if len(results) == 1 and answers:
        return Settled(line.line_id, "answered", 200, json.dumps(answers[0].body, ensure_ascii=False), tuple(paid))
    first = results[0]
    if len(results) > 1:
        return Settled(line.line_id, "failed", 0, f"{len(results)} different results of one line", tuple(paid))
    return Settled(line.line_id, "failed", first.status, first.message, tuple(paid))


def _tell(batch_id: str, settled: Sequence[Settled]) -> None:
    failed = Counter(_CALLED.get(line.status, line.text[:80]) for line in settled if line.state == "failed")
    why = "".join(f", {number} failed ({reason})" for reason, number in failed.most_common(5))
    logger.info("models: batch %s: %d answered%s", batch_id, len(settled) - failed.total(), why)
