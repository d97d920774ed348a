"""Batches of both protocols: each question gets its own answer, failed lines alone are sent again, half the price."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from batchserver import BatchServer
from llmserver import served_by

from edge.errors import BudgetSpent, ModelAnswerError, ModelUnavailable, RunError, UsageError
from edge.llm.answers import FinalAnswer
from edge.llm.backends import check_model, make_model
from edge.llm.batches_books import BatchBooks
from edge.llm.batches_protocol import Line, custom_id, line_id, named
from edge.llm.books import FILE, Books
from edge.llm.caching import CachedModel, Shelf
from edge.llm.prompts import load_prompt
from edge.llm.protocol import Answer, AnswerRejected, Model
from edge.llm.spending import Payer
from edge.llm.usage import MeteredModel, UsageMeter
from edge.settings import LlmSettings

FINAL = load_prompt("final_answer")
KEY = "sk-planted-0123456789abcdef"
COST = (10 * 500 + 5 * 1000) / 1_000_000  # of a line: half of what it costs at once
BOTH = pytest.mark.parametrize("backend", ["openai", "anthropic"])


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[BatchServer]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with served_by(BatchServer()) as scripted:
        yield scripted


def settings_of(folder: Path, **more: Any) -> LlmSettings:
    table = folder / "mine.yaml"
    price = "{input: 1000, output: 2000, batch_input: 500, batch_output: 1000}"
    table.write_text(
        f"models:\n- {{provider: openai, match: [m], batch: true, price: {price}}}\n"
        f"- {{provider: anthropic, match: [m], batch: true, price: {price}}}\n"
    )
    values = {"models": table, "batch": True, "batch_gather_s": 0.05, "batch_poll_s": 0.01, "attempts": 3}
    return LlmSettings.model_validate({**values, "max_tokens": 800, **more})


def model_of(server: BatchServer, folder: Path, backend: str, meter: UsageMeter | None = None, **more: Any) -> Model:
    run, budget, fresh = more.pop("run", "run"), more.pop("budget", None), more.pop("fresh", False)
    books, meter = Books(folder / FILE), meter or UsageMeter()
    chosen = make_model(
        backend, "m", server.url + ("/v1" if backend == "openai" else ""), settings=settings_of(folder, **more),
        shelf=Shelf(books, run, fresh), payer=Payer(run, "stage", budget),
    )  # fmt: skip
    meter.bill(books, run, "stage")
    return MeteredModel(chosen, meter, "stage")


async def ask(model: Model, number: int) -> Answer[FinalAnswer]:
    return await model.answer(FINAL, {"query": f"질문 #{number}", "style": "polite", "facts": []}, FinalAnswer)


async def sent_only(server: BatchServer, asking: Coroutine[Any, Any, object]) -> None:
    """Ask until the batch is at the service, and not longer."""
    server.held = "look"
    task = asyncio.create_task(asking)
    while "look" not in server.reached:  # noqa: ASYNC110 - in another thread
        await asyncio.sleep(0.01)
    for one in asyncio.all_tasks() - {asyncio.current_task()}:
        one.cancel()  # what outlives the asking too: as if the process had ended
    await asyncio.gather(task, return_exceptions=True)
    server.held = ""


async def ask_all(model: Model, numbers: range) -> list[Answer[FinalAnswer]]:
    answers = await asyncio.gather(*(ask(model, number) for number in numbers))
    assert [answer.value.answer for answer in answers] == [f"질문 #{number}" for number in numbers]
    return answers


@BOTH
async def test_a_stage_is_one_batch_and_everybody_gets_the_answer_to_their_question(
    server: BatchServer, tmp_path: Path, backend: str
) -> None:
    """Results come shuffled and are joined by id; costs are those of batches; direct requests find the same answers."""
    server.looks = 3
    meter = UsageMeter()
    await ask_all(model_of(server, tmp_path, backend, meter), range(12))
    assert server.sizes == [12] and len(server.paid) == 12
    (row,) = meter.rows()
    assert (row.calls, row.cached_calls, row.input_tokens, row.output_tokens) == (12, 0, *server.tokens)
    assert row.cost_usd == pytest.approx(12 * COST)
    meter.reported()
    assert BatchBooks(tmp_path / FILE).lines("") == []
    direct = model_of(server, tmp_path, backend, batch=False)
    assert all(answer.cached for answer in await ask_all(direct, range(12)))
    assert server.seen == []


@BOTH
async def test_the_request_in_a_batch_is_the_one_that_is_sent_at_once(
    server: BatchServer, tmp_path: Path, backend: str
) -> None:
    await ask_all(model_of(server, tmp_path, backend), range(1))
    getattr(server, backend)('{"answer": "질문 #0"}')
    await ask_all(model_of(server, tmp_path, backend, batch=False, run="two", fresh=True), range(1))
    ((sent,),) = ([*batch.lines.values()] for batch in server.batches.values())
    assert server.seen == [sent]


@BOTH
async def test_failed_expired_and_missing_lines_alone_are_sent_again(
    server: BatchServer, tmp_path: Path, backend: str, caplog: pytest.LogCaptureFixture
) -> None:
    kinds = ["", "expired", "nonsense", "broken", "missing", "same twice", ""]
    bodies: list[dict[str, Any]] = []

    def fate(body: dict[str, Any], number: int) -> str:
        if number > 1:
            return ""
        if body not in bodies:
            bodies.append(body)
        return kinds[bodies.index(body) % len(kinds)]

    server.fate, server.strangers = fate, 2
    meter = UsageMeter()
    with caplog.at_level(logging.INFO, "edge.models"):
        await ask_all(model_of(server, tmp_path, backend, meter), range(14))
    assert server.sizes == [14, 8]
    assert sorted(server.paid) == sorted(f"질문 #{n}" for n in range(14))  # each once
    assert meter.rows()[0].cost_usd == pytest.approx(14 * COST)
    assert "6 answered, " in caplog.text and "failed (expired)" in caplog.text
    assert "2 results of no line" in caplog.text


@BOTH
async def test_a_line_that_never_works_ends_the_stage(server: BatchServer, tmp_path: Path, backend: str) -> None:
    server.fate = lambda body, number: "expired"
    with pytest.raises(ModelUnavailable, match="3 batches"):
        await ask_all(model_of(server, tmp_path, backend), range(3))
    assert server.sizes == [3, 3, 3] and server.paid == []


@BOTH
async def test_two_answers_to_one_line_are_none(server: BatchServer, tmp_path: Path, backend: str) -> None:
    """Case L22: which of them is the line's own cannot be told; both are paid for and the line is asked again."""
    server.fate = lambda body, number: "two answers" if number == 1 and "#1" in str(body["messages"]) else ""
    meter = UsageMeter()
    await ask_all(model_of(server, tmp_path, backend, meter), range(3))
    assert server.sizes == [3, 1]
    assert (meter.rows()[0].input_tokens, meter.rows()[0].output_tokens) == server.tokens == (50, 25)


