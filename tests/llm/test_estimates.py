"""What a run will cost, from sampled prompts; what it has cost, and the same by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.commands.costs import print_estimate
from edge.llm.books import FILE, Books, Turned
from edge.llm.estimates import Saving, Work, answer_tokens, estimate, estimate_lines
from edge.llm.prices import Price
from edge.llm.prompts import Prompt, load_prompt
from edge.llm.protocol import TokenUsage
from edge.settings import LlmSettings
from edge.specs.compile import BUNDLED_SPECS
from edge.stages.costs import StageCost, saving_of
from edge.stages.estimating import estimate_run
from edge.stages.params import SynthesizeParams

PROMPT = Prompt("p", 's\n답: {"a": "가나다"}\n답: {"a": "가"}', "{{ x }}", {"type": "object"}, "hash")


@given(number=st.integers(1, 10**6), texts=st.lists(st.text("가a", min_size=1, max_size=400), min_size=1, max_size=5))
def test_an_estimate_grows_with_number_and_length(number: int, texts: list[str]) -> None:
    work = Work(PROMPT, number, [{"x": text} for text in texts])
    (share,) = estimate([work], Price(1.0, 2.0), {})
    (twice,) = estimate([Work(PROMPT, 2 * number, work.samples)], Price(1.0, 2.0), {})
    (longer,) = estimate([Work(PROMPT, number, [{"x": text * 9} for text in texts])], Price(1.0, 2.0), {})
    assert share.usd is not None and twice.usd == pytest.approx(2 * share.usd)
    assert longer.tokens.input_tokens >= share.tokens.input_tokens > 0
    assert share.tokens.output_tokens == number * answer_tokens(PROMPT) > 0


def test_what_was_measured_goes_over_what_is_sampled() -> None:
    work = [Work(PROMPT, 10, [{"x": "가"}])]
    (share,) = estimate(work, Price(1.0, 2.0), {"hash": TokenUsage(1000, 100)})
    assert (share.tokens, share.usd, share.measured) == (TokenUsage(10_000, 1000), 0.012, True)
    assert "measured" in estimate_lines([share], None)[0]


def test_lines_say_the_sum_and_whether_the_budget_lasts() -> None:
    shares = estimate([Work(PROMPT, 10, [{"x": "가"}])], Price(1.0, 2.0), {"hash": TokenUsage(10**6, 0)})
    assert "about $10.00" in estimate_lines(shares, None)[-1]
    assert "will not last" in estimate_lines(shares, 9.0)[-1]
    assert "will not last" not in estimate_lines(shares, 11.0)[-1]
    assert "no price" in estimate_lines(estimate([Work(PROMPT, 1, [])], None, {}), 1.0)[-1]


def test_the_examples_of_every_prompt_tell_how_long_answers_are() -> None:
    for name in ("link_feasibility", "user_request", "answer_key", "final_answer", "tool_description"):
        assert 5 < answer_tokens(load_prompt(name)) < 1000


def test_a_run_is_estimated_from_its_own_documents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "mine.yaml"
    table.write_text("models:\n- {provider: openai, match: [m], price: {input: 2, output: 10}}\n", encoding="utf-8")
    settings = LlmSettings.model_validate({"models": table})
    params = SynthesizeParams.model_validate(
        {"specs": [BUNDLED_SPECS / "juso"], "llm": "openai", "model": "m", "outputs": tmp_path, "target": 30,
         "llm_base_url": "http://127.0.0.1:9/v1", "describe": True}
    )  # fmt: skip
    shares = {share.prompt: share for share in estimate_run(params, settings, 30)}
    assert shares["user_request"].number == shares["answer_key"].number == 60
    assert shares["answer_key"].tokens.input_tokens > shares["final_answer"].tokens.input_tokens
    assert all(share.usd and not share.measured for share in shares.values())
    assert not (tmp_path / FILE).exists()  # looking costs nothing and leaves nothing

    turned = Turned("r", "s", "openai", "m", "answer_key", load_prompt("answer_key").hash)
    Books(tmp_path / FILE).pay(turned, TokenUsage(777, 7), None)
    again = {share.prompt: share for share in estimate_run(params, settings, 30)}
    assert {share.prompt for share in estimate_run(params, settings, 0)} == {"tool_description", "link_feasibility"}
    assert again["answer_key"].measured and again["answer_key"].tokens == TokenUsage(60 * 777, 60 * 7)
    some = params.model_copy(update={"llm_stages": ("task_generation",), "describe": False})
    assert [share.prompt for share in estimate_run(some, settings, 30)] == ["user_request"]
    print_estimate(params, settings, 30)
    assert "about $" in capsys.readouterr().out
    print_estimate(params.model_copy(update={"llm": "offline"}), settings)
    assert capsys.readouterr().out == ""


def test_the_ledger_is_a_computed_figure() -> None:
    saving = Saving(100, 60.0, 6.0)
    assert (saving.by_hand_usd, saving.saved) == (600.0, pytest.approx(0.9))
    assert "90.0% saved" in saving.said() and "$6.00 a row" in saving.said()
    assert Saving(100, 1200.0, 6.0).saved == pytest.approx(-1.0)
    assert Saving(0, 1.0, 6.0).saved is None and Saving(5, 1.0, 0.0).saved is None
    known, unknown = (StageCost("s", "m", 3, 1, 10, 5, usd) for usd in (2.0, None))
    assert saving_of([known, known], 10, 6.0) == Saving(10, 4.0, 6.0)
    assert saving_of([known, unknown], 10, 6.0) is None and saving_of([], 10, 6.0) is None
    assert "1 of them from kept answers" in known.said() and "no price" in unknown.said()
