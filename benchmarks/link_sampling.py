"""Links are followed once more, by fresh calls that no exploration made, and judged anew (links -> verdicts).

A sample is one fresh path to one link: its source is called with arguments drawn at random (filled without a link where
that can be, else fed by verified links), a random record of the answer is bound, the other arguments are drawn, and the
target is called. Arguments that the exploration asked the target with before are drawn again, a few times; where there
are no others, the link counts as not executed.
A success is an answer with records that is another one when any bound parameter is given nonsense instead: the records
hung on the values. So a link is judged by the same rule before and after, and evidence plays no part in it.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from link_figures import Rate

from edge.calls import Caller, Outcome, Record, call_key
from edge.links.controls import nonsense
from edge.links.fillers import Filler
from edge.links.model import Link
from edge.links.paths import with_arguments
from edge.links.transforms import apply
from edge.specs.model import Tool

DEPTH = 4  # links of the path before the one in question
DRAWS = 30  # records drawn to find arguments that are new
WAYS = 6  # ways tried to a source
NOT_EXECUTED = frozenset({"no source", "unfilled", "asked before", "environmental", "unserved"})


@dataclass(frozen=True, slots=True)
class Sample:
    """One link followed once: "ok", how it failed, or why it could not be executed (see NOT_EXECUTED)."""

    link: Link
    verdict: str


@dataclass(frozen=True, slots=True)
class Samples:
    """A sample of links, each followed once."""

    each: tuple[Sample, ...]

    @property
    def rate(self) -> Rate:
        """Successes among the links that could be executed."""
        executed = [x for x in self.each if x.verdict not in NOT_EXECUTED]
        return Rate(sum(x.verdict == "ok" for x in executed), len(executed))

    @property
    def of_all(self) -> Rate:
        """Successes among all sampled links, those that could not be executed included."""
        return Rate(sum(x.verdict == "ok" for x in self.each), len(self.each))

    def __str__(self) -> str:
        """How the samples ended, in words."""
        ends = Counter(x.verdict for x in self.each)
        return ", ".join(f"{number} {verdict}" for verdict, number in ends.most_common())


class Sampler:
    """Follows links by fresh calls. `feeding` are the links by which sources are reached that need a link."""

    def __init__(
        self,
        tools: Mapping[str, Tool],
        feeding: Iterable[Link],
        filler: Filler,
        caller: Caller,
        *,
        asked: frozenset[str],
        unserved: frozenset[str],
        seed: int,
    ) -> None:
        self._tools, self._filler, self._caller = tools, filler, caller
        self._asked, self._unserved, self._seed = asked, unserved, seed
        self._into: dict[str, list[Link]] = {}
        for link in sorted(feeding, key=lambda x: x.link_id):
            self._into.setdefault(link.target_tool, []).append(link)

    async def follow(self, links: Sequence[Link], number: int, name: str) -> Samples:
        """Follow `number` of the links, drawn without replacement, once each."""
        chosen = random.Random(f"{self._seed}:{name}").sample(list(links), min(number, len(links)))
        gate = asyncio.Semaphore(16)

        async def one(link: Link) -> Sample:
            async with gate:
                return await self._one(link, random.Random(f"{self._seed}:{name}:{link.link_id}"))

        return Samples(tuple(await asyncio.gather(*map(one, chosen))))

    async def _one(self, link: Link, rng: random.Random) -> Sample:
        if link.target_tool in self._unserved or link.source_tool in self._unserved:
            return Sample(link, "unserved")
        records = await self._records(self._tools[link.source_tool], rng, DEPTH, (link.link_id,))
        if not records:
            return Sample(link, "no source")
        target = self._tools[link.target_tool]
        why, arguments = self._arguments(link, target, records, rng)
        if why:
            return Sample(link, why)
        outcome = await self._caller.call(target, arguments)
        if outcome.ok and not await self._hangs_on(link, target, arguments, outcome):
            return Sample(link, "ignored")
        return Sample(link, outcome.outcome)

    def _arguments(
        self, link: Link, target: Tool, records: Sequence[Record], rng: random.Random
    ) -> tuple[str, dict[str, str]]:
        """Return arguments from a random record that the target was never asked with, or why there are none."""
        why = "structural"  # no record has what is bound
        for record in rng.sample(list(records), min(DRAWS, len(records))):
            bound = bound_from(link, record)
            if bound is None:
                continue
            filled = self._filler.fill(target, bound, rng, link.pooled)
            if filled is None:
                why = "unfilled"
                continue
            arguments = bound | {name: filling.value for name, filling in filled.items()}
            if call_key(target.tool_id, arguments, False) not in self._asked:
                return "", arguments
            why = "asked before"
        return why, {}

    async def _records(self, tool: Tool, rng: random.Random, depth: int, path: tuple[str, ...]) -> list[Record]:
        """Return the records of a fresh successful call of a tool; none where a few ways lead to none."""
        into = [x for x in self._into.get(tool.tool_id, ()) if x.link_id not in path]
        for _ in range(WAYS):
            arguments = await self._source_arguments(tool, into, rng, depth, path)
            if arguments is None:
                continue
            outcome = await self._caller.call(tool, arguments)
            if outcome.ok:
                return [with_arguments(record, arguments) for record in outcome.records]
        return []

    async def _source_arguments(
        self, tool: Tool, into: Sequence[Link], rng: random.Random, depth: int, path: tuple[str, ...]
    ) -> dict[str, str] | None:
        """Draw arguments: without a link where that is possible (half of the time), else from a verified link."""
        filled = self._filler.fill(tool, (), rng)
        if filled is not None and (not into or depth == 0 or rng.random() < 0.5):
            return {name: filling.value for name, filling in filled.items()}
        if not into or depth == 0:
            return None
        link = rng.choice(into)
        records = await self._records(self._tools[link.source_tool], rng, depth - 1, (*path, link.link_id))
        bound = bound_from(link, rng.choice(records)) if records else None
        rest = None if bound is None else self._filler.fill(tool, bound, rng, link.pooled)
        return None if bound is None or rest is None else bound | {k: v.value for k, v in rest.items()}

    async def _hangs_on(self, link: Link, target: Tool, arguments: Mapping[str, str], outcome: Outcome) -> bool:
        """Whether nonsense in the place of each bound value changes the answer; an outage decides nothing."""
        for binding in link.bindings:
            parameter = target.parameter(binding.target_parameter)
            if parameter is None:
                continue
            spoilt = {**arguments, parameter.name: nonsense(parameter, arguments[parameter.name])}
            answer = await self._caller.call(target, spoilt)
            if answer.ok and answer.response_hash == outcome.response_hash:
                return False
        return True


def bound_from(link: Link, record: Record) -> dict[str, str] | None:
    """Return the arguments that a link makes from a record; None where a field or transform gives nothing."""
    values = {b.target_parameter: apply(b.transform, record, b.source_path) for b in link.bindings}
    found = {name: value for name, value in values.items() if value is not None}
    return found if len(found) == len(values) else None