def test_two_lines_of_one_id_are_refused_before_they_are_sent() -> None:
    """Case L22: ids are the hash of the content with the row behind it."""
    lines = [Line("row-7", {"prompt": "A"}), Line("row-7", {"prompt": "B"})]
    with pytest.raises(RunError, match="row-7"):
        named(lines, "t")
    from edge.llm.asking import Question

    def name(text: str, draw: int | None = None) -> str:
        question = Question("p", "h", "s", (), {}, 9, draw)
        return custom_id(line_id(("openai", "m", "hosted"), {"prompt": text}, question), "0" * 12)

    ids = [name("A"), name("B"), name("A", 1), name("A", 2)]
    assert len(set(ids)) == 4 and name("A") == ids[0]
    assert all(len(one) <= 64 and one.replace("-", "").isalnum() for one in ids)


@BOTH
async def test_unusable_answers_are_asked_again_in_a_following_batch(
    server: BatchServer, tmp_path: Path, backend: str
) -> None:
    server.say = lambda question: '{"text": "x"}' if "#1" in question else f'{{"answer": "{question}"}}'
    model = model_of(server, tmp_path, backend)
    ended = await asyncio.gather(*(ask(model, number) for number in range(4)), return_exceptions=True)
    (lost,) = [one for one in ended if isinstance(one, AnswerRejected)]
    assert lost.reason == "schema" and lost.usage.input_tokens == 30
    assert server.sizes == [4, 1, 1]
    again = await asyncio.gather(ask(model, 1), return_exceptions=True)
    assert isinstance(again[0], AnswerRejected) and len(server.paid) == 6  # the stage goes on: it is known already
    Books(tmp_path / FILE).report("run", "stage", 10**6)
    with pytest.raises(AnswerRejected):
        await ask(model_of(server, tmp_path, backend), 1)  # a refusal is not kept beyond its stage
    assert len(server.paid) == 9


