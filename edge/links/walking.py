"""One link of a path: a record is bound to the target, the rest filled, the call made (Link, records -> Trial)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from edge.calls import Caller, Outcome, Record, call_key
from edge.links.fillers import Filler
from edge.links.model import Link
from edge.links.paths import arguments_of
from edge.links.posterior import Verdict
from edge.links.transforms import apply
from edge.specs.model import Tool

HELD = frozenset({"quota_parked", "circuit_open"})  # reasons of outcomes that were never sent
_PICKS = 30  # records looked at for one whose values the link has not tried yet


@dataclass(frozen=True, slots=True)
class Observed:
    """A record seen in an answer of `cardinality` records."""

    record: Record
    cardinality: int


@dataclass(frozen=True, slots=True)
class Step:
    """A link about to be tried with one of the records; on a path these are the answer just seen."""

    link: Link
    sources: Sequence[Observed]


@dataclass(frozen=True, slots=True)
class Trial:
    """One executed link of a path: what it was called with, what came, and what that says of the link.

    Without an outcome no call was made. `verdict` None says nothing of the link at all: every value at hand was tried
    before, nothing fills what the link leaves open, or the platform was not to be called. `source` are the arguments
    of the call that gave the record.
    """

    link: Link
    target: Tool
    arguments: dict[str, str]
    cardinality: int
    outcome: Outcome | None
    verdict: Verdict | None
    source: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def key(self) -> str:
        """The identity of the call."""
        return call_key(self.target.tool_id, self.arguments, False)

    @property
    def bound(self) -> tuple[str, ...]:
        """The parameters that the link fills, sorted."""
        return bound_names(self.link)

    @property
    def value_key(self) -> str:
        """The identity of what the link brought, whatever else the call had."""
        return call_key(self.target.tool_id, {name: self.arguments[name] for name in self.bound}, False)

    @property
    def held(self) -> bool:
        """Whether the call was held back because of the platform's quota or an outage."""
        return self.outcome is not None and self.outcome.reason in HELD


def bound_names(link: Link) -> tuple[str, ...]:
    """Return the parameters that a link fills, sorted."""
    return tuple(sorted(b.target_parameter for b in link.bindings))


def bind(link: Link, record: Record) -> dict[str, str] | None:
    """Return the arguments that a link makes from one record; None where a field or transform gives nothing."""
    arguments: dict[str, str] = {}
    for b in link.bindings:
        value = apply(b.transform, record, b.source_path)
        if value is None:
            return None
        arguments[b.target_parameter] = value
    return arguments


def bringing(link: Link, sources: Iterable[Observed], values: Mapping[str, set[str]]) -> list[Observed]:
    """Return the records from which a link brings only such values, by parameter."""
    bound = ((o, bind(link, o.record)) for o in sources)
    return [o for o, said in bound if said and all(v in values.get(k, ()) for k, v in said.items())]


def says_unserved(tool: Tool, outcome: Outcome) -> bool:
    """Whether an outcome says that the endpoint has no such operation, whatever the arguments.

    Portals retire operations and replicas serve a part of them. A bare 404 says so only where no argument is part of
    the path: elsewhere it may mean that there is no such record.
    """
    if outcome.outcome != "structural":
        return False
    in_path = any(parameter.location == "path" for parameter in tool.offered)
    return outcome.reason == "unknown_operation" or (outcome.reason == "not_found" and not in_path)


def entry_calls(tools: Iterable[Tool], filler: Filler, seed: int, number: int) -> list[tuple[Tool, dict[str, str]]]:
    """Return up to `number` different calls of each tool whose required arguments can be had without a predecessor."""
    plans: list[tuple[Tool, dict[str, str]]] = []
    for tool in tools:
        rng = random.Random(f"{seed}:entry:{tool.tool_id}")
        seen: set[tuple[tuple[str, str], ...]] = set()
        for _ in range(number):
            filled = filler.fill(tool, (), rng)
            if filled is None:
                break
            arguments = {name: f.value for name, f in filled.items()}
            if (key := tuple(sorted(arguments.items()))) not in seen:
                seen.add(key)
                plans.append((tool, arguments))
    return plans


@dataclass(frozen=True, slots=True)
class Walker:
    """Tries links. What it calls depends on the step, the tried calls and `seed` alone."""

    caller: Caller
    filler: Filler
    gate: asyncio.Semaphore
    seed: str

    async def step(self, step: Step, target: Tool, tried: Mapping[str, int], favoured: Mapping[str, set[str]]) -> Trial:
        """Call the target with a record; `tried` are keys of calls made before, and of values that were judged.

        Records whose values are `favoured` (parameter -> values with which the target is known to answer) come first.
        """
        rng = random.Random(f"{self.seed}:{step.link.link_id}")
        trial = self._plan(step, target, tried, rng, favoured)
        if trial.verdict != "ok":
            return trial
        async with self.gate:
            outcome = await self.caller.call(target, trial.arguments)
        verdict = None if outcome.reason in HELD else outcome.outcome
        return replace(trial, outcome=outcome, verdict=verdict)

    def _plan(
        self,
        step: Step,
        target: Tool,
        tried: Mapping[str, int],
        rng: random.Random,
        favoured: Mapping[str, set[str]],
    ) -> Trial:
        """Choose the arguments: of the first record drawn that brings values, or at least a call, not tried yet."""
        link, repeated = step.link, False
        for picked in self._draw(step, rng, favoured):
            bound = bind(link, picked.record)
            if bound is None:
                continue
            filled = self.filler.fill(target, bound, rng, link.pooled)
            if filled is None:
                return Trial(link, target, bound, picked.cardinality, None, None)
            arguments = bound | {k: f.value for k, f in filled.items()}
            trial = Trial(link, target, arguments, picked.cardinality, None, "ok", arguments_of(picked.record))
            if trial.value_key not in tried and trial.key not in tried:
                return trial
            repeated = True
        return Trial(link, target, {}, step.sources[0].cardinality, None, None if repeated else "structural")

    def _draw(self, step: Step, rng: random.Random, favoured: Mapping[str, set[str]]) -> list[Observed]:
        drawn = rng.sample(step.sources, min(_PICKS, len(step.sources)))
        if not favoured:
            return drawn
        known = bringing(step.link, step.sources, favoured)
        return [*rng.sample(known, min(_PICKS, len(known))), *drawn]
