"""Results of a batch are merged by custom id: whatever comes, in any order, each line has one end and is paid for."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from edge.errors import ModelUnavailable
from edge.llm.batches_books import BatchBooks, Planned
from edge.llm.batches_merging import merge
from edge.llm.batches_protocol import EXPIRED, NOTHING, Progress, Result, Torn, custom_id, passing
from edge.llm.books import FILE, Turned
from edge.llm.prices import Price
from edge.llm.protocol import TokenUsage
from edge.llm.spending import Account, Payer

LINES = [f"line-{number}" for number in range(6)]
TOKEN = "0123456789ab"
EACH = TokenUsage(10, 5)

answers = st.tuples(st.sampled_from(LINES), st.sampled_from(["a", "b"]))
failures = st.tuples(st.sampled_from(LINES), st.sampled_from([EXPIRED, 400, 500]))
strangers = st.tuples(st.sampled_from(["", "stranger", LINES[0]]), st.just("x"))


class Played:
    """What a service gives as results: first attempts break off after so many."""

    most_lines = most_bytes = 10**6

    def __init__(self, results: list[Result], breaks: list[int], torn: bool) -> None:
        self.played, self.breaks, self.torn = results, breaks, torn

    async def results(self, batch_id: str) -> AsyncIterator[Result]:
        end = self.breaks.pop(0) if self.breaks else None
        for result in self.played[:end]:
            yield result
        if end is not None:
            raise ModelUnavailable("broken off")
        if self.torn:
            raise Torn("a line cannot be read")

    def usage(self, body: Mapping[str, Any]) -> tuple[TokenUsage, bool]:
        return EACH, True


@settings(max_examples=60, deadline=None)
@given(
    answered=st.lists(answers, max_size=9), failed=st.lists(failures, max_size=4),
    foreign=st.lists(strangers, max_size=3), rng=st.randoms(use_true_random=False),
    breaks=st.lists(st.integers(0, 5), max_size=2), torn=st.booleans(),
)  # fmt: skip
def test_each_line_has_one_end(
    answered: list[tuple[str, str]], failed: list[tuple[str, int]], foreign: list[tuple[str, str]], rng: Any,
    breaks: list[int], torn: bool,
) -> None:  # fmt: skip
    results = [Result(custom_id(line, TOKEN), {"text": text}) for line, text in answered]
    results += [Result(custom_id(line, TOKEN), None, status, "why") for line, status in failed]
    results += [Result(name, {"text": text}) for name, text in foreign]
    rng.shuffle(results)
    with tempfile.TemporaryDirectory() as folder:
        books = BatchBooks(Path(folder) / FILE)
        account = Account(books, Payer("run", "stage", 10.0), "openai", "m", Price(500, 1000))
        books.plan(
            TOKEN, Turned("run", "stage", "openai", "m", "", ""), "s", [Planned(n, "p", "h", 1.0) for n in LINES]
        )
        books.sent(TOKEN, "b1")
        batch = books.batch(TOKEN)
        assert batch is not None and books.held("run") == len(LINES)
        service: Any = Played(results, breaks, torn)
        for _ in range(2):  # a second process merges the same: nothing changes
            asyncio.run(merge(service, books, account, batch, "b1", Progress(True), 3, 0.0))
        assert (books.held("run"), books.waiting("run")) == (0.0, 0)
        ends = {line.line_id: line for line in books.lines(TOKEN)}
        assert sorted(ends) == LINES
        for name, line in ends.items():
            mine = {text for other, text in answered if other == name}
            lost = {status for other, status in failed if other == name}
            if len(mine) == 1 and not lost:
                assert line.state == "answered" and line.body == {"text": next(iter(mine))}
            else:
                assert line.state == "failed"
                assert line.status == (NOTHING if not mine | lost else next(iter(lost)) if len(mine | lost) == 1 else 0)
                assert passing(line.status) or line.status == 400
        spent = books.spent("run")
        assert spent.turns == len(set(answered))
        assert spent.usd is not None and abs(spent.usd - 0.01 * spent.turns) < 1e-9
