"""Prompt + variables -> validated answer: what every stage asks of a language model, whichever backend serves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from edge.errors import ModelAnswerError
from edge.ids import Json
from edge.llm.prompts import Prompt

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of one answer, all re-asks included.

    `cached_tokens` and `written_tokens` are the parts of the input that the service read from, or wrote to, a cache of
    its own; they have prices of their own.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0

    def __add__(self, other: TokenUsage) -> TokenUsage:
        return TokenUsage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            self.written_tokens + other.written_tokens,
        )


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A validated answer, the tokens it took now and the text it was read from; `cached`: an earlier one, for free."""

    value: T
    usage: TokenUsage
    raw: str
    cached: bool = False


class AnswerRejected(ModelAnswerError):
    """An unusable answer together with what it cost and said; `raw` is what a reject row stores."""

    def __init__(self, reason: str, detail: str = "", *, usage: TokenUsage | None = None, raw: str = "") -> None:
        super().__init__(reason, detail)
        self.usage = usage or TokenUsage()
        self.raw = raw


class Model(Protocol):
    """A language model, or the offline writer behind the same door."""

    @property
    def provider(self) -> str:
        """Who serves it: "openai", "anthropic", "offline"."""
        ...

    @property
    def name(self) -> str:
        """The model's name as the provider spells it."""
        ...

    async def answer(self, prompt: Prompt, variables: Mapping[str, Json], schema: type[T]) -> Answer[T]:
        """Render the prompt, ask, validate.

        Raises:
            ModelUnavailable: transient; `retry_after` in seconds when the service said so.
            ModelAnswerError: refusal, truncation or an answer outside the schema after the re-asks.
            BudgetSpent: the run may spend no more.
            UsageError: key, address or model name is wrong.
        """
        ...
