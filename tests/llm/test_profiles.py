"""The table of models: what is known is looked up, edited in a file, and never guessed from a name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from edge.errors import UsageError
from edge.llm.backends import check_model
from edge.llm.prices import Price, dollars
from edge.llm.profiles import BUNDLED, find_profile, kind_of
from edge.llm.protocol import TokenUsage
from edge.settings import LlmSettings, Settings

OWN = "http://127.0.0.1:8000/v1"
ENTRIES = yaml.safe_load(BUNDLED.read_text(encoding="utf-8"))["models"]
counts = st.integers(0, 10**7)
usages = st.builds(
    lambda plain, out, cached, written: TokenUsage(plain + cached + written, out, cached, written),
    counts, counts, counts, counts,
)  # fmt: skip


def test_a_model_of_the_table_has_a_price_where_it_is_sold_and_none_elsewhere() -> None:
    name = next(entry["match"][0] for entry in ENTRIES if entry["provider"] == "openai" and "price" in entry)
    sold, own = find_profile("openai", name), find_profile("openai", name, OWN)
    assert sold.price is not None and sold.source and sold.as_of is not None
    assert own.price is None
    assert (sold.limit_field, own.limit_field) == ("max_completion_tokens", "max_tokens")
    assert (sold.batch, own.batch) == (True, False)


def test_a_file_of_ones_own_goes_over_the_bundled_one_field_by_field(tmp_path: Path) -> None:
    table = tmp_path / "mine.yaml"
    table.write_text(
        "models:\n"
        "- {provider: openai, match: ['qwen*'], context: 8192, outlined: true, tool_mode: native, request: {seed: 7}}\n"
        "- {provider: openai, match: ['qwen3:8b'], hosts: ['127.0.0.1'], price: {input: 0, output: 0}}\n",
        encoding="utf-8",
    )
    small = find_profile("openai", "qwen3:8b", OWN, table)
    assert (small.context, small.tool_mode, small.price) == (8192, "native", Price(0, 0))
    assert small.outlined and not find_profile("openai", "llama", OWN, table).outlined
    assert small.request == {"seed": 7} and small.structured_output and small.limit_field == "max_tokens"
    assert find_profile("openai", "qwen3:8b", "https://elsewhere.example/v1", table).price is None
    assert find_profile("openai", "llama", OWN, table).context is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("models:\n- {provider: openai, match: [x], prize: 3}\n", "prize"),
        ("models:\n- {provider: openai, match: [x], price: {input: -1, output: 0}}\n", "price.input"),
        ("models:\n- {provider: nobody, match: [x]}\n", "provider"),
        ("models: [", "not YAML"),
    ],
)
def test_a_table_that_cannot_be_read_is_one_clear_line(tmp_path: Path, text: str, said: str) -> None:
    table = tmp_path / "mine.yaml"
    table.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=re.escape(said)) as caught:
        find_profile("openai", "x", None, table)
    assert str(table) in str(caught.value) and "\n" not in str(caught.value)
    with pytest.raises(UsageError, match="nowhere"):
        find_profile("openai", "x", None, tmp_path / "nowhere.yaml")


def test_bundled_prices_say_where_they_stand_and_are_in_order() -> None:
    priced = [entry for entry in ENTRIES if "price" in entry]
    assert len(priced) >= 6
    for entry in priced:
        assert entry["source"].startswith("https://") and entry["as_of"].year >= 2026 and entry["hosts"] != ["*"]
        price = entry["price"]
        assert price["cached_input"] < price["input"] < price["output"]
        assert price["batch_input"] < price["input"] and price["batch_output"] < price["output"]


def test_where_a_price_was_read_goes_with_the_price(tmp_path: Path) -> None:
    own = find_profile("openai", "gpt-6.2-sol")
    assert own.price_said() == f"prices read on {own.as_of} at {own.source}" and "openai.com" in own.source
    reported = find_profile("anthropic", "claude-opus-5-5")
    assert "somebody else's report" in reported.price_said()
    table = tmp_path / "mine.yaml"
    table.write_text(
        "models:\n- {provider: anthropic, match: [claude-opus-5-5], price: {input: 1, output: 2}}\n"
        "- {provider: openai, match: [gpt-6.2-sol], context: 1000}\n",
        encoding="utf-8",
    )
    mine = find_profile("anthropic", "claude-opus-5-5", None, table)
    assert (mine.source, mine.as_of, mine.third_party, mine.price_said()) == ("", None, False, "")
    assert find_profile("openai", "gpt-6.2-sol", None, table).price_said() == own.price_said()


def test_bundled_prices_of_providers_are_read_on_their_own_pages_or_marked() -> None:
    theirs = {"openai": ("https://developers.openai.com/",), "anthropic": ("https://platform.claude.com/",)}
    for entry in ENTRIES:
        if "price" in entry:
            assert entry["source"].startswith(theirs[entry["provider"]]) != entry.get("third_party", False), entry


def test_no_code_names_a_model() -> None:
    names = {name for entry in ENTRIES for name in entry["match"] if name != "*"}
    for path in Path("edge/llm").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not [name for name in names if name in text], path
        assert not re.search(r"(?i)gpt-|claude-|qwen|llama-\d", text), path


@given(left=usages, right=usages)
def test_costs_add_up_and_cached_input_is_cheaper(left: TokenUsage, right: TokenUsage) -> None:
    price = Price(2.0, 10.0, cached_input=0.2, cache_write=2.5, batch_input=1.0, batch_output=5.0)
    assert price.cost(left + right) == pytest.approx(price.cost(left) + price.cost(right))
    plain = TokenUsage(left.input_tokens, left.output_tokens, 0, left.written_tokens)
    assert price.cost(left) <= price.cost(plain) + 1e-9
    half = price.of_batches()
    assert half is not None
    assert half.cost(left) == pytest.approx(Price(1.0, 5.0).cost(TokenUsage(left.input_tokens, left.output_tokens)))


def test_figures() -> None:
    price = Price(2.0, 10.0, cached_input=0.2, cache_write=2.5)
    assert price.cost(TokenUsage(1_000_000, 100_000, 500_000, 100_000)) == pytest.approx(0.8 + 0.1 + 0.25 + 1.0)
    assert Price(1.0, 2.0).cost(TokenUsage(1_000_000, 0, 400_000, 100_000)) == 1.0
    assert Price(1.0, 2.0).of_batches() is None
    assert [dollars(x) for x in (0, 0.0012, 0.5, 1234.5)] == ["$0.00", "$0.0012", "$0.5000", "$1,234.50"]


def test_a_budget_needs_a_price() -> None:
    settings = LlmSettings.model_validate({})
    with pytest.raises(UsageError, match="price of nobody") as caught:
        check_model("openai", "nobody", OWN, 1.0, settings)
    assert "EDGE_LLM_MODELS" in str(caught.value)
    check_model("openai", "nobody", OWN, None, settings)
    check_model("offline", None, None, 1.0, settings)


def test_an_empty_variable_names_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGE_LLM_MODELS", "")
    assert Settings.model_validate({}).llm.models is None


def test_kinds_of_places() -> None:
    assert kind_of("openai", None) == "hosted" == kind_of("anthropic", "https://api.anthropic.com")
    assert kind_of("openai", OWN) == kind_of("openai", "http://localhost:9/v1") == "local"
    assert kind_of("openai", "http://llm.example.org/v1") == "llm.example.org"