@BOTH
async def test_a_refused_line_is_the_users_to_mend(server: BatchServer, tmp_path: Path, backend: str) -> None:
    server.fate, server.message = lambda body, number: "refused", f"model is unknown to {KEY}"
    with pytest.raises(UsageError, match="model is unknown") as caught:
        await ask_all(model_of(server, tmp_path, backend), range(2))
    assert KEY not in str(caught.value) and server.sizes == [2]


@BOTH
async def test_a_line_that_is_too_long_is_rejected_alone(server: BatchServer, tmp_path: Path, backend: str) -> None:
    server.fate = lambda body, number: "refused" if "#1" in str(body["messages"]) else ""
    server.message = "prompt is too long: 210000 tokens > 200000 maximum"
    model = model_of(server, tmp_path, backend)
    ended = await asyncio.gather(*(ask(model, number) for number in range(3)), return_exceptions=True)
    (lost,) = [one for one in ended if isinstance(one, ModelAnswerError)]
    assert lost.reason == "too_long" and (server.sizes, len(server.paid)) == ([3], 2)


async def test_a_server_without_structured_output_is_asked_in_words(server: BatchServer, tmp_path: Path) -> None:
    server.fate = lambda body, number: "refused" if "response_format" in body else ""
    server.message = "response_format json_schema is not supported"
    await ask_all(model_of(server, tmp_path, "openai"), range(3))
    assert server.sizes == [3, 3] and len(server.paid) == 3


@BOTH
async def test_a_batch_that_somebody_canceled_ends_the_run(server: BatchServer, tmp_path: Path, backend: str) -> None:
    server.fate = lambda body, number: "canceled" if number == 1 and "#1" in str(body["messages"]) else ""
    with pytest.raises(RunError, match="canceled"):
        await ask_all(model_of(server, tmp_path, backend), range(3))
    await ask_all(model_of(server, tmp_path, backend), range(3))  # resumed
    assert server.sizes == [3, 1] and len(server.paid) == 3


@BOTH
async def test_where_it_is_not_known_whether_a_batch_arrived_it_is_looked_for(
    server: BatchServer, tmp_path: Path, backend: str
) -> None:
    """One was made before the failure and is found; one was not and is sent again; 429 means that none was made."""
    for number in range(3):
        await ask_all(model_of(server, tmp_path, backend), range(100 + number, 101 + number))  # others; several pages
    server.create = [(500, True)]
    await ask_all(model_of(server, tmp_path, backend), range(3))
    assert server.sizes == [1, 1, 1, 3]
    server.create = [(503, False), (429, False), (429, False)]
    await ask_all(model_of(server, tmp_path, backend), range(3, 5))
    assert server.sizes == [1, 1, 1, 3, 2] and len(server.paid) == 8
    server.create = [(400, False)]
    with pytest.raises(UsageError):
        await ask(model_of(server, tmp_path, backend), 9)
    assert BatchBooks(tmp_path / FILE).waiting("run") == 0


async def test_a_batch_that_fails_as_a_whole(server: BatchServer, tmp_path: Path) -> None:
    """Too much in the queue passes; a batch that is not understood does not."""
    server.whole = ["token_limit_exceeded"]
    await ask_all(model_of(server, tmp_path, "openai"), range(2))
    assert server.sizes == [2, 2]
    server.whole, server.message = ["invalid_json_line"], "line 1 is invalid"
    with pytest.raises(UsageError, match="line 1"):
        await ask(model_of(server, tmp_path, "openai"), 7)


@BOTH
async def test_results_that_are_cut_off_are_read_again(server: BatchServer, tmp_path: Path, backend: str) -> None:
    server.torn = 1
    await ask_all(model_of(server, tmp_path, backend), range(4))
    assert server.sizes == [4] and len(server.paid) == 4
    server.torn = 3  # they are so at the service: what cannot be read is lost
    await ask_all(model_of(server, tmp_path, backend), range(4, 8))
    assert server.sizes == [4, 4, 1]


