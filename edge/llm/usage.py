"""Answers -> rows of the `usage` dataset: what each stage asked of each model, and what that cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from edge.ids import Json
from edge.llm.books import Books, PaidTurn
from edge.llm.prompts import Prompt
from edge.llm.protocol import Answer, Model, T, TokenUsage


@dataclass(frozen=True, slots=True)
class UsageRow:
    """One row, but for the run. `cost_usd` is None where no price is known; offline answers cost 0."""

    stage: str
    provider: str
    model: str
    prompt_hash: str
    calls: int
    cached_calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None


@dataclass(slots=True)
class _Count:
    calls: int = 0
    cached: int = 0
    tokens: TokenUsage = field(default_factory=TokenUsage)
    cost: float | None = 0.0

    def add(self, turn: PaidTurn) -> None:
        self.tokens += turn.usage
        self.cost = None if self.cost is None or turn.usd is None else self.cost + turn.usd


_Key: TypeAlias = tuple[str, str, str, str]  # stage, provider, model, prompt hash


class UsageMeter:
    """Counts by stage, provider, model and prompt: prompts here as they are answered, tokens and costs in the books."""

    def __init__(self) -> None:
        self._asked: dict[_Key, _Count] = {}
        self._billed: dict[str, tuple[Books, str]] = {}
        self._taken: dict[str, int] = {}

    def record(self, stage: str, provider: str, model: str, prompt_hash: str, *, cached: bool = False) -> None:
        """Count one prompt that was answered or rejected; a cached answer was free."""
        count = self._asked.setdefault((stage, provider, model, prompt_hash), _Count())
        count.calls += 1
        count.cached += cached

    def bill(self, books: Books, run: str, stage: str) -> None:
        """Take the tokens and costs of a stage from the books: whatever a run has paid that is in no row yet."""
        self._billed[stage] = (books, run)

    def rows(self) -> list[UsageRow]:
        """Return the rows in a stable order."""
        counts = {key: replace(count) for key, count in self._asked.items()}
        for stage, (books, run) in self._billed.items():
            for turn in books.unreported(run, stage):
                who = turn.turned
                counts.setdefault((stage, who.provider, who.model, who.prompt_hash), _Count()).add(turn)
                self._taken[stage] = turn.number
        return [
            UsageRow(
                *key,
                count.calls,
                count.cached,
                count.tokens.input_tokens,
                count.tokens.output_tokens,
                None if count.cost is None else round(count.cost, 6),
            )
            for key, count in sorted(counts.items(), key=lambda item: item[0])
        ]

    def reported(self) -> None:
        """Say that the rows have been taken: the turns in them come in no other row."""
        for stage, last in self._taken.items():
            books, run = self._billed[stage]
            books.report(run, stage, last)


class MeteredModel:
    """A model whose every answer, rejected ones too, is counted under one stage."""

    def __init__(self, model: Model, meter: UsageMeter, stage: str) -> None:
        self._model = model
        self._meter = meter
        self._stage = stage

    @property
    def provider(self) -> str:
        """See `Model`."""
        return self._model.provider

    @property
    def name(self) -> str:
        """See `Model`."""
        return self._model.name

    async def answer(self, prompt: Prompt, variables: Mapping[str, Json], schema: type[T]) -> Answer[T]:
        """See `Model.answer`."""
        cached = False
        try:
            answer = await self._model.answer(prompt, variables, schema)
            cached = answer.cached
        finally:
            self._meter.record(self._stage, self.provider, self.name, prompt.hash, cached=cached)
        return answer
