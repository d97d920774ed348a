"""What rounds of exploration may spend, and what they report (settings, states -> RoundReport)."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Literal, Self, TypeAlias

from edge.links.posterior import BeliefSettings
from edge.settings import ExplorationSection

Strategy: TypeAlias = Literal["thompson", "uniform"]
End: TypeAlias = Literal["", "nothing to start from", "calls spent", "time spent", "little left to learn"]


@dataclass(frozen=True, slots=True)
class ExplorationSettings:
    """Budgets of Phase A and how its calls are chosen."""

    rounds: int = 16
    """rounds at most; who calls `round` counts them"""
    paths: int = 600
    """paths begun in a round, at once"""
    max_links: int = 5
    """links of a path at most"""
    entry_calls: int = 4
    """calls of each tool that needs no predecessor, to have records to start from"""
    enough_trials: int = 7
    """trials after which a link is let be, whatever they said"""
    max_calls: int = 20_000
    """calls in all; none is made beyond them"""
    max_seconds: float | None = None
    """seconds spent in rounds after which nothing new is begun; None: no limit"""
    least_change: float = 0.02
    """state changes expected of a path, each by its worth, below which no further round is worth it"""
    concurrency: int = 16
    """calls at a time"""
    kept_records: int = 60
    """records kept of an answer, spread over it; of a tool five times as many"""
    prune_worth: float = 0.25
    """what it is worth to prune a link where to verify one is worth 1"""
    first_calls: int = 2
    """calls at once on what nothing is known of: a tool that never answered, links that have a binding in common"""
    strategy: Strategy = "thompson"
    """"uniform" begins and continues paths at random, whatever is known: for comparison"""
    belief: BeliefSettings = field(default_factory=BeliefSettings)

    @classmethod
    def of(cls, section: ExplorationSection, *, rounds: int, paths: int) -> Self:
        """Return the settings of a run that was configured with this section."""
        said = section.model_dump()
        belief = BeliefSettings(**{f.name: said.pop(f.name) for f in fields(BeliefSettings)})
        return cls(rounds=rounds, paths=paths, belief=belief, **said)


@dataclass(frozen=True, slots=True)
class RoundReport:
    """Progress after a round: links by state, trials and calls so far.

    `expected` is how many states another round is expected to change, each by its worth; `end` says why there should be
    no other, if so.
    """

    candidate: int
    verified: int
    pruned: int
    trials: int
    calls: int
    expected: float
    end: End

    @property
    def done(self) -> bool:
        """Whether another round would be of no use or is not allowed."""
        return self.end != ""
