"""Sampled prompts x how often they are asked -> what a run will about cost, and what the same rows cost by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from edge.ids import Json
from edge.llm.asking import Message, Question
from edge.llm.prices import Price, dollars
from edge.llm.prompts import Prompt
from edge.llm.protocol import TokenUsage


@dataclass(frozen=True, slots=True)
class Work:
    """A prompt, how often it will be asked, and samples of the variables that it will be asked with."""

    prompt: Prompt
    number: int
    samples: Sequence[Mapping[str, Json]]
    answers: int = 1  # how many answers as in the prompt's examples one answer holds


@dataclass(frozen=True, slots=True)
class Estimated:
    """One prompt's share. `measured`: the tokens are means of earlier turns with this model, not lengths of samples."""

    prompt: str
    number: int
    tokens: TokenUsage
    usd: float | None
    measured: bool


def estimate(work: Iterable[Work], price: Price | None, measured: Mapping[str, TokenUsage]) -> list[Estimated]:
    """Return the shares in the order of `work`. `measured` are mean tokens of a turn by the prompt's hash."""
    found: list[Estimated] = []
    for item in work:
        each = measured.get(item.prompt.hash)
        mean = each or TokenUsage(_sent(item), answer_tokens(item.prompt) * item.answers)
        tokens = TokenUsage(*(count * item.number for count in (mean.input_tokens, mean.output_tokens)))
        usd = None if price is None else price.cost(tokens)
        found.append(Estimated(item.prompt.name, item.number, tokens, usd, each is not None))
    return found


def _sent(item: Work) -> int:
    prompt = item.prompt
    rendered = [Message("user", prompt.render(variables)) for variables in item.samples]
    sizes = [Question(prompt.name, prompt.hash, prompt.system, (m,), prompt.schema, 1).tokens for m in rendered]
    return round(fmean(sizes)) if sizes else 0


def answer_tokens(prompt: Prompt) -> int:
    """Return about how many tokens an answer takes: the mean of the examples in the prompt, three bytes a token."""
    examples = [line.removeprefix("답: ") for line in prompt.system.splitlines() if line.startswith("답: {")]
    return round(fmean(len(example.encode()) for example in examples) / 3) if examples else 0


def estimate_lines(shares: Sequence[Estimated], budget_usd: float | None) -> list[str]:
    """Return the estimate as lines for a terminal; the last is the sum, and how the budget compares."""
    lines = [
        f"  {share.prompt:<18} {share.number:>7,} prompts {share.tokens.input_tokens:>12,} tokens in"
        f" {share.tokens.output_tokens:>10,} out{'' if share.usd is None else f'  {dollars(share.usd)}'}"
        f"  ({'measured' if share.measured else 'from samples'})"
        for share in shares
    ]
    known = [share.usd for share in shares if share.usd is not None]
    if len(known) < len(shares):
        return [*lines, "  no price is known of this model: EDGE_LLM_MODELS names a file that may state one"]
    total = sum(known)
    beside = "" if budget_usd is None else f", the budget is {dollars(budget_usd)}"
    short = "; it will not last" if budget_usd is not None and budget_usd < total else ""
    return [*lines, f"  about {dollars(total)} without re-asks and without answers that are kept{beside}{short}"]


@dataclass(frozen=True, slots=True)
class Saving:
    """The ledger: what rows cost with models and what they cost by hand, in US dollars."""

    rows: int
    model_usd: float
    usd_a_row_by_hand: float

    @property
    def by_hand_usd(self) -> float:
        """What people would be paid for the rows."""
        return self.rows * self.usd_a_row_by_hand

    @property
    def saved(self) -> float | None:
        """The share of the price by hand that is saved, negative where models cost more; None without such a price."""
        return 1 - self.model_usd / self.by_hand_usd if self.by_hand_usd else None

    def said(self) -> str:
        """Return the ledger in one line."""
        share = "" if self.saved is None else f", {self.saved:.1%} saved"
        return (
            f"{self.rows:,} rows: {dollars(self.model_usd)} for models, {dollars(self.by_hand_usd)} by hand"
            f" (at {dollars(self.usd_a_row_by_hand)} a row, EDGE_LLM_MANUAL_USD_PER_ROW){share}"
        )
