"""What exploring has brought to light: evidence, records, what is served, what was asked (Outcome -> Knowledge)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import cast

from edge.calls import Arguments, Outcome, Record, call_key
from edge.ids import Json
from edge.links.controls import Sensitivity
from edge.links.fillers import ValuePool
from edge.links.known_good import Call, KnownGood, Weighing
from edge.links.model import Evidence
from edge.links.paths import get_path, scalar, with_arguments
from edge.links.progress import ExplorerState
from edge.links.walking import HELD, Observed, Trial, says_unserved
from edge.specs.model import Tool

FOR_GOOD = -1  # parked until the end of the run


@dataclass(slots=True)
class Knowledge:
    """All that decides what an explorer does next, but for the value pool.

    `records`: what tools answered. `met`: tools that answered anything, `unserved`: those that the endpoint does not
    have. `parked`: platforms not to be called -> the last round of that. `tried`: link id -> keys of its calls and of
    values that were judged. `exhausted`: link id -> how many records its source had when none was left to try.
    """

    evidence: dict[str, Evidence]
    kept_records: int
    records: dict[str, list[Observed]] = field(default_factory=dict[str, list[Observed]])
    sensitivity: Sensitivity = field(default_factory=Sensitivity)
    weighing: Weighing = field(default_factory=Weighing)
    asked: set[str] = field(default_factory=set[str])
    seen: set[str] = field(default_factory=set[str])
    met: set[str] = field(default_factory=set[str])
    unserved: set[str] = field(default_factory=set[str])
    parked: dict[str, int] = field(default_factory=dict[str, int])
    tried: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    exhausted: dict[str, int] = field(default_factory=dict[str, int])
    rounds_done: int = 0
    calls: int = 0
    seconds: float = 0.0
    entered: bool = False

    def callable(self, tool: Tool) -> bool:
        """Whether the endpoint has the operation and its platform may be called in this round."""
        until = self.parked.get(tool.platform)
        return tool.tool_id not in self.unserved and (until is None or FOR_GOOD < until < self.rounds_done)

    def observe(self, arguments: Mapping[str, str], outcome: Outcome) -> list[Observed]:
        """Return a sample of the records of an answer, spread over all of it."""
        step = max(1, len(outcome.records) // self.kept_records)
        sample = outcome.records[::step][: self.kept_records]
        return [Observed(with_arguments(r, arguments), outcome.total) for r in sample]

    def count(self, tool: Tool, arguments: Arguments, outcome: Outcome) -> None:
        """Count a call, unless its answer was known or it was never sent: what an outage took is asked again."""
        key = call_key(tool.tool_id, arguments, False)
        if outcome.reason in HELD:
            return
        if key not in self.asked or outcome.outcome == "environmental":
            self.calls += 1
        self.asked.add(key)

    def note(self, trial: Trial) -> None:
        """Remember what a link need not try again. Quiet values may: another day or other arguments may tell."""
        link_id = trial.link.link_id
        if trial.verdict is None and not trial.held:
            self.exhausted[link_id] = len(self.records.get(trial.link.source_tool, ()))
        elif trial.outcome is not None and trial.outcome.outcome != "environmental":
            tried = self.tried.setdefault(link_id, {})
            tried[trial.key] = 1
            if trial.verdict != "quiet":
                tried[trial.value_key] = 1

    def learn(self, tool: Tool, arguments: Mapping[str, str], outcome: Outcome, pool: ValuePool) -> None:
        """Take in an outcome: what is served, good values and, from an answer not seen yet, records."""
        if outcome.reason in HELD:
            lasting = outcome.reason == "quota_parked" or self.parked.get(tool.platform) == FOR_GOOD
            self.parked[tool.platform] = FOR_GOOD if lasting else self.rounds_done + 1
            return
        self.met.add(tool.tool_id)
        if not outcome.ok:
            if says_unserved(tool, outcome):
                self.unserved.add(tool.tool_id)
            return
        self.weighing.good.add(tool.tool_id, arguments)
        for name, value in arguments.items():
            pool.add_accepted(tool.tool_id, name, value)
        kept = self.records.setdefault(tool.tool_id, [])
        key = call_key(tool.tool_id, arguments, False)
        if key in self.seen or len(kept) >= 5 * self.kept_records:
            return
        self.seen.add(key)
        for observed in self.observe(arguments, outcome):
            kept.append(observed)
            for out in tool.outputs:
                value = scalar(get_path(observed.record, out.path))
                if value is not None and not out.private:
                    pool.add_output(tool.tool_id, out.path, value)

    # -- state ----------------------------------------------------------------------------------------------------

    def state(self) -> ExplorerState:
        """Return all of it as plain data."""
        return ExplorerState(
            evidence={k: asdict(e) for k, e in self.evidence.items()},
            records={k: [[o.record, o.cardinality] for o in seen] for k, seen in self.records.items()},
            ignored=self.sensitivity.plain(),
            good={k: [*calls] for k, calls in self.weighing.good.calls.items()},
            controls=dict(self.weighing.known),
            asked=dict.fromkeys(self.asked, 1),
            seen=dict.fromkeys(self.seen, 1),
            met=dict.fromkeys(self.met, 1),
            unserved=dict.fromkeys(self.unserved, 1),
            parked=dict(self.parked),
            tried={k: [*calls] for k, calls in self.tried.items()},
            exhausted=dict(self.exhausted),
            figures={"rounds": self.rounds_done, "calls": self.calls, "seconds": self.seconds, "entered": self.entered},
        )

    def go_on(self, state: ExplorerState) -> None:
        """Take over a state; links it does not know keep what they have, links that are no more are left out."""
        for link_id in self.evidence.keys() & state.evidence.keys():
            self.evidence[link_id] = Evidence.of(cast("Mapping[str, object]", state.evidence[link_id]))
        for tool_id, seen in state.records.items():
            pairs = cast("Sequence[tuple[Record, int]]", seen)
            self.records[tool_id] = [Observed(record, cardinality) for record, cardinality in pairs]
        self.sensitivity = Sensitivity.of(state.ignored)
        good = {k: [dict(c) for c in cast("Sequence[Call]", calls)] for k, calls in state.good.items()}
        self.weighing = Weighing(KnownGood(good), {k: bool(v) for k, v in state.controls.items()})
        self.asked, self.seen = set(state.asked), set(state.seen)
        self.met, self.unserved = set(state.met), set(state.unserved)
        self.parked, self.exhausted = _whole(state.parked), _whole(state.exhausted)
        self.tried = {k: dict.fromkeys(cast("Sequence[str]", calls), 1) for k, calls in state.tried.items()}
        figures = cast("Mapping[str, float]", state.figures)
        self.rounds_done, self.calls = int(figures["rounds"]), int(figures["calls"])
        self.seconds, self.entered = figures["seconds"], bool(figures["entered"])


def _whole(part: Mapping[str, Json]) -> dict[str, int]:
    return {k: int(cast("int", v)) for k, v in part.items()}
