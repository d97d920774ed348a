"""Question -> reply, in turn: the pace of the service and the purse of the run, around every request that is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from edge.errors import ModelUnavailable
from edge.ids import Json
from edge.llm.asking import Question, Reply
from edge.llm.limits import Limiter
from edge.llm.spending import Account


class Service(Protocol):
    """A service that answers questions: at once, or as lines of a batch."""

    async def send(self, question: Question) -> Reply:
        """Ask now.

        Raises:
            ModelUnavailable, UsageError: see `Model.answer`.
        """
        ...

    def line(self, question: Question) -> dict[str, Json]:
        """Return the body of the request, as a line of a batch holds it."""
        ...

    def read(self, question: Question, line: Mapping[str, Json], body: Mapping[str, Json]) -> Reply:
        """Read the body of the answer to a line.

        Raises:
            ModelUnavailable: it is the body of something else.
        """
        ...

    def gives_way(self, line: Mapping[str, Json], message: str) -> bool:
        """Return whether a line that was refused with this message is to be put another way from now on."""
        ...


class Front(Protocol):
    """Where questions go, whichever way they are answered."""

    async def ask(self, service: Service, question: Question) -> Reply:
        """Ask one turn.

        Raises:
            BudgetSpent, ModelUnavailable, UsageError: see `Model.answer`.
        """
        ...


@dataclass(frozen=True, slots=True)
class Desk:
    """What every request to one service passes. Without an account nothing is counted and nothing is spent."""

    limiter: Limiter
    account: Account | None = None

    async def ask(self, service: Service, question: Question) -> Reply:
        """See `Front.ask`."""
        account = self.account
        if account is None:
            return await self.limiter.run(lambda: service.send(question), question.tokens)

        async def once() -> Reply:
            await account.admit()
            with account.in_flight():
                reply = await service.send(question)
                account.settle(question, reply)
                return reply

        try:
            return await self.limiter.run(once, question.tokens)
        except ModelUnavailable as error:
            account.close(error)  # the stage ends: what else it would ask is left to the next attempt
            raise
