"""Control calls with known-good values: is it the link, or is the world quiet? (failed trials -> verdicts)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from edge.calls import Caller, Outcome, call_key
from edge.links.controls import Made
from edge.links.posterior import Verdict
from edge.links.walking import Trial
from edge.specs.model import Tool

Call: TypeAlias = "dict[str, str]"  # the arguments of a call, by wire name

PLAIN = frozenset({"missing_parameter", "unknown_operation", "host_not_allowed"})
"""Reasons of refusals that other values would not change."""
_KEPT = 6  # successes remembered of a tool for each set of arguments


@dataclass(slots=True)
class KnownGood:
    """Calls that gave records, by tool: whole argument sets, since values that were good together belong together."""

    calls: dict[str, list[Call]] = field(default_factory=dict[str, list[Call]])

    def add(self, tool_id: str, arguments: Mapping[str, str]) -> None:
        """Remember a call that gave records, of each set of argument names the first few."""
        if not arguments:
            return
        known, names = self.calls.setdefault(tool_id, []), arguments.keys()
        alike = [c for c in known if c.keys() == names]
        if len(alike) < _KEPT and dict(arguments) not in alike:
            known.append(dict(arguments))

    def instead(self, tool_id: str, arguments: Mapping[str, str], bound: Sequence[str]) -> Call | None:
        """Return the call with its bound values replaced by good ones, from the success most like it otherwise.

        None where no success had all of the bound parameters. Where a success had the very values, these come back: the
        answer is then the call's own.
        """
        others = arguments.items() - {(name, arguments[name]) for name in bound}
        fit = [c for c in self.calls.get(tool_id, ()) if all(name in c for name in bound)]
        if not fit:
            return None
        own = [c for c in fit if all(c[name] == arguments[name] for name in bound)]
        best = own[0] if own else max(fit, key=lambda c: len(c.items() & others))  # max: the first of the best
        return {**arguments, **{name: best[name] for name in bound}}

    def has(self, tool_id: str, bound: Sequence[str]) -> bool:
        """Whether some success of the tool had all of these parameters."""
        return any(all(name in c for name in bound) for c in self.calls.get(tool_id, ()))


def doubtful(trial: Trial) -> bool:
    """Whether a trial failed in a way that may not be the link's fault: no records, or a refusal with two meanings."""
    if trial.outcome is None:
        return False
    return trial.verdict == "empty" or (trial.verdict == "structural" and trial.outcome.reason not in PLAIN)


@dataclass(slots=True)
class Weighing:
    """Weighs failed trials against known-good calls, each made once a run (`known`: call -> whether it had records)."""

    good: KnownGood = field(default_factory=KnownGood)
    known: dict[str, bool] = field(default_factory=dict[str, bool])

    async def weigh(
        self, caller: Caller, trials: Iterable[Trial], gate: asyncio.Semaphore, limit: int
    ) -> tuple[dict[str, Verdict], list[Made]]:
        """Return the verdicts of the doubtful trials that can be weighed, by link id, and the calls made for it.

        At most `limit` calls are made, in the order of the trials. A control that meets an outage decides nothing of
        the target, but for its trial the world is as good as quiet: another one will come.
        """
        pairs: list[tuple[Trial, str]] = []
        wanted: dict[str, tuple[Tool, Call]] = {}
        for trial in trials:
            call = self.good.instead(trial.target.tool_id, trial.arguments, trial.bound) if doubtful(trial) else None
            if call is None:
                continue
            key = call_key(trial.target.tool_id, call, False)
            if key != trial.key and key not in self.known and key not in wanted:
                if len(wanted) >= limit:
                    continue
                wanted[key] = trial.target, call
            pairs.append((trial, key))

        async def control(tool: Tool, call: Call) -> Outcome:
            async with gate:
                return await caller.call(tool, call)

        outcomes = await asyncio.gather(*(control(tool, call) for tool, call in wanted.values()))
        made = [(tool, call, outcome) for (tool, call), outcome in zip(wanted.values(), outcomes, strict=True)]
        for key, outcome in zip(wanted, outcomes, strict=True):
            if outcome.outcome != "environmental":
                self.known[key] = outcome.ok
        return {trial.link.link_id: self._verdict(trial, self.known.get(key, False)) for trial, key in pairs}, made

    @staticmethod
    def _verdict(trial: Trial, answers: bool) -> Verdict:
        if not answers:
            return "quiet"
        return "structural" if trial.verdict == "structural" else "refuted"
