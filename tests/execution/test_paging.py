"""Reading every page, or knowing that it was not (case A15)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wireserver import FAST, PAGING, Reply, Seen, client, rows, serving, tool

from edge.execution.failures import Verdict
from edge.execution.paging import PageRead, Reading, page_values, read_pages
from edge.specs.model import Paging

RANGE = Paging("range", "START", "END", page_size=10, max_size=10)


def table(count: int, *, total: Any = "stated", cap: int = 1000, fail: int = 0) -> Any:
    """Return a handler that serves `count` rows; `fail` is the page that answers 500."""

    def handler(seen: Seen) -> Reply:
        page, size = int(seen.query["pageNo"]), min(int(seen.query["numOfRows"]), cap)
        if page == fail:
            return Reply(status=500)
        chosen = [{"n": n} for n in range(count)][(page - 1) * size : page * size]
        return Reply(rows(chosen, str(count) if total == "stated" else total))

    return handler


async def read(handler: Any, *, all_pages: bool = True, paging: Paging = PAGING, **changes: Any) -> Any:
    settings = FAST.model_copy(update=changes)
    async with serving(handler) as server, client(server, settings) as gateway:
        outcome = await gateway.call(tool(paging=paging), {}, all_pages=all_pages)
    return outcome, server


async def test_a15_the_first_page_knows_how_many_there_are() -> None:
    outcome, server = await read(table(224_958), all_pages=False)
    assert (outcome.total, len(outcome.records), outcome.pages, outcome.complete) == (224_958, 100, 1, False)
    assert server.seen[0].query["numOfRows"] == "100"


async def test_a15_all_pages_in_order() -> None:
    outcome, server = await read(table(4321))
    assert [record["n"] for record in outcome.records] == list(range(4321))
    assert (outcome.total, outcome.pages, outcome.complete, outcome.reason) == (4321, 5, True, "ok")
    assert len(server.seen) == 5


async def test_a15_a_failed_page_leaves_the_call_partial() -> None:
    outcome, _ = await read(table(4321, fail=3))
    assert (outcome.outcome, outcome.reason, outcome.complete) == ("ok", "partial", False)
    assert (len(outcome.records), outcome.total) == (2000, 4321)
    assert "server_error" in outcome.message
    assert outcome.attempts == 3  # one request a page, and two more for the page that failed


async def test_a_cap_the_platform_does_not_tell_is_noticed() -> None:
    outcome, _ = await read(table(450, cap=100))
    assert [record["n"] for record in outcome.records] == list(range(450))
    assert outcome.complete


async def test_the_ceiling_cuts() -> None:
    outcome, server = await read(table(9000), max_records=2500)
    assert (len(outcome.records), outcome.total, outcome.complete, outcome.reason) == (2500, 9000, False, "ceiling")
    assert len(server.seen) == 3
    paged, _ = await read(table(9000), paging=replace(PAGING, max_pages=2))
    assert (len(paged.records), paged.complete, paged.reason) == (2000, False, "ceiling")


async def test_without_a_total_pages_are_read_until_a_short_one() -> None:
    outcome, server = await read(table(2300, total=None))
    assert (len(outcome.records), outcome.total, outcome.complete, len(server.seen)) == (2300, 2300, True, 3)
    exact, _ = await read(table(2000, total=None))
    assert (len(exact.records), exact.total, exact.complete) == (2000, 2000, True)
    first, _ = await read(table(2300, total=None), all_pages=False)
    assert (len(first.records), first.complete) == (100, False)


async def test_a_platform_that_ignores_the_page_number_ends() -> None:
    same = Reply(rows([{"n": n} for n in range(1000)]))
    outcome, server = await read(lambda _: same)
    assert (len(outcome.records), len(server.seen)) == (1000, 2)


async def test_fewer_rows_than_stated_is_not_complete() -> None:
    outcome, _ = await read(lambda seen: Reply(rows([{"n": 1}] if seen.query["pageNo"] == "1" else [], 5)))
    assert (outcome.outcome, outcome.total, outcome.complete) == ("ok", 5, False)


async def test_ranges_in_the_path() -> None:
    def handler(seen: Seen) -> Reply:
        start, end = map(int, seen.target.partition("?")[0].split("/")[-2:])
        return Reply(rows([{"n": n} for n in range(1, 26)][start - 1 : end], 25))

    async with serving(handler) as server, client(server) as gateway:
        ranged = tool(paging=RANGE, url="https://apis.data.go.kr/svc/{START}/{END}")
        outcome = await gateway.call(ranged, {}, all_pages=True)
    assert [record["n"] for record in outcome.records] == list(range(1, 26))
    assert sorted(seen.target.partition("svc")[2].partition("?")[0] for seen in server.seen) == [
        "/1/10",
        "/11/20",
        "/21/30",
    ]


def test_page_values() -> None:
    assert page_values(RANGE, 2, 10) == {"START": "21", "END": "30"}
    assert page_values(Paging("range", "S", "E", 5, 5, first=0), 1, 5) == {"S": "5", "E": "9"}
    assert page_values(Paging("page", "p", "", 5, 5, first=0), 1, 5) == {"p": "1"}


async def test_no_paging_is_one_request() -> None:
    async with serving(lambda _: Reply(rows([{"a": 1}], 3))) as server, client(server) as gateway:
        outcome = await gateway.call(tool(), {}, all_pages=True)
    assert (len(server.seen), outcome.complete, outcome.total) == (1, False, 3)
    assert "pageNo" not in server.seen[0].query


@settings(deadline=None)
@given(st.integers(0, 400), st.integers(1, 60), st.integers(1, 60), st.booleans(), st.sampled_from(["page", "range"]))
def test_whatever_the_sizes_everything_is_read_once(count: int, size: int, cap: int, stated: bool, style: Any) -> None:
    paging = Paging(style, "p", "s", size, size)
    cap = cap if stated else size

    async def fetch(values: Mapping[str, str]) -> PageRead:
        first, second = int(values["p"]), int(values["s"])
        step = min(second if style == "page" else second - first + 1, cap)
        start = (first - 1) * step if style == "page" else first - 1
        items = tuple({"n": n} for n in range(count))[start : start + step]
        verdict = Verdict("ok" if items else "empty", "ok", records=items, total=count if stated else None)
        return PageRead(verdict, 200, body_hash=str(items))

    async def run() -> Reading:
        return await read_pages(fetch, paging, all_pages=True, max_records=10_000)

    reading = asyncio.run(run())
    assert [record["n"] for record in reading.records] == list(range(count))
    assert reading.complete
    assert reading.total == count


@pytest.mark.parametrize("all_pages", [True, False])
async def test_a_failing_first_page_is_the_outcome(all_pages: bool) -> None:
    outcome, server = await read(lambda _: Reply(rows([], code="10")), all_pages=all_pages)
    assert (outcome.outcome, outcome.reason, outcome.pages, len(server.seen)) == (
        "structural",
        "invalid_parameter",
        0,
        1,
    )


async def test_a_ceiling_of_pages_cuts_the_reading_and_says_so() -> None:
    asked: list[int] = []

    async def fetch(page: Mapping[str, str]) -> PageRead:
        asked.append(int(page["p"]))
        records = tuple({"n": n} for n in range(10))
        return PageRead(Verdict("ok", "ok", records=records, total=1000), 200)

    paging = Paging("page", "p", "s", page_size=10, max_size=10)
    reading = await read_pages(fetch, paging, all_pages=True, max_records=200_000, max_pages=3)
    assert asked == [1, 2, 3] and (reading.pages, len(reading.records), reading.total) == (3, 30, 1000)
    assert reading.cut and not reading.complete
