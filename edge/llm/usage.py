"""Answers -> rows of the `usage` dataset: what each stage asked of each model, and what that cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from edge.errors import ModelError
from edge.ids import Json
from edge.llm.prompts import Prompt
from edge.llm.protocol import Answer, AnswerRejected, Model, T, TokenUsage


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    input_usd: float
    output_usd: float


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


class UsageMeter:
    """Counts by stage, provider, model and prompt. `prices` are by model name."""

    def __init__(self, prices: Mapping[str, Price] | None = None) -> None:
        self._prices = dict(prices or {})
        self._counts: dict[tuple[str, str, str, str], _Count] = {}

    def record(
        self, stage: str, provider: str, model: str, prompt_hash: str, usage: TokenUsage, *, cached: bool = False
    ) -> None:
        """Count one answer; a cached one cost nothing now."""
        count = self._counts.setdefault((stage, provider, model, prompt_hash), _Count())
        count.calls += 1
        if cached:
            count.cached += 1
        else:
            count.tokens += usage

    def rows(self) -> list[UsageRow]:
        """Return the rows in a stable order."""
        found: list[UsageRow] = []
        for (stage, provider, model, prompt_hash), count in sorted(self._counts.items()):
            tokens = count.tokens
            cost = self._cost(provider, model, tokens)
            found.append(
                UsageRow(
                    stage,
                    provider,
                    model,
                    prompt_hash,
                    count.calls,
                    count.cached,
                    tokens.input_tokens,
                    tokens.output_tokens,
                    cost,
                )
            )
        return found

    def _cost(self, provider: str, model: str, tokens: TokenUsage) -> float | None:
        if provider == "offline":
            return 0.0
        price = self._prices.get(model)
        if price is None:
            return None
        return round((tokens.input_tokens * price.input_usd + tokens.output_tokens * price.output_usd) / 1_000_000, 6)


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
        usage = TokenUsage()
        try:
            answer = await self._model.answer(prompt, variables, schema)
            usage = answer.usage
        except ModelError as error:
            usage = error.usage if isinstance(error, AnswerRejected) else usage
            raise
        finally:
            self._meter.record(self._stage, self.provider, self.name, prompt.hash, usage)
        return answer
