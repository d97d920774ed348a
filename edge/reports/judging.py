"""Requests -> a model's verdicts by rubric, trusted only after its agreement with hand-labelled pairs is known.

A verdict is an opinion on wording. It is printed; no dataset is changed by it, and what an execution has shown stands.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from edge.errors import ModelAnswerError, UsageError
from edge.llm.answers import JudgementAnswer
from edge.llm.prompts import PROMPTS, Prompt
from edge.llm.protocol import Model

LABELS = PROMPTS / "request_judge" / "labels.jsonl"
CRITERIA = ("natural", "plausible", "unambiguous")
LEAST_PAIRS = 20
LEAST_KAPPA = 0.6  # "substantial" in the scale of Landis and Koch (1977)


class Labelled(BaseModel):
    """A request and what people said of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    query: str
    natural: bool
    plausible: bool
    unambiguous: bool


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often a judge and people say the same of one criterion. `pairs` leaves out those without a usable answer."""

    criterion: str
    pairs: int
    same: int
    kappa: float | None

    @property
    def trusted(self) -> bool:
        """Whether it is enough to rely on: enough pairs, and more agreement than chance gives."""
        return self.pairs >= LEAST_PAIRS and self.kappa is not None and self.kappa >= LEAST_KAPPA

    def said(self) -> str:
        """Return the agreement in one line."""
        kappa = "kappa undefined" if self.kappa is None else f"kappa {self.kappa:.2f}"
        return f"{self.criterion:<12} {self.same} of {self.pairs} pairs alike, {kappa}" + (
            "" if self.trusted else "  (not trusted)"
        )


def read_labels(path: Path) -> list[Labelled]:
    """Return the hand-labelled requests of a file of JSON lines.

    Raises:
        UsageError: it cannot be read, or a line is no label; the line is named.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"labels {path} cannot be read: {error}") from None
    found: list[Labelled] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found.append(Labelled.model_validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "line"
            raise UsageError(f"labels {path}, line {number}: {where}: {first['msg']}") from None
    return found


async def judge_requests(
    queries: Sequence[str], model: Model, prompt: Prompt, *, concurrency: int = 8
) -> list[JudgementAnswer | ModelAnswerError]:
    """Ask for a verdict on every request, in their order; an unusable answer stands as its error, never as a verdict.

    Raises:
        ModelUnavailable, BudgetSpent: see `Model.answer`.
    """
    gate = asyncio.Semaphore(concurrency)

    async def one(query: str) -> JudgementAnswer | ModelAnswerError:
        async with gate:
            try:
                return (await model.answer(prompt, {"query": query}, JudgementAnswer)).value
            except ModelAnswerError as error:
                return error

    return await asyncio.gather(*(one(query) for query in queries))


def agreements(labelled: Sequence[Labelled], verdicts: Sequence[JudgementAnswer | ModelAnswerError]) -> list[Agreement]:
    """Return the agreement on every criterion, in the order of `CRITERIA`."""
    pairs = [(label, said) for label, said in zip(labelled, verdicts, strict=True) if isinstance(said, JudgementAnswer)]
    return [_agreement(c, [(bool(getattr(a, c)), bool(getattr(b, c))) for a, b in pairs]) for c in CRITERIA]


def _agreement(criterion: str, pairs: Sequence[tuple[bool, bool]]) -> Agreement:
    same = sum(a == b for a, b in pairs)
    return Agreement(criterion, len(pairs), same, kappa_of(pairs))


def kappa_of(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Return Cohen's kappa of two raters, (p_o - p_e) / (1 - p_e); None where both always say one and the same."""
    if not pairs:
        return None
    count = len(pairs)
    left, right = sum(a for a, _ in pairs) / count, sum(b for _, b in pairs) / count
    chance = left * right + (1 - left) * (1 - right)
    observed = sum(a == b for a, b in pairs) / count
    return None if chance >= 1 else (observed - chance) / (1 - chance)


def verdict_line(query: str, verdict: JudgementAnswer | ModelAnswerError) -> str:
    """Return one verdict as a JSON line; an unusable answer says why."""
    said = {"error": verdict.reason} if isinstance(verdict, ModelAnswerError) else verdict.model_dump()
    return json.dumps({"query": query, **said}, ensure_ascii=False)
