"""Answers -> rows of the `usage` dataset: what each stage asked of each model, and what that cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from edge.ids import Json
from edge.llm.books import PaidTurn
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


class UsageMeter:
    """Counts by stage, provider, model and prompt: prompts as they are answered, tokens and cost as they are paid."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str, str, str], _Count] = {}
        self._reports: dict[str, Callable[[], None]] = {}

    def record(self, stage: str, provider: str, model: str, prompt_hash: str, *, cached: bool = False) -> None:
        """Count one prompt that was answered or rejected; a cached answer was free."""
        count = self._counts.setdefault((stage, provider, model, prompt_hash), _Count())
        count.calls += 1
        count.cached += cached

    def pay(self, turn: PaidTurn) -> None:
        """Count the tokens of one turn and what it cost."""
        turned = turn.turned
        count = self._counts.setdefault((turned.stage, turned.provider, turned.model, turned.prompt_hash), _Count())
        count.tokens += turn.usage
        count.cost = None if count.cost is None or turn.usd is None else count.cost + turn.usd

    def when_reported(self, key: str, report: Callable[[], None]) -> None:
        """Call `report` when the rows have been taken: what they hold is then in no later row."""
        self._reports[key] = report

    def rows(self) -> list[UsageRow]:
        """Return the rows in a stable order."""
        return [
            UsageRow(
                *key,
                count.calls,
                count.cached,
                count.tokens.input_tokens,
                count.tokens.output_tokens,
                None if count.cost is None else round(count.cost, 6),
            )
            for key, count in sorted(self._counts.items())
        ]

    def reported(self) -> None:
        """Say that the rows have been taken."""
        for report in self._reports.values():
            report()


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
