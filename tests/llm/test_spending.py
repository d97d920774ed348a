"""Money: every token is counted as the service counts it, and a budget ends a run cleanly."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from llmserver import ScriptedServer, serving

from edge.errors import BudgetSpent, ModelUnavailable, RunError, UsageError
from edge.llm.answers import FinalAnswer
from edge.llm.backends import make_model
from edge.llm.books import FILE, Books
from edge.llm.caching import Shelf
from edge.llm.prompts import load_prompt
from edge.llm.protocol import AnswerRejected, Model
from edge.llm.spending import Payer
from edge.llm.usage import MeteredModel, UsageMeter
from edge.settings import LlmSettings

FINAL = load_prompt("final_answer")
GOOD = '{"answer": "12건이에요."}'
WIDTH = 4


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving() as scripted:
        yield scripted


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "models:\n"
        "- {provider: openai, match: [m], price: {input: 1000, cached_input: 100, output: 2000}}\n"
        "- {provider: anthropic, match: [m],\n"
        "   price: {input: 1000, cached_input: 100, cache_write: 1250, output: 2000}}\n",
        encoding="utf-8",
    )
    return path


def priced(
    server: ScriptedServer, table: Path, meter: UsageMeter, budget: float | None = None, backend: str = "openai"
) -> Model:
    books = Books(table.parent / FILE)
    settings = LlmSettings.model_validate({"models": table, "concurrency": WIDTH, "attempts": 1, "max_tokens": 800})
    chosen = make_model(
        backend, "m", server.url + ("/v1" if backend == "openai" else ""), settings=settings,
        shelf=Shelf(books, "run"), payer=Payer("run", "stage", budget),
    )  # fmt: skip
    meter.bill(books, "run", "stage")
    return MeteredModel(chosen, meter, "stage")


async def ask(model: Model, query: str) -> Any:
    return await model.answer(FINAL, {"query": query, "style": "polite", "facts": []}, FinalAnswer)


async def test_a_budget_is_passed_by_the_requests_in_flight_at_most(server: ScriptedServer, table: Path) -> None:
    server.openai(GOOD, out=5).delay_s = 0.02  # 10 in, 5 out: 0.02 dollars a request
    meter, books = UsageMeter(), Books(table.parent / FILE)
    model = priced(server, table, meter, budget=0.2)
    ended = await asyncio.gather(*(ask(model, f"질문 {n}") for n in range(60)), return_exceptions=True)
    spent = books.spent("run")
    assert spent.usd is not None and 0.2 <= spent.usd <= 0.2 + WIDTH * 0.02
    assert spent.turns == len(server.seen) == sum(not isinstance(one, BaseException) for one in ended)
    stops = [one for one in ended if isinstance(one, BaseException)]
    assert all(isinstance(stop, BudgetSpent) for stop in stops) and isinstance(stops[0], RunError)
    assert "$0.20" in str(stops[0]).replace("$0.2000", "$0.20") and "--resume" in str(stops[0])

    before = len(server.seen)
    larger = priced(server, table, UsageMeter(), budget=5.0)
    assert len(await asyncio.gather(*(ask(larger, f"질문 {n}") for n in range(60)))) == 60
    assert len(server.seen) == 60 and before < 60  # resumed: nothing that was answered was asked again
    with pytest.raises(BudgetSpent):
        await ask(priced(server, table, UsageMeter(), budget=1.0), "eine andere")  # what the run cost before counts


async def test_the_run_ends_when_what_is_in_flight_is_kept(server: ScriptedServer, table: Path) -> None:
    """The first to be refused ends the run; by then every answer that was paid for is kept."""
    server.openai(GOOD, out=500)
    server.delay_s = 0.2
    model = priced(server, table, UsageMeter(), budget=1.0)
    with pytest.raises(BudgetSpent):
        await asyncio.gather(*(ask(model, f"질문 {n}") for n in range(20)))
    sent = len(server.seen)
    kept = Books(table.parent / FILE).spent("run").turns
    assert sent == kept == WIDTH
    again = priced(server, table, UsageMeter())
    assert all([(await ask(again, f"질문 {n}")).cached for n in range(WIDTH)])


async def test_a_budget_without_a_price_stops_before_anything_is_asked(server: ScriptedServer, tmp_path: Path) -> None:
    server.openai(GOOD)
    with pytest.raises(UsageError, match="price of m"):
        make_model(
            "openai", "m", f"{server.url}/v1", shelf=Shelf(Books(tmp_path / FILE), "run"), payer=Payer("run", "s", 1.0)
        )
    assert server.seen == []


async def test_where_no_tokens_are_told_a_budget_is_charged_the_most(server: ScriptedServer, table: Path) -> None:
    server.openai(GOOD).script[0][1].pop("usage")
    meter = UsageMeter()
    await ask(priced(server, table, meter, budget=100.0), "질문")
    (row,) = meter.rows()
    sent = sum(len(m["content"].encode()) for m in server.seen[0]["messages"])
    assert (row.input_tokens, row.output_tokens) == (0, 0)  # nothing is guessed in the counts
    assert row.cost_usd is not None and row.cost_usd >= (sent * 1000 + 800 * 2000) / 1_000_000
    unbudgeted = UsageMeter()
    await ask(priced(server, table, unbudgeted), "ohne Budget")
    assert unbudgeted.rows()[0].cost_usd == row.cost_usd  # the earlier turn is in no usage row yet; the new one is free


async def test_the_counts_are_those_of_the_service(server: ScriptedServer, table: Path) -> None:
    """Re-asks, enlarged tries and rejected answers count, also those before a failure that ended the attempt."""
    meter = UsageMeter()
    model = priced(server, table, meter)
    server.openai('{"text": "x"}', out=7).openai('{"answer": "1', "length", out=9).openai(GOOD, out=3)
    await ask(model, "eins")
    server.script.clear()
    server.openai("nein", out=11)
    with pytest.raises(AnswerRejected):
        await ask(model, "zwei")
    server.script.clear()
    server.openai('{"text": "x"}', out=13).reply({"error": {"message": "boom"}}, 500)
    with pytest.raises(ModelUnavailable):
        await ask(model, "drei")  # the stage ends here; what it paid for is in no usage row yet

    resumed = UsageMeter()
    model = priced(server, table, resumed)
    server.script.clear()
    server.openai(GOOD, out=17)
    await ask(model, "eins")
    await ask(model, "drei")
    (row,) = resumed.rows()
    assert (row.input_tokens, row.output_tokens) == server.tokens == (80, 7 + 9 + 3 + 33 + 13 + 17)
    assert (row.calls, row.cached_calls) == (2, 1)
    assert row.cost_usd == pytest.approx((80 * 1000 + 82 * 2000) / 1_000_000)
    resumed.reported()
    later = UsageMeter()
    await ask(priced(server, table, later), "eins")
    assert [(r.calls, r.cached_calls, r.input_tokens, r.cost_usd) for r in later.rows()] == [(1, 1, 0, 0.0)]


@pytest.mark.parametrize("backend", ["openai", "anthropic"])
async def test_input_that_the_service_cached_has_its_own_price(
    server: ScriptedServer, table: Path, backend: str
) -> None:
    if backend == "openai":
        body = server.openai(GOOD).script[0][1]
        body["usage"] = {"prompt_tokens": 1000, "completion_tokens": 5, "total_tokens": 1005}
        body["usage"]["prompt_tokens_details"] = {"cached_tokens": 600}
        wanted = (400 * 1000 + 600 * 100 + 5 * 2000) / 1_000_000
    else:
        body = server.anthropic(GOOD).script[0][1]
        body["usage"] = {"input_tokens": 300, "output_tokens": 5, "cache_read_input_tokens": 600}
        body["usage"]["cache_creation_input_tokens"] = 100
        wanted = (300 * 1000 + 600 * 100 + 100 * 1250 + 5 * 2000) / 1_000_000
    meter = UsageMeter()
    await ask(priced(server, table, meter, backend=backend), "질문")
    (row,) = meter.rows()
    assert row.input_tokens == 1000 and row.cost_usd == pytest.approx(wanted)


def test_a_run_that_begins_anew_does_not_pay_for_the_one_before(tmp_path: Path) -> None:
    from edge.llm.books import Turned
    from edge.llm.protocol import TokenUsage

    books = Books(tmp_path / FILE)
    books.pay(Turned("run", "s", "openai", "m", "p", "h"), TokenUsage(1, 1), 5.0)
    books.disown("run")
    assert (books.spent("run").turns, books.spent("run").usd) == (0, 0.0)
    books.pay(Turned("run", "s", "openai", "m", "p", "h"), TokenUsage(3, 1), None)
    assert books.spent("run").usd is None
    assert books.means("openai", "m")["h"] == TokenUsage(2, 1)