@BOTH
async def test_a_batch_that_the_service_forgot_is_sent_anew(server: BatchServer, tmp_path: Path, backend: str) -> None:
    await sent_only(server, ask(model_of(server, tmp_path, backend), 1))
    server.batches.clear()
    books = BatchBooks(tmp_path / FILE)
    books._db.execute("UPDATE batches SET at = at - 7200")  # a new one may just not be known yet
    await ask_all(model_of(server, tmp_path, backend), range(1, 2))
    assert len(server.paid) == 1 and books.waiting("run") == 0


@BOTH
async def test_a_budget_bears_a_batch_at_its_most_or_it_is_not_sent(
    server: BatchServer, tmp_path: Path, backend: str
) -> None:
    most = _most(tmp_path, backend)
    model = model_of(server, tmp_path, backend, budget=3.5 * most)
    await ask_all(model, range(5))  # three are sent, counted, and then there is room for the others
    assert server.sizes == [3, 2]
    spent = Books(tmp_path / FILE).spent("run").usd
    assert spent == pytest.approx(5 * COST)
    with pytest.raises(BudgetSpent, match="--resume"):
        await ask_all(model_of(server, tmp_path, backend, budget=spent + 0.9 * most), range(5, 8))
    assert server.sizes == [3, 2]
    await ask_all(model_of(server, tmp_path, backend, budget=spent + 9 * most), range(8))
    assert server.sizes == [3, 2, 3]


def _most(folder: Path, backend: str) -> float:
    from edge.llm.asking import Message, Question
    from edge.llm.prices import Price
    from edge.llm.spending import most_tokens

    text = FINAL.render({"query": "질문 #1", "style": "polite", "facts": []})
    question = Question("final_answer", FINAL.hash, FINAL.system, (Message("user", text),), FINAL.schema, 800)
    return Price(500, 1000).cost(most_tokens(question))


@BOTH
async def test_what_others_wait_for_is_waited_for_unless_asked_anew(
    server: BatchServer, tmp_path: Path, backend: str
) -> None:
    await sent_only(server, ask_all(model_of(server, tmp_path, backend, run="one"), range(3)))
    await ask_all(model_of(server, tmp_path, backend, run="two"), range(4))
    await ask_all(model_of(server, tmp_path, backend, run="three", fresh=True), range(3))
    assert server.sizes == [3, 1, 3]
    books = Books(tmp_path / FILE)
    assert [books.spent(run).turns for run in ("one", "two", "three")] == [3, 1, 3]


def test_batches_only_where_the_table_says_so(tmp_path: Path) -> None:
    table, settings = tmp_path / "mine.yaml", LlmSettings.model_validate({"batch": True})
    with pytest.raises(UsageError, match="batch: true of m at"):
        check_model("openai", "m", "http://127.0.0.1:1/v1", None, settings)
    table.write_text("models:\n- {provider: openai, match: [m], batch: true, price: {input: 1, output: 2}}\n")
    settings = LlmSettings.model_validate({"batch": True, "models": table})
    with pytest.raises(UsageError, match="batch_input"):
        check_model("openai", "m", "http://127.0.0.1:1/v1", None, settings)
    name = "-".join(("gpt", "4.1", "mini"))
    profile = check_model("openai", name, None, 1.0, LlmSettings.model_validate({"batch": True}))
    direct = check_model("openai", name, None, 1.0, LlmSettings.model_validate({}))
    assert profile.price is not None and direct.price is not None
    assert (profile.price.input, profile.price.output) == (direct.price.input / 2, direct.price.output / 2)
    with pytest.raises(UsageError, match="price of"):
        check_model("openai", "unheard-of", None, 1.0, LlmSettings.model_validate({"batch": True}))


@BOTH
async def test_no_key_and_no_prompt_in_the_books(server: BatchServer, tmp_path: Path, backend: str) -> None:
    server.say = lambda question: '{"answer": "x"}'
    await ask(model_of(server, tmp_path, backend), 424242)
    texts = [path.read_bytes() for path in tmp_path.glob(f"{FILE}*")]  # noqa: ASYNC240
    assert texts and not [text for text in texts if KEY.encode() in text or b"424242" in text]
    assert isinstance(make_model("openai", "m", server.url, shelf=Shelf(Books(tmp_path / FILE), "r")), CachedModel)
