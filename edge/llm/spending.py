"""Turns -> what they cost, written down at once, said from time to time, and ended at the run's budget."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from edge.errors import BudgetSpent, ModelUnavailable, UsageError
from edge.llm.asking import Question, Reply
from edge.llm.books import Books, Spent, Turned
from edge.llm.prices import Price, dollars
from edge.llm.protocol import TokenUsage

logger = logging.getLogger("edge.models")

_SAY_EVERY_S = 15.0
_GO_ON = "what was answered is kept: go on with a larger --budget-usd and --resume"


@dataclass(frozen=True, slots=True)
class Payer:
    """Who pays: a stage of a run, up to a budget of the whole run in US dollars (None: without end)."""

    run: str
    stage: str
    budget_usd: float | None = None


class Account:
    """What a stage asks of one model. Each request looks before it is sent: those in flight alone may pass a budget."""

    def __init__(
        self,
        books: Books,
        payer: Payer,
        provider: str,
        model: str,
        price: Price | None,
    ) -> None:
        """Open the account.

        Raises:
            UsageError: there is a budget, and no price to keep it with.
        """
        check_price(model, price, payer.budget_usd)
        self._books = books
        self._payer = payer
        self.run = payer.run
        self.asked = Turned(payer.run, payer.stage, provider, model, "", "")
        self._price = price
        self._given_up: ModelUnavailable | None = None
        self._in_flight = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._said_at = time.monotonic()

    async def admit(self) -> None:
        """Let a request be sent.

        Raises:
            BudgetSpent: the run has spent its budget; raised when what is in flight has been answered and kept.
            ModelUnavailable: an earlier request of the stage was given up.
        """
        if self._given_up is not None:
            raise ModelUnavailable(str(self._given_up), self._given_up.retry_after)
        if self._payer.budget_usd is None:
            return
        spent = self._books.spent(self._payer.run)
        if (spent.usd or 0.0) < self._payer.budget_usd:
            return
        await self._idle.wait()
        raise BudgetSpent(
            f"the budget of {dollars(self._payer.budget_usd)} is spent"
            f" ({_said(self._books.spent(self._payer.run))}); {_GO_ON}"
        )

    def close(self, error: ModelUnavailable) -> None:
        """Let no further request be sent: this attempt of the stage has failed, the rest is left to the next."""
        self._given_up = error

    @contextmanager
    def in_flight(self) -> Generator[None]:
        """Count a request that is under way, until its answer is dealt with."""
        self._in_flight += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._in_flight -= 1
            if not self._in_flight:
                self._idle.set()

    def settle(self, question: Question, reply: Reply) -> None:
        """Write one answered turn down. Where the service counts no tokens, a budget is charged the most it can be."""
        turned = replace(self.asked, prompt=question.name, prompt_hash=question.prompt_hash)
        usd = self.charge(reply.usage, counted=reply.counted, most=self.most(question))
        self._books.pay(turned, reply.usage, usd)
        if time.monotonic() - self._said_at >= _SAY_EVERY_S:
            self._said_at = time.monotonic()
            logger.info("models: %s", self.said())

    def charge(self, usage: TokenUsage, *, counted: bool, most: float) -> float | None:
        """Return what a turn costs in US dollars, None where no price is known; at most `most` where nothing counts."""
        if self._price is None:
            return None
        return self._price.cost(usage) if counted or self._payer.budget_usd is None else most

    def most(self, question: Question) -> float:
        """Return the most that a turn can cost in US dollars, 0 where no price is known."""
        return 0.0 if self._price is None else self._price.cost(most_tokens(question))

    def left(self) -> float | None:
        """Return what the run may still spend in US dollars; None: without end."""
        budget = self._payer.budget_usd
        return None if budget is None else budget - (self._books.spent(self._payer.run).usd or 0.0)

    def too_little(self, most: float) -> BudgetSpent:
        """Return the error of a run whose budget does not bear even one more prompt, which costs up to `most`."""
        return BudgetSpent(
            f"the budget of {dollars(self._payer.budget_usd or 0.0)} does not bear another batch ({self.said()}; one"
            f" prompt costs up to {dollars(most)}); {_GO_ON}"
        )

    def said(self) -> str:
        """Return what the run has cost until now, in words."""
        budget = self._payer.budget_usd
        return _said(self._books.spent(self._payer.run)) + ("" if budget is None else f" of {dollars(budget)}")


def check_price(model: str, price: Price | None, budget_usd: float | None) -> None:
    """Check that a budget can be kept.

    Raises:
        UsageError: there is a budget and no price.
    """
    if budget_usd is not None and price is None:
        raise UsageError(
            f"--budget-usd needs the price of {model}, which no table of models states: write it into a file as in"
            " edge/llm/models.yaml and name the file in EDGE_LLM_MODELS (0 for a server of your own)"
        )


def most_tokens(question: Question) -> TokenUsage:
    """Return the most tokens that a turn can take: one for each byte sent, and the limit of the answer."""
    return TokenUsage(question.size, question.max_tokens)


def _said(spent: Spent) -> str:
    tokens = f"{spent.usage.input_tokens:,} tokens in, {spent.usage.output_tokens:,} out"
    return f"{spent.turns:,} requests, {tokens}" + ("" if spent.usd is None else f", {dollars(spent.usd)}")
