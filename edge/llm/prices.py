"""Tokens x price -> US dollars: what answers cost, and the error that ends a run at its budget."""

from __future__ import annotations

from dataclasses import dataclass

from edge.llm.protocol import TokenUsage

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens. Parts of the input that a service caches have prices of their own, if any."""

    input: float
    output: float
    cached_input: float | None = None
    cache_write: float | None = None
    batch_input: float | None = None
    batch_output: float | None = None

    def cost(self, usage: TokenUsage) -> float:
        """Return what these tokens cost in US dollars."""
        cached = self.input if self.cached_input is None else self.cached_input
        written = self.input if self.cache_write is None else self.cache_write
        plain = usage.input_tokens - usage.cached_tokens - usage.written_tokens
        total = plain * self.input + usage.cached_tokens * cached + usage.written_tokens * written
        return (total + usage.output_tokens * self.output) / _MILLION

    def of_batches(self) -> Price | None:
        """Return the price of tokens in batches, None where none is known."""
        if self.batch_input is None or self.batch_output is None:
            return None
        return Price(self.batch_input, self.batch_output)


def dollars(amount: float) -> str:
    """Return an amount as people read it: cents, and four digits where that would show nothing."""
    return f"${amount:,.2f}" if amount == 0 or amount >= 1 else f"${amount:,.4f}"
