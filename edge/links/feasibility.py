"""Candidate pairs become feasible links: a model scores binding sets, all it names is checked (Pair -> Link)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from edge.errors import ModelAnswerError
from edge.links.candidates import Pair
from edge.links.checking import Refusal, link_of
from edge.links.model import Link
from edge.links.offline_scorer import feasibility_variables
from edge.links.offline_scorer import offline_feasibility as offline_feasibility
from edge.links.suppliers import Suppliers
from edge.llm.answers import LinkAnswer, LinkCandidateAnswer
from edge.llm.prompts import Prompt
from edge.llm.protocol import Model
from edge.specs.model import Tool

Batch = Sequence[Pair]
_SHOWN = 300  # letters of a model's words in a reject


@dataclass(slots=True)
class Judged:
    """What became of the candidate pairs. `dropped` counts pairs by reason; `rejects` are (item, reason, detail).

    A pair that nobody asked about is among the rejects too, though no pair was dropped with it.
    """

    links: list[Link] = field(default_factory=list[Link])
    dropped: dict[str, int] = field(default_factory=dict[str, int])
    rejects: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])

    def drop(self, item: str, reason: str, detail: str = "") -> None:
        """Count a pair out and keep the row."""
        self.dropped[reason] = self.dropped.get(reason, 0) + 1
        self.rejects.append((item, reason, detail[:_SHOWN]))

    def note(self, item: str, reason: str) -> None:
        """Keep what is no pair of ours."""
        self.rejects.append((item[:_SHOWN], reason, ""))


async def judge(
    pairs: Sequence[Pair],
    tools: Mapping[str, Tool],
    model: Model,
    prompt: Prompt,
    *,
    threshold: float = 0.3,
    concurrency: int = 8,
    per_call: int = 5,
) -> Judged:
    """Score every pair with `model`; keep binding sets at or above `threshold` whose names exist in both signatures.

    One call asks about up to `per_call` targets of one source. An unusable answer about several is asked for again
    about each half: what one pair spoils costs the others nothing. Every pair is kept or dropped with a reason.
    """
    judged, suppliers = Judged(), Suppliers(tools.values())
    gate = asyncio.Semaphore(concurrency)

    async def ask(batch: Batch) -> list[tuple[Batch, LinkAnswer | ModelAnswerError]]:
        variables = feasibility_variables(tools[batch[0].source], [tools[p.target] for p in batch])
        try:
            async with gate:
                return [(batch, (await model.answer(prompt, variables, LinkAnswer)).value)]
        except ModelAnswerError as error:
            if len(batch) == 1:
                return [(batch, error)]
        half = len(batch) // 2
        return [*await ask(batch[:half]), *await ask(batch[half:])]

    for answers in await asyncio.gather(*(ask(batch) for batch in batches(pairs, per_call))):
        for batch, answer in answers:
            if isinstance(answer, ModelAnswerError):
                judged.drop(_item(batch[0]), answer.reason, answer.detail)
            else:
                _sort_in(judged, batch, answer, tools, suppliers, threshold)
    return judged


def batches(pairs: Iterable[Pair], size: int) -> list[Batch]:
    """Return runs of at most `size` pairs of one source, no target twice in one; in the order of the pairs."""
    found: list[list[Pair]] = []
    for pair in pairs:
        last = found[-1] if found else []
        fits = last and len(last) < size and last[0].source == pair.source
        if fits and all(p.target != pair.target for p in last):
            last.append(pair)
        else:
            found.append([pair])
    return list(found)


def _item(pair: Pair) -> str:
    return f"{pair.source}->{pair.target}"


def _sort_in(
    judged: Judged,
    batch: Batch,
    answer: LinkAnswer,
    tools: Mapping[str, Tool],
    suppliers: Suppliers,
    threshold: float,
) -> None:
    """Keep the links of one answer; a pair that it does not speak of is dropped, one that was not asked about noted."""
    said: dict[str, list[LinkCandidateAnswer]] = {}
    for entry in answer.pairs:
        said.setdefault(entry.target, []).extend(entry.candidates)
    asked = {pair.target for pair in batch}
    strangers = [target for target in said if target not in asked]
    for target in strangers:
        judged.note(f"{batch[0].source}->{target}", "unknown_pair")
    for pair in batch:
        if pair.target not in said:
            judged.drop(_item(pair), "unanswered", f"answered instead: {', '.join(strangers)}" if strangers else "")
            continue
        _keep(judged, pair, said[pair.target], tools, suppliers, threshold)


def _keep(
    judged: Judged,
    pair: Pair,
    candidates: Sequence[LinkCandidateAnswer],
    tools: Mapping[str, Tool],
    suppliers: Suppliers,
    threshold: float,
) -> None:
    """Keep the binding sets that hold, else say why none does."""
    source, target = tools[pair.source], tools[pair.target]
    links: dict[str, Link] = {}
    reason, detail = "infeasible", ""
    for candidate in candidates:
        if candidate.score < threshold:
            continue
        made = link_of(source, target, candidate, suppliers)
        if isinstance(made, Refusal):
            reason, detail = made.reason, made.detail
        else:
            links.setdefault(made.link_id, made)
    if links:
        judged.links.extend(links.values())
    else:
        judged.drop(_item(pair), reason, detail)
