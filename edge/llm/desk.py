"""Question -> reply, in turn: the pace of the service and the purse of the run, around every request that is sent."""

from __future__ import annotations

from dataclasses import dataclass

from edge.errors import ModelUnavailable
from edge.llm.asking import Question, Reply, Turn
from edge.llm.limits import Limiter
from edge.llm.spending import Account


@dataclass(frozen=True, slots=True)
class Desk:
    """What every request to one service passes. Without an account nothing is counted and nothing is spent."""

    limiter: Limiter
    account: Account | None = None

    async def ask(self, turn: Turn, question: Question) -> Reply:
        """Ask one turn.

        Raises:
            BudgetSpent, ModelUnavailable, UsageError: see `Model.answer`.
        """
        account = self.account
        if account is None:
            return await self.limiter.run(lambda: turn(question), question.tokens)

        async def once() -> Reply:
            await account.admit()
            with account.in_flight():
                reply = await turn(question)
                account.settle(question, reply)
                return reply

        try:
            return await self.limiter.run(once, question.tokens)
        except ModelUnavailable as error:
            account.close(error)  # the stage ends: what else it would ask is left to the next attempt
            raise
